"""Numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sklearn.base import RegressorMixin

from ._base import FSABase, documented
from ._columns import Vector
from ._progress import Callback

if TYPE_CHECKING:
    from typing_extensions import Self


@documented(losses='"squared", also called "auto", or "huber", which resists outliers of y.')
class FSARegressor(RegressorMixin, FSABase):  # type: ignore[misc]
    """Select k features and learn to predict a number by them.

    It starts with all features and alternates one step of learning with dropping the
    weakest ones (feature selection with annealing, Barbu et al. 2017).

    Parameters
    ----------
    %K%
    %PARAMETERS%

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,)
        Coefficients, zero for features that were not selected. Only where all responses
        are linear. ``predict`` follows a line one range of the feature beyond its range in
        training and is constant from there, so that ``X @ coef_ + intercept_`` differs for
        samples farther away.
    intercept_ : float
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

    _losses = ("auto", "squared", "huber")

    def __init__(
        self,
        k: int | str | None = None,
        *,
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
        self.k = k
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

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Select features and learn a model on them.

        Parameters
        ----------
        X : array-like, sparse matrix, frame, Arrow table, or path
            Samples. Columns of texts or categories are taken as such. A path names a file
            in a format of ``fsa``, which may be larger than memory.
        y : array-like of shape (n_samples,), or str
            Their targets; for a path, perhaps the name of a column.
        sample_weight : array-like of shape (n_samples,), optional
            Weights. A sample of weight 2 counts as two.

        Returns
        -------
        self : FSARegressor
            The fitted estimator.
        """
        loss = "squared" if self._checked_loss() == "auto" else self.loss
        self._learn(X, y, loss=loss, classify=False, sample_weight=sample_weight)
        return self

    def predict(self, X: Any) -> Vector:
        """Predict the target of samples.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or Arrow table
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Predictions.

        Notes
        -----
        A line is followed as far beyond the smallest and the largest value of its feature in
        training as these lie apart, and is constant from there. A curve is constant beyond
        its first and its last knot.
        """
        return self._decide(X)[:, 0]
