#!/bin/sh
# Asks the Go vulnerability database whether code that fsa calls has a known flaw. It
# needs the network: the module proxy, and vuln.go.dev (or GOVULNDB). VERSION is that of
# the checker.
set -eu
cd "$(dirname "$0")/.."
exec go run "golang.org/x/vuln/cmd/govulncheck@${VERSION:-v1.1.4}" ./...
