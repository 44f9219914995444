"""Writes survival.csv, survival_entry.txt, survival_weight.txt and survival.json: Cox models by statsmodels, survival
curves and concordances by scikit-survival; with entries and weights, models by lifelines 0.30, and curves and
concordances by their definitions.
"""

import json
import numpy as np
import pandas
from lifelines import CoxPHFitter
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

# Rows that enter late, and weights. A row is at risk at times above its entry, as in R's survival and in lifelines;
# to statsmodels, it is at its entry, too. Times are integers.
entry = np.minimum(np.floor(np.maximum(rng.uniform(-0.7, 1, size=n) * time, 0)), time - 1)
weight = np.round(rng.uniform(0.5, 2, size=n), 2)
np.savetxt("survival_entry.txt", entry, fmt="%g")
np.savetxt("survival_weight.txt", weight, fmt="%g")
late = table.drop(columns="center").assign(entry=entry, weight=weight)
fit = CoxPHFitter(baseline_estimation_method="breslow").fit(late, "time", "died", entry_col="entry", weights_col="weight", robust=True, fit_options={"precision": 1e-12})
risk = x @ fit.params_.to_numpy()


def hazard(until, risk, weight):
    return sum((weight * event)[time == t].sum() / (weight * np.exp(risk))[(entry < t) & (time >= t)].sum() for t in np.unique(time[event == 1]) if t <= until)


curves = [float(np.exp(-hazard(t, risk, weight) * np.exp(risk[i]))) for i in range(4) for t in (1.0, 4.0, 9.5, 20.0)]
check = PHReg(time, x, status=event, entry=entry + 0.5, ties="breslow").fit(disp=0) # its hazards end before each time
for t, before in zip(*check.baseline_cumulative_hazard[0][:2]):
    assert np.isclose(hazard(t - 0.5, x @ check.params, np.ones(n)), before)
pairs = (event == 1)[:, None] & ((time[None, :] > time[:, None]) | (time[None, :] == time[:, None]) & (event == 0)[None, :])
pairs = pairs & (entry[None, :] < time[:, None]) # row j is at risk at the event of row i
pairs = pairs * weight[:, None] * weight[None, :]
good = (pairs * ((risk[:, None] > risk[None, :]) + 0.5 * (risk[:, None] == risk[None, :]))).sum()
golden["late"] = {"coefficients": fit.params_.tolist(), "survival": curves, "concordance": float(good / pairs.sum())}
for name, given in (("breslow", {}), ("late breslow", {"entry": entry + 0.5})):
    fit = PHReg(time, x, status=event, ties="breslow", **given).fit(disp=0)
    golden[name] = {"coefficients": fit.params.tolist()}
json.dump(golden, open("survival.json", "w"), indent=1)
