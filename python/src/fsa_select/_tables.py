"""X in any form: how it is sent to the service, and its columns for predictions."""

from __future__ import annotations

import mmap
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import validate_data

from . import _arrow, _columns, _cuda, _parameters
from ._columns import Column, Vector
from ._errors import warn
from ._model import Variable
from ._shared import Array, Shared

# Memory-mapped arrays of so many bytes are read by the service where they lie. Smaller
# ones are copied, which costs nothing and is safe from whoever writes to the file.
_LARGE = 1 << 20

# Devices of DLPack whose memory the CPU reads: its own, and what CUDA or ROCm pin or manage there.
_HOST_DEVICES = (1, 3, 11, 13)


class Table(ABC):
    """Rows for a fit or a prediction."""

    rows: int
    width: int
    names: list[str] | None = None  # that go to the service
    orders: Mapping[str, list[str]] = MappingProxyType({})  # categories of features from the lowest to the highest, if they have an order

    @abstractmethod
    def write(self, shared: Shared) -> dict[str, Any]:
        """Write the numbers to a shared file and return their location."""

    def files(self) -> list[dict[str, Any]]:
        """Further files that the service must map."""
        return []

    def levels(self, name: str) -> list[str]:
        """The categories of a feature that occur."""
        raise KeyError(name)

    @abstractmethod
    def column(self, variable: Variable, place: int) -> Column:
        """The column of a variable of a model, given its feature index."""

    @abstractmethod
    def take(self, order: Vector) -> Table:
        """The given rows, in any order, possibly repeated."""


class Dense(Table):
    """An array of two dimensions, whose columns may have names."""

    def __init__(self, X: Vector, names: list[str] | None) -> None:
        self.X = X
        self.rows, self.width = X.shape
        self.names = names
        self._mapped = _mapped(X)

    def files(self) -> list[dict[str, Any]]:
        if self._mapped is None:
            return []
        return [{"path": self._mapped[0], "own": False}]

    def write(self, shared: Shared) -> dict[str, Any]:
        fortran = self.X.flags.f_contiguous and not self.X.flags.c_contiguous
        if self._mapped is None:
            place = shared.add(self.X)
        else:
            kind = {4: "f4", 8: "f8"}[self.X.itemsize]
            place = {"file": 1, "offset": self._mapped[1], "type": kind, "length": int(self.X.size)}
        return {"dense": {**place, "fortran": bool(fortran)}}

    def copied(self) -> Dense:
        """The same, as a copy."""
        to = Dense(self.X, self.names)
        to._mapped = None
        return to

    def column(self, variable: Variable, place: int) -> Column:
        return Column(variable.name, self.X[:, place])

    def take(self, order: Vector) -> Table:
        return Dense(self.X[order], self.names)


class _OnGPU(Table):
    """An array of two dimensions in the memory of a GPU."""

    def __init__(self, X: _cuda.Array) -> None:
        self.X = X
        self.rows, self.width = X.shape

    def files(self) -> list[dict[str, Any]]:
        return [{"cuda": self.X.shared()}]

    def write(self, shared: Shared) -> dict[str, Any]:
        return {"dense": {"file": 1, "offset": 0, "type": f"f{self.X.dtype.itemsize}", "length": self.X.size, "fortran": self.X.fortran}}

    def column(self, variable: Variable, place: int) -> Column:
        return Column(variable.name, self.X.column(place))

    def take(self, order: Vector) -> Table:
        return Dense(self.X.copy()[order], None)


class _Sparse(Table):
    def __init__(self, X: Any, names: list[str] | None) -> None:
        self.X = X
        self.rows, self.width = X.shape
        self.names = names
        self._by_column: Any = None

    def write(self, shared: Shared) -> dict[str, Any]:
        X = self.X
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        return {
            "sparse": {
                "columns": X.format == "csc",
                "start": shared.add(X.indptr.astype(np.int64, copy=False)),
                "index": shared.add(X.indices.astype(np.int32, copy=False)),
                "value": shared.add(np.ascontiguousarray(X.data)),
            }
        }

    def column(self, variable: Variable, place: int) -> Column:
        if self._by_column is None:
            self._by_column = self.X.tocsc()
        cells = self._by_column[:, [place]].toarray()[:, 0]
        return Column(variable.name, cells)

    def take(self, order: Vector) -> Table:
        return _Sparse(self.X.tocsr()[order], self.names)


class _Frame(Table):
    def __init__(self, rows: int, columns: list[Column], width: int, orders: Mapping[str, list[str]]) -> None:
        self.rows, self.width = rows, width
        self.columns, self.orders = columns, orders
        self.names = [c.name for c in columns]
        self._found = {name: j for j, name in enumerate(self.names)}

    def write(self, shared: Shared) -> dict[str, Any]:
        each = []
        for c in self.columns:
            place = shared.add(np.ascontiguousarray(c.values))
            if c.levels is not None:
                place = {**place, "levels": c.levels}
            if c.kind is not None:
                place = {**place, "kind": c.kind}
            each.append(place)
        return {"each": each}

    def levels(self, name: str) -> list[str]:
        return self.columns[self._found[name]].levels or []

    def column(self, variable: Variable, place: int) -> Column:
        return self.columns[self._found[variable.name]]

    def take(self, order: Vector) -> Table:
        return _Frame(len(order), [Column(c.name, c.values[order], c.levels, c.kind) for c in self.columns], self.width, self.orders)


def _mapped(X: Vector) -> tuple[str, int] | None:
    """The file that contains the whole array, and its offset; None if there is no such file."""
    if X.nbytes < _LARGE or not (X.flags.c_contiguous or X.flags.f_contiguous):
        return None
    root: Any = X
    while isinstance(root.base, np.ndarray):
        root = root.base
    if not isinstance(root, np.memmap) or not isinstance(root.base, mmap.mmap) or root.mode == "c" or root.filename is None:
        return None
    path = os.fspath(root.filename)
    if not os.path.isabs(path) or not os.path.exists(path):
        return None
    return path, int(root.offset) + X.ctypes.data - root.ctypes.data


def read(estimator: Any, X: Any, *, reset: bool, needed: list[Variable] | None = None) -> Table:
    """Check X like scikit-learn, and determine its form.

    ``needed`` are the variables of a model: of a frame, only their columns are read.
    """
    if type(X).__module__.split(".")[0] == "polars" and hasattr(X, "collect"):
        X = X.collect()  # a LazyFrame
    frame = _frame(X)
    if frame is not None:
        return _read_frame(estimator, X, frame, reset, needed)
    if _cuda.on_gpu(X) and getattr(estimator, "categorical_features", None) is None:
        array = _cuda.Array(X)
        if array.dtype in (np.float32, np.float64):
            _checked(estimator, np.broadcast_to(np.zeros((), array.dtype), array.shape), reset)  # its shape
            table = _OnGPU(array)
            try:
                if reset:
                    table.files()
            except _cuda.NotShareable as error:
                warn(f"{error}. It is copied now")
                return Dense(array.copy(), None)
            return table
    try:
        X = _checked(estimator, host(X), reset)
    except ValueError as error:
        if "could not convert string" not in str(error):
            raise
        raise ValueError(f"X holds texts ({error}): give a frame of pandas or polars, whose columns of texts become categories") from error
    names = getattr(estimator, "feature_names_in_", None)
    names = None if names is None else list(names)
    categories = _categories(estimator, names, X.shape[1])
    if categories:
        if sp.issparse(X):
            raise ValueError("categorical_features is for dense tables, and X is sparse")
        called = names or [f"x{j}" for j in range(X.shape[1])]
        columns = [Column(name, np.asarray(X[:, j])) for j, name in enumerate(called)]
        return _Frame(X.shape[0], [_columns.coded(c) if j in categories else c for j, c in enumerate(columns)], X.shape[1], {})
    if sp.issparse(X):
        return _Sparse(X, names)
    return Dense(np.asarray(X), names)


def _checked(estimator: Any, X: Any, reset: bool) -> Any:
    """X as scikit-learn returns it, which learns its width and its names, or compares them."""
    return validate_data(
        estimator,
        X,
        accept_sparse=["csr", "csc"],
        dtype=[np.float64, np.float32],
        ensure_all_finite=False,  # the service looks at every number anyway
        reset=reset,
        ensure_min_samples=2 if reset else 1,
    )


def host(X: Any) -> Any:
    """X as an array of NumPy, which shares the memory of a tensor of another package; that of a GPU is copied."""
    if isinstance(X, np.ndarray):
        return X
    if _cuda.on_gpu(X):
        return _cuda.Array(X).copy()
    if not hasattr(X, "__dlpack_device__"):
        return X
    try:
        device = int(X.__dlpack_device__()[0])
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise ValueError(f"X cannot be read as an array: {error} (it is a {type(X).__name__})") from error
    if device not in _HOST_DEVICES:
        raise ValueError(f"X is on a device that is neither the CPU nor a GPU of CUDA: copy it to the CPU, such as by X.cpu() in torch (it is a {type(X).__name__})")
    try:
        return np.from_dlpack(X)
    except (BufferError, RuntimeError) as error:
        raise ValueError(f"X cannot be read as an array: {error}") from error


def _frame(X: Any) -> str | None:
    """The kind of frame X is, if scikit-learn cannot convert it."""
    if _columns.is_pandas(X):
        if not X.columns.is_unique:
            raise ValueError(f"two columns of X are called {_columns._twice([str(name) for name in X.columns])!r}: rename one")
        return None if _columns.plain(X) and X.shape[1] > 0 else "pandas"
    return "arrow" if _arrow.is_table(X) else None


def _read_frame(estimator: Any, X: Any, kind: str, reset: bool, needed: list[Variable] | None) -> Table:
    all_names = [str(name) for name in X.columns] if kind == "pandas" else _arrow.column_names(X)
    if len(set(all_names)) < len(all_names):
        raise ValueError(f"two columns of X are called {_columns._twice(all_names)!r}: rename one")
    if not all_names:
        raise ValueError("Found array with 0 feature(s): X must have at least one column")
    if reset:
        estimator.n_features_in_ = len(all_names)
        if kind == "arrow" or all(isinstance(name, str) for name in X.columns):
            estimator.feature_names_in_ = np.array(all_names, dtype=object)
        elif hasattr(estimator, "feature_names_in_"):
            del estimator.feature_names_in_
    else:
        _check_names(estimator, all_names)
    wanted = None if needed is None else {v.name for v in needed}

    def only(name: str) -> bool:
        return wanted is None or name in wanted

    if kind == "pandas":
        rows, columns = len(X), _columns.from_pandas(X, only)
    else:
        rows, columns = _arrow.read(X, only)
    if rows < (2 if reset else 1):
        raise ValueError(f"Found array with {rows} sample(s) in X, while a minimum of {2 if reset else 1} is required.")
    categories = {all_names[j] for j in _categories(estimator, all_names, len(all_names))}
    return _Frame(rows, [_columns.coded(c) if c.name in categories else c for c in columns], len(all_names), _orders(X, kind))


def _orders(X: Any, kind: str) -> dict[str, list[str]]:
    """The categories of ordered categories of pandas and Arrow, and of Enums of polars."""
    found: dict[str, Any] = {}
    if kind == "pandas":
        found = {str(name): of.categories for name, of in zip(X.columns, X.dtypes, strict=True) if getattr(of, "ordered", False)}
    elif isinstance(getattr(X, "schema", None), Mapping):  # polars
        found = {name: of.categories for name, of in X.schema.items() if type(of).__name__ == "Enum"}
    else:  # pyarrow, where each chunk has its categories
        for field in getattr(X, "schema", ()):
            if getattr(getattr(field, "type", None), "ordered", False):
                chunks = [chunk.dictionary.to_pylist() for chunk in getattr(X.column(field.name), "chunks", [X.column(field.name)])]
                if chunks and all(chunk == chunks[0] for chunk in chunks):
                    found[field.name] = chunks[0]
    return {name: [str(category) for category in categories] for name, categories in found.items()}


def _categories(estimator: Any, names: list[str] | None, width: int) -> set[int]:
    """Positions of the features that are categories although they hold numbers."""
    places = set()
    for feature in _parameters.features("categorical_features", getattr(estimator, "categorical_features", None)) or ():
        if names is not None and feature in names:
            places.add(names.index(feature))
        elif feature.isdecimal() and int(feature) < width:
            places.add(int(feature))
        else:
            raise ValueError(f"categorical_features has {feature!r}, which is no feature of X")
    return places


def _check_names(estimator: Any, names: list[str]) -> None:
    known = getattr(estimator, "feature_names_in_", None)
    if known is None:
        if len(names) != estimator.n_features_in_:
            raise ValueError(f"X has {len(names)} features, but {type(estimator).__name__} is expecting {estimator.n_features_in_} features as input")
        return
    if list(known) == names:
        return
    unseen, lacking = sorted(set(names) - set(known)), sorted(set(known) - set(names))
    parts = ["The feature names should match those that were passed during fit."]
    if unseen:
        parts.append("Feature names unseen at fit time: " + ", ".join(unseen[:5]))
    if lacking:
        parts.append("Feature names seen at fit time, yet now missing: " + ", ".join(lacking[:5]))
    if not unseen and not lacking:
        parts.append("Feature names must be in the same order as they were in fit.")
    raise ValueError("\n".join(parts))


def vector(shared: Shared, values: Vector, levels: list[str] | None = None) -> Array:
    """Write a target, weights or queries, and return their location."""
    place = shared.add(values)
    return place if levels is None else {**place, "levels": levels}
