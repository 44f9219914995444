"""partial_fit: running sums say as much as all samples."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from fsa_select import FSARegressor

PLAIN = {"bins": 0, "quick": True, "batch": 0}


def make(rows: int, columns: int, seed: int) -> tuple[Any, Any]:
    """Columns of different units and places, of which some are correlated, a copy of others, or constant."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns)) + 0.5 * rng.normal(size=(rows, 1))
    y = X[:, 1] - 2 * X[:, 4] + 0.5 * X[:, 7] + rng.normal(size=rows) + 100
    X = X * 10.0 ** rng.integers(-3, 4, columns) + rng.normal(size=columns)
    X[:, 2] = 0.1
    X[:, 3] = X[:, 5]
    return X, y


def same(model: Any, whole: Any, X: Any) -> None:
    assert list(model.selected_) == list(whole.selected_)
    spread = X.std(axis=0)
    np.testing.assert_allclose(model.coef_ * spread, whole.coef_ * spread, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(model.predict(X), whole.predict(X), rtol=1e-5, atol=1e-5)
    found, wanted = model.model_.training, whole.model_.training
    assert (found["rows"], found["columns"], found["k"]) == (wanted["rows"], wanted["columns"], wanted["k"])
    np.testing.assert_allclose([found["metrics"][name] for name in ("r2", "rmse")], [wanted["metrics"][name] for name in ("r2", "rmse")], rtol=1e-5)
    for mine, other in zip(model.model_.variables, whole.model_.variables, strict=True):
        np.testing.assert_allclose([mine.low, mine.high], [other.low, other.high], rtol=1e-6)


@pytest.mark.parametrize("rows", [20, 61, 400, 3001])
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("k", [1, 3, "auto"])
def test_equals_the_fit_of_all_samples(rows: int, seed: int, k: Any) -> None:
    X, y = make(rows, 12, seed)
    model = FSARegressor(k=k)
    for part in np.array_split(np.arange(rows), 5):
        model.partial_fit(X[part], y[part])
    same(model, FSARegressor(k=k, **PLAIN).fit(X, y), X)
    same(model.set_params(k=2).partial_fit(), FSARegressor(k=2, **PLAIN).fit(X, y), X)


@pytest.mark.parametrize("kind", ["whole", "doubled", "fractions"])
def test_weights(kind: str) -> None:
    X, y = make(500, 12, 3)
    weight = {"whole": np.arange(500) % 4, "doubled": np.full(500, 2), "fractions": np.random.default_rng(0).uniform(size=500)}[kind].astype(float)
    model = FSARegressor(k=3)
    for part in np.array_split(np.arange(500), 7):
        model.partial_fit(X[part], y[part], weight[part])
    whole = FSARegressor(k=3, **PLAIN).fit(X, y, weight)
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-4, atol=1e-12)
    assert list(model.selected_) == list(whole.selected_)
    assert model.set_params(k="auto").partial_fit().k_ == FSARegressor(**PLAIN).fit(X, y, weight).k_


def test_state() -> None:
    X, y = make(300, 12, 0)
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(12)])
    model = FSARegressor(k=3)
    with pytest.raises(NotFittedError, match="has not seen any samples"):
        model.partial_fit()
    model.partial_fit(frame[:200], y[:200])
    again = pickle.loads(pickle.dumps(model)).partial_fit(frame[200:], y[200:])
    model.partial_fit(frame[200:], y[200:])
    assert again.model_ == model.model_
    assert model._sums.condensed
    assert list(model.feature_names_in_) == list(frame)
    assert [v.name for v in model.model_.variables] == [f"c{j}" for j in model.selected_]
    with pytest.raises(ValueError, match="feature names"):
        model.partial_fit(frame.rename(columns={"c1": "other"}), y)
    with pytest.raises(ValueError, match="NaN"):
        model.partial_fit(frame.assign(c1=np.nan), y)
    with pytest.raises(ValueError, match="but X is None"):
        model.partial_fit(None, y)
    model.fit(frame[:100], y[:100])
    with pytest.raises(NotFittedError):
        model.partial_fit()
    fresh = clone(model).partial_fit(frame[:50], y[:50])
    assert model.partial_fit(frame[:50], y[:50]).model_ == fresh.model_


def test_constant_targets_and_features() -> None:
    X, y = make(100, 12, 0)
    for target, samples in ((np.full(100, 3.0), X), (y, np.ones((100, 12))), (np.full(100, 3.0), np.ones((100, 12)))):
        found = []
        for fit in (lambda m: m.partial_fit(samples, target), lambda m: m.set_params(**PLAIN).fit(samples, target)):
            try:
                found.append(fit(FSARegressor(k=2)).predict(X[:3]).round(6).tolist())
            except ValueError as error:
                found.append(str(error))
        assert found[0] == found[1]


def test_refused() -> None:
    X, y = make(100, 12, 0)
    for parameters, says in (
        ({"loss": "huber"}, "loss = 'huber': partial_fit does not keep samples"),
        ({"bins": 5}, "bins = 5: .*learns with bins = 'auto' or 0"),
        ({"cv": 3}, "cv = 3"),
        ({"rule": "min"}, "rule = 'min'"),
        ({"stability": 5}, "stability = 5"),
    ):
        with pytest.raises(ValueError, match=says):
            FSARegressor(**parameters).partial_fit(X, y)
