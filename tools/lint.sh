#!/usr/bin/env bash
# Form and habits: formatting, layers, documentation, headers that stand alone, clang-tidy.
set -uo pipefail
cd "$(dirname "$0")/.."
status=0
jobs=${JOBS:-$(nproc)}

echo "format"
git ls-files '*.hpp' '*.cpp' | xargs clang-format --dry-run -Werror || status=1

echo "layers"
python3 tools/check_layers.py || status=1

echo "sizes"
python3 tools/check_sizes.py || status=1

echo "docs"
python3 tools/check_docs.py || status=1
# the same is a test; here it is for those who have built already
if [ -x build/release/bin/sinew ]; then
  python3 tools/check_tables.py build/release/bin/sinew || status=1
fi

echo "headers stand alone"
check_header() {
  echo "#include <${1#src/}>" | g++ -std=c++20 -fsyntax-only -Wno-psabi -Wall -Wextra -Werror \
    -DEIGEN_MAX_ALIGN_BYTES=32 -Isrc -isystem /usr/include/eigen3 -x c++ - || { echo "$1"; return 1; }
}
export -f check_header
git ls-files 'src/*.hpp' | xargs -P "$jobs" -I{} bash -c 'check_header {}' || status=1

echo "clang-tidy"
# as one unit per folder, as the build compiles them: most of the time goes into the headers
cmake --preset lint >/dev/null && cmake --build build/lint --target sinew_generated >/dev/null || status=1
python3 tools/build_units.py build/lint |
  xargs -P "$jobs" -n 1 clang-tidy -p build/lint --quiet --warnings-as-errors='*' \
    --checks=-bugprone-suspicious-include --extra-arg=-Wno-unknown-warning-option 2>/dev/null || status=1

[ $status -eq 0 ] && echo "lint ok"
exit $status
