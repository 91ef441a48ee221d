#!/usr/bin/env python3
"""Fails when a source file has more than 500 lines or a function more than 80."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONGEST_FILE, LONGEST_FUNCTION = 500, 80
# strings, characters and comments, in which braces mean nothing
NOT_CODE = re.compile(r'R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*')
# what opens a block that is no function: types, namespaces, and lists of values
OTHER = re.compile(r"\b(namespace|class|struct|enum|union)\b|=\s*$|\breturn\s*$|[({,]\s*$")


def long_functions(text):
    """(first line, length) of the outermost blocks that follow a parameter list."""
    code = NOT_CODE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    blocks = []  # (line, whether a function) of every open brace
    start = 0
    for match in re.finditer(r"[{};]", code):
        if match.group() == "{":
            head = code[start : match.start()]
            is_function = ")" in head and not OTHER.search(head)
            inside = any(function for _, function in blocks)
            blocks.append((code.count("\n", 0, match.start()), is_function and not inside))
        elif match.group() == "}" and blocks:
            line, is_function = blocks.pop()
            length = code.count("\n", 0, match.start()) - line + 1
            if is_function and length > LONGEST_FUNCTION:
                yield line + 1, length
        start = match.end()


def main():
    files = subprocess.check_output(
        ["git", "ls-files", "src/*.hpp", "src/*.cpp", "apps/*.hpp", "apps/*.cpp", "backends/*.hpp", "backends/*.cpp"],
        cwd=ROOT, text=True
    ).split()
    problems = []
    for name in files:
        text = (ROOT / name).read_text()
        lines = text.count("\n")
        if lines > LONGEST_FILE:
            problems.append(f"{name}: {lines} lines, at most {LONGEST_FILE}")
        for line, length in long_functions(text):
            problems.append(f"{name}:{line}: a function of {length} lines, at most {LONGEST_FUNCTION}")
    print("\n".join(problems) or "sizes ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
