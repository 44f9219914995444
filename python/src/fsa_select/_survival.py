"""Times until events, some of which are not known."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d

from . import _cuda
from ._base import FSABase
from ._columns import Vector
from ._documented import documented
from ._progress import Callback
from ._rows import checked_entries, checked_weights
from ._trace import Stage

if TYPE_CHECKING:
    from typing_extensions import Self

_BLOCK = 1 << 22  # pairs of samples that are compared at once


@documented(
    losses='"cox", also called "auto".',
    more="""ties : {"efron", "breslow"}, default="efron"
        How events at the same time are treated.
    """,
    compared=False,
)
class FSASurvival(FSABase):
    """Select features and learn to predict the risk of an event, from times of which some are censored.

    It is the Cox model of proportional hazards with ties by Efron or Breslow. Cross-validation chooses how many
    features are selected, unless ``k`` is a number.

    Parameters
    ----------
    %PARAMETERS%

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,)
        Logarithms of hazard ratios, zero for features that were not selected. Only where all
        responses are linear. ``predict`` follows a line one range of the feature beyond its range in
        training and is constant from there.
    event_times_ : ndarray
        The times of events in training. Not with ``strata``.
    %ATTRIBUTES%

    See Also
    --------
    FSASelector : The same selection as a transformer.

    Examples
    --------
    >>> import numpy as np
    >>> from fsa_select import FSASurvival
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 20))
    >>> time = rng.exponential(np.exp(X[:, 7] - X[:, 4]))
    >>> censored = rng.exponential(3, size=200)
    >>> y = np.rec.fromarrays([time < censored, np.minimum(time, censored)], names=["event", "time"])
    >>> model = FSASurvival(k=2).fit(X, y)
    >>> sorted(model.selected_.tolist())
    [4, 7]
    >>> model.predict_survival_function(X[:3], times=[0.5, 1]).shape
    (3, 2)
    """

    _losses = ("auto", "cox")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = True
        return tags

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
        ties: str = "efron",
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
        self.ties = ties
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

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, strata: Any = None, entry: Any = None) -> Self:
        """Select features and fit the risk on them.

        Parameters
        ----------
        X : array-like, sparse matrix, frame, Arrow table, or path
            Samples.
        y : structured array, frame, tuple, or array-like
            The time of each sample, above 0, and whether it had the event then; a sample without one
            was observed until its time. Either a structured array or a frame with one column of
            each, as scikit-survival has them; or a tuple ``(time, event)``; or an array of the
            shape (n_samples, 2) of these; or times alone, if all samples had the event. For a
            path, perhaps a tuple of the names of two columns.
        sample_weight : array-like of shape (n_samples,), optional
            Weights. A sample of weight 2 counts as two, if all weights are whole numbers. The command
            weighs ties of events differently, as R's ``coxph`` does, and so do other weights here.
        groups : array-like of shape (n_samples,), or str, optional
            Samples of a group, such as those of a patient, stay in one fold. They are passed to a
            splitter in ``cv``.
        strata : array-like of shape (n_samples,), or str, optional
            Samples are only compared within their stratum; each stratum has its own baseline
            hazard. The model then predicts risks, but not probabilities.
        entry : array-like of shape (n_samples,), or str, optional
            The time from which on each sample was observed: it is compared with events after that
            only. None means that all were observed from the start.

        Returns
        -------
        self : FSASurvival
            The fitted estimator.
        """
        self._checked_loss()
        time, event = times_and_events(y)
        self._learn(X, time, loss="cox", classify=False, sample_weight=sample_weight, groups=groups, event=event, stratum=strata, entry=entry)
        if self.model_.baseline is not None:
            self.event_times_ = self.model_.baseline[0]
        elif hasattr(self, "event_times_"):
            del self.event_times_
        return self

    def predict(self, X: Any) -> Vector:
        """The risk of samples: the larger it is, the sooner an event is expected.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or Arrow table
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Logarithms of hazard ratios.
        """
        return self._decide(X)[:, 0]

    def predict_survival_function(self, X: Any, times: Any = None) -> Vector:
        """Probabilities of no event until given times.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or Arrow table
            Samples.
        times : array-like of shape (n_times,), optional
            Times in the unit of training; None takes ``event_times_``.

        Returns
        -------
        ndarray of shape (n_samples, n_times)
            A probability for each sample and time.
        """
        return np.exp(-self.predict_cumulative_hazard_function(X, times))

    def predict_cumulative_hazard_function(self, X: Any, times: Any = None) -> Vector:
        """Cumulative hazards until given times.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or Arrow table
            Samples.
        times : array-like of shape (n_times,), optional
            Times in the unit of training; None takes ``event_times_``.

        Returns
        -------
        ndarray of shape (n_samples, n_times)
            A hazard for each sample and time.
        """
        risk = self.predict(X)
        return self.model_.cumulative_hazard(risk, times)

    def score(self, X: Any, y: Any, sample_weight: Any = None, strata: Any = None, entry: Any = None) -> float:
        """Harrell's concordance: the share of pairs in which the sample of the larger risk had its event first.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or Arrow table
            Samples.
        y : structured array, frame, tuple, or array-like
            Times and events, as for ``fit``.
        sample_weight : array-like of shape (n_samples,), optional
            Weights; a pair has the product of those of its samples.
        strata : array-like of shape (n_samples,), optional
            Only samples of the same stratum are compared.
        entry : array-like of shape (n_samples,), optional
            A sample is only compared with events after its entry.

        Returns
        -------
        float
            Between 0 and 1; 0.5 is chance. Equal risks count half.
        """
        risk = self.predict(X)
        time, event = times_and_events(y)
        sample_weight, strata, entry = _cuda.on_host(sample_weight, "sample_weight"), _cuda.on_host(strata, "strata"), _cuda.on_host(entry, "entry")
        check_consistent_length(risk, time)
        return concordance(risk, time, event, checked_weights(sample_weight, len(risk)), strata, None if entry is None else checked_entries(entry, len(risk)))


def concordance(risk: Vector, time: Any, event: Any, weight: Vector, strata: Any = None, entry: Any = None) -> float:
    """Harrell's concordance, as the command measures it."""
    order = np.lexsort((event, -time))  # at equal times, those that had no event live longer, and come first
    if strata is not None:
        place = np.unique(np.asarray(strata), return_inverse=True)[1].reshape(-1)
        order = order[np.argsort(place[order], kind="stable")]
    risk, time, event, weight = risk[order], time[order], event[order], weight[order]
    entry = np.full(len(risk), -np.inf) if entry is None else entry[order]
    begins = np.zeros(len(risk), np.intp) if strata is None else np.searchsorted(place[order], place[order])
    good = total = 0.0
    first = 0
    while first < len(risk):
        last = min(first + max(_BLOCK // len(risk), 1), len(risk))
        rows = np.arange(first, last)
        rows = rows[event[rows] > 0]
        lives = np.arange(last)[None, :]  # those before a sample live longer, but for events at its time
        longer = (lives >= begins[rows][:, None]) & (lives < rows[:, None])
        longer &= (time[None, :last] > time[rows][:, None]) | (event[None, :last] == 0)
        longer &= entry[None, :last] < time[rows][:, None]
        pairs = longer * weight[rows][:, None] * weight[None, :last]
        good += float((pairs * ((risk[None, :last] < risk[rows][:, None]) + 0.5 * (risk[None, :last] == risk[rows][:, None]))).sum())
        total += float(pairs.sum())
        first = last
    if total == 0:
        raise ValueError("no sample of y had an event before another sample: there is nothing to measure")
    return good / total


def has_events(y: Any) -> bool:
    """Whether a target looks like times and events."""
    return isinstance(y, tuple) and len(y) == 2 or getattr(getattr(y, "dtype", None), "names", None) is not None or _is_frame(y) and y.shape[1] == 2


def times_and_events(y: Any) -> tuple[Any, Any]:
    """Times, and 1 for each that ended with an event, or 0. Names of columns stay names."""
    if y is None:
        raise ValueError("FSASurvival requires y to be passed, but the target y is None: give times and events, such as a structured array")
    if isinstance(y, str):
        raise ValueError(f"y = {y!r}: it must have times and events, such as a structured array, or a tuple (time, event)")
    names = getattr(getattr(y, "dtype", None), "names", None)
    if isinstance(y, tuple) and len(y) == 2:
        if all(isinstance(part, str) for part in y):
            return y
        time, event = (np.asarray(_cuda.on_host(part, "y")) for part in y)
    elif names is not None:
        time, event = _apart([np.asarray(y[name]) for name in names], [str(name) for name in names])
    elif _is_frame(y) and y.shape[1] == 2:
        time, event = _apart([np.asarray(y[name]) for name in y.columns], [str(name) for name in y.columns])
    else:
        y = check_array(_cuda.on_host(y, "y"), ensure_2d=False, dtype=None, input_name="y")
        if y.ndim == 2 and y.shape[1] == 2:
            time, event = y[:, 0], y[:, 1]
        else:
            time = column_or_1d(y, warn=True)
            event = np.ones(len(time))
    time, event = column_or_1d(time), column_or_1d(event)
    check_consistent_length(time, event)
    time = check_array(time, ensure_2d=False, dtype=np.float64, input_name="y")
    if event.dtype.kind not in "biuf" or not np.isin(event, (0, 1)).all():
        raise ValueError("the events of y must be True or 1 where the sample had the event at its time, and False or 0 where it was observed until then")
    return time, event.astype(np.float64)


def _is_frame(y: Any) -> bool:
    return hasattr(y, "columns") and hasattr(y, "shape") and len(y.shape) == 2


def _apart(columns: list[Vector], names: list[str]) -> tuple[Vector, Vector]:
    """The times and the events of two columns in any order: events are logical, or else 0 and 1."""
    if len(columns) != 2:
        raise ValueError(f"y has the columns {', '.join(names)}: it must have two, the time and whether the sample had the event then")
    for of in (lambda v: v.dtype == bool, lambda v: v.dtype.kind in "iuf" and np.isin(v, (0, 1)).all()):
        found = [j for j in (0, 1) if of(columns[j])]
        if len(found) == 1:
            return columns[1 - found[0]], columns[found[0]]
    raise ValueError(f"y has the columns {names[0]!r} and {names[1]!r}, and it is not clear which says whether the sample had the event: make it logical")
