#!/usr/bin/env bash
# Unpacks the packages of a folder into a scratch root and uses what is in them from there: the
# program, the library by an example that finds it, and the Python module. They must agree.
#   check_debs.sh FOLDER SCRATCH EXAMPLES PYTHON
set -euo pipefail
packages=$1 scratch=$2 examples=$3 python=$4
rm -rf "$scratch"
mkdir -p "$scratch/installed"
for name in sinew libsinew-dev python3-sinew; do
  package=$(ls "$packages/${name}"_*.deb)
  [ "$(dpkg-deb --field "$package" Package)" = "$name" ]
  dpkg-deb --field "$package" Depends | grep -q .
  dpkg-deb --extract "$package" "$scratch/installed"
done
[ -z "$(ls "$scratch/installed" | grep -vx usr)" ]
usr=$scratch/installed/usr
cd "$scratch"
echo '{"sinew": 1, "threads": 1, "bodies": [{"name": "bar", "mesh": {"size": [0.4, 0.2, 0.2], "cells": [4, 2, 2]}}],
  "fixed": [{"select": {"plane": {"normal": [1, 0, 0]}}}], "loads": [{"type": "gravity"}],
  "time": {"dt": 0.01, "end": 0.1}}' > bar.json
"$usr/bin/sinew" run bar.json -o by-program --quiet
PYTHONPATH="$usr/lib/python3/dist-packages" "$python" - <<'PYTHON'
import pathlib, sinew
assert "installed/usr/lib/python3/dist-packages" in sinew.__file__, sinew.__file__
sinew.run("bar.json", "by-python", progress=False)
read = lambda place: pathlib.Path(place, "energy.csv").read_bytes()
assert read("by-program") == read("by-python")
PYTHON
cmake -S "$examples" -B build -G Ninja "-DCMAKE_PREFIX_PATH=$usr" -DCMAKE_CXX_FLAGS=-O1 > cmake.log
cmake --build build --target own_system >> cmake.log
./build/own_system | grep -q "after one second"
echo "the packages work: $(cd "$packages" && echo *.deb)"
