#!/bin/sh
# Puts the engines that exported models are tested with into an environment of Python:
#
#   scripts/engines/setup.sh DIR
#   FSA_ENGINES=DIR go test ./export/ ./cmd/fsa/ -run Engine
#
# Nothing outside DIR is touched, and removing DIR removes everything. Versions are
# pinned in requirements.txt.
set -eu

if [ $# -ne 1 ]; then
  echo "usage: $0 DIR" >&2
  exit 2
fi
dir=$1
here=$(dirname "$0")

"${PYTHON:-python3}" -m venv "$dir"
"$dir/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt" >&2
echo "$dir/bin/python"
