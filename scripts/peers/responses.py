"""Compares how many true variables fsa and abess find if the target is a count, an amount, a survival time, an
ordered class or several numbers.

Needs abess and numpy, and the program in FSA. Tables are those of fsa generate ar1 (correlation 0.9), or the same
variables with exponential survival times of which about a third are censored.
"""

import argparse
import json
import os
import resource
import subprocess
import tempfile

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


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--tables", type=int, default=5)
    p.add_argument("-n", type=int, default=500)
    p.add_argument("-m", type=int, default=1000)
    p.add_argument("-k", type=int, default=10)
    p.add_argument("--seed-from", type=int, default=100)
    p.add_argument("--tasks", default="counts,amounts,survival,ordinal,multi")
    o = p.parse_args()
    for task in o.tasks.split(","):
        found = {"fsa": [], "abess": []}
        took = {"fsa": 0.0, "abess": 0.0}
        for seed in range(o.seed_from, o.seed_from + o.tables):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "t.csv")
                made = "counts" if task == "survival" else task
                subprocess.run([FSA, "generate", "ar1", "--task", made, "--n", str(o.n), "--m", str(o.m), "--k", str(o.k), "--seed", str(seed), "--out", path], check=True)
                with open(path) as f:
                    head = f.readline().strip().split(",")
                table = np.loadtxt(path, delimiter=",", skiprows=1)
                x, y = table[:, : o.m], table[:, -1]
                truth = {int(v) for v in open(os.path.join(folder, "t.truth.txt"))}
                args = ["-k", str(o.k)]
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
        for name in found:
            print(f"{task:9} {name:6} {np.mean(found[name]):5.2f} of {o.k} {found[name]}, {took[name] / o.tables:.2f} CPU seconds", flush=True)


main()
