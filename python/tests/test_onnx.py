"""Models as ONNX, run by onnxruntime: those that are exported, and steps of pipelines that skl2onnx converts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import make_numbers
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from fsa_select import FSAClassifier, FSARanker, FSARegressor, FSASelector, Model

onnxruntime = pytest.importorskip("onnxruntime")
skl2onnx = pytest.importorskip("skl2onnx")
pytest.importorskip("fsa_select.onnx")


def run(graph: Any, feeds: dict[str, Any]) -> list[Any]:
    """The outputs of a graph."""
    text = graph if isinstance(graph, bytes) else graph.SerializeToString()
    return onnxruntime.InferenceSession(text, providers=["CPUExecutionProvider"]).run(None, feeds)


def labels(y: Any) -> list[Any]:
    return [y > 0, np.where(y > 0, 7, -2), np.where(y > 0, "b", "a"), np.where(y > 0, "1", "0"), np.digitize(y, [-1, 1]), np.array(["x", "y", "z"])[np.digitize(y, [-1, 1])]]


def test_labels_keep_their_type(numbers: Any) -> None:
    X, y = numbers
    for target in labels(y):
        model = FSAClassifier(k=3, quick=True).fit(X, target)
        found = run(model.export("onnx", matrix=True), {"X": X})[0]
        assert (found == model.predict(X)).all()
        assert found.dtype.kind == ("O" if target.dtype.kind == "U" else "i")


def test_one_input_of_all_features(numbers: Any) -> None:
    X, y = numbers
    X[::7, 4] = np.nan
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    for model in (FSARegressor(k=3, bins=0), FSARegressor(k=3, bins=4), FSARegressor(quick=True)):
        np.testing.assert_allclose(run(model.fit(X, y).export("onnx", matrix=True), {"X": X})[0][:, 0], model.predict(X), rtol=1e-12)
    named = FSARegressor(k=2, quick=True).fit(frame, y)
    np.testing.assert_allclose(run(named.export("onnx", matrix=True), {"X": X})[0][:, 0], named.predict(frame), rtol=1e-12)
    used = X[:, [v.index for v in named.model_.variables]]
    np.testing.assert_allclose(run(Model(named.model_.text).export("onnx", matrix=True), {"X": used})[0][:, 0], named.predict(frame), rtol=1e-12)


def test_a_matrix_is_for_numbers(numbers: Any) -> None:
    X, y = numbers
    frame = pd.DataFrame({"a": X[:, 1], "kind": pd.Categorical(np.where(y > 0, "u", "v"))})
    with pytest.raises(ValueError, match="column 'kind' holds categories"):
        FSARegressor(k=2, quick=True).fit(frame, y).export("onnx", matrix=True)
    when = pd.DataFrame({"when": pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(200), unit="D")})
    with pytest.raises(ValueError, match="column 'when' holds dates or times"):
        FSARegressor(k=1, quick=True).fit(when, np.arange(200.0)).export("onnx", matrix=True)
    with pytest.raises(ValueError, match="matrix is for to = 'onnx'"):
        FSARegressor(k=1, quick=True).fit(X, y).export("c", matrix=True)


def test_a_model_of_no_feature() -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(100, 3))
    model = FSARegressor(k="auto").fit(X, rng.normal(size=100))
    assert len(model.selected_) == 0
    for graph in (model.export("onnx", matrix=True), skl2onnx.to_onnx(model, X[:1])):
        np.testing.assert_allclose(run(graph, {"X": X})[0][:, 0], model.predict(X))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_pipelines(numbers: Any, kind: Any) -> None:
    X, y = numbers
    X = X.astype(kind)
    tolerance = 1e-5 if kind == np.float32 else 1e-12
    model = make_pipeline(StandardScaler(), FSARegressor(k=3, bins=3)).fit(X, y)
    found = run(skl2onnx.to_onnx(model, X[:1]), {"X": X})[0]
    assert found.dtype == kind
    np.testing.assert_allclose(found[:, 0], model.predict(X), rtol=tolerance, atol=tolerance)
    for target in labels(y):
        model = make_pipeline(StandardScaler(), FSAClassifier(k=3, quick=True)).fit(X, target)
        label, probability = run(skl2onnx.to_onnx(model, X[:1], options={"zipmap": False}), {"X": X})
        assert (label == model.predict(X)).mean() > 0.99  # a float32 may be on the other side
        np.testing.assert_allclose(probability, model.predict_proba(X), atol=tolerance)
    if kind == np.float32:  # ONNX has dictionaries of float32 numbers only
        assert run(skl2onnx.to_onnx(model, X[:1]), {"X": X})[1][0].keys() == set(model.classes_)
    label = run(skl2onnx.to_onnx(model, X[:1], options={id(model[-1]): {"nocl": True, "zipmap": False}}), {"X": X})[0]
    assert (model.classes_[label] == model.predict(X)).mean() > 0.99


def test_selection_before_another_model(numbers: Any) -> None:
    X, y = numbers
    model = make_pipeline(FSASelector(k=3), StandardScaler(), LogisticRegression()).fit(X, y > 0)
    found = run(skl2onnx.to_onnx(model, X[:1], options={"zipmap": False}), {"X": X})[1]
    np.testing.assert_allclose(found, model.predict_proba(X), atol=1e-12)


def test_scores(numbers: Any) -> None:
    X, y = numbers
    ranker = FSARanker(k=2, quick=True).fit(X, np.digitize(y, [-1, 1]))
    np.testing.assert_allclose(run(skl2onnx.to_onnx(ranker, X[:1]), {"X": X})[0][:, 0], ranker.predict(X), rtol=1e-12)
    for model, options in ((FSAClassifier(k=2, loss="svm"), {}), (FSAClassifier(k=2, quick=True), {"raw_scores": True})):
        model.fit(X, y > 0)
        label, score = run(skl2onnx.to_onnx(model, X[:1], options={id(model): {"zipmap": False, **options}}), {"X": X})
        assert (label == model.predict(X)).all()
        z = model.decision_function(X)
        np.testing.assert_allclose(score, np.column_stack([-z, z]), rtol=1e-12)


def test_an_input_for_each_feature(numbers: Any) -> None:
    X, y = numbers
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(X[:, :5], columns=[f"c {j}" for j in range(5)]).assign(colour=rng.choice(["red", "green"], len(y)))
    target = y + 3 * (frame["colour"] == "red")
    model = FSARegressor(k=3, quick=True).fit(frame, target)
    types = [(name, skl2onnx.common.data_types.StringTensorType([None, 1]) if name == "colour" else skl2onnx.common.data_types.DoubleTensorType([None, 1])) for name in reversed(frame.columns)]
    graph = skl2onnx.convert_sklearn(model, initial_types=types)
    ports = [port.name for port in graph.graph.input]
    feeds = {port: frame[[name]].to_numpy(object if name == "colour" else float) for port, (name, _) in zip(ports, types, strict=True)}
    np.testing.assert_allclose(run(graph, feeds)[0][:, 0], model.predict(frame), rtol=1e-12)
    with pytest.raises(ValueError, match="'c 0' is missing"):
        skl2onnx.convert_sklearn(model, initial_types=types[:-1])
    encoded = make_pipeline(make_column_transformer((OneHotEncoder(sparse_output=False), ["colour"]), remainder="passthrough"), FSARegressor(k=3, quick=True))
    encoded.fit(frame, target)
    graph = skl2onnx.convert_sklearn(encoded, initial_types=types)
    np.testing.assert_allclose(run(graph, feeds)[0][:, 0], encoded.predict(frame), rtol=1e-5, atol=1e-5)


def test_inputs_of_an_exported_model(numbers: Any) -> None:
    X, y = numbers
    n = len(y)
    rng = np.random.default_rng(1)
    when = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 700, n), unit="D")
    frame = pd.DataFrame({"a": X[:, 0], "when": when, "when.month": rng.normal(size=n), "colour": rng.choice(["red", "green", None], n)})
    target = 2 * frame["a"] + 4 * (when.month > 6) + 3 * (frame["colour"] == "red") + frame["when.month"]
    model = FSARegressor(k=4, quick=True, bins=0).fit(frame, target)
    assert {v.full_name for v in model.model_.variables} >= {"a", "when.month", "colour"}
    frame.loc[:3, "a"] = np.nan
    frame.loc[2:5, "when"] = pd.NaT
    got = run(model.export("onnx"), model.onnx_inputs(frame))[0]
    np.testing.assert_allclose(got.reshape(-1), model.predict(frame), rtol=1e-9, atol=1e-9)


def test_several_targets(numbers: Any) -> None:
    X, y = numbers
    both = np.column_stack([y, X[:, 0] - y])
    model = make_pipeline(StandardScaler(), FSARegressor(k=3, quick=True)).fit(X, both)
    graph = skl2onnx.to_onnx(model, X[:1])
    np.testing.assert_allclose(run(graph, {"X": X})[0], model.predict(X), rtol=1e-9)
    classifier = FSAClassifier(k=3, quick=True).fit(X, (both > 0).astype(int))
    with pytest.raises(ValueError, match=r"2 labels, .* export\('onnx'\)"):
        skl2onnx.to_onnx(classifier, X[:1], options={"zipmap": False})
