"""Contributions: they are those of the model, and SHAP values where there is a background."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import make_numbers

from fsa_select import FSAClassifier, FSARanker, FSARegressor

shap = pytest.importorskip("shap")


def test_sums(numbers: Any) -> None:
    X, y = numbers
    frame = pd.DataFrame(X[:, :6], columns=list("abcdef")).assign(
        ward=pd.Categorical(np.where(X[:, 9] > 0, "north", "south")),
        day=pd.Timestamp("2021-03-01") + pd.to_timedelta(np.arange(len(y)), unit="D"),
    )
    frame.loc[::7, "b"] = np.nan
    frame.loc[3, ["ward", "day"]] = None
    seen = set()
    y = y + 5 * (frame["ward"] == "north") + 4 * (frame["day"].dt.month == 5)
    for model, target in (
        (FSARegressor(k=4, bins=3), y),
        (FSAClassifier(k=4), y > 2),
        (FSAClassifier(k=4, quick=True), np.digitize(y, [0, 4])),
        (FSARanker(k=3, quick=True), np.digitize(y, [0, 4])),
    ):
        model.fit(frame, target)
        decisions = model._decide(frame)
        for background in (None, frame[50:]):
            found = model.explain(frame, background)
            total = found.values.sum(axis=1) + found.base_values
            np.testing.assert_allclose(total.reshape(decisions.shape), decisions, atol=1e-9)
            if background is not None:
                np.testing.assert_allclose(found.base_values[0], model._decide(background).mean(axis=0), atol=1e-9)
        assert found.feature_names == list(model.feature_names_in_[model.selected_])
        assert found.output_names == (model.model_.classes if found.values.ndim == 3 else None)
        of = dict(zip(found.feature_names, found.data.T, strict=True))
        seen |= of.keys()
        if "ward" in of:
            assert of["ward"][3] is None
            assert set(of["ward"]) == {"north", "south", None}
        if "day" in of:
            assert [str(moment) for moment in of["day"][:4]] == ["2021-03-01", "2021-03-02", "2021-03-03", "None"]
    assert seen >= {"ward", "day"}


def test_same_as_shap() -> None:
    X, y = make_numbers()
    model = FSARegressor(k=3, bins=0).fit(X, y)
    found = model.explain(X, X)
    wanted = shap.LinearExplainer(model, shap.maskers.Independent(X, max_samples=len(X)))(X)
    np.testing.assert_allclose(found.values, wanted.values[:, model.selected_], atol=1e-9)
    np.testing.assert_allclose(found.base_values, wanted.base_values, atol=1e-9)
    np.testing.assert_array_equal(found.data, X[:, model.selected_])
    assert found.feature_names == [f"x{j}" for j in model.selected_]


def test_plots() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    X, y = make_numbers()
    found = FSAClassifier(k=3, quick=True).fit(pd.DataFrame(X).rename(columns="c{}".format), y > 0).explain(pd.DataFrame(X).rename(columns="c{}".format))
    shap.plots.beeswarm(found, show=False)
    shap.plots.waterfall(found[0], show=False)
    matplotlib.pyplot.close("all")


def test_shap_is_named_where_it_is_missing(monkeypatch: Any) -> None:
    X, y = make_numbers()
    monkeypatch.setitem(__import__("sys").modules, "shap", None)
    with pytest.raises(ImportError, match="pip install shap"):
        FSARegressor(k=1, quick=True).fit(X, y).explain(X)
