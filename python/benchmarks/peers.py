"""How long other packages take for what FSA does, in one Python process.

    python/benchmarks/peers.py [ROWS] [COLUMNS] [K]

prints for each task and method its time as a multiple of that of FSAClassifier or
FSARegressor, whose time includes the road to the service, and how many of the true columns
each has found. Times are medians, of five or as many as ten seconds allow, after a first call
that does not count. Validation is off on both sides. Run it with the Python of
scripts/peers/setup.sh, into which this package was installed, on a machine that does nothing
else.
"""

from __future__ import annotations

import importlib.util
import os
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from fsa_select import FSAClassifier, FSARegressor

PEERS = Path(__file__).resolve().parents[2] / "scripts" / "peers" / "run.py"


def peers() -> Any:
    """The module that knows how to call other packages."""
    spec = importlib.util.spec_from_file_location("peers_run", PEERS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def table(rows: int, columns: int, k: int) -> tuple[Any, Any, list[int]]:
    """Correlated columns, k of which matter, spread evenly."""
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(rows, columns)) + rng.normal(size=(rows, 1))).astype(np.float32)
    true = list(range(columns // (2 * k), columns, columns // k))[:k]
    return X, X[:, true].sum(axis=1) + rng.normal(size=rows), true


def median(call: Callable[[], Any]) -> tuple[float, Any]:
    """The time of a call, and what it returns."""
    begun = time.perf_counter()
    result = call()
    times: list[float] = []
    while len(times) < 5 and (not times or time.perf_counter() - begun < 10):
        last = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - last)
    return statistics.median(times), result


def main() -> None:
    rows, columns, k = (int(argument) for argument in (sys.argv[1:] + ["10000", "1000", "30"][len(sys.argv) - 1 :])[:3])
    others = peers()
    others.wake_blas()
    warnings.simplefilter("ignore")
    X, response, true = table(rows, columns, k)
    print(f"{rows} rows of {columns} columns, {k} of them true")
    for task, y in (("regression", response), ("classification", np.where(response > np.median(response), 1.0, -1.0))):
        estimator: Any = FSARegressor(k=k, quick=True) if task == "regression" else FSAClassifier(k=k, quick=True)
        roads: list[float] = []

        def fit(estimator: Any = estimator, y: Any = y, roads: list[float] = roads) -> Any:
            begun = time.perf_counter()
            estimator.fit(X, y)
            roads.append(time.perf_counter() - begun - sum(estimator._seconds.values()))
            return estimator.selected_.tolist()

        own, selected = median(fit)
        print(f"{task:16} fsa         1.0 times, {len(set(true) & set(selected)):3} found; {statistics.median(roads) / own:.1%} of {1000 * own:.0f} ms on the road")
        for method, prepare in others.METHODS.items():
            if task == "classification" and method == "lasso" or task == "regression" and method == "liblinear":
                continue
            if method.endswith(("-cv", "-gic")):  # they choose k
                continue
            try:
                kind, order, select = prepare(task, k, os.cpu_count() or 1)
                form = np.array(X, dtype=kind, order=order)
                took, selected = median(lambda select=select, form=form, y=y: select(form, y))  # type: ignore[misc]
            except ImportError as error:
                print(f"{task:16} {method}: {error}")
                continue
            print(f"{task:16} {method:9} {took / own:6.1f} times, {len(set(true) & set(selected)):3} found")


if __name__ == "__main__":
    main()
