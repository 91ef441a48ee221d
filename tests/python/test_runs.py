# SPDX-License-Identifier: Apache-2.0
import gc
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import sinew


def test_the_bits_are_those_of_the_command_line(tmp_path, small, binary):
    small.save(tmp_path / "s.json")
    subprocess.run([binary, "run", "s.json", "-o", "cli", "--quiet"], cwd=tmp_path, check=True,
                   stdout=subprocess.DEVNULL)
    mine, theirs = sinew.run(small, tmp_path / "mine"), sinew.Run(tmp_path / "cli")
    assert len(theirs) == 6 and theirs.status == "finished"
    assert np.array_equal(mine.positions, theirs.positions)
    assert np.array_equal(mine.velocities, theirs.velocities)
    for name in ("energy.csv", "probes.csv"):
        assert (tmp_path / "mine" / name).read_bytes() == (tmp_path / "cli" / name).read_bytes()
    # and the same without a directory, and step by step
    assert np.array_equal(sinew.run(small).positions, theirs.positions)
    sim = sinew.Simulation(small)
    sim.step(10)
    assert np.array_equal(sim.positions, theirs.positions[-1])
    assert theirs.scene.to_dict() == small.to_dict()


def test_a_run_gives_arrays_and_tables(small):
    run = sinew.run(small)
    frames, vertices = len(run), 20
    assert run.times[-1] == pytest.approx(0.1) and frames == 6
    assert run.positions.shape == run.velocities.shape == (frames, vertices, 3)
    assert run.positions.dtype == float
    assert run.fields["von_mises"] == "cell" and run.fields["velocity"] == "vertex"
    assert run.field("von_mises").shape == (frames, len(run.tets)) and run.tets.max() == vertices - 1
    with pytest.raises(KeyError, match="von_mises"):
        run.field("von_mices")
    # the first row is the start
    assert run.energy.num_rows == 11 and np.all(np.diff(run.energy.t) > 0)
    balance = run.energy.external_work - run.energy.damping_loss - run.energy.numerical_loss
    assert np.allclose(run.energy.total - run.energy.total[0], balance, rtol=0, atol=1e-12)
    assert set(run.steps["status"]) == {"accepted"}
    tip = run.probes["tip"]
    assert tip.position.shape == (11, 3) and tip.position[-1, 2] < tip.position[0, 2]
    at_end = run.positions[-1][np.isclose(run.positions[0][:, 0], 1.0)]
    assert np.allclose(tip.position[-1], at_end.mean(axis=0), atol=1e-15)


def test_tables_become_data_frames(small):
    pandas = pytest.importorskip("pandas")
    frame = sinew.run(small).energy.pandas()
    assert isinstance(frame, pandas.DataFrame) and frame["t"].iloc[-1] == pytest.approx(0.1)


def test_arrays_outlive_the_run_and_its_folder(small):
    run = sinew.run(small)
    folder = run.directory
    positions, energy = run.positions, run.energy.total
    before = positions.copy()
    assert folder.exists()
    del run
    gc.collect()
    assert not folder.exists()
    assert np.array_equal(positions, before) and energy.shape == (11,)


def test_a_directory_is_kept_and_not_replaced_silently(tmp_path, small):
    place = tmp_path / "run"
    sinew.run(small, place)
    with pytest.raises(sinew.InputError):
        sinew.run(small, place)
    assert sinew.run(small, place, replace=True).status == "finished"
    with pytest.raises(sinew.InputError):
        sinew.Run(tmp_path / "nothing")
    longer = sinew.run(small, place, resume=True, end=0.2)
    assert np.array_equal(longer.positions, sinew.run(small, end=0.2).positions)


def test_changes_are_for_the_run_alone(small):
    run = sinew.run(small, integrator="be", dt=0.02)
    assert run.manifest["integrator"]["name"] == "be" and run.manifest["dt"] == 0.02
    assert small.integrator.name == "si" and small.time.dt == 0.01


def test_a_numerical_failure_is_a_status_and_a_warning(small):
    small.set({"integrator": {"name": "explicit-euler"}, "time.max_halvings": 0, "time.dt": 0.05, "time.end": 5})
    with pytest.warns(sinew.RunWarning, match="failed"):
        run = sinew.run(small)
    assert run.status == "failed" and run.reason and 0 < len(run)


def test_what_is_unlikely_to_be_meant_is_a_warning(small):
    small.bodies[0].material.young = 1e-3
    with pytest.warns(sinew.SceneWarning):
        sinew.run(small, end=0.01)


def test_nothing_is_printed(small, capfd):
    sinew.run(small)
    sinew.Simulation(small).step()
    assert capfd.readouterr() == ("", "")


class Watcher:
    def __init__(self):
        self.told, self.kept = [], None

    def on_start(self, view):
        self.told.append("start")

    def on_step(self, view):
        self.told.append((view.step, view.t, view.energy))
        self.kept = view

    def on_finish(self, view):
        self.told.append("finish")


def test_observers_look_and_views_do_not_last(small):
    watcher, tip = Watcher(), []
    run = sinew.run(small, observers=[watcher], on_step=lambda view: tip.append(view.position(19)))
    assert watcher.told[0] == "start" and watcher.told[-1] == "finish"
    steps = watcher.told[1:-1]
    assert [step for step, _, _ in steps] == list(range(1, 11))
    assert np.array_equal([energy for _, _, energy in steps], run.energy.total[1:])
    assert np.array_equal(tip[-1], run.positions[-1][19])
    with pytest.raises(RuntimeError, match="length of the call"):
        watcher.kept.t


def test_what_an_observer_raises_comes_out(small):
    def stop(view):
        if view.step == 3:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        sinew.run(small, on_step=stop)


def test_progress_is_told_where_it_is_asked_for(small):
    tqdm = pytest.importorskip("tqdm")
    assert tqdm
    sinew.run(small, progress=True)


LONG = """
import sinew, sys, time
scene = sinew.scene("hanging-ball", dt=1e-5, end=1000)
def say(view):
    if view.step == 5:
        print("steps", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("work", [
    "sinew.run(scene, sys.argv[1], on_step=say)",
    "sim = sinew.Simulation(scene); sim.step(5); print('steps', flush=True); sim.step(10**9)",
])
def test_ctrl_c_ends_a_run_of_hours(tmp_path, work):
    """It is asked for every 50 ms and between the pieces of a step; the clock of a busy machine says nothing."""
    place = tmp_path / "run"
    child = subprocess.Popen([sys.executable, "-c", LONG.format(work=work), str(place)],
                             stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "steps\n"
    child.send_signal(signal.SIGINT)
    try:
        out, _ = child.communicate(timeout=60)
    finally:
        child.kill()
    assert out == "interrupted\n" and child.returncode == 0
    if "run" in work:
        run = sinew.Run(place)
        assert run.status == "stopped" and (place / "checkpoint").is_dir()


def test_runs_on_several_threads_are_the_same_and_others_go_on_meanwhile(small):
    expected = sinew.run(small).positions
    results, ticks = [None] * 4, []

    def work(k):
        results[k] = sinew.run(small).positions

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        ticks.append(None)
        time.sleep(0.001)
    assert all(np.array_equal(result, expected) for result in results)
    assert len(ticks) > 1


def test_pictures(tmp_path, small):
    if not sinew._core.can_draw():
        pytest.skip("built without pictures")
    run = sinew.run(small, tmp_path / "run", end=0.02)
    picture = sinew.render(run, time=0.0, draft=True, width=64, height=48)
    assert picture.png.startswith(b"\x89PNG") and picture.array().shape == (48, 64, 3)
    assert sinew.render(tmp_path / "run", tmp_path / "p.png", draft=True, time=0.0) == tmp_path / "p.png"
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(TypeError, match="colour_by"):
        sinew.render(run, color="red")
    with pytest.raises(sinew.InputError):
        sinew.render(run, colour_by="nothing")


def test_a_notebook_shows_the_report_and_axes(small):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    run = sinew.run(small, end=0.03)
    shown = run._repr_html_()
    assert shown.startswith("<iframe") or "<table>" in shown
    axes = run.plot()
    assert "total" in [text.get_text() for text in axes.get_legend().get_texts()]
    assert len(run.plot("tip").lines) == 3
    with pytest.raises(KeyError, match="tip"):
        run.plot("tipp")
