"""The base of all estimators: parameters, requests to the service, and fitted attributes."""

from __future__ import annotations

import numbers
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import check_cv
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from . import _cuda, _explain, _export, _html, _parameters, _report, _rows, _shared, _tables, _targets
from ._callbacks import CallbackSupportMixin, Tasks, with_callbacks
from ._columns import Column, Vector
from ._constraints import ordered, read_constraints
from ._costs import read_budget, read_costs, read_quotas
from ._errors import OtherFit, ServiceError, _FileRefused, naming, raise_for, warn
from ._model import Model, Variable
from ._offset_model import read_offset_model
from ._progress import Progress
from ._rivals import read_intervals, read_rivals
from ._service import service
from ._summary import Summary
from ._sums import Sums
from ._query import Query
from ._trace import Path, read_path, read_stability
from ._warm import Checkpoint

_OPEN = 10  # how many variables an open k is taken for, where their paths are followed
_FOLLOWED = 50  # variables besides the chosen ones whose coefficients are followed
_MOST_FOLLOWED = 1000



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
    _numbers = False  # two values of y are no classes
    _of_several: tuple[str, ...] = ()  # those for several targets; none if there must be one

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        tags.target_tags.multi_output = bool(self._of_several)
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
                return self._learn_file(X, y, tasks, loss=loss, classify=classify, weights=sample_weight, groups=groups, **rows)
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
        if _parameters.switch("warm_start", warm) and self._get("resume") is not None:
            raise ValueError("warm_start = True: it is for fits without resume, which names a checkpoint of its own")
        if not warm:
            self.__dict__.pop("_checkpoint", None)
            return None
        if getattr(self, "_checkpoint", None) is None:
            self._checkpoint = Checkpoint()
        return self._checkpoint

    def _learn_table(self, X: Any, y: Any, tasks: Tasks, *, loss: str, classify: bool, sample_weight: Any, groups: Any, qid: Any = None, **rows: Any) -> Model:
        """Check the input, let the service fit, and set the fitted attributes."""
        if isinstance(y, str):
            raise ValueError(f"y = {y!r}: a name of a column is for X in a file; for X in memory, give the values: X.drop(columns={y!r}), X[{y!r}]")
        y, sample_weight, groups, qid = (_cuda.on_host(of, name) for of, name in ((y, "y"), (sample_weight, "sample_weight"), (groups, "groups"), (qid, "qid")))
        rows = {name: _cuda.on_host(of, "strata" if name == "stratum" else name) for name, of in rows.items()}
        ranked = _rows.order_of(y) if loss == "ordinal" else None
        several = bool(self._of_several) and _targets.shape_of(y) > 1
        names = _targets.names_of(y) if several else []
        with naming("y"):
            y = validate_data(self, X="no_validation", y=y if classify else _rows.no_texts(y, type(self).__name__), y_numeric=not classify, **({"multi_output": True} if several else {}))  # forgets the names of features
        table = _tables.read(self, X, reset=True)
        check_consistent_length(np.empty((table.rows, 0)), y)
        if sample_weight is not None:
            sample_weight = _rows.checked_weights(sample_weight, table.rows)
        if several:
            _targets.check(type(self).__name__, self.loss, self._of_several, self._get("reference"))
            if classify:
                self.classes_ = _targets.classes(y, names, sample_weight)
            roles = self._folds(table.rows, y, groups, classify) | _rows.by_row(table.rows, **rows)
            options = {**self._options(self._of_several[-1], table.width), "classify": classify}
            return self._fit_table(table, _targets.encoded(y, names, classify), {"weights": sample_weight, **roles}, tasks, options)
        if classify:
            self._set_classes(y, sample_weight)
        target, levels = _rows.encoded(y) if classify else (np.asarray(y, np.float64), None)
        roles = self._folds(table.rows, y if rows.get("event") is None else rows["event"], groups, classify) | _rows.by_row(table.rows, **rows)
        if loss in ("rank", "cox") and sample_weight is not None and _rows.whole(sample_weight):
            # Pairs of samples are weighed, not samples, and ties of events weigh less than all of
            # them, so that the samples have to be there.
            often = _rows.repeated(sample_weight)
            table, target, sample_weight = table.take(often), target[often], None
            qid = None if qid is None else _rows.queries(qid, table.rows)[often]
            roles = {role: values[often] for role, values in roles.items()}
        if qid is not None:
            qid = _rows.queries(qid, len(target))
            if not _rows.stand_together(qid):
                order = np.argsort(qid, kind="stable")
                table, target, qid = table.take(order), target[order], qid[order]
                sample_weight = None if sample_weight is None else sample_weight[order]
                roles = {role: values[order] for role, values in roles.items()}
        vectors = {"weights": sample_weight, "query": qid, **roles}
        options = {**self._options(loss, table.width), "classify": classify, "number": loss == "auto" and not classify}
        if loss == "ordinal" and self._get("class_order") is None and ranked is not None:
            options["order"] = ranked
        return self._fit_table(table, Target(target, levels), vectors, tasks, options)

    def _fit_table(
        self, table: _tables.Table, target: Target | list[_targets.Column], vectors: dict[str, Vector | None], tasks: Tasks, options: dict[str, Any], sums: Sums | None = None
    ) -> Model:
        """Let the service fit the checked input, and set the fitted attributes.

        The rows of ``sums``, if there are some, are those that the table stands for.
        """

        def write(shared: _shared.Shared, table: _tables.Table) -> dict[str, Any]:
            to: dict[str, Any] = {"rows": table.rows, "columns": table.width, "names": table.names, **table.write(shared)}
            if isinstance(target, Target):
                to["target"] = _tables.vector(shared, target.values, target.levels)
            else:
                to["targets"] = [{**_tables.vector(shared, of.values, of.levels), "name": of.name} for of in target]
            to |= {role: _tables.vector(shared, values) for role, values in vectors.items() if values is not None}
            to["memory"] = _parameters.size(self._get("memory"))
            to["use"] = self._used(table.names, table.width)
            if sums is not None:
                to["sums"] = {"rows": sums.rows, "low": shared.add(sums.low[:-1]), "high": shared.add(sums.high[:-1])}
            return to

        if options.get("constraints"):
            options = {**options, "constraints": ordered(options["constraints"], table)}
        message = {"op": "fit", "options": options, **self._record(table.width)}
        message |= self._run("X", "y")
        return self._keep(self._ask(message, table, write, tasks))

    def _run(self, X: str, y: str) -> dict[str, Any]:
        """The run folder that is asked for, if one is."""
        self._folder: str | None = None
        if self._get("run_folder") is None:
            return {}
        self._folder = os.path.abspath(_parameters.path("run_folder", self._get("run_folder")))
        return {"run": {"folder": self._folder, "call": _report.call(self, X, y)}}

    def _learn_file(self, path: str | os.PathLike[str], y: Any, tasks: Tasks, *, loss: str, classify: bool, groups: Any, qid: Any = None, **rows: Any) -> Model:
        """Fit a table in a file. Columns of it are named, other values given."""
        if not isinstance(self.cv, (numbers.Integral, type(None))):
            raise ValueError(f"cv = {self._get('cv')!r}: for a table in a file it must be a number of folds, or None")
        if groups is not None and not isinstance(groups, str):
            groups = _rows.codes("groups", groups)
        if rows.get("stratum") is not None and not isinstance(rows["stratum"], str):
            rows["stratum"] = _rows.codes("strata", rows["stratum"])
        given = y is not None and not isinstance(y, str)  # the estimator knows whether they are classes
        number = loss == "auto" and not classify and (self._numbers or given)
        message = {"op": "fit", "options": {**self._options(loss, None), "classify": classify, "number": number}, **self._record(0)}
        message |= self._run(repr(os.fspath(path)), repr(y) if y is None or isinstance(y, str) else "y")
        extra: list[tuple[str, _shared.Shared]] = []
        to: dict[str, Any] = {"path": os.path.abspath(os.fspath(path))}
        if isinstance(path, Query):
            to["sql"] = path.sql
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
                to["categorical"] = _parameters.features("categorical_features", self._get("categorical_features"))
            message["table"] = {"path": to, "memory": _parameters.size(self._get("memory")), "use": self._used()}
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
        if not isinstance(self.loss, str) or self.loss not in self._losses:
            known = ", ".join(repr(name) for name in self._losses)
            raise ValueError(f"loss = {self.loss!r}: {type(self).__name__} has the losses {known}")
        return self.loss

    def _folds(self, rows: int, y: Any, groups: Any, classify: bool) -> dict[str, Vector]:
        """The fold of each sample if ``cv`` determines it, or the group of each if there are groups."""
        cv = self.cv
        groups = None if groups is None else _rows.labels("groups", "group", groups, rows)
        if isinstance(cv, (numbers.Integral, type(None))):
            return {} if groups is None else {"group": _rows.codes("groups", groups)}
        fold = np.full(rows, -1.0)
        for i, (train, test) in enumerate(_splits(cv, rows, y, groups, classify)):
            if (fold[test] >= 0).any() or len(train) + len(test) != rows or np.isin(train, test).any():
                raise ValueError(f"cv = {cv!r}: each sample must be in one test set and in all other training sets; ordered=True is for samples in the order of time")
            fold[test] = i
        if (fold < 0).any():
            raise ValueError(f"cv = {cv!r}: sample {int(np.argmax(fold < 0))} is in no test set")
        return {"fold": fold}

    def _used(self, names: list[str] | None = None, width: int | None = None) -> list[str]:
        """Features to keep even if they look like identifiers. Those of all parameters must be there."""
        use, force = (_parameters.features(name, self._get(name)) or [] for name in ("use", "force"))
        if width is not None:
            positive = self._get("positive")
            _parameters.known("use", use, names, width)
            _parameters.known("force", force, names, width)
            _parameters.known("feature_groups", sum(_parameters.groups("feature_groups", self._get("feature_groups")) or [], []), names, width)
            among = self._get("interaction_cst")
            _parameters.known("interaction_cst", sum(_parameters.groups("interaction_cst", None if isinstance(among, str) else among) or [], []), names, width)
            _parameters.known("positive", [] if isinstance(positive, (bool, np.bool_, type(None))) else _parameters.features("positive", positive) or [], names, width)
            for name in ("monotonic_cst", "constraints", "costs"):
                given = self._get(name)
                _parameters.known(name, (str(feature) for feature in given if feature != "all") if isinstance(given, dict) else (), names, width)
        return use + force

    def _get(self, name: str) -> Any:
        return getattr(self, name, None)

    def _record(self, width: int) -> dict[str, Any]:
        """What the service returns about the fit, besides the model."""
        chosen = self.k if isinstance(self.k, numbers.Integral) else _OPEN
        stability = _parameters.count("stability", self._get("stability")) or 0
        return {"lines": int(min(chosen + _FOLLOWED, _MOST_FOLLOWED)), "stability": int(stability)}

    def _options(self, loss: str, width: int | None) -> dict[str, Any]:
        """The parameters with the names of the service, without those that are None."""
        options: dict[str, Any] = {"k": self._size_of(width), "loss": loss, "threads": _parameters.threads(self._get("n_jobs"))}
        options["seed"] = _parameters.seed(self._get("random_state"))
        options["force"] = _parameters.features("force", self._get("force"))
        options["groups"] = _parameters.groups("feature_groups", self._get("feature_groups"))
        options["constraints"] = read_constraints(self._get("monotonic_cst"), self._get("positive"), self._get("constraints"), width) or None
        options["costs"], options["budgets"] = read_costs(self._get("costs"), width), read_budget(self._get("budget"))
        options["quotas"] = read_quotas(self._get("quotas"))
        options["offset_model"] = read_offset_model(self._get("offset_model"))
        for name, checked in _parameters.PASSED.items():
            options[_parameters.SERVICE_NAMES.get(name, name)] = checked(name, self._get(name))
        options |= _parameters.pair_sets(self._get("interaction_cst"), self)
        options["quantiles"] = _parameters.several(self._get("quantile"))
        if self._get("quantile") is not None and loss != "quantile":
            raise ValueError(f"quantile = {self._get('quantile')!r}: it is for loss='quantile', and loss = {self.loss!r}")
        options["device_memory"] = _parameters.size(self._get("device_memory"), "device_memory") or None
        if self._get("resume") is not None:
            options["resume"] = os.path.abspath(_parameters.path("resume", self._get("resume")))
        elif (begun := self._begun()) is not None:
            options["resume"] = begun.path
        if isinstance(reference := self._get("reference"), str):
            options["reference"] = reference
        elif reference is not None:
            options["losses"] = True
        if self.quick and self.cv is not None:
            options["cross_validate"] = True
        options["sizes"] = sizes = _parameters.sizes(self.sizes)
        if sizes is not None and width is not None and max(sizes) > width and not self._pairs():
            raise ValueError(f"sizes has {max(sizes)}, but X has {width} feature(s) to select from")
        if self._get("class_order") is not None:
            if loss != "ordinal":
                raise ValueError(f"class_order = {self._get('class_order')!r}: it is for loss='ordinal', and loss = {self.loss!r}")
            options["order"] = [_rows.class_name(label) for label in _parameters.listed("class_order", self._get("class_order"))]
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
            options["class_weights"] = _parameters.strengths("class_weight", weights)
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
        if self._get("costs") is not None:
            raise ValueError(f"k = {k}: features have costs, and the budget decides how many are selected: leave k 'auto'")
        return int(k) if width is None or self._pairs() else min(int(k), self._units(width))

    def _pairs(self) -> bool:
        """Whether pairs of features were asked for."""
        return _parameters.PASSED["interactions"]("interactions", self._get("interactions")) not in (None, -1)

    def _units(self, width: int) -> int:
        """The number of features, or groups of features, to select from."""
        groups = _parameters.groups("feature_groups", self._get("feature_groups")) or []
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
        verbose = _parameters.count("verbose", int(self.verbose) if isinstance(self.verbose, bool) else self.verbose)
        progress = Progress(self.callbacks, self.progress, verbose or 0, type(self).__name__, tasks)
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
                if "path" in file:
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
        self.__dict__.pop("reference_", None)
        if model.validation is not None and model.validation.get("reference") is not None:
            self.reference_ = model.validation["reference"]
        self.n_iter_ = int(model.training["epochs"])
        self.plan_ = answer["decisions"]
        self._seconds = {"reading": answer["reading"], "fit": answer["seconds"]}  # in the service
        terms = [(v, v.strength) for v in model.variables] + [(v, pair.strength) for pair in model.interactions for v in pair.variables]
        places = [self._place(v) for v, _ in terms]  # a date has several
        self.selected_ = np.array(list(dict.fromkeys(places)), dtype=np.intp)
        self.support_ = np.zeros(self.n_features_in_, dtype=bool)
        self.support_[self.selected_] = True
        self.feature_importances_ = np.zeros(self.n_features_in_)
        np.maximum.at(self.feature_importances_, places, [strength for _, strength in terms])
        self._path: Path | None = read_path(answer["trace"]) if "trace" in answer else None  # workers that fit together have none
        self.ranking_ = _ranking(self.support_, np.zeros(self.n_features_in_) if self._path is None else self._path.last_epoch)
        for name, value in (("discoveries_", model.discoveries), ("rivals_", read_rivals(model.validation)), ("intervals_", read_intervals(model.stability))):
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
        if isinstance(self.k, numbers.Integral) and self.k > units and not self._pairs():
            what = "groups" if self._get("feature_groups") else "features"
            warn(f"k = {self.k}, but X has {units} {what}: none of them is dropped")
        elif isinstance(self.k, numbers.Integral) and len(self.selected_) < self.k and not self._pairs() and not self._get("feature_groups"):
            warn(f"only {len(self.selected_)} features vary, so that fewer than k = {self.k} were selected")
        if model.training["status"] == "out of time":
            warn(f"max_time = {self._get('max_time')}: the time was up after {self.n_iter_} epochs, and the strongest features left then are selected: allow more, or continue with warm_start=True", ConvergenceWarning)
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
            self.__dict__.pop(name, None)
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

        A model is a sum of one term per feature and one per interaction, so these contributions are
        exact: together with the base value they sum to the decision value without an offset. That is the
        prediction of a regression or its logarithm, the score of a ranking, the risk of a survival
        model, and for two classes under the logistic loss the log odds of the second. With
        ``background`` they are SHAP values, of which those of an interaction are not divided between
        its features: the interaction is a column of its own, and its data are the product of the
        standardised features.

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
            Contributions of the features, the most important first, and then of the interactions, of
            shape (n_samples, n_terms); with one decision value per class, there is a last axis of
            classes.
        """
        check_is_fitted(self)
        named = getattr(self, "feature_names_in_", None)

        def name(place: int) -> str:
            return f"x{place}" if named is None else str(named[place])

        def table(of: Any) -> _tables.Table:
            return _tables.read(self, of, reset=False, needed=self.model_.needed)

        return _explain.explanation(self.model_, table(X), self._place, name, None if background is None else table(background))

    if not TYPE_CHECKING:  # otherwise every attribute would have the type Any

        def __getattr__(self, name: str) -> Any:
            model = self.__dict__.get("model_")
            if name in ("coef_", "intercept_") and model is not None and not model.linear:
                raise AttributeError(f"this {type(self).__name__} has no {name}: {model.why_not_linear}")
            return self.__getattribute__(name)  # raises the error of this attribute

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

    def report(self, path: str | os.PathLike[str] | None = None) -> _report.Report | None:
        """Make the report of the fit: one page of HTML, which needs no network.

        It has the features, their effects, how their number was chosen and, if the estimator has a
        ``run_folder``, what is in that: the path of the coefficients, the distributions of the
        features, out-of-fold predictions and single samples.

        Parameters
        ----------
        path : str or path-like, optional
            Where to write the page; None returns it. A notebook shows it.

        Returns
        -------
        Report or None
            The text of the page, with a method ``save``; None if there is a path.
        """
        check_is_fitted(self)
        page = _report.report(self.model_, type(self).__name__, getattr(self, "_folder", None))
        if path is None:
            return page
        page.save(path)
        return None

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
            of = {"width": self.n_features_in_, "places": [self._place(v) for v in self.model_.needed]}
        classes = getattr(self, "classes_", np.empty(0))
        texts = any(of.dtype.kind in "OSUT" for of in (classes if isinstance(classes, list) else [classes]))  # a list has those of each label
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
        table = _tables.read(self, X, reset=False, needed=self.model_.needed)
        others = {str(name) for name in getattr(self, "feature_names_in_", ())}
        return {name: values.reshape(-1, 1) for name, values in _export.inputs(self.model_, others, lambda v: table.column(v, self._place(v)))}

    def _repr_html_inner(self) -> str:
        return _html.page(self, super()._repr_html_inner())

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle:
            bundle["text/html"] = _html.page(self, bundle["text/html"])
        return bundle


def _splits(cv: Any, rows: int, y: Any, groups: Any, classify: bool) -> Iterator[tuple[Vector, Vector]]:
    """The samples of each training set and of its test set."""
    try:
        for train, test in check_cv(cv, y, classifier=classify).split(np.empty((rows, 0)), y, groups):
            yield np.atleast_1d(np.arange(rows)[train]), np.atleast_1d(np.arange(rows)[test])
    except (TypeError, ValueError, IndexError, AttributeError) as error:
        raise ValueError(f"cv = {cv!r} cannot split the samples ({error}): it must be a number of folds, a splitter, or an iterable of pairs of indices") from error


def _ranking(support: Vector, last: Vector) -> Vector:
    """1 for selected features; for dropped ones, the earlier, the larger."""
    _, place = np.unique(-last[~support], return_inverse=True)
    ranking = np.ones(len(support), dtype=int)
    ranking[~support] = 2 + place
    return ranking
