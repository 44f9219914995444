"""Estimators in files of other packages: skops and MLflow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import make_numbers
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fsa_select
from fsa_select import FSAClassifier, FSARanker, FSARegressor, FSASelector


def fitted() -> list[Any]:
    X, y = make_numbers()
    grades = np.digitize(y, [-1, 1])
    return [
        FSAClassifier(k=2, quick=True, bins=3).fit(X, y > 0),
        FSAClassifier(quick=True).fit(X, np.where(y > 0, "b", "a")),
        FSARegressor(k=3, stability=2).fit(X, y),
        FSARegressor(quick=True).fit(X, y),
        FSARanker(k=2, quick=True).fit(X, grades),
        FSARanker(quick=True).fit(X, grades),
        FSASelector(k=2, quick=True).fit(X, y),
    ]


def test_skops() -> None:
    skops = pytest.importorskip("skops.io")
    X, _ = make_numbers()
    for model in fitted():
        again = skops.loads(skops.dumps(model), trusted=fsa_select.TRUSTED_TYPES)
        assert again.model_ == model.model_
        apply = "transform" if isinstance(model, FSASelector) else "predict"
        np.testing.assert_array_equal(getattr(again, apply)(X), getattr(model, apply)(X))


def test_mlflow(tmp_path: Path) -> None:
    mlflow = pytest.importorskip("mlflow")
    X, y = make_numbers()
    model = make_pipeline(StandardScaler(), FSARegressor(k=3, quick=True)).fit(X, y)
    mlflow.sklearn.save_model(model, tmp_path / "model", skops_trusted_types=fsa_select.TRUSTED_TYPES, pip_requirements=["fsa-select"])
    for again in (mlflow.sklearn.load_model(str(tmp_path / "model")), mlflow.pyfunc.load_model(str(tmp_path / "model"))):
        np.testing.assert_array_equal(again.predict(X), model.predict(X))
