# SPDX-License-Identifier: Apache-2.0
"""Simulations that are stepped by hand."""

from __future__ import annotations

from typing import Any, Callable, Mapping

import numpy as np

from . import _core
from ._additions import make_catalog
from ._errors import StepFailed
from ._scene import Scene


class Simulation:
    """A scene, or a system of one's own, that makes its steps one at a time.

    >>> sim = sinew.Simulation("hanging-ball", integrator="siere", dt=0.01)
    >>> sim.step(10)
    >>> sim.v[:] = 0
    >>> sim.step()

    ``q`` and ``v`` are arrays of the free degrees of freedom: they show where the simulation is after
    every step and may be written between steps, as ``t`` may. Copy what is to be kept.

    A scene takes changes by keyword, as :func:`sinew.run` does. A system (see :class:`sinew.System`)
    needs ``q``, ``v``, ``dt`` and the name of a method, whose options are keywords.
    """

    def __init__(self, given: Any, /, *, q: Any = None, v: Any = None, forces: bool = True, **changes: Any):
        self._callbacks: list[Callable[[Simulation], None]] = []
        self.scene: Scene | None = None
        if hasattr(given, "force") and hasattr(given, "mass"):
            self._core = _of_system(given, q, v, changes)
            return
        self.scene = Scene(given) if not isinstance(given, Scene) or changes else given.copy()
        if changes:
            self.scene.set(**changes)
        self._core = _core.Stepping(self.scene._spec, self.scene._catalog, forces)
        for value, name in ((q, "q"), (v, "v")):
            if value is not None:
                setattr(self, name, value)

    # ---- steps --------------------------------------------------------------------------------

    def step(self, count: int = 1) -> None:
        """Make steps of ``dt``; where they fail they are halved, as in a run. Raises StepFailed."""
        if count < 0:
            raise ValueError("a simulation goes forward only")
        if not self._callbacks:
            self._advance(count)
            return
        for _ in range(count):
            self._advance(1)
            for callback in self._callbacks:
                callback(self)

    def _advance(self, count: int) -> None:
        if not self._core.step(count):
            raise StepFailed(*self._core.failure())

    def run_until(self, t: float) -> None:
        """Steps until ``t`` is reached [s]."""
        if not np.isfinite(t):
            raise ValueError("a time that is reached is finite")
        while self.t < t - 1e-6 * self.dt:
            self.step()

    def on_step(self, callback: Callable[[Simulation], None]) -> Callable[[Simulation], None]:
        """Call a function with this simulation after every step; also as a decorator."""
        self._callbacks.append(callback)
        return callback

    # ---- state --------------------------------------------------------------------------------

    @property
    def q(self) -> np.ndarray:
        """Positions of the free degrees of freedom [m]."""
        return self._core.q[:]  # a view, which cannot be resized

    @q.setter
    def q(self, values: Any) -> None:
        self._core.q = np.asarray(values, float)

    @property
    def v(self) -> np.ndarray:
        """Their velocities [m/s]."""
        return self._core.v[:]

    @v.setter
    def v(self, values: Any) -> None:
        self._core.v = np.asarray(values, float)

    @property
    def t(self) -> float:
        """Time [s]."""
        return self._core.t

    @t.setter
    def t(self, value: float) -> None:
        self._core.t = float(value)

    @property
    def dt(self) -> float:
        """Nominal length of steps [s]."""
        return self._core.dt

    @property
    def dofs(self) -> np.ndarray:
        """For every vertex, the first of its three places in q; -1 where it is held or moved."""
        return _read_only(self._core.dofs())

    @property
    def positions(self) -> np.ndarray:
        """(vertices, 3), those that are held included [m]."""
        return self.field("position")

    @property
    def velocities(self) -> np.ndarray:
        """(vertices, 3) [m/s]."""
        return self.field("velocity")

    @property
    def fields(self) -> list[str]:
        """Names that ``field`` takes."""
        return self._core.field_names()

    def field(self, name: str) -> np.ndarray:
        """A quantity per vertex or per cell, now: "von_mises", "reaction_force", ..."""
        try:
            return _read_only(self._core.field(name))
        except KeyError:
            raise KeyError(f"there is no field {name!r}; there are {', '.join(self.fields)}") from None

    @property
    def energy(self) -> dict[str, float]:
        """The balance: what is stored, came in and was lost so far [J]."""
        return self._core.energy()

    @property
    def counts(self) -> dict[str, int]:
        """Steps and coarse operations so far."""
        return self._core.counts()

    # ---- forces and matrices ------------------------------------------------------------------

    def force(self) -> np.ndarray:
        """f(q, v, t) of the equations M q'' = f [N]."""
        return self._core.force()

    def potential(self) -> float:
        """W(q, t) [J]."""
        return self._core.potential()

    def mass(self) -> Any:
        """M as a scipy.sparse matrix."""
        return self._matrix("mass")

    def stiffness(self) -> Any:
        """K = -df/dq as a scipy.sparse matrix."""
        return self._matrix("stiffness")

    def damping(self) -> Any:
        """D = -df/dv as a scipy.sparse matrix."""
        return self._matrix("damping")

    def _matrix(self, kind: str) -> Any:
        from scipy.sparse import csr_matrix

        values, rows, columns = self._core.matrix(kind)
        n = len(self.q)
        return csr_matrix((values, (rows, columns)), shape=(n, n))

    def set_load(self, forces: Any = None) -> None:
        """Forces that act from now on until others are set [N]: an array (vertices, 3), a mapping from
        vertices to vectors, or None for none. Not for a simulation made with ``forces=False``."""
        n = self._core.num_vertices
        if forces is None:
            rows = np.zeros((n, 3))
        elif isinstance(forces, Mapping):
            rows = np.zeros((n, 3))
            for vertex, force in forces.items():
                rows[vertex] = force
        else:
            rows = np.asarray(forces, float)
        if not np.isfinite(rows).all():
            raise ValueError("forces must be finite")
        self._core.set_load(rows)

    def __repr__(self) -> str:
        name = f" {self.scene.name!r}" if self.scene is not None else ""
        return f"<sinew.Simulation{name}: t = {self.t:g} s, {len(self.q)} degrees of freedom>"


def _read_only(copy: np.ndarray) -> np.ndarray:
    """Of what would be lost if somebody wrote to it."""
    copy.flags.writeable = False
    return copy


def _of_system(system: Any, q: Any, v: Any, changes: dict) -> _core.Stepping:
    if q is None or "dt" not in changes:
        raise TypeError("a system of one's own needs q and dt")
    q = np.atleast_1d(np.asarray(q, float))
    v = np.zeros_like(q) if v is None else np.atleast_1d(np.asarray(v, float))
    dt, method = changes.pop("dt"), changes.pop("integrator", "be")
    options = {name: value for name, value in changes.items()}
    return _core.Stepping(system, q, v, method, options, dt, make_catalog())
