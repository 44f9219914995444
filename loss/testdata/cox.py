"""Writes cox.json: partial log likelihoods at given margins, less those of equal margins, and their derivatives, by statsmodels 0.15."""

import json
import numpy as np
from statsmodels.duration.hazard_regression import PHReg

rng = np.random.default_rng(3)
cases = []
for ties, strata, method, delayed in (
    (False, 1, "efron", False), (True, 1, "efron", False), (True, 3, "efron", False),
    (True, 2, "breslow", False), (False, 1, "efron", True), (True, 2, "efron", True), (True, 1, "breslow", True),
):
    n = 40
    z = rng.normal(size=n)
    time = rng.exponential(np.exp(-z)) * 5
    time = np.ceil(time) if ties else time
    event = rng.random(n) < 0.7
    stratum = rng.integers(0, strata, size=n).astype(float)
    given = {}
    if delayed:
        entry = np.maximum(rng.uniform(-0.5, 1, size=n) * time, 0)
        given["entry"] = np.minimum(np.floor(entry), time - 1) if ties else entry
    # As in R's survival, a row is at risk at times above its entry; to statsmodels, at its entry, too.
    apart = {name: v + 0.5 if ties else v for name, v in given.items()}
    model = PHReg(time, z[:, None], status=event.astype(int), strata=stratum, ties=method, **apart)
    cases.append({
        "time": time.tolist(), "z": z.tolist(), "event": event.tolist(), "stratum": stratum.tolist(),
        "loglikelihood": float(model.loglike(np.ones(1)) - model.loglike(np.zeros(1))),
        "score": float(model.score(np.ones(1))[0]),
        "ties": method, **{name: v.tolist() for name, v in given.items()},
    })
json.dump(cases, open("cox.json", "w"))
