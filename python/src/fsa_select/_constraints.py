"""Constraints on the effects of features."""

from __future__ import annotations

import numbers
from collections.abc import Iterator
from typing import Any

import numpy as np

from ._tables import Table

SLOPES = ("increasing", "decreasing")
KINDS = ("nonnegative", "nonpositive", "increasing", "decreasing", "convex", "concave")


def read_constraints(monotonic_cst: Any, positive: Any, constraints: Any, width: int | None) -> list[dict[str, Any]]:
    """The constraints of an estimator, as the service takes them."""
    return [*_monotonic(monotonic_cst, width), *_positive(positive), *_others(constraints)]


def ordered(constraints: list[dict[str, Any]], table: Table) -> list[dict[str, Any]]:
    """The constraints, with the order of the categories of features that have one."""
    return [_ordered(one, table) for one in constraints]


def _ordered(one: dict[str, Any], table: Table) -> dict[str, Any]:
    names, column = table.names or [], one["column"]
    if column not in names and column.isdecimal() and int(column) < len(names):
        column = names[int(column)]
    if column not in table.orders or one["kind"] not in SLOPES or "levels" in one:
        return one
    occur = set(table.levels(column))
    return {**one, "levels": [category for category in table.orders[column] if category in occur]}


def _monotonic(given: Any, width: int | None) -> Iterator[dict[str, Any]]:
    if given is None:
        return
    if isinstance(given, dict):
        signs = list(given.items())
    else:
        values = np.asarray(given)
        if values.ndim != 1 or width is not None and len(values) != width:
            raise ValueError(f"monotonic_cst has the shape {values.shape}: it must have a number for each of {width} features, or be a dict")
        signs = list(enumerate(values.tolist()))
    for feature, sign in signs:
        if sign not in (-1, 0, 1):
            raise ValueError(f"monotonic_cst has {sign!r} for feature {feature!r}: it must be -1, 0 or 1")
        if sign != 0:
            yield {"column": str(feature), "kind": "increasing" if sign > 0 else "decreasing"}


def _positive(given: Any) -> Iterator[dict[str, Any]]:
    if isinstance(given, (bool, np.bool_)):
        if given:
            yield {"column": "all", "kind": "nonnegative"}
        return
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        raise ValueError(f"positive = {given!r}: it must be True, False or a list of features")
    for feature in given:
        yield {"column": str(feature), "kind": "nonnegative"}


def _others(given: Any) -> Iterator[dict[str, Any]]:
    if given is None:
        return
    if not isinstance(given, dict):
        raise ValueError(f"constraints = {given!r}: it must be a dict by name or position of a feature, or None")
    for feature, of in given.items():
        for one in of if isinstance(of, list) else [of]:
            yield {"column": str(feature), **_kind(feature, one)}


def _kind(feature: Any, one: Any) -> dict[str, Any]:
    if isinstance(one, str) and one in KINDS:
        return {"kind": one}
    if isinstance(one, tuple) and len(one) == 2 and isinstance(one[0], str) and one[0] in SLOPES and isinstance(one[1], (list, tuple)):
        return {"kind": one[0], "levels": [str(category) for category in one[1]]}
    if isinstance(one, tuple) and len(one) == 2 and all(b is None or isinstance(b, numbers.Real) and float(b) == float(b) for b in one):
        lower, upper = (None if b is None or np.isinf(float(b)) else float(b) for b in one)
        return {"kind": "bounds", "lower": lower, "upper": upper}
    raise ValueError(f"constraints has {one!r} for feature {feature!r}: it must be one of {', '.join(KINDS)}, a tuple of two bounds, or one of {' and '.join(SLOPES)} with a list of categories")
