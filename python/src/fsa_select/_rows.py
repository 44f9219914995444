"""What belongs to rows: classes, queries, weights, offsets and times."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from sklearn.utils.validation import _check_sample_weight, check_array

from ._columns import Vector
from ._model import checked_offsets, log_exposures


def encoded(y: Any) -> tuple[Vector, list[str] | None]:
    """Encode classes for the service: numbers, or codes and a list of class names."""
    y = np.asarray(y)
    if y.dtype.kind in "iufb":
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
        if np.shape(stratum) != (rows,):
            raise ValueError(f"strata has the shape {np.shape(stratum)}: it must name a stratum for each of {rows} samples")
        found["stratum"] = codes(stratum)
    if entry is not None:
        found["entry"] = checked_entries(entry, rows)
    return found


def checked_entries(entry: Any, rows: int) -> Vector:
    """The time from which on each sample was observed."""
    if np.shape(entry) != (rows,):
        raise ValueError(f"entry has the shape {np.shape(entry)}: it must have a time for each of {rows} samples")
    return np.array(check_array(entry, ensure_2d=False, dtype=np.float64, input_name="entry"))


def codes(labels: Any) -> Vector:
    """A number for each different label."""
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
    qid = np.asarray(qid)
    if qid.shape != (rows,):
        raise ValueError(f"qid has the shape {qid.shape}: it must name a query for each of {rows} samples")
    if qid.dtype.kind not in "iu":
        qid = np.unique(qid, return_inverse=True)[1]
    return np.asarray(qid, np.int64).reshape(-1)


def stand_together(qid: Vector) -> bool:
    return int((np.diff(qid) != 0).sum()) + 1 == len(np.unique(qid))


def whole(weights: Vector) -> bool:
    return bool((weights == np.trunc(weights)).all())


def checked_weights(weights: Any, rows: int) -> Vector:
    """A weight for each row: 1 if none are given."""
    weights = _check_sample_weight(weights, np.empty((rows, 0)), dtype=np.float64)
    if (weights < 0).any():
        raise ValueError("sample_weight has negative weights: they must not be negative")
    return np.asarray(weights)
