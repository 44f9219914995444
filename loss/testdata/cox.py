"""Writes cox.json: partial log likelihoods, less those of equal margins, with Efron's ties at given margins, by statsmodels 0.14."""

import json
import numpy as np
from statsmodels.duration.hazard_regression import PHReg

rng = np.random.default_rng(3)
cases = []
for ties, strata in ((False, 1), (True, 1), (True, 3)):
    n = 40
    z = rng.normal(size=n)
    time = rng.exponential(np.exp(-z)) * 5
    time = np.ceil(time) if ties else time
    event = rng.random(n) < 0.7
    stratum = rng.integers(0, strata, size=n).astype(float)
    model = PHReg(time, z[:, None], status=event.astype(int), strata=stratum, ties="efron")
    cases.append({
        "time": time.tolist(), "z": z.tolist(), "event": event.tolist(), "stratum": stratum.tolist(),
        "loglikelihood": float(model.loglike(np.ones(1)) - model.loglike(np.zeros(1))),
    })
json.dump(cases, open("cox.json", "w"))
