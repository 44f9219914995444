"""Prices of features and budgets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from fsa_select import FSAClassifier, FSARanker, FSARegressor, FSASelector, FSASurvival

COSTS = {"age": 0, "glucose": (20, "blood"), "lipids": (20, "blood"), "scan": 300}


def table() -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({name: rng.normal(size=400) for name in COSTS})
    X["scan"] += X["glucose"]
    return X, X.age + X.glucose + X.scan + rng.normal(size=400)


@pytest.mark.parametrize("estimator", [FSARegressor, FSASelector])
def test_a_budget_is_kept(estimator: Any) -> None:
    X, y = table()
    model = estimator(costs=COSTS, budget=100).fit(X, y)
    assert set(X.columns[model.support_]) == {"age", "glucose", "lipids"}
    costs = model.model_.training["costs"]
    assert costs["spent"] == 20 and costs["budget"] == 100
    assert {p["name"] for p in costs["paid"]} == {"age", "blood"}


def test_a_budget_is_chosen() -> None:
    X, y = table()
    model = FSARegressor(costs=[0, 20, 5, 300], budget=[30, 25, 400]).fit(X, y)
    assert model.model_.training["costs"]["budget"] == 400
    assert "scan" in X.columns[FSARegressor(costs={"all": 1}).fit(X, y).support_]
    classes = FSAClassifier(costs={"all": 1}, budget=2, quick=True).fit(X, y > 0)
    assert classes.support_.sum() == 2


def test_quotas_are_kept() -> None:
    X, y = table()
    model = FSARegressor(k=2, quotas={"[gs]*": 1}).fit(X, y)
    assert set(X.columns[model.support_]) == {"age", "scan"}
    least = FSARegressor(k=1, quotas={"l*": (1, None)}).fit(X, y)
    assert set(X.columns[least.support_]) == {"lipids"}


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"costs": [1, 2]}, "a number for each"),
        ({"costs": {"age": -1}}, "at least 0"),
        ({"costs": {"age": (1, 2)}}, "name of a panel"),
        ({"costs": COSTS, "budget": "much"}, "an amount"),
        ({"costs": COSTS, "k": 2}, "budget decides"),
        ({"budget": 2}, "give the costs"),
        ({"quotas": {"age": -1}}, "a dict of numbers"),
        ({"quotas": {"age": (0, 1)}}, "at least 1"),
        ({"quotas": {"age": (1, None), "scan": (1, 1)}, "k": 1}, "need 2 variables"),
        ({"quotas": {"nobody*": 1}}, "no variable"),
        ({"costs": {"age": 1}, "budget": 2}, "has no price"),
    ],
)
def test_refusals(given: dict[str, Any], says: str) -> None:
    X, y = table()
    with pytest.raises(ValueError, match=says):
        FSARegressor(**given).fit(X, y)


def test_all_estimators_have_the_parameters() -> None:
    for estimator in (FSAClassifier, FSARanker, FSARegressor, FSASelector, FSASurvival):
        assert {"costs", "budget", "quotas"} <= set(estimator().get_params())
