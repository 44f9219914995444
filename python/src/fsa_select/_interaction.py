"""Pairs of variables in a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._columns import Column, Vector
from ._knots import locate

if TYPE_CHECKING:
    from ._model import Variable


@dataclass(frozen=True)
class Interaction:
    """A selected pair of variables and its contribution to the decision values.

    Attributes
    ----------
    variables : tuple of two Variable
        The columns of the pair; the first is a number. Their ``center`` is the mean, and they have
        no coefficients of their own.
    strength : float
        Importance: the standard deviation of its contribution.
    sd : tuple of two float
        Standard deviations, by which numbers are divided after their mean is subtracted; 0 for a category.
    coefficients : ndarray of shape (n_outputs, n)
        What the product of the two standardised numbers is multiplied by or, if the second variable
        is a category, what the standardised number is multiplied by in each category. If the first
        variable has knots, the contribution at each of them, for each knot or category of the second.
    low, high : ndarray or None
        Range of the product in training. Beyond it the contribution is followed as far again.
    rare : bool
        Whether the last category is for rare texts and all others.
    knots : tuple of two (ndarray or None)
        Those of the numbers in a pair that is a surface, or a curve for each category: the
        contribution is linear between them and constant beyond, and zero for missing numbers.
    """

    variables: tuple[Variable, Variable]
    strength: float
    sd: tuple[float, float]
    coefficients: Vector
    low: Vector | None
    high: Vector | None
    rare: bool
    knots: tuple[Vector | None, Vector | None] = (None, None)

    @property
    def name(self) -> str:
        """The names of both columns."""
        return f"{self.variables[0].name} × {self.variables[1].name}"

    def parts(self, first: Column, second: Column, margin: float) -> Vector:
        """The part of two columns in the decision values.

        Parameters
        ----------
        first, second : Column
            The cells of both variables.
        margin : float
            Share of the training range by which the effect is followed beyond that range.

        Returns
        -------
        ndarray of shape (n, n_outputs)
            The part of each row.
        """
        if self.knots[0] is not None:
            return self._surface(first, second)
        product = self.product(first, second)
        at = np.zeros(len(product), np.intp)
        known = np.ones(len(product), bool)
        if self.variables[1].levels is not None:
            at = self._levels(second)
            known = at >= 0
        if self.low is not None and self.high is not None:
            beyond = margin * (self.high - self.low)
            product = np.clip(product, (self.low - beyond)[at], (self.high + beyond)[at])
        return np.where(known[:, None], self.coefficients.T[at] * product[:, None], 0.0)

    def _surface(self, first: Column, second: Column) -> Vector:
        """The part of two columns that is linear between knots."""
        assert self.knots[0] is not None
        x = self._numbers(0, first)
        known = ~np.isnan(x)
        at, alpha = locate(np.where(known, x, 0.0), self.knots[0])
        values = self.coefficients.reshape(len(self.coefficients), len(self.knots[0]), -1)  # by output, knot, and knot or category
        if self.knots[1] is None:
            level = self._levels(second)
            known &= level >= 0
            part = (1 - alpha) * values[:, at, level] + alpha * values[:, at + 1, level]
        else:
            y = self._numbers(1, second)
            known &= ~np.isnan(y)
            to, beta = locate(np.where(known, y, 0.0), self.knots[1])
            part = (1 - alpha) * ((1 - beta) * values[:, at, to] + beta * values[:, at, to + 1])
            part += alpha * ((1 - beta) * values[:, at + 1, to] + beta * values[:, at + 1, to + 1])
        return np.where(known[:, None], part.T, 0.0)

    def product(self, first: Column, second: Column) -> Vector:
        """The product of two standardised numbers or, with a category, the first of them.

        Parameters
        ----------
        first, second : Column
            The cells of both variables.

        Returns
        -------
        ndarray of shape (n,)
            A number for each row; a missing number counts as its mean.
        """
        product = self._standardised(0, first)
        return product if self.variables[1].levels is not None else product * self._standardised(1, second)

    def _standardised(self, side: int, column: Column) -> Vector:
        x = self._numbers(side, column)
        largest = np.finfo(np.float64).max
        center = self.variables[side].center
        return np.clip(np.where(np.isnan(x), 0.0, 2 * ((x / 2 - center / 2) / self.sd[side])), -largest, largest)

    def _numbers(self, side: int, column: Column) -> Vector:
        """The numbers of a column, NaN where they are missing."""
        variable = self.variables[side]
        if column.missing:
            return np.full(len(column.values), np.nan)
        if column.levels is not None:
            raise ValueError(f"column {variable.name!r} of X holds categories, but the model learned numbers there")
        if np.isinf(column.values).any():
            row = int(np.flatnonzero(np.isinf(column.values))[0])
            raise ValueError(f"X contains infinity: row {row} of column {variable.name!r} must be a finite number, or NaN where it is missing")
        return np.asarray(column.values, np.float64)

    def _levels(self, column: Column) -> Vector:
        """The number of the category of each row; -1 for none."""
        levels = self.variables[1].levels
        assert levels is not None
        if column.missing:
            return np.full(len(column.values), -1)
        if column.levels is None:
            raise ValueError(f"column {self.variables[1].name!r} of X holds numbers, but the model learned categories there")
        place = {level: i for i, level in enumerate(levels)}
        other = len(levels) - 1 if self.rare else -1
        return np.array([*(place.get(level, other) if level else -1 for level in column.levels), -1])[column.values]


def interaction(p: dict[str, Any], outputs: int, variable: Any) -> Interaction:
    """An interaction of a model file. ``variable`` makes a variable from its fields."""

    def side(v: dict[str, Any]) -> Variable:
        kind = "category" if v.get("categories") else "linear"
        made: Variable = variable({**v, "kind": kind, "importance": 0.0, "coefficients": [0.0] * outputs, "center": v.get("mean", 0.0)})
        return made

    def knots(v: dict[str, Any]) -> Vector | None:
        return None if v.get("knots") is None else np.array(v["knots"], np.float64)

    first, second = p["variables"]
    return Interaction(
        variables=(side(first), side(second)),
        strength=p["importance"],
        sd=(first.get("sd", 0.0), second.get("sd", 0.0)),
        coefficients=np.array(p["coefficients"], np.float64).reshape(outputs, -1),
        low=None if p.get("low") is None else np.array(p["low"], np.float64),
        high=None if p.get("high") is None else np.array(p["high"], np.float64),
        rare=second.get("rare", False),
        knots=(knots(first), knots(second)),
    )
