# SPDX-License-Identifier: Apache-2.0
import copy
import pickle

import numpy as np
import pytest

import sinew


def test_a_comparison_is_a_table_and_its_runs(small):
    found = sinew.compare(small, ["be", "si"], dt=[0.01, 0.005], reference=True, end=0.05)
    table = found.table
    assert len(found) == 4 and list(table.integrator) == ["be", "be", "si", "si"]
    assert table.finished.all() and (table.error > 0).all() and found.reference["integrator"] == "tr-bdf2"
    assert table.error[1] < table.error[0]  # half the step, less error
    assert np.array_equal(found["be-0.005"].positions,
                          sinew.run(small, integrator="be", dt=0.005, end=0.05).positions)
    run = found[0]
    del found
    assert len(run.positions) > 1  # the folder is still there
    with pytest.raises(sinew.InputError):
        sinew.compare(small, ["nothing"])


def test_a_sweep_of_twelve_points(small):
    swept = sinew.sweep(small, {"bodies.0.material.young": [1e5, 1e6, 1e7], "integrator.name": ["be", "si"],
                                "time.dt": [0.02, 0.01]}, end=0.3, **{"output.fps": 0})
    sag = swept.map(lambda run: run.probes["tip"].position[:, 2].min() - run.probes["tip"].position[0, 2])
    assert sag.shape == (3, 2, 2) and len(swept) == 12
    assert (sag < 0).all() and (sag[0] < sag[2]).all()  # softer ones fall further
    assert len(np.unique(sag)) == 12
    assert swept.values[3] == {"bodies.0.material.young": 1e5, "integrator.name": "si", "time.dt": 0.01}
    assert set(swept.table.status) == {"finished"}
    direct = sinew.run(small, end=0.3, integrator="si", dt=0.01, **{"bodies.0.material.young": 1e5})
    z = direct.probes["tip"].position[:, 2]
    assert sag[0, 1, 1] == z.min() - z[0]


def test_with_a_directory_everything_is_there_that_the_commands_write(tmp_path, small):
    small.output.fps = 0
    sinew.compare(small, ["be", "si"], directory=tmp_path / "c", end=0.02)
    axes = {"bodies.0.material.young": [1e5, 2e5]}
    sinew.sweep(small, axes, tmp_path / "s", end=0.02)
    assert (tmp_path / "c/compare.csv").exists() and (tmp_path / "s/sweep.csv").exists()
    for run in ("c/be", "c/si"):
        assert sinew.Run(tmp_path / run).status == "finished"
    manifests = sorted((tmp_path / "s").glob("*/manifest.json"))
    times = [path.stat().st_mtime_ns for path in manifests]
    again = sinew.sweep(small, axes, tmp_path / "s", end=0.02)  # nothing is run again
    assert [path.stat().st_mtime_ns for path in manifests] == times and len(again) == len(times) == 2
    with pytest.raises(sinew.InputError):
        sinew.sweep(small, {"time.dt": [0.01]}, tmp_path / "s")


def test_modes_are_those_of_the_matrices(small):
    linalg = pytest.importorskip("scipy.linalg")
    small.loads = []
    found = sinew.modes(small, 6)
    sim = sinew.Simulation(small)
    K, M = sim.stiffness().toarray(), sim.mass().toarray()
    expected = np.sqrt(linalg.eigh(K, M, eigvals_only=True)[:6]) / (2 * np.pi)
    assert np.allclose(found.frequencies, expected, rtol=1e-6)
    assert not found.is_rigid.any() and set(found.table["kind"]) == {"vibration"}
    assert np.allclose(found.shapes @ M @ found.shapes.T, np.eye(6), atol=1e-6)
    del small.fixed
    assert sinew.modes(small, 1).is_rigid.sum() == 6


def test_at_an_equilibrium_the_forces_cancel(small):
    small.loads.append({"type": "force", "body": "bar", "value": [0, 0, "100*x"]})
    found = sinew.static(small, load_steps=3)
    assert found.reached == 1 and found.unstable_from is None and len(found.run) == 4
    sim = sinew.Simulation(small)
    free = sim.dofs >= 0
    weight = abs(sim.force()).max()
    for k in range(3):
        sim.q[sim.dofs[free] + k] = found.positions[free, k]
    assert abs(sim.force()).max() < 1e-6 * weight
    assert found.largest_displacement == pytest.approx(
        np.linalg.norm(found.positions - found.run.positions[0], axis=1).max(), rel=1e-6)


def test_static_says_that_it_cannot_multiply_functions(small):
    small.loads.append({"type": "force", "body": "bar", "value": lambda x, t: [0, 0, 1]})
    with pytest.raises(sinew.InputError, match="write it as a formula") as caught:
        sinew.static(small)
    assert caught.value.pointer == "/loads/1"


def test_damping_is_that_of_the_formulas():
    # of backward Euler: |amplification| = 1 / sqrt(1 + z^2), and d/omega = -2 ln of it over z
    z = np.array([0.1, 1.0, 10.0])
    table = sinew.damping(["be", "implicit-midpoint"], z)
    assert np.allclose(table["be"], np.log1p(z**2) / z, rtol=1e-6)
    assert np.allclose(table["implicit-midpoint"], 0, atol=1e-9)
    assert len(sinew.damping("be").h_omega) == 41
    with pytest.raises(sinew.InputError, match="bdf2"):
        sinew.damping(["bdf3"])


def test_what_is_in_memory_is_never_taken_for_what_it_was(small, tmp_path):
    small.loads.append({"type": "force", "value": lambda x, t: [0, 0, 1.0]})
    sinew.sweep(small, {"time.dt": [0.05]}, tmp_path / "sweep")
    with pytest.raises(sinew.InputError, match="in memory"):
        sinew.sweep(small, {"time.dt": [0.05]}, tmp_path / "sweep")
    sinew.run(small, tmp_path / "run")
    with pytest.raises(sinew.InputError, match="in memory"):
        sinew.run(small, tmp_path / "run", resume=True)


def test_nothing_to_do_is_said(small):
    for wrong in (lambda: sinew.sweep(small, {}), lambda: sinew.sweep(small, {"time.dt": []}),
                  lambda: sinew.compare(small, []), lambda: sinew.static(small, load_steps=0)):
        with pytest.raises(sinew.InputError):
            wrong()
    with pytest.warns(sinew.RunWarning, match="no equilibrium"):
        assert sinew.static(small, fixed=[], load_steps=1).reached == 0.0


def test_tables_can_be_copied(small):
    energy = sinew.run(small).energy
    for other in (copy.copy(energy), copy.deepcopy(energy), pickle.loads(pickle.dumps(energy))):
        assert np.array_equal(other["total"], energy["total"])
