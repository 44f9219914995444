"""Tables by the Arrow PyCapsule interface: polars, pyarrow, DuckDB and others.

Only the C structures are read, so no Arrow library is needed. See
https://arrow.apache.org/docs/format/CDataInterface.html for their fields.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._columns import Column, Vector, category, dates, numbers, texts, times


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Schema))),
    ("private_data", ctypes.c_void_p),
]
_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.POINTER(_Array)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Array))),
    ("private_data", ctypes.c_void_p),
]
_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(_Stream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Stream))),
    ("private_data", ctypes.c_void_p),
]

# Formats of numbers, as NumPy has them.
_NUMBERS = {b"c": "i1", b"C": "u1", b"s": "i2", b"S": "u2", b"i": "i4", b"I": "u4", b"l": "i8", b"L": "u8", b"e": "f2", b"f": "f4", b"g": "f8"}
_TEXTS = (b"u", b"U", b"vu")

# Formats of dates and times, by how they begin: the numbers that are stored, and how many of
# them are a second.
_DATES = {b"tdD": ("i4", 1 / 86400), b"tdm": ("i8", 1e3), b"tss": ("i8", 1), b"tsm": ("i8", 1e3), b"tsu": ("i8", 1e6), b"tsn": ("i8", 1e9)}
_TIMES = {b"tts": ("i4", 1), b"ttm": ("i4", 1e3), b"ttu": ("i8", 1e6), b"ttn": ("i8", 1e9)}
_DURATIONS = {b"s": 1, b"m": 1e3, b"u": 1e6, b"n": 1e9}

# Formats that are refused, by how they begin.
_OTHERS = {b"+s": "structures", b"+": "lists", b"z": "bytes", b"Z": "bytes", b"vz": "bytes", b"w:": "bytes"}

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype = ctypes.c_void_p
_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


def is_table(X: object) -> bool:
    """Whether X supports the PyCapsule interface."""
    return hasattr(X, "__arrow_c_stream__")


def column_names(X: Any) -> list[str]:
    """The names of the columns of X."""
    with _Reading(X) as reading:
        return reading.names


def read(X: Any, only: Callable[[str], bool]) -> tuple[int, list[Column]]:
    """The number of rows of X, and the requested columns."""
    with _Reading(X) as reading:
        wanted = [j for j, name in enumerate(reading.names) if only(name)]
        parts: list[list[_Part]] = [[] for _ in wanted]
        rows = 0
        for batch in reading.batches():
            rows += batch.length
            for part, j in zip(parts, wanted, strict=True):
                part.append(_part(reading.names[j], reading.schema.children[j].contents, batch.children[j].contents, batch.offset, batch.length))
        return rows, [_joined(reading.names[j], part) for part, j in zip(parts, wanted, strict=True)]


class _Reading:
    """A stream that is read once, and its schema."""

    def __init__(self, X: Any) -> None:
        self._capsule = X.__arrow_c_stream__()  # its end releases the stream
        self._stream = ctypes.cast(_pointer(self._capsule, b"arrow_array_stream"), ctypes.POINTER(_Stream))
        self.schema = _Schema()
        self._check(self._stream.contents.get_schema(self._stream, ctypes.byref(self.schema)))
        if self.schema.format != b"+s":
            self.close()
            raise ValueError("Expected 2D array, got a series or an Arrow array instead: X must be a table with columns")
        self.names = [(self.schema.children[j].contents.name or b"").decode() for j in range(self.schema.n_children)]

    def _check(self, code: int) -> None:
        if code != 0:
            words = self._stream.contents.get_last_error(self._stream)
            raise ValueError(f"X cannot be read as an Arrow table: {(words or b'').decode() or code}")

    def batches(self) -> Iterator[_Array]:
        while True:
            batch = _Array()
            self._check(self._stream.contents.get_next(self._stream, ctypes.byref(batch)))
            if not batch.release:
                return
            try:
                yield batch
            finally:
                batch.release(ctypes.byref(batch))

    def close(self) -> None:
        if self.schema.release:
            self.schema.release(ctypes.byref(self.schema))

    def __enter__(self) -> _Reading:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass
class _Moments:
    """Seconds since 1970, or since midnight."""

    seconds: Vector
    of_day: bool


_Part = Vector | tuple[Vector, list[str]] | list[str | None] | _Moments
"""A column of a batch: numbers, codes with their texts, texts, or moments."""


def _part(name: str, schema: _Schema, array: _Array, skip: int, length: int) -> _Part:
    """A copy of a column of a batch, without the skipped rows."""
    at = array.offset + skip
    valid = _valid(array, at, length)
    if schema.dictionary:
        meaning = schema.dictionary.contents
        if meaning.format not in _TEXTS:
            raise ValueError(f"column {name!r} of X has categories that are no texts: make them texts")
        levels = _texts(meaning.format, array.dictionary.contents, array.dictionary.contents.offset, array.dictionary.contents.length)
        codes = _cells(array, _NUMBERS[schema.format], at, length).astype(np.int32)
        if valid is not None:
            codes[~valid] = -1
        return codes, ["" if level is None else level for level in levels]
    if schema.format in _TEXTS:
        return _texts(schema.format, array, at, length)
    if schema.format[:3] in _DATES or schema.format[:3] in _TIMES:
        stored, unit = (_DATES | _TIMES)[schema.format[:3]]
        seconds = _cells(array, stored, at, length) / unit
        if valid is not None:
            seconds[~valid] = np.nan
        return _Moments(seconds, schema.format[:3] in _TIMES)
    if schema.format[:2] == b"tD":
        seconds = _cells(array, "i8", at, length) / _DURATIONS[schema.format[2:3]]
        if valid is not None:
            seconds[~valid] = np.nan
        return seconds
    if schema.format.startswith(b"d:"):
        decimals = _decimals(schema.format, array, at, length)
        if valid is not None:
            decimals[~valid] = np.nan
        return decimals
    if schema.format == b"n":
        return np.full(length, np.nan)
    if schema.format == b"b":
        values: Vector = _bits(array.buffers[1], at, length).astype(np.int32)
    elif schema.format in _NUMBERS:
        values = _cells(array, _NUMBERS[schema.format], at, length).copy()
    else:
        raise ValueError(f"column {name!r} of X holds {_words(schema.format)}: make it a number or a category")
    if valid is not None:
        values = values.astype(values.dtype if values.dtype.kind == "f" else np.float64)
        values[~valid] = np.nan
    return values


def _decimals(format_: bytes, array: _Array, at: int, length: int) -> Vector:
    """Decimal numbers as floats. They are stored as whole numbers of 32 to 256 bits, and the format has their scale."""
    _, scale, *bits = (int(word) for word in format_[2:].split(b","))
    size = bits[0] if bits else 128
    if size <= 64:
        return _cells(array, f"i{size // 8}", at, length) / 10.0**scale
    words = size // 64
    stored = _view(array.buffers[1], "i8", at * words, length * words).reshape(length, words)
    if (stored[:, 1:] == stored[:, :1] >> 63).all():
        return stored[:, 0] / 10.0**scale
    return np.array([int.from_bytes(row.tobytes(), "little", signed=True) for row in stored], np.float64) / 10.0**scale


def _words(format_: bytes) -> str:
    """A description of a column that holds neither numbers nor texts."""
    for begins, words in _OTHERS.items():
        if format_.startswith(begins):
            return words
    return f"the Arrow type {format_.decode()!r}"


def _valid(array: _Array, at: int, length: int) -> Vector | None:
    """Mask of the cells that are not null; None if all are valid."""
    if array.n_buffers == 0 or not array.buffers[0] or array.null_count == 0:
        return None
    return _bits(array.buffers[0], at, length)


def _bits(address: int, at: int, length: int) -> Vector:
    bytes_ = _view(address, "u1", at // 8, (at + length + 7) // 8 - at // 8)
    return np.unpackbits(bytes_, bitorder="little")[at % 8 : at % 8 + length].astype(bool)


def _cells(array: _Array, kind: str, at: int, length: int) -> Vector:
    return _view(array.buffers[1], kind, at, length)


def _view(address: int | None, kind: str, at: int, length: int) -> Vector:
    """An array of numbers at a memory address."""
    dtype = np.dtype(kind)
    if length == 0 or not address:
        return np.empty(0, dtype)
    raw = (ctypes.c_char * (length * dtype.itemsize)).from_address(address + at * dtype.itemsize)
    return np.frombuffer(raw, dtype)


def _texts(format_: bytes, array: _Array, at: int, length: int) -> list[str | None]:
    valid = _valid(array, at, length)
    found = _views(array, at, length) if format_ == b"vu" else _runs(array, at, length, "i8" if format_ == b"U" else "i4")
    return [text.decode() if valid is None or valid[i] else None for i, text in enumerate(found)]


def _runs(array: _Array, at: int, length: int, kind: str) -> Iterator[bytes]:
    """Texts in contiguous memory."""
    ends = _view(array.buffers[1], kind, at, length + 1 if length else 0).tolist()
    for lo, hi in zip(ends[:-1], ends[1:], strict=True):
        yield ctypes.string_at(array.buffers[2] + lo, hi - lo) if hi > lo else b""


def _views(array: _Array, at: int, length: int) -> Iterator[bytes]:
    """Texts in views: short ones are in the view itself, others in buffers."""
    raw = _view(array.buffers[1], "V16", at, length).tobytes()
    words = np.frombuffer(raw, "i4").reshape(-1, 4).tolist()
    for i, (size, _, buffer, offset) in enumerate(words):
        if size <= 12:
            yield raw[16 * i + 4 : 16 * i + 4 + size]
        else:
            yield ctypes.string_at(array.buffers[2 + buffer] + offset, size)


def _joined(name: str, parts: list[_Part]) -> Column:
    """The column joined from its parts in batches."""
    if not parts:
        return numbers(name, np.empty(0))
    if isinstance(parts[0], list):
        return texts(name, (text for part in parts if isinstance(part, list) for text in part))
    if isinstance(parts[0], tuple):
        place: dict[str, int] = {}
        codes = []
        for part in parts:
            assert isinstance(part, tuple)
            new = np.array([place.setdefault(level, len(place)) for level in part[1]] + [-1], np.int32)
            codes.append(new[part[0]])
        return category(name, np.concatenate(codes), place)
    if isinstance(parts[0], _Moments):
        seconds = np.concatenate([part.seconds for part in parts if isinstance(part, _Moments)])
        return times(name, seconds) if parts[0].of_day else dates(name, seconds)
    return numbers(name, np.concatenate([part for part in parts if isinstance(part, np.ndarray)]))
