"""Writes the golden file of constrained fits: the optima that SciPy finds.

    python3 constrained.py > constrained.json
"""
import json
import numpy as np
from scipy.optimize import LinearConstraint, minimize
from scipy.special import expit, xlogy

ROWS, COLS = 30, 5
problems = []
for seed in range(20):
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=(ROWS, COLS)) + 0.7 * rng.normal(size=(ROWS, 1)), 3)
    beta = rng.normal(size=COLS)
    signal = x @ beta + rng.normal(size=ROWS)
    name = ["squared", "logistic", "poisson"][seed % 3]
    y = {"squared": np.round(signal, 3), "logistic": np.where(signal > 0, 1.0, -1.0), "poisson": np.floor(np.exp(np.minimum(signal / 2, 3)))}[name]
    eye = np.eye(COLS)
    step = eye[1:] - eye[:-1]
    bend = step[1:] - step[:-1]
    shape = ["nonnegative", "bounds", "increasing", "convex", "increasing and convex"][seed % 5]
    rows, least = {
        "nonnegative": (eye, np.zeros(COLS)),
        "bounds": (np.vstack([eye, -eye]), np.full(2 * COLS, -0.3)),
        "increasing": (step, np.zeros(COLS - 1)),
        "convex": (bend, np.zeros(COLS - 2)),
        "increasing and convex": (np.vstack([step, bend]), np.zeros(2 * COLS - 3)),
    }[shape]
    ridge = 0.01

    def objective(b):
        z = x @ b[:-1] + b[-1]
        if name == "squared":
            loss, slope = (z - y) ** 2 / 2, z - y
        elif name == "logistic":
            loss, slope = np.logaddexp(0, -y * z), -y * expit(-y * z)
        else:
            loss, slope = np.exp(z) - y * z - y + xlogy(y, y), np.exp(z) - y
        grad = np.append(x.T @ slope / ROWS + 2 * ridge * b[:-1], slope.mean())
        return loss.mean() + ridge * (b[:-1] @ b[:-1]), grad

    a = np.hstack([rows, np.zeros((len(rows), 1))])
    best = minimize(objective, np.zeros(COLS + 1), jac=True, method="SLSQP", constraints=LinearConstraint(a, least, np.inf), options={"ftol": 1e-15, "maxiter": 1000})
    assert best.success, (seed, best.message)
    problems.append({"loss": name, "shape": shape, "x": x.T.tolist(), "y": y.tolist(), "weights": rows.tolist(), "least": least.tolist(), "objective": best.fun, "beta": best.x[:-1].tolist()})
print("[\n" + ",\n".join(json.dumps(p) for p in problems) + "\n]")
