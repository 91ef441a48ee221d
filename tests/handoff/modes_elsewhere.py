#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Natural frequencies of a clamped bar by `sinew modes` and by other people's codes.

    modes_elsewhere.py SINEW [--cells 32 8 8] [--count 20]

Assembles the matrices of linear elasticity on the same mesh with NumPy and finds their eigenvalues with ARPACK
(python3-scipy) and SLEPc (python3-slepc4py); gives the mesh to CalculiX (calculix-ccx). SLEPc and CalculiX are left out
where they are not installed. Without slepc-dev, SLEPC_DIR must name the folder of SLEPc. Fails when eigenvalues of the
same matrices differ by more than 1e-6. CalculiX integrates the mass of C3D4 at one point: it is compared with that mass,
and its distance to Sinew's two masses is shown."""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import meshio
import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg

YOUNG, POISSON, DENSITY = 1e6, 0.3, 1000.0


def run_sinew(program, folder, cells, count, mass):
    scene = folder / f"{mass}.json"
    scene.write_text(json.dumps({
        "sinew": 1, "name": mass,
        "bodies": [{"mesh": {"generator": "bar", "size": [4, 1, 0.8], "cells": cells}, "mass": mass,
                    "material": {"young": YOUNG, "poisson": POISSON, "density": DENSITY}}],
        "fixed": [{"select": {"plane": {"normal": [1, 0, 0]}}}]}))
    out = folder / mass
    start = time.time()
    subprocess.run([program, "modes", scene, "-n", str(count), "-o", out], check=True, stdout=subprocess.DEVNULL)
    print(f"sinew, {mass}: {time.time() - start:.2f} s with everything it writes")
    table = np.genfromtxt(out / "modes.csv", delimiter=",", names=True, dtype=None, encoding=None)
    frame = meshio.read(out / "frames/mode_01.vtu")
    return table["eigenvalue"], frame.points - frame.point_data["displacement"], frame.cells_dict["tetra"]


def assemble(points, tets):
    """K, and M in three ways, by the formulas of a textbook."""
    corners = points[tets]
    edges = np.transpose(corners[:, 1:] - corners[:, :1], (0, 2, 1))
    volume = np.linalg.det(edges) / 6.0
    inverse = np.linalg.inv(edges)
    gradients = np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1)  # tet, corner, axis
    strain = np.zeros((len(tets), 6, 12))
    for corner in range(4):
        x, y, z = gradients[:, corner].T
        for row, axis, value in ((0, 0, x), (1, 1, y), (2, 2, z), (3, 0, y), (3, 1, x), (4, 1, z), (4, 2, y), (5, 0, z), (5, 2, x)):
            strain[:, row, 3 * corner + axis] = value
    shear = YOUNG / (2 * (1 + POISSON))
    lame = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
    law = np.diag([2.0 * shear] * 3 + [shear] * 3)
    law[:3, :3] += lame
    K = np.einsum("t,tia,ij,tjb->tab", volume, strain, law, strain, optimize=True)
    mass = lambda weights: DENSITY * volume[:, None, None] * np.kron(weights, np.eye(3))
    dofs = (3 * tets[:, :, None] + np.arange(3)).reshape(len(tets), 12)
    rows, cols = np.repeat(dofs, 12, axis=1).ravel(), np.tile(dofs, (1, 12)).ravel()
    n = 3 * len(points)
    gather = lambda entries: sparse.coo_matrix((entries.ravel(), (rows, cols)), shape=(n, n)).tocsc()
    free = np.repeat(points[:, 0] > 1e-9, 3)
    held = lambda matrix: matrix[free][:, free]
    return held(gather(K)), {"lumped": held(gather(mass(np.eye(4) / 4))),
                             "consistent": held(gather(mass((np.ones((4, 4)) + np.eye(4)) / 20))),
                             "one-point": held(gather(mass(np.ones((4, 4)) / 16)))}


def arpack(K, M, count):
    return np.sort(scipy.sparse.linalg.eigsh(K, count, M, sigma=0.0, tol=1e-12)[0])


def slepc(K, M, count):
    from petsc4py import PETSc
    from slepc4py import SLEPc

    matrix = lambda A: PETSc.Mat().createAIJ(A.shape, csr=(A.indptr, A.indices, A.data))
    eps = SLEPc.EPS().create()
    eps.setOperators(matrix(K.tocsr()), matrix(M.tocsr()))
    eps.setProblemType(SLEPc.EPS.ProblemType.GHEP)
    eps.setDimensions(count)
    eps.setTolerances(1e-10)
    eps.setTarget(0.0)
    eps.setWhichEigenpairs(SLEPc.EPS.Which.TARGET_MAGNITUDE)
    transform = eps.getST()
    transform.setType("sinvert")
    transform.getKSP().setType("preonly")
    transform.getKSP().getPC().setType("cholesky")
    transform.getKSP().getPC().setFactorSolverType("mumps")
    eps.solve()
    return np.sort([eps.getEigenvalue(k).real for k in range(count)])


def calculix(folder, points, tets, count):
    lines = ["*NODE"] + [f"{k + 1}, {x:.17g}, {y:.17g}, {z:.17g}" for k, (x, y, z) in enumerate(points)]
    lines += ["*ELEMENT, TYPE=C3D4, ELSET=ALL"] + [f"{k + 1}, " + ", ".join(str(v + 1) for v in tet) for k, tet in enumerate(tets)]
    lines += ["*BOUNDARY"] + [f"{k + 1}, 1, 3" for k in np.flatnonzero(points[:, 0] <= 1e-9)]
    lines += ["*MATERIAL, NAME=M", "*ELASTIC", f"{YOUNG}, {POISSON}", "*DENSITY", f"{DENSITY}",
              "*SOLID SECTION, ELSET=ALL, MATERIAL=M", "*STEP", "*FREQUENCY", f"{count}", "*END STEP"]
    (folder / "bar.inp").write_text("\n".join(lines) + "\n")
    subprocess.run(["ccx", "bar"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    values = []
    for line in (folder / "bar.dat").read_text().splitlines():
        words = line.split()
        if len(words) == 5 and words[0].isdigit():
            values.append(float(words[1]))
        if len(values) == count:
            return np.array(values)
    raise RuntimeError("CalculiX gave fewer eigenvalues")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("sinew")
    arguments.add_argument("--cells", type=int, nargs=3, default=[32, 8, 8])
    arguments.add_argument("--count", type=int, default=20)
    arguments = arguments.parse_args()
    program, count, good = pathlib.Path(arguments.sinew).resolve(), arguments.count, True

    def judge(name, mine, theirs, seconds):
        nonlocal good
        difference = np.max(np.abs(mine / theirs - 1.0))
        good = good and difference <= 1e-6
        print(f"  {name:<10} {seconds:6.2f} s  {count} eigenvalues differ by at most {difference:.1e}")

    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        mine = {}
        for mass in ("lumped", "consistent"):
            mine[mass], points, tets = run_sinew(program, folder, arguments.cells, count, mass)
            K, masses = assemble(points, tets)
            print(f"  {K.shape[0]} unknowns, {len(tets)} tets, lowest eigenvalue {mine[mass][0]:.10g}")
            for name, solve in (("ARPACK", arpack), ("SLEPc", slepc)):
                start = time.time()
                try:
                    theirs = solve(K, masses[mass], count)
                except ImportError:
                    print(f"  {name} is not here")
                    continue
                judge(name, mine[mass], theirs, time.time() - start)
        if not shutil.which("ccx"):
            print("CalculiX is not here")
            return 0 if good else 1
        start = time.time()
        theirs = calculix(folder, points, tets, count)
        print(f"CalculiX, one-point mass: {time.time() - start:.2f} s")
        start = time.time()
        judge("ARPACK", arpack(K, masses["one-point"], count), theirs, time.time() - start)
        for mass, values in mine.items():
            apart = np.sqrt(values / theirs) - 1.0
            print(f"  frequencies of sinew, {mass}, against it: {apart[0]:+.2%} (first), "
                  f"{apart.min():+.2%} to {apart.max():+.2%}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
