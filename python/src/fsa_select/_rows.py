"""What belongs to rows: classes, queries, weights, offsets and times."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from sklearn.utils.validation import _check_sample_weight, check_array

from ._columns import Vector
from ._errors import naming
from ._model import checked_offsets, log_exposures


_MOST_REPEATED = 2**31  # samples


def no_texts(y: Any, name: str) -> Any:
    """A target that does not hold texts, unless these are numbers."""
    values = np.empty(0) if hasattr(y, "tocsr") else np.asarray(y)
    if values.dtype.kind == "U" or values.dtype == object and any(isinstance(value, str) for value in values.flat):
        try:
            return values.astype(np.float64)
        except (TypeError, ValueError):
            text = next(str(value) for value in values.flat if isinstance(value, str))
            raise ValueError(f"y holds texts, such as {text!r}: {name} predicts numbers, and FSAClassifier classes") from None
    return y


def _absent(values: Vector) -> Vector:
    """Where labels are missing: None, NaN, NaT, or NA of pandas."""
    if values.dtype == object:
        return np.array([value is None or type(value).__name__ in ("NAType", "NaTType") or isinstance(value, float) and value != value for value in values.ravel()], bool).reshape(values.shape)
    if values.dtype.kind in "mM":
        return np.isnat(values)
    return np.isnan(values) if values.dtype.kind in "fc" else np.zeros(values.shape, bool)


def labels(name: str, of: str, given: Any, rows: int | None = None) -> Vector:
    """A label for each row, such as its group. None may be missing."""
    values = np.asarray(given)
    if values.ndim != 1 or rows is not None and len(values) != rows:
        raise ValueError(f"{name} has the shape {values.shape}: it must name a {of} for each of {rows} samples")
    if (absent := _absent(values)).any():
        raise ValueError(f"{name}: sample {int(np.argmax(absent))} is missing: each needs a {of}")
    return values


def repeated(weights: Vector) -> Vector:
    """The rows, as often as their whole weights say."""
    total = float(weights.sum())
    if total > _MOST_REPEATED:
        raise ValueError(f"sample_weight: the weights sum to {total:.3g}, and a sample is repeated as often as its weight says: divide the weights, so that they sum to at most {_MOST_REPEATED}")
    return np.repeat(np.arange(len(weights)), weights.astype(np.intp))


def order_of(y: Any) -> list[str] | None:
    """The classes of an ordered category of pandas, or of an Enum of polars, from the lowest to the highest."""
    kind: Any = getattr(y, "dtype", None)
    if not getattr(kind, "ordered", False) and type(kind).__name__ != "Enum":
        return None
    there = set(np.asarray(y).tolist())
    return [class_name(label) for label in kind.categories if label in there]


def encoded(y: Any) -> tuple[Vector, list[str] | None]:
    """Encode classes for the service: numbers, or codes and a list of class names."""
    y = np.asarray(y)
    if y.dtype.kind in "iufb" and (y.dtype.kind not in "iu" or len(y) == 0 or max(abs(int(y.min())), abs(int(y.max()))) <= 2**53):
        return y.astype(np.float64), None
    classes, codes = np.unique(y, return_inverse=True)
    levels = [str(c) for c in classes]
    if len(set(levels)) < len(levels):
        raise ValueError("y has classes that look the same as text: rename one")
    return codes.reshape(-1).astype(np.int32), levels


def by_row(rows: int, offset: Any = None, exposure: Any = None, event: Any = None, stratum: Any = None, entry: Any = None) -> dict[str, Vector]:
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
        found["stratum"] = codes("strata", labels("strata", "stratum", stratum, rows))
    if entry is not None:
        found["entry"] = checked_entries(entry, rows)
    return found


def checked_entries(entry: Any, rows: int) -> Vector:
    """The time from which on each sample was observed."""
    if np.shape(entry) != (rows,):
        raise ValueError(f"entry has the shape {np.shape(entry)}: it must have a time for each of {rows} samples")
    with naming("entry"):
        return np.array(check_array(entry, ensure_2d=False, dtype=np.float64, input_name="entry"))


def codes(name: str, labels: Any) -> Vector:
    """A number for each different label."""
    with naming(name):
        return np.unique(np.asarray(labels), return_inverse=True)[1].reshape(-1).astype(np.float64)


def class_name(label: Any) -> str:
    """The name of a class in the service."""
    if isinstance(label, (bool, np.bool_)):
        return str(int(label))
    if isinstance(label, (numbers.Real, np.number)):
        value = float(label)
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(label)


def queries(qid: Any, rows: int) -> Vector:
    qid = labels("qid", "query", qid, rows)
    if qid.dtype.kind not in "iu":
        qid = codes("qid", qid)
    return np.asarray(qid, np.int64).reshape(-1)


def stand_together(qid: Vector) -> bool:
    return int((np.diff(qid) != 0).sum()) + 1 == len(np.unique(qid))


def whole(weights: Vector) -> bool:
    return bool((weights == np.trunc(weights)).all())


def checked_weights(weights: Any, rows: int) -> Vector:
    """A weight for each row: 1 if none are given."""
    with naming("sample_weight"):
        weights = _check_sample_weight(weights, np.empty((rows, 0)), dtype=np.float64)
    if (weights < 0).any():
        raise ValueError("sample_weight has negative weights: they must not be negative")
    return np.asarray(weights)
