"""Writes survival.csv and survival.json: Cox models by statsmodels, survival curves and concordances by
scikit-survival.
"""

import json
import numpy as np
import pandas
from sksurv.linear_model import CoxPHSurvivalAnalysis
from sksurv.metrics import concordance_index_censored, concordance_index_ipcw
from statsmodels.duration.hazard_regression import PHReg

rng = np.random.default_rng(44)
n = 90
x = np.round(rng.normal(size=(n, 3)), 6)
t = rng.exponential(np.exp(-x @ [0.8, -0.5, 0.3])) * 10
c = rng.exponential(15, size=n)
time = np.ceil(np.minimum(t, c)) # with ties
event = (t <= c).astype(int)
center = rng.integers(1, 4, size=n)
table = pandas.DataFrame(x, columns=["x0", "x1", "x2"]).assign(time=time, died=event, center=center)
table.to_csv("survival.csv", index=False)


def structured(t, e):
    return np.array(list(zip(e.astype(bool), t)), dtype=[("e", bool), ("t", float)])


golden = {}
for name, strata in (("plain", None), ("strata", center)):
    fit = PHReg(time, x, status=event, strata=strata, ties="efron").fit(disp=0)
    golden[name] = {"coefficients": fit.params.tolist()}
risk = x @ golden["plain"]["coefficients"]
golden["plain"]["concordance"] = float(concordance_index_censored(event == 1, time, risk)[0])
y = structured(time, event)
golden["plain"]["uno"] = float(concordance_index_ipcw(y, y, risk)[0])
cox = CoxPHSurvivalAnalysis(ties="efron", tol=1e-12, n_iter=200).fit(x, y)
golden["plain"]["survival"] = [float(f(t)) for f in cox.predict_survival_function(x[:4]) for t in (1.0, 4.0, 9.5, 20.0)]
json.dump(golden, open("survival.json", "w"), indent=1)
