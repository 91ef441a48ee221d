#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Equilibria of a bar by `sinew static` and by CalculiX (calculix-ccx), with tets of four and of ten nodes.

    statics_elsewhere.py SINEW [--cells 16 4 4]

Both are given the same mesh and Saint Venant and Kirchhoff's law, which is what CalculiX makes of *ELASTIC with NLGEOM. The
bar is held at one end; its other end is moved far down, or it hangs under its weight. Fails where displacements differ
by more than 1e-6 of the largest. The weight of tets with ten nodes is shared out in another way (Sinew: by its lumped
mass; CalculiX: by shape functions), which is shown and allowed 1e-3."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import meshio
import numpy as np

YOUNG, POISSON, DENSITY, WEIGHT = 1e6, 0.3, 1000.0, 3.0
LENGTH, DOWN = 4.0, 1.5
END = {"plane": {"point": [LENGTH, 0, 0], "normal": [1, 0, 0]}}


def run_sinew(program, folder, cells, order, case):
    scene = {
        "sinew": 1, "name": case,
        "bodies": [{"mesh": {"generator": "bar", "size": [LENGTH, 1, 0.8], "cells": cells, "order": order},
                    "material": {"model": "stvk", "young": YOUNG, "poisson": POISSON, "density": DENSITY}}],
        "fixed": [{"select": {"plane": {"normal": [1, 0, 0]}}}],
        "integrator": {"name": "be"}, "time": {"dt": 0.1, "end": 1}}
    if case == "moved end":
        scene["motion"] = [{"select": END, "position": ["x", "y", f"z - {DOWN}*t"]}]
        scene["loads"] = []
    else:
        scene["loads"] = [{"type": "gravity", "value": [0, 0, -WEIGHT]}]
    file = folder / "scene.json"
    file.write_text(json.dumps(scene))
    out = folder / f"{case} {order}"
    subprocess.run([program, "static", file, "-o", out, "--set", "integrator.tolerance=1e-9"],
                   check=True, stdout=subprocess.DEVNULL)
    frame = meshio.read(sorted((out / "frames").glob("*.vtu"))[-1])
    displacement = frame.point_data["displacement"]
    tets = frame.cells_dict["tetra" if order == 1 else "tetra10"]
    return frame.points - displacement, tets, displacement


def run_calculix(folder, points, tets, case):
    """The order of nodes in a cell is that of VTK."""
    numbers = lambda found: "\n".join(str(k + 1) for k in np.flatnonzero(found))
    held, moved = points[:, 0] < 1e-9, points[:, 0] > LENGTH - 1e-9
    deck = ["*NODE,NSET=ALL"]
    deck += [f"{k + 1},{x:.17g},{y:.17g},{z:.17g}" for k, (x, y, z) in enumerate(points)]
    deck += [f"*ELEMENT,TYPE=C3D{tets.shape[1]},ELSET=BODY"]
    deck += [",".join(str(n) for n in [k + 1, *(tet + 1)]) for k, tet in enumerate(tets)]
    deck += ["*NSET,NSET=HELD", numbers(held), "*NSET,NSET=MOVED", numbers(moved),
             "*MATERIAL,NAME=M", "*ELASTIC", f"{YOUNG},{POISSON}", "*DENSITY", f"{DENSITY}",
             "*SOLID SECTION,ELSET=BODY,MATERIAL=M", "*BOUNDARY", "HELD,1,3",
             "*STEP,NLGEOM,INC=1000", "*STATIC", "0.1,1.0", "*CONTROLS,PARAMETERS=FIELD", "1e-9,1e-9"]
    if case == "moved end":
        deck += ["*BOUNDARY", "MOVED,1,2", f"MOVED,3,3,{-DOWN}"]
    else:
        deck += ["*DLOAD", f"BODY,GRAV,{WEIGHT},0.,0.,-1."]
    deck += ["*NODE PRINT,NSET=ALL,FREQUENCY=1000", "U", "*END STEP"]
    (folder / "bar.inp").write_text("\n".join(deck) + "\n")
    subprocess.run(["ccx", "bar"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    printed = (folder / "bar.dat").read_text().split("displacements (vx,vy,vz)")[-1].splitlines()[1:]
    return np.array([[float(value) for value in line.split()[1:]] for line in printed if line.strip()])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sinew", type=pathlib.Path)
    parser.add_argument("--cells", type=int, nargs=3, default=[16, 4, 4])
    arguments = parser.parse_args()
    program, has_failed = arguments.sinew.resolve(), False
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for case in ("moved end", "weight"):
            for order in (1, 2):
                points, tets, ours = run_sinew(program, folder, arguments.cells, order, case)
                theirs = run_calculix(folder, points, tets, case)
                largest = np.abs(theirs).max()
                apart = np.abs(ours - theirs).max() / largest
                has_failed |= apart > (1e-3 if case == "weight" and order == 2 else 1e-6)
                print(f"{case}, {tets.shape[1]} nodes, {len(tets)} tets: moved by {largest:.6g} m, apart by {apart:.1e} of that")
    return int(has_failed)


if __name__ == "__main__":
    sys.exit(main())
