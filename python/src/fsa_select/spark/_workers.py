"""The tasks of a barrier stage: how many there are, and what each does."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._errors import ServiceError
from .._service import service

# How long to wait for workers that were asked for and may still be starting, in seconds.
_PATIENCE = 30.0

# How what a task says in the end begins. What it exchanges on the way is base64, which does not.
_LAST = "!"

RESULT = "rank long, kind string, text string"
"""The row that a task returns: the kind of an error and its message, or "" and perhaps a model."""


def slots(session: Any) -> int:
    """How many tasks the workers that are there can run at the same time."""
    context = session.sparkContext._jsc.sc()
    return int(context.maxNumConcurrentTasks(context.resourceProfileManager().defaultResourceProfile()))


def check_session(session: Any) -> None:
    """Refuse sessions in which a barrier stage could not begin."""
    try:
        context = session.sparkContext
    except Exception as error:
        raise ValueError("Spark Connect does not tell how many workers there are: fit in a session of the cluster itself") from error
    if context.getConf().get("spark.dynamicAllocation.enabled", "false").lower() == "true":
        raise ValueError(
            "spark.dynamicAllocation.enabled is true, and Spark does not start tasks that need each other then: "
            "set it to false, and spark.executor.instances to the number of executors"
        )


def count(session: Any, wanted: int | None) -> int:
    """How many workers a fit has: as many as tasks can run at once, or as are wanted."""
    end = time.monotonic() + _PATIENCE
    there = slots(session)
    while there < (wanted or 1) and time.monotonic() < end:
        time.sleep(0.2)
        there = slots(session)
    if there < (wanted or 1):
        raise ValueError(
            f"numWorkers = {wanted or 1}, but the executors that are there run {there} tasks at a time: "
            "start more, give them more cores (spark.executor.cores, spark.task.cpus), or ask for fewer workers"
        )
    return wanted or there


@dataclass(frozen=True)
class Work:
    """What a task has to do. It travels to all of them."""

    options: dict[str, Any]
    names: list[str]  # of the variables
    vector: bool  # they come as one column of arrays, and else one by one
    weighted: bool
    parts: list[int]  # where the rows of each task begin, and the last ones end

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa
        from pyspark import BarrierTaskContext

        context = BarrierTaskContext.get()
        rank = int(context.partitionId())
        with tempfile.TemporaryDirectory(prefix="fsa-select-", dir=_scratch()) as folder:
            path = os.path.join(folder, "rows.arrow")
            kind, text = "", ""
            try:
                self._write(path, rank, batches)
            except ValueError as error:
                kind, text = "data", str(error)
            problem = _first_problem(context.allGather(_LAST + json.dumps([kind, text])))
            kind, text = problem if problem is not None else self._fit(context, rank, path)
        if rank > 0:
            kind = text = ""
        yield pa.RecordBatch.from_pydict({"rank": [rank], "kind": [kind], "text": [text]})

    def _fit(self, context: Any, rank: int, path: str) -> tuple[str, str]:
        """Let the process of this machine fit together with the others; returns what to tell."""
        target, weight = self._roles()
        table = {"path": path, "format": "arrow", "target": target, **({"weights": weight} if self.weighted else {})}
        message = {"op": "fit", "options": self.options, "worker": {"rank": rank, "size": len(self.parts) - 1}, "table": {"path": table}}

        def reply(event: dict[str, Any]) -> dict[str, Any] | None:
            if event["event"] != "exchange":
                return None
            texts = context.allGather(event["text"])
            problem = _first_problem(texts)
            if problem is not None:
                raise _OtherFailed(*problem)
            return {"op": "exchanged", "texts": texts}

        try:
            answer = service().request(message, reply)
        except _OtherFailed as other:  # which has said so, and waits for nobody
            return other.kind, other.text
        except ServiceError as error:
            answer = {"event": "error", "kind": "failed", "message": f"worker {rank}: {error}"}
        failed = answer["event"] == "error"
        last = [answer["kind"], answer["message"]] if failed else ["", ""]
        problem = _first_problem(context.allGather(_LAST + json.dumps(last)))
        return problem if problem is not None else ("", answer["model"])

    def _roles(self) -> tuple[str, str]:
        """Names for the response and the weights that no variable has."""
        target, weight = "response", "weight"
        while target in self.names or weight in self.names:
            target, weight = target + "_", weight + "_"
        return target, weight

    def _write(self, path: str, rank: int, batches: Iterable[Any]) -> None:
        """Write the rows of a task as a file of Arrow batches."""
        import pyarrow as pa

        fields = [*self.names, self._roles()[0], *([self._roles()[1]] if self.weighted else [])]
        schema = pa.schema([(name, pa.float64()) for name in fields])
        row = self.parts[rank]
        with pa.OSFile(path, "wb") as file, pa.ipc.new_file(file, schema) as writer:
            for batch in batches:
                if batch.num_rows == 0:
                    continue
                _check_rows(batch.column(0), row)
                row += batch.num_rows
                if batch.column(1).null_count > 0:
                    raise ValueError("the response of a row is null: drop such rows")
                roles = [batch.column(j) for j in range(1, 3 if self.weighted else 2)]
                first = 1 + len(roles)
                if self.vector:
                    columns = _columns(batch.column(first), len(self.names))
                else:
                    columns = batch.columns[first:]
                writer.write_batch(pa.RecordBatch.from_arrays([*columns, *roles], schema=schema))
        if row != self.parts[rank + 1]:
            raise ValueError(_OTHER_ROWS)


_OTHER_ROWS = "the DataFrame gives other rows, or another order of them, whenever it is computed: cache() or write it before the fit"


def _check_rows(numbers: Any, first: int) -> None:
    if not np.array_equal(numbers.to_numpy(zero_copy_only=False), np.arange(first, first + len(numbers))):
        raise ValueError(_OTHER_ROWS)


def _columns(arrays: Any, width: int) -> list[Any]:
    """The columns of a batch of arrays, which have one number for each."""
    import pyarrow as pa

    if arrays.null_count > 0:
        raise ValueError("the features of a row are null: drop such rows")
    lengths = np.diff(arrays.offsets.to_numpy())
    if (lengths != width).any():
        raise ValueError(f"a row has {int(lengths[lengths != width][0])} features, and others have {width}: all must have the same")
    cells = arrays.flatten().to_numpy(zero_copy_only=False).reshape(-1, width)
    return [pa.array(np.ascontiguousarray(cells[:, j])) for j in range(width)]


class _OtherFailed(Exception):
    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind, self.text = kind, text


def _first_problem(texts: list[str]) -> tuple[str, str] | None:
    """What the first task that has failed says, if there is one."""
    for text in texts:
        if text.startswith(_LAST):
            kind, words = json.loads(text[len(_LAST) :])
            if kind:
                return kind, words
    return None


def _scratch() -> str | None:
    """Where Spark has room for files of a task, if it says so."""
    for name in ("SPARK_LOCAL_DIRS", "LOCAL_DIRS"):
        folder = os.environ.get(name, "").split(",")[0]
        if folder and os.access(folder, os.W_OK):
            return folder
    return None
