"""Select variables of a Dask collection, whose partitions stay on the workers that have them.

:class:`FSAClassifier` and :class:`FSARegressor` are those of :mod:`fsa_select`, except that ``fit``
takes collections of Dask. Each worker that holds partitions hands them to a process of the program
``fsa`` on its machine. The scheduler tells the workers the addresses of these processes, once; then
the processes communicate over connections of their own. No partition leaves for the client, and the
model is the same, to the last byte, whatever the number of workers.

It needs dask and distributed with pyarrow, and this package on all workers, whose machines must be
able to connect with each other.
"""

from __future__ import annotations

import os
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import numpy as np

try:
    import dask
    import pandas as pd
    from distributed import MultiLock, as_completed, default_client, wait
except ImportError as error:
    raise ImportError("fsa_select.dask needs dask, distributed and pyarrow: pip install 'fsa-select[dask]'") from error

import fsa_select

from ._service import Answer
from ._tables import _categories
from ._together import Layout, Part, Place, batch, fit_together, listen, model_of, new_token, options_of, scratch

__all__ = ["FSAClassifier", "FSARegressor"]


class _Fit:
    """What both estimators do with collections."""

    def _fit_parts(self: Any, X: Any, y: Any, beside: dict[str, Any], client: Any, loss: str, classes: Any) -> None:
        client = client or default_client()
        parts = _parts(X, y, beside)
        futures = client.compute(parts)
        wait(futures)
        names = [str(name) for name in X.columns] if hasattr(X, "columns") else None
        width = len(names) if names is not None else int(X.shape[1])
        called = names or [f"x{j}" for j in range(width)]
        texts = {called[j] for j in _categories(self, names, width)} | _texts(X)
        layout = Layout(called, beside["weight"] is not None, beside["group"] is not None, frozenset(texts))
        options = options_of(self, loss, width, classes)
        held: dict[str, list[tuple[int, Any]]] = {}
        where = client.who_has(futures)
        for number, future in enumerate(futures):
            if not where.get(future.key):
                future.result()  # raises what has failed
            held.setdefault(sorted(where[future.key])[0], []).append((number, future))
        workers = sorted(held)
        with MultiLock(names=workers, client=client):
            answer = _run(client, workers, held, layout, options, classes)
        self.n_features_in_ = width
        self.__dict__.pop("feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        if classes is not None:
            self.classes_ = classes
        self._keep(answer)

    def _each(self: Any, X: Any, method: str, columns: int) -> Any:
        """Predict what is there, or each partition of a collection on the worker that has it."""
        local = getattr(super(), method)
        if not dask.is_dask_collection(X):
            return local(X)
        if hasattr(X, "map_partitions"):
            return X.map_partitions(_predicted, self, method, meta=np.zeros((0, columns)) if columns > 1 else np.zeros(0))
        whole = X.rechunk({1: -1})
        if columns > 1:
            return whole.map_blocks(_predicted, self, method, dtype=float, chunks=(whole.chunks[0], (columns,)))
        return whole.map_blocks(_predicted, self, method, dtype=float, drop_axis=1)


class FSARegressor(_Fit, fsa_select.FSARegressor):
    """:class:`fsa_select.FSARegressor` for collections of Dask. The parameters are the same."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None, client: Any = None) -> FSARegressor:  # type: ignore[override]
        """Select features and learn a model on them.

        Parameters
        ----------
        X : dask.dataframe.DataFrame or dask.array.Array
            Samples. Columns of texts and those of ``categorical_features`` are categories, all others are numbers.
        y : dask.dataframe.Series or dask.array.Array
            Their targets, partitioned as X is.
        sample_weight : dask.dataframe.Series or dask.array.Array, optional
            Weights, partitioned as X is.
        groups : dask.dataframe.Series or dask.array.Array, optional
            A label for each sample, partitioned as X is: samples with the same label stay in one fold.
        client : distributed.Client, optional
            The cluster; None takes the default client.

        Returns
        -------
        self : FSARegressor
            The fitted estimator.
        """
        self._fit_parts(X, y, {"weight": sample_weight, "group": groups}, client, self._checked_loss(), None)
        return self

    def predict(self, X: Any, offset: Any = None, exposure: Any = None) -> Any:
        """Predict the target of samples, which may be a collection of Dask unless they have an offset."""
        if offset is not None or exposure is not None:
            return super().predict(X, offset, exposure)
        return self._each(X, "predict", 1)


class FSAClassifier(_Fit, fsa_select.FSAClassifier):
    """:class:`fsa_select.FSAClassifier` for collections of Dask. The parameters are the same."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None, client: Any = None) -> FSAClassifier:  # type: ignore[override]
        """Select features and learn a model on them.

        Parameters
        ----------
        X : dask.dataframe.DataFrame or dask.array.Array
            Samples. Columns of texts and those of ``categorical_features`` are categories, all others are numbers.
        y : dask.dataframe.Series or dask.array.Array
            Their classes, partitioned as X is.
        sample_weight : dask.dataframe.Series or dask.array.Array, optional
            Weights, partitioned as X is.
        groups : dask.dataframe.Series or dask.array.Array, optional
            A label for each sample, partitioned as X is: samples with the same label stay in one fold.
        client : distributed.Client, optional
            The cluster; None takes the default client.

        Returns
        -------
        self : FSAClassifier
            The fitted estimator.
        """
        client = client or default_client()
        found = client.gather(client.compute([dask.delayed(_classes)(part) for part in _pieces(y)]))
        classes = np.unique(np.concatenate(found))
        if len(classes) < 2:
            raise ValueError(f"y has {len(classes)} class: at least two classes are needed to learn from")
        loss = self._checked_loss()
        if loss == "auto" and len(classes) > 2:
            loss = "multinomial"
        self._fit_parts(X, y, {"weight": sample_weight, "group": groups}, client, loss, classes)
        return self

    def predict(self, X: Any, offset: Any = None) -> Any:
        """Predict the class of samples, which may be a collection of Dask."""
        if offset is not None:
            return super().predict(X, offset)
        return self._each(X, "predict", 1)

    def predict_proba(self, X: Any, offset: Any = None) -> Any:
        """Predict probabilities of the classes, of samples that may be a collection of Dask."""
        if offset is not None:
            return super().predict_proba(X, offset)
        return self._each(X, "predict_proba", len(self.classes_))


def _predicted(part: Any, estimator: Any, method: str) -> Any:
    return getattr(estimator, method)(part)


def _classes(part: Any) -> Any:
    return np.unique(np.asarray(part))


def _texts(X: Any) -> set[str]:
    """The columns of texts of a frame."""
    if not hasattr(X, "dtypes"):
        return set()
    return {str(name) for name, kind in X.dtypes.items() if kind == object or isinstance(kind, (pd.CategoricalDtype, pd.StringDtype))}


def _parts(X: Any, y: Any, beside: dict[str, Any]) -> list[Any]:
    """The partitions, each with its rows, targets, and what else belongs to the rows."""
    for name, value in (("X", X), ("y", y)):
        if not dask.is_dask_collection(value):
            raise ValueError(f"{name} is no collection of Dask: give a DataFrame or an array of Dask, or take the estimator of fsa_select itself")
    if hasattr(X, "rechunk"):
        X = X.rechunk({1: -1})
    given = {"X": X, "y": y} | {role: value for role, value in beside.items() if value is not None}
    lists = [_pieces(value) for value in given.values()]
    if len({len(parts) for parts in lists}) != 1:
        raise ValueError(f"X, y, sample_weight and groups have {[len(parts) for parts in lists]} partitions: partition them alike")
    return [dask.delayed(_part)(list(given), *one) for one in zip(*lists)]


def _pieces(v: Any) -> list[Any]:
    """The partitions of a frame or a series, or the chunks of an array."""
    pieces = v.to_delayed()
    return list(pieces.flatten()) if hasattr(v, "rechunk") else list(pieces)


def _part(roles: list[str], *values: Any) -> Part:
    return Part(**dict(zip(roles, values)))


def _run(client: Any, workers: list[str], held: dict[str, list[tuple[int, Any]]], layout: Layout, options: dict[str, Any], classes: Any) -> Answer:
    """Let all workers fit together, each with the partitions that it holds."""
    on = [{"workers": [worker], "allow_other_workers": False, "pure": False} for worker in workers]
    opening = []
    for worker, where in zip(workers, on):
        numbers, futures = zip(*held[worker])
        opening.append(client.submit(_open, list(futures), numbers, layout, classes, urlsplit(worker).hostname or "", **where))
    wait(opening)
    fits = []
    try:
        opened, token = client.gather(opening), new_token()  # raises what has failed
        addresses = [address for address, _ in opened]
        for rank, where in enumerate(on):
            fits.append(client.submit(_fit, layout, options, Place(rank, addresses, opened[rank][1], token), **where))
        answers = []
        for future in as_completed(fits):
            answers.append(future.result())
            if answers[-1]["event"] == "error":  # the others have failed with it, or are lost
                break
        model_of(answers)
        return next(answer for answer in answers if answer.get("model"))
    finally:
        client.cancel(fits)
        left = [client.submit(_drop, future, **where) for future, where in zip(opening, on) if future.status == "finished"]
        wait(left, timeout=_PATIENCE)


# How long to wait for workers that remove what is left of a fit, in seconds: one may be lost.
_PATIENCE = 5.0

_kept: dict[int, TemporaryDirectory[str]] = {}
"""The folders of the rows on this worker, by the ports of the fits that they are for."""


def _open(parts: list[Part], numbers: tuple[int, ...], layout: Layout, classes: Any, host: str) -> tuple[str, int]:
    """Write the partitions of these numbers on their worker, and open a port."""
    folder = scratch(dask.config.get("temporary-directory", None))
    try:
        layout.write(_rows(folder), [batch(part, number, layout, classes) for part, number in zip(parts, numbers)])
        address, port = listen(host)
    except BaseException:
        folder.cleanup()
        raise
    _kept[port] = folder
    return address, port


def _rows(folder: TemporaryDirectory[str]) -> str:
    return os.path.join(folder.name, "rows.arrow")


def _fit(layout: Layout, options: dict[str, Any], place: Place) -> Answer:
    """Fit on a worker."""
    return fit_together(layout, _rows(_kept[place.port]), options, place)


def _drop(opened: tuple[str, int]) -> None:
    """Remove what is left of a fit on a worker."""
    folder = _kept.pop(opened[1], None)
    if folder is not None:
        folder.cleanup()

