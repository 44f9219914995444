"""Pictures are drawn of what was learned."""

from __future__ import annotations

from typing import Any

import matplotlib
import numpy as np
import pandas as pd
import pytest

from fsa_select import FSAClassifier, FSARegressor
from fsa_select.plots import plot_cv, plot_importance, plot_path, plot_responses

matplotlib.use("agg")


@pytest.fixture(autouse=True)
def closed() -> Any:
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def test_path_and_importance(numbers: Any) -> None:
    X, y = numbers
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    model = FSARegressor(k=3).fit(frame, y)
    ax = plot_path(model)
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["c1", "c4", "c7"]
    assert len(ax.lines) == len(model.path_.features)
    assert [t.get_text() for t in plot_importance(model).get_yticklabels()] == ["c7", "c4", "c1"]
    plot_importance(model, ax=ax).figure.canvas.draw()


def test_cv(numbers: Any) -> None:
    X, y = numbers
    model = FSARegressor(sizes=[1, 2, 3, 4]).fit(X, y)
    line = plot_cv(model).lines[1]
    np.testing.assert_array_equal(line.get_ydata(), model.cv_results_["mean_loss"])
    with pytest.raises(ValueError, match="has not chosen k"):
        plot_cv(FSARegressor(k=2).fit(X, y))


def test_responses(numbers: Any) -> None:
    X, y = numbers
    frame = pd.DataFrame(X[:, :5]).add_prefix("c").assign(colour=pd.Categorical(np.where(y > 0, "red", "blue")))
    for model in (FSAClassifier(k=3).fit(frame, y > 0), FSAClassifier(k=3, bins=4).fit(frame, np.digitize(y, [-1, 1]))):
        axes = plot_responses(model)
        assert [ax.get_xlabel() for ax in axes] == [v.name for v in model.model_.variables]
        axes[0].figure.canvas.draw()
