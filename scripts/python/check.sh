#!/bin/sh
# Tests the Python package in an environment that setup.sh has made:
#
#   scripts/python/check.sh DIR [ARGUMENTS OF PYTEST...]
set -eu

if [ $# -lt 1 ]; then
  echo "usage: $0 DIR [ARGUMENTS OF PYTEST...]" >&2
  exit 2
fi
python=$(cd "$1/bin" && pwd)/python
shift
export SCIPY_ARRAY_API=1 # scikit-learn skips a check without it
cd "$(dirname "$0")/../../python"

if "$python" -c 'import mypy' 2> /dev/null; then
  "$python" -m mypy
fi
"$python" -m pytest --doctest-modules --doctest-ignore-import-errors --pyargs fsa_select
"$python" -m pytest "$@"
