#!/usr/bin/env python3
"""Prints the type stub of the compiled module sinew._core, from the signatures that pybind11 writes
into its docstrings. PYTHONPATH=build/release/python tools/python_stubs.py > python/sinew/_core.pyi"""

import importlib
import inspect
import re

# as signatures of C++ have them
NAMES = [
    (r"sinew\._core\.", ""),
    (r"numpy\.ndarray\[[^\]]*\]\]?", "numpy.ndarray"),
    (r"\bfunction\b(?!:)", "Callable"),
    (r"\bobject\b(?!:)", "Any"),
    (r"\bhandle\b(?!:)", "Any"),
    (r"\b(List|Dict|Tuple|Set)\b", lambda match: match.group(1).lower()),
    (r"Optional\[([^\]]*)\]", r"\1 | None"),
    (r"Union\[([^\]]*)\]", lambda match: match.group(1).replace(", ", " | ")),
    (r"os\.PathLike", "str"),
]


def signatures(function):
    """As the docstring has them, of overloads all."""
    found = []
    for line in (function.__doc__ or "").splitlines():
        match = re.match(r"(?:\d+\. )?\w+(\(.*\)(?: -> .*)?)$", line.strip())
        if match and "*args, **kwargs" not in line:
            text = match.group(1)
            for pattern, by in NAMES:
                text = re.sub(pattern, by, text)
            found.append(text if "->" in text else text + " -> Any")
    return found


def write(name, function, indent=""):
    found = signatures(function)
    for text in found:
        if len(found) > 1:
            yield f"{indent}@overload"
        yield f"{indent}def {name}{text}: ..."


def of_class(name, kind):
    yield f"class {name}:"
    for key, member in sorted(vars(kind).items()):
        if isinstance(member, property):
            yield "    @property"
            yield f"    def {key}(self) -> Any: ..."
            if member.fset:
                yield f"    @{key}.setter"
                yield f"    def {key}(self, value: Any) -> None: ..."
        elif key == "__init__" or not key.startswith("_"):
            yield from write(key, member, "    ")


def stub():
    module = importlib.import_module("sinew._core")
    yield "# Made by tools/python_stubs.py from the compiled module; do not edit."
    yield "from typing import Any, Callable, overload"
    yield ""
    yield "import numpy"
    for name, member in sorted(vars(module).items()):
        if name.startswith("__"):
            continue
        yield ""
        if inspect.isclass(member):
            yield from of_class(name, member)
        elif callable(member):
            yield from write(name, member)
        else:
            yield f"{name}: {type(member).__name__}"


if __name__ == "__main__":
    print("\n".join(stub()))
