"""Callbacks of scikit-learn."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fsa_select import FSAClassifier, FSARegressor

callback = pytest.importorskip("sklearn.callback")


class Log:
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.depth: list[int] = []
        self.fitted: list[Any] = []

    def setup(self, estimator: Any, context: Any) -> None:
        self.seen.append("setup")

    def teardown(self, estimator: Any, context: Any) -> None:
        self.seen.append("teardown")

    def on_fit_task_begin(self, estimator: Any, context: Any) -> None:
        self.seen.append(f"begin {context.task_name}")

    def on_fit_task_end(self, estimator: Any, context: Any, *, X: Any = None, fitted_estimator: Any = None) -> None:
        self.seen.append(f"end {context.task_name}")
        if context.task_name == "annealing":
            self.depth.append(context.max_subtasks)
        if hasattr(fitted_estimator, "predict"):
            self.fitted.append(fitted_estimator.predict(X))


class AutoLog(Log):
    """A log that a pipeline passes on to its steps."""

    max_propagation_depth = None


def test_epochs_are_tasks(numbers: Any) -> None:
    X, y = numbers
    log = Log()
    model = FSARegressor(k=3).set_callbacks(log).fit(X, y)
    epochs = ["begin epoch", "end epoch"] * model.n_iter_
    assert log.seen == ["setup", "begin fit", "begin annealing", *epochs, "end annealing", "end fit", "teardown"]
    assert log.depth == [model.n_iter_]
    assert len(log.fitted) == 1
    assert (log.fitted[0] == model.predict(X)).all()
    log.seen = []
    clone(model).fit(X, y)
    assert log.seen.count("begin fit") == 1
    with pytest.raises(ValueError, match="loss = 'cheese'"):
        log.seen = []
        model.set_params(loss="cheese").fit(X, y)
    with pytest.raises(ValueError, match="NaN"):
        model.set_params(loss="auto").fit(X, y * float("nan"))
    assert log.seen == ["setup", "begin fit", "teardown"]


def test_in_a_pipeline(numbers: Any, capsys: Any) -> None:
    X, y = numbers
    log = AutoLog()
    make_pipeline(StandardScaler(), FSAClassifier(k=3, quick=True)).set_callbacks(log).fit(X, y > 0)
    assert "begin annealing" in log.seen
    assert log.seen[0] == "setup" and log.seen[-1] == "teardown"
    monitor = callback.ScoringMonitor(scoring="accuracy")
    model = FSAClassifier(k=3, quick=True).set_callbacks(monitor).fit(X, y > 0)
    assert monitor.get_logs().data[-1]["accuracy"] == model.score(X, y > 0)
