#!/usr/bin/env python3
"""Serves a run with `sinew view` and fetches it: on loopback only, ended by Ctrl-C. Called by ctest
with the program and a run directory that has a report."""
import pathlib
import signal
import subprocess
import sys
import urllib.request

PATIENCE = 600  # s, on the clock: for what hangs, not for what is slow


def main():
    program, run = sys.argv[1], pathlib.Path(sys.argv[2])
    server = subprocess.Popen([program, "view", run], stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), address
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            assert answer.read() == (run / "report.html").read_bytes()
        with urllib.request.urlopen(address + "energy.csv", timeout=PATIENCE) as answer:
            assert answer.read() == (run / "energy.csv").read_bytes()
    finally:
        server.send_signal(signal.SIGINT)
    assert server.wait(timeout=PATIENCE) == 0
    print("served, fetched and ended")


main()
