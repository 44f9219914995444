"""RankBoost by the book, with every pair listed: makes rankboost.json.

Freund, Iyer, Schapire, Singer (2003): "An Efficient Boosting Algorithm for
Combining Preferences", the third way to choose alpha. Run with numpy.
"""
import json
import numpy as np

rng = np.random.default_rng(7)
n, m, bins, rounds = 60, 5, 8, 25
x = np.round(rng.normal(size=(n, m)) * 64) / 64  # exact in single precision
x[rng.random(size=(n, m)) < 0.6] = 0
x[:, 4] = rng.integers(0, 9, size=n)  # many ties, some on the borders of bins
query = np.repeat(np.arange(6), [4, 16, 10, 10, 12, 8])
score = x[:, 0] + 0.5 * x[:, 1] ** 2 + 0.2 * x[:, 4] + rng.normal(size=n)
y = np.clip(np.floor(score), -1, 2) + 1
weight = rng.integers(1, 4, size=n).astype(float)

pairs = [(i, j) for i in range(n) for j in range(n)
         if query[i] == query[j] and y[i] > y[j]]  # i is better
better, worse = np.array(pairs).T
start = (weight[better] + weight[worse]) / 2

low, high = x.min(axis=0), x.max(axis=0)
h = np.zeros(n)
heights = np.zeros((m, bins))
losses = []
for _ in range(rounds):
    mass = start * np.exp(h[worse] - h[better])
    losses.append(float(np.log(mass.sum())))
    mass /= mass.sum()
    best = (0, None, None)
    for j in range(m):
        for b in range(1, bins):
            lifted = x[:, j] >= low[j] + (high[j] - low[j]) * b / bins
            r = float(mass @ (lifted[better].astype(float) - lifted[worse]))
            if abs(r) > abs(best[0]) + 1e-12:
                best = (r, j, b)
    r, j, b = best
    alpha = 0.5 * np.log((1 + r + 1 / n) / (1 - r + 1 / n))
    heights[j, b:] += alpha
    h += alpha * (x[:, j] >= low[j] + (high[j] - low[j]) * b / bins)

json.dump({"x": x.ravel().tolist(), "y": y.tolist(), "weight": weight.tolist(), "query": query.tolist(),
           "columns": m, "bins": bins, "rounds": rounds, "heights": heights.tolist(), "losses": losses,
           "decision": h.tolist()}, open("rankboost.json", "w"))
