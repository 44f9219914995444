"""Times scikit-learn's ridge at what BenchmarkRidge times ours at: six penalties
tried on a held-out fifth of the rows, and a fit with one of them on all rows.
Prints processor seconds, with one thread:

    OPENBLAS_NUM_THREADS=1 python ridge.py
    go test ./baseline -run '^$' -bench Ridge -cpu 1
"""

import time

import numpy as np
from sklearn.linear_model import Ridge, RidgeCV

GRID = [1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5]


def by_hand(x, y):
    """One fit for each penalty; scikit-learn's penalty is on the sum, ours on the mean."""
    train = len(y) * 4 // 5
    error = []
    for a in GRID:
        model = Ridge(alpha=a * train).fit(x[:train], y[:train])
        error.append(np.mean((model.predict(x[train:]) - y[train:]) ** 2))
    Ridge(alpha=GRID[int(np.argmin(error))] * len(y)).fit(x, y)


def built_in(x, y):
    """Leave-one-out by one decomposition."""
    RidgeCV(alphas=[a * len(y) for a in GRID]).fit(x, y)


for rows in (300, 1000, 3000, 10000):
    rng = np.random.default_rng(1)
    x = rng.standard_normal((rows, 1000))
    y = x[:, :30].sum(axis=1) + rng.standard_normal(rows)
    best = {}
    for method in (by_hand, built_in):
        for _ in range(3):
            start = time.process_time()
            method(x, y)
            seconds = time.process_time() - start
            best[method.__name__] = min(seconds, best.get(method.__name__, seconds))
    print(rows, {k: round(v, 4) for k, v in best.items()})
