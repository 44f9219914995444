"""Makes the files of this folder: python -m venv v; v/bin/pip install pyarrow numpy; v/bin/python make.py"""
import datetime
import decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

rows = range(60)
words = ["pear", "apple", "", "größe", "fig"]


def some(values):
    """Every seventh value is missing."""
    return [None if i % 7 == 3 else v for i, v in enumerate(values)]


# Every type, every compression, dictionaries, two row groups.
day = datetime.date(1970, 1, 1)
table = pa.table({
    "double": pa.array(some(i * 0.5 - 3 for i in rows), pa.float64()),
    "float": pa.array(some(i * 0.25 for i in rows), pa.float32()),
    "half": pa.array(some(np.float16(i / 8) for i in rows), pa.float16()),
    "required": pa.array([float(i) for i in rows], pa.float64()),
    "nan": pa.array([float("nan") if i % 2 else i for i in rows], pa.float64()),
    "bool": pa.array(some(i % 3 == 0 for i in rows), pa.bool_()),
    "int8": pa.array(some(i - 30 for i in rows), pa.int8()),
    "int16": pa.array(some(-i * 100 for i in rows), pa.int16()),
    "int32": pa.array(some(i - 2**31 for i in rows), pa.int32()),
    "int64": pa.array(some(i - 2**53 for i in rows), pa.int64()),
    "uint8": pa.array(some(i + 190 for i in rows), pa.uint8()),
    "uint32": pa.array(some(2**32 - 1 - i for i in rows), pa.uint32()),
    "uint64": pa.array(some(2**63 + 4096 * i for i in rows), pa.uint64()),
    "string": pa.array(some(words[i * i % 5] for i in rows), pa.string()),
    "category": pa.array(some(words[i % 4] for i in rows)).dictionary_encode(),
    "binary": pa.array(some(words[i % 2].encode() for i in rows), pa.binary()),
    "date": pa.array(some(day + datetime.timedelta(i - 10) for i in rows), pa.date32()),
    "milli": pa.array(some(i * 1500 for i in rows), pa.timestamp("ms")),
    "micro": pa.array(some(i * 1500000 for i in rows), pa.timestamp("us", "UTC")),
    "nano": pa.array(some(i * 1500000000 for i in rows), pa.timestamp("ns")),
    "time": pa.array(some(i * 1500000 for i in rows), pa.time64("us")),
    "decimal": pa.array(some(decimal.Decimal(i - 5) / 100 for i in rows), pa.decimal128(20, 2)),
    "null": pa.array([None for _ in rows], pa.null()),
})
schema = table.schema.set(3, pa.field("required", pa.float64(), nullable=False))
codecs = ["none", "snappy", "gzip", "brotli", "zstd", "lz4"]
pq.write_table(
    table.cast(schema), "types.parquet", row_group_size=37, store_schema=False, write_statistics=False,
    compression={c: codecs[i % 6] for i, c in enumerate(table.column_names)},
    use_dictionary=["double", "int16", "string", "category", "decimal", "date"])

# The encodings that pages can have besides, in pages of the second format, of which there are many.
table = pa.table({
    "delta32": pa.array(some(i * i - 100 for i in rows), pa.int32()),
    "delta64": pa.array(some((-1) ** i * 3**i % 2**52 for i in rows), pa.int64()),
    "length": pa.array(some(words[i * i % 5] for i in rows), pa.string()),
    "prefix": pa.array(some("a" * (i % 9) + "b" for i in rows), pa.string()),
    "split": pa.array(some(i * 0.5 - 3 for i in rows), pa.float64()),
    "split32": pa.array(some(i * 0.25 for i in rows), pa.float32()),
    "bool": pa.array(some(i % 3 == 0 for i in rows), pa.bool_()),
})
pq.write_table(
    table, "encodings.parquet", data_page_version="2.0", store_schema=False, write_statistics=False,
    use_dictionary=False, compression="zstd", data_page_size=64, write_batch_size=8, write_page_checksum=True,
    column_encoding={"delta32": "DELTA_BINARY_PACKED", "delta64": "DELTA_BINARY_PACKED",
                     "length": "DELTA_LENGTH_BYTE_ARRAY", "prefix": "DELTA_BYTE_ARRAY",
                     "split": "BYTE_STREAM_SPLIT", "split32": "BYTE_STREAM_SPLIT", "bool": "RLE"})

# Columns that are refused, and one that is not.
table = pa.table({
    "list": pa.array([[1, 2], []], pa.list_(pa.int32())),
    "struct": pa.array([{"a": 1, "b": 2.0}, None]),
    "good": pa.array([1.5, 2.5]),
    "uuid": pa.array([b"0123456789abcdef"] * 2, pa.binary(16)),
})
pq.write_table(table, "nested.parquet", store_schema=False, write_statistics=False)
pq.write_table(pa.table({"a": [1.0, 2.0, 3.0], "b": [1.0, float("-inf"), 2.0]}), "infinite.parquet", store_schema=False)
pq.write_table(pa.table({"a": pa.array([], pa.float64())}), "empty.parquet", store_schema=False)
# Timestamps as Spark and Impala used to write them.
pq.write_table(
    pa.table({"old": pa.array([-1500000000, None, 86400 * 10**9 + 250000000], pa.timestamp("ns"))}),
    "int96.parquet", use_deprecated_int96_timestamps=True, store_schema=False)
# Bytes that are not text.
pq.write_table(pa.table({"blob": pa.array([b"text", b"\xff\xfe"], pa.binary())}), "blob.parquet", store_schema=False)
