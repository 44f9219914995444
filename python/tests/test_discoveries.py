"""Selections at a false discovery rate, and features that could stand in for others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fsa_select import FSAClassifier, FSARanker, FSARegressor


def test_fdr(numbers: tuple[Any, Any]) -> None:
    X, y = numbers
    m = FSARegressor(fdr=0.1, bins=0).fit(X, y)
    assert {1, 4, 7} <= set(m.selected_) and len(m.selected_) < 7
    found = m.discoveries_
    assert found["rate"] == 0.1 and found["half_samples"] == 20 and len(found["confirmed"]) >= 3
    assert m.validation_ is None and m.k_ == len(m.selected_)
    m.set_params(fdr=None, k=3).fit(X, y)
    assert not hasattr(m, "discoveries_")


def test_fdr_of_classes(numbers: tuple[Any, Any]) -> None:
    X, y = numbers
    m = FSAClassifier(fdr=0.2, bins=0).fit(X, y > 0)
    assert {1, 4} <= set(m.selected_)


def test_fdr_refuses(numbers: tuple[Any, Any]) -> None:
    X, y = numbers
    for parameters, words in (({"fdr": 2}, "fdr = 2"), ({"fdr": 0.1, "k": 3}, "number of variables"), ({"fdr": 0.1, "cv": 3}, "nested")):
        with pytest.raises(ValueError, match=words):
            FSARegressor(**parameters).fit(X, y)
    assert "fdr" not in FSARanker().get_params()


def test_rivals(numbers: tuple[Any, Any]) -> None:
    X, y = numbers
    X = np.column_stack([X, X[:, 1] + 1e-3 * X[:, 0]])
    m = FSARegressor(k=3, bins=0, rivals=True).fit(X, y)
    by = {r["name"]: r for r in m.rivals_}
    assert len(by) == 3
    verdicts = sorted(r["verdict"] for r in m.rivals_)
    assert verdicts == ["indispensable", "indispensable", "interchangeable"]
    twin = next(r for r in m.rivals_ if r["equals"])
    assert twin["instead"][twin["equals"][0]] < 0.01 * twin["without"]
    assert "is indispensable" in str(m.model_.summary())
    assert not hasattr(FSARegressor(k=3).fit(X, y), "rivals_")


def test_intervals(numbers: tuple[Any, Any]) -> None:
    X, y = numbers
    m = FSARegressor(k=3, bins=0, confidence=0.9, stability=5).fit(X, y)
    assert [set(v) for v in m.intervals_] == [{"name", "estimate", "low", "high"}] * 3
    for v in m.intervals_:
        assert v["low"][0] < v["estimate"][0] < v["high"][0]
    assert m.model_.stability is not None and m.model_.stability["half_samples"] == 10
    m.set_params(confidence=None).fit(X, y)
    assert not hasattr(m, "intervals_")
    classes = FSAClassifier(k=2, bins=0, confidence=0.9).fit(X, y > 0)
    assert len(classes.intervals_) == 2
    with pytest.raises(ValueError, match="confidence"):
        FSARegressor(confidence=90).fit(X, y)
    with pytest.raises(ValueError, match="likelihood"):
        FSARegressor(k=3, loss="huber", confidence=0.9).fit(X, y)


def test_sets_that_are_nearly_as_good(numbers: tuple[Any, Any]) -> None:
    X, y = numbers
    X = np.column_stack([X, X[:, 1] + 1e-3 * X[:, 0]])
    m = FSARegressor(k=3, bins=0, rivals=True).fit(X, y)
    near = m.validation_["near"]
    assert near["complete"] and near["found"] == len(near["sets"]) >= 2 and near["margin"] == 0.01
