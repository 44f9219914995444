#!/usr/bin/env python3
"""Tests the Python package with arrays of torch, CuPy and JAX in the memory of a GPU, on a machine that has one:

    FSA_SELECT_PROGRAM=./fsa PYTHONPATH=python/src python3 scripts/device/frameworks.py [ROWS]

It needs scikit-learn and at least one of the three. The reference is the fit of the same numbers as an array
of NumPy, with device="cuda" too. ROWS is the size of the table whose times are printed, of 1000 columns.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import threading
import time
import traceback
import warnings

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import numpy as np
import sklearn

from fsa_select import FSAClassifier, FSARegressor, FSASelector, _cuda

failed = 0
only_here = "--no-gpu" in sys.argv  # tries this script itself, without a GPU


def check(what, good, more=""):
    global failed
    failed += not good
    print("PASS" if good else "FAIL", what, more, flush=True)


def bytes_of(model):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.json")
        model.save_model(path)
        with open(path, "rb") as f:
            return f.read()


def attempt(what, work):
    """Do some work whose error is a failure of the test, not the end of it."""
    try:
        work()
    except Exception as error:  # noqa: BLE001
        check(what, False, f"{type(error).__name__}: {error}")
        traceback.print_exc(limit=4, file=sys.stdout)


def refused(what, work, *words):
    """Work must be refused by a ValueError with some words."""
    try:
        work()
    except ValueError as error:
        check(what, all(w in str(error) for w in words), f"ValueError: {error}")
    except Exception as error:  # noqa: BLE001
        check(what, False, f"{type(error).__name__}: {error}")
    else:
        check(what, False, "nothing was refused")


class ByDLPack:
    """An array that is known by DLPack alone."""

    def __init__(self, X):
        self.X, self.shape = X, X.shape

    def __dlpack__(self, **how):
        return self.X.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.X.__dlpack_device__()


def packages():
    """What moves an array of NumPy to the GPU, by the name of the package."""
    found = {}
    if only_here:
        return {"numpy": lambda X: X}
    try:
        import torch

        def to_torch(X):
            T = torch.from_numpy(np.ascontiguousarray(X)).cuda()
            return T.t().contiguous().t() if X.ndim == 2 and X.flags.f_contiguous and not X.flags.c_contiguous else T

        found["torch"] = to_torch
        found["torch by DLPack"] = lambda X: ByDLPack(to_torch(X))
        print("torch", torch.__version__, torch.cuda.get_device_name(0))
    except ImportError as error:
        print("no torch:", error)
    try:
        import cupy

        found["cupy"] = lambda X: cupy.asarray(X, order="A")
        found["cupy by DLPack"] = lambda X: ByDLPack(cupy.asarray(X, order="A"))
        print("cupy", cupy.__version__)
    except ImportError as error:
        print("no cupy:", error)
    try:
        import jax

        jax.config.update("jax_enable_x64", True)
        if jax.devices()[0].platform == "gpu":
            found["jax"] = lambda X: jax.device_put(np.ascontiguousarray(X))
        print("jax", jax.__version__, jax.devices())
    except (ImportError, RuntimeError) as error:
        print("no jax:", error)
    return found


def table(rows, columns, seed, kind=np.float32):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, columns), np.float32).astype(kind, copy=False)
    z = X[:, 1] * 2 - X[:, 4] * 1.5 + X[:, 7] + X[:, 11] - X[:, 13] + rng.standard_normal(rows)
    return X, z


class Copies:
    """Counts the bytes that Python copies from the GPU."""

    def __enter__(self):
        self.bytes, self.call = 0, _cuda._Driver.call

        def call(driver, function, *arguments):
            if function == "cuMemcpyDtoH_v2":
                self.bytes += arguments[2].value
            elif function == "cuMemcpy2D_v2":
                self.bytes += arguments[0]._obj.bytes * arguments[0]._obj.rows
            return self.call(driver, function, *arguments)

        _cuda._Driver.call = call
        return self

    def __exit__(self, *_):
        _cuda._Driver.call = self.call


def shares(G):
    """Whether other processes can open the memory of an array."""
    try:
        return only_here or bool(_cuda.Array(G).shared())
    except _cuda.NotShareable:
        return False


def same_models(name, to):
    """Fits and predictions of an array equal those of NumPy."""
    device = {} if only_here else {"device": "cuda"}
    for kind in (np.float32, np.float64):
        for order in "CF":
            for estimator, options in ((FSARegressor, {"k": 5, "quick": True}), (FSAClassifier, {"k": 5, "quick": True}), (FSARegressor, {})):
                X, z = table(3000, 40, 1, kind)
                X = np.asarray(X, order=order)
                y = z if estimator is FSARegressor else z > 0
                what = f"{name}: {estimator.__name__} {options} of {np.dtype(kind)}, order {order}"

                def work():
                    here = estimator(**options, **device).fit(X, y)
                    G = to(X)
                    with Copies() as copied:
                        there = estimator(**options, **device).fit(G, y)
                    check(what, bytes_of(here) == bytes_of(there))
                    check(what + ": Python copies nothing of X", copied.bytes == 0 or not shares(G), f"{copied.bytes} bytes{'' if shares(G) else ', because other processes cannot open its memory'}")
                    with Copies() as copied:
                        check(what + ": predict", np.array_equal(here.predict(X), there.predict(G)))
                    most = len(there.selected_) * X.shape[0] * X.itemsize
                    check(what + ": predict copies its columns", copied.bytes <= most, f"{copied.bytes} of {X.nbytes} bytes")
                    if estimator is FSAClassifier:
                        check(what + ": predict_proba", np.array_equal(here.predict_proba(X), there.predict_proba(G)))
                    check(what + ": X is unchanged", only_here or np.array_equal(_cuda.Array(G).copy(), X))

                attempt(what, work)

    def others():
        X, z = table(3000, 40, 2)
        y = z > 0
        whole = (10 * X).astype(np.int64)
        check(f"{name}: int64", bytes_of(FSARegressor(k=5, quick=True, **device).fit(whole, z)) == bytes_of(FSARegressor(k=5, quick=True, **device).fit(to(whole), z)))
        for what, rows in (("y", lambda G: {"y": G}), ("sample_weight", lambda G: {"y": z, "sample_weight": G})):
            values = np.abs(z) if what == "sample_weight" else z
            one = FSARegressor(k=5, quick=True, **device).fit(X, **rows(values))
            two = FSARegressor(k=5, quick=True, **device).fit(to(X), **rows(to(values)))
            check(f"{name}: {what} on the GPU", bytes_of(one) == bytes_of(two))
        X[5, 7] = np.nan
        check(f"{name}: a missing number", bytes_of(FSAClassifier(k=5, quick=True, **device).fit(X, y)) == bytes_of(FSAClassifier(k=5, quick=True, **device).fit(to(X), y)))
        X[5, 7] = 0
        for more in ({"device": "cpu"}, {"device": "auto"}, {"bins": 5}, {"stability": 5}, {}):
            options = {"k": 5, "quick": True, **device, **more}
            if only_here:
                options.pop("device", None)
            check(f"{name}: {more}", bytes_of(FSAClassifier(**options).fit(X, y)) == bytes_of(FSAClassifier(**options).fit(to(X), y)))
        check(f"{name}: partial_fit", bytes_of(FSARegressor(k=5).partial_fit(X, z)) == bytes_of(FSARegressor(k=5).partial_fit(to(X), to(z))))
        here, there = FSARegressor(k=5, quick=True).fit(X, z), FSARegressor(k=5, quick=True).fit(to(X), z)
        check(f"{name}: score", here.score(X, z, np.abs(z)) == there.score(to(X), to(z), to(np.abs(z))))
        check(f"{name}: score of classes", FSAClassifier(k=5, quick=True).fit(X, y).score(X, y) == FSAClassifier(k=5, quick=True).fit(to(X), to(y)).score(to(X), to(y)))
        one, two = FSASelector(k=5).fit(X, y), FSASelector(k=5).fit(to(X), y)
        check(f"{name}: FSASelector", np.array_equal(one.get_support(), two.get_support()))
        part = to(X)
        part = getattr(part, "X", part)
        if "DLPack" not in name and name != "jax":  # rows of JAX are copies
            check(f"{name}: rows of a larger array", bytes_of(FSARegressor(k=5, quick=True, **device).fit(X[500:], z[500:])) == bytes_of(FSARegressor(k=5, quick=True, **device).fit(part[500:], z[500:])))

    attempt(f"{name}: other forms", others)

    def at_once():
        X, z = table(20000, 100, 3)
        want, G, got = bytes_of(FSARegressor(k=5, quick=True, **device).fit(X, z)), to(X), []
        threads = [threading.Thread(target=lambda: got.append(bytes_of(FSARegressor(k=5, quick=True, **device).fit(G, z)))) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        check(f"{name}: four fits at once", got == [want] * 4)

    attempt(f"{name}: four fits at once", at_once)


def of_torch():
    import torch

    X, z = table(3000, 40, 4)
    T = torch.from_numpy(X).cuda()
    fit = lambda X, **options: FSARegressor(k=5, quick=True, device="cuda", **options).fit(X, z)  # noqa: E731
    refused("torch: bfloat16", lambda: fit(T.bfloat16()), "float32")
    refused("torch: complex", lambda: fit(T.to(torch.complex64)), "float32")
    refused("torch: every second column", lambda: fit(T[:, ::2]), "contiguous")
    refused("torch: every second row", lambda: fit(T[::2]), "contiguous")
    refused("torch: an expanded row", lambda: fit(T[:1].expand(3000, 40)), "contiguous")
    refused("torch: one dimension", lambda: fit(T[:, 0]), "2D")
    refused("torch: three dimensions", lambda: fit(T.reshape(3000, 20, 2)), "dim")
    refused("torch: other rows than y", lambda: fit(T[:100]), "inconsistent numbers of samples")
    refused("torch: a gradient", lambda: fit(T.clone().requires_grad_()), "grad")
    refused("torch: sparse", lambda: fit(T.to_sparse()), "X")
    refused("torch: no numbers at all", lambda: fit(T.to("meta")), "X")
    model = fit(T)
    check("torch: float16", bytes_of(fit(T.half())) == bytes_of(fit(X.astype(np.float16))))
    z = torch.from_numpy(z).cuda()
    V = torch.stack([z, z], dim=1)
    check("torch: y is a column with gaps", bytes_of(fit(T)) == bytes_of(model) and bytes_of(FSARegressor(k=5, quick=True, device="cuda").fit(T, V[:, 0])) == bytes_of(model))
    z = z.cpu().numpy()
    refused("torch: predict of other columns", lambda: model.predict(T[:, :5].contiguous()), "5 features")
    check("torch: pinned memory of the CPU", bytes_of(fit(torch.from_numpy(X).pin_memory())) == bytes_of(model))
    check("torch: a tensor of the CPU", bytes_of(fit(torch.from_numpy(X))) == bytes_of(model))
    check("torch: permuted twice", bytes_of(fit(T.t().t())) == bytes_of(model))

    side, late = torch.cuda.Stream(), torch.zeros_like(T)
    big = torch.randn(8192, 8192, device="cuda")
    torch.cuda.synchronize()
    with torch.cuda.stream(side):  # is written long after fit was called
        for _ in range(100):
            big = (big @ big) * 1e-4
        late.copy_(T)
    check("torch: written by another stream that is still busy", bytes_of(fit(late)) == bytes_of(model))

    del late, big
    free = lambda: (torch.cuda.synchronize(), torch.cuda.empty_cache(), torch.cuda.mem_get_info()[0])[-1]  # noqa: E731
    before = free()
    large = torch.randn(100_000, 1000, device="cuda")
    FSARegressor(k=5, quick=True, device="cuda").fit(large, np.arange(100_000.0))
    del large
    time.sleep(1)
    check("torch: the memory of an array that was fitted is free again", before - free() < 100e6, f"{(before - free()) / 1e6:.0f} MB of 400 are not")


def of_cupy():
    import cupy

    X, z = table(3000, 40, 4)
    G = cupy.asarray(X)
    fit = lambda X, **options: FSARegressor(k=5, quick=True, device="cuda", **options).fit(X, z)  # noqa: E731
    model = fit(G)
    check("cupy: float16", bytes_of(fit(G.astype(cupy.float16))) == bytes_of(fit(X.astype(np.float16))))
    refused("cupy: complex", lambda: fit(G.astype(cupy.complex64)), "float32")
    refused("cupy: every second column", lambda: fit(G[:, ::2]), "ascontiguousarray")
    refused("cupy: rows backwards", lambda: fit(G[::-1]), "ascontiguousarray")
    refused("cupy: other rows than y", lambda: fit(G[:100]), "inconsistent numbers of samples")
    side = cupy.cuda.Stream(non_blocking=True)
    late, big = cupy.zeros_like(G), cupy.random.standard_normal((8192, 8192), dtype=cupy.float32)
    cupy.cuda.Device().synchronize()
    with side:
        for _ in range(100):
            big = (big @ big) * np.float32(1e-4)
        late[...] = G
    check("cupy: written by another stream that is still busy", bytes_of(fit(late)) == bytes_of(model))
    late = big = None
    for what, pool in (("of MemoryAsyncPool", cupy.cuda.MemoryAsyncPool().malloc), ("managed by CUDA", cupy.cuda.malloc_managed)):
        old = cupy.cuda.get_allocator()
        cupy.cuda.set_allocator(pool)
        try:
            other = cupy.asarray(X)
        finally:
            cupy.cuda.set_allocator(old)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            check(f"cupy: memory {what}", bytes_of(fit(other)) == bytes_of(model), "; ".join(str(w.message) for w in said))
        check(f"cupy: predict, memory {what}", np.array_equal(model.predict(other), model.predict(X)))
        other = None


def speed(rows, packages):
    X, z = table(rows, 1000, 5)
    y = z > 0
    print(f"\n{rows} × 1000 float32, FSAClassifier(k=20, quick=True, device='cuda'), seconds of fit(), in turn:")
    of = {"numpy": X} | {name: packages[name](X) for name in ("torch", "cupy") if name in packages}
    times, models = {name: [] for name in of}, {}
    for repeat in range(6):
        for name, A in of.items():
            begun = time.perf_counter()
            model = FSAClassifier(k=20, quick=True, **({} if only_here else {"device": "cuda"})).fit(A, y)
            times[name].append((time.perf_counter() - begun, model._seconds["reading"], model._seconds["fit"]))
            models[name] = bytes_of(model)
    for name, all_times in times.items():
        kept = all_times[1:]  # the first one starts the service or opens the device
        middle = [statistics.median(t[i] for t in kept) for i in range(3)]
        print(f"{name}: fit() {middle[0]:.2f} s ({min(t[0] for t in kept):.2f} to {max(t[0] for t in kept):.2f}), of which reading {middle[1]:.2f} and the fit {middle[2]:.2f}; the first time {all_times[0][0]:.2f}", flush=True)
        check(f"{name}: the model of NumPy", models[name] == models["numpy"])
    model = FSAClassifier(k=20, quick=True).fit(X[:5000], y[:5000])
    for name, A in of.items():
        begun = time.perf_counter()
        for _ in range(5):
            model.predict(A)
        print(f"{name}: predict {(time.perf_counter() - begun) / 5:.3f} s")


def main(rows):
    warnings.simplefilter("ignore")
    print("Python", sys.version.split()[0], "NumPy", np.__version__, "scikit-learn", sklearn.__version__)
    found = packages()
    for name, to in found.items():
        same_models(name, to)
    if "torch" in found:
        attempt("torch: what is refused", of_torch)
    if "cupy" in found:
        attempt("cupy: what is refused", of_cupy)
    speed(rows, found)
    print("FAILED" if failed else "ALL PASS", failed or "")
    return 1 if failed else 0


if __name__ == "__main__":
    sizes = [int(a) for a in sys.argv[1:] if a.isdigit()]
    sys.exit(main(sizes[0] if sizes else 200_000))
