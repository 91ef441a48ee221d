#!/usr/bin/env python3
"""Fails when a link in the documentation leads nowhere, a cited key is missing from the bibliography,
or a method has no page of theory."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


def tracked(*patterns):
    names = subprocess.check_output(["git", "ls-files", *patterns], cwd=ROOT, text=True)
    return [ROOT / name for name in names.split()]


def main():
    problems = []
    for page in tracked("*.md"):
        for target in LINK.findall(page.read_text()):
            if "://" not in target and not (page.parent / target).exists():
                problems.append(f"{page.relative_to(ROOT)}: {target} does not exist")

    known = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "docs/references.bib").read_text(), re.M))
    for source in tracked("src/*.cpp"):
        text = source.read_text()
        for key in re.findall(r'\.reference = "(\w+)"', text):
            if key not in known:
                problems.append(f"{source.relative_to(ROOT)}: {key} is not in docs/references.bib")
        if "integrators" not in source.parts:
            continue
        for name in re.findall(r'\.name = "([\w-]+)",\s*\.title', text):
            if not (ROOT / f"docs/theory/{name}.md").exists():
                problems.append(f"docs/theory/{name}.md is missing")
    print("\n".join(problems) or "docs ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
