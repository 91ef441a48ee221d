# SPDX-License-Identifier: Apache-2.0
"""What the commands compare, sweep, modes and damping do, with data as the result."""

from __future__ import annotations

import json
import os
import pathlib
import warnings
from typing import Any, Iterator, Mapping, Sequence

import numpy as np

from . import _core
from ._additions import make_catalog
from ._errors import InputError, Problem, RunWarning
from ._run import Run, Table, _place
from ._scene import Scene


class Comparison:
    """Runs of one scene under several methods: ``comparison.table``, and the runs by number or name."""

    def __init__(self, directory: pathlib.Path, rows: list[dict], reference: dict | None, cleaner: Any):
        self.directory, self._rows, self._cleaner = directory, rows, cleaner
        self.reference = reference  #: the fine run that errors are measured against, as a row

    @property
    def table(self) -> Table:
        """One row per run: method, dt, how it ended, cost, largest numerical loss and error [m]."""
        return _table(self._rows)

    @property
    def names(self) -> list[str]:
        return [row["name"] for row in self._rows]

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, which: int | str) -> Run:
        name = which if isinstance(which, str) else self._rows[which]["name"]
        if name not in self.names:
            raise KeyError(f"there is no run {name!r}; there are {', '.join(self.names)}")
        return _run_of(self, name)

    def __iter__(self) -> Iterator[Run]:
        return (self[name] for name in self.names)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()

    def __repr__(self) -> str:
        return f"<sinew.Comparison of {', '.join(self.names)}>"


class Sweep:
    """Runs over a grid of a scene's values: ``sweep.table``, ``sweep.values``, and the runs by number."""

    def __init__(self, directory: pathlib.Path, axes: dict[str, list], rows: list[tuple], cleaner: Any):
        self.directory, self.axes, self._rows, self._cleaner = directory, axes, rows, cleaner

    @property
    def values(self) -> list[dict[str, Any]]:
        """Of every run, by path."""
        return [dict(zip(self.axes, (_plain(text) for text in row[1]))) for row in self._rows]

    @property
    def table(self) -> Table:
        """The values and how the runs ended."""
        rows = [{**values, "status": row[2], "reason": row[3]} for values, row in zip(self.values, self._rows)]
        return _table(rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, number: int) -> Run:
        return _run_of(self, self._rows[number][0])

    def __iter__(self) -> Iterator[Run]:
        return (self[k] for k in range(len(self)))

    def map(self, function: Any) -> np.ndarray:
        """``function(run)`` for every run, in the shape of the grid."""
        results = np.array([function(run) for run in self])
        return results.reshape([len(values) for values in self.axes.values()] + list(results.shape[1:]))

    def _repr_html_(self) -> str:
        return self.table._repr_html_()

    def __repr__(self) -> str:
        return f"<sinew.Sweep: {len(self)} runs over {', '.join(self.axes)}>"


class Modes:
    """Natural modes: ``frequencies`` [Hz] in ascending order, ``shapes`` over the degrees of freedom.

    Rows of ``table`` are of all modes; its column ``kind`` says which are rigid or unstable.
    """

    def __init__(self, columns: dict, shapes: np.ndarray):
        self.table = Table({name: np.asarray(values) for name, values in columns.items()})
        self.shapes = shapes  #: (modes, degrees of freedom), of unit modal mass

    @property
    def frequencies(self) -> np.ndarray:
        return self.table["frequency"]

    @property
    def is_rigid(self) -> np.ndarray:
        return self.table["kind"] == "rigid"

    def __len__(self) -> int:
        return len(self.frequencies)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()

    def __repr__(self) -> str:
        return f"<sinew.Modes: {', '.join(f'{f:.4g}' for f in self.frequencies)} Hz>"


def compare(
    scene: Any,
    integrators: Sequence[str],
    dt: Sequence[float] = (),
    directory: str | os.PathLike | None = None,
    *,
    reference: bool | str = False,
    reference_dt: float = 0.0,
    replace: bool = False,
    **changes: Any,
) -> Comparison:
    """One scene under several methods and step sizes, as many at a time as there are cores.

    ``reference`` measures errors against a fine run, of ``tr-bdf2`` unless it names a method, at a
    sixteenth of the smallest step or ``reference_dt``. ``changes`` are changes of the scene.
    """
    made = Scene(scene).set(**changes) if changes else Scene(scene)
    if not len(integrators):
        raise InputError("a comparison needs methods, such as ['si', 'siere']")
    place, cleaner = _place(directory)
    method = reference if isinstance(reference, str) else "tr-bdf2"
    rows, fine = _core.compare(made._spec, made._catalog, str(place), replace, directory is not None, list(integrators),
                               [float(step) for step in np.atleast_1d(dt)], bool(reference), method, reference_dt)
    return Comparison(place, rows, fine, cleaner)


def sweep(
    scene: Any,
    axes: Mapping[str, Sequence[Any]],
    directory: str | os.PathLike | None = None,
    *,
    jobs: int = 0,
    replace: bool = False,
    **changes: Any,
) -> Sweep:
    """A scene over a grid of its values; the last axis changes fastest.

    >>> sinew.sweep("soft-beam", {"bodies.0.material.young": [1e4, 1e5], "integrator.name": ["si", "ere"]})

    With a ``directory``, what an earlier sweep has finished there is not run again.
    """
    made = Scene(scene).set(**changes) if changes else Scene(scene)
    if not axes or not all(len(values) for values in axes.values()):
        raise InputError("a sweep needs values of something, such as {'time.dt': [0.01, 0.005]}")
    place, cleaner = _place(directory)
    if made._in_memory() and (place / "sweep.csv").exists():
        raise InputError(f"{place}: what the scene has in memory only may be something else than in the sweep "
                         "that is there; choose another directory")
    texts = [(path, [_text(value) for value in values]) for path, values in axes.items()]
    rows = _core.sweep(made._text, made._source, made._directory, made._catalog, str(place), replace,
                       directory is not None, texts, jobs)
    return Sweep(place, {path: list(values) for path, values in axes.items()}, rows, cleaner)


def modes(scene: Any, count: int = 10, *, at_initial: bool = False, **changes: Any) -> Modes:
    """The ``count`` lowest natural modes beside the rigid ones, about the rest shape."""
    made = Scene(scene).set(**changes) if changes else Scene(scene)
    return Modes(*_core.modes(made._spec, made._catalog, count, at_initial))


class Equilibrium:
    """What static() found: ``run`` has a frame per load step, the last one is the equilibrium.

    ``reached`` is the part of the loads that was reached, 1 for all; ``unstable_from`` the part from
    which on the stiffness has negative eigenvalues, ``jumped_at`` that of a snap, or None.
    """

    def __init__(self, run: Run, found: dict):
        self.run = run
        self.reached: float = found["reached"]
        self.largest_displacement: float = found["largest_displacement"]  #: of a vertex [m]
        self.unstable_from: float | None = found["unstable_from"]
        self.jumped_at: float | None = found["jumped_at"]

    @property
    def positions(self) -> np.ndarray:
        """(vertices, 3), at the end [m]."""
        return self.run.positions[-1]

    def __repr__(self) -> str:
        return f"<sinew.Equilibrium under {100 * self.reached:g} % of the loads>"


def static(
    scene: Any,
    directory: str | os.PathLike | None = None,
    *,
    load_steps: int = 10,
    replace: bool = False,
    **changes: Any,
) -> Equilibrium:
    """The equilibrium under the loads that a scene has at its end, by load steps.

    Loads are multiplied by a part that grows to 1; those that are functions cannot be.
    """
    made = Scene(scene).set(**changes) if changes else Scene(scene)
    for number, load in enumerate(made.to_dict().get("loads", [])):
        texts = [text for key in ("value", "pressure", "velocity") for text in np.ravel(load.get(key, []))]
        if any(str(text).split(".")[0] in made._functions for text in texts):
            problem = ("scene", f"/loads/{number}", "static() multiplies formulas, and this is a function",
                       "write it as a formula")
            raise InputError(str(Problem(*problem)), [problem])
    if load_steps < 1:
        raise InputError(f"load_steps must be at least 1, not {load_steps}")
    place, cleaner = _place(directory)
    found = _core.find_static(made._spec, made._catalog, str(place), replace, directory is not None, load_steps)
    run = Run(place)
    run._temporary = cleaner
    if run.status == "failed":
        warnings.warn(f"no equilibrium was found beyond {100 * found['reached']:.4g} % of the loads: {run.reason}",
                      RunWarning, stacklevel=2)
    return Equilibrium(run, found)


def damping(integrators: Sequence[str], h_omega: Any = None) -> Table:
    """Numerical damping d/omega of methods on q'' + omega^2 q = 0, measured over ``h_omega``.

    One column per method beside ``h_omega``, by default 41 values from 0.01 to 100.
    """
    values = np.geomspace(0.01, 100.0, 41) if h_omega is None else np.atleast_1d(np.asarray(h_omega, float))
    catalog, names = make_catalog(), [integrators] if isinstance(integrators, str) else integrators
    columns = {name: np.array(_core.damping(catalog, name, values.tolist())) for name in names}
    return Table({"h_omega": values, **columns})


def _table(rows: list[dict]) -> Table:
    def column(name: str) -> np.ndarray:
        values = [row[name] for row in rows]
        return np.array([np.nan if value is None else value for value in values])

    return Table({name: column(name) for name in rows[0]} if rows else {})


def _text(value: Any) -> str:
    """As the command line would have it."""
    if isinstance(value, str):
        return value
    if isinstance(value, np.generic):
        value = value.item()
    return json.dumps(value)


def _plain(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _run_of(study: Comparison | Sweep, name: str) -> Run:
    run = Run(study.directory / name)
    run._temporary = study._cleaner  # which the folder lives as long as
    return run
