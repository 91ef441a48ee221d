# SPDX-License-Identifier: Apache-2.0
"""What users, editors and type checkers see of the module."""

import ast
import importlib.util
import inspect
import pathlib
import re
import subprocess
import sys

import pytest

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_stub_is_that_of_the_compiled_module():
    spec = importlib.util.spec_from_file_location("python_stubs", ROOT / "tools" / "python_stubs.py")
    stubs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(stubs)
    made = "\n".join(stubs.stub()) + "\n"
    assert made == (ROOT / "python/sinew/_core.pyi").read_text(), "run tools/python_stubs.py"
    names = {node.name for node in ast.parse(made).body if hasattr(node, "name")}
    assert {name for name in vars(sinew._core) if not name.startswith("_")} - {"version"} == names


def public():
    for name in sinew.__all__:
        member = getattr(sinew, name)
        yield name, member
        if inspect.isclass(member):
            for key, of_class in vars(member).items():
                if not key.startswith("_") and (inspect.isfunction(of_class) or isinstance(of_class, property)):
                    yield f"{name}.{key}", of_class


def test_everything_public_is_documented_and_annotated():
    looked_at = 0
    # names that say everything, which the class explains
    plain = re.compile(r"^(InputError|Mesh|Run|Comparison|Modes|Table|Problem)\.")
    for name, member in public():
        looked_at += 1
        if not plain.match(name):
            assert (inspect.getdoc(member) or "").strip(), f"{name} has no docstring"
        function = member.fget if isinstance(member, property) else member
        if inspect.isfunction(function):
            signature = inspect.signature(function)
            assert signature.return_annotation is not inspect.Signature.empty, f"{name} has no return type"
    assert looked_at > 80


def test_help_shows_what_run_takes():
    text = inspect.getdoc(sinew.run)
    assert "KeyboardInterrupt" in text and "resume" in text
    assert list(inspect.signature(sinew.run).parameters)[:2] == ["scene", "directory"]


def test_importing_does_not_bring_what_is_not_needed():
    heavy = ("scipy", "pandas", "matplotlib", "tqdm", "IPython", "meshio")
    code = f"import sinew, sys; print([m for m in {heavy} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


@pytest.mark.parametrize("guide", ["docs/guide/python.md"])
def test_the_examples_of_the_guide_run(guide, tmp_path, monkeypatch):
    """All pieces of code, one after another, as a reader would type them."""
    monkeypatch.chdir(tmp_path)
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    pytest.importorskip("scipy")
    pieces = re.findall(r"```python\n(.*?)```", (ROOT / guide).read_text(), re.S)
    assert len(pieces) >= 6
    space = {}
    for piece in pieces:
        exec(compile(piece, guide, "exec"), space)  # noqa: S102
