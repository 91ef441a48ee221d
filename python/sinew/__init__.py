# SPDX-License-Identifier: Apache-2.0
"""Stiff elastodynamics: scenes, runs and results.

>>> import sinew
>>> run = sinew.run("hanging-ball", integrator="siere", dt=0.005)
>>> run.positions.shape, run.energy["total"][-1]

``sinew.scene`` makes scenes, ``sinew.run`` runs them, ``sinew.Run`` opens what was written earlier,
``sinew.Simulation`` steps by hand. ``help`` of each says more.
"""

from ._core import version as __version__
from ._additions import Force, Integrator, System, add, names
from ._errors import InputError, Problem, RunWarning, SceneWarning, StepFailed
from ._mesh import Mesh
from ._run import Picture, Run, Table, render, run
from ._scene import Scene, scene
from ._simulation import Simulation
from ._studies import Comparison, Equilibrium, Modes, Sweep, compare, damping, modes, static, sweep

__all__ = [
    "Comparison", "Equilibrium", "Force", "InputError", "Integrator", "Mesh", "Modes", "Picture", "Problem", "Run",
    "RunWarning", "Scene", "SceneWarning", "Simulation", "StepFailed", "Sweep", "System", "Table", "add",
    "compare", "damping", "modes", "names", "render", "run", "scene", "static", "sweep",
]
