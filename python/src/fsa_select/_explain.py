"""Contributions of features to predictions, as an object of the package shap."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ._columns import Column, Vector, shown
from ._model import MARGIN

if TYPE_CHECKING:
    from ._model import Model, Variable
    from ._tables import Table


def explanation(model: Model, table: Table, place: Callable[[Variable], int], name: Callable[[int], str], background: Table | None) -> Any:
    """The ``shap.Explanation`` of rows.

    ``place`` gives the position of a variable among the features, and ``name`` the name of the
    feature at a position.
    """
    try:
        import shap
    except ImportError as error:
        raise ImportError("explain needs the package shap: pip install shap") from error
    places = list(dict.fromkeys(map(place, model.variables)))  # a date has several variables

    def column(of: Table) -> Callable[[Variable], Column]:
        return lambda variable: of.column(variable, place(variable))

    def parts(of: Table) -> Iterator[tuple[int, Vector]]:
        for variable, part in model.parts(of.rows, column(of)):
            yield places.index(place(variable)), part
        for i, pair in enumerate(model.interactions):
            first, second = map(column(of), pair.variables)
            yield len(places) + i, pair.parts(first, second, MARGIN)

    values = np.zeros((table.rows, len(places) + len(model.interactions), model.outputs))
    for at, part in parts(table):
        values[:, at] += part
    base = model.intercept.copy()
    if background is not None:
        for at, part in parts(background):
            mean = part.mean(axis=0)
            values[:, at] -= mean
            base += mean
    cells = {place(variable): column(table)(variable) for variable in model.variables}
    data = [shown(cells[at]) for at in places] + [pair.product(*map(column(table), pair.variables)) for pair in model.interactions]
    names = [name(at) for at in places] + [" × ".join(name(place(v)) for v in pair.variables) for pair in model.interactions]
    base = np.tile(base, (table.rows, 1))
    several = model.outputs > 1
    return shap.Explanation(
        values=values if several else values[:, :, 0],
        base_values=base if several else base[:, 0],
        data=_side_by_side(data, table.rows),
        feature_names=names,
        output_names=model.classes if several else None,
    )


def _side_by_side(columns: list[Vector], rows: int) -> Vector:
    """Columns as one array: of numbers, if all are."""
    kind: Any = np.float64 if all(column.dtype.kind in "iuf" for column in columns) else object
    table = np.empty((rows, len(columns)), kind)
    for j, column in enumerate(columns):
        table[:, j] = column
    return table
