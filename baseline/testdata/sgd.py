"""Logistic regression by stochastic gradient descent of scikit-learn (1.9.1):
makes sgd.json.

Three walks through the rows in their order, with its own first step.
"""
import json
import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import SGDClassifier

rng = np.random.default_rng(2)
n, m, alpha, epochs = 70, 5, 0.01, 3
x = np.round(rng.normal(size=(n, m)) * 64) / 64  # exact in single precision
x[rng.random(size=(n, m)) < 0.6] = 0
y = np.sign(x[:, 0] - 0.5 * x[:, 3] + 0.5 * rng.normal(size=n))
weight = rng.integers(1, 4, size=n).astype(float)


def learn(x):
    model = SGDClassifier(loss="log_loss", penalty="l2", alpha=alpha, max_iter=epochs, tol=None, shuffle=False)
    model.fit(x, y, sample_weight=weight / weight.mean())
    return model.coef_[0].tolist() + model.intercept_.tolist()


first = np.sqrt(1 / np.sqrt(alpha))  # its first step
json.dump({"x": x.ravel().tolist(), "y": y.tolist(), "weight": weight.tolist(), "columns": m, "alpha": alpha,
           "epochs": epochs, "time": 1 / (first * alpha), "dense": learn(x), "sparse": learn(csr_matrix(x))},
          open("sgd.json", "w"))
