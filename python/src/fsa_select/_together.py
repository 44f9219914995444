"""Workers that fit together, each with some rows: what Spark, Dask and Ray have in common.

Every worker writes its rows as a file of Arrow batches and opens a port. The engine tells all
workers the addresses of all, once. Then their processes of the program connect with each other,
send rows to where they belong, and fit.
"""

from __future__ import annotations

import os
import secrets
import socket
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._columns import Column, coded, from_pandas, is_pandas
from ._errors import ServiceError, raise_for
from ._service import Answer, service

# Numbers of rows that a partition may have; the program has the same, and so has
# ``monotonically_increasing_id`` of Spark.
POSITIONS = 1 << 33


def new_token() -> str:
    """A secret for one fit, which only its workers know."""
    return secrets.token_hex(32)


def listen(host: str) -> tuple[str, int]:
    """Open a port at which the other workers can reach this one; returns the address and the port."""
    answer = service().request({"op": "listen", "host": host})
    if answer["event"] == "error":  # the engine may know the machine by an address that it does not have itself
        answer = service().request({"op": "listen", "host": ""})
    if answer["event"] == "error":
        raise_for(answer)
    shown = f"[{host}]" if ":" in host else host
    return f"{shown}:{answer['port']}", answer["port"]


def own_host() -> str:
    """The address of this machine in its network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        try:
            s.connect(("10.255.255.255", 1))  # sends nothing
            return str(s.getsockname()[0])
        except OSError:
            return "127.0.0.1"


@dataclass(frozen=True)
class Layout:
    """The columns of the rows of all workers."""

    names: list[str]  # of the variables
    weighted: bool = False
    grouped: bool = False  # rows of a group stay in one fold
    texts: frozenset[str] = frozenset()  # variables that are categories

    def roles(self) -> tuple[str, str, str, str]:
        """Names for the response, the weights, the groups and the order that no variable has."""
        names = ["response", "weight", "group", "order"]
        while any(name in self.names for name in names):
            names = [name + "_" for name in names]
        return names[0], names[1], names[2], names[3]

    def write(self, path: str, batches: Iterable[Sequence[Any]]) -> None:
        """Write batches of columns: the variables, the response, the weights and the groups if there are some, and the order."""
        import pyarrow as pa

        target, weight, group, order = self.roles()
        fields = [(name, pa.string() if name in self.texts else pa.float64()) for name in self.names]
        fields += [(target, pa.float64()), *([(weight, pa.float64())] if self.weighted else []), *([(group, pa.string())] if self.grouped else [])]
        schema = pa.schema([*fields, (order, pa.int64())])
        with pa.OSFile(path, "wb") as file, pa.ipc.new_file(file, schema) as writer:
            for columns in batches:
                if columns[len(self.names)].null_count > 0:
                    raise ValueError("the response of a row is null: drop such rows")
                writer.write_batch(pa.RecordBatch.from_arrays(list(columns), schema=schema))

    def table(self, path: str) -> dict[str, Any]:
        """What the program is told about the file."""
        target, weight, group, order = self.roles()
        table = {"path": path, "format": "arrow", "target": target, "order": order}
        return table | ({"weights": weight} if self.weighted else {}) | ({"group": group} if self.grouped else {})


@dataclass(frozen=True)
class Place:
    """A worker among all."""

    rank: int
    addresses: list[str]
    port: int
    token: str


def fit_together(layout: Layout, path: str, options: dict[str, Any], place: Place) -> Answer:
    """Fit together with the other workers; the answer of rank 0 has the model."""
    worker = {"rank": place.rank, "size": len(place.addresses), "at": place.addresses, "port": place.port, "token": place.token}
    try:
        return service().request({"op": "fit", "options": options, "worker": worker, "table": {"path": layout.table(path)}})
    except ServiceError as error:
        return {"event": "error", "kind": "failed", "message": f"worker {place.rank}: {error}"}


def model_of(answers: Iterable[Answer]) -> str:
    """The bytes of the model that the workers have fitted, or the error that explains the others."""
    answers = list(answers)
    failed = [answer for answer in answers if answer["event"] == "error"]
    for answer in sorted(failed, key=lambda a: a["kind"] in ("failed", "cancelled")):
        raise_for(answer)
    for answer in answers:
        if answer.get("model"):
            return str(answer["model"])
    raise RuntimeError("no worker has returned a model")


def matrix_columns(cells: Any) -> list[Any]:
    """The columns of a matrix of numbers as Arrow arrays."""
    import pyarrow as pa

    return [pa.array(np.ascontiguousarray(cells[:, j], dtype=np.float64)) for j in range(cells.shape[1])]


@dataclass(frozen=True)
class Part:
    """A partition of a table: its rows, and what belongs to them."""

    X: Any
    y: Any
    weight: Any = None
    group: Any = None


def options_of(estimator: Any, loss: str, width: int, classes: Any) -> dict[str, Any]:
    """The options of a fit by several workers."""
    if estimator.run_folder is not None:
        raise ValueError(f"run_folder = {estimator.run_folder!r}: several workers write no run folder: leave it None, or fit on one machine")
    options: dict[str, Any] = estimator._options(loss, width)
    options.setdefault("batch", 0)  # every step of a minibatch would be a message
    return {**options, "number": loss == "auto" and classes is None}


def batch(part: Part, number: int, layout: Layout, classes: Any) -> list[Any]:
    """The columns of the partition of a number in the order of the file."""
    import pyarrow as pa

    cells = _cells(part.X, layout)
    y = np.asarray(part.y).reshape(-1)
    if classes is None:
        try:
            target = y.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"y has a value that is no number ({error}): FSARegressor predicts numbers, and FSAClassifier classes") from error
    else:
        target = np.searchsorted(classes, y).astype(np.float64)
    if len(target) != len(part.X):
        raise ValueError(f"partition {number} of X has {len(part.X)} rows, and that of y {len(target)}: partition them alike")
    order = np.arange(len(target), dtype=np.int64) + number * POSITIONS
    beside = [] if part.weight is None else [pa.array(np.asarray(part.weight).reshape(-1).astype(np.float64))]
    if part.group is not None:
        beside.append(pa.array([str(label) for label in np.asarray(part.group).reshape(-1)], pa.string()))
    return [*cells, pa.array(target), *beside, pa.array(order)]


def _cells(X: Any, layout: Layout) -> list[Any]:
    """The variables of a partition: numbers, and texts."""
    if X.ndim != 2 or X.shape[1] != len(layout.names):
        raise ValueError(f"a partition of X has the shape {X.shape}, and others have {len(layout.names)} columns")
    if not layout.texts:
        try:
            return matrix_columns(np.asarray(X).astype(np.float64))
        except (TypeError, ValueError) as error:
            raise ValueError(f"X has a column that is no number: index or encode it ({error})") from error
    if is_pandas(X):
        columns = from_pandas(X, lambda name: True)
    else:
        columns = [Column(name, np.asarray(X[:, j], dtype=np.float64)) for j, name in enumerate(layout.names)]
    return [_text(c) if c.name in layout.texts else _number(c) for c in columns]


def _text(column: Column) -> Any:
    """A column of categories as Arrow texts."""
    import pyarrow as pa

    column = coded(column)
    codes = pa.array(column.values, mask=column.values < 0)
    return pa.DictionaryArray.from_arrays(codes, pa.array(column.levels, pa.string())).cast(pa.string())


def _number(column: Column) -> Any:
    """A column of numbers as an Arrow array."""
    import pyarrow as pa

    if column.kind is not None or column.levels is not None:
        raise ValueError(f"column {column.name!r} of X holds {'texts' if column.kind is None else 'dates or times'}, which is no number: make it a category, or leave it out")
    return pa.array(np.ascontiguousarray(column.values, dtype=np.float64))


def scratch(folder: str | None = None) -> tempfile.TemporaryDirectory[str]:
    """A folder for the rows of a worker."""
    return tempfile.TemporaryDirectory(prefix="fsa-select-", dir=folder if folder and os.access(folder, os.W_OK) else None)
