#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Python costs: the time of `import sinew`, and steps called one at a time against as many in
one call, on a bar of 4,000 tets. The best of several rounds counts."""

import subprocess
import sys
import time


def seconds_of_import():
    code = "import time; t = time.process_time(); import sinew; print(time.process_time() - t)"
    return min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
               for _ in range(5))


def seconds_of_steps(scene, count):
    """Of one step: (all in one call, one call each). Processor time, and by turns, so that what else
    the machine does counts for little."""
    import sinew

    best = [float("inf"), float("inf")]
    for _ in range(9):
        for one_by_one in (0, 1):
            sim = sinew.Simulation(scene)
            sim.step()  # what is done once
            start = time.process_time()
            if one_by_one:
                for _ in range(count):
                    sim.step()
            else:
                sim.step(count)
            best[one_by_one] = min(best[one_by_one], (time.process_time() - start) / count)
    return best


def main():
    print(f"import sinew: {seconds_of_import():.3f} s of the processor")
    import sinew

    scene = sinew.scene(
        threads=1, output={"fps": 0}, time={"dt": 0.005},
        bodies=[{"name": "bar", "mesh": {"generator": "bar", "size": [1, 0.25, 0.25], "cells": [32, 5, 5]}}],
        fixed=[{"body": "bar", "select": {"plane": {"normal": [1, 0, 0]}}}], loads=[{"type": "gravity"}])
    tets = len(sinew.Mesh.generate("bar", cells=[32, 5, 5]).tets)
    for method, count in (("si", 60), ("be", 30), ("verlet", 300)):
        changed = scene.with_(integrator=method, **({"dt": 1e-5} if method == "verlet" else {}))
        inside, outside = seconds_of_steps(changed, count)
        print(f"{method:8s} {tets} tets: {1e3 * inside:.3f} ms per step in C++, {1e3 * outside:.3f} ms from Python, "
              f"{100 * (outside / inside - 1):+.1f} %")


if __name__ == "__main__":
    main()
