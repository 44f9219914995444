#!/usr/bin/env python3
"""Tests fits of arrays in the memory of a GPU, on a machine that has one:

    python3 scripts/device/arrays.py PROGRAM [ROWS]

It needs NumPy and the driver of CUDA, neither CuPy nor torch nor scikit-learn: it reads arrays as the
Python package does, and speaks to the service itself. ROWS is the size of the table whose times are
printed, of 1000 columns.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import types

import numpy as np

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python", "src", "fsa_select")
package = types.ModuleType("fsa_select")  # without what needs scikit-learn
package.__path__ = [SOURCES]
sys.modules["fsa_select"] = package

from fsa_select import _cuda  # noqa: E402

failed = 0


def check(what, good, more=""):
    global failed
    failed += not good
    print("PASS" if good else "FAIL", what, more, flush=True)


cu = ctypes.CDLL("libcuda.so.1")


def call(name, *arguments):
    code = getattr(cu, name)(*arguments)
    if code:
        raise SystemExit(f"{name}: error {code}")


class OnGPU:
    """A copy of an array on the GPU, as CuPy, Numba and torch show theirs."""

    def __init__(self, X, before=0, allocate=None):
        self.at = ctypes.c_uint64()
        call(*(allocate or ("cuMemAlloc_v2",)), ctypes.byref(self.at), ctypes.c_size_t(X.nbytes + before), *([None] if allocate else []))
        self.X, fortran = X, X.flags.f_contiguous and not X.flags.c_contiguous
        flat = X.ravel(order="F" if fortran else "C")
        call("cuMemcpyHtoD_v2", ctypes.c_uint64(self.at.value + before), ctypes.c_void_p(flat.ctypes.data), ctypes.c_size_t(X.nbytes))
        self.__cuda_array_interface__ = {"shape": X.shape, "typestr": X.dtype.str, "data": (self.at.value + before, False), "strides": X.strides if fortran else None, "version": 3}

    def free(self):
        call("cuMemFree_v2", self.at)


class Service:
    def __init__(self, program):
        self.process = subprocess.Popen([program, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        json.loads(self.process.stdout.readline())
        self.id, self.kept = 0, []

    def file(self, *arrays):
        f = tempfile.NamedTemporaryFile(dir="/dev/shm")
        for X in arrays:
            X.ravel(order="K").tofile(f)
        f.flush()
        self.kept.append(f)
        return {"path": f.name, "own": True}

    def send(self, X, y, **options):
        """Ask for a fit of an array here or on the GPU."""
        rows, columns = X.shape if isinstance(X, np.ndarray) else X.X.shape
        if isinstance(X, np.ndarray):
            files, kind, fortran = [self.file(y), self.file(X)], X.dtype, X.flags.f_contiguous and not X.flags.c_contiguous
        else:
            array = _cuda.Array(X)
            files, kind, fortran = [self.file(y), {"cuda": array.shared()}], array.dtype, array.fortran
        self.id += 1
        table = {
            "rows": rows, "columns": columns, "target": {"file": 0, "offset": 0, "type": "f8", "length": rows},
            "dense": {"file": 1, "offset": 0, "type": f"f{kind.itemsize}", "length": rows * columns, "fortran": bool(fortran)},
        }  # fmt: skip
        message = {"id": self.id, "op": "fit", "files": files, "table": table, "options": {"k": 5, "loss": "logistic", "quick": True, "bins": 0, "device": "cuda", "seed": 1, **options}}
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        return self.id

    def answer(self):
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("FAIL the service ended")
            answer = json.loads(line)
            if answer["event"] in ("done", "error"):
                return answer

    def fit(self, X, y, **options):
        begun = time.perf_counter()
        self.send(X, y, **options)
        answer = self.answer()
        for f in self.kept:
            f.close()
        self.kept = []
        answer["wall"] = time.perf_counter() - begun
        return answer


def table(rows, columns, seed, kind=np.float32):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, columns), np.float32).astype(kind, copy=False)
    z = X[:, 1] * 2 - X[:, 4] * 1.5 + X[:, 7] + X[:, 11] - X[:, 13] + rng.standard_normal(rows)
    return X, np.where(z > 0, 1.0, -1.0)


def same(one, other):
    """Whether two answers have the same model."""
    if "model" not in one or "model" not in other:
        return False, str(one.get("message")) + " / " + str(other.get("message"))
    if one["model"] == other["model"]:
        return True, ""
    a, b = json.loads(one["model"]), json.loads(other["model"])
    differ = [key for key in a if a[key] != b.get(key)]
    return not differ, f"differ in {differ}" + str([(a[k], b.get(k)) for k in differ])[:600]


def main(program, rows):
    service = Service(program)
    print("driver and device:", subprocess.run([program, "devices"], capture_output=True, text=True).stdout)
    call("cuInit", 0)
    context = ctypes.c_void_p()
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    call("cuCtxSetCurrent", context)

    for kind in (np.float32, np.float64):
        for columns in (40, 41):
            for order in "CF":
                for before in (0, 512):
                    X, y = table(5000, columns, 1, kind)
                    X = np.asarray(X, order=order)
                    G = OnGPU(X, before)
                    A = _cuda.Array(G)
                    what = f"{kind.__name__} {columns} columns, order {order}, {before} bytes before"
                    there = service.fit(G, y)
                    good, why = same(service.fit(X, y), there)
                    check(what, good, why)
                    check(what + ": read back", np.array_equal(A.copy(), X) and all(np.array_equal(A.column(j), X[:, j]) for j in (0, 5, columns - 1)))
                    G.free()

    X, y = table(20000, 200, 2)
    X[5, 7] = np.nan
    G = OnGPU(X)
    for options in ({}, {"loss": "squared", "quick": False, "k": 0}, {"batch": 1000}, {"storage": "bfloat16"}, {"bins": 5}, {"device": "cpu"}):
        good, why = same(service.fit(X, y, **options), service.fit(G, y, **options))
        check(f"a missing number, {options}", good, why)
    X[5, 7] = 0
    G.free()
    G = OnGPU(X)
    for options in ({"device_memory": 9 << 20}, {"device_memory": 4 << 20}, {"quick": False, "k": 0}):
        good, why = same(service.fit(X, y, **options), service.fit(G, y, **options))
        check(f"{options}: the same model (with little memory, it may differ)", good or "device_memory" in options, why)
        check(f"{options}: X is unchanged", np.array_equal(_cuda.Array(G).copy(), X))
    service.send(G, y)
    service.send(G, y)
    one, two = service.answer(), service.answer()
    check("two fits at once", *same(one, two))

    wrong = {"cuda": {**_cuda.Array(G).shared()}}
    wrong["cuda"]["handle"] = _cuda._text(ctypes.create_string_buffer(64))
    shared, _cuda.Array.shared = _cuda.Array.shared, lambda self: wrong["cuda"]
    answer = service.fit(G, y)
    _cuda.Array.shared = shared
    check("a wrong handle is refused", answer["event"] == "error", answer.get("message", ""))
    G.free()

    pool = ctypes.c_uint64()
    call("cuMemAllocAsync", ctypes.byref(pool), ctypes.c_size_t(1 << 20), None)
    P = OnGPU.__new__(OnGPU)
    P.X, P.__cuda_array_interface__ = np.zeros((64, 64), np.float32), {"shape": (64, 64), "typestr": "<f4", "data": (pool.value, False), "version": 3}
    try:
        _cuda.Array(P).shared()
        check("memory of a pool is refused", False)
    except ValueError as error:
        check("memory of a pool is refused", "cannot be shared" in str(error), str(error))
    check("memory of a pool is read", _cuda.Array(P).copy().shape == (64, 64))
    call("cuMemFreeAsync", pool, None)

    X, y = table(rows, 1000, 3)
    G = OnGPU(X)
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    times = {}
    for what, of in (("from the host", X), ("from the GPU", G), ("from the host, again", X), ("from the GPU, again", G)):
        least, end = [1 << 62], threading.Event()

        def watch():
            call("cuCtxSetCurrent", context)
            while not end.is_set():
                call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
                least[0] = min(least[0], free.value)
                time.sleep(0.003)

        call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        before = free.value
        watcher = threading.Thread(target=watch)
        watcher.start()
        a = service.fit(of, y, k=20)
        end.set()
        watcher.join()
        times[what] = a, (before - least[0]) / X.nbytes
        print(f"{what}: {a['wall']:.2f} s in all, reading {a.get('reading', 0):.2f} s, fit {a.get('seconds', 0):.2f} s; the fit takes {(before - least[0]) / 1e9:.2f} GB of the GPU, X has {X.nbytes / 1e9:.2f} GB", flush=True)
    check("the same model of many rows", *same(times["from the host"][0], times["from the GPU"][0]))
    check("X is not on the GPU twice", times["from the GPU, again"][1] < times["from the host, again"][1] - 0.8)
    check("X is unchanged", np.array_equal(_cuda.Array(G).copy(), X))
    service.process.stdin.close()
    check("the service ends", service.process.wait(30) == 0)
    print("FAILED" if failed else "ALL PASS", failed or "")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200_000))
