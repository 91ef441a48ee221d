#!/usr/bin/env python3
"""Fails when an #include crosses the folders of src/sinew against tools/layers.txt."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "sinew"
INCLUDE = re.compile(r"^\s*#\s*include\s*([<\"])([^>\"]+)[>\"]", re.M)


def read_layers():
    layers = {}
    for line in (ROOT / "tools" / "layers.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            folder, allowed = line.split(":")
            layers[folder.strip()] = set(allowed.split()) | {folder.strip()}
    return layers


def main():
    layers = read_layers()
    problems = []
    for file in sorted(SOURCE.rglob("*.[hc]pp")):
        folder = file.relative_to(SOURCE).parts[0]
        if folder not in layers:
            problems.append(f"{file}: folder {folder} is not in tools/layers.txt")
            continue
        for bracket, path in INCLUDE.findall(file.read_text()):
            if bracket == '"':
                problems.append(f'{file}: write <sinew/...> instead of "{path}"')
            elif path.startswith("sinew/") and path.split("/")[1] not in layers[folder]:
                problems.append(f"{file}: {folder} must not include {path}")
    print("\n".join(problems) or "layers ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
