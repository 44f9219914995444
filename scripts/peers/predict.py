"""Fits the methods that fsa is compared with on real tables, and predicts new rows.

Reads one request a line from standard input, a JSON object:

    {"method": ..., "task": ..., "k": [5, 10], "train": TABLE, "test": TABLE, "classes": 2}

where a TABLE names raw files of numbers of the machine's order: {"rows", "cols",
"x"} of float64, row after row, or {"rows", "cols", "start", "index", "value"} of
int64, int64 and float64 where it is sparse, "y" (and "query", int64: the query
of each row), and "texts", the columns that hold positions of categories. Every k is answered with a line of JSON on standard output: {"method",
"k", "seconds", "selected", "prediction"} or {"method", "k", "error"}, and the end of a request with
{"done": true} or {"error": "..."}. A prediction is the probability of the second of two classes, of
each class row after row, or a number. The first line of all, before any request,
tells which methods there are and what version answers: the number of this script
goes up when its answers change.

Every method gets the k of the request, or takes the largest model of its path that
is not larger. References, in references.py, use all columns; their k is 0. "+refit" is what is done with a selection commonly: a regression with
a ridge that cross-validation chooses, on the selected columns alone.
"""

import importlib.metadata
import json
import sys
import time
import warnings

import numpy as np
import scipy.sparse as sp

import references

VERSION = "1"
PACKAGES = {  # of each method, besides scikit-learn
    "abess": "abess", "abess+refit": "abess", "l1": "scikit-learn", "l1+refit": "scikit-learn",
    "enet+refit": "scikit-learn", "rfe+refit": "scikit-learn", "univariate+refit": "scikit-learn",
    "mrmr+refit": "scikit-learn", "lightgbm": "lightgbm",
}
MOST_DENSE = 6e7  # cells of a sparse table that is given to abess as a dense one, which is faster


# --- tables ---------------------------------------------------------------------


def read(table):
    """The columns and the responses of a table."""
    shape = table["rows"], table["cols"]
    if "start" in table:
        start, index, value = (np.fromfile(table[name], kind) for name, kind in (("start", "int64"), ("index", "int64"), ("value", "float64")))
        x = sp.csr_matrix((value, index, start), shape)
    else:
        x = np.fromfile(table["x"]).reshape(shape)
    query = np.fromfile(table["query"], "int64") if "query" in table else None
    return x, np.fromfile(table["y"]), query


def prepare(train, test):
    """Fills gaps by means and standardises, by what the training rows say.

    Sparse columns keep their zeros and get one common scale, as texts are
    treated commonly. Columns that do not vary are left out: keep says which stay.
    """
    if sp.issparse(train):
        keep = np.flatnonzero(np.asarray(abs(train).sum(axis=0)).ravel() > 0)
        train, test = train[:, keep], test[:, keep]
        scale = np.sqrt(train.multiply(train).sum() / max(train.nnz, 1))
        return (train / scale).tocsr(), (test / scale).tocsr(), keep
    mean = np.nan_to_num(np.nanmean(train, axis=0))
    train, test = np.where(np.isnan(train), mean, train), np.where(np.isnan(test), mean, test)
    sd = train.std(axis=0)
    keep = np.flatnonzero(sd > 1e-12 * np.maximum(1, np.abs(mean)))
    standard = lambda x: (x[:, keep] - mean[keep]) / sd[keep]
    return standard(train), standard(test), keep


def columns(x, chosen):
    """Some columns as a dense table."""
    part = x[:, chosen]
    return part.toarray() if sp.issparse(part) else part


# --- selections -------------------------------------------------------------------


def univariate(x, y, task, ks):
    order = np.argsort(-relevance(x, y, task), kind="stable")
    return {k: order[:k] for k in ks}


def relevance(x, y, task):
    """The F statistic of every column."""
    from sklearn.feature_selection import f_classif, f_regression

    f = f_regression(x, y)[0] if task == "regression" else f_classif(x, y.astype(int))[0]
    return np.nan_to_num(f, nan=0.0, posinf=1e300)


def mrmr(x, y, task, ks):
    """Greedy: the F statistic over the mean size of the correlation with those chosen."""
    f = relevance(x, y, task)
    n, m = x.shape
    if sp.issparse(x):
        mean = np.asarray(x.mean(axis=0)).ravel()
        sd = np.sqrt(np.maximum(np.asarray(x.multiply(x).mean(axis=0)).ravel() - mean**2, 1e-300))
    else:
        mean, sd = x.mean(axis=0), x.std(axis=0)
    redundant = np.zeros(m)
    chosen, free = [], np.ones(m, bool)
    for step in range(min(max(ks), m)):
        score = np.where(free, f / np.maximum(redundant / max(step, 1), 1e-3) if step else f, -np.inf)
        j = int(np.argmax(score))
        chosen.append(j)
        free[j] = False
        column = columns(x, [j]).ravel()
        redundant += np.abs((np.asarray(x.T @ column).ravel() / n - mean * column.mean()) / (sd * max(column.std(), 1e-300)))
    return {k: np.array(chosen[:k]) for k in ks}


def rfe(x, y, task, ks):
    """A tenth of the columns goes at a time, by the size of their ridge coefficients."""
    from sklearn.linear_model import LogisticRegression, Ridge

    alive, out = np.arange(x.shape[1]), {}
    for k in sorted(ks, reverse=True):
        while len(alive) > k:
            if task == "regression":
                coef = Ridge().fit(x[:, alive], y).coef_[None]
            else:
                coef = LogisticRegression(max_iter=200).fit(x[:, alive], y.astype(int)).coef_
            drop = min(max(1, len(alive) // 10), len(alive) - k)
            alive = alive[np.sort(np.argsort(-(coef**2).sum(axis=0), kind="stable")[: len(alive) - drop])]
        out[k] = alive
    return out


def abess_model(task, k):
    import abess

    kind = {"regression": abess.LinearRegression, "binary": abess.LogisticRegression, "multiclass": abess.MultinomialRegression}[task]
    return kind(support_size=k, thread=1)


def abess_fit(x, y, task, k):
    if sp.issparse(x) and x.shape[0] * x.shape[1] <= MOST_DENSE:
        x = x.toarray()
    model = abess_model(task, min(k, x.shape[1])).fit(x, y if task == "regression" else y.astype(int))
    coef = model.coef_.reshape(x.shape[1], -1)
    return np.flatnonzero(np.any(coef != 0, axis=1)), model


def abess(x, y, task, ks):
    return {k: abess_fit(x, y, task, k) for k in ks}


# --- the path of L1 and of the elastic net ---------------------------------------


class Penalised:
    """A regression with an L1 or elastic-net penalty, for penalties that fall.

    Solved over those columns that may be in: numbers by coordinate descent, two classes
    by coordinate descent on Newton's approximations, as glmnet does. A column of several
    classes is in or out as a whole; they are solved by accelerated proximal gradients.
    """

    def __init__(self, x, y, task, ratio):
        self.x, self.ratio, self.n, self.task = x, ratio, x.shape[0], task
        if task == "regression":
            self.y, self.link, self.bound = y[:, None] - y.mean(), lambda z: z, 1.0
            self.free = False
        elif task == "binary":
            self.y, self.link, self.bound = y[:, None], lambda z: 1 / (1 + np.exp(-np.clip(z, -500, 500))), 0.25
            self.free = True
        else:
            self.y, self.link, self.bound = np.eye(int(y.max()) + 1)[y.astype(int)], softmax, 0.5
            self.free = True
        self.coef = np.zeros((x.shape[1], self.y.shape[1]))
        mean = np.clip(self.y.mean(axis=0), 1e-6, 1 - 1e-6)
        self.intercept = np.zeros(self.y.shape[1])
        if self.free:
            self.intercept = np.log(mean / (1 - mean)) if task == "binary" else np.log(mean)
        self.grad = self.gradient()
        self.top = np.sqrt((self.grad**2).sum(axis=1)).max() / ratio
        self.last = self.top

    def gradient(self):
        chosen = np.flatnonzero(self.coef.any(axis=1))
        z = columns(self.x, chosen) @ self.coef[chosen] + self.intercept
        return np.asarray(self.x.T @ (self.link(z) - self.y)) / self.n

    def fit(self, penalty):
        """The columns that are in, by the sequential strong rule and a check of what it left out."""
        slope = np.sqrt((self.grad**2).sum(axis=1))
        candidates = self.coef.any(axis=1) | (slope >= self.ratio * (2 * penalty - self.last))
        for _ in range(20):
            self.solve(np.flatnonzero(candidates), penalty)
            self.grad = self.gradient()
            more = ~candidates & (np.sqrt((self.grad**2).sum(axis=1)) > self.ratio * penalty * (1 + 1e-6))
            if not more.any():
                break
            candidates |= more
        self.last = penalty
        return np.flatnonzero(self.coef.any(axis=1))

    def solve(self, among, penalty):
        if len(among) == 0:
            return
        x = columns(self.x, among)
        w, b = self.coef[among], self.intercept
        if self.task == "regression":
            w = self.descend(x, self.y.ravel(), None, w.ravel(), penalty)[0][:, None]
        elif self.task == "binary":
            w, b = self.newton(x, self.y.ravel(), w.ravel(), b[0], penalty)
            w, b = w[:, None], np.array([b])
        else:
            w, b = self.accelerate(x, w, b, penalty)
        self.coef = np.zeros_like(self.coef)
        self.coef[among], self.intercept = w, b

    def descend(self, x, y, weight, w, penalty):
        """Coordinate descent from w, on rows with weights whose mean is 1."""
        from sklearn.linear_model import ElasticNet

        model = ElasticNet(alpha=penalty, l1_ratio=self.ratio, fit_intercept=self.free, warm_start=True, tol=1e-6, max_iter=20000)
        model.coef_ = np.array(w)
        model.fit(np.asfortranarray(x), y, sample_weight=weight)
        return model.coef_, model.intercept_

    def newton(self, x, y, w, b, penalty):
        def objective(w, b):
            z = x @ w + b
            return np.mean(np.logaddexp(0, z) - y * z) + penalty * (self.ratio * np.abs(w).sum() + (1 - self.ratio) / 2 * (w @ w))

        least = objective(w, b)
        for _ in range(30):
            z = x @ w + b
            p = self.link(z)
            h = np.maximum(p * (1 - p), 1e-5)
            mean = h.mean()
            next_w, next_b = self.descend(x, z + (y - p) / h, h / mean, w, penalty / mean)
            step = 1.0
            while (value := objective(w + step * (next_w - w), b + step * (next_b - b))) > least and step > 1e-3:
                step /= 2
            if value > least - 1e-9 * max(abs(least), 1e-3):
                break
            w, b, least = w + step * (next_w - w), b + step * (next_b - b), value
        return w, b

    def accelerate(self, x, w, b, penalty):
        # One more column stands for the intercept, which is not penalised.
        step = 1 / (self.bound * largest(x, self.free) / self.n + penalty * (1 - self.ratio))
        ahead, ahead_b, t = w, b, 1.0
        for _ in range(3000):
            r = (self.link(x @ ahead + ahead_b) - self.y) / self.n
            next_w = ahead - step * (x.T @ r + penalty * (1 - self.ratio) * ahead)
            size = np.sqrt((next_w**2).sum(axis=1, keepdims=True))
            next_w = next_w * np.maximum(0, 1 - step * penalty * self.ratio / np.maximum(size, 1e-300))
            next_b = ahead_b - step * r.sum(axis=0) if self.free else b
            move = next_w - w
            if ((ahead - next_w) * move).sum() > 0:  # it swings: start again
                t = 1.0
            faster = (1 + np.sqrt(1 + 4 * t * t)) / 2
            pace = (t - 1) / faster
            far = max(np.abs(move).max(), np.abs(next_b - b).max())
            ahead, ahead_b, t = next_w + pace * move, next_b + pace * (next_b - b), faster
            w, b = next_w, next_b
            if far <= 1e-6 * max(1e-3, np.abs(w).max()):
                break
        return w, b

    def state(self):
        return self.coef, self.intercept, self.grad, self.last

    def restore(self, state):
        self.coef, self.intercept, self.grad, self.last = state


def largest(x, free):
    """The largest eigenvalue of XᵀX, from above."""
    v = np.random.default_rng(0).normal(size=x.shape[1])
    b = 0.0
    value = 0.0
    for _ in range(30):
        norm = np.sqrt(v @ v + b * b)
        v, b = v / norm, b / norm
        z = x @ v + (b if free else 0)
        value = z @ z
        v, b = x.T @ z, z.sum()
    return 1.05 * value + 1e-12


def softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def penalty_path(x, y, task, ratio, ks):
    """For every k the largest model of the path that is not larger, and what it has learned."""
    model = Penalised(x, y, task, ratio)
    models = {k: (np.array([], int), model.state()) for k in ks}
    penalty = model.top
    for _ in range(100):
        before, penalty = model.state(), penalty * 0.9
        chosen = model.fit(penalty)
        after = model.state()
        for k in ks:
            if len(chosen) <= k and len(chosen) >= len(models[k][0]):
                models[k] = chosen, after
            if len(models[k][0]) < k < len(chosen) and len(before[0][before[0].any(axis=1)]) <= k:
                models[k] = between(model, before, penalty, k, models[k])
                model.restore(after)
        if len(chosen) > max(ks) or penalty < 1e-4 * model.top:
            break
    return models


def between(model, before, low, k, best):
    """Bisects the step of the path on which k was passed."""
    high = low / 0.9
    for _ in range(10):
        model.restore(before)
        middle = (low * high) ** 0.5
        chosen = model.fit(middle)
        if len(chosen) > k:
            low = middle
            continue
        high = middle
        if len(chosen) >= len(best[0]):
            best = chosen, model.state()
        if len(chosen) == k:
            break
    return best


def l1(x, y, task, ks):
    return penalty_path(x, y, task, 1.0, ks)


def enet(x, y, task, ks):
    return penalty_path(x, y, task, 0.5, ks)


# --- predictions ------------------------------------------------------------------


def refit(x, y, new, task, classes):
    """A ridge that cross-validation chooses, on columns that were chosen."""
    if x.shape[1] == 0:
        return constant(y, len(new), task, classes)
    if task == "regression":
        from sklearn.linear_model import RidgeCV

        return RidgeCV(alphas=np.logspace(-4, 5, 37)).fit(x, y).predict(new)
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold

    y = y.astype(int)
    present, counts = np.unique(y, return_counts=True)
    strengths = np.logspace(-4, 4, 9)
    loss = np.zeros(len(strengths))
    if counts.min() > 1:
        for fit, rest in StratifiedKFold(min(5, counts.min()), shuffle=True, random_state=0).split(x, y):
            model = LogisticRegression(max_iter=1000, warm_start=True)
            for i, c in enumerate(strengths):
                model.set_params(C=c).fit(x[fit], y[fit])
                p = model.predict_proba(x[rest])[np.arange(len(rest)), np.searchsorted(model.classes_, y[rest])]
                loss[i] -= np.log(np.maximum(p, 1e-15)).sum()
    model = LogisticRegression(max_iter=5000, C=strengths[np.argmin(loss)]).fit(x, y)
    return spread(model.predict_proba(new), model.classes_, classes)


def constant(y, rows, task, classes):
    if task == "regression":
        return np.full(rows, y.mean())
    share = np.bincount(y.astype(int), minlength=classes) / len(y)
    return np.tile(share, (rows, 1))


def spread(p, present, classes):
    """Probabilities of all classes, where only some were there to be learned."""
    out = np.zeros((len(p), classes))
    out[:, present] = p
    return out


def plain_abess(model, new, task, dense):
    if sp.issparse(new) and dense:
        new = new.toarray()
    return model.predict(new) if task == "regression" else model.predict_proba(new)


def plain_l1(state, y, new, task):
    coef, intercept = state[:2]
    chosen = np.flatnonzero(coef.any(axis=1))
    z = columns(new, chosen) @ coef[chosen] + intercept
    if task == "regression":
        return z.ravel() + y.mean()
    if task == "binary":
        p = 1 / (1 + np.exp(-np.clip(z.ravel(), -500, 500)))
        return np.column_stack([1 - p, p])
    return softmax(z)


# Each returns the chosen columns for every k, or these and what was learned with them.
SELECT = {"abess": abess, "l1": l1, "enet": enet, "rfe": rfe, "univariate": univariate, "mrmr": mrmr}


def lightgbm(train, test):
    """All features, as a reference for ranking."""
    import lightgbm as lgb

    x, y, query = train
    size = lambda q: np.diff(np.flatnonzero(np.concatenate([[True], q[1:] != q[:-1], [True]])))
    model = lgb.LGBMRanker(n_estimators=150, learning_rate=0.05, num_leaves=15, min_child_samples=50, n_jobs=1, random_state=0, verbose=-1)
    return model.fit(x, y, group=size(query)).predict(test[0])


class Pair:
    """Rows to learn from and rows to predict, and what was selected on them."""

    def __init__(self, request):
        self.train, self.test = read(request["train"]), read(request["test"])
        self.ready = None
        self.selections = {}

    def prepared(self):
        if self.ready is None:
            self.ready = prepare(self.train[0], self.test[0])
        return self.ready

    def select(self, method, task, ks):
        """A selection, for several uses of it, and the seconds that it took."""
        if method not in self.selections:
            start = time.perf_counter()
            x = self.prepared()[0]
            found = SELECT[method](x, self.train[1], task, ks)
            self.selections[method] = found, time.perf_counter() - start
        return self.selections[method]


def answers(request, pair):
    """Yields what there is to say for every k."""
    method, task, ks = request["method"], request["task"], request["k"]
    start = time.perf_counter()
    if method in references.METHODS:
        (x, y, _), new = pair.train, pair.test[0]
        prediction = references.METHODS[method][1](x, y, request["train"]["texts"], new, task, request["classes"])
        for k in ks:
            yield dict(k=k, seconds=time.perf_counter() - start, selected=list(range(x.shape[1])), prediction=prediction.ravel().tolist())
        return
    if method == "lightgbm":
        scores = lightgbm(pair.train, pair.test)
        for k in ks:
            yield dict(k=k, seconds=time.perf_counter() - start, selected=list(range(pair.train[0].shape[1])), prediction=scores.tolist())
        return
    x, new, keep = pair.prepared()
    y = pair.train[1]
    selections, spent = pair.select(method.removesuffix("+refit"), task, ks)
    for k in ks:
        start = time.perf_counter()
        chosen, learned = selections[k] if isinstance(selections[k], tuple) else (selections[k], None)
        chosen = np.sort(chosen)
        if method.endswith("+refit"):
            prediction = refit(columns(x, chosen), y, columns(new, chosen), task, request["classes"])
        elif method == "abess":
            prediction = plain_abess(learned, new, task, x.shape[0] * x.shape[1] <= MOST_DENSE)
        else:
            prediction = plain_l1(learned, y, new, task)
        if task == "binary":
            prediction = np.asarray(prediction)[:, 1]
        if not np.isfinite(prediction).all():
            yield dict(k=k, error="a prediction is not a number")
            continue
        yield dict(
            k=k, seconds=spent + time.perf_counter() - start, selected=[int(keep[j]) for j in chosen],
            prediction=np.asarray(prediction, float).ravel().tolist(),
        )


def main():
    warnings.simplefilter("ignore")  # most are about convergence, which the errors on new rows show
    # Libraries may print; only answers go to standard output.
    import os

    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    say = lambda **fields: print(json.dumps(fields), file=out, flush=True)

    methods, missing = {}, {}
    listed = [(method, package, VERSION) for method, package in PACKAGES.items()]
    listed += [(method, package, references.VERSION) for method, (package, _) in references.METHODS.items()]
    for method, package, version in listed:
        try:
            methods[method] = f"{package} {importlib.metadata.version(package)}, script {version}"
        except importlib.metadata.PackageNotFoundError:
            missing[method] = f"the Python package {package} is not installed"
    say(methods=methods, missing=missing)
    loaded, pair = None, None
    for line in sys.stdin:
        try:
            request = json.loads(line)
            if loaded != (request["train"], request["test"], request["k"]):
                pair, loaded = Pair(request), (request["train"], request["test"], request["k"])
            for answer in answers(request, pair):
                say(method=request["method"], **answer)
            say(done=True)
        except Exception as e:
            say(error=f"{type(e).__name__}: {e}")


main()
