"""Compares one fit of three quantiles with three fits of one, or measures other quantiles (--taus), on tables whose spread depends on variables, too.

Needs numpy, and the program in FSA. A table has 600 rows and 300 variables of correlation 0.5 between neighbours; three
variables move the mean, and two others the spread: y = x0 + x60 + x120 + exp(0.5·x180 + 0.5·x240 − 0.25)·e with normal e.
"""

import argparse
import json
import os
import subprocess
import tempfile

import numpy as np

FSA = os.environ.get("FSA", "fsa")
TRUE = {f"x{j}" for j in (0, 60, 120, 180, 240)}


def table(rng, rows, path):
    x = rng.normal(size=(rows, 300))
    for j in range(1, 300):
        x[:, j] = 0.5 * x[:, j - 1] + np.sqrt(0.75) * x[:, j]
    y = x[:, 0] + x[:, 60] + x[:, 120] + np.exp(0.5 * x[:, 180] + 0.5 * x[:, 240] - 0.25) * rng.normal(size=rows)
    head = ",".join([f"x{j}" for j in range(300)] + ["y"])
    np.savetxt(path, np.column_stack([x, y]), delimiter=",", header=head, comments="", fmt="%.6g")
    return y


def fit(folder, quantile):
    args = ["-k", "5", "--bins", "0", "--loss", "quantile", "--quantile", quantile, "--threads", "1", "--json", "--out", f"{folder}/{quantile}"]
    out = subprocess.run([FSA, "fit", f"{folder}/t.csv", "--target", "y", *args], check=True, capture_output=True, text=True).stdout
    subprocess.run([FSA, "predict", f"{folder}/{quantile}", f"{folder}/new.csv", "--out", f"{folder}/p.csv"], check=True, capture_output=True)
    return {v["name"] for v in json.loads(out)["selected"]}, np.loadtxt(f"{folder}/p.csv", delimiter=",", skiprows=1, ndmin=2)


def loss(y, p):
    u = y[:, None] - p
    return np.maximum(np.array(TAUS) * u, (np.array(TAUS) - 1) * u).mean()


o = argparse.ArgumentParser()
o.add_argument("--tables", type=int, default=5)
o.add_argument("--seed-from", type=int, default=100)
o.add_argument("--taus", default="0.1,0.5,0.9")
o.add_argument("--joint", action="store_true", help="only one fit of all quantiles")
o = o.parse_args()
TAUS = tuple(map(float, o.taus.split(",")))
rows = []
for seed in range(o.seed_from, o.seed_from + o.tables):
    rng = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory() as folder:
        table(rng, 600, f"{folder}/t.csv")
        y = table(rng, 5000, f"{folder}/new.csv")
        joint, p = fit(folder, ",".join(map(str, TAUS)))
        if o.joint:
            rows.append((y[:, None] <= p).mean(axis=0))
            print(seed, len(joint & TRUE), np.round(rows[-1], 4), flush=True)
            continue
        apart = [fit(folder, str(tau)) for tau in TAUS]
        q = np.column_stack([v for _, v in apart])
        rows.append([
            len(joint & TRUE), np.mean([len(s & TRUE) for s, _ in apart]), len(set().union(*(s for s, _ in apart))),
            loss(y, p), loss(y, q), (np.diff(p) < 0).any(axis=1).mean(), (np.diff(q) < 0).any(axis=1).mean(),
            *(y[:, None] <= p).mean(axis=0),
        ])
        print(seed, np.round(rows[-1], 4))
if o.joint:
    share = np.array(rows)
    print("share of new rows below", *(f"{t}: {v:.3f} ± {e:.3f}," for t, v, e in zip(TAUS, share.mean(axis=0), share.std(axis=0, ddof=1) / len(share) ** 0.5)))
    raise SystemExit
names = ["found by one fit", "by each of three", "variables of three together", "pinball of one", "of three", "crossing of one", "of three", *(f"below {t}" for t in TAUS)]
for name, v in zip(names, np.mean(rows, axis=0)):
    print(f"{name}: {v:.4f}")
