"""Arrays in the memory of a GPU. The driver of these tests has its memory here; scripts/device/arrays.py has a real one."""

from __future__ import annotations

import ctypes
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from fsa_select import FSAClassifier, FSARanker, FSARegressor, FSASurvival, ServiceError, _cuda, _tables


class Driver:
    """A driver whose addresses are those of this process."""

    def current(self, at: int) -> Any:
        return nullcontext()

    def call(self, function: str, *arguments: Any) -> None:
        if function == "cuMemcpyDtoH_v2":
            to, at, size = (a.value for a in arguments)
            ctypes.memmove(to, at, size)
        elif function == "cuMemcpy2D_v2":
            copy = arguments[0]._obj
            for row in range(copy.rows):
                ctypes.memmove(copy.target.host + row * copy.target.stride, copy.source.device + row * copy.source.stride, copy.bytes)
        elif function == "cuPointerGetAttribute":
            arguments[0]._obj.value = int(arguments[1] == _cuda._SHAREABLE)
        elif function == "cuMemGetAddressRange_v2":
            arguments[0]._obj.value = arguments[2].value - 256
        elif function == "cuIpcGetMemHandle":
            arguments[0].raw = bytes(range(64))


@pytest.fixture
def driver(monkeypatch: Any) -> None:
    monkeypatch.setattr(_cuda, "_driver", Driver)


class OnGPU:
    """An array as CuPy and Numba show theirs."""

    def __init__(self, X: Any, **said: Any) -> None:
        self.X, self.shape = X, X.shape
        strides = None if X.flags.c_contiguous else X.strides
        self.__cuda_array_interface__ = {"shape": X.shape, "typestr": X.dtype.str, "data": (X.ctypes.data, False), "strides": strides, "version": 3, **said}


class Capsule:
    """An array that other packages know by DLPack alone."""

    def __init__(self, X: Any) -> None:
        self.X, self.shape = X, X.shape

    def __dlpack__(self, stream: int) -> Any:
        return self.X.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0


FORMS = [
    lambda X: X,
    lambda X: X.astype(np.float32),
    np.asfortranarray,
    lambda X: np.asfortranarray(X.astype(np.float32)),
    lambda X: X[:, :1].copy(),
    lambda X: X[:1],
    lambda X: (10 * X).astype(np.int64),
    lambda X: X > 0,
]


@pytest.mark.parametrize("wrap", [OnGPU, Capsule])
@pytest.mark.parametrize("form", FORMS)
def test_numbers_are_read(numbers: Any, driver: None, wrap: Any, form: Any) -> None:
    X = form(numbers[0])
    array = _cuda.Array(wrap(X))
    assert array.shape == X.shape and array.dtype == X.dtype and array.at == X.ctypes.data
    np.testing.assert_array_equal(array.copy(), X)
    for j in range(X.shape[1]):
        np.testing.assert_array_equal(array.column(j), X[:, j])


def test_memory_is_named(numbers: Any, driver: None) -> None:
    X = np.asfortranarray(numbers[0].astype(np.float32))
    table = _tables.read(FSARegressor(), OnGPU(X), reset=True)
    shared = table.files()[0]["cuda"]
    assert shared["offset"] == 256 and shared["bytes"] == X.nbytes and len(shared["handle"]) == 88
    assert table.write(None) == {"dense": {"file": 1, "offset": 0, "type": "f4", "length": X.size, "fortran": True}}  # type: ignore[arg-type]


def test_service_opens_the_memory(numbers: Any, driver: None) -> None:
    X, y = numbers
    with pytest.raises(ServiceError, match="the memory of X on the GPU cannot be read: .*copy it to the CPU"):  # a device of no UUID
        FSARegressor(k=3).fit(OnGPU(X), y)
    assert FSARegressor(k=3).fit(X, y).n_features_in_ == 12


def test_selected_columns_are_read(numbers: Any, driver: None, monkeypatch: Any) -> None:
    X, y = numbers
    model = FSARegressor(k=3, quick=True).fit(X, OnGPU(y))
    monkeypatch.setattr(_cuda.Array, "copy", None)
    np.testing.assert_array_equal(model.predict(OnGPU(X)), model.predict(X))
    with pytest.raises(ValueError, match="X has 5 features, but FSARegressor is expecting 12"):
        model.predict(OnGPU(X[:, :5].copy()))


def test_other_numbers_are_copied(numbers: Any, driver: None) -> None:
    X, y = numbers
    whole, labels = (10 * X).astype(np.int64), (y > 0).astype(np.int64)
    weight = np.linspace(1, 2, len(y))
    for options in ({}, {"categorical_features": [11]}):
        want = FSAClassifier(k=3, quick=True, **options).fit(whole, labels, weight)
        assert FSAClassifier(k=3, quick=True, **options).fit(OnGPU(whole), OnGPU(labels), OnGPU(weight)).model_ == want.model_
    np.testing.assert_array_equal(FSARegressor(k=3).partial_fit(OnGPU(X), OnGPU(y)).selected_, [1, 4, 7])


def test_what_cannot_be_read(numbers: Any, driver: None, monkeypatch: Any) -> None:
    X, y = numbers

    class Gradient(Capsule):
        @property
        def __cuda_array_interface__(self) -> Any:
            raise RuntimeError("it requires a gradient")

        def __dlpack__(self, stream: int) -> Any:
            raise BufferError("use tensor.detach()")

    for wrong, says in (
        (OnGPU(X[:, ::2]), "gaps between its numbers: make it contiguous"),
        (OnGPU(X, mask=True), "has a mask"),
        (OnGPU(X, typestr=">f8"), "has the type >f8: convert it"),
        (OnGPU(X, typestr="<c8"), "has the type <c8: convert it"),
        (Gradient(X), r"use tensor.detach\(\)"),
        (OnGPU(y), "Expected 2D array, got 1D array"),
        (OnGPU(X[:1]), "minimum of 2"),
    ):
        with pytest.raises(ValueError, match=says):
            FSARegressor(k=3).fit(wrong, y)
    call = Driver.call

    def not_shareable(self: Driver, function: str, *arguments: Any) -> None:
        if function != "cuPointerGetAttribute":
            call(self, function, *arguments)

    monkeypatch.setattr(Driver, "call", not_shareable)
    with pytest.warns(UserWarning, match="memory that cannot be shared with another process .*let it be allocated by cudaMalloc.*It is copied now"):
        model = FSARegressor(k=3).fit(OnGPU(X), y)
    assert model.model_ == FSARegressor(k=3).fit(X, y).model_


@pytest.mark.parametrize("wrap", [OnGPU, Capsule])
def test_vectors_are_read(numbers: Any, driver: None, wrap: Any) -> None:
    X, y = numbers
    X = np.column_stack([X, y, y > 0, np.arange(len(y)) // 10])
    here, there = (tuple(of(X[:, j]) for j in (12, 13, 14)) for of in (np.array, wrap))
    np.testing.assert_array_equal(_cuda.on_host(there[0], "y"), y)
    model = FSARegressor(k=3, quick=True).fit(X[:, :12], there[0])
    assert model.score(X[:, :12], there[0], there[1]) == model.score(X[:, :12], here[0], here[1])
    classes = FSAClassifier(k=3, quick=True).fit(X[:, :12], there[1], offset=there[0])
    assert classes.score(X[:, :12], there[1], offset=there[0]) == classes.score(X[:, :12], here[1], offset=here[0])
    ranker = FSARanker(k=3, quick=True).fit(X[:, :12], there[0], qid=there[2])
    assert ranker.score(X[:, :12], there[0], qid=there[2]) == ranker.score(X[:, :12], here[0], qid=here[2])
    life = (wrap(np.exp(y)), there[1])
    survival = FSASurvival(k=3, quick=True).fit(X[:, :12], life)
    assert survival.score(X[:, :12], life, strata=there[2]) == survival.score(X[:, :12], (np.exp(y), here[1]), strata=here[2])
    with pytest.raises(ValueError, match=r"y is on a GPU and has gaps between its numbers: .* y.contiguous\(\)"):
        FSARegressor(k=3).fit(X[:, :12], wrap(X[:, 12:14]))


def test_without_a_driver(numbers: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(_cuda.ctypes, "CDLL", lambda name: ctypes.cdll.LoadLibrary("none.so"))
    _cuda._driver.cache_clear()
    with pytest.raises(ValueError, match=r"the driver of CUDA cannot be used .*copy it to the CPU, such as by X.cpu\(\)"):
        FSARegressor(k=3).fit(OnGPU(numbers[0]), numbers[1])
