"""Reads tables as fsa reads them, to compare how long that takes.

Reads one request a line from standard input, its fields separated by tabs:

    method  threads  file

and answers each with two lines of JSON on standard output: {"ready": true} when the
clock starts, then {"seconds": ..., "selected": []} or {"error": "..."}. The first line
of all, before any request, tells which methods there are. A table is read when all of
its numbers are in memory, in columns or rows that one could calculate with.
"""

import importlib.metadata
import json
import os
import sys
import time


def with_numpy(path):
    import numpy as np

    return lambda: np.load(path)


def with_polars(path):
    import polars as pl

    return lambda: pl.read_parquet(path) if path.endswith(".parquet") else pl.read_csv(path)


def with_duckdb(path):
    import duckdb

    source = f"read_{'parquet' if path.endswith('.parquet') else 'csv'}('{path}')"
    return lambda: duckdb.sql(f"SELECT * FROM {source}").fetchnumpy()


METHODS = {"numpy": with_numpy, "polars": with_polars, "duckdb": with_duckdb}


def answer(line, say):
    method, threads, path = line.rstrip("\n").split("\t")
    os.environ["POLARS_MAX_THREADS"] = threads  # before it is loaded
    read = METHODS[method](path)
    say(ready=True)
    start = time.perf_counter()
    table = read()
    say(seconds=time.perf_counter() - start, selected=[])
    del table


def main():
    # Libraries may print; only answers go to standard output.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def say(**fields):
        print(json.dumps(fields), file=out, flush=True)

    methods, missing = {}, {}
    for method in METHODS:
        try:
            methods[method] = f"{method} {importlib.metadata.version(method)}"
        except importlib.metadata.PackageNotFoundError:
            missing[method] = f"the Python package {method} is not installed"
    say(methods=methods, missing=missing)
    for line in sys.stdin:
        try:
            answer(line, say)
        except Exception as e:
            say(error=f"{type(e).__name__}: {e}")


if __name__ == "__main__":
    main()
