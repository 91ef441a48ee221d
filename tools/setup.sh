#!/usr/bin/env bash
# Installs on Debian what is missing of tools/packages.txt; does nothing, quickly, when all is there.
#   tools/setup.sh demo    what the library and the program are built with
#   tools/setup.sh test    and what they are tested with
#   tools/setup.sh lint    and what the sources are checked with
#   tools/setup.sh notebooks   and what the notebooks are executed with
#   tools/setup.sh mpi     what `test` installs, and what several processes are built with
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=${1:-lint}
declare -A sections=([demo]="demo" [test]="demo test" [lint]="demo test lint" [notebooks]="demo test lint notebooks"
  [mpi]="demo test mpi")
[ -n "${sections[$wanted]:-}" ] || { echo "usage: tools/setup.sh demo|test|lint|notebooks|mpi" >&2; exit 2; }

missing=()
section=
while read -r line; do
  case $line in
    '' | '#'*) ;;
    '['*) section=${line//[\[\]]/} ;;
    *) [[ " ${sections[$wanted]} " == *" $section "* ]] || continue
      dpkg-query -W -f '${Status}' "$line" 2>/dev/null | grep -q 'ok installed' || missing+=("$line") ;;
  esac
done < tools/packages.txt
# Node.js may come with its npm or, on Debian, without
command -v npm >/dev/null || missing+=(nodejs npm)
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "please install as root: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
echo "installing: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
