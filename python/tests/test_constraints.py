"""Constraints on the effects of features."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

from fsa_select import FSAClassifier, FSARanker, FSARegressor, FSASelector, FSASurvival


def table(seed: int = 0) -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(seed)
    common = rng.normal(size=400)
    X = pd.DataFrame({name: common + rng.normal(size=400) for name in "abcd"})
    return X, 2 * X.a - X.b + 0.5 * X.c + np.sin(3 * X.a) + rng.normal(size=400)


def test_positive_is_the_optimum_of_scikit_learn() -> None:
    X, y = table()
    model = FSARegressor(k=4, bins=0, alpha=0, quick=True, positive=True).fit(X, y)
    np.testing.assert_allclose(model.coef_, LinearRegression(positive=True).fit(X, y).coef_, atol=1e-5)
    assert (model.coef_ >= 0).all() and (model.coef_ == 0).any()
    some = FSARegressor(k=4, bins=0, alpha=0, quick=True, positive=["a", 2]).fit(X, y)
    assert some.coef_[0] > 0 > some.coef_[1]


@pytest.mark.parametrize("given", [{"a": 1}, {0: 1, "b": 0}, [1, 0, 0, 0], np.array([1, 0, 0, 0])])
def test_monotonic(given: Any) -> None:
    X, y = table()
    model = FSARegressor(k=3, bins=8, quick=True, force=["a"], monotonic_cst=given).fit(X, y)
    grid = pd.concat([X.iloc[[0]]] * 300, ignore_index=True).assign(a=np.linspace(-4, 4, 300))
    assert (np.diff(model.predict(grid)) >= -1e-12).all()


def test_bounds_and_shapes() -> None:
    X, y = table()
    model = FSARegressor(k=4, quick=True, constraints={"a": (None, 0.5), 1: [(-0.2, 1), "nonpositive"]}).fit(X, y)
    assert model.coef_[0] <= 0.5 and -0.2 <= model.coef_[1] <= 0
    assert model.model_.training["constraints"][0] == {"column": "a", "kind": "bounds", "upper": 0.5}
    curved = FSARegressor(k=2, bins=6, quick=True, force=["a"], constraints={"a": "concave"}).fit(X, y)
    knots = next(v.knots for v in curved.model_.variables if v.name == "a")
    inner = pd.concat([X.iloc[[0]]] * 50, ignore_index=True).assign(a=np.linspace(knots[0], knots[-1], 50))
    assert (np.diff(curved.predict(inner), 2) <= 1e-6).all()


def test_other_estimators() -> None:
    X, y = table()
    classifier = FSAClassifier(k=4, bins=0, quick=True, positive=True).fit(X, y > 0)
    assert (classifier.coef_ >= 0).all()
    assert FSASelector(k=2, quick=True, monotonic_cst={"b": 1}).fit(X, y).support_[0]
    ranker = FSARanker(k=4, bins=0, monotonic_cst=[0, 1, 0, 0]).fit(X, y, qid=np.repeat(np.arange(40), 10))
    assert ranker.coef_[1] >= 0
    survival = FSASurvival(k=4, bins=0, quick=True, positive=["a"]).fit(X, np.exp(y / 4))
    assert survival.coef_[0] == 0
    with pytest.raises(ValueError, match="one output"):
        FSAClassifier(positive=True).fit(X, np.digitize(y, [-1, 1]))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"monotonic_cst": [1, 0]}, "a number for each of 4 features"),
        ({"monotonic_cst": {"a": 2}}, "must be -1, 0 or 1"),
        ({"monotonic_cst": {"z": 1}}, "monotonic_cst has 'z', which is no feature of X"),
        ({"positive": "a"}, "True, False or a list"),
        ({"positive": 1}, "True, False or a list"),
        ({"constraints": ["a"]}, "must be a dict"),
        ({"constraints": {"a": "round"}}, "one of nonnegative"),
        ({"constraints": {"a": (1, 2, 3)}}, "a tuple of two bounds"),
        ({"constraints": {"a": (2, 1)}}, "not above the upper one"),
        ({"constraints": {"a": "nonnegative"}, "bins": 4}, "straight line"),
    ],
)
def test_refused(given: dict[str, Any], says: str) -> None:
    X, y = table()
    with pytest.raises(ValueError, match=says):
        FSARegressor(k=2, **given).fit(X, y)


GRADES = ["none", "low", "mid", "high", "never"]


def graded() -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(3)
    code = rng.integers(0, 4, size=300)
    X = pd.DataFrame({"grade": pd.Categorical([GRADES[c] for c in code], categories=GRADES, ordered=True), "a": rng.normal(size=300)})
    return X, np.array([0, 2, 1, 3])[code] + X.a.to_numpy() + rng.normal(size=300)


def pooled(X: pd.DataFrame, y: Any) -> Any:
    """The mean of each grade if low and mid, which contradict the order, are one."""
    means = pd.Series(y).groupby(X.grade.astype(str).replace({"low": "middle", "mid": "middle"}).to_numpy()).mean()
    return means[["none", "middle", "middle", "high"]].to_numpy()


def test_ordered_categories() -> None:
    X, y = graded()
    given = {"k": 1, "force": ["grade"], "bins": 0, "alpha": 0, "quick": True}
    want = pooled(X, y)
    grid = pd.DataFrame({"grade": pd.Categorical(GRADES[:4], categories=GRADES, ordered=True), "a": 0.0})
    plain = X.assign(grade=X.grade.astype(str))
    pa, pl = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    arrow = pa.table({"grade": pa.DictionaryArray.from_arrays(pa.array(X.grade.cat.codes.to_numpy(), pa.int8()), pa.array(GRADES), ordered=True), "a": X.a.to_numpy()})
    polars = pl.DataFrame({"grade": pl.Series(list(X.grade), dtype=pl.Enum(GRADES)), "a": X.a.to_numpy()})
    for table, cst, other in [(X, [1, 0], None), (X, {"grade": 1}, None), (X, {0: 1}, None), (arrow, {"grade": 1}, None), (polars, {"grade": 1}, None), (plain, None, {"grade": ("increasing", GRADES[:4])})]:
        model = FSARegressor(**given, monotonic_cst=cst, constraints=other).fit(table, y)
        (one,) = model.model_.training["constraints"]
        assert one["levels"] == GRADES[:4]
        rows = grid if table is X else grid.assign(grade=GRADES[:4])
        np.testing.assert_allclose(model.predict(rows), want, atol=1e-5)
        assert (np.diff(model.predict(rows)) >= 0).all()
    with pytest.raises(ValueError, match="from the lowest to the highest"):
        FSARegressor(**given, monotonic_cst={"grade": 1}).fit(plain, y)


def test_partial_fit_is_refused() -> None:
    X, y = table()
    with pytest.raises(ValueError, match="positive"):
        FSARegressor(k=2, positive=True).partial_fit(X, y)
