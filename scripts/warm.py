#!/usr/bin/env python3
"""What a fit could save by starting from an earlier model when rows are added.

    scripts/warm.py --fsa ./fsa --seed 5000 --tables 10

An earlier model is fitted to a part of the rows, with nothing set. Then all rows are fitted: anew with nothing set; anew with
the size of the earlier model; that with --quick; with --quick among the variables of the earlier model and five times as many
that explain most of its residuals, which is what a start from it would anneal; and with the variables of the earlier model
alone. Each line is a mean over tables: R² on new rows or the log loss, the share of true variables, the processor time of the
program with and without reading the table, and the number of passes over the table. Needs NumPy.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time

import numpy as np

TRUE, TESTED, PER_VARIABLE = 20, 10000, 5


def table(seed, o):
    rng = np.random.default_rng(seed)
    beta = np.zeros(o.columns)
    beta[rng.choice(o.columns, TRUE, replace=False)] = np.geomspace(1, 0.05, TRUE) * rng.choice([-1, 1], TRUE)
    x = rng.standard_normal(size=(o.rows + TESTED, o.columns), dtype=np.float32)
    for j in range(1, o.columns):
        x[:, j] = 0.5 * x[:, j - 1] + np.sqrt(0.75) * x[:, j]
    z = x @ beta
    y = z + rng.normal(size=len(z)) if o.task == "regression" else (z + rng.logistic(size=len(z)) * 0.5 > 0).astype(float)
    return x, y, set(np.flatnonzero(beta).tolist())


def run(fsa, folder, x, y, *flags):
    """Fits, and returns the answer of the program, its processor time, and that of reading the table."""
    np.save(os.path.join(folder, "x.npy"), x)
    np.savetxt(os.path.join(folder, "y.txt"), y)
    times = []
    for extra in (["--plan"], ["--out", os.path.join(folder, "run")]):
        before = os.times()
        done = subprocess.run([fsa, "fit", "x.npy", "--target", "y.txt", "--threads", "1", "--bins", "0", "--interactions", "0", "--json", *flags, *extra], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stderr)
        after = os.times()
        times.append(after.children_user - before.children_user)
    return json.loads(done.stdout), times[1], times[0]


def decisions(model, x):
    z = np.full(len(x), model["intercept"] if not isinstance(model["intercept"], list) else model["intercept"][0])
    for v in model["variables"]:
        b = v["coefficient"] if "coefficient" in v else v["coefficients"][0]
        z += b * (x[:, v["index"]].astype(float) - v.get("center", 0))
    return z


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fsa", default="fsa")
    parser.add_argument("--seed", type=int, default=5000)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--rows", type=int, default=6000)
    parser.add_argument("--columns", type=int, default=1000)
    parser.add_argument("--share", type=float, default=0.8, help="share of the rows of the earlier model")
    parser.add_argument("--task", choices=["regression", "classification"], default="regression")
    o = parser.parse_args()
    fsa = os.path.abspath(o.fsa)
    sums = {}
    for seed in range(o.seed, o.seed + o.tables):
        x, y, true = table(seed, o)
        old = int(o.share * o.rows)
        with tempfile.TemporaryDirectory() as folder:

            def fit(name, columns, rows, *flags):
                start = time.time()
                m, seconds, reading = run(fsa, folder, np.ascontiguousarray(x[:rows][:, columns]), y[:rows], *flags)
                with open(os.path.join(folder, "run", "model.json")) as f:
                    model = json.load(f)
                model = model.get("model", model)
                for v in model["variables"]:
                    v["index"] = int(columns[v["index"]])
                z, target = decisions(model, x[o.rows:]), y[o.rows:]
                measure = 1 - np.mean((z - target) ** 2) / np.var(target) if o.task == "regression" else np.mean(np.logaddexp(0, np.where(target > 0, -z, z)))
                chosen = [v["index"] for v in model["variables"]]
                row = [measure, len(set(chosen) & true) / TRUE, len(chosen), seconds, max(0.0, seconds - reading), m["passes"] * len(columns) / o.columns]
                sums.setdefault(name, []).append(row)
                print(json.dumps({"seed": seed, "fit": name, "row": row, "wall": time.time() - start}), flush=True)
                return model, z, chosen

            every = np.arange(o.columns)
            earlier, _, chosen = fit("earlier rows, nothing set", every, old)
            k = str(len(chosen))
            fit("all rows, nothing set", every, o.rows)
            fit("all rows, -k", every, o.rows, "-k", k)
            fit("all rows, -k --quick", every, o.rows, "-k", k, "--quick")
            z = decisions(earlier, x[:o.rows])
            residual = y[:o.rows] - (z if o.task == "regression" else 1 / (1 + np.exp(-z)))
            promise = np.abs((x[:o.rows] - x[:o.rows].mean(0)).T @ residual)
            promise[chosen] = np.inf
            some = np.sort(np.argsort(-promise)[: (1 + PER_VARIABLE) * len(chosen)])
            fit("all rows, -k --quick, some columns", some, o.rows, "-k", k, "--quick")
            fit("all rows, variables of the earlier model", np.sort(chosen), o.rows, "-k", k, "--quick")
    print(f"| fit | {'R²' if o.task == 'regression' else 'log loss'} on new rows | true variables | variables | processor seconds | without reading | passes |\n|---|---|---|---|---|---|---|")
    for name, rows in sums.items():
        mean, error = np.mean(rows, 0), np.std(rows, 0, ddof=min(1, len(rows) - 1)) / np.sqrt(len(rows))
        print(f"| {name} | {mean[0]:.4f} ± {error[0]:.4f} | {mean[1]:.2f} | {mean[2]:.1f} | {mean[3]:.2f} | {mean[4]:.2f} | {mean[5]:.1f} |")


if __name__ == "__main__":
    main()
