"""Writes table.csv and golden.json: generalised linear models and quantiles by statsmodels, deviances by
scikit-learn. Needs numpy, scipy, statsmodels 0.14 and scikit-learn 1.5 or newer.
"""

import json
import numpy as np
import statsmodels.api as sm
from sklearn import metrics

rng = np.random.default_rng(43)
n = 80
x = rng.normal(size=(n, 3))
weight = rng.integers(1, 4, size=n).astype(float)
exposure = np.round(np.exp(0.7 * rng.normal(size=n)), 4)
mean = np.exp(0.3 + x @ [0.5, -0.4, 0.2]) * exposure
counts = rng.poisson(mean)
over = rng.negative_binomial(1.5, 1.5 / (1.5 + mean))
amounts = np.round(rng.gamma(2, mean / 2), 6) + 1e-6
claims = np.round([rng.gamma(1.5, 1, size=c).sum() for c in rng.poisson(mean)], 6)
number = np.round(x @ [1.0, -0.5, 0.3] + rng.standard_t(3, size=n), 6)
names = ["x0", "x1", "x2", "weight", "exposure", "counts", "over", "amounts", "claims", "number"]
table = np.c_[np.round(x, 6), weight, exposure, counts, over, amounts, claims, number]
np.savetxt("table.csv", table, delimiter=",", header=",".join(names), comments="", fmt="%.9g")
x = sm.add_constant(np.round(x, 6))


def power():
    """The Tweedie power by moments, as package model estimates it."""
    mu = np.average(claims, weights=weight)
    unit = (weight * claims).sum() / (weight * exposure).sum()
    variance = np.average((claims - unit * exposure) ** 2, weights=weight)
    zeros = np.average(claims == 0, weights=weight)
    return float(np.clip(2 + mu * mu / (variance * np.log(zeros)), 1.1, 1.9))


def size():
    """The size of the negative binomial distribution by moments."""
    unit = (weight * over).sum() / (weight * exposure).sum()
    m = unit * exposure
    more = (weight * (over - m) ** 2).sum() - (weight * over).sum()
    return float((weight * m * m).sum() / more)


golden = {}
for name, y, family, deviance in [
    ("poisson", counts, sm.families.Poisson(), lambda y, m: metrics.mean_poisson_deviance(y, m, sample_weight=weight)),
    ("gamma", amounts, sm.families.Gamma(sm.families.links.Log()), lambda y, m: metrics.mean_gamma_deviance(y, m, sample_weight=weight)),
    ("tweedie", claims, sm.families.Tweedie(sm.families.links.Log(), var_power=power()), lambda y, m: metrics.mean_tweedie_deviance(y, m, power=power(), sample_weight=weight)),
    ("negbinomial", over, sm.families.NegativeBinomial(sm.families.links.Log(), alpha=1 / size()), None),
]:
    fit = sm.GLM(y, x, family=family, offset=np.log(exposure), freq_weights=weight).fit(tol=1e-14, maxiter=500)
    mu = fit.mu
    golden[name] = {
        "coefficients": fit.params.tolist(),
        "deviance": float(deviance(y, mu)) if deviance else float(fit.deviance / weight.sum()),
        "mae": float(metrics.mean_absolute_error(y, mu, sample_weight=weight)),
        "first": mu[:3].tolist(),
    }
golden["tweedie"]["power"], golden["negbinomial"]["size"] = power(), size()
repeated = np.repeat(np.arange(n), weight.astype(int))
for q in (0.1, 0.5, 0.9):
    fit = sm.QuantReg(number[repeated], x[repeated]).fit(q=q, max_iter=5000, p_tol=1e-10)
    golden[f"quantile {q}"] = {
        "coefficients": fit.params.tolist(),
        "pinball": float(metrics.mean_pinball_loss(number, x @ fit.params, sample_weight=weight, alpha=q)),
    }
json.dump(golden, open("golden.json", "w"), indent=1)
