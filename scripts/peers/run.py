"""Fits the models that fsa is compared with.

Reads one request a line from standard input, its fields separated by tabs:

    method  task  k  threads  X.npy  y.npy

and answers each with two lines of JSON on standard output: {"ready": true} when
the data is loaded and the clock starts, then {"seconds": ..., "selected": [...]}
or {"error": "..."}. The first line of all, before any request, tells which
methods there are. Only the call that fits is timed. Methods that choose how many
columns to select pass k over.
"""

import importlib.metadata
import json
import os
import sys
import time
import warnings

PACKAGES = {  # the package of each method
    "abess": "abess",
    "rfe": "scikit-learn",
    "liblinear": "scikit-learn",
    "lasso": "scikit-learn",
    "skglm": "skglm",
    "abess-cv": "abess",
    "abess-gic": "abess",
    "l1-cv": "scikit-learn",
    "rfe-cv": "scikit-learn",
}
FOLDS, MOST = 10, 100  # of those that choose how many columns to select, and the most
BISECTIONS = 10  # after which k is matched by cutting off the smallest


def wake_blas():
    """Starts again with AVX-512 if BLAS took this processor for an older one."""
    try:
        import numpy  # noqa: F401: loads BLAS
        from threadpoolctl import threadpool_info

        cpu = open("/proc/cpuinfo").read()
    except (ImportError, OSError):
        return
    new = {"SkylakeX", "Cooperlake", "SapphireRapids", "Zen"}
    known = {i.get("architecture") for i in threadpool_info() if i.get("internal_api") == "openblas"}
    if "avx512f" in cpu and known - new and "OPENBLAS_CORETYPE" not in os.environ:
        os.environ["OPENBLAS_CORETYPE"] = "SkylakeX"
        os.execv(sys.executable, [sys.executable, *sys.argv])


def bound_memory():
    """Makes a fit that needs more memory than is free fail, and not the machine."""
    try:
        import resource

        free = kilobytes("/proc/meminfo", "MemAvailable")
        mine = kilobytes("/proc/self/status", "VmData")
        resource.setrlimit(resource.RLIMIT_DATA, ((mine + free * 9 // 10) << 10, resource.RLIM_INFINITY))
    except (ImportError, OSError, ValueError):
        pass  # not a system that can be asked


def kilobytes(path, key):
    for line in open(path):
        if line.startswith(key + ":"):
            return int(line.split()[1])
    raise ValueError(f"{path} has no {key}")


def strongest(coef, k):
    """The k largest coefficients, or fewer if fewer are not zero."""
    import numpy as np

    size = np.abs(np.ravel(coef))
    order = np.argsort(-size, kind="stable")[:k]
    return sorted(int(j) for j in order if size[j] > 0)


def match(fit, start, k):
    """Bisects the penalty for k nonzero coefficients.

    Goes down from the penalty at which the first coefficient appears, since
    sparse fits are the cheap ones, and then between the last two.
    """
    import numpy as np

    above = below = start
    coef = fit(below)
    for _ in range(30):
        if np.count_nonzero(coef) >= k:
            break
        above, below = below, below / 2
        coef = fit(below)
    for _ in range(BISECTIONS):
        if np.count_nonzero(coef) == k:
            break
        middle = (above * below) ** 0.5
        tried = fit(middle)
        if np.count_nonzero(tried) >= k:
            below, coef = middle, tried
        else:
            above = middle
    return strongest(coef, k)


def steepest(x, y):
    """The smallest penalty on the mean loss at which nothing is selected."""
    import numpy as np

    centred = (y - y.mean()).astype(x.dtype)
    return float(np.abs(centred @ x).max()) / len(y)


def with_abess(task, k, threads):
    import abess

    kind = abess.LogisticRegression if task == "classification" else abess.LinearRegression
    model = kind(support_size=k, thread=threads)
    return "float64", "C", lambda x, y: strongest(model.fit(x, y).coef_, k)


def with_rfe(task, k, threads):
    from sklearn.feature_selection import RFE
    from sklearn.linear_model import LogisticRegression, Ridge

    model = LogisticRegression() if task == "classification" else Ridge()
    rfe = RFE(model, n_features_to_select=k, step=0.1)
    return "float32", "C", lambda x, y: [int(j) for j in rfe.fit(x, y).get_support(indices=True)]


def with_liblinear(task, k, threads):
    from sklearn.linear_model import LogisticRegression

    def select(x, y):
        def fit(penalty):
            model = LogisticRegression(l1_ratio=1, solver="liblinear", C=1 / (penalty * len(y)))
            return model.fit(x, y).coef_

        return match(fit, steepest(x, y), k)

    return "float64", "C", select


def with_lasso(task, k, threads):
    from sklearn.linear_model import Lasso

    return "float32", "F", warm(Lasso(warm_start=True), k)


def with_skglm(task, k, threads):
    import numpy as np
    from skglm import Lasso, SparseLogisticRegression

    kind = SparseLogisticRegression if task == "classification" else Lasso
    few = np.random.default_rng(0).normal(size=(100, 20))
    warm(kind(warm_start=True), 5)(np.asfortranarray(few, "float32"), np.sign(few[:, 0]))  # compiles
    return "float32", "F", warm(kind(warm_start=True), k)


def nonzero(model, x, y):
    """What a model that chooses its own size has selected."""
    import numpy as np

    return [int(j) for j in np.flatnonzero(model.fit(x, y).coef_)]


def with_abess_cv(task, k, threads, **rule):
    import abess

    kind = abess.LogisticRegression if task == "classification" else abess.LinearRegression
    model = kind(support_size=range(MOST + 1), thread=threads, **(rule or {"cv": FOLDS}))
    return "float64", "C", lambda x, y: nonzero(model, x, y)


def with_abess_gic(task, k, threads):
    return with_abess_cv(task, k, threads, ic_type="gic")


def with_l1_cv(task, k, threads):
    from sklearn.linear_model import LassoCV, LogisticRegressionCV

    if task == "regression":
        model = LassoCV(cv=FOLDS, n_jobs=threads)
    else:
        model = LogisticRegressionCV(Cs=20, cv=FOLDS, l1_ratios=(1,), solver="liblinear", scoring="neg_log_loss", n_jobs=threads, use_legacy_attributes=False)
    return "float64", "F", lambda x, y: nonzero(model, x, y)


def with_rfe_cv(task, k, threads):
    from sklearn.feature_selection import RFECV
    from sklearn.linear_model import LogisticRegression, Ridge

    model = LogisticRegression() if task == "classification" else Ridge()
    rfe = RFECV(model, step=0.1, cv=FOLDS, n_jobs=threads)
    return "float32", "C", lambda x, y: [int(j) for j in rfe.fit(x, y).get_support(indices=True)]


def warm(model, k):
    """Matches the penalty of a model whose fits start where the last ended."""

    def select(x, y):
        return match(lambda alpha: model.set_params(alpha=alpha).fit(x, y).coef_, steepest(x, y), k)

    return select


METHODS = {
    "abess": with_abess,
    "rfe": with_rfe,
    "liblinear": with_liblinear,
    "lasso": with_lasso,
    "skglm": with_skglm,
    "abess-cv": with_abess_cv,
    "abess-gic": with_abess_gic,
    "l1-cv": with_l1_cv,
    "rfe-cv": with_rfe_cv,
}


def answer(line, say):
    import numpy as np
    from threadpoolctl import threadpool_limits

    bound_memory()
    method, task, k, threads, x_path, y_path = line.rstrip("\n").split("\t")
    kind, order, select = METHODS[method](task, int(k), int(threads))
    x = np.array(np.load(x_path, mmap_mode="r"), dtype=kind, order=order)
    y = np.load(y_path)
    with threadpool_limits(int(threads)):
        say(ready=True)
        start = time.perf_counter()
        selected = select(x, y)
        say(seconds=time.perf_counter() - start, selected=selected)


def main():
    wake_blas()
    warnings.simplefilter("ignore")  # most are about convergence, which the accuracy shows
    # Libraries may print; only answers go to standard output.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def say(**fields):
        print(json.dumps(fields), file=out, flush=True)

    methods, missing = {}, {}
    for method, package in PACKAGES.items():
        try:
            methods[method] = f"{package} {importlib.metadata.version(package)}"
        except importlib.metadata.PackageNotFoundError:
            missing[method] = f"the Python package {package} is not installed"
    say(methods=methods, missing=missing)
    for line in sys.stdin:
        try:
            answer(line, say)
        except Exception as e:
            say(error=f"{type(e).__name__}: {e}")


if __name__ == "__main__":
    main()
