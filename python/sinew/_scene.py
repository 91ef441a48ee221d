# SPDX-License-Identifier: Apache-2.0
"""Scenes: what a JSON file says, with access by attribute and path, checked on every assignment."""

from __future__ import annotations

import inspect
import json
import os
import re
from typing import Any, Callable, Iterator, Mapping

import numpy as np

from . import _additions, _core
from ._errors import InputError, Problem
from ._mesh import Mesh

# keys whose value is three formulas
_VECTORS = {"value", "velocity", "position", "displacement"}


class Scene:
    """Bodies, what holds and moves them, loads, contact, the method and what is written.

    Every key of the scene format is an attribute, with its default where nothing was given, and a
    path: ``scene.time.dt``, ``scene["time.dt"]``, ``scene.bodies[0].material.young``. Whatever is
    assigned is checked at once; what cannot be leaves the scene as it was and raises
    :class:`sinew.InputError`.

    Where a formula could stand a function may: ``f(x, t)``, or ``f(x)`` of what does not change,
    is given places as an array (n, 3) and returns n values, or (n, 3) for a vector. Loads are asked for
    all their places at once, wind, materials and what is given at the start for one at a time. Where a mesh
    could stand, a :class:`sinew.Mesh`, a meshio mesh or a pair (vertices, tets) may.
    """

    def __init__(self, given: Any = None, /, **keys: Any):
        self._source, self._directory = "scene", ""
        self._functions: dict[str, Callable] = {}
        self._components: dict[str, int] = {}
        self._meshes: dict[str, Mesh] = {}
        self._catalog = _additions.make_catalog()
        self._spec = None
        self._full: Any = None
        if isinstance(given, Scene):
            self._copy_from(given)
        elif isinstance(given, (str, os.PathLike)) and not str(given).lstrip().startswith("{"):
            text, self._source, self._directory = _core.find_scene_text(os.fspath(given))
            self._take(text)
        elif isinstance(given, str):
            _require_shallow(given, self._source)
            self._take(_core.with_change(given, "/sinew", "1", self._source))
        else:
            self._take(self._with_all('{"sinew": 1}', {**dict(given or {}), **keys}))
            keys = {}
        if keys:
            self.set(**keys)

    # ---- what it is ---------------------------------------------------------------------------

    def copy(self) -> Scene:
        """Another one of the same content."""
        return Scene(self)

    __copy__ = copy

    def __deepcopy__(self, memo: dict) -> Scene:
        return self.copy()

    def to_dict(self) -> dict:
        """With every default."""
        return json.loads(json.dumps(self._full))

    def to_json(self, *, defaults: bool = True) -> str:
        """As a scene file has it; functions and meshes in memory appear by name only."""
        return json.dumps(self._full if defaults else json.loads(self._text), indent=2)

    def save(self, path: str | os.PathLike) -> None:
        """Write it as a scene file, which cannot hold functions or meshes in memory."""
        kept = self._in_memory()
        if kept:
            raise ValueError(f"a file cannot hold what is in memory only: {', '.join(kept)}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_json(defaults=False) + "\n")

    def validate(self) -> list:
        """Make the bodies and check what reading cannot see; raises InputError, returns warnings."""
        return [Problem(*p) for p in _core.Stepping(self._spec, self._catalog, False).warnings()]

    # ---- access -------------------------------------------------------------------------------

    def set(self, changes: Mapping[str, Any] | None = None, /, **keys: Any) -> Scene:
        """Several changes by path or top-level key, which must fit together; returns the scene.

        ``integrator="si"``, ``dt``, ``end``, ``threads`` and ``fps`` are short for their paths.
        """
        self._take(self._with_all(self._text, {**(changes or {}), **keys}))
        return self

    def with_(self, changes: Mapping[str, Any] | None = None, /, **keys: Any) -> Scene:
        """A copy with changes."""
        return self.copy().set(changes, **keys)

    def __getitem__(self, path: str) -> Any:
        return _node(self, _parts(path))

    def __setitem__(self, path: str, value: Any) -> None:
        self._assign(_parts(path), value)

    def __delitem__(self, path: str) -> None:
        self._remove(_parts(path))

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_"):
            raise AttributeError(key)
        return _get(self, [], key)

    def __setattr__(self, key: str, value: Any) -> None:
        if key.startswith("_"):
            object.__setattr__(self, key, value)
        else:
            self._assign([key], value)

    def __delattr__(self, key: str) -> None:
        self._remove([key])

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._full]

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Scene) and self._full == other._full and (
            self._in_memory() == other._in_memory())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        bodies = ", ".join(body["name"] for body in self._full["bodies"])
        return (f"<sinew.Scene {self._full['name']!r}: {bodies}; {self._full['integrator']['name']}, "
                f"dt = {self._full['time']['dt']:g} s, end = {self._full['time']['end']:g} s>")

    # ---- inside -------------------------------------------------------------------------------

    def _in_memory(self) -> dict[str, Any]:
        """Functions and meshes that the content names, which no file can hold."""
        words = set(re.findall(r"\w+(?:-\d+)?", self._text))
        return {name: kept for name, kept in {**self._functions, **self._meshes}.items() if name in words}

    def _copy_from(self, other: Scene) -> None:
        self._source, self._directory = other._source, other._directory
        for name, mesh in other._meshes.items():
            self._meshes[name] = mesh
            self._catalog.add_mesh(name, mesh._core)
        for name, function in other._functions.items():
            self._functions[name] = function
            self._catalog.add_function(name, function, *_shape_of(function, other._components[name]))
        self._components = dict(other._components)
        self._take(other._text)

    def _take(self, text: str) -> None:
        """A new content, if it is one."""
        self._spec = _core.parse_scene(text, self._source, self._directory, self._catalog)
        self._text = text
        self._full = json.loads(_core.scene_json(self._spec, self._catalog))

    def _assign(self, parts: list, value: Any) -> None:
        self._take(self._with_all(self._text, {_pointer(parts): value}))

    def _with_all(self, text: str, changes: Mapping[str, Any]) -> str:
        """Methods come first: what is set of them holds for the new one."""
        for path, value in sorted(changes.items(), key=lambda change: not _is_method(change[0])):
            if _is_method(path):
                text = self._changed(text, "integrator", {"name": value} if isinstance(value, str) else value)
            else:
                text = self._changed(text, _SHORT.get(path, path), value)
        return text

    def _changed(self, text: str, path: str, value: Any) -> str:
        return _core.with_change(text, path, self._json_of(value, _parts(path)[-1]), self._source)

    def _remove(self, parts: list) -> None:
        given = json.loads(self._text)
        place = given
        try:
            for part in parts[:-1]:
                place = place[int(part) if isinstance(place, list) else part]
            del place[int(parts[-1]) if isinstance(place, list) else parts[-1]]
        except (KeyError, IndexError):
            raise KeyError(f"{_pointer(parts)} was not given, so it cannot be removed") from None
        self._take(json.dumps(given))

    def _json_of(self, value: Any, key: str) -> str:
        return json.dumps(self._plain(value, key))

    def _plain(self, value: Any, key: str) -> Any:
        """As JSON has it; what it cannot have gets a name."""
        if isinstance(value, (Node, NodeList)):
            return value.to_python()
        if isinstance(value, Mesh) or (hasattr(value, "points") and hasattr(value, "cells")) or (
                key == "mesh" and isinstance(value, tuple)):
            return {"generator": self._name_mesh(Mesh.of(value))}
        if callable(value):
            name = self._name_function(value, 3 if key in _VECTORS else 1)
            return [f"{name}.{axis}" for axis in "xyz"] if key in _VECTORS else name
        if isinstance(value, Mapping):
            return {str(k): self._plain(v, str(k)) for k, v in value.items()}
        if isinstance(value, np.ndarray):
            return value.tolist()
        if isinstance(value, np.generic):
            return value.item()
        if isinstance(value, (list, tuple)):
            return [self._plain(item, "") for item in value]
        if isinstance(value, os.PathLike):
            return os.fspath(value)
        return value

    def _name_mesh(self, mesh: Mesh) -> str:
        for name, known in self._meshes.items():
            if known is mesh:
                return name
        name = f"mesh-{len(self._meshes) + 1}"
        self._catalog.add_mesh(name, mesh._core)
        self._meshes[name] = mesh
        return name

    def _name_function(self, function: Callable, components: int) -> str:
        for name, known in self._functions.items():
            if known is function and self._components[name] == components:
                return name
        base = getattr(function, "__name__", "")
        if not re.fullmatch(r"[A-Za-z_]\w+", base) or not base.isascii():
            base = "function"
        name, number = base, 1
        while True:
            try:
                if name not in self._functions:
                    self._catalog.add_function(name, function, *_shape_of(function, components))
                    break
            except InputError:
                pass  # it is the name of a formula
            number += 1
            name = f"{base}_{number}"
        self._functions[name] = function
        self._components[name] = components
        return name


class Node:
    """Part of a scene: keys as attributes and items."""

    def __init__(self, scene: Scene, parts: list):
        object.__setattr__(self, "_scene", scene)
        object.__setattr__(self, "_parts", parts)

    def _value(self) -> Any:
        return _value(self._scene, self._parts)

    def to_python(self) -> dict:
        """A copy as plain data."""
        return json.loads(json.dumps(self._value()))

    def __getattr__(self, key: str) -> Any:
        if key.startswith("__"):
            raise AttributeError(key)
        return _get(self._scene, self._parts, key)

    def __setattr__(self, key: str, value: Any) -> None:
        self._scene._assign([*self._parts, key], value)

    def __getitem__(self, key: str) -> Any:
        return _node(self._scene, [*self._parts, *_parts(key)])

    def __setitem__(self, key: str, value: Any) -> None:
        self._scene._assign([*self._parts, *_parts(key)], value)

    def __delitem__(self, key: str) -> None:
        self._scene._remove([*self._parts, *_parts(key)])

    def __delattr__(self, key: str) -> None:
        self._scene._remove([*self._parts, key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._value())

    def __len__(self) -> int:
        return len(self._value())

    def __contains__(self, key: str) -> bool:
        return key in self._value()

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._value()]

    def __eq__(self, other: Any) -> bool:
        return self._value() == (other._value() if isinstance(other, Node) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return json.dumps(self._value(), indent=2)


class NodeList:
    """A list in a scene: what is changed in it is changed in the scene, and checked."""

    def __init__(self, scene: Scene, parts: list):
        self._scene, self._parts = scene, parts

    def _value(self) -> list:
        try:
            return _value(self._scene, self._parts)
        except (KeyError, IndexError):
            return []  # nothing was given

    def to_python(self) -> list:
        """A copy as plain data."""
        return json.loads(json.dumps(self._value()))

    def append(self, item: Any) -> None:
        """Add an item at the end."""
        self._assign([*self.to_python(), item])

    def extend(self, items: Any) -> None:
        """Add items at the end."""
        self._assign([*self.to_python(), *items])

    def insert(self, index: int, item: Any) -> None:
        """Add an item before another."""
        items = self.to_python()
        items.insert(index, item)
        self._assign(items)

    def pop(self, index: int = -1) -> Any:
        """Take an item out; returns a copy of it as plain data."""
        items = self.to_python()
        item = items.pop(index)
        self._assign(items)
        return item

    def clear(self) -> None:
        """Take all out."""
        self._assign([])

    def _assign(self, items: list) -> None:
        self._scene._assign(self._parts, items)

    def __len__(self) -> int:
        return len(self._value())

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[k] for k in range(len(self))[index]]
        return _node(self._scene, [*self._parts, str(range(len(self))[index])])

    def __setitem__(self, index: int | slice, value: Any) -> None:
        items = self.to_python()
        items[index] = value
        self._assign(items)

    def __delitem__(self, index: int | slice) -> None:
        items = self.to_python()
        del items[index]
        self._assign(items)

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    def __eq__(self, other: Any) -> bool:
        return self._value() == (other._value() if isinstance(other, NodeList) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return json.dumps(self._value(), indent=2)


_SHORT = {"dt": "time.dt", "end": "time.end", "fps": "output.fps"}


def scene(given: Any = None, /, **keys: Any) -> Scene:
    """A scene by the name of a built-in one, a file, JSON, a dict or keywords.

    >>> sinew.scene("hanging-ball", dt=0.005, integrator="siere")
    >>> sinew.scene(bodies=[{"mesh": {"generator": "bar"}}], loads=[{"type": "gravity"}])
    """
    return Scene(given, **keys)


def _is_method(path: str) -> bool:
    """Whether a text there is a method by name, with its own options."""
    return path in ("integrator", "integrator.name", "/integrator", "/integrator/name")


def _require_shallow(text: str, source: str) -> None:
    """Before a parser that calls itself meets it."""
    depth = 0
    for bracket in re.findall(r"[\[\]{}]", text):
        depth += 1 if bracket in "[{" else -1
        if depth > 200:
            raise InputError(f"{source}: brackets within brackets, more than 200 deep")


def _shape_of(function: Callable, components: int) -> tuple[int, bool]:
    """(components, whether it depends on time)."""
    try:
        parameters = [p for p in inspect.signature(function).parameters.values()
                      if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty]
        return components, len(parameters) != 1
    except (TypeError, ValueError):
        return components, True


def _parts(path: str) -> list[str]:
    if path.startswith("/"):
        return [part.replace("~1", "/").replace("~0", "~") for part in path[1:].split("/")]
    return path.split(".")


def _pointer(parts: list[str]) -> str:
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in parts)


def _value(scene: Scene, parts: list) -> Any:
    value = scene._full
    for part in parts:
        value = value[int(part) if isinstance(value, list) else part]
    return value


def _node(scene: Scene, parts: list) -> Any:
    try:
        value = _value(scene, parts)
    except (KeyError, IndexError, ValueError, TypeError):
        raise KeyError(_pointer(parts)) from None
    if isinstance(value, dict):
        return Node(scene, parts)
    if isinstance(value, list):
        return NodeList(scene, parts)
    return value


# lists of objects, also where they are empty
_LISTS = {"bodies", "regions", "fixed", "motion", "loads", "obstacles", "attachments", "interactions",
          "cuts", "fracture", "probes", "except", "pairs"}


def _get(scene: Scene, parts: list, key: str) -> Any:
    try:
        return _node(scene, [*parts, key])
    except KeyError:
        pass
    if key in _LISTS:
        return NodeList(scene, [*parts, key])
    where = _pointer(parts) or "a scene"
    raise AttributeError(f"{where} has no {key!r}; it has {', '.join(_value(scene, parts))}")

