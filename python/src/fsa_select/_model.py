"""A model as the program writes it, and what it says of rows."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _cuda, _export
from ._columns import Column, Vector, part
from ._errors import naming
from ._interaction import Interaction, interaction
from ._knots import locate, place
from ._summary import Summary, short, summary

if TYPE_CHECKING:
    from typing_extensions import Self

FORMAT = "fsa-model"
VERSION = 11
"""The newest version of a model file that is understood."""

MARGIN = 1.0
"""Share of the range of a variable in training by which a line is followed beyond it."""

_LINKS = ("logistic", "multinomial", "ordinal")

LOG_LOSSES = ("poisson", "negbinomial", "gamma", "tweedie")
"""Losses whose decision values are logarithms of predictions."""

_LARGEST_LOG = 700.0  # of a prediction
_LARGEST_RISK = 300.0  # that a hazard is multiplied by the exponential of


@dataclass(frozen=True)
class Variable:
    """A selected variable and its contribution to the decision values.

    Attributes
    ----------
    index : int
        Position of its column, counted from 0.
    name : str
        Name of its column.
    kind : {"linear", "curve", "steps", "category"}
        The form of its contribution.
    strength : float
        Importance: the standard deviation of its contribution, by which variables are ordered.
    coefficients : ndarray of shape (n_outputs, n)
        A slope, the values at the knots or of the bins, or a value for each level.
    center, mean : float
        Where a linear part is zero; what stands for a missing number.
    knots : ndarray or None
        Where the values of a curve lie.
    low, high : float
        The range in training: of the bins of steps and evenly spaced knots, and that from
        which a line is followed as far again.
    even : bool
        Whether the knots of a curve are.
    missing : ndarray or None
        The part of a missing number in a curve, if there were some to learn from, and in a
        line where being missing says something.
    levels : list of str or None
        The texts of a category; the empty one is a missing text.
    part : {"month", "weekday", "hour"} or None
        The part of a date or time; None for the whole column.
    """

    index: int
    name: str
    kind: str
    strength: float
    coefficients: Vector
    center: float
    mean: float
    knots: Vector | None
    low: float
    high: float
    even: bool
    missing: Vector | None
    levels: list[str] | None
    part: str | None = None

    @property
    def full_name(self) -> str:
        """The name of its column and, of a part, the name of that."""
        return self.name if self.part is None else f"{self.name}.{self.part}"

    def response(self, x: Any, output: int = 0) -> Vector:
        """The part of numbers ``x``, NaN for a missing one, in a decision value.

        Parameters
        ----------
        x : array-like of shape (n,)
            Numbers in the units of the input.
        output : int, default=0
            Which decision value: with several classes, which class.

        Returns
        -------
        ndarray of shape (n,)
            The part of each number.
        """
        if self.levels is not None:
            raise ValueError(f"variable {self.name!r} is a category: its parts are its coefficients")
        x = np.array(x, np.float64)
        coefficients = self.coefficients[output]
        absent = np.isnan(x)
        x[absent] = self.mean
        if self.kind == "linear":
            if self.low < self.high:  # a line is not followed far beyond what was seen
                margin = MARGIN * (self.high - self.low)
                x = np.clip(x, self.low - margin, self.high + margin)
            line = 2 * coefficients[0] * (x / 2 - self.center / 2)
            if self.missing is not None:
                line[absent] = self.missing[output]
            return line
        bins = len(coefficients) - (self.kind == "curve")
        if self.kind == "curve" and not self.even:
            assert self.knots is not None
            bin_, alpha = locate(x, self.knots)
        else:
            t = place(x, self.low, self.high) * bins
            bin_ = np.minimum(t.astype(np.intp), bins - 1)
            alpha = t - bin_
        if self.kind == "steps":
            return coefficients[bin_]
        part = (1 - alpha) * coefficients[bin_] + alpha * coefficients[bin_ + 1]
        if self.missing is not None:
            part[absent] = self.missing[output]
        return part

    def parts(self, column: Column, output: int) -> Vector:
        """The part of a column in a decision value.

        Parameters
        ----------
        column : Column
            Numbers, or positions in a list of texts.
        output : int
            Which decision value: with several classes, which class.

        Returns
        -------
        ndarray of shape (n,)
            The part of each cell.
        """
        if column.missing:  # whatever its type: one row of JSON has None for a text, too
            return np.full(len(column.values), self._part_of_missing(output))
        if self.part is not None:
            if column.kind is None:
                raise ValueError(f"column {self.name!r} of X holds no dates or times, but the model learned from them there")
            return np.append(self.coefficients[output], self._part_of_missing(output))[part(column.kind, self.part, column.values)]
        if self.levels is None:
            if column.levels is not None:
                raise ValueError(f"column {self.name!r} of X holds categories, but the model learned numbers there")
            return self.response(column.values, output)
        if column.levels is None:
            raise ValueError(f"column {self.name!r} of X holds numbers, but the model learned categories there")
        place = {level: i for i, level in enumerate(self.levels)}
        values = np.append(self.coefficients[output], 0.0)  # a text that was not learned adds nothing
        of = [place.get(level, -1) for level in column.levels]
        return values[np.array([*of, place.get("", -1)])[column.values]]

    def _part_of_missing(self, output: int) -> float:
        """The part of a missing cell in a decision value."""
        if self.levels is None:
            return float(self.response([np.nan], output)[0])
        return float(self.coefficients[output][self.levels.index("")]) if "" in self.levels else 0.0



class Model:
    """A fitted model: the bytes of a ``model.json``, and their meaning.

    Parameters
    ----------
    text : str
        The contents of the file.

    Attributes
    ----------
    variables : list of Variable
        The selected variables, the most important first.
    interactions : list of Interaction
        The selected pairs of variables, the most important first.
    intercept : ndarray of shape (n_outputs,)
        Decision values where every linear variable is at its center.
    task, loss : str
        The task, and the loss it was trained with.
    settings : dict
        Parameters of the loss: its ``quantile`` or ``quantiles``, ``power`` or ``size``.
    offset : str or None
        Name of the column that is added to decision values; None if there is none.
    exposure : bool
        Whether that column holds exposures, whose logarithms are added.
    baseline : tuple of ndarray, or None
        Of survival times: the times of events, and the cumulative hazard of a decision value of
        0 from each of them on; None with strata, which have one each.
    classes : list of str
        Names of the classes of a classification.
    targets : list of dict
        The ``name`` of each target and, for a label, its two ``classes``, if there are several.
    training : dict
        The training data and settings, and the training metrics.
    calibrated : bool
        Whether decision values are log odds, whatever the loss.
    threshold : float
        Decision value above which the second of two classes is predicted.
    validation : dict or None
        Results of cross-validation, if it was done.
    discoveries : dict or None
        How features were selected at a false discovery rate, if they were.
    stability : dict or None
        How stable the selection is, with confidence intervals of the effects, if it was measured.
    tests : list of dict
        Metrics of nested cross-validation, if it was done.
    offset_model : Model or None
        The model whose decision values are added to those of this one, if the fit started from one.
    moments : set of str
        Names of the columns that hold dates or times.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        body = _body(text)
        self.task: str = body["task"]
        self.loss: str = body["loss"]
        self.classes: list[str] = body.get("classes", [])
        self.targets: list[dict[str, Any]] = body.get("targets") or []
        self.outputs: int = body["outputs"]
        self.bins: int = body.get("bins", 0)
        self.intercept: Vector = np.array(body["intercept"], np.float64)
        self.training: dict[str, Any] = body["training"]
        self.settings: dict[str, Any] = body.get("loss_settings") or {}
        self.offset: str | None = self.training.get("offset") or None
        self.exposure: bool = self.training.get("exposure", False)
        baselines = body.get("baselines") or []
        self.baseline: tuple[Vector, Vector] | None = None
        if len(baselines) == 1 and not baselines[0].get("stratum"):
            self.baseline = np.array(baselines[0]["times"] or [], np.float64), np.array(baselines[0]["hazard"] or [], np.float64)
        self.calibrated: bool = body.get("calibrated", False)
        self.threshold: float = body.get("threshold", 0.0)
        self.validation: dict[str, Any] | None = body.get("validation")
        self.discoveries: dict[str, Any] | None = body.get("discoveries")
        self.stability: dict[str, Any] | None = body.get("stability")
        self.tests: list[dict[str, Any]] = body.get("tests") or []
        self.variables = [_variable(v, self.outputs, self.bins) for v in body["variables"] or []]
        self.interactions: list[Interaction] = [
            interaction(p, self.outputs, lambda v: _variable(v, self.outputs, self.bins)) for p in body.get("interactions") or []
        ]
        self.offset_model: Model | None = Model(_file(body["offset_model"])) if body.get("offset_model") else None
        self.moments: set[str] = {c["name"] for c in body.get("columns", []) if c["kind"] in ("date", "time")}

    def __getstate__(self) -> dict[str, Any]:
        return {"text": self.text}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["text"])  # type: ignore[misc]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return short(self)

    def summary(self) -> Summary:
        """What the model is, how good it is, and a table of its variables.

        Returns
        -------
        str
            Lines of text.
        """
        return summary(self)

    @property
    def linear(self) -> bool:
        """Whether all parts are slopes, so that there are coefficients for columns."""
        return all(v.kind == "linear" for v in self.variables) and not self.interactions and self.offset_model is None

    @property
    def why_not_linear(self) -> str:
        """Why a model has no coefficients, and what describes it instead."""
        if self.offset_model is not None:
            return "it contains the offset model from which it started: see model_.variables and model_.offset_model"
        if self.interactions:
            return f"it has interactions, such as {self.interactions[0].name}, so that an effect depends on other features: see model_.interactions, or fit without them"
        bent = next(v for v in self.variables if v.kind != "linear")
        kind = {"curve": "a curve", "steps": "steps"}.get(bent.kind, "an effect of each category")
        return f"{bent.full_name!r} has {kind} instead of one slope: see model_.variables" + ("" if bent.levels is not None else ", or fit with bins=0")

    @property
    def needed(self) -> list[Variable]:
        """The variables whose columns predictions need: the selected ones, and those of interactions and of the offset model."""
        have = {v.index for v in self.variables}
        others = {v.index: v for pair in self.interactions for v in pair.variables if v.index not in have}
        if self.offset_model is not None:
            others |= {v.index: v for v in self.offset_model.needed if v.index not in have and v.index not in others}
        return [*self.variables, *others.values()]

    @property
    def has_probabilities(self) -> bool:
        """Whether decision values give probabilities."""
        return self.calibrated or self.loss in _LINKS

    def decide(self, rows: int, column: Callable[[Variable], Column], offset: Vector | None = None) -> Vector:
        """Decision values of rows.

        Parameters
        ----------
        rows : int
            How many there are.
        column : callable
            The :class:`Column` of a :class:`Variable`.
        offset : ndarray of shape (rows,), optional
            What is added to each of them: see :meth:`offsets`.

        Returns
        -------
        ndarray of shape (rows, n_outputs)
            Decision values.
        """
        z = np.tile(self.intercept, (rows, 1))
        for _, part in self.parts(rows, column):
            z += part
        for pair in self.interactions:
            z += pair.parts(column(pair.variables[0]), column(pair.variables[1]), MARGIN)
        if self.offset_model is not None:
            z += self.offset_model.decide(rows, column)
        if offset is not None:
            z[:, 0] += offset
        if not np.isfinite(z).all():
            row = int(np.flatnonzero(~np.isfinite(z).all(axis=1))[0])
            raise ValueError(f"row {row} of X has values that are too large: the decision value overflows")
        return z

    def parts(self, rows: int, column: Callable[[Variable], Column]) -> Iterator[tuple[Variable, Vector]]:
        """Each variable and its part in the decision values of rows.

        Parameters
        ----------
        rows : int
            How many there are.
        column : callable
            The :class:`Column` of a :class:`Variable`.

        Yields
        ------
        Variable, ndarray of shape (rows, n_outputs)
            A variable, and its part.
        """
        for variable in self.variables:
            cells = column(variable)
            if cells.levels is None and np.isinf(cells.values).any():
                row = int(np.flatnonzero(np.isinf(cells.values))[0])
                raise ValueError(f"X contains infinity: row {row} of column {variable.name!r} must be a finite number, or NaN where it is missing")
            part = np.empty((rows, self.outputs))
            for output in range(self.outputs):
                part[:, output] = variable.parts(cells, output)
            yield variable, part

    def offsets(self, rows: int, offset: Any = None, exposure: Any = None) -> Vector | None:
        """What is added to the decision values of rows.

        Parameters
        ----------
        rows : int
            How many there are.
        offset, exposure : float or array-like of shape (rows,), optional
            One for each row, or the same for all: what the model was fitted with.

        Returns
        -------
        ndarray of shape (rows,) or None
            The offsets, or the logarithms of exposures; None if the model has neither.
        """
        for name, values, needed in (("offset", offset, self.offset and not self.exposure), ("exposure", exposure, self.exposure)):
            if values is None and needed:
                raise ValueError(f"the model was fitted with an {name}: give {name}, a number for each sample, or one for all")
            if values is not None and not needed:
                raise ValueError(f"{name} is given, but the model was fitted without an {name}: leave it out")
        if self.offset is None:
            return None
        return log_exposures(exposure, rows) if self.exposure else checked_offsets(offset, rows)

    def predicted(self, z: Vector) -> Vector:
        """The numbers that decision values predict.

        Parameters
        ----------
        z : ndarray
            Decision values.

        Returns
        -------
        ndarray
            Their exponentials for losses with a log link, shares for the binomial loss, those of each row in ascending order for several
            quantiles, and else the same.
        """
        if "quantiles" in self.settings:
            return np.sort(z, axis=1)
        if self.loss == "binomial":
            return 1 / (1 + np.exp(-np.clip(z, -700, 700)))
        return np.exp(np.minimum(z, _LARGEST_LOG)) if self.loss in LOG_LOSSES else z

    def cumulative_hazard(self, risk: Vector, times: Any = None) -> Vector:
        """Cumulative hazards of rows until given times.

        Parameters
        ----------
        risk : ndarray of shape (rows,)
            Decision values.
        times : array-like of shape (n_times,), optional
            Times; None takes those of the events in training.

        Returns
        -------
        ndarray of shape (rows, n_times)
            The hazard that has added up until each time.
        """
        if self.task != "survival":
            raise ValueError(f"the {self.loss} loss has no hazards: they are for survival times")
        if self.baseline is None:
            raise ValueError("the model was fitted with strata, each of which has a baseline hazard of its own: it predicts risks only")
        at, hazard = self.baseline
        times = at if times is None else np.asarray(times, np.float64)
        if times.ndim != 1 or np.isnan(times).any():
            raise ValueError("times must be a list of numbers, without a missing one")
        base = np.append(0.0, hazard)[np.searchsorted(at, times, side="right")]
        return np.exp(np.minimum(risk, _LARGEST_RISK))[:, None] * base

    def probabilities(self, z: Vector) -> Vector:
        """Probabilities of all classes for decision values.

        Parameters
        ----------
        z : ndarray of shape (rows, n_outputs)
            Decision values.

        Returns
        -------
        ndarray of shape (rows, n_classes)
            Probabilities, in the order of ``classes``.
        """
        if self.loss == "ordinal":
            above = 1 / (1 + np.exp(-np.clip(z - np.array(self.settings["thresholds"]), -700, 700)))
            return -np.diff(above, axis=1, prepend=1, append=0)
        if self.outputs == 1:
            positive = 1 / (1 + np.exp(-np.clip(z[:, 0], -700, 700)))
            return np.column_stack([1 - positive, positive])
        top = np.exp(z - z.max(axis=1, keepdims=True))
        return top / top.sum(axis=1, keepdims=True)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file that ``fsa predict`` and ``fsa show`` read.

        Parameters
        ----------
        path : str or path-like
            Where to.
        """
        _export.write(path, self.text.encode())

    def export(
        self, to: str, path: str | os.PathLike[str] | None = None, *, dialect: str | None = None, table: str | None = None, matrix: bool = False
    ) -> str | bytes | None:
        """Write the model so that it predicts without this package.

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
            Give ONNX one input ``X`` instead of one for each column: the columns of
            ``variables`` side by side, in their order. All must be numbers.

        Returns
        -------
        str, bytes or None
            What was written, bytes for ONNX; None if there is a path.
        """
        return _export.export(self, to, path, dialect=dialect, table=table, matrix={} if matrix else None)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a model file, or the ``model.json`` in a folder of the command.

        Parameters
        ----------
        path : str or path-like
            Of the file or the folder.

        Returns
        -------
        Model
            The model.
        """
        file = Path(path)
        if file.is_dir():
            file = file / "model.json"
        try:
            return cls(file.read_text(encoding="utf-8"))
        except (UnicodeDecodeError, ValueError) as error:
            raise ValueError(f"{file}: {error}") from error


def checked_offsets(offset: Any, rows: int, name: str = "offset") -> Vector:
    """An offset for each row."""
    with naming(name):
        values = np.asarray(_cuda.on_host(offset, name))
        if values.dtype.kind not in "iufbO":
            raise ValueError(f"it holds {'texts' if values.dtype.kind in 'US' else values.dtype}: it must be numbers")
        values = values.astype(np.float64)
    if values.shape not in ((), (rows,)):
        raise ValueError(f"{name} has the shape {values.shape}: it must have a number for each of {rows} samples, or be one number")
    bad = np.flatnonzero(~np.isfinite(np.atleast_1d(values)))
    if len(bad):
        raise ValueError(f"{name} is {np.atleast_1d(values)[bad[0]]} for sample {bad[0]}: it must be a finite number")
    return np.broadcast_to(values, (rows,))


def log_exposures(exposure: Any, rows: int) -> Vector:
    """The logarithm of an exposure for each row."""
    values = checked_offsets(exposure, rows, "exposure")
    bad = np.flatnonzero(values <= 0)
    if len(bad):
        raise ValueError(f"exposure is {values[bad[0]]} for sample {bad[0]}: it must be positive")
    return np.log(values)


def _body(text: str) -> dict[str, Any]:
    """The model in a file, if that is whole and of a version that is understood."""
    try:
        file = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"the model is cut off or not JSON ({error})") from error
    if not isinstance(file, dict) or file.get("format") != FORMAT:
        raise ValueError("this is not a model of fsa")
    if not isinstance(file.get("version"), int) or file["version"] > VERSION:
        raise ValueError(f"the model was written by a newer fsa, version {file.get('version')} of its file: update fsa-select, which reads up to {VERSION}")
    start = text.find('"model":') + len('"model":')
    body = text[start : text.rstrip().rfind("}")]
    if hashlib.sha256(body.encode()).hexdigest() != file.get("checksum", "").removeprefix("sha256:"):
        raise ValueError("the checksum of the model is wrong: it was cut or changed")
    model: dict[str, Any] = file["model"]
    return model


def _file(body: dict[str, Any]) -> str:
    """The file of a model that is part of another one."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    head = json.dumps({"format": FORMAT, "version": VERSION, "checksum": "sha256:" + hashlib.sha256(text.encode()).hexdigest()})
    return f'{head[:-1]}, "model":{text}}}\n'


def _variable(v: dict[str, Any], outputs: int, bins: int) -> Variable:
    knots, kind = v.get("knots"), v["kind"]
    low, high = v.get("low", 0.0), v.get("high", 0.0)
    even = kind == "curve" and knots is None
    if even:
        t = np.arange(bins + 1) / bins
        knots = low * (1 - t) + high * t
    return Variable(
        index=v["index"],
        name=v["name"],
        kind=kind,
        strength=v["importance"] if "importance" in v else v["norm"],  # norm until version 6
        coefficients=np.array(v["coefficients"], np.float64).reshape(outputs, -1),
        center=v.get("center", 0.0),
        mean=v.get("mean", 0.0),
        knots=None if knots is None else np.array(knots, np.float64),
        low=low,
        high=high,
        even=even,
        missing=None if v.get("missing") is None else np.array(v["missing"], np.float64),
        levels=v.get("categories", v.get("levels")),  # levels until version 6
        part=v.get("part"),
    )
