#!/bin/sh
# sh tests/gpu/fresh.sh BUILD: GPU benchmarks with --untrusted on this machine's GPU. The suite of
# tests/suites/fresh.c, honest, slow, and cheating in ten ways: tests/e2e/fresh.py, with a table of
# what was found. Needs bubblewrap, git, python3 and a C compiler. About 2 minutes.
set -eu
exec python3 "$(dirname "$0")/../e2e/fresh.py" "${1:?usage: fresh.sh BUILD}" gpu
