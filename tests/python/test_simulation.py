# SPDX-License-Identifier: Apache-2.0
import gc
import pickle
import threading

import numpy as np
import pytest

import sinew


def test_state_can_be_read_kept_and_written(small):
    sim = sinew.Simulation(small)
    q, start = sim.q, sim.q.copy()
    sim.step(3)
    assert np.shares_memory(sim.q, q) and not np.array_equal(q, start)  # it shows where the simulation is
    assert sim.t == 0.03
    moved = sim.q.copy()
    sim.v[:] = 0
    sim.q = start
    sim.t = 0.0
    sim.step(3)
    assert np.array_equal(sim.q, moved) and sim.t == 0.03  # from the same state the same bits
    with pytest.raises(ValueError):
        sim.q = [1, 2, 3]
    sim.v[0] = np.nan
    with pytest.raises(ValueError, match="finite"):
        sim.step()


def test_arrays_outlive_the_simulation(small):
    sim = sinew.Simulation(small)
    sim.step()
    q, before = sim.q, sim.q.copy()
    del sim
    gc.collect()
    assert np.array_equal(q, before)


def test_matrices_are_derivatives_of_what_they_say(small):
    pytest.importorskip("scipy")
    small.bodies[0].damping.stiffness = 1e-3
    sim = sinew.Simulation(small)
    sim.step(5)
    n, h = len(sim.q), 1e-6
    K, M, D = sim.stiffness(), sim.mass(), sim.damping()
    assert K.shape == M.shape == D.shape == (n, n)
    assert abs(K - K.T).max() <= 1e-9 * abs(K).max()
    way = np.random.default_rng(1).standard_normal(n)
    q, v = sim.q.copy(), sim.v.copy()

    def force(dq, dv):
        sim.q, sim.v = q + dq, v + dv
        return sim.force()

    assert np.allclose(-(force(h * way, 0) - force(-h * way, 0)) / (2 * h), K @ way, rtol=1e-5,
                       atol=1e-6 * abs(K @ way).max())
    assert np.allclose(-(force(0, h * way) - force(0, -h * way)) / (2 * h), D @ way, rtol=1e-5,
                       atol=1e-6 * abs(D @ way).max())
    assert sim.energy["kinetic"] == pytest.approx(0.5 * sim.v @ (M @ sim.v), abs=1e-6)


def test_vertices_and_degrees_of_freedom(small):
    sim = sinew.Simulation(small)
    sim.step(2)
    free = sim.dofs >= 0
    assert free.sum() * 3 == len(sim.q) and (~free).sum() == 4
    assert np.array_equal(sim.positions[free], np.stack([sim.q[sim.dofs[free] + k] for k in range(3)], axis=1))
    assert np.allclose(sim.positions[~free][:, 0], 0)
    assert sim.field("von_mises").ndim == 1 and "von_mises" in sim.fields
    with pytest.raises(KeyError, match="von_mises"):
        sim.field("stress-ish")


def test_loads_act_from_when_they_are_set_and_are_in_the_balance(small):
    small.loads = []
    sim = sinew.Simulation(small)
    sim.step()
    assert not sim.v.any()
    tip = int(np.argmax(sim.positions[:, 0]))
    before = sim.force()
    sim.set_load({tip: [0, 0, 2.0]})
    assert (sim.force() - before)[sim.dofs[tip] + 2] == pytest.approx(2.0)
    work = 0.0
    for _ in range(20):
        v = sim.v.copy()
        sim.step()
        work += 0.5 * 0.01 * 2.0 * (v + sim.v)[sim.dofs[tip] + 2]
    assert sim.energy["external_work"] == pytest.approx(work) and work > 0
    loads = np.zeros((20, 3))
    loads[tip] = [0, 0, 2.0]
    with_rows = sinew.Simulation(small)
    with_rows.step()
    with_rows.set_load(loads)
    with_rows.step(20)
    assert np.array_equal(with_rows.q, sim.q)
    sim.set_load()
    assert np.array_equal(sim.force(), sinew_force_without_load(small, sim))
    with pytest.raises(ValueError, match="one force per vertex"):
        sim.set_load(np.zeros((3, 3)))
    with pytest.raises(ValueError, match="without forces"):
        sinew.Simulation(small, forces=False).set_load()


def sinew_force_without_load(scene, at):
    other = sinew.Simulation(scene, forces=False)
    other.q, other.v = at.q, at.v
    return other.force()


def test_a_step_that_fails_raises_and_leaves_the_state(small):
    sim = sinew.Simulation(small, **{"integrator": "explicit-euler", "time.max_halvings": 0, "dt": 0.05})
    with pytest.raises(sinew.StepFailed) as caught:
        sim.step(1000)
    assert caught.value.status and caught.value.dt == 0.05
    assert np.isfinite(sim.q).all() and sim.t == pytest.approx(caught.value.t)


def test_callbacks_come_after_every_step(small):
    sim, times = sinew.Simulation(small), []

    @sim.on_step
    def note(which):
        assert which is sim
        times.append(sim.t)

    sim.step(3)
    sim.run_until(0.05)
    assert np.allclose(times, [0.01, 0.02, 0.03, 0.04, 0.05])
    assert sim.counts["accepted"] == 5 and sim.counts["factorizations"] >= 1


def test_simulations_on_several_threads(small):
    expected = sinew.Simulation(small)
    expected.step(10)
    sims = [sinew.Simulation(small) for _ in range(4)]
    threads = [threading.Thread(target=sim.step, args=(10,)) for sim in sims]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(sim.q, expected.q) for sim in sims)


def test_one_simulation_is_not_stepped_by_two_threads(small):
    """While a step goes on, which here waits for us, others are refused."""
    entered, leave = threading.Event(), threading.Event()

    def wait(x, t):
        if t > 0:
            entered.set()
            leave.wait(60)
        return [0, 0, 0]

    small.loads.append({"type": "force", "body": "bar", "value": wait})
    sim = sinew.Simulation(small)
    thread = threading.Thread(target=sim.step)
    thread.start()
    assert entered.wait(60)
    try:
        with pytest.raises(RuntimeError, match="another thread"):
            sim.step()
    finally:
        leave.set()
        thread.join()
    sim.step()
    assert sim.counts["accepted"] == 2


def test_cuts_make_new_arrays_and_leave_the_old_ones(small):
    small.cuts = [{"body": "bar", "type": "plane", "point": [0.5, 0, 0], "normal": [1, 0, 0], "at": 0.02}]
    sim = sinew.Simulation(small)
    q = sim.q
    sim.step(2)
    assert np.shares_memory(sim.q, q)
    before = q.copy()
    sim.step()
    assert len(sim.q) == len(q) + 12 and np.array_equal(q, before)  # four vertices more
    assert sim.positions.shape == (24, 3) and len(sim.dofs) == 24
    sim.set_load({23: [0, 0, 1]})
    sim.step(7)
    run = sinew.run(small)
    assert isinstance(run.positions, list)  # they do not fit into one array
    assert len(run.positions[0]) == 20 and len(run.positions[-1]) == 24


def test_what_makes_no_sense_is_refused_and_copies_cannot_be_written(small):
    sim = sinew.Simulation(small)
    for wrong in (lambda: sim.step(-1), lambda: sim.run_until(np.nan), lambda: sim.set_load({0: [0, 0, np.nan]}),
                  lambda: sim.q.resize(2)):
        with pytest.raises(ValueError):
            wrong()
    for copy in (sim.positions, sim.dofs, sim.field("von_mises")):
        with pytest.raises(ValueError, match="read-only"):
            copy[:] = 0


def test_a_failed_step_comes_back_from_another_process():
    failed = pickle.loads(pickle.dumps(sinew.StepFailed("newton", "it did not converge", 0.5, 1e-3)))
    assert (failed.status, failed.t, failed.dt) == ("newton", 0.5, 1e-3) and "did not converge" in str(failed)
