"""Compares the Poisson deviance of fsa, scikit-learn and LightGBM on a real table of counts.

Needs statsmodels (for the table), scikit-learn, lightgbm, and the program in FSA. The table is the RAND health insurance
experiment: 20190 person-years with 9 variables, and the number of visits to a doctor. Each split fits about a quarter of the
rows, and measures the other ones. Rows of equal incentive payments and deductibles, which are mostly of one family, stay together.
"""

import argparse
import json
import os
import subprocess
import tempfile

import lightgbm
import numpy as np
import statsmodels.api as sm
from sklearn.linear_model import PoissonRegressor
from sklearn.metrics import mean_poisson_deviance
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

FSA = os.environ.get("FSA", "fsa")


def fsa(train, test, family):
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(f"{folder}/family.txt", family, fmt="%d")
        for name, table in (("train", train), ("test", test)):
            table.to_csv(f"{folder}/{name}.csv", index=False)
        told = subprocess.run([FSA, "fit", f"{folder}/train.csv", "--target", "mdvis", "--loss", "poisson", "--fold-by", f"{folder}/family.txt", "--threads", "1", "--json", "--out", f"{folder}/run"], check=True, capture_output=True).stdout
        subprocess.run([FSA, "predict", f"{folder}/run", f"{folder}/test.csv", "--out", f"{folder}/p.csv"], check=True, capture_output=True)
        model = json.loads(told)
        return np.loadtxt(f"{folder}/p.csv", delimiter=",", skiprows=1), [len(model["selected"]), len(model.get("interactions") or [])]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--splits", type=int, default=5)
    p.add_argument("--share", type=float, default=0.25)
    p.add_argument("--seed-from", type=int, default=1000)
    o = p.parse_args()
    table = sm.datasets.randhie.load_pandas().data
    family = table.groupby(["lpi", "fmde"]).ngroup().to_numpy()
    rows = {}
    for seed in range(o.seed_from, o.seed_from + o.splits):
        own = (np.random.default_rng(seed).random(family.max() + 1) < o.share)[family]
        train, test = table[own], table[~own]
        x, y, x_test, y_test = train.drop(columns="mdvis"), train["mdvis"], test.drop(columns="mdvis"), test["mdvis"]
        predicted, selected = fsa(train, test, family[own])
        told = {
            "fsa": predicted,
            "scikit-learn, all columns": make_pipeline(StandardScaler(), PoissonRegressor(alpha=1e-4, max_iter=1000)).fit(x, y).predict(x_test),
            "LightGBM, all columns": lightgbm.LGBMRegressor(objective="poisson", n_jobs=1, verbose=-1).fit(x, y).predict(x_test),
            "the mean": np.full(len(y_test), y.mean()),
        }
        for name, q in told.items():
            rows.setdefault(name, []).append(mean_poisson_deviance(y_test, q))
        print(seed, selected, {name: round(v[-1], 4) for name, v in rows.items()}, flush=True)
    for name, v in rows.items():
        d = np.array(v) - rows["fsa"]
        print(f"{name}: {np.mean(v):.4f}, minus fsa {d.mean():.4f} ± {d.std(ddof=1) / len(d) ** 0.5:.4f}")


main()
