"""Solutions of penalised problems by scikit-learn 1.9.1 and skglm 0.5.

Run as: python penalised.py > penalised.json

Every objective is the mean loss, half the squared error or ln(1+exp(-yz)), plus
the penalty of each coefficient; the intercept is free. The numbers of the
tables are exact in 32 bits. Concave penalties start at zero.
"""
import json
import warnings

import numpy as np
from sklearn.linear_model import ElasticNet, Lasso, LinearRegression, LogisticRegression, Ridge
from skglm.datafits import Logistic, Quadratic
from skglm.penalties import MCPenalty, SCAD
from skglm.solvers import AndersonCD, ProxNewton

warnings.simplefilter("error")
rng = np.random.default_rng(20)


def table(n, m, rho):
    """Neighbours of a walk along the columns correlate by rho; means differ."""
    x = rng.standard_normal((n, m))
    for j in range(1, m):
        x[:, j] = rho * x[:, j - 1] + np.sqrt(1 - rho**2) * x[:, j]
    return np.round((x + rng.uniform(-1, 1, m)) * 256) / 256


def exact(v):
    return np.round(v * 256) / 256


def numbers(v):
    return [round(float(x), 12) for x in np.ravel(v)]


def case(penalty, a, b, beta, intercept, weighted=False):
    return {"penalty": penalty, "a": a, "b": b, "weighted": weighted,
            "beta": numbers(beta), "intercept": round(float(np.ravel(intercept)[0]), 12)}


def squared():
    n, m = 60, 20
    x = table(n, m, 0.7)
    true = np.zeros(m)
    true[[1, 5, 6, 12]] = [2, -1.5, 1, 0.7]
    y = exact(x @ true + 0.5 * rng.standard_normal(n) + 3)
    w = exact(rng.uniform(0.2, 2, n))
    cases = []
    for weighted, sw in ((False, None), (True, w)):
        for lam in (0.5, 0.1, 0.02):
            f = Lasso(alpha=lam, tol=1e-14, max_iter=1000000).fit(x, y, sample_weight=sw)
            cases.append(case("elastic", lam, 0, f.coef_, f.intercept_, weighted))
        f = ElasticNet(alpha=0.2, l1_ratio=0.6, tol=1e-14, max_iter=1000000).fit(x, y, sample_weight=sw)
        cases.append(case("elastic", 0.2 * 0.6, 0.2 * 0.4, f.coef_, f.intercept_, weighted))
        for alpha in (1, 1e-3):
            f = Ridge(alpha=alpha * (n if sw is None else sw.sum()), tol=1e-14).fit(x, y, sample_weight=sw)
            cases.append(case("ridge", alpha, 0, f.coef_, f.intercept_, weighted))
        f = LinearRegression().fit(x, y, sample_weight=sw)
        cases.append(case("ridge", 0, 0, f.coef_, f.intercept_, weighted))
    for lam in (0.6, 0.3, 0.15):
        for name, gamma, p in (("mcp", 3, MCPenalty), ("scad", 3.7, SCAD)):
            d = Quadratic()
            f = AndersonCD(tol=1e-12, max_iter=1000, fit_intercept=True).solve(np.asfortranarray(x), y, d, p(lam, gamma))[0]
            cases.append(case(name, lam, gamma, f[:-1], f[-1]))
    return {"x": numbers(x), "y": numbers(y), "columns": m, "weights": numbers(w), "cases": cases}


def wide():
    n, m = 15, 40
    x = table(n, m, 0.7)
    y = exact(x[:, 3] - x[:, 20] + 0.3 * rng.standard_normal(n))
    w = exact(rng.uniform(0.2, 2, n))
    cases = []
    for weighted, sw in ((False, None), (True, w)):
        for alpha in (1, 1e-3):
            f = Ridge(alpha=alpha * (n if sw is None else sw.sum()), tol=1e-14).fit(x, y, sample_weight=sw)
            cases.append(case("ridge", alpha, 0, f.coef_, f.intercept_, weighted))
    return {"x": numbers(x), "y": numbers(y), "columns": m, "weights": numbers(w), "cases": cases}


def logistic():
    n, m = 80, 15
    x = table(n, m, 0.7)
    true = np.zeros(m)
    true[[2, 3, 9]] = [2, -1.5, 1]
    y = np.where(x @ true + rng.logistic(size=n) > 0.3, 1.0, -1.0)
    w = exact(rng.uniform(0.2, 2, n))
    cases = []

    def fit(ratio, alpha, sw):
        total = n if sw is None else sw.sum()
        return LogisticRegression(solver="saga", l1_ratio=ratio, C=1 / (total * alpha), tol=1e-13, max_iter=1000000).fit(x, y, sample_weight=sw)

    for weighted, sw in ((False, None), (True, w)):
        for lam in (0.06, 0.03, 0.005):
            f = fit(1, lam, sw)
            cases.append(case("elastic", lam, 0, f.coef_, f.intercept_, weighted))
        f = fit(0.6, 0.05, sw)
        cases.append(case("elastic", 0.05 * 0.6, 0.05 * 0.4, f.coef_, f.intercept_, weighted))
        f = fit(0, 0.01, sw)
        cases.append(case("ridge", 0.01, 0, f.coef_, f.intercept_, weighted))
    for lam in (0.12, 0.06, 0.05):
        for name, gamma, p in (("mcp", 12, MCPenalty), ("scad", 11.8, SCAD)):
            f = ProxNewton(tol=1e-11, max_iter=1000, fit_intercept=True).solve(np.asfortranarray(x), y, Logistic(), p(lam, gamma))[0]
            cases.append(case(name, lam, gamma, f[:-1], f[-1]))
    return {"x": numbers(x), "y": numbers(y), "columns": m, "weights": numbers(w), "cases": cases}


print(json.dumps({"squared": squared(), "wide": wide(), "logistic": logistic()}))
