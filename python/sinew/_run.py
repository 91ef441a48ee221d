# SPDX-License-Identifier: Apache-2.0
"""Runs and what they have written."""

from __future__ import annotations

import csv
import html
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import warnings
import weakref
from typing import Any, Callable, Iterator, Mapping, Sequence

import numpy as np

from . import _core
from ._errors import InputError, Problem, RunWarning, SceneWarning
from ._scene import Scene


class Table(Mapping):
    """Columns by name, as arrays: ``table["t"]``, ``table.t``; ``table.pandas()`` as a DataFrame."""

    def __init__(self, columns: Mapping[str, np.ndarray]):
        self._columns = dict(columns)

    @classmethod
    def read(cls, path: str | os.PathLike) -> Table:
        """From a CSV file; columns of numbers become arrays of double."""
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        header, rows = rows[0], rows[1:]
        return cls({name: _column([row[k] for row in rows]) for k, name in enumerate(header)})

    def __getitem__(self, name: str) -> np.ndarray:
        return self._columns[name]

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_"):  # of one that is being copied, too
            raise AttributeError(name)
        try:
            return self._columns[name]
        except KeyError:
            raise AttributeError(f"there is no column {name!r}; there are {', '.join(self._columns)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """Number of columns."""
        return len(self._columns)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._columns]

    @property
    def num_rows(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def pandas(self) -> Any:
        """As a pandas.DataFrame."""
        import pandas

        return pandas.DataFrame(self._columns)

    def __repr__(self) -> str:
        return f"<sinew.Table: {self.num_rows} rows of {', '.join(self._columns)}>"

    def _repr_html_(self) -> str:
        most = 20
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self._columns)
        rows = "".join(
            "<tr>" + "".join(f"<td>{_cell(column[k])}</td>" for column in self._columns.values()) + "</tr>"
            for k in range(min(most, self.num_rows)))
        more = f"<p>{self.num_rows} rows</p>" if self.num_rows > most else ""
        return f"<table><tr>{head}</tr>{rows}</table>{more}"


class Run:
    """A run directory: what was written, as arrays. It may be of the command line and of any time.

    Arrays are read when they are first asked for and live for as long as anyone holds them.
    """

    def __init__(self, directory: str | os.PathLike):
        self.directory = pathlib.Path(directory)
        self._manifest = json.loads(_core.manifest_of(str(directory)))
        self._cache: dict[Any, Any] = {}
        self._temporary: Any = None

    # ---- how it went --------------------------------------------------------------------------

    @property
    def manifest(self) -> dict:
        """Everything that is known about the run: method, options, counts, seconds, machine."""
        return self._manifest

    @property
    def status(self) -> str:
        """"finished", "failed" or "stopped"."""
        return self._manifest["status"]

    @property
    def reason(self) -> str:
        """Why it did not finish."""
        return self._manifest.get("reason", "")

    @property
    def scene(self) -> Scene:
        """The scene it was made with, as a copy."""
        return self._once("scene", lambda: Scene(json.dumps(self._manifest["scene"]))).copy()

    # ---- frames -------------------------------------------------------------------------------

    @property
    def _frames(self) -> list[tuple[float, str]]:
        return self._once("frames", lambda: _core.frames_of(str(self.directory)))

    def __len__(self) -> int:
        """Number of frames."""
        return len(self._frames)

    @property
    def times(self) -> np.ndarray:
        """Of the frames [s]."""
        return np.array([t for t, _ in self._frames])

    @property
    def positions(self) -> np.ndarray:
        """(frames, vertices, 3) [m]; a list of arrays where cuts add vertices."""
        return self._once("positions", lambda: _stack([self._frame(k)[0] for k in range(len(self))]))

    @property
    def velocities(self) -> np.ndarray:
        """(frames, vertices, 3) [m/s]."""
        return self.field("velocity")

    def field(self, name: str) -> np.ndarray:
        """(frames, sites) or (frames, sites, components) of a field of ``run.fields``."""
        if name not in self.fields:
            raise KeyError(f"there is no field {name!r}; there are {', '.join(self.fields)}")
        return self._once(("field", name), lambda: _stack([self._field(k, name) for k in range(len(self))]))

    @property
    def fields(self) -> dict[str, str]:
        """What frames have beside positions, and whether per "vertex" or per "cell"."""
        return self._once("fields", lambda: _field_names(self._frames[0][1]) if len(self) else {})

    @property
    def tets(self) -> np.ndarray:
        """Four vertices per tet, of the first frame; of ten nodes, their corners."""
        tets, quadratic, _, _ = self._cells
        return tets if len(tets) else quadratic[:, :4]

    @property
    def bars(self) -> np.ndarray:
        """Two vertices per spring, of the first frame."""
        return self._cells[3]

    @property
    def _cells(self) -> tuple:
        return self._once("cells", lambda: _core.read_cells(self._frames[0][1]))

    def _frame(self, k: int, arrays: frozenset = frozenset()) -> tuple:
        return _core.read_frame(self._frames[k][1], set(arrays))

    def _field(self, k: int, name: str) -> np.ndarray:
        positions, of_vertices, of_cells = self._frame(k, frozenset([name]))
        if name in of_vertices:
            values = of_vertices[name]
            return values if len(values) == len(positions) else values.reshape(len(positions), -1)
        values = of_cells[name]
        components = self._once("components", lambda: _components(self._frames[0][1])).get(name, 1)
        return values if components == 1 else values.reshape(-1, components)

    # ---- tables -------------------------------------------------------------------------------

    @property
    def energy(self) -> Table:
        """The energy balance after every step."""
        return self._table("energy.csv")

    @property
    def steps(self) -> Table:
        """Every attempted step, accepted or not."""
        return self._table("steps.csv")

    @property
    def probes(self) -> dict[str, Table]:
        """By name: ``t``, ``position`` and ``velocity`` (n, 3) after every step."""
        return self._once("probes", lambda: _probes(self._table("probes.csv")))

    def _table(self, name: str) -> Table:
        def read() -> Table:
            path = self.directory / name
            return Table.read(path) if path.exists() else Table({})

        return self._once(name, read)

    # ---- to look at ---------------------------------------------------------------------------

    def report(self) -> pathlib.Path:
        """report.html, which is made if it is not there."""
        path = self.directory / "report.html"
        if not path.exists():
            _core.publish(str(self.directory))
        return path

    def render(self, file: str | os.PathLike | None = None, **options: Any) -> Any:
        """See :func:`sinew.render`."""
        return render(self, file, **options)

    def plot(self, what: str = "energy", *, ax: Any = None) -> Any:
        """Draw the energies, or a probe by its name, with matplotlib; returns the axes."""
        from ._plots import plot_run

        return plot_run(self, what, ax)

    def _repr_html_(self) -> str:
        from ._plots import run_html

        return run_html(self)

    def __repr__(self) -> str:
        reached = f", t = {self.times[-1]:g} s" if len(self) else ""
        return f"<sinew.Run {self.manifest['scene']['name']!r}: {self.status}, {len(self)} frames{reached}>"

    def _once(self, key: Any, make: Callable[[], Any]) -> Any:
        if key not in self._cache:
            self._cache[key] = make()
        return self._cache[key]


def run(
    scene: Any,
    directory: str | os.PathLike | None = None,
    *,
    observers: Sequence[Any] = (),
    on_step: Callable[[Any], None] | None = None,
    progress: bool | None = None,
    frames: bool = True,
    replace: bool = False,
    resume: bool = False,
    **changes: Any,
) -> Run:
    """Run a scene from beginning to end.

    ``scene`` is a :class:`sinew.Scene` or what makes one: a name, a file, a dict. ``changes`` are
    changes of it by path or top-level key: ``integrator="siere"``, ``dt=0.005``, ``**{"output.fps": 30}``.

    With a ``directory`` everything that ``sinew run -o`` writes is written there; an earlier run makes
    room only with ``replace``, and goes on with ``resume``. Without one the run lives as long as what
    is returned.

    Observers have some of the functions ``on_start``, ``on_step``, ``on_frame``, ``on_edit`` and
    ``on_finish`` of one argument, a look at the run; ``on_step`` is short for one with that function
    only; a look has ``t``, ``step``, ``q``, ``v``, ``energy``, ``kinetic_energy`` and ``position(vertex)``.
    ``progress`` shows a bar, by default where somebody looks and tqdm is there.

    Bad input raises :class:`sinew.InputError` before anything is written. A numerical failure is no
    exception: ``run.status`` and ``run.reason`` say so, and a :class:`sinew.RunWarning` does. Ctrl-C
    raises KeyboardInterrupt and leaves a directory that can be resumed.
    """
    made = Scene(scene) if not isinstance(scene, Scene) or changes else scene
    if changes:
        made.set(**changes)
    if resume and made._in_memory():
        raise InputError("what a scene has in memory only may be something else now, so its runs are not resumed")
    place, cleaner = _place(directory)
    told = [*observers, *([_OnStep(on_step)] if on_step else [])]
    bar = _Bar(made) if (_somebody_looks() if progress is None else progress) else None
    try:
        found = _core.run(made._spec, made._catalog, str(place), frames, directory is not None, resume,
                          replace, told, bar)
    finally:
        if bar:
            bar.close()
    for problem in found:
        warnings.warn(str(Problem(*problem)), SceneWarning, stacklevel=2)
    result = Run(place)
    result._temporary = cleaner
    result._cache["scene"] = made.copy()
    if result.status == "failed":
        warnings.warn(f"the run failed: {result.reason}", RunWarning, stacklevel=2)
    return result


class _Directory:
    """A folder that goes when nobody needs it any more."""

    def __init__(self) -> None:
        self.path = tempfile.mkdtemp(prefix="sinew-")
        weakref.finalize(self, shutil.rmtree, self.path, True)


def _place(directory: str | os.PathLike | None) -> tuple[pathlib.Path, Any]:
    if directory is not None:
        return pathlib.Path(directory), None
    cleaner = _Directory()
    return pathlib.Path(cleaner.path) / "run", cleaner


class _OnStep:
    def __init__(self, function: Callable[[Any], None]):
        self.on_step = function


def _somebody_looks() -> bool:
    return sys.stderr.isatty() or "ipykernel" in sys.modules


class _Bar:
    """Simulated time as a bar, where tqdm is there; nothing otherwise."""

    def __init__(self, scene: Scene):
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._bar = None
            return
        form = "{l_bar}{bar}| {n:.3g}/{total:.3g} s [{elapsed}<{remaining}]"
        self._bar = tqdm(total=scene.time.end, desc=scene.name, bar_format=form, leave=False)

    def __call__(self, t: float, step: int) -> None:
        if self._bar is not None:
            self._bar.update(min(t, self._bar.total) - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def _column(texts: list[str]) -> np.ndarray:
    try:
        return np.array([float(text) for text in texts])
    except ValueError:
        return np.array(texts)


def _cell(value: Any) -> str:
    return html.escape(value if isinstance(value, str) else f"{value:.6g}")


def _stack(parts: list[np.ndarray]) -> Any:
    """One array where all have the same shape."""
    if not parts:
        return np.empty((0, 0, 3))
    return np.stack(parts) if len({part.shape for part in parts}) == 1 else parts


def _header(path: str) -> dict[str, str]:
    """The parts of a frame's header that describe its arrays."""
    with open(path, "rb") as file:
        text = file.read(1 << 20).split(b"<AppendedData")[0].decode("utf-8", "replace")
    return {site: match.group(1) for site in ("PointData", "CellData")
            if (match := re.search(rf"<{site}[^>]*>(.*?)</{site}>", text, re.S))}


def _field_names(path: str) -> dict[str, str]:
    header = _header(path)
    sites = {"PointData": "vertex", "CellData": "cell"}
    return {name: sites[site] for site, text in header.items() for name in re.findall(r'\bName="([^"]*)"', text)}


def _components(path: str) -> dict[str, int]:
    """Of arrays of cells."""
    result = {}
    for tag in re.findall(r"<DataArray[^>]*>", _header(path).get("CellData", "")):
        name, count = re.search(r'\bName="([^"]*)"', tag), re.search(r'NumberOfComponents="(\d+)"', tag)
        if name:
            result[name.group(1)] = int(count.group(1)) if count else 1
    return result


def _probes(table: Table) -> dict[str, Table]:
    names = [name[:-3] for name in table if name.endswith("_vx")]

    def rows(name: str, parts: Sequence[str]) -> np.ndarray:
        return np.stack([table[f"{name}_{part}"] for part in parts], axis=-1)

    return {name: Table({"t": table["t"], "position": rows(name, "xyz"),
                         "velocity": rows(name, ("vx", "vy", "vz"))}) for name in names}


class Picture:
    """A picture as the bytes of a PNG file; notebooks show it."""

    def __init__(self, png: bytes):
        self.png = png

    def array(self) -> np.ndarray:
        """(height, width, 3), from 0 to 1; read by matplotlib."""
        import io

        from matplotlib.image import imread

        return imread(io.BytesIO(self.png))[..., :3]

    def _repr_png_(self) -> bytes:
        return self.png


def render(run: Any, file: str | os.PathLike | None = None, *, threads: int = 0, **options: Any) -> Any:
    """A picture of a run or of its directory (``.png``), or a film (``.gif``, ``.mp4``).

    With a ``file`` it is written there and the path returned; without one a :class:`Picture` is.
    ``options``: ``time`` of a single picture [s], ``frames`` (numbers), ``colour_by`` (a field, "auto"
    or "none"), ``range``, ``width``, ``height``, ``view`` or ``eye`` and ``target``, ``up``, ``dark``,
    ``ground``, ``draft``; of films ``fps`` and ``speed``.
    """
    unknown = set(options) - _PICTURE_OPTIONS
    if unknown:
        raise TypeError(f"render() has no {', '.join(sorted(unknown))}; it has {', '.join(sorted(_PICTURE_OPTIONS))}")
    directory = str(as_run(run).directory)
    if file is not None:
        _core.render(directory, os.fspath(file), options, threads)
        return pathlib.Path(file)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "picture.png")
        _core.render(directory, path, options, threads)
        return Picture(pathlib.Path(path).read_bytes())


_PICTURE_OPTIONS = {"time", "frames", "colour_by", "range", "width", "height", "view", "eye", "target", "up",
                    "dark", "ground", "draft", "fps", "speed"}


def as_run(given: Any) -> Run:
    """A run, or what has the directory of one."""
    if isinstance(given, Run):
        return given
    if isinstance(given, (str, os.PathLike)):
        return Run(given)
    raise InputError(f"a run or its directory is needed, not {type(given).__name__}")
