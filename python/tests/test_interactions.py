"""Interactions: pairs of features, found, saved and predicted as by the program."""

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline

from fsa_select import FSAClassifier, FSARegressor, FSASelector
from fsa_select._columns import Column


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
    with pytest.raises(AttributeError, match=r"has no coef_: it has interactions, such as (a × b|c × city)"):
        _ = model.coef_
    assert not hasattr(model, "intercept_")
    with pytest.raises(AttributeError, match="has no attribute 'other_'"):
        _ = model.other_
    summary = str(model.summary())
    assert "a × b" in summary and "features and 2 interactions selected from" in summary
    assert model.score(X, y) == pytest.approx(model.model_.training["metrics"]["r2"], abs=1e-6)
    model.save_model(tmp_path / "model.json")
    again = type(model.model_).load(tmp_path / "model.json")
    assert again.interactions[0].name == model.model_.interactions[0].name
    other = X.head(3).copy()
    other["city"] = ["Rome", "Paris", None]
    assert np.isfinite(model.predict(other)).all()


def test_surfaces_predict_like_the_program():
    rng = np.random.default_rng(5)
    X = pd.DataFrame(rng.normal(size=(1500, 5)), columns=list("abcde"))
    X["city"] = rng.choice(["Rome", "Oslo", "Bern"], 1500)
    y = 4.0 * ((X["a"] > 0.5) & (X["b"] > 0.5)) + 3.0 * ((X["c"] > 0.8) & (X["city"] == "Rome")) + 0.3 * rng.normal(size=1500)
    X.loc[::25, "a"] = np.nan
    X.loc[::40, "city"] = None
    model = FSARegressor(k=6, interactions=True, bins=10).fit(X, y)
    surfaces = {frozenset(v.name for v in pair.variables): pair for pair in model.model_.interactions if pair.knots[0] is not None}
    assert {frozenset("ab"), frozenset(("c", "city"))} <= set(surfaces)
    assert model.score(X, y) == pytest.approx(model.model_.training["metrics"]["r2"], abs=1e-6)
    pair = surfaces[frozenset("ab")]
    first, second = (X[v.name].to_numpy()[1:2] for v in pair.variables)
    at = [np.clip(np.searchsorted(k, x) - 1, 0, len(k) - 2)[0] for k, x in zip(pair.knots, (first, second))]
    (x0, x1), (y0, y1) = (k[i : i + 2] for k, i in zip(pair.knots, at))
    u, v = np.clip((first - x0) / (x1 - x0), 0, 1), np.clip((second - y0) / (y1 - y0), 0, 1)
    corners = pair.coefficients[0].reshape(len(pair.knots[0]), -1)[at[0] : at[0] + 2, at[1] : at[1] + 2]
    want = np.array([1 - u, u]).T @ corners @ np.array([1 - v, v])
    parts = pair.parts(Column("a", first), Column("b", second), 1.0)
    assert parts == pytest.approx(want, abs=1e-12)
    unknown = X.head(4).copy()
    unknown["city"] = ["Rome", "Paris", None, "Oslo"]
    unknown["a"] = [1e9, -1e9, np.nan, 0]
    assert np.isfinite(model.predict(unknown)).all()


def test_limits_and_heredity(table):
    X, y = table
    assert len(FSARegressor(k=4, interactions=1).fit(X, y).model_.interactions) == 1
    free = FSARegressor(k=2, interactions=True, heredity="none").fit(X, y)
    assert len(free.model_.variables) == 0 and len(free.model_.interactions) == 2
    assert set(X.columns[free.selected_]) == {"a", "b", "c", "city"} == set(X.columns[free.support_])
    assert (free.feature_importances_ > 0).sum() == 4
    kept = FSASelector(k=2, interactions=True, heredity="none").fit(X, y)
    assert set(kept.get_feature_names_out()) == {"a", "b", "c", "city"}
    assert free.score(X, y) > 0.7


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"interactions": -1}, "interactions = -1"),
        ({"interactions": True, "heredity": "half"}, "heredity"),
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
    with pytest.raises(ValueError, match="'city' holds categories"):
        model.export("onnx", matrix=True)
    with pytest.raises(ValueError, match="partial_fit"):
        FSARegressor(k=3, interactions=True).partial_fit(X[["b", "c"]], y)
    with pytest.raises(ValueError, match="one decision value per row"):
        FSAClassifier(k=3, interactions=True).fit(X, np.digitize(y, [-1, 1]).astype(str))


def new_rows(X):
    rows = X.head(40).copy()
    rows["city"] = ["Rome", "Oslo", "Bern", "Paris", None] * 8
    rows.loc[rows.index[::3], "b"] = np.nan
    rows.loc[rows.index[1], ["a", "c"]] = [1e6, -1e6]
    return rows


@pytest.mark.parametrize("heredity", ["strong", "none"])
def test_contributions_sum_to_the_prediction(table, heredity):
    pytest.importorskip("shap")
    X, y = table
    model = FSARegressor(k=7, interactions=True, heredity=heredity).fit(X, y)
    rows = new_rows(X)
    for background in (None, X):
        parts = model.explain(rows, background)
        assert parts.values.shape == (40, len(parts.feature_names)) == parts.data.shape
        assert {"a × b", "c × city"} <= set(parts.feature_names)
        np.testing.assert_allclose(parts.values.sum(axis=1) + parts.base_values, model.predict(rows), rtol=1e-9)
    np.testing.assert_allclose(parts.base_values, model.predict(X).mean(), rtol=1e-9)


@pytest.mark.parametrize("heredity", ["strong", "none"])
def test_exports_predict_the_same(table, heredity):
    X, y = table
    model = FSARegressor(k=7, interactions=True, heredity=heredity).fit(X, y)
    rows = new_rows(X)
    scope = {}
    exec(model.export("python"), scope)
    cells = rows.astype(object).where(rows.notna(), None).to_dict("records")
    np.testing.assert_allclose([scope["predict"](row)["prediction"] for row in cells], model.predict(rows), rtol=1e-9)
    onnxruntime = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(model.export("onnx"), providers=["CPUExecutionProvider"])
    np.testing.assert_allclose(session.run(None, model.onnx_inputs(rows))[0][:, 0], model.predict(rows), rtol=1e-9)


def test_a_pipeline_with_pairs_becomes_onnx(table):
    onnxruntime = pytest.importorskip("onnxruntime")
    skl2onnx = pytest.importorskip("skl2onnx")
    pytest.importorskip("fsa_select.onnx")
    X, y = table
    numbers = X[list("habdefg")].to_numpy()
    model = make_pipeline(FSARegressor(k=4, interactions=True, heredity="none")).fit(numbers, y)
    assert model[-1].model_.interactions
    graph = skl2onnx.to_onnx(model, numbers[:1])
    session = onnxruntime.InferenceSession(graph.SerializeToString(), providers=["CPUExecutionProvider"])
    np.testing.assert_allclose(session.run(None, {"X": numbers})[0][:, 0], model.predict(numbers), rtol=1e-9)


def test_which_features_may_interact(table):
    X, y = table
    with_sets = {"k": 7, "interactions": True, "bins": 0}
    assert pairs(FSARegressor(interaction_cst=[["a", "b"], {"d", "city"}], **with_sets).fit(X, y)) == {frozenset("ab")}
    assert pairs(FSARegressor(interaction_cst=[{2, 8, 3}], **with_sets).fit(X, y)) == {frozenset(("c", "city"))}
    assert len(pairs(FSARegressor(interaction_cst="pairwise", **with_sets).fit(X, y))) == 2
    assert not pairs(FSARegressor(interaction_cst="no_interactions", bins=0).fit(X, y))
    assert not pairs(FSARegressor(interaction_cst=[], bins=0).fit(X, y))
    for given, says in [
        ("all", "it must be 'pairwise'"),
        (["a", "b"], "interaction_cst = 'a'"),
        ([["a", "z"]], "interaction_cst has 'z', which is no feature of X"),
        ([["a"]], "a pair has two"),
    ]:
        with pytest.raises(ValueError, match=says):
            FSARegressor(interaction_cst=given, **with_sets).fit(X, y)
    with pytest.raises(ValueError, match="leave one of them out"):
        FSARegressor(interaction_cst="no_interactions", **with_sets).fit(X, y)
    with pytest.raises(ValueError, match="looked for with interactions=True"):
        FSARegressor(k=3, interaction_cst=[["a", "b"]]).fit(X, y)
