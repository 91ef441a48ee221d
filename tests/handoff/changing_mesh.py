#!/usr/bin/env python3
"""Reads a run whose mesh changes on the way (support/breaking_bar.hpp) with the libraries of other
people: every format must show each frame with the vertices and cells that its VTU frame has. Called
by ctest with the program that makes the run and a folder to work in."""
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import meshio
import numpy

from glb import accessor, read_glb

# triangles of the surface, tubes of lines included, from these frames on
TRIANGLES = {0: 224, 6: 232, 16: 200}


def boundary(tets):
    """Faces that belong to one tet, each as a sorted triple."""
    faces = numpy.sort(numpy.concatenate([tets[:, c] for c in ([1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2])]), axis=1)
    unique, count = numpy.unique(faces, axis=0, return_counts=True)
    assert count.max() <= 2
    return unique[count == 1]


def corners(points, triangles):
    """The triangles by the places of their corners, in an order of their own."""
    places = points.astype("f4")[triangles].tolist()
    return sorted(sorted(map(tuple, triangle)) for triangle in places)


def same_surface(frame, points, triangles):
    """Whether the first triangles are the boundary of the tets of a frame."""
    faces = boundary(frame.cells_dict["tetra"])
    return corners(frame.points, faces) == corners(points, triangles[: len(faces)])


def expected_triangles(frame):
    return TRIANGLES[max(first for first in TRIANGLES if first <= frame)]


def check_npz(run, names, frames):
    arrays = numpy.load(run / "frames.npz")
    assert numpy.allclose(arrays["times"], [t for t, _ in names])
    assert arrays["topology"].tolist() == [0] * 6 + [1] * 10 + [2] * 10
    assert "positions" not in arrays, "scripts for one topology fail loudly"
    for k, frame in enumerate(frames):
        part, row = arrays["topology"][k], arrays["row"][k]
        assert numpy.array_equal(frame.points, arrays[f"positions_{part}"][row])
        assert numpy.array_equal(frame.point_data["velocity"], arrays[f"velocities_{part}"][row])
        assert numpy.array_equal(frame.cells_dict["tetra"], arrays[f"tets_{part}"])
        assert numpy.array_equal(frame.cells_dict["line"], arrays[f"lines_{part}"])


def check_sequences(run, frames):
    surfaces = []
    for k, frame in enumerate(frames):
        obj = meshio.read(run / "obj" / f"frame_{k:06}.obj")
        ply = meshio.read(run / "ply" / f"frame_{k:06}.ply")
        triangles = ply.cells_dict["triangle"]
        assert len(triangles) == expected_triangles(k), (k, len(triangles))
        assert numpy.allclose(obj.points, ply.points, atol=1e-6)
        assert numpy.array_equal(obj.cells_dict["triangle"], triangles)
        assert same_surface(frame, ply.points, triangles), k
        assert {"speed", "displacement", "von_mises", "energy_density"} <= set(ply.point_data)
        # what belongs to a vertex is that of the vertex at its place
        speed = numpy.linalg.norm(frame.point_data["velocity"], axis=1)
        for v in range(0, len(ply.points) - 16, 7):
            near = numpy.abs(frame.points - ply.points[v]).sum(axis=1) < 1e-5
            assert numpy.abs(speed[near] - ply.point_data["speed"][v]).min() < 1e-4, (k, v)
        surfaces.append((ply.points, triangles))
    return surfaces


def at_time(times, values, t, step):
    """What a glTF sampler gives."""
    k = numpy.searchsorted(times, t, side="right") - 1
    if k < 0 or k + 1 == len(times) or step:
        return values[max(k, 0)]
    share = (t - times[k]) / (times[k + 1] - times[k])
    return (1 - share) * values[k] + share * values[k + 1]


def check_gltf(run, times, surfaces):
    head, binary = read_glb(run / "animation.glb")
    assert len(head["nodes"]) == len(head["meshes"]) == 3 and head["scenes"][0]["nodes"] == [0, 1, 2]
    assert "scale" not in head["nodes"][0], "without an animation the first is seen"
    assert all(node["scale"] == [0, 0, 0] for node in head["nodes"][1:])
    animation = head["animations"][0]
    channels = {}
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        path = channel["target"]["path"]
        assert sampler["interpolation"] == {"scale": "STEP", "weights": "LINEAR"}[path]
        key_times = accessor(head, binary, sampler["input"])[:, 0]
        assert (numpy.diff(key_times) > 0).all()
        values = accessor(head, binary, sampler["output"]).reshape(len(key_times), -1)
        channels[channel["target"]["node"], path] = key_times, values
    for k, (points, triangles) in enumerate(surfaces):
        t = numpy.float32(times[k])
        seen = []
        for number, node in enumerate(head["nodes"]):
            scale = at_time(*channels[number, "scale"], t, True)
            assert scale.tolist() in ([0, 0, 0], [1, 1, 1])
            if scale[0] == 1:
                seen.append((number, head["meshes"][node["mesh"]]["primitives"][0]))
        assert len(seen) == 1, (k, len(seen))
        number, part = seen[0]
        shape = accessor(head, binary, part["attributes"]["POSITION"]).astype(float)
        weights = at_time(*channels[number, "weights"], t, False)
        assert len(weights) == len(part["targets"])
        for weight, target in zip(weights, part["targets"]):
            shape = shape + weight * accessor(head, binary, target["POSITION"])
        turned = numpy.column_stack([points[:, 0], points[:, 2], -points[:, 1]])
        assert numpy.allclose(shape, turned, atol=1e-5), k
        assert numpy.array_equal(accessor(head, binary, part["indices"]).reshape(-1, 3), triangles)


def usda_samples(text, name):
    """Time code -> the numbers of an attribute that changes."""
    block = re.search(name + r"\.timeSamples = \{(.*?)\n    \}", text, re.DOTALL).group(1)
    rows = re.findall(r"^\s+([\d.]+): \[(.*)\],$", block, re.MULTILINE)
    return {float(code): numpy.array(re.findall(r"[-+.\deE]+", row), float) for code, row in rows}


def check_usda(run, surfaces):
    text = (run / "animation.usda").read_text()
    assert text.startswith("#usda 1.0")
    for pair in ("{}", "[]", "()"):
        assert text.count(pair[0]) == text.count(pair[1])
    counts = usda_samples(text, "faceVertexCounts")
    indices = usda_samples(text, "faceVertexIndices")
    points = usda_samples(text, "points")
    assert list(counts) == list(indices) == [0, 6, 16]
    for k, (expected, triangles) in enumerate(surfaces):
        # attributes of whole numbers hold until the next sample
        now = max(code for code in indices if code <= k)
        assert numpy.array_equal(indices[now].reshape(-1, 3), triangles)
        assert (counts[now] == 3).all() and len(counts[now]) == len(triangles)
        assert numpy.allclose(points[k].reshape(-1, 3), expected, atol=1e-6)


def main():
    program, run = sys.argv[1], pathlib.Path(sys.argv[2]) / "broken"
    subprocess.run([program, run], check=True)
    series = ElementTree.parse(run / "frames.pvd").getroot().find("Collection")
    names = [(float(item.get("timestep")), run / item.get("file")) for item in series]
    assert len(names) == 26, names
    frames = [meshio.read(path) for _, path in names]
    check_npz(run, names, frames)
    surfaces = check_sequences(run, frames)
    check_gltf(run, [t for t, _ in names], surfaces)
    check_usda(run, surfaces)
    print("read back, with a mesh that changes: npz, obj, ply, glb, usda")


main()
