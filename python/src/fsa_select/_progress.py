"""Whoever is told how a fit goes: callbacks, and a bar."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ._callbacks import Tasks
from ._trace import Epoch, Stage

Callback = Callable[[Epoch], object]


class Progress:
    """Passes epochs and stages on to callbacks and to a bar.

    Parameters
    ----------
    callbacks : callable, sequence of callables or None
        Each is called with an :class:`Epoch`.
    progress : callable or None
        It is called with a :class:`Stage`.
    verbose : int
        Whether to show a bar: that of tqdm where it is installed, else lines.
    name : str
        What the bar is called.
    tasks : Tasks
        Passes epochs on to the callbacks of scikit-learn.
    """

    def __init__(self, callbacks: Callback | Sequence[Callback] | None, progress: Callable[[Stage], object] | None, verbose: int, name: str, tasks: Tasks) -> None:
        if callbacks is None:
            callbacks = []
        elif callable(callbacks):
            callbacks = [callbacks]
        elif not isinstance(callbacks, Iterable):
            raise ValueError(f"callbacks = {callbacks!r}: it must be a function or a list of functions")
        callbacks = list(callbacks)
        for callback in callbacks:
            if not callable(callback):
                raise ValueError(f"callbacks has {callback!r}, which cannot be called")
        if progress is not None and not callable(progress):
            raise ValueError(f"progress = {progress!r}: it cannot be called")
        self._callbacks = [*callbacks, tasks.tell] if tasks.wanted else callbacks
        self._progress = progress
        self._bar: Any = _bar(name) if verbose else None

    @property
    def wanted(self) -> bool:
        return bool(self._callbacks) or self._progress is not None or self._bar is not None

    def tell(self, answer: dict[str, Any]) -> None:
        if answer["event"] == "stage":
            stage = Stage(answer["stage"], answer["step"], answer["steps"], float(answer["done"]))
            if self._bar is not None:
                self._bar.show(stage)
            if self._progress is not None:
                self._progress(stage)
        elif answer["event"] == "epoch":
            epoch = Epoch(*(answer[field] for field in Epoch._fields))
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
    return _Tqdm(tqdm(total=100, desc=name, leave=False, bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}{postfix}"))  # tqdm would extrapolate the time left


class _Tqdm:
    def __init__(self, bar: Any) -> None:
        self._bar = bar
        self._shown = 0

    def show(self, stage: Stage) -> None:
        now = int(100 * stage.done)
        self._bar.set_postfix_str(stage.name, refresh=False)
        self._bar.update(now - self._shown)
        self._shown = now

    def close(self) -> None:
        self._bar.close()


class _Lines:
    """A line for each stage, and for each tenth of the work."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._shown: tuple[str, int] | None = None

    def show(self, stage: Stage) -> None:
        now = stage.name, int(10 * stage.done)
        if now != self._shown:
            self._shown = now
            print(f"{self._name}: {stage.done:.0%}, step {stage.step} of {stage.steps}: {stage.name}", file=sys.stderr)

    def close(self) -> None:
        pass
