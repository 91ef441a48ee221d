#!/usr/bin/env python3
"""Runs a test under a budget of processor seconds: with_budget.py SECONDS NAME COMMAND...

What counts is the time that the command and all its descendants spend on processors, in all their
threads: a busy machine makes a test slow, not expensive. RLIMIT_CPU would count every process on its
own, and a suite that starts hundreds of programs would never reach it."""

import ctypes
import os
import resource
import signal
import subprocess
import sys
import time

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
TICKS = os.sysconf("SC_CLK_TCK")
OVER_BUDGET = 124


def processes():
    """pid -> (parent, processor seconds of it and of the children it has waited for)."""
    table = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as stat:
                # the name of the program may hold anything, brackets included
                fields = stat.read().rpartition(")")[2].split()
        except OSError:
            continue  # it ended
        table[int(name)] = (int(fields[1]), sum(map(int, fields[11:15])) / TICKS)
    return table


def descendants(table, root):
    children = {}
    for pid, (parent, _) in table.items():
        children.setdefault(parent, []).append(pid)
    found, queue = [], [root]
    while queue:
        queue.extend(children.get(queue[0], []))
        found.append(queue.pop(0))
    return found[1:]


def reaped_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def used_seconds():
    table = processes()
    return reaped_seconds() + sum(table[pid][1] for pid in descendants(table, os.getpid()))


def kill_all():
    # again, since what is killed may just have started another
    for _ in range(10):
        pids = descendants(processes(), os.getpid())
        if not pids:
            return
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        reap()
        time.sleep(0.02)


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
    except ChildProcessError:
        pass


def main():
    budget, name, command = float(sys.argv[1]), sys.argv[2], sys.argv[3:]
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    # whoever ends this launcher, as ctest does with one that hangs, ends the test too
    child = subprocess.Popen(command, preexec_fn=lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL))
    interval = 0.02
    while child.poll() is None:
        time.sleep(interval)
        interval = min(0.25, 1.5 * interval)
        if used_seconds() > budget:
            kill_all()
            break
    used = used_seconds()
    kill_all()
    if used > budget:
        print(f"suite {name} used more than {budget:g} processor seconds", flush=True)
        return OVER_BUDGET
    print(f"suite {name} used {used:.1f} of {budget:g} processor seconds", flush=True)
    if child.returncode < 0:
        print(f"suite {name} was ended by {signal.Signals(-child.returncode).name}", flush=True)
        return 128 - child.returncode
    return child.returncode


if __name__ == "__main__":
    sys.exit(main())
