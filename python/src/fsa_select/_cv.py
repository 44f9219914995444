"""Estimators that choose k by cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._base import FSABase, documented
from ._classifier import CLASS_LOSSES, CLASS_PARAMETERS, FSAClassifier
from ._model import Model
from ._progress import Callback
from ._ranker import FSARanker
from ._regressor import FSARegressor

if TYPE_CHECKING:
    from typing_extensions import Self

_CALIBRATION = """calibrate : bool, default=False
        Fit probabilities to out-of-fold decision values; "svm" and "lorenz" have some then.
    threshold : str or None, default=None
        How to choose between two classes, by out-of-fold decision values: "f1", "balanced", or
        "cost=FP:FN", the costs of a false positive and of a false negative.
    """


class _Chooses(FSABase):
    """What the choice of k leaves behind."""

    k = "auto"

    def _options(self, loss: str, width: int | None) -> dict[str, Any]:
        return {**super()._options(loss, width), "cross_validate": True}  # also with quick, for the curve

    def _keep(self, answer: dict[str, Any]) -> Model:
        model = super()._keep(answer)
        validation = model.validation
        assert validation is not None
        points = validation["points"]
        self.k_ = int(validation["chosen"])
        self.best_k_ = int(validation["best"])
        self.null_loss_ = float(validation["null"])
        self.cv_results_ = {
            "k": np.array([p["size"] for p in points]),
            "mean_loss": np.array([p["mean"] for p in points]),
            "std_error": np.array([p["se"] for p in points]),
        }
        return model


@documented(losses=CLASS_LOSSES, more=CLASS_PARAMETERS + _CALIBRATION)
class FSAClassifierCV(_Chooses, FSAClassifier):  # type: ignore[misc]
    """FSAClassifier that chooses how many features to select.

    Sizes are compared on samples that were not learned from, as ``fsa fit`` does without
    ``-k``. Folds go by the contents of samples, so that their order does not matter.

    Parameters
    ----------
    %CV%
    %PARAMETERS%

    Attributes
    ----------
    k_ : int
        The number of variables that was chosen.
    best_k_ : int
        The one with the lowest error.
    cv_results_ : dict of ndarray
        ``k``, and for each the ``mean_loss`` on samples that were not learned from and its
        ``std_error``.
    null_loss_ : float
        That loss without any variable.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    coef_, intercept_ : ndarray
        Those of :class:`FSAClassifier`.
    %ATTRIBUTES%

    See Also
    --------
    FSAClassifier : The same with a k that is given.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from fsa_select import FSAClassifierCV
    >>> X, y = make_classification(300, 20, n_informative=3, n_redundant=0, shuffle=False, random_state=0)
    >>> model = FSAClassifierCV().fit(X, y)
    >>> model.k_ == len(model.selected_)
    True
    """

    def __init__(
        self,
        *,
        sizes: Sequence[int] | None = None,
        rule: str = "paired",
        cv: Any = None,
        repeats: int | None = None,
        ordered: bool = False,
        scoring: str | None = None,
        loss: str = "auto",
        bins: int | str = "auto",
        alpha: float | None = None,
        polish: bool = False,
        quick: bool = False,
        force: Sequence[str | int] | None = None,
        use: Sequence[str | int] | None = None,
        feature_groups: Sequence[Sequence[str | int]] | None = None,
        class_weight: dict[Any, float] | str | None = None,
        huber: float | None = None,
        calibrate: bool = False,
        threshold: str | None = None,
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
        priors: dict[str, float] | None = None,
        stability: int = 0,
        memory: int | str | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        callbacks: Callback | Sequence[Callback] | None = None,
        verbose: int = 0,
    ) -> None:
        self.sizes = sizes
        self.rule = rule
        self.cv = cv
        self.repeats = repeats
        self.ordered = ordered
        self.scoring = scoring
        self.loss = loss
        self.bins = bins
        self.alpha = alpha
        self.polish = polish
        self.quick = quick
        self.force = force
        self.use = use
        self.feature_groups = feature_groups
        self.class_weight = class_weight
        self.huber = huber
        self.calibrate = calibrate
        self.threshold = threshold
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
        self.priors = priors
        self.stability = stability
        self.memory = memory
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.callbacks = callbacks
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Choose how many features to select, select them, and learn a model on them.

        Parameters
        ----------
        X : array-like, sparse matrix, frame, Arrow table, or path
            Samples.
        y : array-like of shape (n_samples,), or str
            What is to be predicted; for a path, perhaps the name of a column.
        sample_weight : array-like of shape (n_samples,), optional
            Weights. A sample of weight 2 counts as two.
        groups : array-like of shape (n_samples,), or str, optional
            Samples of a group, such as those of a patient, stay in one fold. A splitter that
            is ``cv`` is given them.

        Returns
        -------
        self : FSAClassifierCV
            The fitted estimator.
        """
        self._learn(X, y, loss=self._checked_loss(), classify=True, sample_weight=sample_weight, groups=groups)
        return self


@documented(losses='"squared", also called "auto".')
class FSARegressorCV(_Chooses, FSARegressor):  # type: ignore[misc]
    """FSARegressor that chooses how many features to select.

    Sizes are compared on samples that were not learned from, as ``fsa fit`` does without
    ``-k``. Folds go by the contents of samples, so that their order does not matter.

    Parameters
    ----------
    %CV%
    %PARAMETERS%

    Attributes
    ----------
    k_ : int
        The number of variables that was chosen.
    best_k_ : int
        The one with the lowest error.
    cv_results_ : dict of ndarray
        ``k``, and for each the ``mean_loss`` on samples that were not learned from and its
        ``std_error``.
    null_loss_ : float
        That loss without any variable.
    coef_, intercept_ : ndarray, float
        Those of :class:`FSARegressor`.
    %ATTRIBUTES%

    See Also
    --------
    FSARegressor : The same with a k that is given.

    Examples
    --------
    >>> from sklearn.datasets import make_regression
    >>> from fsa_select import FSARegressorCV
    >>> X, y = make_regression(200, 20, n_informative=3, noise=1, shuffle=False, random_state=0)
    >>> FSARegressorCV().fit(X, y).k_
    3
    """

    def __init__(
        self,
        *,
        sizes: Sequence[int] | None = None,
        rule: str = "paired",
        cv: Any = None,
        repeats: int | None = None,
        ordered: bool = False,
        scoring: str | None = None,
        loss: str = "auto",
        bins: int | str = "auto",
        alpha: float | None = None,
        polish: bool = False,
        quick: bool = False,
        force: Sequence[str | int] | None = None,
        use: Sequence[str | int] | None = None,
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
        priors: dict[str, float] | None = None,
        stability: int = 0,
        memory: int | str | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        callbacks: Callback | Sequence[Callback] | None = None,
        verbose: int = 0,
    ) -> None:
        self.sizes = sizes
        self.rule = rule
        self.cv = cv
        self.repeats = repeats
        self.ordered = ordered
        self.scoring = scoring
        self.loss = loss
        self.bins = bins
        self.alpha = alpha
        self.polish = polish
        self.quick = quick
        self.force = force
        self.use = use
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
        self.priors = priors
        self.stability = stability
        self.memory = memory
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.callbacks = callbacks
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Choose how many features to select, select them, and learn a model on them.

        Parameters
        ----------
        X : array-like, sparse matrix, frame, Arrow table, or path
            Samples.
        y : array-like of shape (n_samples,), or str
            What is to be predicted; for a path, perhaps the name of a column.
        sample_weight : array-like of shape (n_samples,), optional
            Weights. A sample of weight 2 counts as two.
        groups : array-like of shape (n_samples,), or str, optional
            Samples of a group, such as those of a patient, stay in one fold. A splitter that
            is ``cv`` is given them.

        Returns
        -------
        self : FSARegressorCV
            The fitted estimator.
        """
        loss = "squared" if self._checked_loss() == "auto" else self.loss
        self._learn(X, y, loss=loss, classify=False, sample_weight=sample_weight, groups=groups)
        return self


@documented(losses='"rank", also called "auto".')
class FSARankerCV(_Chooses, FSARanker):  # type: ignore[misc]
    """FSARanker that chooses how many features to select.

    Sizes are compared on samples that were not learned from, as ``fsa fit`` does without
    ``-k``. Folds go by the contents of samples, so that their order does not matter.

    Parameters
    ----------
    %CV%
    %PARAMETERS%

    Attributes
    ----------
    k_ : int
        The number of variables that was chosen.
    best_k_ : int
        The one with the lowest error.
    cv_results_ : dict of ndarray
        ``k``, and for each the ``mean_loss`` on samples that were not learned from and its
        ``std_error``.
    null_loss_ : float
        That loss without any variable.
    coef_, intercept_ : ndarray, float
        Those of :class:`FSARanker`.
    %ATTRIBUTES%

    See Also
    --------
    FSARanker : The same with a k that is given.

    Examples
    --------
    >>> import numpy as np
    >>> from fsa_select import FSARankerCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 10))
    >>> y = np.digitize(X[:, 4] - X[:, 7], [-1, 1])
    >>> model = FSARankerCV(sizes=[1, 2, 3]).fit(X, y, qid=np.arange(200) // 10)
    >>> {4, 7} <= set(model.selected_.tolist())
    True
    """

    def __init__(
        self,
        *,
        sizes: Sequence[int] | None = None,
        rule: str = "paired",
        cv: Any = None,
        repeats: int | None = None,
        ordered: bool = False,
        scoring: str | None = None,
        loss: str = "auto",
        bins: int | str = "auto",
        alpha: float | None = None,
        polish: bool = False,
        quick: bool = False,
        force: Sequence[str | int] | None = None,
        use: Sequence[str | int] | None = None,
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
        priors: dict[str, float] | None = None,
        stability: int = 0,
        memory: int | str | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        callbacks: Callback | Sequence[Callback] | None = None,
        verbose: int = 0,
    ) -> None:
        self.sizes = sizes
        self.rule = rule
        self.cv = cv
        self.repeats = repeats
        self.ordered = ordered
        self.scoring = scoring
        self.loss = loss
        self.bins = bins
        self.alpha = alpha
        self.polish = polish
        self.quick = quick
        self.force = force
        self.use = use
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
        self.priors = priors
        self.stability = stability
        self.memory = memory
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.callbacks = callbacks
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None, qid: Any = None, groups: Any = None) -> Self:
        """Choose how many features to select, select them, and learn a model on them.

        Parameters
        ----------
        X : array-like, sparse matrix, frame, Arrow table, or path
            Samples.
        y : array-like of shape (n_samples,), or str
            What is to be predicted; for a path, perhaps the name of a column.
        sample_weight : array-like of shape (n_samples,), optional
            Weights. A sample of weight 2 counts as two.
        qid : array-like of shape (n_samples,), optional
            The query of each sample. Without, all belong to one.
        groups : array-like of shape (n_samples,), or str, optional
            Samples of a group, such as those of a patient, stay in one fold. A splitter that
            is ``cv`` is given them.

        Returns
        -------
        self : FSARankerCV
            The fitted estimator.
        """
        self._checked_loss()
        self._learn(X, y, loss="rank", classify=False, sample_weight=sample_weight, qid=qid, groups=groups)
        return self
