"""Running sums of rows: all that a straight line needs of them under the squared loss."""

from __future__ import annotations

import numpy as np
from scipy.linalg.lapack import dpstrf

from ._columns import Vector


class Sums:
    """Weights, means, covariances and ranges of rows, the last column of which is the target.

    Few rows are kept as they are, since they take less room and tell more.

    Parameters
    ----------
    width : int
        Number of features.
    """

    def __init__(self, width: int) -> None:
        self.rows = 0  # that have a weight
        self.low, self.high = np.full(width + 1, np.inf), np.full(width + 1, -np.inf)
        self._total = 0.0  # of the weights
        self._unit: int | None = 0  # greatest common divisor of the weights; None if some are fractions
        self._mean = np.zeros(width + 1)
        self._scatter = np.zeros((width + 1, width + 1))
        self._kept: tuple[Vector, Vector] | None = np.empty((0, width + 1)), np.empty(0)

    @property
    def condensed(self) -> bool:
        """Whether only sums are left of the rows."""
        return self._kept is None

    def add(self, rows: Vector, weights: Vector) -> None:
        """Add rows with positive weights."""
        if len(rows) == 0:
            return
        self.rows += len(rows)
        self.low, self.high = np.minimum(self.low, rows.min(axis=0)), np.maximum(self.high, rows.max(axis=0))
        if self._unit is not None:
            whole = bool((weights == np.trunc(weights)).all() and weights.max() < 2**53)
            self._unit = int(np.gcd.reduce(weights.astype(np.int64), initial=self._unit)) if whole else None
        if self._kept is not None:
            self._kept = rows, weights = np.vstack([self._kept[0], rows]), np.append(self._kept[1], weights)
            if len(rows) <= 2 * (len(self._mean) + 1):
                return
            self._kept = None
        total = float(weights.sum())
        mean = weights @ rows / total
        centred = (rows - mean) * np.sqrt(weights)[:, None]
        share, shift = total / (self._total + total), mean - self._mean
        self._scatter += centred.T @ centred + np.outer(shift, shift) * (self._total * share)
        self._mean += shift * share
        self._total += total

    def table(self) -> tuple[Vector, Vector]:
        """Rows, and their weights, that have the sums of those that were added.

        Of the latter there may be any number. Of the former there are two for each direction in
        which the latter differ, at equal distances from their mean, and one or two at the mean.
        Whole weights whose sum is the effective number of rows let the program see that number.
        """
        if self._kept is not None:
            return self._kept
        n = self.rows if self._unit is None else int(self._total) // self._unit
        covariance = self._scatter / self._total
        deviation = np.where(self.low < self.high, np.sqrt(covariance.diagonal()), 0)
        varying = np.flatnonzero(deviation)
        directions = _root(covariance[np.ix_(varying, varying)] / np.outer(deviation[varying], deviation[varying]))
        middle = 2 - n % 2
        pairs, more = divmod((n - middle) // 2, max(len(directions), 1))
        weights = np.full(len(directions), float(pairs))
        weights[:more] += 1
        offset = np.zeros((len(directions), len(deviation)))
        offset[:, varying] = directions * np.sqrt(n / (2 * weights))[:, None] * deviation[varying]
        rows = np.vstack([self._mean + offset, self._mean - offset, np.tile(self._mean, (middle, 1))])
        return rows, np.concatenate([weights, weights, np.ones(middle)])


def _root(correlation: Vector) -> Vector:
    """Rows whose products with themselves sum to a matrix, as many as its rank."""
    factor, order, rank, _ = dpstrf(correlation, lower=1)
    root = np.empty((rank, len(correlation)))
    root[:, order - 1] = np.tril(factor)[:, :rank].T
    return root
