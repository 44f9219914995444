#!/bin/sh
# Puts the programs that fsa is compared with into a throw-away environment:
#
#   scripts/peers/setup.sh DIR
#   fsa bench --peers DIR/bin/python
#   fsa paper real --peers DIR/bin/python
#
# Versions are those that the published numbers are of; another Python may need others.
# Nothing outside DIR is touched, and removing DIR removes everything. What
# cannot be had is named and left out. glmnet is not installed here: it is used
# where Rscript and the package are present already.
set -u

if [ $# -ne 1 ]; then
  echo "usage: $0 DIR" >&2
  exit 2
fi
dir=$1
missing=""

"${PYTHON:-python3}" -m venv "$dir" || exit 1
python="$dir/bin/python"
# One at a time, so that one that cannot be had does not take the others along.
for package in numpy==2.4.6 scipy==1.17.1 threadpoolctl==3.8.0 scikit-learn==1.9.1 pandas==3.1.1 abess==0.4.11 lightgbm==4.7.0 interpret-core==0.7.8 skglm==0.5 polars==2.1.0 duckdb==2.0.0; do
  echo "installing $package" >&2
  "$python" -m pip install --quiet --disable-pip-version-check "$package" >&2 || missing="$missing $package"
done
Rscript -e 'library(glmnet)' >/dev/null 2>&1 || missing="$missing glmnet(R)"

for name in $missing; do
  echo "missing: $name" >&2
done
echo "$python"
