"""What the road from Python to the service costs, compared with copying X.

    python/benchmarks/overhead.py [ROWS] [COLUMNS]

prints for each form of X the time of a fit beyond what the same call of Go takes, as
milliseconds and as copies of X, into memory that is new or was there already; and how long the
service takes to start. The call of Go makes a dataset, of float32 numbers in memory or of
sparse rows, and fits it. Run this on a machine that does nothing else.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from fsa_select import FSARegressor, stop_service
from fsa_select._service import service

REPEATS = 7


def least(call: Callable[[], float]) -> float:
    """The shortest of some times."""
    return min(call() for _ in range(REPEATS))


def seconds(call: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def started() -> float:
    stop_service()
    return seconds(service)


def beyond(X: Any, y: Any) -> float:
    """Seconds of a call that are not those of the fit."""
    model = FSARegressor(k=10, quick=True, max_iter=50)
    return seconds(lambda: model.fit(X, y)) - model._seconds["fit"]


def reading(X: Any, y: Any) -> float:
    """Seconds in which the service makes a dataset."""
    return FSARegressor(k=10, quick=True, max_iter=50).fit(X, y)._seconds["reading"]


def copied(X: Any) -> float:
    """Seconds of a copy of X into new memory."""
    if sp.issparse(X):
        return seconds(X.copy)
    return seconds(lambda: X.copy(order="K"))


def overwritten(X: Any) -> float:
    """Seconds of a copy of X into memory that is there."""
    if sp.issparse(X):
        return seconds(X.copy)
    to = np.ones_like(X)
    return seconds(lambda: np.copyto(to, X))


def main() -> None:
    rows, columns = (int(argument) for argument in (sys.argv[1:] + ["10000", "1000"][len(sys.argv) - 1 :])[:2])
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, columns)).astype(np.float32)
    y = X[:, :10].sum(axis=1) + rng.normal(size=rows)
    sparse = sp.csc_matrix(np.where(rng.uniform(size=X.shape) < 0.05, X, 0))
    forms = {
        "float32, C order": X,
        "float32, Fortran order": np.asfortranarray(X),
        "float64, C order": X.astype(np.float64),
        "float64, Fortran order": np.asfortranarray(X, np.float64),
        "CSC, 5% of the cells": sparse,
        "CSR, 5% of the cells": sparse.tocsr(),
    }
    print(f"{rows} rows of {columns} columns; the least of {REPEATS} times")
    print(f"start of the service {1000 * least(started):.0f} ms")
    few = least(lambda: beyond(X[:50, :5].copy(), y[:50]))
    print(f"50 rows of 5 columns {1000 * few:.1f} ms beyond the fit")
    dense, rows_of_cells = (least(lambda form=form: reading(form, y)) for form in (X, forms["CSR, 5% of the cells"]))  # type: ignore[misc]
    print(f"{'':24} more than Go, without 10 ms: copies into new memory, and into old")
    for name, form in forms.items():
        more = least(lambda form=form: beyond(form, y)) - (rows_of_cells if sp.issparse(form) else dense)  # type: ignore[misc]
        new, old = (least(lambda form=form, copy=copy: copy(form)) for copy in (copied, overwritten))  # type: ignore[misc]
        rest = max(more - 0.01, 0)
        print(f"{name:24} {1000 * more:9.1f} ms {rest / new:26.1f} {rest / old:13.1f}")


if __name__ == "__main__":
    main()
