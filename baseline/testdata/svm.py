"""Linear support vector machines and recursive feature elimination by
scikit-learn (1.9.1): makes svm.json.

Columns are standardised first, as fsa does with dense tables. LinearSVC is
liblinear, with the intercept as the coefficient of a column of ones.
"""
import json
import numpy as np
from sklearn.feature_selection import RFE
from sklearn.svm import LinearSVC

rng = np.random.default_rng(5)
n, m, c, keep = 90, 12, 0.05, 4
x = np.round((rng.normal(size=(n, m)) + rng.normal(size=(n, 1))) * 64) / 64  # exact in single precision
y = np.sign(x[:, 2] - x[:, 5] + 0.7 * x[:, 7] + rng.normal(size=n))
weight = rng.integers(1, 4, size=n).astype(float)
z = (x - x.mean(axis=0)) / x.std(axis=0)


def machine():
    return LinearSVC(loss="hinge", dual=True, C=c, tol=1e-10, max_iter=10_000_000, random_state=1)


plain = machine().fit(z, y)
weighted = machine().fit(z, y, sample_weight=weight)
rfe = RFE(machine(), n_features_to_select=keep, step=1).fit(z, y)
json.dump({"x": x.ravel().tolist(), "y": y.tolist(), "columns": m, "weights": weight.tolist(), "c": c, "keep": keep,
           "plain": plain.coef_[0].tolist() + plain.intercept_.tolist(),
           "weighted": weighted.coef_[0].tolist() + weighted.intercept_.tolist(),
           "kept": np.flatnonzero(rfe.support_).tolist(),
           "last": (rfe.estimator_.coef_[0] / x.std(axis=0)[rfe.support_]).tolist()}, open("svm.json", "w"))
