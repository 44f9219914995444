#!/bin/sh
# Asks the Go vulnerability database whether code that fsa calls has a known flaw, and the
# database of open source vulnerabilities about the packages of Python that tests and
# releases use, and those of R. It needs the network: the module proxy, vuln.go.dev (or
# GOVULNDB) and api.osv.dev (or OSV_URL). VERSION is that of the checker for Go.
set -eu
cd "$(dirname "$0")/.."
status=0
go run "golang.org/x/vuln/cmd/govulncheck@${VERSION:-v1.1.4}" ./... || status=1
go run ./scripts/advisories scripts/python/requirements.txt scripts/python/release.txt R/fsa/DESCRIPTION || status=1
exit "$status"
