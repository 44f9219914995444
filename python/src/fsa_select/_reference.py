"""What few features cost, compared with an estimator of scikit-learn on all features."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from scipy.stats import t as student
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import has_fit_parameter


def check_reference(reference: Any, X: Any, task: str, loss: str, losses: tuple[str, ...], *shifts: Any) -> None:
    """Refuse a reference that cannot be compared, before the fit."""
    if reference is None or isinstance(reference, str):
        return
    if not hasattr(reference, "fit") or not (is_regressor if task == "regressor" else is_classifier)(reference):
        raise ValueError(f"reference = {reference!r}: it must be 'ridge', 'additive', a {task}, or None")
    if task == "classifier" and not hasattr(reference, "predict_proba"):
        raise ValueError(f"reference = {reference!r}: it must have predict_proba")
    if loss not in losses:
        raise ValueError(f"reference = {reference!r}: an estimator is compared by the loss {' or '.join(map(repr, losses))}, and loss = {loss!r}")
    if isinstance(X, (str, os.PathLike)) or any(shift is not None for shift in shifts):
        raise ValueError(f"reference = {reference!r}: an estimator needs X in memory, without offset and exposure; 'ridge' does not")


def refer(self: Any, X: Any, y: Any, sample_weight: Any, groups: Any) -> None:
    """Set ``reference_`` if the reference is an estimator."""
    if self.reference is None or isinstance(self.reference, str):
        return
    told = self._out_of_fold
    fold, rows, own = np.asarray(told["fold"]), np.asarray(told["row"]), np.asarray(told["losses"])
    y = np.asarray(y)
    weight = None if sample_weight is None else np.asarray(sample_weight, np.float64)
    loss = np.full(len(fold), np.nan)
    for f in np.unique(fold[rows]):
        test = rows[fold[rows] == f]
        train = np.flatnonzero(fold < f if self.ordered else (fold != f) & (fold >= 0))
        loss[test] = _losses(self.reference, X, y, weight, train, test)
    loss = loss[rows]
    w = np.ones(len(rows)) if weight is None else weight[rows]
    units = np.arange(len(rows)) if groups is None else np.unique(np.asarray(groups)[rows], return_inverse=True)[1]
    difference, low, high, n = paired(own - loss, w, units, len(np.unique(fold[rows])))
    self.reference_ = {
        "name": type(self.reference).__name__,
        "columns": self.n_features_in_,
        "loss": self.model_.loss,
        "mean": float(np.average(loss, weights=w)),
        "own": float(np.average(own, weights=w)),
        "difference": difference,
        "low": low,
        "high": high,
        "units": n,
    }


def _losses(reference: Any, X: Any, y: Any, weight: Any, train: Any, test: Any) -> Any:
    """The losses of an estimator on the test rows of a fold: half the squared error, or -log of the probability of the class."""
    model = clone(reference)
    options = {}
    if weight is not None and has_fit_parameter(model, "sample_weight"):
        options["sample_weight"] = weight[train]
    model.fit(_safe_indexing(X, train), y[train], **options)
    if is_regressor(model):
        return (y[test] - model.predict(_safe_indexing(X, test))) ** 2 / 2
    shares = model.predict_proba(_safe_indexing(X, test))
    at = np.searchsorted(model.classes_, y[test]).clip(max=len(model.classes_) - 1)
    right = np.where(model.classes_[at] == y[test], shares[np.arange(len(test)), at], 0.0)
    return -np.log(right.clip(min=1e-15))


def paired(difference: Any, weight: Any, units: Any, folds: int) -> tuple[float, float, float, int]:
    """The mean difference with a 95% interval, as ``validate.Paired`` and ``Interval.CrossValidated`` of the program compute it."""
    mean = float(np.average(difference, weights=weight))
    sums = np.bincount(units, weights=weight * (difference - mean))[np.unique(units[weight > 0])]
    n = len(sums)
    if n < 2:
        raise ValueError("the reference is compared on fewer than two independent samples or groups")
    error = np.sqrt((sums**2).sum() * n / (n - 1)) / weight.sum()
    reach = float(student.ppf(0.975, n - 1) * error * np.sqrt(1 + folds / max(folds - 1, 1)))
    return mean, mean - reach, mean + reach, n
