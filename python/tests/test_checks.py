"""scikit-learn's own checks, without any expected failure."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from fsa_select import FSAClassifier, FSAClassifierCV, FSARanker, FSARankerCV, FSARegressor, FSARegressorCV, FSASelector

FEW = {"sizes": [1, 2], "quick": True}


@parametrize_with_checks([FSAClassifier(), FSARegressor(), FSARanker(quick=True), FSASelector(), FSAClassifierCV(**FEW), FSARegressorCV(**FEW), FSARankerCV(**FEW)])
def test_checks(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks([FSARanker(), FSAClassifierCV(), FSARegressorCV(), FSARankerCV()])
def test_checks_of_defaults(estimator: Any, check: Any) -> None:
    """Those of the above that take minutes with the usual settings."""
    check(estimator)
