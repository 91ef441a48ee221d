# SPDX-License-Identifier: Apache-2.0
"""Meshes from arrays, files, generators and meshio."""

from __future__ import annotations

import os
from typing import Any, Mapping, Sequence

import numpy as np

from . import _core

# middle vertices are on the edges 01 02 03 12 13 23; VTK and meshio have 01 12 02 03 13 23
_FROM_VTK = [0, 2, 3, 1, 4, 5]


class Mesh:
    """Tets, or particles with the triangles and bars between them. It is valid once it is made.

    ``vertices`` has one row per vertex [m]; ``tets`` four corners per row, or ten vertices in VTK's
    order; ``regions`` a number per tet. ``repair`` turns inverted tets around and drops vertices
    that nothing uses.
    """

    def __init__(
        self,
        vertices: Any,
        tets: Any = None,
        *,
        triangles: Any = None,
        bars: Any = None,
        regions: Sequence[int] | None = None,
        region_names: Mapping[int, str] | None = None,
        masses: Sequence[float] | None = None,
        repair: bool = False,
    ):
        tets = _cells(tets, 4)
        middles = _cells(None, 6)
        if tets.shape[1] == 10:
            tets, middles = tets[:, :4], tets[:, 4:][:, _FROM_VTK]
        self._core = _core.TetMesh(
            np.asarray(vertices, float), tets, middles, _cells(triangles, 3), _cells(bars, 2),
            [] if regions is None else np.asarray(regions, np.intc).tolist(),
            dict(region_names or {}), [] if masses is None else list(masses), repair,
        )

    @classmethod
    def _of(cls, core: _core.TetMesh) -> Mesh:
        mesh = cls.__new__(cls)
        mesh._core = core
        return mesh

    @classmethod
    def generate(cls, generator: str, *, order: int = 1, **parameters: Any) -> Mesh:
        """By a generator of ``sinew.names("generators")``, e.g. ``Mesh.generate("bar", size=[4, 1, 1])``."""
        values = {name: np.atleast_1d(np.asarray(value, float)).tolist() for name, value in parameters.items()}
        return cls._of(_core.generate_mesh(generator, values, order))

    @classmethod
    def read(cls, path: str | os.PathLike, *, repair: bool = False) -> Mesh:
        """From a file of any format that scenes can name."""
        return cls._of(_core.load_mesh(os.fspath(path), repair))

    @classmethod
    def of(cls, given: Any) -> Mesh:
        """From a Mesh, a meshio mesh, or a pair (vertices, tets)."""
        if isinstance(given, Mesh):
            return given
        if hasattr(given, "points") and hasattr(given, "cells"):
            return cls._of_meshio(given)
        if isinstance(given, (tuple, list)) and len(given) == 2:
            return cls(*given)
        raise TypeError("a mesh is a sinew.Mesh, a meshio mesh, or a pair (vertices, tets)")

    @classmethod
    def _of_meshio(cls, given: Any) -> Mesh:
        def cells(kind: str) -> Any:
            found = [np.asarray(block.data) for block in given.cells if block.type == kind]
            return np.concatenate(found) if found else None

        tets = cells("tetra10")
        if tets is None:
            tets = cells("tetra")
        has_tets = tets is not None
        return cls(
            np.asarray(given.points, float), tets, repair=True,
            triangles=None if has_tets else cells("triangle"), bars=None if has_tets else cells("line"),
        )

    def write(self, path: str | os.PathLike) -> None:
        """In the format of the extension."""
        _core.write_mesh(os.fspath(path), self._core)

    @property
    def vertices(self) -> np.ndarray:
        return self._core.vertices()

    @property
    def tets(self) -> np.ndarray:
        """Corners, or all ten vertices in VTK's order."""
        corners, middles = self._core.tets(), self._core.middles()
        return np.hstack([corners, middles[:, np.argsort(_FROM_VTK)]]) if len(middles) else corners

    @property
    def triangles(self) -> np.ndarray:
        return self._core.triangles()

    @property
    def bars(self) -> np.ndarray:
        return self._core.bars()

    @property
    def regions(self) -> np.ndarray:
        return self._core.regions()

    @property
    def volume(self) -> float:
        """Of the tets [m^3]; middle vertices are taken for straight edges."""
        return self._core.volume()

    def __repr__(self) -> str:
        counts = [(len(self.vertices), "vertices"), (len(self.tets), "tets"),
                  (len(self.triangles), "triangles"), (len(self.bars), "bars")]
        return f"<sinew.Mesh: {', '.join(f'{n} {what}' for n, what in counts if n)}>"


def _cells(given: Any, length: int) -> np.ndarray:
    if given is None:
        return np.empty((0, length), np.intc)
    return np.ascontiguousarray(given, np.intc)
