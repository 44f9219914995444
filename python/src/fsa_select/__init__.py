"""Select the k variables that matter, and fit a model on them.

Feature selection with annealing (Barbu, She, Ding and Gramajo 2017) for scikit-learn. The
work is done by the program ``fsa``, which is part of this package: as a process that starts
with the first fit and ends with Python.
"""

from ._classifier import FSAClassifier
from ._errors import DivergedError, ServiceError
from ._interaction import Interaction
from ._model import Model, Variable
from ._query import Query
from ._ranker import FSARanker
from ._regressor import FSARegressor
from ._report import Report
from ._selector import FSASelector
from ._service import stop as stop_service
from ._sums import Sums
from ._survival import FSASurvival
from ._trace import Epoch, Path, Stability, Stage

__version__ = "0.1.0"

_KEPT = (FSAClassifier, FSARanker, FSARegressor, FSASelector, FSASurvival, Model, Stability, Sums)

TRUSTED_TYPES = [f"{kept.__module__}.{kept.__qualname__}" for kept in _KEPT]
"""The types that files of skops have to be allowed to hold."""

__all__ = [
    "DivergedError",
    "Epoch",
    "FSAClassifier",
    "FSARanker",
    "FSARegressor",
    "FSASelector",
    "FSASurvival",
    "Interaction",
    "Model",
    "Path",
    "Query",
    "Report",
    "ServiceError",
    "Stability",
    "Stage",
    "TRUSTED_TYPES",
    "Variable",
    "stop_service",
]
