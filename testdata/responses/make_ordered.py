"""Writes ordered.csv and ordered.json: proportional odds and binomial regressions by statsmodels. Needs numpy, scipy,
pandas and statsmodels 0.14 or newer.
"""

import json
import numpy as np
import statsmodels.api as sm
from statsmodels.miscmodels.ordinal_model import OrderedModel

rng = np.random.default_rng(44)
n = 120
x = np.round(rng.normal(size=(n, 3)), 6)
eta = x @ [1.0, -0.7, 0.4]
grade = np.digitize(eta + rng.logistic(size=n), [-1.0, 0.5, 1.5])
trials = rng.integers(1, 9, size=n)
successes = rng.binomial(trials, 1 / (1 + np.exp(-0.3 - eta)))
names = ["none", "low", "mid", "high"]
with open("ordered.csv", "w") as f:
    f.write("x0,x1,x2,grade,level,trials,successes\n")
    for i in range(n):
        f.write(",".join(f"{v:.6f}" for v in x[i]) + f",{grade[i]},{names[grade[i]]},{trials[i]},{successes[i]}\n")

fit = OrderedModel(grade, x, distr="logit").fit(method="bfgs", disp=0, gtol=1e-10, maxiter=2000)
fit = OrderedModel(grade, x, distr="logit").fit(method="newton", start_params=fit.params, disp=0, tol=1e-14, maxiter=100)
p = fit.predict()
binomial = sm.GLM(np.c_[successes, trials - successes], sm.add_constant(x), family=sm.families.Binomial()).fit(tol=1e-14)
json.dump({
    "ordinal": {
        "coefficients": fit.params[:3].tolist(),
        "thresholds": fit.model.transform_threshold_params(fit.params)[1:-1].tolist(),
        "logloss": float(-fit.llf / n),
        "first": p[:2].ravel().tolist(),
        "rps": float(np.mean((np.cumsum(p, axis=1)[:, :-1] - (grade[:, None] <= np.arange(3))) ** 2)),
    },
    "binomial": {
        "coefficients": binomial.params.tolist(),
        "deviance": float(binomial.deviance / trials.sum()),
        "first": binomial.predict(sm.add_constant(x))[:3].tolist(),
    },
}, open("ordered.json", "w"))
