"""What can go wrong besides bad input, which is a ``ValueError``."""

from __future__ import annotations

import contextlib
import inspect
import json
import re
import warnings
from collections.abc import Iterator
from typing import Any, NoReturn


class ServiceError(RuntimeError):
    """The service process failed, or ended before it had answered.

    The message has its last output, or names what is missing, such as a GPU. If it has ended, the
    next fit starts another one. If it is a bug, and the environment variable ``FSA_DEBUG`` named
    a folder before the first fit, a file for a report is written there, without the samples.
    """


class DivergedError(ArithmeticError):
    """The coefficients grew without bounds: give a smaller ``eta``, or none."""


class _FileRefused(Exception):
    """The service could not open a file that was written for it."""


class OtherFit(ValueError):
    """A checkpoint holds the work of a fit of other samples, or with other parameters."""


def warn(message: str, kind: type[Warning] = UserWarning) -> None:
    """Warn whoever called this package, perhaps through scikit-learn."""
    level, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] in ("fsa_select", "sklearn"):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, kind, stacklevel=level)


@contextlib.contextmanager
def naming(argument: str) -> Iterator[None]:
    """Name the argument in errors of what others make of its value."""
    try:
        yield
    except (TypeError, ValueError, OverflowError) as error:
        if argument in str(error):
            raise
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{argument}: {error}") from error


_QUOTED = r'"(?:[^"\\]|\\.)*"'

# Parameters of the program that have another name here.
_NAMES = {"iterations": "max_iter", "tolerance": "tol", "ridge": "alpha", "folds": "cv", "measure": "scoring", "warm-up": "warm_up", "class-weights": "class_weight"}


def in_python(message: str) -> str:
    """A message of the program with the names and values of Python."""
    message = re.sub(rf"\[({_QUOTED}(?: {_QUOTED})*)\]", lambda m: "[" + ", ".join(_literals(m[1])) + "]", message)
    message = re.sub(_QUOTED, lambda m: _literals(m[0])[0], message)
    message = message.replace("name the column of the numbers of trials with --trials", "divide them by the numbers of trials, and give these as sample_weight")
    message = message.replace(" (--skip-missing-target leaves such rows out)", ": leave such rows out")
    message = message.replace("give --loss logistic for two classes", "FSAClassifier is for two classes")
    message = re.sub(r"^unknown ([a-z-]+) ('[^']*'):", r"\1 = \2:", message)
    message = re.sub(r"--([a-z-]+) ([\w.]+):", r"\1 = '\2':", message)
    message = re.sub(r"--([a-z-]+) ([\w.]+)$", r"\1 = '\2'", message)
    message = re.sub(r"--([a-z]+)", r"\1", message)
    return re.sub(r"^([a-z-]+)(?=(?: = |: ))", lambda m: _NAMES.get(m[1], m[1]), message)


def _literals(quoted: str) -> list[str]:
    """Texts in Go's quotes as Python's."""
    found = []
    for text in re.findall(_QUOTED, quoted):
        try:
            found.append(repr(json.loads(text)))
        except ValueError:  # an escape that JSON does not have
            found.append(text)
    return found


def raise_for(answer: dict[str, Any]) -> NoReturn:
    """Raise what an answer of the kind ``error`` calls for."""
    kind, message = answer["kind"], in_python(answer["message"])
    if kind == "other":
        raise OtherFit(message)
    if kind in ("options", "data"):
        raise ValueError(message)
    if kind == "missing":
        raise FileNotFoundError(message)
    if kind == "permission":
        raise PermissionError(message)
    if kind == "memory":
        raise MemoryError(message)
    if kind == "time":
        raise TimeoutError(f"max_time: {message}")
    if kind == "diverged":
        raise DivergedError(message.partition(": anneal: ")[0])
    raise ServiceError(message)
