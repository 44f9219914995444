"""Contributions of features to predictions, as an object of the package shap."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ._columns import Column, Vector, shown

if TYPE_CHECKING:
    from ._model import Model, Variable
    from ._tables import Table


def explanation(model: Model, table: Table, place: Callable[[Variable], int], names: list[str], background: Table | None) -> Any:
    """The ``shap.Explanation`` of rows.

    ``place`` gives the position of a variable among the features, and ``names`` are those of the
    features that were selected, by their first variable in the model.
    """
    try:
        import shap
    except ImportError as error:
        raise ImportError("explain needs the package shap: pip install shap") from error
    places = list(dict.fromkeys(map(place, model.variables)))  # a date has several variables

    def column(of: Table) -> Callable[[Variable], Column]:
        return lambda variable: of.column(variable, place(variable))

    values = np.zeros((table.rows, len(places), model.outputs))
    for variable, part in model.parts(table.rows, column(table)):
        values[:, places.index(place(variable))] += part
    base = model.intercept.copy()
    if background is not None:
        for variable, part in model.parts(background.rows, column(background)):
            mean = part.mean(axis=0)
            values[:, places.index(place(variable))] -= mean
            base += mean
    cells = {place(variable): column(table)(variable) for variable in model.variables}
    data = [shown(cells[at]) for at in places]
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
