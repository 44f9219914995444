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
    weighted: bool

    def roles(self) -> tuple[str, str, str]:
        """Names for the response, the weights and the order that no variable has."""
        names = ["response", "weight", "order"]
        while any(name in self.names for name in names):
            names = [name + "_" for name in names]
        return names[0], names[1], names[2]

    def write(self, path: str, batches: Iterable[Sequence[Any]]) -> None:
        """Write batches of columns: the variables, the response, the weights if there are some, and the order."""
        import pyarrow as pa

        target, weight, order = self.roles()
        fields = [(name, pa.float64()) for name in [*self.names, target, *([weight] if self.weighted else [])]]
        schema = pa.schema([*fields, (order, pa.int64())])
        with pa.OSFile(path, "wb") as file, pa.ipc.new_file(file, schema) as writer:
            for columns in batches:
                if columns[-2 if not self.weighted else -3].null_count > 0:
                    raise ValueError("the response of a row is null: drop such rows")
                writer.write_batch(pa.RecordBatch.from_arrays(list(columns), schema=schema))

    def table(self, path: str) -> dict[str, Any]:
        """What the program is told about the file."""
        target, weight, order = self.roles()
        return {"path": path, "format": "arrow", "target": target, "order": order, **({"weights": weight} if self.weighted else {})}


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


def batch(X: Any, y: Any, weight: Any, number: int, layout: Layout, classes: Any) -> list[Any]:
    """The columns of the partition of a number in the order of the file."""
    import pyarrow as pa

    try:
        cells = X.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"X has a column that is no number: index or encode it ({error})") from error
    if cells.ndim != 2 or cells.shape[1] != len(layout.names):
        raise ValueError(f"a partition of X has the shape {cells.shape}, and others have {len(layout.names)} columns")
    y = y.reshape(-1)
    if classes is None:
        try:
            target = y.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"y has a value that is no number ({error})") from error
    else:
        target = np.searchsorted(classes, y).astype(np.float64)
    if len(target) != len(cells):
        raise ValueError(f"partition {number} of X has {len(cells)} rows, and that of y {len(target)}: partition them alike")
    order = np.arange(len(cells), dtype=np.int64) + number * POSITIONS
    weights = [] if weight is None else [pa.array(weight.reshape(-1).astype(np.float64))]
    return [*matrix_columns(cells), pa.array(target), *weights, pa.array(order)]


def scratch(folder: str | None = None) -> tempfile.TemporaryDirectory[str]:
    """A folder for the rows of a worker."""
    return tempfile.TemporaryDirectory(prefix="fsa-select-", dir=folder if folder and os.access(folder, os.W_OK) else None)
