# SPDX-License-Identifier: Apache-2.0
"""What a program adds to the tables of the library, for all scenes made afterwards."""

from __future__ import annotations

import inspect
from typing import Any, Callable

import numpy as np

from . import _core
from ._errors import InputError

_additions: dict[tuple[type, str], Callable[[_core.Catalog], None]] = {}


def make_catalog() -> _core.Catalog:
    """The built-in tables and everything that was added."""
    catalog = _core.Catalog()
    for add in _additions.values():
        add(catalog)
    return catalog


def names(kind: str) -> list[str]:
    """What scenes can name: ``"materials"``, ``"integrators"``, ``"generators"``, ``"scenes"``, ..."""
    if kind == "scenes":
        return _core.scene_names()
    tables = make_catalog().names()
    if kind not in tables:
        raise KeyError(f"{kind!r} is none of {', '.join(sorted([*tables, 'scenes']))}")
    return tables[kind]


class System:
    """A base for systems of one's own, M q'' = f(q, v, t), for :class:`sinew.Simulation`.

    ``mass`` is a vector (a diagonal) or a matrix; ``force(q, v, t)`` is needed. Optional are
    ``potential(q, t)``, with which implicit methods may minimise, ``stiffness(q, v, t)`` = -df/dq,
    which is found by differences otherwise, ``damping(q, v, t)`` = -df/dv of forces that depend on v,
    and ``depends_on_time = True`` for those that depend on t. Any object with ``mass`` and ``force``
    will do; matrices are dense, so this is for small systems.
    """

    mass: Any
    potential: Any = None
    stiffness: Any = None
    damping: Any = None
    depends_on_time = False

    def force(self, q: np.ndarray, v: np.ndarray, t: float) -> Any:
        """f(q, v, t) [N]."""
        raise NotImplementedError


class Force:
    """A base for forces of one's own, which scenes made after :func:`sinew.add` name as loads.

    An instance is made for the vertices that a load selects, with their rest positions ``rest`` (n, 3)
    and the load's parameters by keyword; ``parameters`` has their defaults. ``force(x, v, t)`` gives
    forces (n, 3). Optional are ``energy(x, t)``, then the force must be its negative gradient and has
    a row of its own in the energy balance; ``stiffness(x, v, t)`` with blocks (n, 3, 3); and
    ``uses_velocity`` and ``depends_on_time``. A force of one vertex may not depend on another.
    """

    name = ""
    parameters: dict[str, Any] = {}
    uses_velocity = False
    depends_on_time = False
    energy: Any = None
    stiffness: Any = None

    def __init__(self, rest: np.ndarray, **parameters: Any):
        self.rest = rest
        for key, value in parameters.items():
            setattr(self, key, value)

    def force(self, x: np.ndarray, v: np.ndarray, t: float) -> Any:
        """Of every vertex (n, 3) [N]."""
        raise NotImplementedError


class Integrator:
    """A base for methods of one's own, which scenes made after :func:`sinew.add` name.

    ``step(ask, q, v, t)`` gives the new (q, v), or None where there is none. ``ask`` has ``dt``,
    ``force(q, v, t)``, ``potential(q, t)``, ``divide_by_mass(x)`` and ``solve(m, d, k, b, q, v, t)``,
    which is (m M + d D + k K)^-1 b. ``accepted(q, v, t)`` is told about steps that count and ``reset()``
    when the past means nothing any more; whoever keeps a past says ``multistep = True``. ``options``
    has names and defaults of what scenes may set; an instance has them as attributes.
    """

    name = ""
    title = ""
    order = 1
    is_implicit = False
    multistep = False
    options: dict[str, Any] = {}
    accepted: Any = None
    reset: Any = None

    def __init__(self, **options: Any):
        for key, value in options.items():
            setattr(self, key, value)

    def step(self, ask: Any, q: np.ndarray, v: np.ndarray, t: float) -> Any:
        """The state after ``ask.dt`` from (q, v, t)."""
        raise NotImplementedError


def add(addition: type) -> type:
    """Make a :class:`sinew.Force` or a :class:`sinew.Integrator` known; also as a decorator.

    Scenes that are made afterwards can name it.
    """
    if not (inspect.isclass(addition) and issubclass(addition, (Force, Integrator))):
        raise TypeError("a subclass of sinew.Force or sinew.Integrator is needed")
    name = addition.name or addition.__name__.lower()
    addition.name = name
    if issubclass(addition, Force):
        parameters = {key: np.atleast_1d(np.asarray(value, float)).tolist()
                      for key, value in addition.parameters.items()}

        def into(catalog: _core.Catalog) -> None:
            _core.add_force(catalog, name, addition, parameters)
    else:
        options = {key: value if isinstance(value, (str, int)) and not isinstance(value, bool) else float(value)
                   for key, value in addition.options.items()}

        def into(catalog: _core.Catalog) -> None:
            _core.add_integrator(catalog, addition, options)

    # a cell of a notebook that is run again replaces what it added; the names of the library stay taken
    kind = Force if issubclass(addition, Force) else Integrator
    before = _additions.pop((kind, name), None)
    try:
        into(make_catalog())
    except InputError:
        if before:
            _additions[kind, name] = before
        raise
    _additions[kind, name] = into
    return addition


def project(blocks: Any, clamps: bool) -> tuple[np.ndarray, int]:
    """Symmetric blocks (n, 3, 3) without negative eigenvalues, and how many were changed."""
    blocks = np.asarray(blocks, float)
    values, vectors = np.linalg.eigh(0.5 * (blocks + blocks.swapaxes(1, 2)))
    negative = (values < 0).any(axis=1)
    better = np.maximum(values, 0) if clamps else np.abs(values)
    made = (vectors * better[:, None, :]) @ vectors.swapaxes(1, 2)
    return np.where(negative[:, None, None], made, blocks), int(negative.sum())
