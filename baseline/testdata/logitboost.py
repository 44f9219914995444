"""LogitBoost as its authors wrote it down: makes logitboost.json.

Friedman, Hastie, Tibshirani (2000): "Additive Logistic Regression", algorithm
3, with weak learners of one variable: a line, or a constant for each bin. The
decision value is 2F. Run with numpy.
"""
import json
import numpy as np

rng = np.random.default_rng(3)
n, m, bins, rounds = 80, 6, 4, 8
x = np.round(rng.normal(size=(n, m)) * 64) / 64  # exact in single precision
x[rng.random(size=(n, m)) < 0.6] = 0
x[:, 5] = rng.integers(0, 3, size=n)
label = (x[:, 0] - x[:, 1] ** 2 + 0.5 * x[:, 5] + rng.normal(size=n) > 0).astype(float)
weight = rng.integers(1, 4, size=n).astype(float)
low, high = x.min(axis=0), x.max(axis=0)
bin_of = np.minimum(((x - low) / (high - low) * bins).astype(int), bins - 1)


def line(j, z, w):
    design = np.column_stack([np.ones(n), x[:, j]])
    root = np.sqrt(w)[:, None]
    coef = np.linalg.lstsq(design * root, z * root[:, 0], rcond=None)[0]
    return coef, design @ coef


def stairs(j, z, w):
    here = [bin_of[:, j] == b for b in range(bins)]
    coef = np.array([np.average(z[i], weights=w[i]) if i.any() else 0.0 for i in here])
    return coef, coef[bin_of[:, j]]


def boost(learner, width):
    f, coef, chosen = np.zeros(n), np.zeros((m, width)), []
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-2 * f))
        z, w = (label - p) / (p * (1 - p)), weight * p * (1 - p)
        fits = [learner(j, z, w) for j in range(m)]
        best = min(range(m), key=lambda j: w @ (z - fits[j][1]) ** 2)
        chosen.append(best)
        coef[best] += fits[best][0]
        f += fits[best][1] / 2
    return {"coef": coef.tolist(), "decision": (2 * f).tolist(), "chosen": chosen}


json.dump({"x": x.ravel().tolist(), "y": label.tolist(), "weight": weight.tolist(), "columns": m, "bins": bins,
           "rounds": rounds, "lines": boost(line, 2), "stairs": boost(stairs, bins)}, open("logitboost.json", "w"))
