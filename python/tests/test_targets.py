"""Several targets: numbers, and labels of two classes each."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LinearRegression
from sklearn.metrics import r2_score

from fsa_select import FSAClassifier, FSARanker, FSARegressor


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 8))
    y = X[:, :3] @ np.array([[1, 0.5, -1], [-1, 1, 0.5], [0.5, 1, 1]]) + rng.normal(size=(200, 3))
    return X, y * [1, 100, 1e4]


def test_numbers(table):
    X, y = table
    of = FSARegressor(k=8, bins=0, alpha=0.0, quick=True).fit(X, y)
    want = LinearRegression().fit(X, y)
    assert of.coef_.shape == (3, 8)
    assert_allclose(of.coef_ / [[1], [100], [1e4]], want.coef_ / [[1], [100], [1e4]], atol=1e-5)
    assert_allclose(of.intercept_ / [1, 100, 1e4], want.intercept_ / [1, 100, 1e4], atol=1e-5)
    predicted = of.predict(X)
    assert predicted.shape == (200, 3)
    assert of.score(X, y) == pytest.approx(r2_score(y, predicted))
    assert [t["name"] for t in of.model_.targets] == ["y0", "y1", "y2"]
    assert "targets: y0, y1, y2" in of.summary()


def test_selects_for_all(table):
    X, y = table
    names = ["a", "b", "c"]
    of = FSARegressor(random_state=1).fit(pd.DataFrame(X, columns=[f"x{j}" for j in range(8)]), pd.DataFrame(y, columns=names))
    assert {0, 1, 2} <= set(of.selected_.tolist())
    assert [t["name"] for t in of.model_.targets] == names
    assert "r2_b" in of.validation_["metrics"]


def test_labels(table):
    X, y = table
    labels = (y > 0).astype(int)
    of = FSAClassifier(k=3, quick=True).fit(X, labels)
    assert sorted(of.selected_.tolist()) == [0, 1, 2]
    predicted, p = of.predict(X), of.predict_proba(X)
    assert predicted.shape == labels.shape
    assert predicted.dtype == labels.dtype
    assert p.shape == (200, 3)
    assert_array_equal(predicted, p > 0.5)
    assert_allclose(np.exp(of.predict_log_proba(X)), p)
    assert of.decision_function(X).shape == (200, 3)
    assert of.score(X, labels) > 0.4  # all labels of a sample are right
    texts = np.where(labels == 1, "yes", "no").astype(object)
    again = FSAClassifier(k=3, quick=True).fit(X, texts)
    assert_array_equal(again.predict(X) == "yes", predicted == 1)
    assert again.classes_.tolist() == ["no", "yes"]
    texts[:, 2] = np.where(labels[:, 2] == 1, "up", "down")
    mixed = FSAClassifier(k=3, quick=True).fit(X, texts)
    assert [c.tolist() for c in mixed.classes_] == [["no", "yes"], ["no", "yes"], ["down", "up"]]
    assert_array_equal(mixed.predict(X)[:, 2] == "up", predicted[:, 2] == 1)


def test_tags():
    assert FSAClassifier().__sklearn_tags__().classifier_tags.multi_label
    assert FSAClassifier().__sklearn_tags__().target_tags.multi_output
    assert FSARegressor().__sklearn_tags__().target_tags.multi_output
    assert not FSARanker().__sklearn_tags__().target_tags.multi_output


def test_exported(table, tmp_path):
    X, y = table
    of = FSARegressor(k=3, quick=True).fit(X, y)
    module: dict = {}
    exec(of.export("python"), module)  # noqa: S102
    row = {v.name: X[0, v.index] for v in of.model_.variables}
    assert_allclose(module["predict"](row)["prediction"], of.predict(X[:1])[0])
    labels = np.column_stack([np.where(y[:, 0] > 0, "up", "down"), np.where(y[:, 1] > 0, "yes", "no")]).astype(object)
    classifier = FSAClassifier(k=3, quick=True).fit(X, labels)
    assert isinstance(classifier.classes_, list)
    exec(classifier.export("python"), module)  # noqa: S102
    said = module["predict"]({v.name: X[0, v.index] for v in classifier.model_.variables})
    assert said["class"] == classifier.predict(X[:1])[0].tolist()
    assert_allclose(said["probability"], classifier.predict_proba(X[:1])[0])
    onnxruntime = pytest.importorskip("onnxruntime")
    classifier.export("onnx", tmp_path / "m.onnx", matrix=True)
    outputs = onnxruntime.InferenceSession(tmp_path / "m.onnx").run(None, {"X": X})
    assert_array_equal(outputs[0], classifier.predict(X))
    assert_allclose(outputs[2], classifier.predict_proba(X))


def test_file(table, tmp_path):
    X, y = table
    frame = pd.DataFrame(np.column_stack([X, y]), columns=[*(f"x{j}" for j in range(8)), "a", "b", "c"])
    frame.to_csv(tmp_path / "t.csv", index=False)
    of = FSARegressor(k=3, quick=True).fit(tmp_path / "t.csv", "a,b,c")
    assert of.predict(frame[[f"x{j}" for j in range(8)]]).shape == (200, 3)


def test_refused(table):
    X, y = table
    with pytest.raises(ValueError, match="several targets have the loss 'auto' or 'squared'"):
        FSARegressor(loss="poisson").fit(X, np.abs(y))
    with pytest.raises(ValueError, match="two classes each"):
        FSAClassifier().fit(X, np.digitize(y, [-1, 1]))
    with pytest.raises(ValueError, match="name of its own"):
        FSARegressor().fit(X, pd.DataFrame(y, columns=["1", 1, "b"]))
    with pytest.raises(ValueError, match="1d array"):
        FSARanker().fit(X, y)
    with pytest.raises(ValueError, match="calibration"):
        FSAClassifier(calibrate=True).fit(X, (y > 0).astype(int))
