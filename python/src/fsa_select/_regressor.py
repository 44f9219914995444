"""Numbers."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import validate_data

from . import _cuda, _deviance, _tables
from ._base import FSABase, Target
from ._callbacks import Tasks, with_callbacks
from ._columns import Vector
from ._documented import documented
from ._model import LOG_LOSSES
from ._progress import Callback
from ._reference import check_reference, refer
from ._rows import checked_weights
from ._sums import Sums
from ._trace import Stage

if TYPE_CHECKING:
    from typing_extensions import Self

# What parameters may be where samples are gone. Its size is chosen by a criterion.
_PARTIAL: dict[str, tuple[Any, ...]] = {
    "loss": ("auto", "squared"),
    "quantile": (None,),
    "bins": ("auto", 0),
    "interactions": ("auto", False),
    "batch": (None, 0),
    "rule": (None, "aic", "bic", "ebic", "gic"),
    "cv": (None,),
    "fdr": (None,),
    "rivals": (False,),
    "repeats": (None,),
    "ordered": (False,),
    "scoring": (None,),
    "nested": (False,),
    "reference": (None,),
    "categorical_features": (None,),
    "resume": (None,),
    "run_folder": (None,),
    "stability": (0,),
    "confidence": (None,),
    "storage": ("float32",),
    "monotonic_cst": (None,),
    "positive": (False,),
    "constraints": (None,),
    "costs": (None,),
    "budget": (None,),
    "quotas": (None,),
    "offset_model": (None,),
}


REGRESSION_LOSSES = """"squared" for the mean; "huber", on which outliers of y have limited
        influence; "auto" for "squared" or, if a few y are extreme and it predicts better out of fold,
        "huber"; "absolute" for the median, and "quantile" for any ``quantile``; "poisson" and "negbinomial" for counts, "gamma" for positive amounts, and "tweedie" for amounts of which some
        are 0. For these four, the logarithm of the prediction is a sum of parts. "binomial" is for shares
        of successes between 0 and 1, with the numbers of trials as ``sample_weight``."""

LOSSES = ("squared", "huber", "absolute", "quantile", "binomial", *LOG_LOSSES)

QUANTILE = """quantile : float, list of float or None, default=None
        Which quantile the loss "quantile" predicts, between 0 and 1; None means the median. Several share
        their features; ``predict`` returns one column for each, the smallest quantile first.
    """


@documented(losses=REGRESSION_LOSSES, more=QUANTILE)
class FSARegressor(RegressorMixin, FSABase):  # type: ignore[misc]
    """Select features and fit a regression on them.

    Training starts with all features and alternates steps of training with dropping the
    weakest ones (feature selection with annealing, Barbu et al. 2017). Cross-validation chooses the
    number of features, unless ``k`` is a number.

    Parameters
    ----------
    %PARAMETERS%

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,), or (n_quantiles, n_features_in_) with several quantiles, or (n_targets, n_features_in_)
        Coefficients; zero for features that were not selected. Only available if all effects are
        linear. ``predict`` extrapolates a line beyond the training range by the width of that range
        and is constant beyond, so ``X @ coef_ + intercept_`` differs for
        samples farther away; ``extrapolate="line"`` extrapolates it without limit.
    intercept_ : float, or ndarray of shape (n_quantiles,) or (n_targets,)
        Intercept; likewise.
    %ATTRIBUTES%

    See Also
    --------
    FSASelector : The same selection as a transformer.

    Examples
    --------
    >>> from sklearn.datasets import make_regression
    >>> from fsa_select import FSARegressor
    >>> X, y = make_regression(200, 40, n_informative=3, shuffle=False, random_state=0)
    >>> model = FSARegressor(k=3).fit(X, y)
    >>> sorted(model.selected_.tolist())
    [0, 1, 2]
    >>> round(model.score(X, y), 3)
    1.0
    """

    _losses = ("auto", *LOSSES)
    _of_several = ("auto", "squared")
    _numbers = True

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
        quantile: float | Sequence[float] | None = None,
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
        self.quantile = quantile
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

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, offset: Any = None, exposure: Any = None) -> Self:
        """Select features and fit a model on them.

        Parameters
        ----------
        X : array-like, sparse matrix, frame, Arrow table, or path
            Samples. Columns of texts or categories are used as categories. A path names a file
            in a format of ``fsa``, which may be larger than memory.
        y : array-like of shape (n_samples,) or (n_samples, n_targets), or str
            Their targets; for a path, also the name of a column. Several targets, of shape (n_samples, n_targets), or "a,b" for
            columns of a path, share their features; each counts in units of its standard deviation.
        sample_weight : array-like of shape (n_samples,), optional
            Weights. A sample of weight 2 counts as two.
        groups : array-like of shape (n_samples,), or str, optional
            Samples of a group, such as those of a patient, stay in one fold. They are passed to a
            splitter in ``cv``.
        offset : float, array-like of shape (n_samples,), or str, optional
            Added to the decision value of each sample, which is the prediction or, with a log link,
            its logarithm. For a path, perhaps the name of a column.
        exposure : float, array-like of shape (n_samples,), or str, optional
            How long, or how much, each sample was observed, such as years at risk. Predictions of
            losses with a log link are proportional to it. It is the exponential of an offset.

        Returns
        -------
        self : FSARegressor
            The fitted estimator.
        """
        loss = self._checked_loss()
        check_reference(self.reference, X, "regressor", loss, ("auto", "squared"), offset, exposure)
        self._learn(X, y, loss=loss, classify=False, sample_weight=sample_weight, groups=groups, offset=offset, exposure=exposure)
        refer(self, X, y, sample_weight, groups)
        return self

    @with_callbacks
    def partial_fit(self, X: Any = None, y: Any = None, sample_weight: Any = None) -> Self:
        """Add samples to the previous ones, and fit a model on all of them.

        Only the number, means, covariances and ranges of the samples are stored. Their memory grows
        with the square of the number of features, not with the number of samples. Straight lines
        with the squared loss need no more: except for rounding, the result equals
        ``FSARegressor(bins=0, quick=True, batch=0)`` on all samples. k "auto" uses an information
        criterion, because samples are not stored and cannot be held out.
        Each call takes as long as a fit of twice as many samples as there are features.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features), optional
            Samples: numbers without missing values. None fits again on the previous samples, for
            instance with another ``k``.
        y : array-like of shape (n_samples,), optional
            Their targets.
        sample_weight : array-like of shape (n_samples,), optional
            Weights. A sample of weight 2 counts as two.

        Returns
        -------
        self : FSARegressor
            The fitted estimator.

        Notes
        -----
        ``fit`` discards these samples, and so does the first ``partial_fit`` after it.
        """
        self._check_partial()
        tasks = Tasks(self, {"X": X, "y": y, "metadata": None if sample_weight is None else {"sample_weight": sample_weight}})
        sums: Sums | None = getattr(self, "_sums", None)
        if X is None:
            if y is not None or sample_weight is not None:
                raise ValueError("y and sample_weight are given, but X is None: give the samples, or neither of these")
            if sums is None:
                raise NotFittedError(f"this {type(self).__name__} has not seen any samples: call partial_fit with X and y first")
        else:
            y, sample_weight = _cuda.on_host(y, "y"), _cuda.on_host(sample_weight, "sample_weight")
            X, y = validate_data(self, _tables.host(X), y, reset=sums is None, dtype=np.float64, y_numeric=True)
            weights = checked_weights(sample_weight, len(X))
            if sums is None:
                sums = Sums(X.shape[1])
            there = weights > 0
            sums.add(np.column_stack([X, np.asarray(y, np.float64)])[there], weights[there])
            self._sums = sums
        rows, weights = sums.table()
        names = getattr(self, "feature_names_in_", None)
        table = _tables.Dense(np.ascontiguousarray(rows[:, :-1]), None if names is None else list(names))
        options = {**self._options("squared", table.width), "bins": 0, "quick": True, "batch": 0}
        self._fit_table(table, Target(rows[:, -1].copy(), None), {"weights": weights}, tasks, options, sums if sums.condensed else None)
        tasks.end()
        return self

    def _check_partial(self) -> None:
        """Refuse parameters that need all samples at once."""
        for name, allowed in _PARTIAL.items():
            value = getattr(self, name)
            if not any(value is known or isinstance(value, type(known)) and value == known for known in allowed):
                raise ValueError(f"{name} = {value!r}: partial_fit does not keep samples, and learns with {name} = {' or '.join(map(repr, allowed))}")

    def predict(self, X: Any, offset: Any = None, exposure: Any = None) -> Vector:
        """Predict the target of samples.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or Arrow table
            Samples.
        offset, exposure : float or array-like of shape (n_samples,), optional
            One per sample, or one for all. It must be given if, and only if, the model was fitted
            with it.

        Returns
        -------
        ndarray of shape (n_samples,), or (n_samples, n_quantiles) with several quantiles, or (n_samples, n_targets)
            Predictions. Those of several quantiles do not cross: they are the decision values of the
            sample in ascending order.

        Notes
        -----
        A line is followed as far beyond the smallest and the largest value of its feature in
        training as these lie apart, and is constant from there, or is followed without end with
        ``extrapolate="line"``. A curve is constant beyond its first and its last knot.
        """
        decided = self._decide(X, offset, exposure)
        return self.model_.predicted(decided if self.model_.outputs > 1 else decided[:, 0])

    def score(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None, exposure: Any = None) -> float:
        """R² of predictions, or its equivalent for other losses.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or Arrow table
            Samples.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Their targets.
        sample_weight : array-like of shape (n_samples,), optional
            Weights.
        offset, exposure : float or array-like of shape (n_samples,), optional
            Those of the samples, as for ``predict``.

        Returns
        -------
        float
            1 for perfect predictions, and 0 for the null model. For the losses squared and huber it
            is the explained share of the variance (R²); for absolute and quantile, of the pinball
            loss, its mean over several quantiles; for counts, amounts and shares, of the deviance (D²).
            The null model has the offset or the exposure, too. For several targets it is the mean of theirs.
        """
        predicted = self.predict(X, offset, exposure)
        y, sample_weight = _cuda.on_host(y, "y"), _cuda.on_host(sample_weight, "sample_weight")
        shift = self.model_.offsets(len(predicted), offset, exposure)
        return _deviance.score(self.model_.loss, self.model_.settings, y, predicted, sample_weight, shift)
