"""The checks of scikit-learn, without any expected failure."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from fsa_select import FSAClassifier, FSARanker, FSARegressor, FSASelector, FSASurvival


@parametrize_with_checks([FSAClassifier(), FSARanker(), FSARegressor(), FSASelector(), FSASurvival()])
def test_checks(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks([kind(k=3, quick=True) for kind in (FSAClassifier, FSARanker, FSARegressor, FSASelector, FSASurvival)])
def test_checks_without_validation(estimator: Any, check: Any) -> None:
    check(estimator)
