"""What can go wrong besides bad input, which is a ``ValueError``."""

from __future__ import annotations

from typing import Any, NoReturn


class ServiceError(RuntimeError):
    """The service process failed, or ended before it had answered.

    The message has its last words. The next fit starts another one.
    """


class DivergedError(ArithmeticError):
    """The coefficients grew without bounds: give a smaller ``eta``, or none."""


class _FileRefused(Exception):
    """The service could not open a file that was written for it."""


def raise_for(answer: dict[str, Any]) -> NoReturn:
    """Raise what an answer of the kind ``error`` calls for."""
    kind, message = answer["kind"], answer["message"]
    if kind in ("options", "data"):
        raise ValueError(message)
    if kind == "missing":
        raise FileNotFoundError(message)
    if kind == "permission":
        raise PermissionError(message)
    if kind == "memory":
        raise MemoryError(message)
    if kind == "diverged":
        raise DivergedError(message)
    raise ServiceError(message)
