#!/usr/bin/env python3
"""Runs built-in scenes, draws one picture of each, and writes docs/gallery.md from them.

    tools/make_gallery.py build/release/bin/sinew             every scene that has no picture yet
    tools/make_gallery.py build/release/bin/sinew pylon dome  these, again

tools/gallery.json says how each scene is run and drawn. The page shows the commands a visitor would type. ImageMagick's `convert` makes the
pictures small: they are of 200 colours.
"""

import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs/images/gallery"
PAGE = ROOT / "docs/gallery.md"
COLUMNS = 3
SIZE = "480x320"

INTRODUCTION = """# Gallery

Every built-in scene, with the picture that `sinew render` draws of it. A scene is run by its name, `sinew run NAME -o runs/NAME`, takes another method with `--integrator`
and other values with `--set`; the comments in its file (`scenes/*/NAME.json`) say what the paper that it comes from states and what it leaves open. The page is made by `tools/make_gallery.py`.
"""


def draw(sinew, scene, entry):
    with tempfile.TemporaryDirectory() as folder:
        run = f"{folder}/{scene}"
        subprocess.run([sinew, "run", scene, *shlex.split(entry.get("run", "")), "-o", run, "--quiet"], check=True)
        subprocess.run([sinew, "render", run, "-o", f"{folder}/large.png", "--size", SIZE, "--quiet",
                        *shlex.split(entry.get("render", ""))], check=True)
        subprocess.run(["convert", f"{folder}/large.png", "-colors", "200", "+dither", f"PNG8:{IMAGES / scene}.png"], check=True)


def cell(scene, description, entry):
    run = " ".join(["sinew run", scene, *entry.get("run", "").split()])
    picture = f'<img src="images/gallery/{scene}.png" width="280" alt="{description}">' if (IMAGES / f"{scene}.png").exists() else "scene"
    return (f'<a href="../scenes/{folder_of(scene)}/{scene}.json">{picture}</a><br>'
            f"**{scene}**<br>{description}<br>`{run}`")


def folder_of(scene):
    return next(ROOT.glob(f"scenes/*/{scene}.json")).parent.name


def page(table, descriptions):
    parts = [INTRODUCTION]
    for group in table:
        parts.append(f"\n## {group['title']}\n\n{group['text']}\n\n" + "| " * COLUMNS + "|\n" + "|---" * COLUMNS + "|\n")
        cells = [cell(scene, descriptions[scene], entry) for scene, entry in group["scenes"].items()]
        for first in range(0, len(cells), COLUMNS):
            row = cells[first:first + COLUMNS]
            parts.append("| " + " | ".join(row + [""] * (COLUMNS - len(row))) + " |\n")
    return "".join(parts)


def main():
    sinew, *wanted = sys.argv[1:]
    table = json.loads((ROOT / "tools/gallery.json").read_text())
    entries = {scene: entry for group in table for scene, entry in group["scenes"].items()}
    known = json.loads(subprocess.check_output([sinew, "list", "scenes", "--json"], text=True))
    descriptions = {scene["name"]: scene["summary"] for scene in known}
    if missing := sorted(descriptions.keys() ^ entries.keys()):
        sys.exit(f"not in both tools/gallery.json and the program: {', '.join(missing)}")
    IMAGES.mkdir(parents=True, exist_ok=True)
    failed = []
    for scene, entry in entries.items():
        if scene in wanted or not wanted and not (IMAGES / f"{scene}.png").exists():
            print(scene, flush=True)
            try:
                draw(sinew, scene, entry)
            except subprocess.CalledProcessError as error:
                failed.append(f"{scene}: {shlex.join(error.cmd)}")
    PAGE.write_text(page(table, descriptions))
    if failed:
        sys.exit("\n".join(failed))


if __name__ == "__main__":
    main()
