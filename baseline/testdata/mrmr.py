"""Minimum redundancy, maximum relevance (the difference of the two), with the
mutual information of scikit-learn (1.9.1): makes mrmr.json.
"""
import json
import numpy as np
from sklearn.metrics import mutual_info_score

rng = np.random.default_rng(1)
n, m, k = 120, 15, 8
x = np.round((rng.normal(size=(n, m)) + 0.7 * rng.normal(size=(n, 1))) * 64) / 64  # exact in single precision
x[np.abs(x) < 1.1] = 0
number = x[:, 0] + x[:, 4] - x[:, 9] + 0.5 * rng.normal(size=n)
label = (number > 0.3).astype(float)


def states(v):
    return np.where(v < v.mean() - v.std() / 2, 0, np.where(v > v.mean() + v.std() / 2, 2, 1))


def choose(y):
    s = [states(x[:, j]) for j in range(m)]
    relevance = [mutual_info_score(v, y) for v in s]
    chosen = []
    while len(chosen) < k:
        def score(j):
            redundancy = np.mean([mutual_info_score(s[j], s[c]) for c in chosen]) if chosen else 0
            return relevance[j] - redundancy
        chosen.append(max((j for j in range(m) if j not in chosen), key=score))
    return chosen


json.dump({"x": x.ravel().tolist(), "y": label.tolist(), "columns": m, "k": k, "number": number.tolist(),
           "ofLabel": choose(label), "ofNumber": choose(states(number))}, open("mrmr.json", "w"))
