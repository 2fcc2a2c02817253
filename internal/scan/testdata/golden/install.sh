#!/usr/bin/env bash
set -euo pipefail

# Variables that nobody sets are not known.
OUT="${OUT:-build}"
rm -rf "$OUT"

cleanup() {
	rm -rf "$1"
}
trap 'cleanup "$tmp"' EXIT
