"""Writes the files that the tests read, with pyarrow and polars."""

import datetime as dt
from decimal import Decimal

import polars as pl
import pyarrow as pa
import pyarrow.feather as feather

N = 60
WORDS = ["", "a", "äöü", "a longer text than a view has room for", "b"]


def holey(values):
    return [None if i % 7 == 3 else v for i, v in enumerate(values)]


def word(i):
    return WORDS[i % 5]


epoch = dt.datetime(1970, 1, 1)
columns = {
    "bool": pa.array(holey([i % 3 == 0 for i in range(N)]), pa.bool_()),
    "int8": pa.array(holey([i - 30 for i in range(N)]), pa.int8()),
    "int16": pa.array(holey([-100 * i for i in range(N)]), pa.int16()),
    "int32": pa.array(holey([i - 2**31 for i in range(N)]), pa.int32()),
    "int64": pa.array(holey([i - 2**53 for i in range(N)]), pa.int64()),
    "uint8": pa.array(holey([i + 190 for i in range(N)]), pa.uint8()),
    "uint16": pa.array(holey([i + 65000 for i in range(N)]), pa.uint16()),
    "uint32": pa.array(holey([2**32 - 1 - i for i in range(N)]), pa.uint32()),
    "uint64": pa.array(holey([2**63 + 4096 * i for i in range(N)]), pa.uint64()),
    "half": pa.array(holey([i / 4 for i in range(N)]), pa.float32()).cast(pa.float16()),
    "float": pa.array(holey([i / 4 for i in range(N)]), pa.float32()),
    "double": pa.array(holey([i * 0.1 for i in range(N)]), pa.float64()),
    "required": pa.array([float(i) for i in range(N)], pa.float64()),
    "decimal": pa.array(holey([Decimal(i - 5) / 100 for i in range(N)]), pa.decimal128(9, 2)),
    "date": pa.array(holey([i - 10 for i in range(N)]), pa.int32()).cast(pa.date32()),
    "milli": pa.array(holey([1500 * i for i in range(N)]), pa.int64()).cast(pa.timestamp("ms")),
    "nano": pa.array(holey([1500000000 * i for i in range(N)]), pa.int64()).cast(pa.timestamp("ns", "UTC")),
    "time": pa.array(holey([1500 * i for i in range(N)]), pa.int32()).cast(pa.time32("ms")),
    "duration": pa.array(holey([1500 * i for i in range(N)]), pa.int64()).cast(pa.duration("ms")),
    "string": pa.array(holey([word(i * i) for i in range(N)]), pa.string()),
    "large": pa.array(holey([word(i * i) for i in range(N)]), pa.large_string()),
    "view": pa.array(holey([word(i * i) for i in range(N)]), pa.string_view()),
    "view2": pa.array(holey([word(i) for i in range(N)]), pa.string_view()),
    "binary": pa.array(holey([word(i).encode() for i in range(N)]), pa.binary()),
    "category": pa.array(holey([word(i) for i in range(N)]), pa.string()).dictionary_encode(),
    "steps": pa.array(holey([i % 4 / 8 for i in range(N)]), pa.float64()).dictionary_encode(),
    "null": pa.nulls(N),
}
table = pa.table(columns)
for name, compression in (("plain", "uncompressed"), ("lz4", "lz4"), ("zstd", "zstd")):
    feather.write_feather(table, name + ".arrow", compression=compression, chunksize=25)

grades = pa.DictionaryArray.from_arrays(pa.array([2, 0, None, 1, 0, 2], pa.int8()), pa.array(["low", "mid", "high", "never"]), ordered=True)
plain = pa.DictionaryArray.from_arrays(pa.array([2, 0, None, 1, 0, 2], pa.int8()), pa.array(["low", "mid", "high", "never"]))
feather.write_feather(pa.table({"grade": grades, "plain": plain}), "ordered.arrow", compression="uncompressed")

nested = {
    "list": pa.array([[1], [2, 3], []]),
    "struct": pa.array([{"a": 1, "b": "x"}] * 3),
    "fixed": pa.array([b"abc"] * 3, pa.binary(3)),
    "good": pa.array([1.5, 2.5, None]),
    "map": pa.array([[("a", 1)], [], []], pa.map_(pa.string(), pa.int8())),
    "text": pa.array(["x", None, "y"]),
}
feather.write_feather(pa.table(nested), "nested.arrow", compression="uncompressed")

with pa.OSFile("stream.arrows", "wb") as f, pa.ipc.new_stream(f, table.schema, options=pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)) as w:
    for first in range(0, N, 25):
        w.write_table(table.slice(first, 25))

# Dictionaries that grow, and that are replaced.
for name, deltas in (("deltas.arrows", True), ("replaced.arrows", False)):
    schema = pa.schema([("word", pa.dictionary(pa.int8(), pa.string()))])
    with pa.OSFile(name, "wb") as f, pa.ipc.new_stream(f, schema, options=pa.ipc.IpcWriteOptions(emit_dictionary_deltas=deltas)) as w:
        for known in (["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]) if deltas else (["a", "b"], ["c", "a"], ["b"]):
            positions = pa.array([i % len(known) for i in range(4)], pa.int8())
            w.write_batch(pa.record_batch([pa.DictionaryArray.from_arrays(positions, pa.array(known))], schema=schema))

pl.DataFrame({"x": [1.5, None, 3.0], "word": ["a", None, "a text that is long enough to be elsewhere"], "kind": pl.Series(["u", "v", "u"], dtype=pl.Categorical)}).write_ipc("polars.arrow", compression="zstd")

feather.write_feather(pa.table({"a": [1.0, 2.0, 3.0], "b": [4.0, 5.0, 6.5]}), "small.arrow", compression="uncompressed")
