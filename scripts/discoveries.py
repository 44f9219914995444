"""Compares `fsa fit --fdr` with T-Rex and knockoffs of other programs: the share of false variables, and of those found.

Needs numpy, trexselector and knockpy, and the program in FSA. Tables have 300 rows and 1000 columns, ten of which have the effects 1
and -1 in turn; the signal is the variance that they explain over that of the errors. Knockoffs know the covariance of the
columns and minimise reconstructability (mvr), with the difference of lasso coefficients; T-Rex has its defaults, and
where columns are correlated also the method for neighbours (DA+AR1). The rate is 0.1.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time

import numpy as np

FSA = os.environ.get("FSA", "fsa")
ROWS, COLUMNS, RELEVANT, RATE = 300, 1000, 10, 0.1
CELLS = [(0.0, 1.0), (0.5, 1.0), (0.9, 10.0), (0.0, 0.5)]


def table(seed, rho, signal):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(ROWS, COLUMNS))
    for j in range(1, COLUMNS):
        x[:, j] = rho * x[:, j - 1] + np.sqrt(1 - rho * rho) * x[:, j]
    truth = np.arange(RELEVANT) * (COLUMNS // RELEVANT)
    beta = np.where(np.arange(RELEVANT) % 2, -1.0, 1.0)
    covariance = rho ** np.abs(truth[:, None] - truth)
    return x, x[:, truth] @ beta * np.sqrt(signal / (beta @ covariance @ beta)) + rng.normal(size=ROWS), truth


def ours(x, y, rho, seed):
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/x.npy", x)
        np.save(f"{folder}/x.y.npy", y)
        args = ["--fdr", str(RATE), "--threads", "1", "--seed", str(seed), "--json"]
        out = subprocess.run([FSA, "fit", f"{folder}/x.npy", *args], check=True, capture_output=True, text=True).stdout
    return [v["index"] for v in json.loads(out)["selected"]]


def trex(x, y, rho, seed, method="trex"):
    from trexselector import trex

    found = trex(x - x.mean(axis=0), y - y.mean(), tFDR=RATE, method=method, seed=seed, verbose=False)["selected_var"]
    return list(np.flatnonzero(found) if len(found) == COLUMNS else found)


def neighbours(x, y, rho, seed):
    return trex(x, y, rho, seed, "trex+DA+AR1") if rho else trex(x, y, rho, seed)


def knockoffs(x, y, rho, seed):
    from knockpy import KnockoffFilter

    np.random.seed(seed)
    sigma = rho ** np.abs(np.arange(COLUMNS)[:, None] - np.arange(COLUMNS)) if rho else np.eye(COLUMNS)
    f = KnockoffFilter(ksampler="gaussian", fstat="lasso", knockoff_kwargs={"method": "mvr"})
    return list(np.flatnonzero(f.forward(X=x, y=y, mu=np.zeros(COLUMNS), Sigma=sigma, fdr=RATE)))


METHODS = {"fsa": ours, "trex": trex, "trex, neighbours": neighbours, "knockpy": knockoffs}
o = argparse.ArgumentParser()
o.add_argument("--tables", type=int, default=10)
o.add_argument("--seed-from", type=int, default=5000)
o.add_argument("--methods", default=",".join(m for m in METHODS if "," not in m))
o = o.parse_args()
for rho, signal in CELLS:
    for method in o.methods.split(","):
        false, found, start = [], [], time.process_time()
        for seed in range(o.seed_from, o.seed_from + o.tables):
            x, y, truth = table(seed, rho, signal)
            chosen = METHODS[method](x, y, rho, seed)
            right = len(set(chosen) & set(truth))
            false.append(1 - right / max(len(chosen), 1) if chosen else 0.0)
            found.append(right / RELEVANT)
        error = np.std(found, ddof=1) / np.sqrt(o.tables) if o.tables > 1 else float("nan")
        print(f"neighbours {rho}, signal {signal}: {method}: {100 * np.mean(false):.0f}% false, {100 * np.mean(found):.0f} ± {100 * error:.0f}% found, {(time.process_time() - start) / o.tables:.0f} s", flush=True)
