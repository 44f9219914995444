"""Group tests around one subset of the variables, every test with a ridge
regression of scikit-learn (1.9.1) of its own: makes parallelfs.json.

With variables and response at length one, the penalty 0.01 on the sum of
squares is what is added to the variances. R² is that of normal variables whose
covariances are so regularised: the product of the coefficients with the
correlations.
"""
import json
import numpy as np
from sklearn.linear_model import Ridge

rng = np.random.default_rng(2)
n, m = 80, 12
x = np.round((rng.normal(size=(n, m)) + 0.6 * rng.normal(size=(n, 1))) * 64) / 64  # exact in single precision
x[np.abs(x) < 1.0] = 0
y = x[:, 1] - x[:, 6] + 0.8 * rng.normal(size=n)
weight = rng.integers(0, 4, size=n).astype(float)
members = [0, 3, 6, 7]


def unit(v):
    v = np.sqrt(weight / weight.sum()) * (v - np.average(v, weights=weight))
    return v / np.linalg.norm(v)


z = np.column_stack([unit(x[:, j]) for j in range(m)])
target = unit(y)


def score(test):
    model = Ridge(alpha=0.01, fit_intercept=False, solver="cholesky").fit(z[:, test], target)
    return -np.log(1 - model.coef_ @ (z[:, test].T @ target)) / 2


worth = []
for j in range(m):
    without = [i for i in members if i != j]
    worth.append(score(sorted(without + [j])) - score(without))
json.dump({"x": x.ravel().tolist(), "y": y.tolist(), "weight": weight.tolist(), "columns": m, "members": members, "worth": worth},
          open("parallelfs.json", "w"))
