"""The explained share of the deviance of a target, for each loss."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit, xlogy
from sklearn.metrics import d2_pinball_score, r2_score
from sklearn.utils.validation import check_consistent_length, column_or_1d

from ._columns import Vector
from ._model import LOG_LOSSES

_ROUNDS = 50  # of the mean of counts whose variance depends on it


def score(loss: str, settings: dict[str, Any], y: Any, predicted: Vector, sample_weight: Any, shift: Vector | None) -> float:
    """The explained share of the deviance.

    ``shift`` is what is added to decision values, also of a model without features.
    """
    if loss == "binomial":
        return _of_shares(column_or_1d(y, dtype=np.float64), predicted, sample_weight, shift)
    if shift is not None and loss not in LOG_LOSSES:
        y, predicted = column_or_1d(y, dtype=np.float64) - shift, predicted - shift
    if "quantiles" in settings:
        return float(np.mean([score(loss, {"quantile": q}, y, predicted[:, c], sample_weight, None) for c, q in enumerate(settings["quantiles"])]))
    if loss in ("absolute", "quantile"):
        return float(d2_pinball_score(y, predicted, sample_weight=sample_weight, alpha=settings.get("quantile", 0.5)))
    if loss not in LOG_LOSSES:
        return float(r2_score(y, predicted, sample_weight=sample_weight))
    y = column_or_1d(y, dtype=np.float64)
    base = np.ones(len(y)) if shift is None else np.exp(shift)
    weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, np.float64)
    check_consistent_length(y, predicted, weight)
    power = {"poisson": 1.0, "gamma": 2.0}.get(loss, settings.get("power", 1.0))
    size = settings.get("size", np.inf) if loss == "negbinomial" else np.inf
    lowest = 0.0 if power < 2 else np.finfo(float).tiny
    if (y < lowest).any():
        at = int(np.flatnonzero(y < lowest)[0])
        raise ValueError(f"y is {y[at]} for sample {at}: with loss = {loss!r} it must be {'positive' if power == 2 else '0 or more'}")
    null = _null(y, weight, base, power, size)
    whole = float(weight @ deviance(y, null, power, size))
    left = float(weight @ deviance(y, predicted, power, size))
    if whole == 0:
        return 1.0 if left == 0 else 0.0
    return 1 - left / whole


def _of_shares(y: Vector, predicted: Vector, sample_weight: Any, shift: Vector | None) -> float:
    """The explained share of the deviance of shares of successes."""
    weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, np.float64)
    check_consistent_length(y, predicted, weight)
    if ((y < 0) | (y > 1)).any():
        at = int(np.flatnonzero((y < 0) | (y > 1))[0])
        raise ValueError(f"y is {y[at]} for sample {at}: with loss = 'binomial' it must be a share between 0 and 1")
    base = np.zeros(len(y)) if shift is None else shift
    null, intercept = expit(base), 0.0
    for _ in range(_ROUNDS):
        intercept += float(weight @ (y - null) / max(weight @ (null * (1 - null)), np.finfo(float).tiny))
        null = expit(base + np.clip(intercept, -30, 30))

    def loss_of(p: Vector) -> float:
        p = np.clip(p, 1e-15, 1 - 1e-15)
        return float(weight @ (xlogy(y, y / p) + xlogy(1 - y, (1 - y) / (1 - p))))

    whole, left = loss_of(null), loss_of(predicted)
    if whole == 0:
        return 1.0 if left == 0 else 0.0
    return 1 - left / whole


def _null(y: Vector, weight: Vector, base: Vector, power: float, size: float) -> Vector:
    """The best predictions that are proportional to a base."""
    factor = float(weight @ (y * base ** (1 - power)) / (weight @ base ** (2 - power)))
    if np.isfinite(size):
        for _ in range(_ROUNDS):
            trust = weight / (1 + factor * base / size)
            factor = float(trust @ y / (trust @ base))
    return factor * base


def deviance(y: Vector, mean: Vector, power: float, size: float = np.inf) -> Vector:
    """The deviance of each number from the mean that was predicted.

    The variance is the mean to some power or, with a finite size, mean + mean²/size.
    """
    mean = np.maximum(mean, np.finfo(float).tiny)
    if np.isfinite(size):
        return 2 * (xlogy(y, y / mean) - (y + size) * np.log((y + size) / (mean + size)))
    if power == 1:
        return 2 * (xlogy(y, y / mean) - y + mean)
    if power == 2:
        return 2 * (y / mean - 1 - np.log(y / mean))
    return 2 * (y ** (2 - power) / ((1 - power) * (2 - power)) - y * mean ** (1 - power) / (1 - power) + mean ** (2 - power) / (2 - power))
