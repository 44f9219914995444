"""Prices of features, budgets and quotas."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np


def read_costs(costs: Any, width: int | None) -> list[dict[str, Any]] | None:
    """The prices of an estimator, as the service takes them."""
    if costs is None:
        return None
    if isinstance(costs, dict):
        if not costs:
            raise ValueError("costs = {}: it must have a price of at least one feature, or be None")
        return [_price(feature, of) for feature, of in costs.items()]
    values = np.asarray(costs)
    if values.ndim != 1 or values.dtype.kind not in "iuf" or width is not None and len(values) != width:
        raise ValueError(f"costs has the shape {values.shape}: it must have a number for each of {width} features, or be a dict of prices by name or position of a feature")
    return [_price(feature, price) for feature, price in enumerate(values.tolist())]


def _price(feature: Any, of: Any) -> dict[str, Any]:
    price, panel = of if isinstance(of, tuple) and len(of) == 2 else (of, "")
    if not isinstance(price, numbers.Real) or not 0 <= float(price) < np.inf or not isinstance(panel, str):
        raise ValueError(f"costs has {of!r} for feature {feature!r}: it must be a price that is at least 0, or a tuple of the price and the name of a panel")
    return {"column": str(feature), "price": float(price), "panel": panel}


def read_budget(budget: Any) -> list[float] | None:
    """The budgets of an estimator, as the service takes them."""
    if budget is None:
        return None
    several = [budget] if isinstance(budget, numbers.Real) else list(budget) if hasattr(budget, "__iter__") and not isinstance(budget, str) else []
    if not several or not all(isinstance(b, numbers.Real) and 0 <= float(b) < np.inf for b in several):
        raise ValueError(f"budget = {budget!r}: it must be an amount that is at least 0, a list of amounts to choose from, or None")
    return [float(b) for b in several]


def read_quotas(quotas: Any) -> list[dict[str, Any]] | None:
    """The quotas of an estimator, as the service takes them."""
    if quotas is None:
        return None
    if not isinstance(quotas, dict):
        raise ValueError(f"quotas = {quotas!r}: it must be a dict of numbers by a name, or a pattern of names such as 'sensor*', or None")
    return [_quota(pattern, of) for pattern, of in quotas.items()]


def _quota(pattern: Any, of: Any) -> dict[str, Any]:
    least, most = of if isinstance(of, tuple) and len(of) == 2 else (0, of)
    for n in (least, least if most is None else most):
        if not isinstance(n, numbers.Integral) or int(n) < 0:
            raise ValueError(f"quotas has {of!r} for {str(pattern)!r}: it must be a dict of numbers, or of tuples of the smallest number and the largest one or None")
    if isinstance(of, tuple) and least < 1:
        raise ValueError(f"quotas has {of!r} for {str(pattern)!r}: the smallest number must be at least 1")
    return {"columns": [str(pattern)], "most": 0 if most is None else int(most), "least": int(least)}
