# SPDX-License-Identifier: Apache-2.0
import json

import numpy as np
import pytest

import sinew


def test_a_scene_is_the_same_by_name_dict_json_and_keywords(tmp_path, small):
    text = small.to_json(defaults=False)
    (tmp_path / "s.json").write_text(text)
    given = json.loads(text)
    for other in (sinew.scene(given), sinew.scene(text), sinew.scene(str(tmp_path / "s.json")),
                  sinew.scene(tmp_path / "s.json"), sinew.scene(**given), small.copy()):
        assert other.to_dict() == small.to_dict()
    short = {key: value for key, value in given.items() if key != "time"}
    assert sinew.scene(**{**short, "integrator": "si"}, dt=0.01, end=0.1).to_dict() == small.to_dict()
    assert sinew.scene("hanging-ball").name == "hanging-ball"
    assert "hanging-ball" in sinew.names("scenes")


def test_attributes_and_paths_are_the_same_places_and_show_defaults(small):
    assert small.time.dt == small["time.dt"] == small["/time/dt"] == 0.01
    assert small.bodies[0].material.poisson == 0.45
    small.bodies[0].material.young = 2e5
    small["time.end"] = 0.2
    small.output["fps"] = 25
    assert small.to_dict()["bodies"][0]["material"]["young"] == 2e5
    assert (small.time.end, small.output.fps) == (0.2, 25)
    small.loads.append({"type": "force", "body": "bar", "value": [1, 0, "2*t"]})
    assert small.loads[-1].value == [1, 0, "2*t"]
    del small.loads[0]
    assert [load.type for load in small.loads] == ["force"]
    assert "dt" in dir(small.time) and "bodies" in dir(small)


def test_what_cannot_be_leaves_the_scene_as_it_was_and_says_why(small):
    before = small.to_dict()
    with pytest.raises(sinew.InputError) as caught:
        small.time.dt = -1
    assert caught.value.pointer == "/time/dt" and "out of range" in caught.value.what
    with pytest.raises(sinew.InputError) as caught:
        small.integrator = "sieree"
    assert caught.value.pointer == "/integrator/name" and "siere" in caught.value.hint
    with pytest.raises(sinew.InputError) as caught:
        small.time.dtt = 1
    assert caught.value.pointer == "/time/dtt" and "dt" in caught.value.hint
    with pytest.raises(sinew.InputError):
        small["bodies.7.name"] = "x"
    assert small.to_dict() == before
    with pytest.raises(AttributeError, match="it has dt"):
        small.time.dtt
    with pytest.raises(KeyError):
        small["time.dtt"]


def test_all_problems_are_listed_with_file_pointer_and_hint(tmp_path):
    path = tmp_path / "broken.json"
    path.write_text('{"sinew": 1, "bodies": [{"mesh": {"generator": "baar"}}], "time": {"dt": 0}}')
    with pytest.raises(sinew.InputError) as caught:
        sinew.scene(path)
    assert {p.pointer for p in caught.value.problems} == {"/bodies/0/mesh/generator", "/time/dt"}
    assert all(p.file == str(path) for p in caught.value.problems)
    assert "bar" in caught.value.problems[0].hint
    assert isinstance(caught.value, ValueError)
    with pytest.raises(sinew.InputError, match="line 1"):
        sinew.scene("{ 1")


def test_a_method_leaves_the_options_of_another_behind(small):
    small.set({"integrator": {"name": "siere", "modes": 3}})
    assert small.integrator.modes == 3
    small.set(integrator="be", dt=0.02)
    assert small.integrator.name == "be" and "modes" not in small.integrator
    small.integrator.name = "siere"
    assert small.integrator.modes != 3


def test_compiling_finds_what_reading_cannot_see(small):
    small.fixed[0].select = {"plane": {"point": [9, 0, 0]}}
    with pytest.raises(sinew.InputError) as caught:
        sinew.run(small)
    assert caught.value.pointer == "/fixed/0/select" and "no vertex" in caught.value.what
    assert "reaches from" in caught.value.hint
    with pytest.raises(sinew.InputError):
        small.validate()


@pytest.mark.parametrize("how", ["arrays", "mesh", "meshio"])
def test_a_mesh_in_memory_is_what_a_generator_makes(small, how):
    made = sinew.Mesh.generate("bar", size=[1, 0.25, 0.25], cells=[4, 1, 1])
    if how == "mesh":
        given = made
    elif how == "arrays":
        given = (made.vertices, made.tets)
    else:
        meshio = pytest.importorskip("meshio")
        given = meshio.Mesh(made.vertices, [("tetra", made.tets)])
    own = small.copy()
    own.bodies[0].mesh = given
    assert np.array_equal(sinew.run(own).positions, sinew.run(small).positions)
    assert own.copy().bodies[0].mesh == own.bodies[0].mesh
    with pytest.raises(ValueError, match="in memory"):
        own.save("nowhere.json")


def test_a_mesh_of_ten_nodes_survives_the_order_of_others():
    mesh = sinew.Mesh.generate("ball", order=2)
    assert mesh.tets.shape[1] == 10
    edges = [(0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)]  # as VTK has them
    flat = sinew.Mesh.generate("bar", order=2)
    for k, (a, b) in enumerate(edges):
        middle = 0.5 * (flat.vertices[flat.tets[:, a]] + flat.vertices[flat.tets[:, b]])
        assert np.allclose(flat.vertices[flat.tets[:, 4 + k]], middle, atol=1e-14)
    again = sinew.Mesh(mesh.vertices, mesh.tets)
    assert np.array_equal(again.tets, mesh.tets)


def test_broken_meshes_are_refused():
    x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    with pytest.raises(sinew.InputError, match="tet 0"):
        sinew.Mesh(x, [[0, 2, 1, 3]])
    assert sinew.Mesh(x, [[0, 2, 1, 3]], repair=True).volume == pytest.approx(1 / 6)
    with pytest.raises(ValueError, match="shape"):
        sinew.Mesh(x, [[0, 1, 2]])
    with pytest.raises(TypeError):
        sinew.Mesh.of(3)


def test_functions_are_what_formulas_are_and_get_whole_arrays(small):
    calls = []

    def push(x, t):
        calls.append(len(x))
        return np.stack([x[:, 1], 0 * x[:, 0], 100 * x[:, 0] * t], axis=1)

    def young(x):
        return 1e5 + 1e4 * x[:, 0]

    def of(value, material):
        scene = small.copy()
        scene.loads.append({"type": "force", "body": "bar", "value": value})
        scene.bodies[0].material.young = material
        return sinew.run(scene).positions

    written = of(["y", "0", "100*x*t"], "1e5 + 1e4*x")
    assert np.array_equal(of(push, young), written)
    assert set(calls) == {20}
    assert np.array_equal(of(["y", 0, lambda x, t: 100 * x[:, 0] * t], young), written)
    # numbers and single vectors are spread over all places
    assert np.array_equal(of(lambda x, t: [0, 0, 1.5], lambda x: 1e5), of([0, 0, 1.5], 1e5))


def test_what_a_function_raises_ends_the_run_and_comes_out(small):
    def broken(x, t):
        if t > 0.05:
            raise ZeroDivisionError("no more")
        return [0, 0, 1]

    small.loads.append({"type": "force", "body": "bar", "value": broken})
    with pytest.raises(ZeroDivisionError, match="no more"):
        sinew.run(small)
    small.loads[1].value = lambda x, t: np.zeros((3, 7))
    with pytest.raises(ValueError, match="broadcast"):
        sinew.run(small)


def test_lists_write_through_and_are_checked():
    scene = sinew.scene("hanging-ball")
    scene.loads[0].value[2] = -50.0
    assert json.loads(scene.to_json(defaults=False))["loads"][0]["value"] == [0, 0, -50.0]
    with pytest.raises(sinew.InputError):
        scene.loads[0].value.append(1)
    assert scene.loads[0].value == [0, 0, -50.0]
    scene.output.format.append("obj")
    assert scene.to_dict()["output"]["format"] == ["vtu", "obj"]
    scene.loads.extend([{"type": "gravity"}, {"type": "gravity", "value": [1, 0, 0]}])
    scene.loads.insert(1, {"type": "gravity", "value": [0, 1, 0]})
    assert [load.value[1] for load in scene.loads[1:]] == [1, 0, 0]
    assert scene.loads.pop()["value"] == [1, 0, 0]
    scene.loads[1:] = []
    assert len(scene.loads) == 1
    scene.loads.clear()
    assert len(scene.loads) == 0


def test_methods_come_before_what_is_set_of_them():
    changes = {"integrator.modes": 7, "integrator": "siere"}
    for order in (changes, dict(reversed(changes.items()))):
        assert sinew.scene("hanging-ball").with_(order).integrator.modes == 7
    assert sinew.scene("hanging-ball").with_({"integrator.name": "be"}).integrator.name == "be"


def test_brackets_without_end_are_refused():
    with pytest.raises(sinew.InputError, match="200 deep"):
        sinew.scene('{"sinew": 1, "bodies": ' + "[" * 100000 + "]" * 100000 + "}")


def test_what_is_no_longer_named_is_not_kept(tmp_path):
    scene = sinew.scene("hanging-ball")
    same = scene.copy()
    scene.loads.append({"type": "force", "value": lambda x, t: [0, 0, 1.0]})
    with pytest.raises(ValueError, match="in memory"):
        scene.save(tmp_path / "scene.json")
    assert scene != same
    del scene.loads[1]
    with pytest.raises(sinew.InputError):
        scene.time.dt = lambda x: 1
    scene.save(tmp_path / "scene.json")
    assert scene == same
