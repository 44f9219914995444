#!/usr/bin/env python3
"""Compares the loss of constrained fits with the optimum that SciPy finds.

    scripts/constrained.py --fsa ./fsa --seed 5000 --tables 20

Each table has 120 rows, four numbers and a text with five ordered categories. Signs, bounds, increasing lines, increasing and convex
curves and ordered categories take turns, and so do the squared, logistic and Poisson loss. All variables are selected, without a
ridge, so that the mean loss over the rows is what is minimised. SciPy (SLSQP, and trust-constr if that is lower) minimises the same
loss over the same functions. Needs NumPy and SciPy.
"""

import argparse
import csv
import json
import os
import subprocess
import tempfile

import numpy as np
from scipy.optimize import LinearConstraint, minimize
from scipy.special import expit, xlogy

ROWS, NUMBERS = 120, 4
GRADES = ["none", "low", "mid", "high", "best"]


def table(seed):
    rng = np.random.default_rng(seed)
    x = np.round((rng.normal(size=(ROWS, NUMBERS)) + 0.7 * rng.normal(size=(ROWS, 1))) * 64) / 64  # exact in single precision
    grade = np.concatenate([np.arange(5), rng.integers(0, 5, ROWS - 5)])
    z = x @ rng.normal(size=NUMBERS) + 0.5 * x[:, 0] ** 2 + 0.7 * rng.normal(size=5)[grade] + 0.3 * grade
    loss = ["squared", "logistic", "poisson"][seed % 3]
    if loss == "squared":
        y = np.round(64 * (z + rng.normal(size=ROWS))) / 64
    elif loss == "logistic":
        y = (z + 2 * rng.logistic(size=ROWS) > z.mean()).astype(float)
    else:
        y = rng.poisson(np.exp(np.clip(z / 3, None, 3))).astype(float)
    return x, grade, y, loss


def value(loss, y, z):
    if loss == "squared":
        return ((z - y) ** 2 / 2).mean(), (z - y) / len(y)
    if loss == "logistic":
        s = 2 * y - 1
        return np.logaddexp(0, -s * z).mean(), -s * expit(-s * z) / len(y)
    return (np.exp(z) - y * z - y + xlogy(y, y)).mean(), (np.exp(z) - y) / len(y)


def hats(x, knots):
    """The functions that are 1 at a knot, linear to its neighbours, and constant beyond."""
    return np.stack([np.interp(x, knots, row) for row in np.eye(len(knots))], 1)


def optimum(blocks, y, loss):
    """The least mean loss of a sum of blocks, each a matrix with its constraints, and an intercept."""
    design = np.hstack([np.ones((len(y), 1)), *(b for b, _, _ in blocks)])
    rows, least, at = [], [], 1
    for b, a, low in blocks:
        for weights, bound in zip(a, low, strict=True):
            row = np.zeros(design.shape[1])
            row[at : at + b.shape[1]] = weights
            rows.append(row)
            least.append(bound)
        at += b.shape[1]

    def f(beta):
        v, slope = value(loss, y, design @ beta)
        return v, design.T @ slope

    limits = LinearConstraint(np.array(rows), np.array(least), np.inf)
    start = np.zeros(design.shape[1])
    best = np.inf
    for method, options in (("SLSQP", {"ftol": 1e-16, "maxiter": 3000}), ("trust-constr", {"gtol": 1e-10, "xtol": 1e-14, "maxiter": 3000})):
        found = minimize(f, start, jac=True, method=method, constraints=limits, options=options)
        if (np.array(rows) @ found.x >= np.array(least) - 1e-9).all():
            best = min(best, found.fun)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fsa", default="fsa")
    parser.add_argument("--seed", type=int, default=5000)
    parser.add_argument("--tables", type=int, default=20)
    o = parser.parse_args()
    fsa, worst = os.path.abspath(o.fsa), 0.0
    for seed in range(o.seed, o.seed + o.tables):
        x, grade, y, loss = table(seed)
        kind = ["signs", "bounds", "increasing lines", "increasing curves", "convex curves"][seed // 3 % 5]
        step = np.diff(np.eye(5), axis=0)
        blocks = [(np.eye(5)[grade], step, np.zeros(4))]
        flags = ["--increasing", "grade", "--levels", "grade=" + ",".join(GRADES)]
        some = "x0,x1"
        if kind.endswith("curves"):
            flags += ["--bins", "4", "--increasing" if kind.startswith("incr") else "--convex", some]
        elif kind == "bounds":
            flags += ["--bins", "0", "--bounds", "x0=-0.2:0.2,x1=-0.2:0.2"]
        else:
            flags += ["--bins", "0", "--nonnegative" if kind == "signs" else "--increasing", some]
        with tempfile.TemporaryDirectory() as folder:
            path, out = os.path.join(folder, "t.csv"), os.path.join(folder, "run")
            with open(path, "w", newline="") as f:
                csv.writer(f).writerows([["x0", "x1", "x2", "x3", "grade", "y"], *([*map(repr, map(float, x[i])), GRADES[grade[i]], y[i]] for i in range(ROWS))])
            subprocess.run([fsa, "fit", path, "--target", "y", "-k", "5", "--loss", loss, "--quick", "--ridge", "none", "--threads", "1", "--out", out, *flags], check=True, capture_output=True)
            with open(os.path.join(out, "model.json")) as f:
                m = json.load(f)
            m = m.get("model", m)
        z, curves = np.full(ROWS, float(np.ravel(m["intercept"])[0])), {}
        for v in m["variables"]:
            b = np.array(v["coefficients"])
            if v["kind"] == "category":
                z += b[[v["categories"].index(GRADES[g]) for g in grade]]
                continue
            j = int(v["name"][1:])
            if v["kind"] == "curve":
                curves[j] = np.array(v.get("knots") or np.linspace(v["low"], v["high"], len(b)))
                z += hats(x[:, j], curves[j]) @ b
            else:
                z += b[0] * (x[:, j] - v.get("center", 0))
        for j in range(NUMBERS):
            if j in curves:
                h, knots = hats(x[:, j], curves[j]), curves[j]
                a, low = np.zeros((0, len(knots))), []
                if j < 2 and kind.startswith("incr"):
                    a, low = np.diff(np.eye(len(knots)), axis=0), np.zeros(len(knots) - 1)
                elif j < 2:
                    gap = np.diff(knots)
                    slopes = np.diff(np.eye(len(knots)), axis=0) / gap[:, None]
                    a, low = np.diff(slopes, axis=0), np.zeros(len(knots) - 2)
                blocks.append((h, a, low))
                continue
            a, low = np.zeros((0, 1)), []
            if j < 2 and kind == "bounds":
                a, low = np.array([[1.0], [-1.0]]), [-0.2, -0.2]
            elif j < 2:
                a, low = np.array([[1.0]]), [0.0]
            blocks.append((x[:, [j]], a, low))
        ours, best = value(loss, y, z)[0], optimum(blocks, y, loss)
        worst = max(worst, ours - best)
        print(f"{seed}  {loss:9}{kind:18}  ours {ours:.9f}  SciPy {best:.9f}  difference {ours - best:+.1e}", flush=True)
    print(f"largest difference: {worst:.1e}")


if __name__ == "__main__":
    main()
