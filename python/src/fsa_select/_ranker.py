"""Orders within queries."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.metrics import ndcg_score

from . import _cuda
from ._base import FSABase
from ._columns import Vector
from ._documented import documented
from ._progress import Callback
from ._trace import Stage

if TYPE_CHECKING:
    from typing_extensions import Self


@documented(losses='"rank", also called "auto".', fdr=False, start=False)
class FSARanker(FSABase):
    """Select features and fit a ranking of samples within queries.

    Cross-validation chooses the number of features, unless ``k`` is a number.

    Parameters
    ----------
    %PARAMETERS%

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,)
        Coefficients; zero for features that were not selected. Only available if all effects are
        linear. ``predict`` extrapolates a line beyond the training range by the width of that range
        and is constant beyond, so ``X @ coef_ + intercept_`` differs for
        samples farther away.
    %ATTRIBUTES%

    Examples
    --------
    >>> import numpy as np
    >>> from fsa_select import FSARanker
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 20))
    >>> y = np.digitize(X[:, 4] - X[:, 7], [-1, 1])
    >>> model = FSARanker(k=2).fit(X, y, qid=np.arange(200) // 10)
    >>> sorted(model.selected_.tolist())
    [4, 7]
    """

    _losses = ("auto", "rank")

    def __init__(
        self,
        k: int | str = "auto",
        *,
        sizes: Sequence[int] | None = None,
        rule: str | None = None,
        cv: Any = None,
        rivals: bool = False,
        repeats: int | None = None,
        ordered: bool = False,
        scoring: str | None = None,
        nested: bool = False,
        reference: Any = None,
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
        self.rivals = rivals
        self.repeats = repeats
        self.ordered = ordered
        self.scoring = scoring
        self.nested = nested
        self.reference = reference
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

    def fit(self, X: Any, y: Any, sample_weight: Any = None, qid: Any = None, groups: Any = None) -> Self:
        """Select features and fit a ranking on them.

        Parameters
        ----------
        X : array-like, sparse matrix, frame, Arrow table, or path
            Samples.
        y : array-like of shape (n_samples,), or str
            How relevant each is to its query: the larger, the better.
        sample_weight : array-like of shape (n_samples,), optional
            Weights. A sample of weight 2 counts as two, if all weights are whole numbers;
            otherwise a pair of samples has the mean of their weights.
        qid : array-like of shape (n_samples,), optional
            The query of each sample. Without, all belong to one.
        groups : array-like of shape (n_samples,), or str, optional
            Samples of a group, such as those of a patient, stay in one fold. They are passed to a
            splitter in ``cv``.

        Returns
        -------
        self : FSARanker
            The fitted estimator.
        """
        self._checked_loss()
        self._learn(X, y, loss="rank", classify=False, sample_weight=sample_weight, qid=qid, groups=groups)
        return self

    def predict(self, X: Any) -> Vector:
        """Scores of samples. Within a query, larger is better.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or Arrow table
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Scores.

        Notes
        -----
        A line is extrapolated beyond the training range of its feature by the width of that range,
        and is constant beyond. A curve is constant beyond
        its first and its last knot.
        """
        return self._decide(X)[:, 0]

    def score(self, X: Any, y: Any, sample_weight: Any = None, qid: Any = None) -> float:
        """Mean normalised discounted cumulative gain over the first ten of each query.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or Arrow table
            Samples.
        y : array-like of shape (n_samples,)
            How relevant each is.
        sample_weight : array-like of shape (n_samples,), optional
            Weights; a query has the mean weight of its samples.
        qid : array-like of shape (n_samples,), optional
            The query of each sample. Without, all belong to one.

        Returns
        -------
        float
            Between 0 and 1 (the best order). Queries whose relevances are all equal are ignored.
        """
        y, sample_weight, qid = _cuda.on_host(y, "y"), _cuda.on_host(sample_weight, "sample_weight"), _cuda.on_host(qid, "qid")
        scores, y = self.predict(X), np.asarray(y, dtype=float)
        queries = np.zeros(len(y), dtype=int) if qid is None else np.asarray(qid)
        weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        gains, weights = [], []
        for query in np.unique(queries):
            of = queries == query
            if y[of].min() < y[of].max():
                relevance = y[of] - min(0.0, y[of].min())
                gains.append(ndcg_score([relevance], [scores[of]], k=10))
                weights.append(weight[of].mean())
        if not gains:
            raise ValueError("no query of y has samples of different relevance: there is nothing to measure")
        return float(np.average(gains, weights=weights))
