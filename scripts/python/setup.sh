#!/bin/sh
# Puts the Python package, built from this checkout, and what its tests need into an
# environment:
#
#   scripts/python/setup.sh DIR [REQUIREMENTS]
#   scripts/python/check.sh DIR
#
# REQUIREMENTS is requirements.txt, the newest versions that are tested, or oldest.txt.
# Nothing outside DIR is touched, and removing DIR removes everything. Needs Go.
set -eu

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
  echo "usage: $0 DIR [REQUIREMENTS]" >&2
  exit 2
fi
dir=$1
here=$(dirname "$0")

"${PYTHON:-python3}" -m venv "$dir"
"$dir/bin/python" -m pip install --quiet --disable-pip-version-check -r "${2:-$here/requirements.txt}" >&2
"$dir/bin/python" -m pip install --quiet --disable-pip-version-check "$here/../../python" >&2
echo "$dir/bin/python"
