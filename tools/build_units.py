#!/usr/bin/env python3
"""The files that a configured build compiles for the library and the programs, largest first."""
import json
import pathlib
import sys


def size(unit: pathlib.Path) -> int:
    """Of the file, or of the sources that a file made of includes takes in."""
    text = unit.read_text()
    if unit.suffix != ".cxx":
        return len(text)
    included = [line.split('"')[1] for line in text.splitlines() if line.startswith("#include")]
    return sum(pathlib.Path(name).stat().st_size for name in included)


def main() -> None:
    build = pathlib.Path(sys.argv[1])
    commands = json.loads((build / "compile_commands.json").read_text())
    units = {pathlib.Path(command["file"]) for command in commands}
    for unit in sorted((u for u in units if u.suffix in (".cpp", ".cxx")), key=size, reverse=True):
        print(unit)


if __name__ == "__main__":
    main()
