#!/usr/bin/env python3
"""Does check_tables.py see what it should? test_check_tables.py PROGRAM changes one statement of the
pages after another, in memory, and expects a complaint about each."""

import functools
import re
import sys

import check_tables

true_page = check_tables.page

# (page, what is said, what is said instead)
CHANGES = [
    ("formats/scene.md", "| `mode_tolerance` | 1e-3 |", "| `mode_tolerance` | 1e-6 |"),
    ("formats/scene.md", "| `rho` | 0.8 | 0 to 1 |", "| `rho` | 0.8 | 0 to 2 |"),
    ("formats/scene.md", "| `kernel` | `\"auto\"` | `\"dense\"`, ", "| `kernel` | `\"auto\"` | "),
    ("formats/scene.md", "`pexprb43`, hybrid methods, `blend` |", "`pexprb43` |"),
    ("formats/scene.md", "`beere`,\n`bdf2ere` and `tr-bdf2ere`. Hybrid", "`bdf2ere` and `tr-bdf2ere`. Hybrid"),
    ("formats/scene.md", "| `material.young` | 1e6 |", "| `material.young` | 1e5 |"),
    ("formats/scene.md", "between -1 and 0.5, both excluded", "between 0 and 0.5, both excluded"),
    ("formats/scene.md", "`ratio` 0, `frequencies` `[10, 100]`", "`ratio` 0, `frequencies` `[10, 200]`"),
    ("formats/scene.md", "| `time.max_halvings` | 8 |", "| `time.max_halvings` | 10 |"),
    ("formats/scene.md", "| `output.fps` | 60 |", "| `output.fps` | 30 |"),
    ("formats/scene.md", "`within` 1e-6", "`within` 1e-5"),
    ("formats/scene.md", "`dt` (0.1)", "`dt` (0.2)"),
    ("formats/scene.md", "`density` 1.2, of the air", "`density` 1.3, of the air"),
    ("formats/scene.md", "`wire_cells` 70:", "`wire_cells` 80:"),
    ("formats/scene.md", "`cells` `[16, 4, 4]`", "`cells` `[16, 4, 5]`"),
    ("formats/scene.md", "`gltf`, `obj`, ", "`gltf`, "),
    ("formats/scene.md", "| `stiffness` | 1000 |", "| `stiffness` | 100 |"),
    ("formats/run-directory.md", "| `usda` |", "| `usd` |"),
    ("theory/guard.md", "all [hybrid methods](hybrid-methods.md) and `blend`", "`blend`"),
    ("theory/hybrid-methods.md", "| `modes` | 5 |", "| `modes` | 6 |"),
    ("theory/implicit-stages.md", "| `max_newton` | 50 |", "| `max_newton` | 20 |"),
    ("theory/matrix-functions.md", "| `tolerance` | 1e-6;", "| `tolerance` | 1e-8;"),
    ("theory/materials.md", "## stvk\n", "## svk\n"),
    ("theory/index.md", "| [sdirk2](sdirk2.md) | 2 |", "| [sdirk2](sdirk2.md) | 3 |"),
    ("theory/index.md", "| 2 | Newton, L-stable, multistep |", "| 2 | Newton, multistep |"),
    ("theory/index.md", "| 10 | 0.462 | 0.240 |", "| 10 | 0.462 | 0.241 |"),
    ("theory/damping.md", "| 0.005900 |", "| 0.005800 |"),
    ("theory/blend.md", "| `sharpness` | 8 |", "| `sharpness` | 4 |"),
    ("architecture.md", "| core la nonlinear dynamics |", "| core la dynamics |"),
]


def changes(program):
    yield from CHANGES
    for name, entry in program.integrators.items():
        where = f"theory/{name}.md"
        text = true_page(where)
        paragraph = text[text.find("**Options**"):].split("\n\n")[0]
        for said in re.findall(r"`\w+` \([^);]*", paragraph.replace("\n", " ")):
            # a line may end between the option and its default
            written = next(form for form in (said, said.replace(" (", "\n(")) if form in text)
            yield where, written, re.sub(r"\(.*", "(77", written)
        yield where, f"**Order** {entry['order']}", "**Order** 3"


class Cached(check_tables.Program):
    """Asks the program everything once."""

    def __init__(self, path):
        self.run = functools.lru_cache(maxsize=None)(super().run)
        self.cached_damping = functools.lru_cache(maxsize=None)(super().damping)
        self.scenes = {}
        super().__init__(path)

    def damping(self, names):
        return self.cached_damping(tuple(names))

    def resolved(self, scene):
        if str(scene) not in self.scenes:
            self.scenes[str(scene)] = super().resolved(scene)
        return self.scenes[str(scene)]


def is_noticed(program, where, before, after):
    def changed(name):
        text = true_page(name)
        return text.replace(before, after, 1) if name == where else text

    check_tables.page = changed
    return bool(check_tables.compare(program).problems)


def main():
    program = Cached(sys.argv[1])
    missed, count = [], 0
    for where, before, after in changes(program):
        count += 1
        if before not in true_page(where):
            missed.append(f"docs/{where} does not say: {before!r}")
        elif not is_noticed(program, where, before, after):
            missed.append(f"nobody noticed docs/{where}: {before!r} -> {after!r}")
    print("\n".join(missed) or f"{count} changes, all noticed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
