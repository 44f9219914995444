"""Callbacks of scikit-learn: a fit as a tree of tasks, of which each epoch is one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ._trace import Epoch

__all__ = ["CallbackSupportMixin", "Tasks", "with_callbacks"]

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # before scikit-learn 1.9
    _F = TypeVar("_F", bound=Callable[..., Any])

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """No callbacks."""

    def with_callbacks(method: _F) -> _F:
        """The method as it is."""
        return method


class Tasks:
    """The tasks of a fit: it has one, the annealing, which has the epochs.

    Parameters
    ----------
    estimator : FSABase
        The estimator that fits. Where it has no callbacks, nothing is done.
    data : dict
        What callbacks are given of X, y and metadata.
    """

    def __init__(self, estimator: Any, data: dict[str, Any]) -> None:
        self._estimator, self._data = estimator, data
        self._fit: Any = None
        self._annealing: Any = None
        if hasattr(estimator, "_init_callback_context"):
            self._fit = estimator._init_callback_context(max_subtasks=1)
            self._fit.call_on_fit_task_begin(estimator=estimator, **data)

    @property
    def wanted(self) -> bool:
        """Whether anybody wants to hear of epochs."""
        return bool(getattr(self._estimator, "_skl_callbacks", None))

    def tell(self, epoch: Epoch) -> None:
        """Begin and end the task of an epoch."""
        if self._annealing is None:
            self._annealing = self._fit.subcontext(task_name="annealing", max_subtasks=epoch.of)
            self._annealing.call_on_fit_task_begin(estimator=self._estimator, **self._data)
        task = self._annealing.subcontext(task_name="epoch")
        task.call_on_fit_task_begin(estimator=self._estimator, **self._data)
        task.call_on_fit_task_end(estimator=self._estimator, **self._data)

    def end(self) -> None:
        """End the fit: the estimator is fitted."""
        if self._annealing is not None:
            self._annealing.call_on_fit_task_end(estimator=self._estimator, **self._data)
        if self._fit is not None:
            self._fit.call_on_fit_task_end(estimator=self._estimator, reconstruction_attributes=dict, **self._data)
