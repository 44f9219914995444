"""Interactions: pairs of features, found, saved and predicted as by the program."""

import numpy as np
import pandas as pd
import pytest

from fsa_select import FSAClassifier, FSARegressor


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.normal(size=(600, 8)), columns=list("abcdefgh"))
    X["city"] = rng.choice(["Rome", "Oslo", "Bern"], 600)
    slope = X["city"].map({"Rome": 2.0, "Oslo": -2.0, "Bern": 0.0})
    y = 0.5 * X["a"] + X["a"] * X["b"] + slope * X["c"] + 0.5 * rng.normal(size=600)
    X.loc[::20, "a"] = np.nan
    return X, y.to_numpy()


def pairs(model):
    return {frozenset(v.name for v in pair.variables) for pair in model.model_.interactions}


def test_finds_pairs_and_predicts_like_the_program(table, tmp_path):
    X, y = table
    model = FSARegressor(k=7, interactions=True).fit(X, y)
    assert pairs(model) == {frozenset("ab"), frozenset(("c", "city"))}
    assert not hasattr(model, "coef_")
    summary = str(model.summary())
    assert "a × b" in summary and "features and 2 interactions selected from" in summary
    assert model.score(X, y) == pytest.approx(model.model_.training["metrics"]["r2"], abs=1e-6)
    model.save_model(tmp_path / "model.json")
    again = type(model.model_).load(tmp_path / "model.json")
    assert again.interactions[0].name == model.model_.interactions[0].name
    other = X.head(3).copy()
    other["city"] = ["Rome", "Paris", None]
    assert np.isfinite(model.predict(other)).all()


def test_limits_and_heredity(table):
    X, y = table
    assert len(FSARegressor(k=4, interactions=1).fit(X, y).model_.interactions) == 1
    free = FSARegressor(k=2, interactions=True, heredity="none").fit(X, y)
    assert len(free.selected_) == 0 and len(free.model_.interactions) == 2
    assert free.score(X, y) > 0.7


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"interactions": -1}, "interactions = -1"),
        ({"interactions": True, "heredity": "half"}, "heredity"),
        ({"interactions": True, "bins": 5}, "leave the bins out"),
        ({"interactions": True, "stability": 5}, "stability"),
        ({"heredity": "weak"}, "ask for interactions"),
    ],
)
def test_refuses(table, options, message):
    X, y = table
    with pytest.raises(ValueError, match=message):
        FSARegressor(k=3, **options).fit(X, y)


def test_refuses_what_needs_single_features(table):
    X, y = table
    model = FSARegressor(k=7, interactions=True).fit(X, y)
    with pytest.raises(ValueError, match="interactions"):
        model.explain(X)
    with pytest.raises(ValueError, match="interactions"):
        model.export("sql")
    with pytest.raises(ValueError, match="partial_fit"):
        FSARegressor(k=3, interactions=True).partial_fit(X[["b", "c"]], y)
    with pytest.raises(ValueError, match="one decision value per row"):
        FSAClassifier(k=3, interactions=True).fit(X, np.digitize(y, [-1, 1]).astype(str))
