"""Whoever is told of epochs: callbacks, and a bar."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from ._callbacks import Tasks
from ._trace import Epoch

Callback = Callable[[Epoch], object]


class Progress:
    """Passes epochs on to callbacks and to a bar.

    Parameters
    ----------
    callbacks : callable, sequence of callables or None
        Each is called with an :class:`Epoch`.
    verbose : int
        Whether to show a bar: that of tqdm where it is installed, else lines.
    name : str
        What the bar is called.
    tasks : Tasks
        Passes them on to the callbacks of scikit-learn.
    """

    def __init__(self, callbacks: Callback | Sequence[Callback] | None, verbose: int, name: str, tasks: Tasks) -> None:
        if callbacks is None:
            callbacks = []
        elif callable(callbacks):
            callbacks = [callbacks]
        for callback in callbacks:
            if not callable(callback):
                raise ValueError(f"callbacks has {callback!r}, which cannot be called")
        self._callbacks = [*callbacks, tasks.tell] if tasks.wanted else callbacks
        self._bar: Any = _bar(name) if verbose else None

    @property
    def wanted(self) -> bool:
        return bool(self._callbacks) or self._bar is not None

    def tell(self, answer: dict[str, Any]) -> None:
        if answer["event"] != "epoch":
            return
        epoch = Epoch(*(answer[field] for field in Epoch._fields))
        if self._bar is not None:
            self._bar.show(epoch)
        for callback in self._callbacks:
            callback(epoch)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def _bar(name: str) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Lines(name)
    return _Tqdm(tqdm(total=100, desc=name, unit="%", leave=False))


class _Tqdm:
    def __init__(self, bar: Any) -> None:
        self._bar = bar
        self._shown = 0

    def show(self, epoch: Epoch) -> None:
        now = int(100 * epoch.done)
        if now > self._shown:
            self._bar.set_postfix(variables=epoch.variables, loss=f"{epoch.loss:.4g}", refresh=False)
            self._bar.update(now - self._shown)
            self._shown = now

    def close(self) -> None:
        self._bar.close()


class _Lines:
    """A line for each tenth of the work."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._shown = -1

    def show(self, epoch: Epoch) -> None:
        if int(10 * epoch.done) > self._shown:
            self._shown = int(10 * epoch.done)
            print(f"{self._name}: {epoch.done:.0%}, {epoch.variables} variables, loss {epoch.loss:.4g}", file=sys.stderr)

    def close(self) -> None:
        pass
