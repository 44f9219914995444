"""Classes."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from . import _cuda, _rows, _targets
from ._base import FSABase
from ._columns import Vector
from ._documented import documented
from ._model import Model
from ._progress import Callback
from ._reference import check_reference, refer
from ._rows import class_name
from ._trace import Stage

if TYPE_CHECKING:
    from typing_extensions import Self

CLASS_PARAMETERS = """class_weight : dict, "balanced" or None, default=None
        Weights of classes; "balanced" gives all the same weight in all.
    class_order : list or None, default=None
        The classes from the lowest to the highest, for the loss "ordinal"; None is the order of numbers, or
        of an ordered category of pandas or an Enum of polars.
    huber : float or None, default=None
        Half width of the rounded corner of the svm loss; None means 0.5.
    """

_CALIBRATION = """calibrate : bool, default=False
        Fit probabilities to out-of-fold decision values; "svm" and "lorenz" have some then.
    threshold : str or None, default=None
        How to choose between two classes, by out-of-fold decision values: "f1", "balanced", or
        "cost=FP:FN", the costs of a false positive and of a false negative.
    """

CLASS_LOSSES = """"logistic" (two classes), "multinomial" (any number), "ordinal" (ordered classes, by proportional odds),
        "svm" and "lorenz" (two classes, the latter for noisy labels). "auto" is logistic for two classes, else multinomial."""

LOSSES = ("logistic", "multinomial", "svm", "lorenz", "ordinal")

_PROBABLE = ("auto", "logistic", "multinomial", "ordinal")


def _has_probabilities(estimator: Any) -> bool:
    if estimator.loss not in _PROBABLE and not estimator.calibrate:
        raise AttributeError(f"the loss {estimator.loss!r} gives no probabilities: {type(estimator).__name__} has them with 'logistic', 'multinomial' and 'ordinal'")
    return True


@documented(losses=CLASS_LOSSES, more=CLASS_PARAMETERS + _CALIBRATION)
class FSAClassifier(ClassifierMixin, FSABase):  # type: ignore[misc]
    """Select features and fit a classifier on them.

    Training starts with all features and alternates steps of training with dropping the
    weakest ones (feature selection with annealing, Barbu et al. 2017). Cross-validation chooses the
    number of features, unless ``k`` is a number.

    Parameters
    ----------
    %PARAMETERS%

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes. For several labels that do not share their two classes, a list with those of each.
    coef_ : ndarray of shape (1 or n_classes, n_features_in_)
        Coefficients; zero for features that were not selected. Only available if all effects are
        linear. ``predict`` extrapolates a line beyond the training range by the width of that range
        and is constant beyond, so ``X @ coef_ + intercept_`` differs for
        samples farther away.
    intercept_ : ndarray of shape (1 or n_classes,)
        Intercepts; likewise.
    thresholds_ : ndarray of shape (n_classes - 1,)
        Of the loss "ordinal": the odds of a class above the c-th are the exponential of the decision value
        minus the c-th threshold.
    %ATTRIBUTES%

    See Also
    --------
    FSASelector : The same selection as a transformer.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from fsa_select import FSAClassifier
    >>> X, y = make_classification(300, 50, n_informative=3, n_redundant=0, shuffle=False, random_state=0)
    >>> model = FSAClassifier(k=3).fit(X, y)
    >>> sorted(model.selected_.tolist())
    [0, 1, 2]
    >>> model.predict_proba(X[:2]).shape
    (2, 2)
    """

    classes_: Vector | list[Vector]

    _losses = ("auto", *LOSSES)
    _of_several = ("auto", "logistic")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
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
        class_weight: dict[Any, float] | str | None = None,
        class_order: Sequence[Any] | None = None,
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
        self.class_weight = class_weight
        self.class_order = class_order
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

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, offset: Any = None) -> Self:
        """Select features and fit a model on them.

        Parameters
        ----------
        X : array-like, sparse matrix, frame, Arrow table, or path
            Samples. Columns of texts or categories are used as categories. A path names a file
            in a format of ``fsa``, which may be larger than memory.
        y : array-like of shape (n_samples,) or (n_samples, n_labels), or str
            Their classes; for a path, also the name of a column. Several labels of two classes each, of shape (n_samples, n_labels), or
            "a,b" for columns of a path, share their features.
        sample_weight : array-like of shape (n_samples,), optional
            Weights. A sample of weight 2 counts as two.
        groups : array-like of shape (n_samples,), or str, optional
            Samples of a group, such as those of a patient, stay in one fold. They are passed to a
            splitter in ``cv``.
        offset : float, array-like of shape (n_samples,), or str, optional
            Added to the decision value of each sample, which for the loss "logistic" is the log odds of
            the second of two classes. For a path, perhaps the name of a column. Only one target of two
            classes supports it.

        Returns
        -------
        self : FSAClassifier
            The fitted estimator.
        """
        check_reference(self.reference, X, "classifier", self._checked_loss(), ("auto", "logistic", "multinomial"), offset)
        self._learn(X, y, loss=self._checked_loss(), classify=True, sample_weight=sample_weight, groups=groups, offset=offset)
        refer(self, X, y, sample_weight, groups)
        return self

    def _set_classes(self, y: Any, sample_weight: Any) -> None:
        _rows.labels("y", "class", np.asarray(y).reshape(-1))
        check_classification_targets(y)
        self.classes_ = _weighty(y, sample_weight)
        if isinstance(self.class_weight, dict):
            names = {class_name(label) for label in self.classes_}
            for label in self.class_weight:
                if class_name(label) not in names:
                    raise ValueError(f"class_weight has {label!r}, but y has the classes {self.classes_.tolist()}")
        if len(self.classes_) < 2:
            raise ValueError(f"y has {len(self.classes_)} class with weight: at least two classes are needed to learn from")

    def _set_file_classes(self, y: Any, model: Model) -> None:
        if model.targets:
            self.classes_ = _targets.shared([np.array(of["classes"]) for of in model.targets])
            return
        if y is None or isinstance(y, str):
            self.classes_ = np.array(model.classes)
            return
        self.classes_ = np.unique(np.asarray(y))

    def decision_function(self, X: Any, offset: Any = None) -> Vector:
        """Decision values: positive for the second of two classes, and larger for higher ones of ordered classes.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or Arrow table
            Samples.
        offset : float or array-like of shape (n_samples,), optional
            One per sample, or one for all. It must be given if, and only if, the model was fitted with it.

        Returns
        -------
        ndarray of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_labels)
            One for each sample, or for each of several classes or labels.
        """
        z = self._decide(X, offset)
        return z[:, 0] if self.model_.outputs == 1 else z

    def predict(self, X: Any, offset: Any = None) -> Vector:
        """The most probable class of each sample.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or Arrow table
            Samples.
        offset : float or array-like of shape (n_samples,), optional
            One per sample, or one for all. It must be given if, and only if, the model was fitted with it.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_labels)
            Classes.

        Notes
        -----
        A line is extrapolated beyond the training range of its feature by the width of that range,
        and is constant beyond. A curve is constant beyond
        its first and its last knot.
        """
        z = self._decide(X, offset)
        if self.model_.targets:
            return _targets.labels(z, self.classes_)
        if self.model_.loss == "ordinal":
            return self.classes_[self._model_order()[self.model_.probabilities(z).argmax(axis=1)]]
        best = (z[:, 0] > self.model_.threshold).astype(np.intp) if self.model_.outputs == 1 else z.argmax(axis=1)
        return self.classes_[best]

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any, offset: Any = None) -> Vector:
        """Probabilities of the classes.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or Arrow table
            Samples.
        offset : float or array-like of shape (n_samples,), optional
            One per sample, or one for all. It must be given if, and only if, the model was fitted with it.

        Returns
        -------
        ndarray of shape (n_samples, n_classes) or (n_samples, n_labels)
            A probability for each class, in the order of ``classes_``; for several labels, that of the second class of each,
            as in scikit-learn's ``MLPClassifier``.
        """
        z = self._decide(X, offset)
        if self.model_.loss == "ordinal":
            return self.model_.probabilities(z)[:, np.argsort(self._model_order())]
        return _targets.probabilities(z) if self.model_.targets else self.model_.probabilities(z)

    @property
    def thresholds_(self) -> Vector:
        """The thresholds between ordered classes."""
        settings = self.model_.settings if hasattr(self, "model_") else {}
        if "thresholds" not in settings:
            raise AttributeError(f"this {type(self).__name__} has no thresholds_: those are of ordered classes, loss='ordinal'")
        return np.array(settings["thresholds"], np.float64)

    def _model_order(self) -> Vector:
        """The position in ``classes_`` of each class of the model, which may be in another order."""
        names = [class_name(label) for label in self.classes_]
        return np.array([names.index(name) for name in self.model_.classes])

    @available_if(_has_probabilities)
    def predict_log_proba(self, X: Any, offset: Any = None) -> Vector:
        """Logarithms of the probabilities of the classes.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or Arrow table
            Samples.
        offset : float or array-like of shape (n_samples,), optional
            One per sample, or one for all. It must be given if, and only if, the model was fitted with it.

        Returns
        -------
        ndarray of shape (n_samples, n_classes) or (n_samples, n_labels)
            One for each class, in the order of ``classes_``, or for each label.
        """
        check_is_fitted(self)
        return np.log(self.predict_proba(X, offset))

    def score(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> float:
        """Accuracy of the predicted classes.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or Arrow table
            Samples.
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            Their classes.
        sample_weight : array-like of shape (n_samples,), optional
            Weights.
        offset : float or array-like of shape (n_samples,), optional
            That of the samples, as for ``predict``.

        Returns
        -------
        float
            The share of samples of which the class, or every label, is predicted.
        """
        y, sample_weight = _cuda.on_host(y, "y"), _cuda.on_host(sample_weight, "sample_weight")
        return float(accuracy_score(y, self.predict(X, offset), sample_weight=sample_weight))


def _weighty(y: Any, sample_weight: Any) -> Vector:
    """The classes of samples that have weight."""
    y = np.asarray(y).reshape(-1)
    if sample_weight is not None:
        weight = np.asarray(sample_weight)
        if weight.shape == y.shape:
            y = y[weight != 0]
    try:
        return np.unique(y)
    except TypeError as error:
        raise ValueError(f"y has classes of different types: {error}") from error
