#!/usr/bin/env python3
"""Prints where the time of a build went, from ninja's log.

    tools/build_times.py build/release            the 20 slowest units, sums per folder, the total
    tools/build_times.py build/release -n 50
    tools/build_times.py build/release --target sinew_cli

A unit is one command of ninja; its seconds are from its start to its end. Where as many jobs run as
the machine has free cores, their sum is the core-seconds of the build. A folder that was built bit
by bit shows a mixture: use a new one and CCACHE_DISABLE=1 for a number to quote.
"""
import argparse
import collections
import pathlib
import subprocess
import sys


def read_log(path):
    """Output file -> seconds, for the last time each output was made."""
    commands = {}
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            continue
        start, end, _, output, command = line.split("\t")
        commands[output] = (command, int(start), int(end))
    # several outputs of one command are listed one by one: count them once
    units = {}
    for output, key in commands.items():
        units.setdefault(key, output)
    return {output: (end - start) / 1000.0 for (_, start, end), output in units.items()}


def ninja(build, *arguments):
    return subprocess.run(["ninja", "-C", build, "-t", *arguments], check=True, capture_output=True,
                          text=True).stdout.splitlines()


def built_for(build, target):
    """Every output that a target depends on; of all targets, without those of former builds."""
    if target is None:
        return {line.rsplit(":", 1)[0] for line in ninja(build, "targets", "all")}
    return {line.strip().strip("'") for line in ninja(build, "inputs", target)} | {target}


def short(output):
    """The path without the parts that every object has."""
    parts = [part for part in pathlib.PurePath(output).parts
             if part != "CMakeFiles" and not part.endswith(".dir")]
    return "/".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="a build folder, such as build/release")
    parser.add_argument("-n", type=int, default=20, help="how many units to print (20)")
    parser.add_argument("--target", help="only what this target needs")
    options = parser.parse_args()
    log = options.build / ".ninja_log"
    if not log.exists():
        sys.exit(f"{log}: no such file; was this folder built by ninja?")
    wanted = built_for(options.build, options.target)
    seconds = {output: time for output, time in read_log(log).items() if output in wanted}

    slowest = sorted(seconds.items(), key=lambda item: -item[1])
    print("seconds  unit")
    for output, time in slowest[:options.n]:
        print(f"{time:7.1f}  {short(output)}")
    folders, counts = collections.Counter(), collections.Counter()
    for output, time in seconds.items():
        folder = str(pathlib.PurePath(short(output)).parent)
        folders[folder] += time
        counts[folder] += 1
    print("\nseconds  units  folder")
    for folder, time in folders.most_common():
        print(f"{time:7.1f}  {counts[folder]:5}  {folder}")
    print(f"\n{sum(seconds.values()):.1f} core-seconds in {len(seconds)} units")


if __name__ == "__main__":
    main()
