"""Arrays in the memory of a GPU: where they are, and their numbers for whoever needs some here.

A fit names their memory to the service, which opens it by CUDA's means of sharing memory between
processes. The driver is a library of the system, so that no other package is needed.
"""

from __future__ import annotations

import base64
import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from math import prod
from typing import Any

import numpy as np

from ._columns import Vector

_DLPACK_CUDA = 2  # kDLCUDA; arrays that are pinned or managed by CUDA are read as those of the CPU

_CODES = {0: "i", 1: "u", 2: "f", 6: "b"}  # of DLPack

_COPY = "copy it to the CPU, such as by X.cpu() in torch or cupy.asnumpy(X)"


def on_gpu(X: Any) -> bool:
    """Whether X is an array in the memory of a GPU of CUDA."""
    if isinstance(X, np.ndarray):
        return False
    if hasattr(X, "__dlpack_device__"):
        try:
            return int(X.__dlpack_device__()[0]) == _DLPACK_CUDA
        except (TypeError, ValueError, RuntimeError, BufferError):  # of Arrow, for arrays that are no numbers
            return False
    return hasattr(X, "__cuda_array_interface__")


def on_host(values: Any, called: str) -> Any:
    """A copy of values that are on a GPU, or else the values."""
    return Array(values, called).copy() if on_gpu(values) else values


class NotShareable(ValueError):
    """Memory of a GPU that other processes cannot open."""


class Array:
    """Numbers in the memory of a GPU: a table row after row or column after column, or a vector.

    Messages name it by what it is ``called``.
    """

    def __init__(self, X: Any, called: str = "X") -> None:
        self.of = X  # keeps the memory
        self.called = called
        self.name = type(X).__name__
        try:
            shape, kind, self.at, strides = self._interface(X) if _has_interface(X) else self._dlpack(X)
        except (BufferError, RuntimeError, TypeError) as error:
            raise ValueError(f"{called} is on a GPU and cannot be read as an array: {error} (it is a {self.name})") from error
        if kind[1] not in "biuf" or kind[0] == ">":
            raise ValueError(f"{called} is on a GPU and has the type {getattr(X, 'dtype', kind)}: convert it to float32 or float64 (it is a {self.name})")
        self.shape, self.dtype = shape, np.dtype(kind)
        self.size = prod(shape)
        self.nbytes = self.size * self.dtype.itemsize
        rows_first = _packed(shape, strides, self.dtype.itemsize)
        self.fortran = not rows_first and _packed(shape[::-1], strides[::-1] if strides else None, self.dtype.itemsize)
        self._step = strides[0] if strides and len(shape) == 1 and strides[0] > self.dtype.itemsize and shape[0] > 1 else None  # of a vector with gaps
        if not rows_first and not self.fortran and self._step is None:
            raise ValueError(f"{called} is on a GPU and has gaps between its numbers: make it contiguous, by {called}.contiguous() in torch or cupy.ascontiguousarray({called}) (it is a {self.name})")

    def _interface(self, X: Any) -> tuple[tuple[int, ...], str, int, tuple[int, ...] | None]:
        """What ``__cuda_array_interface__`` says."""
        said = X.__cuda_array_interface__
        if said.get("mask") is not None:
            raise ValueError(f"{self.called} is on a GPU and has a mask: fill masked numbers with NaN (it is a {self.name})")
        return tuple(int(n) for n in said["shape"]), str(said["typestr"]), int(said["data"][0]), said.get("strides")

    def _dlpack(self, X: Any) -> tuple[tuple[int, ...], str, int, tuple[int, ...] | None]:
        """What a capsule of DLPack says. It is not consumed, and frees the tensor with itself."""
        legacy_stream = 1
        self._capsule = capsule = X.__dlpack__(stream=legacy_stream)
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        t = _Tensor.from_address(get(capsule, b"dltensor"))
        shape = tuple(t.shape[: t.dimensions])
        size = t.bits // 8
        strides = tuple(size * n for n in t.strides[: t.dimensions]) if t.strides else None
        kind = f"<{_CODES.get(t.code, '?') if t.lanes == 1 else '?'}{size}"
        return shape, kind, (t.data or 0) + t.offset, strides

    def shared(self) -> dict[str, Any]:
        """The memory, as another process opens it."""
        driver = _driver()
        with driver.current(self.at):
            able = ctypes.c_uint(0)
            driver.call("cuPointerGetAttribute", ctypes.byref(able), _SHAREABLE, ctypes.c_uint64(self.at))
            number, device, uuid = ctypes.c_int(), ctypes.c_int(), ctypes.create_string_buffer(16)
            driver.call("cuPointerGetAttribute", ctypes.byref(number), _NUMBER, ctypes.c_uint64(self.at))
            driver.call("cuDeviceGet", ctypes.byref(device), number)
            driver.call("cuDeviceGetUuid_v2", uuid, device)
            base, size, handle = ctypes.c_uint64(), ctypes.c_size_t(), ctypes.create_string_buffer(64)
            try:
                if not able.value:
                    raise _Failed("cuPointerGetAttribute", "no memory of cuMemAlloc")
                driver.call("cuMemGetAddressRange_v2", ctypes.byref(base), ctypes.byref(size), ctypes.c_uint64(self.at))
                driver.call("cuIpcGetMemHandle", handle, base)
            except _Failed as error:
                raise NotShareable(
                    f"X is on a GPU, in memory that cannot be shared with another process ({error}), such as that of cudaMallocAsync, of managed or of virtual memory: "
                    f"let it be allocated by cudaMalloc, as torch without expandable_segments and cupy.cuda.MemoryPool() do, or {_COPY} (it is a {self.name})"
                ) from error
        return {"device": _text(uuid), "handle": _text(handle), "offset": self.at - base.value, "bytes": self.nbytes}

    def copy(self) -> Vector:
        """All numbers, in the memory of the CPU."""
        to = np.empty(self.shape, self.dtype, order="F" if self.fortran else "C")
        if self.size and self._step is not None:
            self._gather(to, self.at, self._step)
        elif self.size:
            driver = _driver()
            with driver.current(self.at):
                driver.call("cuMemcpyDtoH_v2", ctypes.c_void_p(to.ctypes.data), ctypes.c_uint64(self.at), ctypes.c_size_t(self.nbytes))
        return to

    def column(self, j: int) -> Vector:
        """A column, in the memory of the CPU. No others are read."""
        rows, width = self.shape
        size = self.dtype.itemsize
        to = np.empty(rows, self.dtype)
        if not rows:
            return to
        if not self.fortran:
            return self._gather(to, self.at + j * size, width * size)
        driver = _driver()
        with driver.current(self.at):
            driver.call("cuMemcpyDtoH_v2", ctypes.c_void_p(to.ctypes.data), ctypes.c_uint64(self.at + j * rows * size), ctypes.c_size_t(rows * size))
        return to

    def _gather(self, to: Vector, at: int, step: int) -> Vector:
        """Copy numbers that are a given number of bytes apart."""
        driver, size = _driver(), to.itemsize
        with driver.current(self.at):
            cells = _Copy(_Side(kind=2, device=at, stride=step), _Side(kind=1, host=to.ctypes.data, stride=size), size, len(to))
            driver.call("cuMemcpy2D_v2", ctypes.byref(cells))
        return to


def _has_interface(X: Any) -> bool:
    try:
        return hasattr(X, "__cuda_array_interface__")
    except RuntimeError:  # of torch, for a tensor that requires a gradient; DLPack has the better word
        return False


def _packed(shape: tuple[int, ...], strides: tuple[int, ...] | None, size: int) -> bool:
    """Whether numbers are stored one after the other, those of the last axis first."""
    if strides is None:
        return True
    for n, stride in zip(reversed(shape), reversed(strides)):
        if n > 1 and stride != size:
            return False
        size *= n
    return True


def _text(data: Any) -> str:
    return base64.b64encode(data.raw).decode()


class _Tensor(ctypes.Structure):
    """DLTensor, with which a DLManagedTensor begins."""

    _fields_ = (
        ("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("number", ctypes.c_int32), ("dimensions", ctypes.c_int32),
        ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64),
    )  # fmt: skip


class _Side(ctypes.Structure):
    """The source or the target of a copy of CUDA_MEMCPY2D."""

    _fields_ = (
        ("x", ctypes.c_size_t), ("y", ctypes.c_size_t), ("kind", ctypes.c_uint), ("host", ctypes.c_void_p),
        ("device", ctypes.c_uint64), ("array", ctypes.c_void_p), ("stride", ctypes.c_size_t),
    )  # fmt: skip


class _Copy(ctypes.Structure):
    """CUDA_MEMCPY2D."""

    _fields_ = (("source", _Side), ("target", _Side), ("bytes", ctypes.c_size_t), ("rows", ctypes.c_size_t))


# Attributes of a pointer.
_CONTEXT, _NUMBER, _SHAREABLE = 1, 9, 13


class _Failed(Exception):
    """A function of the driver failed."""

    def __init__(self, function: str, why: Any) -> None:
        super().__init__(f"{function}: {why}")


class _Driver:
    """The driver of CUDA."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL("nvcuda.dll" if os.name == "nt" else "libcuda.so.1")
        self.call("cuInit", ctypes.c_uint(0))

    def call(self, function: str, *arguments: Any) -> None:
        code = getattr(self.library, function)(*arguments)
        if code != 0:
            raise _Failed(function, f"error {code}")

    @contextmanager
    def current(self, at: int) -> Iterator[None]:
        """Make the context of a pointer current, and wait for what computes its numbers."""
        context, device, kept = ctypes.c_void_p(), ctypes.c_int(), False
        try:
            self.call("cuPointerGetAttribute", ctypes.byref(context), _CONTEXT, ctypes.c_uint64(at))
        except _Failed:
            context.value = None
        try:
            if not context.value:  # memory of a pool has no context
                number = ctypes.c_int()
                self.call("cuPointerGetAttribute", ctypes.byref(number), _NUMBER, ctypes.c_uint64(at))
                self.call("cuDeviceGet", ctypes.byref(device), number)
                self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
                kept = True
            self.call("cuCtxPushCurrent_v2", context)
            try:
                self.call("cuCtxSynchronize")
                yield
            finally:
                self.call("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))
        except _Failed as error:
            raise ValueError(f"X says that it is on a GPU, but its memory cannot be read there ({error}): {_COPY}") from error
        finally:
            if kept:
                self.call("cuDevicePrimaryCtxRelease_v2", device)


@cache
def _driver() -> _Driver:
    try:
        return _Driver()
    except (OSError, _Failed) as error:
        raise ValueError(f"X says that it is on a GPU, but the driver of CUDA cannot be used ({error}): {_COPY}") from error
