"""Fits that start from a model."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from fsa_select import FSAClassifier, FSARegressor


def table() -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(400, 4)), columns=list("abcd"))
    return X, 2 * X.a + X.c + rng.normal(size=400)


def test_a_fit_starts_from_a_model(tmp_path: Path) -> None:
    X, y = table()
    first = FSARegressor(k=1, bins=0).fit(X[["b", "a"]], y)
    second = FSARegressor(k=1, bins=0, offset_model=first.model_).fit(X, y)
    assert list(X.columns[second.support_]) == ["c"]
    rest = FSARegressor(k=1, bins=0).fit(X, y, offset=first.predict(X[["b", "a"]]))
    assert second.predict(X) == pytest.approx(rest.predict(X, offset=first.predict(X[["b", "a"]])), abs=1e-6)
    again = pickle.loads(pickle.dumps(second))
    assert again.predict(X) == pytest.approx(second.predict(X))
    assert again.model_.offset_model.variables[0].name == "a"
    first.save_model(tmp_path / "first.json")
    of_file = clone(FSARegressor(k=1, bins=0, offset_model=tmp_path / "first.json")).fit(X, y)
    assert of_file.predict(X) == pytest.approx(second.predict(X))
    with pytest.raises(AttributeError, match="contains the offset model"):
        _ = second.coef_


def test_what_a_fit_cannot_start_from() -> None:
    X, y = table()
    first = FSARegressor(k=1).fit(X, y).model_
    with pytest.raises(ValueError, match="of the same task"):
        FSAClassifier(k=1, offset_model=first).fit(X, y > 0)
    with pytest.raises(ValueError, match="offset_model = 3"):
        FSARegressor(k=1, offset_model=3).fit(X, y)
