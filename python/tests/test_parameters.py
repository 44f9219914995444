"""Parameters that do what flags of the command do."""

from __future__ import annotations

import copy
import gc
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from fsa_select import FSAClassifier, FSARanker, FSARegressor, FSASelector, Stage


def line() -> tuple[pd.DataFrame, pd.Series]:
    frame = pd.DataFrame({"t": np.arange(100.0)})
    return frame, 2 * frame.t


def test_lines_end_or_go_on() -> None:
    X, y = line()
    far = pd.DataFrame({"t": [500.0]})
    assert FSARegressor(k=1, bins=0).fit(X, y).predict(far) == pytest.approx([396], rel=1e-3)
    model = FSARegressor(k=1, bins=0, extrapolate="line").fit(X, y)
    assert model.predict(far) == pytest.approx([1000], rel=1e-3)
    assert model.predict(far) == pytest.approx(far.to_numpy() @ model.coef_ + model.intercept_)


def codes(seed: int = 0) -> tuple[pd.DataFrame, np.ndarray[Any, Any]]:
    """A column of codes whose order means nothing."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({f"x{j}": rng.normal(size=400) for j in range(4)})
    frame["zone"] = rng.integers(0, 6, size=400)
    y = np.array([3.0, -3, 2, -2, 3, -3])[frame.zone] + rng.normal(size=400)
    return frame, y


@pytest.mark.parametrize("given", [["zone"], [4]])
def test_categorical_features_of_a_frame(given: list[Any]) -> None:
    X, y = codes()
    plain = FSARegressor(k=1, bins=0).fit(X, y)
    model = FSARegressor(k=1, bins=0, categorical_features=given).fit(X, y)
    assert model.score(X, y) > 0.8 > 0.5 > plain.score(X, y)
    as_text = X.assign(zone=X.zone.astype(str))
    np.testing.assert_array_equal(model.predict(X), FSARegressor(k=1, bins=0).fit(as_text, y).predict(as_text))
    missing = X.head(2).assign(zone=[np.nan, 3.0])
    assert np.isfinite(model.predict(missing)).all()


def test_categorical_features_of_an_array() -> None:
    X, y = codes()
    of_frame = FSARegressor(k=1, bins=0, categorical_features=[4]).fit(X, y)
    of_array = FSARegressor(k=1, bins=0, categorical_features=[4]).fit(X.to_numpy(), y)
    np.testing.assert_array_equal(of_array.predict(X.to_numpy()), of_frame.predict(X))


def test_categorical_features_of_a_file(tmp_path: Path) -> None:
    X, y = codes()
    path = tmp_path / "codes.csv"
    X.assign(y=y).to_csv(path, index=False)
    of_frame = FSARegressor(k=1, bins=0, categorical_features=["zone"]).fit(X, y)
    of_file = FSARegressor(k=1, bins=0, categorical_features=["zone"]).fit(path, "y")
    np.testing.assert_allclose(of_file.predict(X), of_frame.predict(X), rtol=1e-6)


def test_nested() -> None:
    X, y = codes()
    model = FSARegressor(k=1, cv=3, nested=True).fit(X, y)
    (test,) = model.model_.tests
    assert test["name"] == "nested" and 0 < test["metrics"]["r2"] < 1
    assert "whole procedure" in model.summary()


class Stopped(Exception):
    """Ends a fit."""


def test_resume(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(1500, 400))  # large enough that the fit is at work when it is cancelled
    y = X[:, 0] - X[:, 1] + rng.normal(size=1500)
    file = tmp_path / "checkpoint"
    whole = FSARegressor(k=2, max_iter=400).fit(X, y)

    def stop(stage: Stage) -> None:
        if stage.done > 0.2:  # where most of the work is still to be done
            raise Stopped

    with pytest.raises(Stopped):
        FSARegressor(k=2, max_iter=400, resume=file, progress=stop).fit(X, y)
    assert file.exists()
    resumed = FSARegressor(k=2, max_iter=400, resume=str(file)).fit(X, y)
    np.testing.assert_array_equal(resumed.coef_, whole.coef_)
    assert not file.exists()


def test_warm_start(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(1500, 400))
    y = X[:, 0] - X[:, 1] + rng.normal(size=1500)
    whole = FSARegressor(k=2, max_iter=400).fit(X, y)
    shares: list[float] = []

    def stop(stage: Stage) -> None:
        if stage.done > 0.2:
            raise Stopped

    model = FSARegressor(k=2, max_iter=400, warm_start=True, progress=stop)
    with pytest.raises(Stopped):
        model.fit(X, y)
    file = Path(model._checkpoint.path)
    assert file.exists()
    assert "_checkpoint" not in clone(model).__dict__ and "_checkpoint" not in copy.deepcopy(model).__dict__
    model.set_params(progress=lambda stage: shares.append(stage.done)).fit(X, y)
    assert model.model_ == whole.model_
    assert not file.exists()
    for changed in ({"k": 3}, {"max_iter": 300}):  # another fit begins anew
        with pytest.raises(Stopped):
            model.set_params(k=2, max_iter=400, progress=stop).fit(X, y)
        assert file.exists()
        again = model.set_params(progress=None, **changed).fit(X, y)
        assert again.model_ == FSARegressor(**{"k": 2, "max_iter": 400, **changed}).fit(X, y).model_
        assert not file.exists()
    with pytest.raises(ValueError, match="warm_start = True: it is for fits without resume"):
        model.set_params(resume=tmp_path / "file").fit(X, y)
    with pytest.raises(ValueError, match="warm_start = 1: it must be True or False"):
        FSARegressor(warm_start=1).fit(X, y)
    del model, again
    gc.collect()
    assert not file.parent.exists()


@pytest.mark.parametrize("estimator", [FSARegressor, FSAClassifier, FSARanker, FSASelector])
@pytest.mark.parametrize(
    "wrong",
    [
        {"extrapolate": "far"},
        {"nested": 1},
        {"categorical_features": ["nope"]},
        {"categorical_features": [7]},
        {"categorical_features": "zone"},
        {"device_memory": "much"},
        {"use": ["nope"]},
    ],
)
def test_wrong_values(estimator: Any, wrong: dict[str, Any]) -> None:
    X, y = codes()
    with pytest.raises(ValueError, match=next(iter(wrong))):
        estimator(k=1, **wrong).fit(X, (y > 0).astype(int))
