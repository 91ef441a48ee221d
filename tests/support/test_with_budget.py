#!/usr/bin/env python3
"""Tests of with_budget.py: what is worked counts, what is waited for does not."""

import pathlib
import subprocess
import sys
import unittest

LAUNCHER = pathlib.Path(__file__).with_name("with_budget.py")
BURN = "import time\nwhile time.process_time() < {}: pass"


def run(budget, code):
    command = [sys.executable, LAUNCHER, str(budget), "trial", sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Budget(unittest.TestCase):
    def test_work_beyond_the_budget_fails_and_says_so(self):
        result = run(0.5, BURN.format(60))
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("suite trial used more than 0.5 processor seconds", result.stdout)

    def test_waiting_costs_nothing(self):
        result = run(1, "import time; time.sleep(2.5)")
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_the_work_of_children_counts(self):
        code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BURN.format(60)!r}])"
        result = run(0.5, code)
        self.assertIn("used more than 0.5 processor seconds", result.stdout)

    def test_many_small_children_count_together(self):
        small = BURN.format(0.2)
        code = f"import subprocess, sys\nfor _ in range(100): subprocess.run([sys.executable, '-c', {small!r}])"
        result = run(1, code)
        self.assertIn("used more than 1 processor seconds", result.stdout)

    def test_a_short_one_that_ends_over_budget_is_caught(self):
        self.assertNotEqual(run(0.01, BURN.format(0.3)).returncode, 0)

    def test_results_pass_through(self):
        self.assertEqual(run(5, "raise SystemExit(7)").returncode, 7)
        killed = run(5, "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
        self.assertEqual(killed.returncode, 128 + 11)
        self.assertIn("SIGSEGV", killed.stdout)

    def test_nothing_is_left_behind(self):
        code = "import subprocess; print(subprocess.Popen(['sleep', '600'], stdout=subprocess.DEVNULL).pid)"
        result = run(5, code)
        self.assertFalse(pathlib.Path("/proc", result.stdout.split()[0]).exists())


if __name__ == "__main__":
    unittest.main()
