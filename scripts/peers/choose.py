"""Compares how many variables are chosen, and how good the model is on other rows.

    scripts/peers/choose.py --fsa ./fsa --data ../shared/data --out choose.jsonl

fits fsa with nothing set, fsa --quick, and the methods that choose a size on their own
(abess by cross-validation and by its GIC, L1 and recursive elimination of scikit-learn by
cross-validation) to two thirds of the rows of real tables, and measures them on the others:
log loss of two classes, R² of a number. Every fit is a line of --out; those that are there
are not repeated. Prints a table of means over seeds.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np

FOLDS, MOST = 10, 100
CLASSES = ("genomics/alon", "genomics/golub", "genomics/shipp", "genomics/singh", "madelon")
NUMBERS = ("regression/riboflavin", "regression/eyedata", "regression/diabetes_x2")
METHODS = ("fsa", "fsa --quick", "abess cv", "abess gic", "l1 cv", "rfe cv")


def load(data, name):
    if name == "madelon":
        x = np.loadtxt(find(data, name, "madelon_train.data"))
        return x, np.loadtxt(find(data, name, "madelon_train.labels")) > 0
    folder = os.path.join(data, name)
    with gzip.open(os.path.join(folder, "X.csv.gz"), "rt") as f:
        lines = f.read().splitlines()
    try:
        [float(v) for v in lines[0].split(",")]
    except ValueError:
        lines = lines[1:]  # names
    x = np.array([line.split(",") for line in lines], float)
    y = open(os.path.join(folder, "y.txt")).read().split()
    if name in NUMBERS:
        return x, np.array(y[-len(x) :], float)
    y = np.array(y[-len(x) :])
    return x, y == sorted(set(y))[1]


def find(data, name, start):
    folder = os.path.join(data, name)
    return os.path.join(folder, next(f for f in sorted(os.listdir(folder)) if f.startswith(start)))


def split(y, seed, classes):
    """Two thirds to learn from, with the same share of each class."""
    rng = np.random.default_rng(seed)
    train = np.zeros(len(y), bool)
    for part in (y, ~y) if classes else (np.ones(len(y), bool),):
        rows = rng.permutation(np.flatnonzero(part))
        train[rows[: 2 * len(rows) // 3]] = True
    return train


def by_fsa(fsa, x, y, test, classes, *flags):
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)
        np.save(path("x.npy"), x)
        np.save(path("y.npy"), y.astype(float))
        np.save(path("t.npy"), test)
        run = lambda *args: subprocess.run([fsa, *args], check=True, capture_output=True, text=True).stdout
        fit = json.loads(run("fit", path("x.npy"), "--target", path("y.npy"), "--loss", "logistic" if classes else "squared", "--out", path("run"), "--json", *flags))
        p = json.loads(run("predict", path("run"), path("t.npy"), "--json"))
        return np.array(p["probability" if classes else "decision"]), fit["k"]


def by_abess(x, y, test, classes, **rule):
    import abess

    kind = abess.LogisticRegression if classes else abess.LinearRegression
    model = kind(support_size=range(min(MOST, len(y) // 2, x.shape[1]) + 1), **rule).fit(x, y)
    p = model.predict_proba(test)[:, -1] if classes else model.predict(test)
    return p, np.count_nonzero(model.coef_)


def by_l1(x, y, test, classes):
    from sklearn.linear_model import LassoCV, LogisticRegressionCV

    if not classes:
        model = LassoCV(cv=FOLDS).fit(x, y)
        return model.predict(test), np.count_nonzero(model.coef_)
    model = LogisticRegressionCV(Cs=20, cv=FOLDS, l1_ratios=(1,), solver="liblinear", scoring="neg_log_loss", use_legacy_attributes=False).fit(x, y)
    return model.predict_proba(test)[:, 1], np.count_nonzero(model.coef_)


def by_rfe(x, y, test, classes):
    from sklearn.feature_selection import RFECV
    from sklearn.linear_model import LogisticRegression, Ridge

    model = RFECV(LogisticRegression() if classes else Ridge(), step=0.1, cv=FOLDS).fit(x, y)
    return model.predict_proba(test)[:, 1] if classes else model.predict(test), int(model.n_features_)


def measure(p, y, classes):
    if not classes:
        return 1 - np.mean((y - p) ** 2) / np.var(y)
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return -np.mean(np.where(y, np.log(p), np.log(1 - p)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fsa", default="./fsa")
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--out", default="choose.jsonl")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--sets", default=",".join(CLASSES + NUMBERS))
    parser.add_argument("--methods", default=",".join(METHODS))
    o = parser.parse_args()
    warnings.simplefilter("ignore")
    done = {}
    if os.path.exists(o.out):
        for line in open(o.out):
            r = json.loads(line)
            done[r["set"], r["seed"], r["method"]] = r
    for seed in range(1000, 1000 + o.seeds):
        for name in o.sets.split(","):
            classes = name in CLASSES
            missing = [m for m in o.methods.split(",") if (name, seed, m) not in done]
            if not missing:
                continue
            x, y = load(o.data, name)
            train = split(y, seed, classes)
            mean, sd = x[train].mean(0), x[train].std(0)
            x = (x[:, sd > 0] - mean[sd > 0]) / sd[sd > 0]
            for m in missing:
                args = x[train], y[train], x[~train], classes
                p, k = {
                    "fsa": lambda: by_fsa(o.fsa, *args),
                    "fsa --quick": lambda: by_fsa(o.fsa, *args, "--quick"),
                    "abess cv": lambda: by_abess(*args, cv=FOLDS),
                    "abess gic": lambda: by_abess(*args, ic_type="gic"),
                    "l1 cv": lambda: by_l1(*args),
                    "rfe cv": lambda: by_rfe(*args),
                }[m]()
                r = {"set": name, "seed": seed, "method": m, "measure": float(measure(p, y[~train], classes)), "k": int(k)}
                done[name, seed, m] = r
                with open(o.out, "a") as f:
                    print(json.dumps(r), file=f)
    print("| table | measure |", " | ".join(METHODS), "|")
    print("|---" * (len(METHODS) + 2) + "|")
    for name in o.sets.split(","):
        cells = []
        for m in METHODS:
            rows = [r for (s, _, n), r in done.items() if s == name and n == m]
            v = np.array([r["measure"] for r in rows])
            cells.append(f"{v.mean():.3f} ± {v.std(ddof=1) / len(v) ** 0.5:.3f} ({np.mean([r['k'] for r in rows]):.1f})" if len(v) > 1 else "–")
        print(f"| {name.split('/')[-1]} | {'log loss' if name in CLASSES else 'R²'} |", " | ".join(cells), "|")


if __name__ == "__main__":
    sys.exit(main())
