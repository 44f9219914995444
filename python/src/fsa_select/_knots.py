"""Where numbers lie between the knots of a curve or surface."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._columns import Vector


def place(x: Vector, low: Any, high: Any) -> Vector:
    """The place of each x between two numbers: 0 at or below the lower one, 1 at or above the higher one."""
    # Halves, because the range of the largest numbers overflows.
    return np.clip((x / 2 - low / 2) / (high / 2 - low / 2), 0, 1)


def locate(x: Vector, knots: Vector) -> tuple[Vector, Vector]:
    """The number of the knot before each x, and the place between it and the next one."""
    bin_ = np.clip(np.searchsorted(knots, x) - 1, 0, len(knots) - 2)
    return bin_, place(x, knots[bin_], knots[bin_ + 1])
