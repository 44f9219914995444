#!/bin/sh
# Builds the R package from this checkout into a folder, with the program for this machine in its
# bin if Go is there:
#
#   scripts/r/build.sh FOLDER
#   R CMD INSTALL FOLDER/fsa_*.tar.gz
#
# Without Go, install_fsa() of the installed package takes the program from an archive of a release.
set -eu
if [ $# -ne 1 ]; then
  echo "usage: $0 FOLDER" >&2
  exit 2
fi
mkdir -p "$1"
to=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r R/fsa "$work/fsa"
if command -v go > /dev/null; then
  mkdir -p "$work/fsa/inst/bin"
  CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o "$work/fsa/inst/bin/fsa" ./cmd/fsa
fi
cd "$to"
R CMD build --no-build-vignettes "$work/fsa"
