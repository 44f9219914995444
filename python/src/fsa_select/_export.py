"""Models for other engines: what ``fsa export`` writes."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._columns import Column, Vector, part
from ._errors import raise_for
from ._service import service

if TYPE_CHECKING:
    from ._model import Model, Variable

_FORMATS = ("c", "go", "json", "onnx", "python", "sql")
_DIALECTS = ("duckdb", "postgres", "sqlite")


def export(
    model: Model,
    to: str,
    path: str | os.PathLike[str] | None,
    *,
    dialect: str | None,
    table: str | None,
    matrix: dict[str, Any] | None = None,
    text_labels: bool = False,
) -> str | bytes | None:
    """Let the program write a model in another format.

    ``matrix`` gives ONNX one input instead of one for each column; it may say the ``width`` of
    that and the ``places`` of the variables there.
    """
    _check_one_of("to", to, _FORMATS)
    if to != "sql" and (dialect is not None or table is not None):
        raise ValueError(f"dialect and table are for to = 'sql', and to = {to!r}")
    if dialect is not None:
        _check_one_of("dialect", dialect, _DIALECTS)
    options: dict[str, Any] = {"to": to, "dialect": dialect or "", "table": table or "", "text_labels": text_labels}
    if matrix is not None:
        if to != "onnx":
            raise ValueError(f"matrix is for to = 'onnx', and to = {to!r}")
        _check_numbers(model)
        options |= {"matrix": True, **matrix}
    answer = service().request({"op": "export", "model": model.text, "export": options})
    if answer["event"] == "error":
        raise_for(answer)
    file = base64.b64decode(answer["file"])
    if path is not None:
        write(path, file)
        return None
    return file if to == "onnx" else file.decode()


def write(path: str | os.PathLike[str], contents: bytes) -> None:
    """Write a file that appears whole or not at all."""
    to = Path(path)
    temporary = to.with_name(f".{to.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(contents)
        temporary.replace(to)
    finally:
        temporary.unlink(missing_ok=True)


def _check_one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ValueError(f"{name} = {value!r}: it must be one of {', '.join(map(repr, known))}")


def _check_numbers(model: Model) -> None:
    """Refuse columns that a matrix cannot hold."""
    for variable in model.needed:
        moments = variable.name in model.moments
        if moments or variable.levels is not None:
            holds = "dates or times" if moments else "categories"
            raise ValueError(f"column {variable.name!r} holds {holds}, and one matrix holds numbers only: give each column an input of its own")


def inputs(model: Model, others: set[str], column: Callable[[Variable], Column]) -> Iterator[tuple[str, Vector]]:
    """The cells of each variable as the ONNX model takes them.

    ``others`` are the names of columns, of which a part of a date takes none.
    """
    for variable in model.needed:
        cells, name = column(variable), variable.full_name
        while variable.part is not None and name in others:
            name += "_"
        if variable.levels is None:
            yield name, cells.values.astype(np.float64) if cells.levels is None else np.full(len(cells.values), np.nan)
            continue
        texts: list[str] = cells.levels if cells.levels is not None else variable.levels
        if variable.part is not None and cells.kind is not None:
            codes = part(cells.kind, variable.part, cells.values)
        else:
            codes = cells.values if cells.levels is not None else np.full(len(cells.values), -1)
        yield name, np.array([*texts, ""], dtype=object)[codes]
