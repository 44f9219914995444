#!/usr/bin/env python3
"""Compares fsa with linear pipelines of scikit-learn on real tables with texts, dates and gaps.

    scripts/peers/mixed.py --fsa ./fsa --data ../shared/data [--only taxi,scat] [--bins 5] [--seed-from 100]

Each table is cut five times into 70% of the rows to learn from and 30% to test on. fsa is given
the target and nothing else. The pipelines have one-hot or target encoding, imputation with
indicators, scaling, and L1 or elastic net by cross-validation. The best of them, by its mean on
the rows to test on, counts, which favours the pipelines a little. Classes are compared by log
loss, numbers by the root of the mean squared error. With --bins, curves of fsa stand beside
gradient boosting, for the gap to be known. A table counts as no worse if the mean difference is
at most its standard error over the splits; how many are within the standard error of the loss
itself, which is larger, is said as well. setup.sh makes an environment that has all it needs.
"""

import argparse
import json
import os
import subprocess
import tempfile
import warnings

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import ElasticNetCV, LassoCV, LogisticRegressionCV
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler, TargetEncoder

TARGETS = {
    "scat": "Species", "Sacramento": "price", "taxi": "tip", "car_prices": "Price", "communities": "ViolentCrimesPerPop",
    "mlc_churn": "churn", "attrition": "Attrition", "credit_data": "Status", "check_times": "check_time", "wa_churn": "churn",
    "stackoverflow": "Remote", "deliveries": "time_to_delivery", "lending_club": "Class",
}
SPLITS = 5


def load(data, name):
    path = ["regression", "communities", "communities.data.gz"] if name == "communities" else ["mixed", name + ".csv.gz"]
    table = pd.read_csv(os.path.join(data, *path), na_values=["?"])
    return table.dropna(subset=[TARGETS[name]])


def run(args):
    done = subprocess.run(args, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(" ".join(args) + ": " + done.stderr)
    return done.stdout


def fsa(program, train, test, target, classes, more=()):
    """The loss of fsa on the rows to test on."""
    with tempfile.TemporaryDirectory() as folder:
        a, b = os.path.join(folder, "train.csv"), os.path.join(folder, "test.csv")
        train.to_csv(a, index=False)
        test.to_csv(b, index=False)
        run([program, "fit", a, "--target", target, "--out", folder, *more])
        said = json.loads(run([program, "predict", folder, b, "--target", target, "--json"]))["metrics"]
    return said["logloss"] if classes else said["rmse"]


def is_text(column):
    return not pd.api.types.is_numeric_dtype(column)


def prepared(x, encoder):
    texts = [c for c in x if is_text(x[c])]
    numbers = [c for c in x if c not in texts]
    steps = [("numbers", make_pipeline(SimpleImputer(add_indicator=True), StandardScaler()), numbers)]
    if texts:
        steps.append(("texts", make_pipeline(SimpleImputer(strategy="constant", fill_value="(missing)"), encoder, StandardScaler(with_mean=False)), texts))
    return ColumnTransformer(steps)


def pipelines(x, classes):
    """The pipelines by their names; classes is how many there are, 0 for a regression."""
    few = {"scoring": "neg_log_loss", "cv": 5}
    saga = {"solver": "saga", "max_iter": 200, "tol": 1e-3}
    encoders = {"one-hot": OneHotEncoder(min_frequency=5, handle_unknown="infrequent_if_exist"), "target": TargetEncoder(random_state=0)}
    for name, encoder in encoders.items():
        if classes:
            lasso = LogisticRegressionCV(Cs=10, l1_ratios=[1.0], **(saga if classes > 2 else {"solver": "liblinear"}), **few)
            net = LogisticRegressionCV(Cs=5, l1_ratios=[0.5], **saga, **few)
        else:
            lasso, net = LassoCV(cv=5, max_iter=2000), ElasticNetCV(l1_ratio=0.5, cv=5, max_iter=2000)
        yield name + ", L1", make_pipeline(prepared(x, encoder), lasso)
        yield name + ", net", make_pipeline(prepared(x, encoder), net)


def boosting(x, classes):
    texts = [c for c in x if is_text(x[c])]
    codes = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1, max_categories=200)
    kind = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
    return make_pipeline(ColumnTransformer([("texts", codes, texts)], remainder="passthrough"), kind(random_state=0))


def measured(model, train, test, target, classes):
    model.fit(train.drop(columns=target), train[target])
    x, y = test.drop(columns=target), test[target]
    if classes:
        return log_loss(y, model.predict_proba(x), labels=model.classes_)
    return float(np.sqrt(np.mean((model.predict(x) - y) ** 2)))


def compared(o, name):
    """The line of a table, whether fsa is no worse, and whether it is within the error of the loss."""
    table, target = load(o.data, name), TARGETS[name]
    classes = table[target].nunique() if is_text(table[target]) else 0
    ours, theirs, curves, boosted = [], {}, [], []
    for seed in range(o.seed_from, o.seed_from + SPLITS):
        train, test = train_test_split(table, test_size=0.3, random_state=seed, stratify=table[target] if classes else None)
        ours.append(fsa(o.fsa, train, test, target, classes))
        for which, model in pipelines(table.drop(columns=target), classes):
            theirs.setdefault(which, []).append(measured(model, train, test, target, classes))
        if o.bins:
            curves.append(fsa(o.fsa, train, test, target, classes, ["--bins", o.bins]))
            boosted.append(measured(boosting(table.drop(columns=target), classes), train, test, target, classes))
    which = min(theirs, key=lambda w: np.mean(theirs[w]))
    difference = np.array(ours) - np.array(theirs[which])
    error = difference.std(ddof=1) / np.sqrt(SPLITS)
    fine = difference.mean() <= error
    loss_error = np.std(theirs[which], ddof=1) / np.sqrt(SPLITS)
    line = f"| {name} | {len(table)} | {np.mean(ours):.4g} | {np.mean(theirs[which]):.4g} ± {loss_error:.1g} | {which} | {difference.mean():.2g} ± {error:.1g} | {'yes' if fine else 'no'} |"
    if o.bins:
        line += f" {np.mean(curves):.4g} | {np.mean(boosted):.4g} |"
    return line, fine, difference.mean() <= loss_error


def main():
    warnings.filterwarnings("ignore")
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--fsa", default="fsa")
    p.add_argument("--data", required=True)
    p.add_argument("--only", default=",".join(TARGETS))
    p.add_argument("--bins", default="")
    p.add_argument("--seed-from", type=int, default=0, help="the seed of the first split; settings were chosen from 100 on")
    o = p.parse_args()
    print("| table | rows | fsa | best pipeline | which | difference ± s.e. | no worse |" + (" curves | boosting |" if o.bins else ""))
    print("|---|---|---|---|---|---|---|" + ("---|---|" if o.bins else ""))
    good, near, names = 0, 0, o.only.split(",")
    for name in names:
        line, fine, close = compared(o, name)
        good += fine
        near += close
        print(line, flush=True)
    print(f"\nno worse on {good} of {len(names)}; within a standard error of the loss on {near}")


if __name__ == "__main__":
    main()
