"""The base of all estimators: parameters, requests to the service, and fitted attributes."""

from __future__ import annotations

import numbers
import os
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import joblib
import numpy as np
from sklearn.base import BaseEstimator
from sklearn.model_selection import check_cv
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_array, check_consistent_length, check_is_fitted, validate_data

from . import _explain, _export, _html, _shared, _tables
from ._callbacks import CallbackSupportMixin, Tasks, with_callbacks
from ._columns import Column, Vector
from ._constraints import read_constraints
from ._errors import OtherFit, ServiceError, _FileRefused, raise_for, warn
from ._model import Model, Variable, checked_offsets, log_exposures
from ._progress import Progress
from ._rivals import read_rivals
from ._service import service
from ._summary import Summary
from ._sums import Sums
from ._trace import Path, read_path, read_stability
from ._warm import Checkpoint

_OPEN = 10  # how many variables an open k is taken for, where their paths are followed
_FOLLOWED = 50  # variables besides the chosen ones whose coefficients are followed
_MOST_FOLLOWED = 1000

_UNITS = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "B": 1}

_LEAST_MEMORY = 2**20
_MOST_BINS = 1000
_MOST_EPOCHS = 10_000_000

PARAMETERS = """k : int or "auto", default="auto"
        How many variables to select; with ``feature_groups``, how many groups. "auto" lets
        cross-validation choose, as the command does; it takes several times as long as a number.
    sizes : sequence of int or None, default=None
        Numbers of variables that "auto" compares. None means all up to 100, or fewer if there are
        few samples.
    rule : str or None, default=None
        How "auto" chooses a size. "min" takes the size with the lowest error. "paired" takes the
        smallest size whose error is not significantly higher (paired t test over folds) and that
        keeps 99% of the gain over the null model. "one-se" takes the smallest size within one
        standard error of the lowest. "aic", "bic", "ebic" and "gic" are information criteria, which
        need no folds. None means "paired", or "ebic" without cross-validation.
    cv : int, splitter, iterable of splits, or None, default=None
        Folds of the cross-validation: their number, or a splitter or splits of the samples. The
        test sets must be a partition of the samples. None means 10 folds if k is "auto"; otherwise
        5, or 3 with 1000 samples or more. There are never more folds than different samples.
{fdr}    rivals : bool, default=False
        Whether folds measure what the model loses without each feature, and with others in its place.
    repeats : int or None, default=None
        How often samples are divided into folds.
    ordered : bool, default=False
        Whether samples are ordered by time: folds then train on earlier samples only.
    scoring : str or None, default=None
        Metric that is compared out of fold instead of the loss: the name of a metric of the program,
        such as "auc", "error" or "rmse".
    nested : bool, default=False
        Cross-validate the whole procedure, including its choices: ``model_.tests`` has the metrics.
        The time is multiplied by the number of folds.
    {reference}loss : str, default="auto"
        {losses}
    bins : int or "auto", default="auto"
        Bins of the curve of each variable; 0 for straight lines. "auto" compares lines and
        curves by cross-validation if that is cheap. A model with curves has no ``coef_``.
    alpha : float or None, default=None
        Strength λ of the ridge penalty λ‖β‖² on the mean loss; 0 means none; None chooses it from
        the data.
    interactions : bool or int, default=False
        Also select pairs of features, as products of standardised numbers or as a line for each
        category: True for any number of significant pairs, or the largest number. A pair counts
        as one of k. ``model_.interactions`` lists them, and such a model has no ``coef_``.
    heredity : {{"strong", "weak", "none"}} or None, default=None
        Which features of a pair must be selected with it: both, at least one, or none. None means
        "strong".
    polish : bool, default=False
        Let dropped variables compete again while the loss falls: slower, and better if variables
        are weak.
    quick : bool, default=False
        Do not cross-validate: fastest. With k "auto", an information criterion then chooses the
        size, unless ``cv`` is given.
    force : sequence of str or int, or None, default=None
        Features that are always selected, by name or position. They are included in k.
    use : sequence of str or int, or None, default=None
        Features to keep even if they look like identifiers, such as unique texts or row numbers
        called ``id``. Other identifiers are left out with a warning.
    categorical_features : sequence of str or int, or None, default=None
        Numeric features that are categories, such as codes, by name or position.
    feature_groups : sequence of sequences, or None, default=None
        Groups of features that are selected together, by name or position.
    {more}max_iter : int or None, default=None
        Epochs.
    mu : float or None, default=None
        Speed of the schedule: larger is faster and greedier.
    eta : float or None, default=None
        Step size of gradient descent.
    batch : int or None, default=None
        Number of rows of a minibatch; 0 for all rows.
    momentum : float or None, default=None
        Momentum of gradient descent; 0 for none.
    warm_up : int, default=0
        Epochs before the first variable is dropped.
    tol : float or None, default=None
        Stop once k variables are left and no coefficient changes by more than this share of the
        largest; 0 to never stop early.
    scale : {{"auto", "column", "common", "root", "none"}}, default="auto"
        How numbers are scaled.
    spacing : {{"auto", "even"}}, default="auto"
        Spacing of the bins of curves.
    storage : {{"float32", "bfloat16", "int8"}}, default="float32"
        Type in which the numbers of a dense table are stored during training.
    extrapolate : {{"clip", "line"}}, default="clip"
        How predictions extrapolate a line beyond the training range of its feature: by the width of
        that range, or without limit.
    priors : dict or None, default=None
        Strengths of priors on curves, by name.
    monotonic_cst : array-like of int, dict or None, default=None
        1 for a feature with which predictions never fall, -1 for one with which they never rise,
        and 0 for any effect: a number for each feature, or a dict by name or position.
    positive : bool or sequence of str or int, default=False
        Whether no coefficient may be below 0, or the features of which this is true. For straight
        lines.
    constraints : dict or None, default=None
        More constraints, by name or position of the feature: "nonnegative", "nonpositive",
        "increasing", "decreasing", "convex" or "concave", a tuple of the lower and upper bound of
        the coefficient of which one may be None, or a list of them.
    stability : int, default=0
        Number of pairs of half samples on which the selection is repeated, to measure its stability.
    memory : int, str or None, default=None
        How much memory a fit may use, such as ``"8GiB"``: a file, or a memory-mapped
        array, may be larger.
    max_time : float or None, default=None
        Seconds after which a fit ends with the strongest variables left, fitted to convergence. If
        no size has been chosen by then, it raises ``TimeoutError``.
    resume : str, path-like or None, default=None
        File of a checkpoint. A fit that is interrupted or runs out of time writes it. The next fit
        with the same parameters and samples continues from it and gives the same model. A complete
        fit removes it.
    warm_start : bool, default=False
        Whether ``fit`` continues a fit of this estimator that was interrupted or ran out of
        ``max_time``, if parameters and samples are the same. The result is the same model as
        without interruption. Otherwise, and after a complete fit, ``fit`` starts from the
        beginning.
    device : {{"cpu", "cuda", "auto"}}, default="cpu"
        What trains: "cuda" all GPUs of the machine, "auto" these where the table is large. Tables
        are read by the CPU. Another device may select other variables where it is a close call.
    device_memory : int, str or None, default=None
        How much memory of each GPU a fit may use, such as ``"8GiB"``; None for what is free.
    random_state : int, RandomState or None, default=None
        Seed of the random order of rows, where there is one. None means 0: a fit can be
        repeated.
    n_jobs : int or None, default=None
        Threads. None means 1, or what a context of joblib says, and -1 means one for each
        core. What is learned does not depend on it.
    callbacks : callable, sequence of callables, or None, default=None
        Called with an :class:`Epoch` after each epoch, in the thread that fits. Those of
        scikit-learn 1.9 are for ``set_callbacks``; none of them can end a fit but by raising.
    progress : callable or None, default=None
        Called with a :class:`Stage` as the work goes on: the stage that the fit is in, such as
        cross-validation, and the share of all work that is done. It runs in the thread that fits.
    verbose : int, default=0
        Whether to show a progress bar (that of tqdm, where it is installed)."""

FDR = """    fdr : float or None, default=None
        False discovery rate, such as 0.1, by which "auto" chooses: half samples confirm features, and
        at most this share of them is expected to be irrelevant. It leaves out cross-validation.
"""

ATTRIBUTES = """model_ : Model
        The model itself, as ``fsa`` writes it.
    validation_ : dict or None
        What cross-validation said, where it chose something.
    k_ : int
        How many variables were selected; with ``feature_groups``, how many groups.
    {reference}cv_results_ : dict of ndarray
        With an open k that was cross-validated: the sizes ``k``, and for each the ``mean_loss``
        out of fold and its ``std_error``.
    best_k_ : int
        The size with the lowest error; likewise.
    null_loss_ : float
        The error without any variable; likewise.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features were selected.
    selected_ : ndarray of int
        Their positions, the strongest first.
    ranking_ : ndarray of int of shape (n_features_in_,)
        1 for selected features; the larger, the sooner a feature was dropped.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Standard deviation of what each feature adds to the decision value.
    path_ : Path
        How coefficients and loss changed during training. Pickles and copies do not have it.
    plan_ : list of dict
        What was decided about the fit, and why.
    discoveries_ : dict
        How features were selected, with ``fdr``: the rate, the number of half samples and of their
        candidates, and the share of the half samples that confirmed each feature.
    rivals_ : list of dict
        What the model loses out of fold ``without`` each selected feature (``name``), and with others
        ``instead``, with ``rivals``. Its ``verdict`` is "indispensable", "interchangeable" (with those
        in ``equals``) or "marginal".
    stability_ : Stability
        How far selections on half samples agree, with ``stability`` > 0.
    n_iter_ : int
        Epochs that were done.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Their names, if X had some."""

_T = TypeVar("_T", bound=type)


REFERENCE = """reference : {"ridge", "additive"}, estimator or None, default=None
        A model of all features that is fitted on the same folds, to measure what few features cost:
        ``reference_`` has the difference of the out-of-fold losses. "ridge" is a ridge regression and
        "additive" a model of curves. A regressor or classifier of scikit-learn is compared by the
        squared, logistic or multinomial loss.
    """

REFERENCE_ATTRIBUTE = """reference_ : dict
        With a ``reference``: its ``name``, the ``loss``, its ``mean`` out of fold and that of this model
        (``own``), their ``difference``, what few features cost, with a 95% interval from ``low`` to ``high``,
        and the number of independent ``units`` that were compared.
    """


def documented(losses: str, more: str = "", *, compared: bool = True, fdr: bool = True) -> Callable[[_T], _T]:
    """Fill in the common documentation of estimators, which may be compared with a reference."""

    def fill(cls: _T) -> _T:
        doc = cls.__doc__ or ""
        doc = doc.replace("%PARAMETERS%", PARAMETERS.format(losses=losses, more=more, reference=REFERENCE if compared else "", fdr=FDR if fdr else ""))
        cls.__doc__ = doc.replace("%ATTRIBUTES%", ATTRIBUTES.format(reference=REFERENCE_ATTRIBUTE if compared else ""))
        return cls

    return fill


class Target(NamedTuple):
    """Numbers, or positions in a list of texts."""

    values: Vector
    levels: list[str] | None


class FSABase(CallbackSupportMixin, BaseEstimator):  # type: ignore[misc]
    """The fit of all estimators."""

    # Set by the constructors of subclasses.
    k: int | str
    cv: Any
    sizes: Any
    rule: str | None
    quick: bool
    loss: str
    callbacks: Any
    progress: Any
    verbose: int

    coef_: Vector
    intercept_: Any

    _losses: tuple[str, ...]  # of the task of the estimator, "auto" first

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags

    @with_callbacks
    def _learn(
        self,
        X: Any,
        y: Any,
        *,
        loss: str,
        classify: bool,
        sample_weight: Any = None,
        groups: Any = None,
        **rows: Any,
    ) -> Model:
        """Fit, and call callbacks.

        ``rows`` are what else each sample may have: qid, offset, exposure, event, stratum and entry.
        """
        if rows.get("offset") is not None and rows.get("exposure") is not None:
            raise ValueError("give either offset or exposure: an exposure is the exponential of an offset")
        self.__dict__.pop("_sums", None)  # what partial_fit has seen
        tasks = Tasks(self, {"X": X, "y": y, "metadata": None if sample_weight is None else {"sample_weight": sample_weight}})

        def learn() -> Model:
            if isinstance(X, (str, os.PathLike)):
                return self._learn_file(os.fspath(X), y, tasks, loss=loss, classify=classify, weights=sample_weight, groups=groups, **rows)
            return self._learn_table(X, y, tasks, loss=loss, classify=classify, sample_weight=sample_weight, groups=groups, **rows)

        begun = self._begun()
        try:
            model = learn()
        except OtherFit:
            if begun is None:
                raise
            begun.clear()
            model = learn()
        tasks.end()
        return model

    def _begun(self) -> Checkpoint | None:
        """The checkpoint with which a warm start continues."""
        warm = self._get("warm_start")
        if _switch("warm_start", warm) and self._get("resume") is not None:
            raise ValueError("warm_start = True: it is for fits without resume, which names a checkpoint of its own")
        if not warm:
            self.__dict__.pop("_checkpoint", None)
            return None
        if getattr(self, "_checkpoint", None) is None:
            self._checkpoint = Checkpoint()
        return self._checkpoint

    def _learn_table(self, X: Any, y: Any, tasks: Tasks, *, loss: str, classify: bool, sample_weight: Any, groups: Any, qid: Any = None, **rows: Any) -> Model:
        """Check the input, let the service fit, and set the fitted attributes."""
        y = validate_data(self, X="no_validation", y=y, y_numeric=not classify)  # forgets the names of features
        table = _tables.read(self, X, reset=True)
        check_consistent_length(np.empty((table.rows, 0)), y)
        if sample_weight is not None:
            sample_weight = checked_weights(sample_weight, table.rows)
        target, levels = _encoded(y) if classify else (np.asarray(y, np.float64), None)
        if classify:
            self._set_classes(y, sample_weight)
        roles = self._folds(table.rows, y if rows.get("event") is None else rows["event"], groups, classify) | _by_row(table.rows, **rows)
        if loss in ("rank", "cox") and sample_weight is not None and _whole(sample_weight):
            # Pairs of samples are weighed, not samples, and ties of events weigh less than all of
            # them, so that the samples have to be there.
            often = np.repeat(np.arange(table.rows), sample_weight.astype(np.intp))
            table, target, sample_weight = table.take(often), target[often], None
            qid = None if qid is None else np.asarray(qid)[often]
            roles = {role: values[often] for role, values in roles.items()}
        if qid is not None:
            qid = _queries(qid, table.rows)
            if not _stand_together(qid):
                order = np.argsort(qid, kind="stable")
                table, target, qid = table.take(order), target[order], qid[order]
                sample_weight = None if sample_weight is None else sample_weight[order]
                roles = {role: values[order] for role, values in roles.items()}
        vectors = {"weights": sample_weight, "query": qid, **roles}
        return self._fit_table(table, Target(target, levels), vectors, tasks, {**self._options(loss, table.width), "classify": classify})

    def _fit_table(
        self, table: _tables.Table, target: Target, vectors: dict[str, Vector | None], tasks: Tasks, options: dict[str, Any], sums: Sums | None = None
    ) -> Model:
        """Let the service fit the checked input, and set the fitted attributes.

        The rows of ``sums``, if there are some, are those that the table stands for.
        """

        def write(shared: _shared.Shared, table: _tables.Table) -> dict[str, Any]:
            to: dict[str, Any] = {"rows": table.rows, "columns": table.width, "names": table.names, **table.write(shared)}
            to["target"] = _tables.vector(shared, target.values, target.levels)
            to |= {role: _tables.vector(shared, values) for role, values in vectors.items() if values is not None}
            to["memory"] = _size(self._get("memory"))
            to["use"] = self._used(table.names, table.width)
            if sums is not None:
                to["sums"] = {"rows": sums.rows, "low": shared.add(sums.low[:-1]), "high": shared.add(sums.high[:-1])}
            return to

        return self._keep(self._ask({"op": "fit", "options": options, **self._record(table.width)}, table, write, tasks))

    def _learn_file(self, path: str, y: Any, tasks: Tasks, *, loss: str, classify: bool, groups: Any, qid: Any = None, **rows: Any) -> Model:
        """Fit a table in a file. Columns of it are named, other values given."""
        if not isinstance(self.cv, (numbers.Integral, type(None))):
            raise ValueError(f"cv = {self._get('cv')!r}: for a table in a file it must be a number of folds, or None")
        if groups is not None and not isinstance(groups, str):
            groups = _codes(groups)
        if rows.get("stratum") is not None and not isinstance(rows["stratum"], str):
            rows["stratum"] = _codes(rows["stratum"])
        message = {"op": "fit", "options": {**self._options(loss, None), "classify": classify}, **self._record(0)}
        extra: list[tuple[str, _shared.Shared]] = []
        to: dict[str, Any] = {"path": os.path.abspath(path)}
        try:
            for role, values, text in (("target", y, classify), ("query", qid, False), ("group", groups, False), *((role, values, False) for role, values in rows.items())):
                if values is None:
                    continue
                if isinstance(values, str):
                    to[role] = values
                    continue
                shared = _shared.Shared()
                extra.append((role, shared))
                to[role] = shared.path
                shared.write_vector(np.asarray(values), text)
            if self._get("categorical_features") is not None:
                to["categorical"] = _features(self._get("categorical_features"))
            message["table"] = {"path": to, "memory": _size(self._get("memory")), "use": self._used()}
            answer = self._converse(message, None, tasks)
        finally:
            for _, shared in extra:
                shared.close()
        self.n_features_in_ = answer["columns"]
        if answer.get("names") is not None:
            self.feature_names_in_ = np.array(answer["names"], dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        model = self._keep(answer)
        if classify:
            self._set_file_classes(y, model)
        return model

    def _checked_loss(self) -> str:
        """The loss, if it is one of the task."""
        if self.loss not in self._losses:
            known = ", ".join(repr(name) for name in self._losses)
            raise ValueError(f"loss = {self.loss!r}: {type(self).__name__} has the losses {known}")
        return self.loss

    def _folds(self, rows: int, y: Any, groups: Any, classify: bool) -> dict[str, Vector]:
        """The fold of each sample if ``cv`` determines it, or the group of each if there are groups."""
        cv = self.cv
        if groups is not None:
            groups = np.asarray(groups)
            if groups.shape != (rows,):
                raise ValueError(f"groups has the shape {groups.shape}: it must name a group for each of {rows} samples")
        if isinstance(cv, (numbers.Integral, type(None))):
            return {} if groups is None else {"group": _codes(groups)}
        fold = np.full(rows, -1.0)
        for i, (train, test) in enumerate(check_cv(cv, y, classifier=classify).split(np.empty((rows, 0)), y, groups)):
            train, test = np.arange(rows)[train], np.arange(rows)[test]
            if (fold[test] >= 0).any() or len(train) + len(test) != rows or np.isin(train, test).any():
                raise ValueError(f"cv = {cv!r}: each sample must be in one test set and in all other training sets; ordered=True is for samples in the order of time")
            fold[test] = i
        if (fold < 0).any():
            raise ValueError(f"cv = {cv!r}: sample {int(np.argmax(fold < 0))} is in no test set")
        return {"fold": fold}

    def _used(self, names: list[str] | None = None, width: int | None = None) -> list[str]:
        """Features to keep even if they look like identifiers."""
        use = _features(self._get("use")) or []
        if names is not None and width is not None:
            for name in use:
                if not (name in names or name.isdecimal() and int(name) < width):
                    raise ValueError(f"use has {name!r}, which is no feature of X")
        return use + (_features(self._get("force")) or [])

    def _get(self, name: str) -> Any:
        return getattr(self, name, None)

    def _record(self, width: int) -> dict[str, Any]:
        """What the service returns about the fit, besides the model."""
        chosen = self.k if isinstance(self.k, numbers.Integral) else _OPEN
        stability = self._get("stability") or 0
        if not isinstance(stability, numbers.Integral) or stability < 0:
            raise ValueError(f"stability = {stability!r}: it must be a number of pairs of half samples, or 0")
        return {"lines": int(min(chosen + _FOLLOWED, _MOST_FOLLOWED)), "stability": int(stability)}

    def _options(self, loss: str, width: int | None) -> dict[str, Any]:
        """The parameters with the names of the service, without those that are None."""
        options: dict[str, Any] = {"k": self._size_of(width), "loss": loss, "threads": _threads(self._get("n_jobs"))}
        options["seed"] = _seed(self._get("random_state"))
        options["force"] = _features(self._get("force"))
        groups = self._get("feature_groups")
        options["groups"] = None if groups is None else [_features(group) for group in groups]
        options["constraints"] = read_constraints(self._get("monotonic_cst"), self._get("positive"), self._get("constraints"), width) or None
        for name, checked in _PASSED.items():
            options[_SERVICE_NAMES.get(name, name)] = checked(name, self._get(name))
        options["quantiles"] = _several(self._get("quantile"))
        if self._get("quantile") is not None and loss != "quantile":
            raise ValueError(f"quantile = {self._get('quantile')!r}: it is for loss='quantile', and loss = {self.loss!r}")
        options["device_memory"] = _size(self._get("device_memory"), "device_memory") or None
        if self._get("resume") is not None:
            options["resume"] = os.path.abspath(os.fspath(self._get("resume")))
        elif (begun := self._begun()) is not None:
            options["resume"] = begun.path
        if isinstance(reference := self._get("reference"), str):
            options["reference"] = reference
        elif reference is not None:
            options["losses"] = True
        if self.quick and self.cv is not None:
            options["cross_validate"] = True
        sizes = self.sizes
        options["sizes"] = None if sizes is None else [int(size) for size in sizes]
        if sizes is not None and len(sizes) == 0:
            raise ValueError("sizes = []: it must have at least one number of features, or be None")
        if sizes is not None and width is not None and max(sizes) > width and not self._get("interactions"):
            raise ValueError(f"sizes has {max(sizes)}, but X has {width} feature(s) to select from")
        if self._get("huber") is not None and loss != "svm":
            raise ValueError(f"huber = {self._get('huber')!r}: it is for loss='svm', and loss = {self.loss!r}")
        if self._get("spacing") == "even" and self._get("bins") == 0:
            raise ValueError("spacing = 'even': it is for curves, and bins = 0")
        if self._get("storage") not in (None, "float32") and isinstance(self._get("bins"), numbers.Integral) and self._get("bins") > 0:
            raise ValueError(f"storage = {self._get('storage')!r}: it is for straight lines, and bins = {self._get('bins')}")
        weights = self._get("class_weight")
        if isinstance(weights, str):
            if weights != "balanced":
                raise ValueError(f"class_weight = {weights!r}: it must be 'balanced', a dict of weights, or None")
            options["balanced"] = True
        elif weights is not None:
            options["class_weights"] = _strengths("class_weight", weights)
        return {name: value for name, value in options.items() if value is not None}

    def _size_of(self, width: int | None) -> int:
        """Convert k for the service: 0 means that the size is chosen."""
        k = self.k
        if isinstance(k, str) and k == "auto":
            return 0
        if isinstance(k, bool) or not isinstance(k, numbers.Integral):
            raise ValueError(f"k = {k!r}: it must be a whole number of features, or 'auto'")
        for name in ("sizes", "rule"):
            if self._get(name) is not None:
                raise ValueError(f"{name} = {self._get(name)!r}: it is for k = 'auto', and k = {k}")
        if k < 1:
            raise ValueError(f"k = {k}: at least one feature has to be selected")
        return int(k) if width is None or self._get("interactions") else min(int(k), self._units(width))

    def _units(self, width: int) -> int:
        """The number of features, or groups of features, to select from."""
        groups = self._get("feature_groups") or []
        return width - sum(len(group) - 1 for group in groups)

    def _ask(
        self, message: dict[str, Any], table: _tables.Table, write: Callable[[_shared.Shared, _tables.Table], dict[str, Any]], tasks: Tasks
    ) -> dict[str, Any]:
        """Send a table to the service and wait for the result."""
        while True:
            with _shared.Shared.again() as shared:
                try:
                    message["table"] = write(shared, table)
                    message["files"] = [{"path": shared.path, "own": True}, *table.files()]
                    answer = self._converse(message, shared, tasks)
                    shared.let_go()
                    return answer
                except _FileRefused:
                    if isinstance(table, _tables.Dense) and table.files():
                        table = table.copied()  # its file has gone, or is not for others to read
                    elif shared.nameless:
                        _shared.give_up_nameless()
                    else:
                        raise

    def _converse(self, message: dict[str, Any], shared: _shared.Shared | None, tasks: Tasks) -> dict[str, Any]:
        progress = Progress(self.callbacks, self.progress, self.verbose, type(self).__name__, tasks)
        message["events"] = progress.wanted
        begun = False

        def on_event(answer: dict[str, Any]) -> None:
            nonlocal begun
            begun = True
            if answer["event"] == "open" and shared is not None:
                shared.unlink()
            progress.tell(answer)

        try:
            try:
                answer = service().request(message, on_event)
            except ServiceError:
                if begun:
                    raise
                answer = service().request(message, on_event)  # the last one had died before
        finally:
            progress.close()
        if answer["event"] == "error":
            for file in message.get("files", []):
                _shared.refused(answer, file["path"])
            raise_for(answer)
        return answer

    def _keep(self, answer: dict[str, Any]) -> Model:
        """Set the fitted attributes."""
        model = Model(answer["model"])
        place = {index: j for j, index in enumerate(answer["index"])} if answer.get("index") else None
        self._places = place
        self.model_ = model
        self.validation_ = model.validation
        self._out_of_fold = answer.get("out_of_fold")
        if hasattr(self, "reference_"):
            del self.reference_
        if model.validation is not None and model.validation.get("reference") is not None:
            self.reference_ = model.validation["reference"]
        self.n_iter_ = int(model.training["epochs"])
        self.plan_ = answer["decisions"]
        self._seconds = {"reading": answer["reading"], "fit": answer["seconds"]}  # in the service
        places = [self._place(v) for v in model.variables]  # a date has several
        self.selected_ = np.array(list(dict.fromkeys(places)), dtype=np.intp)
        self.support_ = np.zeros(self.n_features_in_, dtype=bool)
        self.support_[self.selected_] = True
        self.feature_importances_ = np.zeros(self.n_features_in_)
        np.maximum.at(self.feature_importances_, places, [v.strength for v in model.variables])
        self._path: Path | None = read_path(answer["trace"]) if "trace" in answer else None  # workers that fit together have none
        self.ranking_ = _ranking(self.support_, np.zeros(self.n_features_in_) if self._path is None else self._path.last_epoch)
        for name, value in (("discoveries_", model.discoveries), ("rivals_", read_rivals(model.validation))):
            if value is not None:
                setattr(self, name, value)
            elif hasattr(self, name):
                delattr(self, name)
        if answer.get("stability"):
            self.stability_ = read_stability(answer["stability"])
        elif hasattr(self, "stability_"):
            del self.stability_
        for column in answer.get("left") or []:
            warn(f"column {column['name']!r} is left out as an identifier ({column['why']}): use=[{column['name']!r}] keeps it")
        units = self._units(self.n_features_in_)
        if isinstance(self.k, numbers.Integral) and self.k > units and not self._get("interactions"):
            what = "groups" if self._get("feature_groups") else "features"
            warn(f"k = {self.k}, but X has {units} {what}: none of them is dropped")
        elif isinstance(self.k, numbers.Integral) and len(self.selected_) < self.k and not self._get("interactions") and not self._get("feature_groups"):
            warn(f"only {len(self.selected_)} features vary, so that fewer than k = {self.k} were selected")
        self._set_choice(model)
        self._set_coefficients(model)
        return model

    def _set_choice(self, model: Model) -> None:
        """Set the size, and how it was chosen."""
        for name in ("cv_results_", "best_k_", "null_loss_"):
            if hasattr(self, name):
                delattr(self, name)
        self.k_ = int(model.training["k"])
        validation = model.validation
        if isinstance(self.k, numbers.Integral) or validation is None:
            return
        points = validation["points"]
        self.best_k_ = int(validation["best"])
        self.null_loss_ = float(validation["null"])
        self.cv_results_ = {
            "k": np.array([p["size"] for p in points]),
            "mean_loss": np.array([p["mean"] for p in points]),
            "std_error": np.array([p["se"] for p in points]),
        }

    def _place(self, variable: Variable) -> int:
        """The position of a variable among the features."""
        return variable.index if self._places is None else self._places[variable.index]

    def _set_coefficients(self, model: Model) -> None:
        """Set coefficients and intercept if all effects are linear."""
        for name in ("coef_", "intercept_"):
            if hasattr(self, name):
                delattr(self, name)
        if not model.linear:
            return
        coef = np.zeros((model.outputs, self.n_features_in_))
        intercept = model.intercept.copy()
        for variable in model.variables:
            slopes = variable.coefficients[:, 0]
            coef[:, self._place(variable)] = slopes
            intercept -= slopes * variable.center
        if model.task == "classification" or model.outputs > 1:
            self.coef_, self.intercept_ = coef, intercept
        else:
            self.coef_, self.intercept_ = coef[0], float(intercept[0])

    def _set_classes(self, y: Any, sample_weight: Any) -> None:
        """Set classes, if the estimator has classes."""

    def _set_file_classes(self, y: Any, model: Model) -> None:
        """Set the classes of a file, if the estimator has classes."""

    def _decide(self, X: Any, offset: Any = None, exposure: Any = None) -> Vector:
        """Decision values of rows, of shape (n_samples, n_outputs)."""
        check_is_fitted(self)
        model = self.model_
        table = _tables.read(self, X, reset=False, needed=model.needed)

        def column(variable: Variable) -> Column:
            return table.column(variable, self._place(variable))

        return model.decide(table.rows, column, model.offsets(table.rows, offset, exposure))

    def explain(self, X: Any, background: Any = None) -> Any:
        """What each selected feature adds to the decision values of samples.

        A model is a sum of one term per feature, so these contributions are exact: together with
        the base value they sum to the decision value without an offset. That is the
        prediction of a regression or its logarithm, the score of a ranking, the risk of a survival
        model, and for two classes under the logistic loss the log odds of the second. With
        ``background`` they are SHAP values.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or Arrow table
            Samples.
        background : array-like, sparse matrix, frame or Arrow table, optional
            Samples whose mean decision value is the base value. None takes the intercept of the
            model, for which a number at its training mean contributes nothing.

        Returns
        -------
        shap.Explanation
            Contributions of the selected features, the most important first, of shape (n_samples,
            n_selected); with one decision value per class, there is a last axis of classes.
        """
        check_is_fitted(self)
        if self.model_.interactions:
            raise ValueError(f"explain cannot divide interactions, such as {self.model_.interactions[0].name}, between features: fit without interactions")
        named = getattr(self, "feature_names_in_", None)
        names = [f"x{j}" if named is None else str(named[j]) for j in self.selected_]

        def table(of: Any) -> _tables.Table:
            return _tables.read(self, of, reset=False, needed=self.model_.variables)

        return _explain.explanation(self.model_, table(X), self._place, names, None if background is None else table(background))

    @property
    def path_(self) -> Path:
        """How coefficients and loss changed during training."""
        path = getattr(self, "_path", None)
        if path is None:
            why = "pickles and copies do not have it: fit again" if hasattr(self, "model_") else "it is not fitted"
            raise AttributeError(f"this {type(self).__name__} has no path_: {why}")
        return path

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name not in ("_path", "_checkpoint")}  # most of the bytes

    def summary(self) -> Summary:
        """A summary of the model: its metrics, and a table of the selected features.

        Returns
        -------
        str
            Lines of text.
        """
        check_is_fitted(self)
        return self.model_.summary()

    def save_model(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file that ``fsa predict`` and ``fsa show`` read.

        Parameters
        ----------
        path : str or path-like
            Where to.
        """
        check_is_fitted(self)
        self.model_.save(path)

    def export(
        self, to: str, path: str | os.PathLike[str] | None = None, *, dialect: str | None = None, table: str | None = None, matrix: bool = False
    ) -> str | bytes | None:
        """Export the model to ONNX, SQL, JSON or source code.

        Parameters
        ----------
        to : {"onnx", "sql", "json", "go", "python", "c"}
            What to write.
        path : str or path-like, optional
            Where to; None returns it.
        dialect : {"sqlite", "duckdb", "postgres"}, optional
            Of SQL.
        table : str, optional
            The table that the SQL query reads.
        matrix : bool, default=False
            Give ONNX one input ``X`` of float64 numbers with all features, as ``predict`` takes
            it, instead of one input per feature that is used.

        Returns
        -------
        str, bytes or None
            What was written, bytes for ONNX; None if there is a path.
        """
        check_is_fitted(self)
        of: dict[str, Any] | None = None
        if matrix:
            of = {"width": self.n_features_in_, "places": [self._place(v) for v in self.model_.variables]}
        texts = getattr(self, "classes_", np.empty(0)).dtype.kind in "OSUT"
        return _export.export(self.model_, to, path, dialect=dialect, table=table, matrix=of, text_labels=texts)

    def onnx_inputs(self, X: Any) -> dict[str, Vector]:
        """Return the inputs of the exported ONNX model, including parts of dates and times.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or Arrow table
            Samples.

        Returns
        -------
        dict of ndarray
            An array of shape (n_samples, 1) for each input of ``export("onnx")``: float64 numbers,
            or objects that are texts, empty if missing.
        """
        check_is_fitted(self)
        table = _tables.read(self, X, reset=False, needed=self.model_.variables)
        others = {str(name) for name in getattr(self, "feature_names_in_", ())}
        return {name: values.reshape(-1, 1) for name, values in _export.inputs(self.model_, others, lambda v: table.column(v, self._place(v)))}

    def _repr_html_inner(self) -> str:
        return _html.page(self, super()._repr_html_inner())

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle:
            bundle["text/html"] = _html.page(self, bundle["text/html"])
        return bundle


def _ranking(support: Vector, last: Vector) -> Vector:
    """1 for selected features; for dropped ones, the earlier, the larger."""
    _, place = np.unique(-last[~support], return_inverse=True)
    ranking = np.ones(len(support), dtype=int)
    ranking[~support] = 2 + place
    return ranking


def _encoded(y: Any) -> tuple[Vector, list[str] | None]:
    """Encode classes for the service: numbers, or codes and a list of class names."""
    y = np.asarray(y)
    if y.dtype.kind in "iufb":
        return y.astype(np.float64), None
    classes, codes = np.unique(y, return_inverse=True)
    levels = [str(c) for c in classes]
    if len(set(levels)) < len(levels):
        raise ValueError("y has classes that look the same as text: rename one")
    return codes.reshape(-1).astype(np.int32), levels


def _by_row(rows: int, offset: Any = None, exposure: Any = None, event: Any = None, stratum: Any = None, entry: Any = None) -> dict[str, Vector]:
    """The data of each row for the service, besides target, weight and fold."""
    found: dict[str, Vector] = {}
    if offset is not None:
        found["offset"] = np.array(checked_offsets(offset, rows))
    if exposure is not None:
        log_exposures(exposure, rows)
        found["exposure"] = np.array(checked_offsets(exposure, rows, "exposure"))
    if event is not None:
        found["event"] = np.asarray(event, np.float64)
    if stratum is not None:
        if np.shape(stratum) != (rows,):
            raise ValueError(f"strata has the shape {np.shape(stratum)}: it must name a stratum for each of {rows} samples")
        found["stratum"] = _codes(stratum)
    if entry is not None:
        found["entry"] = checked_entries(entry, rows)
    return found


def checked_entries(entry: Any, rows: int) -> Vector:
    """The time from which on each sample was observed."""
    if np.shape(entry) != (rows,):
        raise ValueError(f"entry has the shape {np.shape(entry)}: it must have a time for each of {rows} samples")
    return np.array(check_array(entry, ensure_2d=False, dtype=np.float64, input_name="entry"))


def _codes(labels: Any) -> Vector:
    """A number for each different label."""
    return np.unique(np.asarray(labels), return_inverse=True)[1].reshape(-1).astype(np.float64)


def _class_name(label: Any) -> str:
    """The name of a class in the service."""
    if isinstance(label, (bool, np.bool_)):
        return str(int(label))
    if isinstance(label, (numbers.Real, np.number)):
        value = float(label)
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(label)


def _queries(qid: Any, rows: int) -> Vector:
    qid = np.asarray(qid)
    if qid.shape != (rows,):
        raise ValueError(f"qid has the shape {qid.shape}: it must name a query for each of {rows} samples")
    if qid.dtype.kind not in "iu":
        qid = np.unique(qid, return_inverse=True)[1]
    return np.asarray(qid, np.int64).reshape(-1)


def _stand_together(qid: Vector) -> bool:
    return int((np.diff(qid) != 0).sum()) + 1 == len(np.unique(qid))


def _whole(weights: Vector) -> bool:
    return bool((weights == np.trunc(weights)).all())


def checked_weights(weights: Any, rows: int) -> Vector:
    """A weight for each row: 1 if none are given."""
    weights = _check_sample_weight(weights, np.empty((rows, 0)), dtype=np.float64)
    if (weights < 0).any():
        raise ValueError("sample_weight has negative weights: they must not be negative")
    return np.asarray(weights)


def _features(names: Any) -> list[str] | None:
    """Features by name or position, as texts."""
    if names is None:
        return None
    if isinstance(names, str):
        raise ValueError(f"{names!r} must be a list of features, not a text")
    return [str(name) for name in names]


def _number(name: str, value: Any) -> float | None:
    """A parameter that is a number, or None."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not np.isfinite(float(value)) or value < 0:
        raise ValueError(f"{name} = {value!r}: it must be a finite number and not negative, or None")
    return float(value)


def _positive(name: str, value: Any) -> float | None:
    """A parameter that is a number above zero, or None."""
    if value is not None and _number(name, value) == 0:
        raise ValueError(f"{name} = {value!r}: it must be above zero, or None")
    return _number(name, value)


def _at_least(least: int, most: int | None = None) -> Callable[[str, Any], int | None]:
    """A check of a parameter that is a whole number of some size, or None."""

    def check(name: str, value: Any) -> int | None:
        count = _count(name, value)
        if count is not None and count < least:
            raise ValueError(f"{name} = {value!r}: it must be at least {least}, or None")
        if count is not None and most is not None and count > most:
            raise ValueError(f"{name} = {value!r}: it must be at most {most}, or None")
        return count

    return check


def _count(name: str, value: Any) -> int | None:
    """A parameter that is a whole number, or None."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 0:
        raise ValueError(f"{name} = {value!r}: it must be a whole number and not negative, or None")
    return int(value)


def _switch(name: str, value: Any) -> bool | None:
    """A parameter that is true or false."""
    if value is not None and not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} = {value!r}: it must be True or False")
    return None if value is None else bool(value)


def _strengths(name: str, value: Any) -> dict[str, float] | None:
    """Check a parameter that maps names to numbers."""
    if value is None:
        return None
    if not isinstance(value, dict):
        raise ValueError(f"{name} = {value!r}: it must be a dict of strengths by name, or None")
    return {_class_name(key): float(strength) for key, strength in value.items()}


def _bins(name: str, value: Any) -> int | None:
    """A number of bins; None chooses it from the data."""
    if isinstance(value, str) and value == "auto":
        return None
    if value == 1 or isinstance(value, str) or isinstance(value, numbers.Integral) and int(value) > _MOST_BINS:
        raise ValueError(f"{name} = {value!r}: it must lie between 2 and {_MOST_BINS}, be 0 for straight lines, or 'auto'")
    return _count(name, value)


def _interactions(name: str, value: Any) -> int | None:
    """The largest number of interactions, 0 for any number; None looks for none."""
    if value is None or value is False:
        return None
    if value is True:
        return 0
    if not isinstance(value, numbers.Integral) or value < 1:
        raise ValueError(f"{name} = {value!r}: it must be True, False, or the largest number of pairs, at least 1")
    return int(value)


def _one_of(*words: str) -> Callable[[str, Any], str | None]:
    """A check of a parameter that is one of a few words, or None."""

    def check(name: str, value: Any) -> str | None:
        if value is not None and value not in words:
            raise ValueError(f"{name} = {value!r}: it must be {', '.join(map(repr, words[:-1]))} or {words[-1]!r}")
        return None if value is None else str(value)

    return check


def _text(name: str, value: Any) -> str | None:
    """A parameter that is a text; the service checks its value."""
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{name} = {value!r}: it must be a text, or None")
    return value


def _folds_of(name: str, value: Any) -> int | None:
    """A number of folds; None if they are given one by one."""
    return _at_least(2)(name, value) if isinstance(value, numbers.Real) else None


def _quantiles(name: str, value: Any) -> float | None:
    """A quantile, or None; several are another option of the service."""
    return None if _several(value) else _between(name, value)


def _several(quantile: Any) -> list[float] | None:
    """The quantiles, ascending, if there are several."""
    if quantile is None or isinstance(quantile, (str, numbers.Real)):
        return None
    found = sorted(_between("quantile", q) or 0 for q in quantile)
    if len(found) < 2 or len(set(found)) < len(found) or found[0] == 0:
        raise ValueError(f"quantile = {quantile!r}: it must be a number, or a list of at least two different ones")
    return found


def _between(name: str, value: Any) -> float | None:
    """A parameter between 0 and 1, or None."""
    share = _number(name, value)
    if share is not None and not 0 < share < 1:
        raise ValueError(f"{name} = {value!r}: it must lie between 0 and 1, or be None")
    return share


def _momentum(name: str, value: Any) -> float | None:
    """A share below 1, or None."""
    share = _number(name, value)
    if share is not None and share >= 1:
        raise ValueError(f"{name} = {value!r}: it must be below 1, or None")
    return share


# What parameters are called by the service, if it has another name.
_SERVICE_NAMES = {"alpha": "ridge", "cv": "folds", "max_iter": "iterations", "rule": "choose", "scoring": "measure", "tol": "tolerance"}

# Parameters that go to the service, and what they must be.
_PASSED: dict[str, Callable[[str, Any], Any]] = {
    **dict.fromkeys(("alpha", "mu", "tol"), _number),
    "momentum": _momentum,
    "quantile": _quantiles,
    **dict.fromkeys(("eta", "huber", "max_time"), _positive),
    "bins": _bins,
    "interactions": _interactions,
    "heredity": _one_of("strong", "weak", "none"),
    **dict.fromkeys(("batch", "warm_up"), _count),
    "max_iter": _at_least(1, _MOST_EPOCHS),
    "cv": _folds_of,
    "fdr": _between,
    "rivals": _switch,
    "repeats": _at_least(1),
    "ordered": _switch,
    "scoring": _text,
    "calibrate": _switch,
    "nested": _switch,
    "threshold": _text,
    "rule": _one_of("paired", "one-se", "min", "aic", "bic", "ebic", "gic"),
    "scale": _one_of("auto", "column", "common", "root", "none"),
    "spacing": _one_of("auto", "even"),
    "ties": _one_of("efron", "breslow"),
    "device": _one_of("auto", "cpu", "cuda"),
    "extrapolate": _one_of("clip", "line"),
    "storage": _one_of("float32", "bfloat16", "int8"),
    **dict.fromkeys(("polish", "quick"), _switch),
    "priors": _strengths,
}


def _seed(random_state: Any) -> int:
    if random_state is None:
        return 0
    if isinstance(random_state, numbers.Integral):
        if int(random_state) < 0:
            raise ValueError(f"random_state = {random_state}: a seed must not be negative")
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def _threads(n_jobs: Any) -> int:
    """The number of threads, in the convention of scikit-learn."""
    if n_jobs is not None and (isinstance(n_jobs, bool) or not isinstance(n_jobs, numbers.Integral) or n_jobs == 0):
        raise ValueError(f"n_jobs = {n_jobs!r}: it must be a number of threads, -1 for one for each core, or None")
    return int(joblib.effective_n_jobs(None if n_jobs is None else int(n_jobs)))


def _size(memory: Any, name: str = "memory") -> int:
    """A number of bytes; 0 means any."""
    if memory is None:
        return 0
    bytes_ = _bytes(memory, name)
    if bytes_ < _LEAST_MEMORY:
        raise ValueError(f"{name} = {memory!r}: a fit needs at least '1MiB'")
    return bytes_


def _bytes(memory: Any, name: str) -> int:
    """A number of bytes that may be written with a unit."""
    if isinstance(memory, str):
        for unit, factor in _UNITS.items():
            if memory.endswith(unit):
                try:
                    return int(float(memory[: -len(unit)]) * factor)
                except ValueError:
                    break
        raise ValueError(f"{name} = {memory!r}: write for example '8GiB' or '500MB'")
    if not isinstance(memory, numbers.Real) or float(memory) <= 0:
        raise ValueError(f"{name} = {memory!r}: it must be a positive number of bytes")
    return int(float(memory))
