"""Selection as a transformer."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted

from ._base import FSABase
from ._classifier import CLASS_PARAMETERS, LOSSES
from ._columns import Vector
from ._documented import documented
from ._progress import Callback
from ._regressor import LOSSES as REGRESSION
from ._regressor import QUANTILE
from ._survival import has_events, times_and_events
from ._trace import Stage

if TYPE_CHECKING:
    from typing_extensions import Self

_MOST_CLASSES = 20  # that whole numbers are taken for


@documented(
    losses="""Name of a loss: one of :class:`FSARegressor` for numbers, counts and amounts, one of
        :class:`FSAClassifier` for classes, "rank" for orders within queries, "cox" for survival
        times. "auto" looks at y: numbers with fractions, or more than 20 different ones, are
        numbers, with ``qid`` it is rank, and y of times and events is cox.""",
    more=QUANTILE + CLASS_PARAMETERS,
    compared=False,
)
class FSASelector(SelectorMixin, FSABase):  # type: ignore[misc]
    """Select features that predict a target, as a step of a pipeline.

    Cross-validation chooses how many are selected, unless ``k`` is a number.

    Parameters
    ----------
    %PARAMETERS%

    Attributes
    ----------
    %ATTRIBUTES%

    See Also
    --------
    FSAClassifier, FSARegressor, FSARanker : The same selection with its model.

    Examples
    --------
    >>> from sklearn.datasets import make_regression
    >>> from fsa_select import FSASelector
    >>> X, y = make_regression(200, 40, n_informative=3, shuffle=False, random_state=0)
    >>> selector = FSASelector(k=3).fit(X, y)
    >>> selector.get_support(indices=True).tolist()
    [0, 1, 2]
    >>> selector.transform(X).shape
    (200, 3)
    """

    _losses = ("auto", *REGRESSION, *LOSSES, "rank", "cox")

    def __init__(
        self,
        k: int | str = "auto",
        *,
        sizes: Sequence[int] | None = None,
        rule: str | None = None,
        cv: Any = None,
        fdr: float | None = None,
        rivals: bool = False,
        repeats: int | None = None,
        ordered: bool = False,
        scoring: str | None = None,
        nested: bool = False,
        loss: str = "auto",
        bins: int | str = "auto",
        alpha: float | None = None,
        interactions: bool | int | str = "auto",
        heredity: str | None = None,
        interaction_cst: Any = None,
        polish: bool = False,
        quick: bool = False,
        force: Sequence[str | int] | None = None,
        use: Sequence[str | int] | None = None,
        categorical_features: Sequence[str | int] | None = None,
        feature_groups: Sequence[Sequence[str | int]] | None = None,
        quantile: float | Sequence[float] | None = None,
        class_weight: dict[Any, float] | str | None = None,
        class_order: Sequence[Any] | None = None,
        huber: float | None = None,
        max_iter: int | None = None,
        mu: float | None = None,
        eta: float | None = None,
        batch: int | None = None,
        momentum: float | None = None,
        warm_up: int = 0,
        tol: float | None = None,
        scale: str = "auto",
        spacing: str = "auto",
        storage: str = "float32",
        extrapolate: str = "clip",
        priors: dict[str, float] | None = None,
        monotonic_cst: Any = None,
        positive: bool | Sequence[str | int] = False,
        constraints: dict[str | int, Any] | None = None,
        costs: Any = None,
        budget: float | Sequence[float] | None = None,
        quotas: dict[str, int | tuple[int, int | None]] | None = None,
        offset_model: Any = None,
        stability: int = 0,
        confidence: float | None = None,
        memory: int | str | None = None,
        max_time: float | None = None,
        run_folder: str | os.PathLike[str] | None = None,
        resume: str | os.PathLike[str] | None = None,
        warm_start: bool = False,
        device: str = "cpu",
        device_memory: int | str | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        callbacks: Callback | Sequence[Callback] | None = None,
        progress: Callable[[Stage], object] | None = None,
        verbose: int = 0,
    ) -> None:
        self.k = k
        self.sizes = sizes
        self.rule = rule
        self.cv = cv
        self.fdr = fdr
        self.rivals = rivals
        self.repeats = repeats
        self.ordered = ordered
        self.scoring = scoring
        self.nested = nested
        self.loss = loss
        self.bins = bins
        self.alpha = alpha
        self.interactions = interactions
        self.heredity = heredity
        self.interaction_cst = interaction_cst
        self.polish = polish
        self.quick = quick
        self.force = force
        self.use = use
        self.categorical_features = categorical_features
        self.feature_groups = feature_groups
        self.quantile = quantile
        self.class_weight = class_weight
        self.class_order = class_order
        self.huber = huber
        self.max_iter = max_iter
        self.mu = mu
        self.eta = eta
        self.batch = batch
        self.momentum = momentum
        self.warm_up = warm_up
        self.tol = tol
        self.scale = scale
        self.spacing = spacing
        self.storage = storage
        self.extrapolate = extrapolate
        self.priors = priors
        self.monotonic_cst = monotonic_cst
        self.positive = positive
        self.constraints = constraints
        self.costs = costs
        self.budget = budget
        self.quotas = quotas
        self.offset_model = offset_model
        self.stability = stability
        self.confidence = confidence
        self.memory = memory
        self.max_time = max_time
        self.run_folder = run_folder
        self.resume = resume
        self.warm_start = warm_start
        self.device = device
        self.device_memory = device_memory
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.callbacks = callbacks
        self.progress = progress
        self.verbose = verbose

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, qid: Any = None, groups: Any = None, offset: Any = None, exposure: Any = None, strata: Any = None,
        entry: Any = None,
    ) -> Self:
        """Select features.

        Parameters
        ----------
        X : array-like, sparse matrix, frame, Arrow table, or path
            Samples.
        y : array-like of shape (n_samples,), or str
            Targets. Survival times are given as for :meth:`FSASurvival.fit`.
        sample_weight : array-like of shape (n_samples,), optional
            Weights. A sample of weight 2 counts as two.
        qid : array-like of shape (n_samples,), optional
            The query of each sample, for a ranking.
        groups : array-like of shape (n_samples,), or str, optional
            Samples of a group, such as those of a patient, stay in one fold. A splitter that
            is ``cv`` is given them.
        offset, exposure : float, array-like of shape (n_samples,), or str, optional
            As for :meth:`FSARegressor.fit`, for numbers, counts and amounts.
        strata, entry : array-like of shape (n_samples,), or str, optional
            As for :meth:`FSASurvival.fit`.

        Returns
        -------
        self : FSASelector
            The fitted selector.
        """
        loss, rows = self._checked_loss(), {"sample_weight": sample_weight, "groups": groups, "qid": qid, "offset": offset, "exposure": exposure}
        if loss == "cox" or loss == "auto" and has_events(y):
            time, event = times_and_events(y)
            self._learn(X, time, loss="cox", classify=False, event=event, stratum=strata, entry=entry, **rows)
            return self
        if strata is not None:
            raise ValueError("strata are for survival times: with loss = 'cox', or y of times and events")
        if entry is not None:
            raise ValueError("entry is for survival times: with loss = 'cox', or y of times and events")
        if isinstance(y, str) or y is None and not isinstance(X, str):
            self._learn(X, y, loss=loss, classify=loss in LOSSES, **rows)
            return self
        classify = loss in LOSSES
        if loss == "auto":
            classify = qid is None and _are_classes(y)
            loss = "auto" if classify or qid is None else "rank"
        self._learn(X, y, loss=loss, classify=classify, **rows)
        return self

    def _get_support_mask(self) -> Vector:
        check_is_fitted(self)
        return self.support_


def _are_classes(y: Any) -> bool:
    """Whether a target holds classes, not numbers."""
    kind = type_of_target(y, input_name="y")
    if kind.startswith("continuous"):
        return False
    if kind == "multiclass" and np.asarray(y).dtype.kind in "iuf" and len(np.unique(np.asarray(y))) > _MOST_CLASSES:
        return False
    if kind in ("binary", "multiclass") or np.asarray(y).dtype.kind not in "iufb":
        return True
    raise ValueError(f"y is {kind}: it must be one class or number for each sample")
