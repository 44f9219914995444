"""What few features cost against a model of all features."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import make_numbers
from sklearn.base import clone
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import KFold, TimeSeriesSplit, cross_val_predict

from fsa_select import FSAClassifier, FSARanker, FSARegressor
from fsa_select._reference import paired

X, y = make_numbers(160, 8)
NOISY = y + np.random.default_rng(2).normal(size=160)


def test_paired() -> None:
    """The numbers are those of the Go test, before the interval is widened by the folds."""
    mean, low, high, n = paired(np.array([0.3, -0.1, 0.4, 0.1, 0.8]), np.ones(5), np.arange(5), 5)
    assert n == 5 and np.allclose([mean, (mean - low) / 1.5, (high - mean) / 1.5], [0.3, 0.4210687, 0.4210687])
    assert paired(np.array([0.3, -0.1, 0.3, 0.4, -0.1, 0.4]), np.ones(6), np.array([2, 1, 2, 0, 1, 0]), 3)[3] == 3


@pytest.mark.parametrize("reference", ["ridge", "additive", LinearRegression(), RandomForestRegressor(n_estimators=10, random_state=0)])
def test_regression(reference: Any) -> None:
    model = FSARegressor(k=1, bins=0, reference=reference).fit(X, NOISY)
    price = model.reference_
    assert price["low"] > 0 and price["columns"] == 8 and price["units"] == 160 and price["loss"] == "squared"
    assert np.isclose(price["own"] - price["mean"], price["difference"])
    full = FSARegressor(k=8, bins=0, reference=reference).fit(X, NOISY).reference_
    assert full["low"] < 0.1


def test_same_folds_as_scikit_learn() -> None:
    cv = KFold(4, shuffle=True, random_state=1)
    model = FSARegressor(k=3, bins=0, cv=cv, reference=Ridge()).fit(X, NOISY)
    told = cross_val_predict(Ridge(), X, NOISY, cv=cv)
    assert np.isclose(model.reference_["mean"], np.mean((NOISY - told) ** 2) / 2)
    assert model.reference_["name"] == "Ridge"


def test_weights_groups_and_time() -> None:
    weight = np.arange(160) % 3
    groups = np.arange(160) // 8
    price = FSARegressor(k=1, bins=0, cv=4, reference=LinearRegression()).fit(X, NOISY, sample_weight=weight, groups=groups).reference_
    assert price["units"] == 20 and price["low"] > 0
    ordered = FSARegressor(k=3, bins=0, cv=4, ordered=True, reference=LinearRegression()).fit(X, NOISY).reference_
    losses = []
    for train, test in TimeSeriesSplit(4).split(X):
        losses += list((NOISY[test] - LinearRegression().fit(X[train], NOISY[train]).predict(X[test])) ** 2 / 2)
    assert np.isclose(ordered["mean"], np.mean(losses))


def test_classes() -> None:
    for labels in (np.where(NOISY > 0, "yes", "no"), np.digitize(NOISY, [-2, 2])):
        price = FSAClassifier(k=1, bins=0, reference=LogisticRegression()).fit(X, labels).reference_
        assert price["low"] > 0 and price["name"] == "LogisticRegression"
        assert FSAClassifier(k=1, bins=0, reference="ridge").fit(X, labels).reference_["low"] > 0


def test_ranking_and_clone() -> None:
    grades, qid = np.digitize(y, [-1, 1]), np.arange(160) // 8
    assert FSARanker(k=1, cv=3, reference="ridge").fit(X, grades, qid=qid).reference_["units"] == 20
    model = clone(FSARegressor(k=1, reference="ridge")).fit(X, NOISY)
    assert hasattr(model, "reference_")
    assert not hasattr(model.set_params(reference=None).fit(X, NOISY), "reference_")


def test_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "X.npy", X)
    for parameters, table, says in (
        ({"reference": "forest"}, X, "must be ridge or additive"),
        ({"reference": LogisticRegression()}, X, "a regressor, or None"),
        ({"reference": Ridge(), "loss": "huber"}, X, "is compared by the loss 'auto' or 'squared'"),
        ({"reference": Ridge(), "repeats": 2}, X, "leave repeats out"),
        ({"reference": Ridge()}, tmp_path / "X.npy", "needs X in memory"),
        ({"reference": "ridge", "cv": 2}, X, "at least 3 folds"),
    ):
        with pytest.raises(ValueError, match=says):
            FSARegressor(k=2, **parameters).fit(table, y)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="for regressions and classifications"):
        FSARanker(k=1, reference=Ridge()).fit(X, np.digitize(y, [0]), qid=np.arange(160) // 8)
