"""Columns of frames: numbers, dates and times, and categories as positions in a list of texts."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

Vector = np.ndarray[Any, Any]


@dataclass
class Column:
    """A column of a frame.

    Attributes
    ----------
    name : str
        Its name.
    values : ndarray
        Numbers (NaN where one is missing) or, with ``levels``, positions in these as
        int32, -1 where the text is missing.
    levels : list of str or None
        The texts of a category, by first appearance.
    kind : {"date", "datetime", "time"} or None
        What the numbers stand for: dates in years, and times of day in hours.
    """

    name: str
    values: Vector
    levels: list[str] | None = None
    kind: str | None = None

    @property
    def missing(self) -> bool:
        """Whether all cells are missing, so that the column may be of any type."""
        absent = np.isnan(self.values) if self.levels is None else self.values < 0
        return bool(absent.all())


def numbers(name: str, values: Vector) -> Column:
    """A column of numbers, of a type that the service reads."""
    kind = values.dtype
    if kind in (np.float32, np.float64, np.int32, np.int64):
        return Column(name, values)
    if kind == np.float16:
        return Column(name, values.astype(np.float32))
    if kind == bool or (kind.kind in "iu" and kind.itemsize < 4):
        return Column(name, values.astype(np.int32))
    if kind.kind in "iuf":
        return Column(name, values.astype(np.float64))
    raise ValueError(f"column {name!r} of X has the type {kind}: it must hold numbers or categories")


_YEAR = 365.2425 * 86400  # seconds


def dates(name: str, seconds: Vector) -> Column:
    """A column of dates, from seconds since 1970, NaN where one is missing."""
    whole = bool(np.all(np.isnan(seconds) | (seconds % 86400 == 0)))
    return Column(name, 1970 + seconds / _YEAR, kind="date" if whole else "datetime")


def times(name: str, seconds: Vector) -> Column:
    """A column of times of day, from seconds since midnight."""
    return Column(name, seconds / 3600, kind="time")


def _seconds(microseconds: Vector) -> Vector:
    """Seconds since 1970, or of durations, NaN where there is none."""
    seconds: Vector = microseconds.view("i8") / 1e6
    seconds[np.isnat(microseconds)] = np.nan
    return seconds


def part(kind: str, name: str, x: Vector) -> Vector:
    """The position among its levels of a part of dates or times, such as the month; -1 of a missing one."""
    absent = np.isnan(x)
    x = np.where(absent, 1970.0, x)
    if kind == "time":
        of: Vector = np.clip((x + 1e-9).astype(np.int64), 0, 23)
    else:
        seconds = np.rint((x - 1970) * _YEAR).astype(np.int64)
        if name == "month":
            of = seconds.view("datetime64[s]").astype("datetime64[M]").astype(np.int64) % 12
        elif name == "weekday":
            of = (seconds // 86400 + 3) % 7  # 1970 began on a Thursday
        else:
            of = seconds // 3600 % 24
    return np.where(absent, -1, of).astype(np.int32)


def shown(column: Column) -> Vector:
    """The cells of a column as a person reads them: numbers, texts (None where one is missing), or moments."""
    if column.levels is not None:
        return np.array([*column.levels, None], dtype=object)[column.values]
    if column.kind not in ("date", "datetime"):
        return column.values
    absent = np.isnan(column.values)
    moments = np.rint((np.where(absent, 1970.0, column.values) - 1970) * _YEAR).astype("datetime64[s]")
    moments[absent] = np.datetime64("NaT")
    return moments.astype("datetime64[D]" if column.kind == "date" else "datetime64[s]").astype(object)


def category(name: str, codes: Vector, levels: Iterable[object]) -> Column:
    """A column of categories. An empty text is a missing one, as in text files."""
    texts = [str(level) for level in levels]
    if len(set(texts)) < len(texts):
        raise ValueError(f"column {name!r} of X has categories that look the same as text, such as {_twice(texts)!r}: rename one")
    codes = np.asarray(codes).astype(np.int32)
    used, first = np.unique(codes, return_index=True)
    order = [int(code) for code in used[np.argsort(first)] if code >= 0 and texts[code] != ""]
    new = np.full(len(texts) + 1, -1, np.int32)  # the last is that of code -1
    new[order] = np.arange(len(order), dtype=np.int32)
    return Column(name, new[codes], [texts[code] for code in order])


def coded(column: Column) -> Column:
    """A column whose numbers are categories. Whole numbers are written without a point."""
    if column.levels is not None:
        return column
    if column.kind is not None:
        raise ValueError(f"categorical_features has column {column.name!r}, which holds dates or times")
    absent = np.isnan(column.values)
    numbers, codes = np.unique(np.where(absent, 0, column.values), return_inverse=True)
    levels = [str(int(x)) if x == int(x) and abs(x) < 1e15 else repr(float(x)) for x in numbers]
    return category(column.name, np.where(absent, -1, codes.reshape(-1)), levels)


def texts(name: str, values: Iterable[str | None]) -> Column:
    """A column of texts, which become categories."""
    place: dict[str, int] = {}
    codes = [-1 if text is None else place.setdefault(text, len(place)) for text in values]
    return category(name, np.array(codes, np.int32), place)


def _twice(items: list[str]) -> str:
    seen: set[str] = set()
    return next(item for item in items if item in seen or seen.add(item))  # type: ignore[func-returns-value]


def from_pandas(X: Any, only: Callable[[str], bool]) -> list[Column]:
    """The requested columns of a pandas frame."""
    import pandas as pd

    columns = []
    for at, name in enumerate(map(str, X.columns)):
        if not only(name):
            continue
        series = X.iloc[:, at]
        kind = series.dtype
        if isinstance(kind, pd.CategoricalDtype):
            columns.append(category(name, series.cat.codes.to_numpy(), series.cat.categories))
        elif isinstance(kind, pd.StringDtype) or pd.api.types.is_string_dtype(kind) and kind != object:
            codes, levels = pd.factorize(series)
            columns.append(category(name, codes, levels))
        elif isinstance(kind, np.dtype) and kind.kind in "iufb":
            columns.append(numbers(name, series.to_numpy()))
        elif pd.api.types.is_datetime64_any_dtype(kind):
            universal = series if series.dt.tz is None else series.dt.tz_convert(None)
            columns.append(dates(name, _seconds(universal.to_numpy("datetime64[us]"))))
        elif isinstance(kind, pd.PeriodDtype):
            columns.append(dates(name, _seconds(series.dt.to_timestamp().to_numpy("datetime64[us]"))))
        elif pd.api.types.is_timedelta64_dtype(kind):
            columns.append(numbers(name, _seconds(series.to_numpy("timedelta64[us]"))))
        elif kind == object and _are(series, str):
            codes, levels = pd.factorize(series)
            columns.append(category(name, codes, levels))
        elif kind == object and _are(series, (datetime.date, np.datetime64)):
            columns.append(dates(name, _seconds(pd.to_datetime(series, utc=True).dt.tz_convert(None).to_numpy("datetime64[us]"))))
        elif kind == object and _are(series, datetime.time):
            columns.append(times(name, np.array([_of_day(time) for time in series])))
        elif isinstance(kind, np.dtype) and kind.kind == "c":
            raise ValueError(f"column {name!r} of X holds complex numbers: give their real and imaginary parts as two columns")
        elif kind == object or pd.api.types.is_bool_dtype(kind) or pd.api.types.is_numeric_dtype(kind):
            columns.append(numbers(name, _converted(name, series)))
        else:
            raise ValueError(f"column {name!r} of X has the type {kind}: make it a number or a category")
    return columns


def _are(series: Any, kind: type | tuple[type, ...]) -> bool:
    """Whether the objects of a column are of a type. Some may be missing."""
    present = series[series.notna()]
    return len(present) > 0 and all(isinstance(value, kind) for value in present)


def _of_day(time: Any) -> float:
    """Seconds since midnight, NaN where there is no time."""
    return time.hour * 3600 + time.minute * 60 + time.second + time.microsecond / 1e6 if isinstance(time, datetime.time) else np.nan


def _converted(name: str, series: Any) -> Vector:
    try:
        if series.dtype == object:
            values: Vector = np.asarray(series.where(series.notna(), np.nan), dtype=np.float64)
        else:
            values = series.to_numpy(dtype=np.float64, na_value=np.nan)
    except (ValueError, TypeError) as error:
        raise ValueError(
            f"column {name!r} of X holds objects that are no numbers ({error}): make it a category, X.astype({{{name!r}: 'category'}})"
        ) from error
    return values


def is_pandas(X: object) -> bool:
    """Whether X is a pandas frame."""
    return type(X).__module__.split(".")[0] == "pandas" and hasattr(X, "iloc") and getattr(X, "ndim", 0) == 2


def plain(X: Any) -> bool:
    """Whether a pandas frame holds nothing but numbers of NumPy's types."""
    return all(isinstance(kind, np.dtype) and kind.kind in "iufb" for kind in X.dtypes)
