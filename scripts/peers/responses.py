"""Compares how many true variables fsa, abess and glmnet find if the target is a count, an amount, a survival time, a
class of three, an ordered class or several numbers.

Needs abess and numpy, the program in FSA, and for --glmnet Rscript with glmnet. Tables are those of fsa generate ar1
(correlation 0.9), or the same variables with exponential survival times of which about a third are censored, or with one
of three classes, whose log odds have random signs for each true variable.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import abess
import numpy as np

FSA = os.environ.get("FSA", "fsa")


def cpu(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def fsa(path, *args):
    """Returns the selected columns and the CPU seconds of a fit."""
    before = cpu(resource.RUSAGE_CHILDREN)
    out = subprocess.run([FSA, "fit", path, "--bins", "0", "--json", *args], check=True, capture_output=True, text=True).stdout
    return {v["name"] for v in json.loads(out)["selected"]}, cpu(resource.RUSAGE_CHILDREN) - before


def peer(model, x, y):
    before = cpu(resource.RUSAGE_SELF)
    model.fit(x, y)
    return set(np.flatnonzero(np.abs(model.coef_).reshape(x.shape[1], -1).sum(axis=1))), cpu(resource.RUSAGE_SELF) - before


GLMNET = {"counts": "poisson", "amounts": "gamma", "survival": "cox", "classes": "multinomial", "multi": "mgaussian"}


def glmnet(task, tables, k, cv):
    """Returns a dictionary for each table; see glmnet.R."""
    with tempfile.TemporaryDirectory() as folder:
        for i, (x, y) in enumerate(tables):
            y = y.reshape(len(x), -1)
            for name, values in (("x", x), ("y", y), ("dim", np.array([*x.shape, y.shape[1]]))):
                values.astype(float).ravel(order="F").tofile(f"{folder}/{i:03}.{name}")
        told = subprocess.run(["Rscript", str(Path(__file__).with_name("glmnet.R")), GLMNET[task], str(k), folder, *["cv"] * cv], check=True, stdout=subprocess.PIPE, text=True).stdout
    return [json.loads(line) for line in told.splitlines()]


def classes(x, truth, rng):
    """One of three classes for each row."""
    odds = x[:, sorted(truth)] @ rng.choice([-1.0, 1.0], size=(len(truth), 3))
    odds += rng.gumbel(size=odds.shape)
    return odds.argmax(axis=1)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--tables", type=int, default=5)
    p.add_argument("-n", type=int, default=500)
    p.add_argument("-m", type=int, default=1000)
    p.add_argument("-k", type=int, default=10)
    p.add_argument("--seed-from", type=int, default=100)
    p.add_argument("--tasks", default="counts,amounts,survival,ordinal,multi")
    p.add_argument("--glmnet", action="store_true", help="also the path of glmnet")
    p.add_argument("--cv", action="store_true", help="also a cross-validation of glmnet, for its time")
    p.add_argument("--args", default="", help="more arguments of fsa fit, such as --args=--quick")
    o = p.parse_args()
    for task in o.tasks.split(","):
        found = {"fsa": [], "abess": []}
        took = {"fsa": 0.0, "abess": 0.0}
        tables, truths = [], []
        for seed in range(o.seed_from, o.seed_from + o.tables):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "t.csv")
                made = "counts" if task in ("survival", "classes") else task
                subprocess.run([FSA, "generate", "ar1", "--task", made, "--n", str(o.n), "--m", str(o.m), "--k", str(o.k), "--seed", str(seed), "--out", path], check=True)
                with open(path) as f:
                    head = f.readline().strip().split(",")
                table = np.loadtxt(path, delimiter=",", skiprows=1)
                x, y = table[:, : o.m], table[:, -1]
                truth = {int(v) for v in open(os.path.join(folder, "t.truth.txt"))}
                args = ["-k", str(o.k), "--threads", "1", *o.args.split()]
                if task == "survival":
                    rng = np.random.default_rng(seed)
                    risk = 0.7 * x[:, sorted(truth)].sum(axis=1) / np.sqrt(o.k)
                    time, end = rng.exponential(np.exp(-risk)), rng.exponential(2.0, size=o.n)
                    y = np.c_[np.minimum(time, end), time <= end]
                    np.savetxt(path, np.c_[x, y], delimiter=",", header=",".join(head[:-1] + ["time", "event"]), comments="", fmt="%.9g")
                    args += ["--loss", "cox", "--target", "time", "--event", "event"]
                    model = abess.CoxPHSurvivalAnalysis(support_size=o.k)
                elif task == "counts":
                    args += ["--loss", "poisson"]
                    model = abess.PoissonRegression(support_size=o.k)
                elif task == "ordinal":
                    args += ["--loss", "ordinal"]
                    model = abess.OrdinalRegression(support_size=o.k)
                elif task == "classes":
                    y = classes(x, truth, np.random.default_rng(seed))
                    np.savetxt(path, np.c_[x, y], delimiter=",", header=",".join(head), comments="", fmt="%.9g")
                    args += ["--loss", "multinomial"]
                    model = abess.MultinomialRegression(support_size=o.k)
                elif task == "multi":
                    args += ["--target", ",".join(head[o.m :])]
                    y = table[:, o.m :]
                    model = abess.MultiTaskRegression(support_size=o.k)
                else:
                    args += ["--loss", "gamma"]
                    model = abess.GammaRegression(support_size=o.k)
                names = {head[j] for j in truth}
                chosen, seconds = fsa(path, *args)
                found["fsa"].append(len(chosen & names))
                took["fsa"] += seconds
                chosen, seconds = peer(model, x, y)
                found["abess"].append(len(chosen & truth))
                took["abess"] += seconds
                tables.append((x, y))
                truths.append(truth)
        if o.glmnet and task in GLMNET:
            told = glmnet(task, tables, o.k, o.cv)
            for name, which in (("glmnet", "below"), ("top k", "top")):
                found[name] = [len(set(t[which]) & truth) for t, truth in zip(told, truths)]
                took[name] = sum(t["path"] for t in told)
            if o.cv:
                print(f"{task:9} glmnet with 10 folds: {np.mean([t['cv'] for t in told]):.2f} CPU seconds")
        for name in found:
            d = np.array(found["fsa"]) - np.array(found[name])
            more = "" if name == "fsa" else f"; fsa finds {d.mean():.2f} ± {d.std(ddof=1) / len(d) ** 0.5:.2f} more, more on {(d > 0).sum()}, fewer on {(d < 0).sum()}"
            print(f"{task:9} {name:6} {np.mean(found[name]):5.2f} of {o.k} {found[name]}, {took[name] / o.tables:.2f} CPU seconds{more}", flush=True)


main()
