"""What cannot be learned from is refused, with scikit-learn's kinds of errors."""

from __future__ import annotations

import inspect
import os
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from conftest import make_numbers
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import RFE

from fsa_select import DivergedError, FSAClassifier, FSARanker, FSARegressor, FSASelector

X, y = make_numbers(60)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"k": 0}, "k = 0"),
        ({"k": 2.5}, "k = 2.5"),
        ({"k": "many"}, "k = 'many'"),
        ({"loss": "logistic"}, "loss = 'logistic'"),
        ({"bins": -1}, "bins = -1"),
        ({"bins": 1}, "bins = 1: it must lie between 2 and 1000, be 0 for straight lines"),
        ({"bins": "many"}, "bins = 'many'"),
        ({"alpha": -1.0}, "alpha = -1.0"),
        ({"alpha": np.nan}, "alpha = nan"),
        ({"eta": "fast"}, "eta = 'fast'"),
        ({"eta": 0}, "eta = 0: it must be above zero"),
        ({"polish": "yes"}, "polish = 'yes'"),
        ({"storage": 8}, "storage = 8"),
        ({"priors": 3}, "priors = 3"),
        ({"max_iter": 2.5}, "max_iter = 2.5"),
        ({"max_iter": 0}, "max_iter = 0: it must be at least 1"),
        ({"scale": "huge"}, "scale = .huge.: it must be .auto., .column."),
        ({"force": ["nothing"]}, "nothing"),
        ({"force": "c1"}, "list of features"),
        ({"feature_groups": [[1, 2], [2, 3]]}, "twice"),
        ({"memory": "much"}, "memory = 'much'"),
        ({"memory": "1KB"}, "memory = '1KB'.*at least '1MiB'"),
        ({"n_jobs": 0}, "n_jobs = 0"),
        ({"random_state": -1}, "random_state = -1"),
        ({"callbacks": [3]}, "callbacks"),
        ({"stability": -1}, "stability = -1"),
        ({"batch": -3}, "batch"),
        ({"momentum": 2}, "momentum = 2: it must be below 1"),
        ({"spacing": "even", "bins": 0}, "spacing = 'even'.*bins = 0"),
        ({"storage": "int8", "bins": 3}, "storage = 'int8'.*bins = 3"),
        ({"priors": {"u": 1}, "bins": 3}, "no prior 'u'"),
        ({"bins": 1001}, "bins = 1001"),
        ({"max_iter": 10**8}, "max_iter = 100000000: it must be at most"),
    ],
)
def test_parameters(parameters: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        FSARegressor(**parameters).fit(X, y)
    FSARegressor().fit(X, y)  # and the next one works


VALUES: list[Any] = [
    None, 0, -1, 2.5, 10**20, np.nan, np.inf, "", "many", "0", b"x", True, [], [0], [99], ["nope"], [[0, 1]], [[0], [0]], [None], [1.5], (1, 2), {}, {"a": 1},
    {0: "x"}, {0: None}, {"x1": np.nan}, np.array([1, 2]), np.float64(-2), object(),
]  # fmt: skip


@pytest.mark.parametrize("name", [name for name in inspect.signature(FSARegressor).parameters if name not in ("device", "resume")])
def test_every_value_of_every_parameter(name: str, tmp_path: Path, monkeypatch: Any) -> None:
    """A value is taken, or refused with an error of Python that names the parameter."""
    monkeypatch.chdir(tmp_path)  # where run folders go
    small = np.random.default_rng(0).normal(size=(30, 4))
    for value in VALUES:
        settings = {"quick": True} if name in ("sizes", "rule", "costs", "k") else {"quick": True, "k": 2}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                FSARegressor(**{**settings, name: value}).fit(small, small[:, 1])
            except (ValueError, FileNotFoundError, DivergedError) as error:
                assert re.search({"priors": "prior", "quotas": "quota", "feature_groups": "groups"}.get(name, name), str(error)), (value, str(error))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"y": np.where(y > 0, "up", "down")}, "y holds texts, such as '(up|down)': FSARegressor predicts numbers"),
        ({"y": pd.Categorical(np.where(y > 0, "up", "down"))}, "y holds texts, such as '(up|down)': FSARegressor predicts numbers"),
        ({"y": np.where(y > 0, "up", None)}, "y holds texts, such as 'up': FSARegressor predicts numbers"),
        ({"y": [None] * 60}, "y: row 1: the target is missing: every row needs one: leave such rows out"),
        ({"y": "c1"}, "y = 'c1': .* X in a file"),
        ({"X": pd.DataFrame(index=range(60))}, "0 feature.*at least one column"),
        ({"y": [object()] * 60}, "y: "),
        ({"X": np.full((60, 2), "a")}, "X holds texts"),
        ({"sample_weight": ["a"] * 60}, "sample_weight: "),
        ({"sample_weight": np.ones((60, 2))}, "sample_weight: "),
        ({"groups": [None] * 60}, "groups: sample 0 is missing"),
        ({"groups": np.where(y > y[0], 1, np.nan)}, "groups: sample 0 is missing"),
        ({"groups": pd.array(["a", None] * 30, dtype="string")}, "groups: sample 1 is missing"),
        ({"groups": [object()] * 60}, "groups: "),
        ({"offset": "a"}, "offset: it holds texts"),
        ({"offset": np.ones(60) * 1j}, "offset: it holds complex"),
        ({"offset": {"a": 1}}, "offset: "),
        ({"exposure": ["a"] * 60, "loss": "poisson"}, "exposure: it holds texts"),
    ],
)
def test_arguments_of_fit(given: dict[str, Any], says: str) -> None:
    with pytest.raises((ValueError, TypeError), match=says):
        FSARegressor(k=2, loss=given.pop("loss", "auto")).fit(**{"X": X, "y": y, **given})


def test_weights_that_repeat_too_many_samples() -> None:
    with pytest.raises(ValueError, match=r"sample_weight: the weights sum to 6e\+13, and a sample is repeated"):
        FSARanker(k=2).fit(X, y > 0, sample_weight=np.full(60, 1e12))


@pytest.mark.parametrize(
    ("estimator", "losses"),
    [
        (FSARegressor(), ["auto", "squared", "huber"]),
        (FSAClassifier(), ["auto", "logistic", "multinomial", "svm", "lorenz"]),
        (FSARanker(), ["auto", "rank"]),
    ],
)
def test_losses_are_those_of_the_task(estimator: Any, losses: list[str]) -> None:
    for loss in ("squared", "huber", "logistic", "multinomial", "svm", "lorenz", "rank", "hinge", None):
        estimator.set_params(loss=loss, quick=True)
        if loss in losses:
            assert estimator.fit(X, np.where(y > 0, 1, 0)).model_.loss == loss
            continue
        with pytest.raises(ValueError, match=f"loss = {loss!r}.*" + ", ".join(map(repr, losses))):
            estimator.fit(X, y > 0)


@pytest.mark.skipif(os.name == "nt", reason="paths of Unix")
@pytest.mark.parametrize("parameter", ["run_folder", "resume"])
def test_paths_that_cannot_be_used(parameter: str) -> None:
    with pytest.raises(ValueError, match=f"{parameter}: .*not a directory"):
        FSARegressor(k=2, quick=True, **{parameter: "/dev/null/run"}).fit(X, y)


def test_sizes() -> None:
    with pytest.raises(ValueError, match=r"sizes has 13, but X has 12 feature\(s\)"):
        FSARegressor(sizes=[1, 13]).fit(X, y)
    with pytest.raises(ValueError, match=r"sizes = \[\]: it must have at least one"):
        FSARegressor(sizes=[]).fit(X, y)
    for cv in (0, 1):
        with pytest.raises(ValueError, match=f"cv = {cv}: it must be at least 2"):
            FSARegressor(cv=cv).fit(X, y)


def changed(row: int, column: int, value: float) -> Any:
    to = X.copy()
    to[row, column] = value
    return to


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_infinite_numbers(kind: Any) -> None:
    with pytest.raises(ValueError, match="x3.*infinite"):
        FSARegressor().fit(changed(7, 3, np.inf).astype(kind), y)
    with pytest.raises(ValueError, match="infinite"):
        FSARegressor().fit(sp.csr_matrix(changed(7, 3, -np.inf).astype(kind)), y)
    model = FSARegressor(k=3).fit(X, y)
    with pytest.raises(ValueError, match="infinity: row 4 of column 'x1'"):
        model.predict(changed(4, 1, np.inf))
    assert np.isfinite(model.predict(changed(7, 1, np.nan))).all()


@pytest.mark.parametrize(
    ("a", "b", "says"),
    [
        (X[:5], y, "inconsistent"),
        (X[0], y, "2D array"),
        (X[None], y, "dim 3|3 dim|Found array with dim"),
        (X[:0], y[:0], "minimum of|0 sample"),
        (X[:, :0], y, "0 feature"),
        (X + 1j, y, "[Cc]omplex"),
        (X, np.where(y > 0, np.nan, y), "NaN"),
        (X, np.where(y > 0, np.inf, y), "infinity"),
        (X, np.stack([y, y], axis=1)[None], "dim|1d array|multi"),
        (X, None, "y"),
        (X.astype(str), ["a"] * 60, "y holds texts"),
        (np.where(X > 0, "a", "b").astype(object), y, "could not convert"),
        (np.ones_like(X), y, "no column varies"),
    ],
)
def test_tables(a: Any, b: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        FSARegressor().fit(a, b)


def test_frames() -> None:
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(12)])
    with pytest.raises(ValueError, match="'text' of X.*category"):
        FSARegressor().fit(frame.assign(text=pd.Series(["a", 1] * 30, dtype=object)), y)
    with pytest.raises(ValueError, match="'z' of X holds complex numbers"):
        FSARegressor().fit(frame.assign(z=1j), y)
    with pytest.raises(ValueError, match="'when' of X has the type interval"):
        FSARegressor().fit(frame.assign(when=pd.arrays.IntervalArray.from_breaks(range(61))), y)
    with pytest.raises(ValueError, match="'when' of X holds lists"):
        FSARegressor().fit(pl.DataFrame({"a": X[:, 0], "when": [[1, 2]] * 60}), y)
    with pytest.raises(ValueError, match="2D array|2-dimensional"):
        FSARegressor().fit(frame["c1"], y)
    with pytest.raises(ValueError, match="two columns of X are called"):
        FSARegressor().fit(pd.concat([frame, frame[["c1"]].astype("category")], axis=1), y)
    mixed = frame.assign(kind=pd.Categorical(np.where(y > 0, "u", "v")))
    model = FSARegressor(k=3, force=["kind"]).fit(mixed, y)
    with pytest.raises(ValueError, match="should match"):
        model.predict(mixed.rename(columns={"c3": "d"}))
    with pytest.raises(ValueError, match="same order"):
        model.predict(mixed[mixed.columns[::-1]])
    with pytest.raises(ValueError, match="learned categories"):
        model.predict(mixed.assign(kind=1.0))


def test_classes() -> None:
    with pytest.raises(ValueError, match="class"):
        FSAClassifier().fit(X, np.zeros(60))
    with pytest.raises(ValueError, match="Unknown label type"):
        FSAClassifier().fit(X, y)
    with pytest.raises(ValueError, match="y: sample 3 is missing: each needs a class"):
        FSAClassifier().fit(X, [None if j == 3 else "ab"[j % 2] for j in range(60)])
    with pytest.raises(ValueError, match="two classes"):
        FSAClassifier(loss="svm").fit(X, np.digitize(y, [-1, 1]))
    with pytest.raises(ValueError, match="class_weight = 'even'"):
        FSAClassifier(class_weight="even").fit(X, y > 0)
    with pytest.raises(ValueError, match=r"class_weight has 3, but y has the classes \[False, True\]"):
        FSAClassifier(class_weight={3: 1.0}).fit(X, y > 0)
    with pytest.raises(ValueError, match=r"huber = 0.3: it is for loss='svm', and loss = 'auto'"):
        FSAClassifier(huber=0.3).fit(X, y > 0)


def test_messages_are_those_of_python(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^cv: 60 different rows"):
        FSARegressor(cv=100).fit(X, y)
    pd.DataFrame({"a": X[:, 0], "b": y}).to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(ValueError, match=r"no column 'c' for the target.*the columns are 'a', 'b'"):
        FSARegressor().fit(tmp_path / "t.csv", "c")
    model = FSARegressor(k=1, quick=True).fit(X, y)
    for arguments, says in (
        (("pmml",), "^to = 'pmml': it must be one of 'c', 'go'"),
        (("sql", None, "oracle"), "^dialect = 'oracle': it must be one of"),
        (("c", None, "sqlite"), "^dialect and table are for to = 'sql', and to = 'c'$"),
    ):
        with pytest.raises(ValueError, match=says):
            model.model_.export(*arguments[:2], dialect=(*arguments, None, None)[2])


def test_weights_and_queries() -> None:
    with pytest.raises(ValueError, match="sample_weight"):
        FSARegressor().fit(X, y, sample_weight=-np.ones(60))
    with pytest.raises(ValueError, match="sample_weight"):
        FSARegressor().fit(X, y, sample_weight=np.ones(59))
    with pytest.raises(ValueError, match="weights are zero|non-zero"):
        FSARegressor().fit(X, y, sample_weight=np.zeros(60))
    with pytest.raises(ValueError, match="qid"):
        FSARanker().fit(X, y, qid=[1, 2])
    with pytest.raises(ValueError, match="the target is 1 in all rows"):
        FSARanker().fit(X, np.ones(60))


def test_unfitted() -> None:
    for model in (FSAClassifier(), FSARegressor(), FSARanker()):
        with pytest.raises(NotFittedError):
            model.predict(X)
    with pytest.raises(NotFittedError):
        FSASelector().transform(X)
    with pytest.raises(NotFittedError):
        FSARegressor().save_model("nowhere")


def test_a_step_that_is_too_long() -> None:
    with pytest.raises(DivergedError, match="eta = "):
        FSARegressor(k=3, eta=1e6, quick=True).fit(X, y)


def test_k_above_the_number_of_features(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="k = 13, but X has 12 features: none of them is dropped"):
        model = FSARegressor(k=13, quick=True).fit(X, y)
    assert model.support_.all()
    np.save(tmp_path / "X.npy", X)
    with pytest.warns(UserWarning, match="k = 13, but X has 12 features"):
        assert FSARegressor(k=13, quick=True).fit(tmp_path / "X.npy", y).support_.all()
    with pytest.warns(UserWarning, match="k = 99, but X has 10 groups"):
        assert FSARegressor(k=99, quick=True, feature_groups=[[1, 2, 3]]).fit(X, y).support_.all()
    with pytest.warns(UserWarning, match="none of them is dropped"):
        assert RFE(FSARegressor(k=5, quick=True), n_features_to_select=2).fit(X, y).support_.sum() == 2


def test_fewer_vary_than_are_asked_for() -> None:
    few = X.copy()
    few[:, 2:] = 1
    with pytest.warns(UserWarning, match="only 2 features vary"):
        FSARegressor(k=5).fit(few, y)
