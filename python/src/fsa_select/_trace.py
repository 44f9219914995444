"""The record of a fit, and the stability of selections on half samples."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ._columns import Vector


class Epoch(NamedTuple):
    """The argument of callbacks after an epoch.

    Attributes
    ----------
    epoch, of : int
        Its number, counted from 1, and the number of epochs.
    variables : int
        Number of variables left.
    loss : float
        Mean of the objective before the steps of the epoch.
    eta : float
        The step.
    passes : float
        Reads of the whole table so far.
    done : float
        Approximate share of the work that is done.
    """

    epoch: int
    of: int
    variables: int
    loss: float
    eta: float
    passes: float
    done: float


class Stage(NamedTuple):
    """The argument of ``progress`` during a fit.

    Attributes
    ----------
    name : str
        The current work: nested cross-validation, cross-validation, training on all rows or half
        samples.
    step, steps : int
        Its number, counted from 1, and the number of stages.
    done : float
        Approximate share of all work that is done. It never decreases.
    """

    name: str
    step: int
    steps: int
    done: float


@dataclass(frozen=True)
class Path:
    """The path from all variables to the selected ones. Arrays have one number per epoch.

    Attributes
    ----------
    variables : ndarray of int
        Number of variables left.
    loss, eta, passes : ndarray of float
        Mean of the objective, step, and reads of the whole table so far.
    last_epoch : ndarray of int of shape (n_features,)
        The last epoch in which each feature was active; 0 if it never was.
    features : ndarray of int
        The features whose coefficients were recorded: the selected ones, and those that were
        dropped last.
    coefficients : ndarray of shape (n_followed, n_epochs)
        Their coefficients, for scaled columns; the norm if a feature has several. NaN where a
        feature was not active.
    """

    variables: Vector
    loss: Vector
    eta: Vector
    passes: Vector
    last_epoch: Vector
    features: Vector
    coefficients: Vector

    def __len__(self) -> int:
        return len(self.variables)


@dataclass(frozen=True)
class Stability:
    """The stability of selections on half samples of the rows.

    Attributes
    ----------
    index : float
        1 if all are the same, 0 on average if they are random
        (Nogueira, Sechidis and Brown 2018).
    low, high : float
        An interval for the index, with a confidence of about 95 percent.
    verdict : str
        The index in words: excellent, fair to good, or poor.
    frequency : ndarray of shape (n_features,)
        The share of the half samples on which each feature was selected.
    """

    index: float
    low: float
    high: float
    verdict: str
    frequency: Vector


def _numbers(text: str | None, kind: str) -> Vector:
    return np.frombuffer(base64.b64decode(text or ""), kind).copy()


def read_path(trace: dict[str, Any]) -> Path:
    """The path in an answer of the service."""
    variables = _numbers(trace["variables"], "<i4")
    coefficients = _numbers(trace["coefficients"], "<f4").reshape(-1, max(len(variables), 1))
    return Path(
        variables=variables,
        loss=_numbers(trace["loss"], "<f8"),
        eta=_numbers(trace["eta"], "<f8"),
        passes=_numbers(trace["passes"], "<f8"),
        last_epoch=_numbers(trace["last"], "<i4"),
        features=np.array(trace["lines"] or [], dtype=np.intp),
        coefficients=coefficients,
    )


def read_stability(answer: dict[str, Any]) -> Stability:
    """The stability in an answer of the service."""
    return Stability(
        index=answer["index"] if answer["verdict"] else np.nan,
        low=answer["low"] if answer["verdict"] else np.nan,
        high=answer["high"] if answer["verdict"] else np.nan,
        verdict=answer["verdict"],
        frequency=_numbers(answer["frequency"], "<f8"),
    )
