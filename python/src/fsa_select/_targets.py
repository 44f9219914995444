"""Several targets: numbers, or labels of two classes each."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _rows
from ._columns import Vector


class Column(NamedTuple):
    """One of several targets: numbers, or positions in a list of texts."""

    name: str
    values: Vector
    levels: list[str] | None


def shape_of(y: Any) -> int:
    """The number of targets, 1 for a list."""
    shape = y.shape if hasattr(y, "shape") else np.asarray(y).shape
    return int(shape[1]) if len(shape) == 2 else 1


def names_of(y: Any) -> list[str]:
    """The names of the targets: those of the columns of a frame, else y0, y1 and so on."""
    columns = getattr(y, "columns", None)
    return [f"y{c}" for c in range(shape_of(y))] if columns is None else [str(name) for name in columns]


def encoded(y: Vector, names: list[str], classify: bool) -> list[Column]:
    """The columns of y for the service."""
    if len(set(names)) < len(names):
        raise ValueError(f"y has the columns {names}: each target needs a name of its own")
    if not classify:
        return [Column(name, np.ascontiguousarray(y[:, c], np.float64), None) for c, name in enumerate(names)]
    return [Column(name, *_rows.encoded(y[:, c])) for c, name in enumerate(names)]


def classes(y: Vector, names: list[str], weight: Any) -> Vector | list[Vector]:
    """The two classes of all labels, or those of each label if they differ."""
    if weight is not None:
        y = y[np.asarray(weight) != 0]
    found = [np.unique(y[:, c]) for c in range(y.shape[1])]
    for name, of in zip(names, found):
        if len(of) != 2:
            raise ValueError(f"target {name!r} has {len(of)} class(es): several targets of a classifier are labels of two classes each; fit this one alone, or leave it out")
    return shared(found)


def shared(found: list[Vector]) -> Vector | list[Vector]:
    """The classes of each label, once if all labels have the same."""
    return found[0] if all(np.array_equal(of, found[0]) for of in found) else found


def check(name: str, loss: str, losses: tuple[str, ...], reference: Any) -> None:
    """Refuse parameters that are for one target."""
    if loss not in losses:
        raise ValueError(f"loss = {loss!r}: several targets have the loss {' or '.join(map(repr, losses))}; fit each target by its own {name}")
    if reference is not None and not isinstance(reference, str):
        raise ValueError(f"reference = {reference!r}: an estimator is compared for one target; 'ridge' and 'additive' are for several, too")


def labels(z: Vector, classes: Vector | list[Vector]) -> Vector:
    """The class of each label: a matrix with a column per label."""
    if not isinstance(classes, list):
        return classes[(z > 0).astype(np.intp)]
    return np.column_stack([of[(z[:, c] > 0).astype(np.intp)] for c, of in enumerate(classes)])


def probabilities(z: Vector) -> Vector:
    """The probability of the second class of each label."""
    return np.asarray(1 / (1 + np.exp(-np.clip(z, -700, 700))))
