#!/usr/bin/env python3
"""Reads what a run wrote with the libraries of other people and compares: VTU and PLY by meshio, NPZ
by NumPy, glTF by its own specification. Called by ctest with the program and a folder to work in."""
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import meshio
import numpy

from glb import accessor, read_glb


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    run = folder / "run"
    subprocess.run(
        [program, "run", "twisted-bar", "--end", "0.1", "--fps", "50", "-o", run, "--force", "--quiet",
         "--format", "vtu,gltf,obj,ply,usda,npz"],
        check=True,
    )
    series = ElementTree.parse(run / "frames.pvd").getroot().find("Collection")
    names = [(float(item.get("timestep")), run / item.get("file")) for item in series]
    assert len(names) == 6, names

    arrays = numpy.load(run / "frames.npz")
    assert numpy.allclose(arrays["times"], [t for t, _ in names])
    for k, (_, path) in enumerate(names):
        frame = meshio.read(path)
        assert numpy.array_equal(frame.points, arrays["positions"][k])
        assert numpy.array_equal(frame.point_data["velocity"], arrays["velocities"][k])
        assert numpy.array_equal(frame.cells_dict["tetra"], arrays["tets"])
        assert {"von_mises", "energy_density", "det_f", "cauchy_stress"} <= set(frame.cell_data)
        assert abs(frame.cell_data["det_f"][0] - 1).max() < 0.5

    # surfaces agree with each other, and with the volume they come from
    obj = meshio.read(run / "obj" / "frame_000005.obj")
    ply = meshio.read(run / "ply" / "frame_000005.ply")
    assert numpy.allclose(obj.points, ply.points, atol=1e-6)
    assert numpy.array_equal(obj.cells_dict["triangle"], ply.cells_dict["triangle"])
    volume = arrays["positions"][5]
    nearest = [abs(volume - p).sum(axis=1).min() for p in ply.points[:50]]
    assert max(nearest) < 1e-5

    head, binary = read_glb(run / "animation.glb")
    part = head["meshes"][0]["primitives"][0]
    base = accessor(head, binary, part["attributes"]["POSITION"])
    assert len(part["targets"]) == 5
    last = base + accessor(head, binary, part["targets"][-1]["POSITION"])
    turned = numpy.column_stack([ply.points[:, 0], ply.points[:, 2], -ply.points[:, 1]])
    assert numpy.allclose(last, turned, atol=1e-5)
    sampler = head["animations"][0]["samplers"][0]
    assert numpy.allclose(accessor(head, binary, sampler["input"])[:, 0], arrays["times"])
    weights = accessor(head, binary, sampler["output"]).reshape(6, 5)
    assert numpy.array_equal(weights[1:], numpy.eye(5)) and not weights[0].any()

    text = (run / "animation.usda").read_text()
    assert text.startswith("#usda 1.0") and text.count("timeSamples") == 1
    assert text.count("{") == text.count("}") and text.count("[") == text.count("]")
    print("read back: vtu, pvd, npz, obj, ply, glb, usda")


main()
