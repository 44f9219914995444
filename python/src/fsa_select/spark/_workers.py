"""The tasks of a barrier stage: how many there are, and what each does."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._together import Layout, Place, fit_together, listen, matrix_columns, scratch

# How long to wait for workers that were asked for and may still be starting, in seconds.
_PATIENCE = 30.0

# How much of a table one worker takes, as Spark estimates its size: a smaller one is fitted by one
# worker, which has nobody to talk to.
_WORKER_BYTES = 1 << 30

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


def count(session: Any, wanted: int | None, size: int) -> int:
    """How many workers a fit of a table of so many bytes has, if no number is wanted."""
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
    return wanted or min(there, -(-size // _WORKER_BYTES) or 1)


def size_of(rows: Any) -> int:
    """What Spark estimates that a DataFrame has, in bytes; very large if it does not know."""
    return int(str(rows._jdf.queryExecution().optimizedPlan().stats().sizeInBytes()))


@dataclass(frozen=True)
class Work:
    """What a task has to do. It travels to all of them."""

    options: dict[str, Any]
    layout: Layout
    vector: bool  # the variables come as one column of arrays, and else one by one
    workers: int
    token: str

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa

        kind, text = "", ""
        with scratch(_folder()) as folder:
            path = os.path.join(folder, "rows.arrow")
            try:
                self.layout.write(path, map(self._columns, filter(lambda b: b.num_rows > 0, batches)))
            except ValueError as error:
                kind, text = "data", str(error)
            rank, answer = self._fit(path, kind, text)
        kind, text = (answer["kind"], answer["message"]) if answer["event"] == "error" else ("", answer.get("model", ""))
        yield pa.RecordBatch.from_pydict({"rank": [rank], "kind": [kind], "text": [text]})

    def _fit(self, path: str, kind: str, text: str) -> tuple[int, dict[str, Any]]:
        """Fit with the processes of the other tasks, if all have their rows."""
        rank, problems = 0, [[kind, text]]
        host = "127.0.0.1"
        if self.workers > 1:
            from pyspark import BarrierTaskContext

            context = BarrierTaskContext.get()
            rank = int(context.partitionId())
            host = context.getTaskInfos()[rank].address.rpartition(":")[0]
        address, port = listen(host)
        addresses = [address]
        if self.workers > 1:
            told = [json.loads(one) for one in context.allGather(json.dumps([address, kind, text]))]
            addresses, problems = [one[0] for one in told], [one[1:] for one in told]
        for kind, text in problems:
            if kind:
                return rank, {"event": "error", "kind": kind, "message": text}
        return rank, fit_together(self.layout, path, self.options, Place(rank, addresses, port, self.token))

    def _columns(self, batch: Any) -> list[Any]:
        """The columns of a batch in the order of the file."""
        first = 2 + self.layout.weighted + self.layout.grouped
        variables = _elements(batch.column(first), len(self.layout.names)) if self.vector else batch.columns[first:]
        return [*variables, *batch.columns[1:first], batch.column(0)]


def _elements(arrays: Any, width: int) -> list[Any]:
    """The columns of a batch of arrays, which have one number for each."""
    if arrays.null_count > 0:
        raise ValueError("the features of a row are null: drop such rows")
    lengths = np.diff(arrays.offsets.to_numpy())
    if (lengths != width).any():
        raise ValueError(f"a row has {int(lengths[lengths != width][0])} features, and others have {width}: all must have the same")
    return matrix_columns(arrays.flatten().to_numpy(zero_copy_only=False).reshape(-1, width))


def _folder() -> str | None:
    """Where Spark has room for files of a task, if it says so."""
    for name in ("SPARK_LOCAL_DIRS", "LOCAL_DIRS"):
        folder = os.environ.get(name, "").split(",")[0]
        if folder:
            return folder
    return None
