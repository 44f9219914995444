"""Datasets of Ray, on a cluster of processes that the tests start themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray.data", reason="ray is not installed: pip install 'ray[data]'")

import pandas as pd
import ray
from conftest import make_numbers

import fsa_select
from fsa_select.ray import FSAClassifier, FSARegressor

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """A machine with four processors, as far as Ray knows."""
    ray.init(num_cpus=4, include_dashboard=False, logging_level="error", log_to_driver=False)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.execution_options.preserve_order = True  # so that predictions can be compared with rows
    yield
    ray.shutdown()


def dataset(X: Any, blocks: int, **more: Any) -> tuple[Any, pd.DataFrame]:
    frame = pd.DataFrame(X, columns=[f"v{j}" for j in range(X.shape[1])]).assign(**more)
    size = -(-len(frame) // blocks)
    return ray.data.from_pandas([frame[at : at + size] for at in range(0, len(frame), size)]), frame


def test_same_model_for_any_workers() -> None:
    X, y = make_numbers(300, 12)
    X[::7, 4] = np.nan
    texts = set()
    for blocks, workers in ((1, None), (5, 1), (5, 2)):
        table, frame = dataset(X, blocks, y=y)
        model = FSARegressor(k=3, quick=True, max_iter=60).fit(table, "y", num_workers=workers)
        texts.add(model.model_.text)
    assert len(texts) == 1
    assert list(model.feature_names_in_) == list(frame.columns[:12])
    alone = fsa_select.FSARegressor(k=3, quick=True, max_iter=60, batch=0).fit(X, y)
    assert sorted(model.selected_) == sorted(alone.selected_) == [1, 4, 7]
    predicted = model.predict(table).to_pandas()["prediction"]
    assert np.array_equal(predicted, model.predict(frame[frame.columns[:12]]))
    np.testing.assert_allclose(predicted, alone.predict(X), rtol=1e-4, atol=1e-4)


def test_classes_and_weights() -> None:
    X, y = make_numbers(300, 12)
    table, frame = dataset(X, 3, stage=np.array(["low", "mid", "top"])[np.digitize(y, [-2, 2])], weight=1.0 + np.arange(300) % 2)
    model = FSAClassifier(k=3, quick=True, max_iter=60).fit(table, "stage", "weight", num_workers=2)
    assert list(model.classes_) == ["low", "mid", "top"]
    inputs = frame[frame.columns[:12]]
    assert (model.predict(inputs) == frame["stage"]).mean() > 0.9
    assert np.array_equal(model.predict(table).to_pandas()["prediction"].to_numpy(dtype=object), model.predict(inputs))
    probabilities = model.predict_proba(table).to_pandas()
    assert list(probabilities.columns) == ["low", "mid", "top"]
    assert np.array_equal(probabilities.to_numpy(), model.predict_proba(inputs))


def test_texts_curves_and_groups() -> None:
    X, y = make_numbers(300, 8)
    town = np.resize(np.array(["Ulm", "Bonn", "Köln", "Ulm"]), 300)
    y = 3 * np.abs(X[:, 2]) + 2 * (town == "Köln") + X[:, 4]
    texts = set()
    for blocks, workers in ((1, 1), (5, 2)):
        table, frame = dataset(X, blocks, town=town, patient=np.arange(300) // 3, y=y)
        model = FSARegressor(k=3, bins=4, cv=3, max_iter=60, feature_groups=[["v0", "v4"]]).fit(table, "y", groups="patient", num_workers=workers)
        texts.add(model.model_.text)
    assert len(texts) == 1
    kinds = {v.name: v.kind for v in model.model_.variables}
    assert kinds["v2"] == "curve" and kinds["town"] == "category" and {"v0", "v4"} < set(kinds)
    inputs = frame.drop(columns=["patient", "y"])
    assert np.array_equal(model.predict(table).to_pandas()["prediction"], model.predict(inputs)) and model.score(inputs, y) > 0.9


def test_bad_datasets_are_named() -> None:
    X, y = make_numbers(100, 8)
    table, frame = dataset(X, 2, y=y)
    with pytest.raises(ValueError, match="X is no dataset of Ray"):
        FSARegressor(k=1).fit(frame, "y")
    with pytest.raises(ValueError, match="y = 'z': it must be a column"):
        FSARegressor(k=1).fit(table, "z")
    with pytest.raises(ValueError, match="num_workers = 0"):
        FSARegressor(k=1).fit(table, "y", num_workers=0)
    with pytest.raises(ValueError, match="groups = 'z': it must be a column"):
        FSARegressor(k=1).fit(table, "y", groups="z")
    with pytest.raises(ValueError, match="infinite"):
        FSARegressor(k=1).fit(dataset(np.where(X > 2, np.inf, X), 2, y=y)[0], "y")
    with pytest.raises(ValueError, match="'day' of X holds dates or times"):
        FSARegressor(k=1).fit(dataset(X, 2, y=y, name="text", day=pd.Timestamp("2024-05-06"))[0], "y")
    with pytest.raises(ValueError, match="1 class"):
        FSAClassifier(k=1).fit(dataset(X, 2, y=0)[0], "y")
