"""Select variables of a Ray dataset, whose blocks stay on the machines that have them.

:class:`FSAClassifier` and :class:`FSARegressor` are those of :mod:`fsa_select`, except that ``fit``
takes a ``ray.data.Dataset`` and the name of its target column. One actor for each machine that holds
blocks writes them for a process of the program ``fsa``. The driver tells the actors the addresses of
these processes, once; then the processes communicate over connections of their own. No row comes to
the driver, and the model is the same, to the last byte, whatever the number of actors.

It needs ray with ray.data, and this package on all machines, which must be able to connect with each
other.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

try:
    import ray
    from ray.data import Dataset
    from ray.data.block import BlockAccessor
    from ray.experimental import get_object_locations
    from ray.util import get_node_ip_address, placement_group, remove_placement_group
    from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy
except ImportError as error:
    raise ImportError("fsa_select.ray needs ray with ray.data: pip install 'fsa-select[ray]'") from error

import fsa_select

from ._service import Answer
from ._tables import _categories
from ._together import Layout, Part, Place, batch, fit_together, listen, model_of, new_token, options_of, scratch

__all__ = ["FSAClassifier", "FSARegressor"]

_PATIENCE = 60.0
"""How long to wait for processors of the cluster, in seconds."""


class _Fit:
    """What both estimators do with datasets."""

    def _fit_blocks(self: Any, X: Dataset, roles: dict[str, str | None], num_workers: int | None, loss: str, classes: Any) -> None:
        names = [name for name in X.columns() if name not in roles.values()]
        options = options_of(self, loss, len(names), classes)
        texts = {names[j] for j in _categories(self, names, len(names))} | _texts(X)
        layout = Layout(names, roles["weight"] is not None, roles["group"] is not None, frozenset(texts) & frozenset(names))
        blocks = [block for bundle in X.materialize().iter_internal_ref_bundles() for block in bundle.block_refs]
        answer = _run(_assign(blocks, num_workers), roles, layout, options, classes)
        self.n_features_in_ = len(names)
        self.feature_names_in_ = np.array(names, dtype=object)
        if classes is not None:
            self.classes_ = classes
        self._keep(answer)

    def _each(self: Any, X: Any, method: str, columns: Sequence[str]) -> Any:
        """Predict what is there, or each block of a dataset where it is."""
        if not isinstance(X, Dataset):
            return getattr(super(), method)(X)
        inputs = list(self.feature_names_in_)
        return X.map_batches(_predicted, fn_args=(self, method, inputs, list(columns)), batch_format="pandas")


class FSARegressor(_Fit, fsa_select.FSARegressor):
    """:class:`fsa_select.FSARegressor` for datasets of Ray. The parameters are the same."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: str | None = None, num_workers: int | None = None) -> FSARegressor:  # type: ignore[override]
        """Select features and learn a model on them.

        Parameters
        ----------
        X : ray.data.Dataset
            Samples with their targets. All columns but the target, the weights and the groups are features: categories if they hold texts, otherwise numbers.
        y : str
            The column of targets.
        sample_weight : str, optional
            The column of weights.
        groups : str, optional
            A column of labels: samples with the same label stay in one fold.
        num_workers : int, optional
            The number of actors, each with one processor; None takes one for each machine that holds blocks.

        Returns
        -------
        self : FSARegressor
            The fitted estimator.
        """
        _check(X, {"y": y, "sample_weight": sample_weight, "groups": groups}, num_workers)
        self._fit_blocks(X, {"y": y, "weight": sample_weight, "group": groups}, num_workers, self._checked_loss(), None)
        return self

    def predict(self, X: Any, offset: Any = None, exposure: Any = None) -> Any:
        """Predict the target of samples; of a dataset, a dataset with the column ``prediction``."""
        if offset is not None or exposure is not None:
            return super().predict(X, offset, exposure)
        return self._each(X, "predict", ["prediction"])


class FSAClassifier(_Fit, fsa_select.FSAClassifier):
    """:class:`fsa_select.FSAClassifier` for datasets of Ray. The parameters are the same."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: str | None = None, num_workers: int | None = None) -> FSAClassifier:  # type: ignore[override]
        """Select features and learn a model on them.

        Parameters
        ----------
        X : ray.data.Dataset
            Samples with their classes. All columns but the classes, the weights and the groups are features: categories if they hold texts, otherwise numbers.
        y : str
            The column of classes.
        sample_weight : str, optional
            The column of weights.
        groups : str, optional
            A column of labels: samples with the same label stay in one fold.
        num_workers : int, optional
            The number of actors, each with one processor; None takes one for each machine that holds blocks.

        Returns
        -------
        self : FSAClassifier
            The fitted estimator.
        """
        _check(X, {"y": y, "sample_weight": sample_weight, "groups": groups}, num_workers)
        classes = np.unique(np.asarray(X.unique(y)))
        if len(classes) < 2:
            raise ValueError(f"y has {len(classes)} class: at least two classes are needed to learn from")
        loss = self._checked_loss()
        if loss == "auto" and len(classes) > 2:
            loss = "multinomial"
        self._fit_blocks(X, {"y": y, "weight": sample_weight, "group": groups}, num_workers, loss, classes)
        return self

    def predict(self, X: Any, offset: Any = None) -> Any:
        """Predict the class of samples; of a dataset, a dataset with the column ``prediction``."""
        if offset is not None:
            return super().predict(X, offset)
        return self._each(X, "predict", ["prediction"])

    def predict_proba(self, X: Any, offset: Any = None) -> Any:
        """Predict probabilities of the classes; of a dataset, a dataset with one column for each class."""
        if offset is not None:
            return super().predict_proba(X, offset)
        return self._each(X, "predict_proba", [str(name) for name in self.classes_])


def _texts(X: Dataset) -> set[str]:
    """The columns of texts of a dataset."""
    schema = X.schema()
    return {name for name, kind in zip(schema.names, map(str, schema.types)) if kind.startswith(("string", "large_string", "dictionary", "object", "category", "str"))}


def _check(X: Any, roles: dict[str, Any], num_workers: int | None) -> None:
    if not isinstance(X, Dataset):
        raise ValueError("X is no dataset of Ray: give a ray.data.Dataset, or take the estimator of fsa_select itself")
    columns = X.columns()
    if not columns:
        raise ValueError("X has no rows")
    for name, value in roles.items():
        if (value is not None or name == "y") and value not in columns:
            raise ValueError(f"{name} = {value!r}: it must be a column of X")
    if num_workers is not None and num_workers < 1:
        raise ValueError(f"num_workers = {num_workers}: it must be at least 1")


def _predicted(part: Any, estimator: Any, method: str, inputs: list[str], columns: list[str]) -> dict[str, Any]:
    """The predictions for a batch of rows, which is a frame of pandas."""
    values = getattr(estimator, method)(part[inputs])
    return dict(zip(columns, values.reshape(len(part), -1).T))


_Part = list[tuple[int, Any]]
"""Blocks with their numbers."""


def _assign(blocks: list[Any], num_workers: int | None) -> list[tuple[str, _Part]]:
    """The machine of each worker by its address, and the blocks that it gets: those of its machine."""
    machines = {node["NodeID"]: node["NodeManagerAddress"] for node in ray.nodes() if node["Alive"]}
    found = get_object_locations(blocks)
    where = [next((machines[node] for node in found[block]["node_ids"] if node in machines), None) for block in blocks]
    held = sorted({machine for machine in where if machine is not None}) or sorted(machines.values())[:1]
    workers: list[tuple[str, _Part]] = [(held[i % len(held)], []) for i in range(num_workers or len(held))]
    for number, (block, machine) in enumerate(zip(blocks, where)):
        near = [part for at, part in workers if at == machine] or [part for _, part in workers]
        min(near, key=len).append((number, block))
    return [(machine, part) for machine, part in workers if part]


def _run(workers: list[tuple[str, _Part]], roles: dict[str, str | None], layout: Layout, options: dict[str, Any], classes: Any) -> Answer:
    """Let all workers fit together, each with its blocks."""
    group = placement_group([{"CPU": 1, f"node:{machine}": 0.001} for machine, _ in workers])
    actors: list[Any] = []
    try:
        ready, _ = ray.wait([group.ready()], timeout=_PATIENCE)
        if not ready:
            raise RuntimeError(f"the cluster has not {len(workers)} free processors on the machines of the blocks after {_PATIENCE:.0f} seconds: free some, or set num_workers")
        for index in range(len(workers)):
            placed = PlacementGroupSchedulingStrategy(group, placement_group_bundle_index=index)
            actors.append(_Worker.options(scheduling_strategy=placed).remote())  # type: ignore[attr-defined]
        opened = _get([actor.open.remote(part, roles, layout, classes) for actor, (_, part) in zip(actors, workers)])
        addresses, token = [address for address, _ in opened], new_token()
        left = [actor.fit.remote(layout, options, Place(rank, addresses, opened[rank][1], token)) for rank, actor in enumerate(actors)]
        answers: list[Answer] = []
        while left:
            done, left = ray.wait(left)
            answers += _get(done)
            if answers[-1]["event"] == "error":  # the others have failed with it, or are lost
                break
        model_of(answers)
        return next(answer for answer in answers if answer.get("model"))
    finally:
        closing = [actor.close.remote() for actor in actors]
        ray.wait(closing, num_returns=len(closing), timeout=5) if closing else None
        for actor in actors:
            ray.kill(actor)
        remove_placement_group(group)


def _get(refs: list[Any]) -> list[Any]:
    """The results of actors; their ValueErrors as such."""
    try:
        return list(ray.get(refs))
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, ValueError):
            raise ValueError(str(error.cause)) from None
        raise


@ray.remote(num_cpus=1, max_concurrency=2)
class _Worker:
    """A process on the machine of some blocks."""

    def __init__(self) -> None:
        self.folder = scratch()

    def _rows(self) -> str:
        return os.path.join(self.folder.name, "rows.arrow")

    def open(self, part: _Part, roles: dict[str, str | None], layout: Layout, classes: Any) -> tuple[str, int]:
        """Write the blocks, and open a port."""
        layout.write(self._rows(), (_columns(ray.get(block), number, roles, layout, classes) for number, block in part))
        return listen(get_node_ip_address())

    def fit(self, layout: Layout, options: dict[str, Any], place: Place) -> Answer:
        """Fit together with the other workers."""
        return fit_together(layout, self._rows(), options, place)

    def close(self) -> None:
        """Remove the rows and end the process of the program."""
        fsa_select.stop_service()
        self.folder.cleanup()


def _columns(block: Any, number: int, roles: dict[str, str | None], layout: Layout, classes: Any) -> list[Any]:
    """The columns of a block in the order of the file."""
    frame = BlockAccessor.for_block(block).to_pandas()
    return batch(Part(frame[layout.names], **{role: frame[name] for role, name in roles.items() if name is not None}), number, layout, classes)
