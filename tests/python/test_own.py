# SPDX-License-Identifier: Apache-2.0
"""Systems, forces and methods written in Python, in the machinery of the built-in ones."""

import numpy as np
import pytest

import sinew


class Pendulum(sinew.System):
    """Of 2 kg at 0.5 m; q is the angle."""

    mass = [2.0 * 0.5**2]

    def potential(self, q, t):
        return -2.0 * 9.81 * 0.5 * np.cos(q[0])

    def force(self, q, v, t):
        return [-2.0 * 9.81 * 0.5 * np.sin(q[0])]


class Given(Pendulum):
    def stiffness(self, q, v, t):
        return [[2.0 * 9.81 * 0.5 * np.cos(q[0])]]


@pytest.mark.parametrize("method", ["verlet", "be", "si", "trapezoidal", "rk4", "tr-bdf2", "ere"])
def test_a_pendulum_swings_under_every_kind_of_method(method):
    sim = sinew.Simulation(Pendulum(), q=[0.3], dt=1e-3, integrator=method)
    sim.step(200)
    integrate = pytest.importorskip("scipy.integrate")
    exact = integrate.solve_ivp(lambda t, y: [y[1], -9.81 / 0.5 * np.sin(y[0])], (0, 0.2), [0.3, 0],
                                rtol=1e-12, atol=1e-12).y[:, -1]
    assert sim.t == pytest.approx(0.2)
    assert np.allclose([sim.q[0], sim.v[0]], exact, rtol=0, atol=5e-3 if method in ("be", "si") else 1e-5)


def test_differences_stand_in_for_a_stiffness():
    pytest.importorskip("scipy")
    own, given = (sinew.Simulation(kind(), q=[0.7], dt=0.01) for kind in (Pendulum, Given))
    assert own.stiffness().toarray() == pytest.approx(given.stiffness().toarray(), rel=1e-9)
    own.step(50), given.step(50)
    assert own.q == pytest.approx(given.q, abs=1e-8)
    assert own.mass().toarray() == [[0.5]]


def test_matrices_as_masses_and_damping():
    """Two masses with a coupled mass matrix: the energy of a damped motion falls as v D v says."""

    class Two(sinew.System):
        mass = [[2.0, 0.5], [0.5, 1.0]]
        D = np.array([[0.3, 0.0], [0.0, 0.1]])

        def force(self, q, v, t):
            return -4.0 * q - self.D @ v

        def stiffness(self, q, v, t):
            return 4.0 * np.eye(2)

        def damping(self, q, v, t):
            return self.D

    sim = sinew.Simulation(Two(), q=[1.0, -0.5], dt=1e-3, integrator="trapezoidal")
    linalg = pytest.importorskip("scipy.linalg")
    M = np.array(Two.mass)
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [np.linalg.solve(M, -4.0 * np.eye(2)), np.linalg.solve(M, -Two.D)]])
    sim.step(1000)
    assert np.allclose(np.r_[sim.q, sim.v], linalg.expm(A) @ [1.0, -0.5, 0, 0], atol=1e-5)


def test_broken_systems_say_what_is_wrong():
    class Short(Pendulum):
        def force(self, q, v, t):
            return [1.0, 2.0]

    sim = sinew.Simulation(Short(), q=[0.0], dt=0.01)
    with pytest.raises(ValueError, match="1 numbers"):
        sim.step()
    with pytest.raises(ValueError, match="1 numbers"):
        sinew.Simulation(Pendulum(), q=[0.0, 1.0], dt=0.01)
    with pytest.raises(TypeError, match="needs q and dt"):
        sinew.Simulation(Pendulum())
    with pytest.raises(sinew.InputError, match="be"):
        sinew.Simulation(Pendulum(), q=[0.0], dt=0.01, integrator="bee")


@sinew.add
class Tether(sinew.Force):
    """Draws vertices to a place, as examples/own_force.cpp does."""

    name = "tether-py"
    parameters = {"place": [0, 0, 0], "strength": 1.0}

    def energy(self, x, t):
        return 0.5 * self.strength * ((x - self.place) ** 2).sum()

    def force(self, x, v, t):
        return -self.strength * (x - self.place)

    def stiffness(self, x, v, t):
        return np.broadcast_to(self.strength * np.eye(3), (len(x), 3, 3))


def test_a_force_is_a_load_with_its_own_row_in_the_balance():
    scene = sinew.scene("hanging-ball", loads=[
        {"type": "tether-py", "body": "ball", "place": [0.2, 0, 0], "strength": 30}], end=0.05, dt=0.01)
    assert scene.loads[0].strength == 30 and scene.loads[0].place == [0.2, 0, 0]
    run = sinew.run(scene)
    assert run.status == "finished" and "tether-py" in run.energy
    assert run.energy["tether-py"][0] == pytest.approx(
        15 * ((run.positions[0] - [0.2, 0, 0]) ** 2).sum(), rel=1e-12)
    with pytest.raises(sinew.InputError, match="strength"):
        scene.loads[0].strenght = 3
    with pytest.raises(sinew.InputError, match="already"):
        sinew.add(type("Wind", (sinew.Integrator,), {"name": "be"}))
    # a cell of a notebook that is run again
    sinew.add(type("Again", (sinew.Force,), {"name": "tether-py", "parameters": {"other": 1.0}}))
    assert sinew.scene(scene.to_dict() | {"loads": [{"type": "tether-py", "other": 2}]}).loads[0].other == 2
    sinew.add(Tether)
    with pytest.raises(TypeError):
        sinew.add(int)


@sinew.add
class DriftKickDrift(sinew.Integrator):
    name, title, order = "dkd-py", "drift, kick, drift", 2
    options = {"strength": 1.0}

    def step(self, ask, q, v, t):
        half = q + 0.5 * ask.dt * v
        v = v + self.strength * ask.dt * ask.divide_by_mass(ask.force(half, v, t + 0.5 * ask.dt))
        return half + 0.5 * ask.dt * v, v


@sinew.add
class BackwardEuler(sinew.Integrator):
    """One Newton step of it: (M + h^2 K) dv = h (f - h K v)."""

    name, is_implicit = "linear-be-py", True
    kept = None

    def step(self, ask, q, v, t):
        type(self).kept = ask
        h = ask.dt
        K_v = (ask.force(q + 1e-6 * v, v, t) - ask.force(q - 1e-6 * v, v, t)) / -2e-6
        dv = ask.solve(1.0, h, h * h, h * (ask.force(q, v, t) - h * K_v), q, v, t)
        return q + h * (v + dv), v + dv


def test_a_method_is_what_a_scene_names(small):
    run = sinew.run(small, integrator="dkd-py", dt=1e-4, end=0.02)
    exact = sinew.run(small, integrator="verlet", dt=1e-4, end=0.02)
    assert run.manifest["integrator"]["name"] == "dkd-py"
    assert np.abs(run.positions - exact.positions).max() < 1e-6 < np.abs(np.ptp(exact.positions, axis=0)).max()
    none = sinew.run(small, integrator={"name": "dkd-py", "strength": 0.0}, end=0.02)
    assert np.array_equal(none.positions[-1], none.positions[0])  # nothing moves without kicks
    found = sinew.compare(small, ["dkd-py", "verlet"], dt=[1e-4], end=0.01)
    assert found.table.finished.all()
    # of the damping of the method: none below its limit
    assert np.allclose(sinew.damping("dkd-py", [0.5])["dkd-py"], 0, atol=1e-8)


def test_a_method_can_solve(small):
    own = sinew.run(small, integrator="linear-be-py", end=0.1)
    built_in = sinew.run(small, integrator="si", end=0.1)
    assert np.abs(own.positions - built_in.positions).max() < 1e-6
    with pytest.raises(RuntimeError, match="length of the call"):
        BackwardEuler.kept.dt
