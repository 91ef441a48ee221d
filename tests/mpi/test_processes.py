"""Runs that several processes share, from outside: `mpirun -n 4 sinew run`. Started as
test_processes.py SINEW MPIRUN [OPTIONS OF MPIRUN...] -- [unittest arguments]."""

import csv
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

SPLIT = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
SINEW, *MPIRUN = sys.argv[1:SPLIT]

SCENE = {
    "sinew": 1,
    "name": "bar",
    "bodies": [
        {
            "name": "bar",
            "mesh": {"generator": "bar", "size": [1, 0.25, 0.2], "cells": [12, 3, 3]},
            "material": {"young": 2e5, "poisson": 0.4},
        }
    ],
    "fixed": [{"select": {"plane": {"point": [0, 0, 0], "normal": [1, 0, 0]}}}],
    "loads": [{"type": "gravity"}],
    "integrator": {"name": "siere"},
    "time": {"dt": 0.005, "end": 0.2},
    "output": {
        "fps": 50,
        "probes": [
            {"name": "tip", "select": {"plane": {"point": [1, 0, 0], "normal": [1, 0, 0]}}},
            {"name": "corner", "vertex": 12},
        ],
    },
}


def rows(path):
    with open(path, encoding="utf-8") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


class Processes(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def scene(self, **changes):
        path = self.folder / "scene.json"
        path.write_text(json.dumps({**SCENE, **changes}), encoding="utf-8")
        return str(path)

    def command(self, count, *arguments):
        launcher = [*MPIRUN, "-n", str(count)] if count else []
        return [*launcher, SINEW, "run", *map(str, arguments)]

    def run_sinew(self, count, *arguments, expect=0):
        result = subprocess.run(
            self.command(count, *arguments), capture_output=True, text=True, timeout=600, check=False
        )
        self.assertEqual(result.returncode, expect, result.stdout + result.stderr)
        return result

    def assert_close(self, one, other, tolerance):
        self.assertEqual(len(one), len(other))
        for a, b in zip(one, other):
            self.assertEqual(a.keys(), b.keys())
            for key in a:
                self.assertTrue(math.isclose(a[key], b[key], rel_tol=tolerance, abs_tol=tolerance), (key, a, b))

    def test_writes_what_one_process_writes(self):
        scene = self.scene()
        alone, shared = self.folder / "alone", self.folder / "shared"
        self.run_sinew(0, scene, "-o", alone)
        result = self.run_sinew(3, scene, "-o", shared)
        self.assertEqual(result.stdout.count("scene       bar"), 1, "one process prints")
        self.assert_close(rows(alone / "probes.csv"), rows(shared / "probes.csv"), 1e-4)
        energy = [rows(folder / "energy.csv") for folder in (alone, shared)]
        for a, b in zip(*energy):
            for key in ("kinetic", "elastic", "gravity", "total"):
                self.assertAlmostEqual(a[key], b[key], delta=1e-3)
        manifest = json.loads((shared / "manifest.json").read_text())
        single = json.loads((alone / "manifest.json").read_text())
        self.assertEqual(manifest["status"], "finished")
        for key in ("dofs", "elements", "dt"):
            self.assertEqual(manifest[key], single[key])
        self.assertEqual(len(manifest["processes"]), 3)
        self.assertEqual(sum(p["dofs"] for p in manifest["processes"]), single["dofs"])
        self.assertTrue(all(p["memory_mb"] > 1 for p in manifest["processes"]))
        self.assertTrue((shared / "report.html").exists())

    def test_frames_are_pieces_of_the_whole(self):
        shared = self.folder / "shared"
        self.run_sinew(3, self.scene(), "-o", shared, "--end", "0.04")
        series = xml.etree.ElementTree.parse(shared / "frames.pvd").getroot()
        names = [entry.get("file") for entry in series.iter("DataSet")]
        self.assertEqual(len(names), 3)
        pieces = xml.etree.ElementTree.parse(shared / names[-1]).getroot()
        files = [piece.get("Source") for piece in pieces.iter("Piece")]
        self.assertEqual(len(files), 3)
        cells = 0
        for file in files:
            head = (shared / "frames" / file).read_bytes().split(b"<AppendedData")[0].decode()
            cells += int(head.split('NumberOfCells="')[1].split('"')[0])
        self.assertEqual(cells, 5 * 12 * 3 * 3)
        surface = (shared / "frames" / "surface_000002.vtu").read_bytes().split(b"<AppendedData")[0].decode()
        # two triangles per square of the surface, corners once
        self.assertIn(f'NumberOfCells="{2 * 2 * (12 * 3 + 12 * 3 + 3 * 3)}"', surface)
        self.assertIn(f'NumberOfPoints="{13 * 4 * 4 - 11 * 2 * 2}"', surface)

    def interrupt(self, count, directory, *arguments):
        """Kills one process of a run without mercy, as soon as there is a checkpoint."""
        with subprocess.Popen(
            self.command(count, *arguments, "-o", directory, "--checkpoint-every", "0.01"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as run:
            for _ in range(2000):
                time.sleep(0.01)
                if (directory / "checkpoint" / "shared.json").exists():
                    break
            for pid in children(run.pid)[1:2]:
                os.kill(pid, signal.SIGKILL)
            _, said = run.communicate(timeout=120)
            self.assertNotEqual(run.returncode, 0)
            return said

    def test_a_killed_process_leaves_a_run_to_go_on_with(self):
        scene = self.scene(time={"dt": 0.005, "end": 1.0})
        whole, killed = self.folder / "whole", self.folder / "killed"
        self.run_sinew(4, scene, "-o", whole)
        said = self.interrupt(4, killed, scene)
        self.assertIn("signal 9", said)
        manifest = json.loads((killed / "manifest.json").read_text())
        self.assertEqual(manifest["status"], "running")
        subprocess.run(["cp", "-r", killed, self.folder / "on_three"], check=True)
        # as many: the same bits; fewer: the same motion
        self.run_sinew(4, "--resume", killed)
        for table in ("probes.csv", "energy.csv"):
            self.assertEqual((whole / table).read_text(), (killed / table).read_text())
        on_three = self.folder / "on_three"
        self.run_sinew(3, "--resume", on_three)
        self.assert_close(rows(whole / "probes.csv"), rows(on_three / "probes.csv"), 1e-3)
        self.assertEqual(len(json.loads((on_three / "manifest.json").read_text())["processes"]), 3)

    def test_a_full_disk_ends_all_with_a_message(self):
        shared = self.folder / "shared"
        scene = self.scene(time={"dt": 0.005, "end": 0.5})
        # only one process meets it: the limit stands for a disk of its own
        limited = 'if [ "$OMPI_COMM_WORLD_RANK" = 2 ]; then trap "" XFSZ; ulimit -f 24; fi; exec "$@"'
        result = subprocess.run(
            [*MPIRUN, "-n", "3", "bash", "-c", limited, "limited", SINEW, "run", scene, "-o", shared],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("error on process 2", result.stderr)
        self.assertIn("cannot write file: File too large", result.stderr)
        self.assertTrue((shared / "manifest.json").exists())

    def test_mistakes_are_answered_once(self):
        place = self.folder / "none"
        contact = self.scene(contact={"model": "barrier"})
        result = self.run_sinew(2, contact, "-o", place, expect=2)
        self.assertEqual(result.stderr.count("not shared by several processes yet"), 1)
        self.assertFalse(place.exists())
        nowhere = self.scene(fixed=[{"select": {"box": [[5, 5, 5], [6, 6, 6]]}}])
        result = self.run_sinew(2, nowhere, "-o", place, expect=2)
        self.assertEqual(result.stderr.count("this selects no vertex"), 1)
        self.assertFalse(place.exists())
        result = self.run_sinew(2, "no-such-scene", "-o", place, expect=2)
        self.assertEqual(result.stderr.count("error: "), 1)
        solver = self.scene(integrator={"name": "si", "solver": {"name": "supernodal"}})
        result = self.run_sinew(2, solver, "-o", place, expect=2)
        self.assertEqual(result.stderr.count("supernodal is a solver of one process"), 1)

    def test_other_commands_are_for_one_process(self):
        result = subprocess.run(
            [*MPIRUN, "-n", "2", SINEW, "compare", "hanging-ball"], capture_output=True, text=True, timeout=60, check=False
        )
        self.assertEqual(result.returncode, 2)
        self.assertIn("only 'sinew run' is shared", result.stderr)


def children(pid):
    """Process numbers of a program's children and theirs that are sinew."""
    found = []
    for child in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((child / "stat").read_text().rsplit(")", 1)[1].split()[1])
            name = (child / "comm").read_text().strip()
        except OSError:
            continue
        if parent == pid:
            number = int(child.name)
            found += ([number] if name == "sinew" else []) + children(number)
    return sorted(found)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[SPLIT + 1 :]])
