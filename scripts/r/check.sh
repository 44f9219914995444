#!/bin/sh
# Builds the R package and runs R CMD check: its tests, examples and vignettes, with the program
# of this checkout.
#
#   scripts/r/check.sh [PROGRAM]
#
# PROGRAM is built by Go if it is not given. Debian's apt-get installs what is missing of R, which
# needs root. The reference manual as PDF is left out, because it would need TeX.
set -eu
cd "$(dirname "$0")/../.."
export TZ="${TZ:-UTC}" # otherwise R asks systemd, which containers lack

missing=
command -v qpdf > /dev/null || missing=" qpdf"
while read -r name package; do
  if [ "$name" = R ]; then
    command -v R > /dev/null || missing="$missing $package"
  elif ! command -v R > /dev/null || ! Rscript -e "quit(status = !requireNamespace('$name', quietly = TRUE))"; then
    missing="$missing $package"
  fi
done << END
R r-base-core
testthat r-cran-testthat
MASS r-cran-mass
Matrix r-cran-matrix
glmnet r-cran-glmnet
knitr r-cran-knitr
rmarkdown r-cran-rmarkdown
generics r-cran-generics
broom r-cran-broom
roxygen2 r-cran-roxygen2
survival r-cran-survival
recipes r-cran-recipes
END
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -n "$missing" ]; then
  echo "installing$missing"
  if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } > "$work/apt.log" 2>&1; then
    tail -n 20 "$work/apt.log"; echo "apt-get cannot install$missing"; exit 1
  fi
fi

program=${1:-$work/program}
[ -n "${1:-}" ] || go build -o "$program" ./cmd/fsa
FSA_BINARY=$(realpath "$program")
export FSA_BINARY

# The pages in man and NAMESPACE are written by roxygen2 from comments.
cp -r R/fsa "$work/fsa-source"
(cd "$work/fsa-source" && Rscript -e 'roxygen2::roxygenise(load_code = "source")' > "$work/roxygen.log" 2>&1) || { cat "$work/roxygen.log"; exit 1; }
for written in man NAMESPACE; do
  if ! diff -r "R/fsa/$written" "$work/fsa-source/$written"; then
    echo "R/fsa/$written is not what roxygen2 writes: run roxygen2::roxygenise(\"R/fsa\", load_code = \"source\")"; exit 1
  fi
done

awk '/^```r/ { on = 1; next } /^```/ { on = 0 } on' docs/guide/r.md > "$work/guide.R"
cp -r R/fsa "$work/fsa"
cd "$work"
R CMD build fsa > build.log 2>&1 || { cat build.log; exit 1; }
# Nothing is asked of servers.
export _R_CHECK_CRAN_INCOMING_REMOTE_=false _R_CHECK_SYSTEM_CLOCK_=0
R CMD check --as-cran --no-manual fsa_*.tar.gz > check.log 2>&1 || { cat check.log; cat fsa.Rcheck/tests/*.fail 2> /dev/null; exit 1; }
grep -A 12 -E '\.\.\. (NOTE|WARNING)' check.log || true
tail -n 4 check.log
if grep -q -E '^Status:.*(ERROR|WARNING)' check.log; then
  cat check.log; exit 1
fi

# The commands of docs/guide/r.md work as they stand there, with the tables of the tour.
"$FSA_BINARY" generate ar1 --task regression --n 300 --m 200 --k 5 --seed 1 --out train.csv > /dev/null
"$FSA_BINARY" generate ar1 --task regression --n 300 --m 200 --k 5 --seed 2 --out test.csv > /dev/null
R_LIBS=$work/fsa.Rcheck Rscript guide.R > guide.log 2>&1 || { cat guide.log; exit 1; }
