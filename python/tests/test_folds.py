"""Cross-validation by scikit-learn's arguments does what the command does by its flags."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn
from conftest import command, make_numbers
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit, TimeSeriesSplit, cross_val_score

from fsa_select import FSAClassifier, FSARanker, FSARegressor

X, y = make_numbers(120, 8)
SOME = {"sizes": [1, 2, 3], "bins": 0}
FOLDS = np.arange(120) % 4
PATIENTS = np.arange(120) // 6


def by_command(folder: Path, target: Any, *flags: str) -> str:
    np.save(folder / "X.npy", X)
    np.save(folder / "y.npy", target)
    np.save(folder / "folds.npy", FOLDS.astype(float))
    np.save(folder / "patients.npy", PATIENTS.astype(float))
    command("fit", "X.npy", "--target", "y.npy", "-k", "1,2,3", "--bins", "0", "--choose", "paired", "--out", "run", *flags, folder=folder)
    return (folder / "run" / "model.json").read_text()


@pytest.mark.parametrize(
    ("parameters", "flags"),
    [
        ({"cv": [(np.flatnonzero(FOLDS != f), np.flatnonzero(FOLDS == f)) for f in range(4)]}, ["--folds", "folds.npy"]),
        ({"cv": 4, "repeats": 2}, ["--folds", "4", "--repeats", "2"]),
        ({"cv": 4, "ordered": True}, ["--folds", "4", "--ordered"]),
        ({"cv": 4, "scoring": "mae"}, ["--folds", "4", "--measure", "mae"]),
    ],
)
def test_same_bytes_as_the_command(tmp_path: Path, parameters: Any, flags: Any) -> None:
    assert FSARegressor(**SOME, **parameters).fit(X, y).model_.text == by_command(tmp_path, y, *flags)


def test_groups(tmp_path: Path) -> None:
    wanted = by_command(tmp_path, y, "--folds", "4", "--fold-by", "patients.npy")
    assert FSARegressor(**SOME, cv=4).fit(X, y, groups=PATIENTS).model_.text == wanted
    assert FSARegressor(**SOME, cv=4).fit(X, y, groups=[f"p{i:02}" for i in PATIENTS]).model_.text == wanted
    assert FSARegressor(**SOME, cv=4).fit(tmp_path / "X.npy", y, groups=PATIENTS).model_.text == wanted
    split = FSARegressor(**SOME, cv=GroupKFold(5)).fit(X, y, groups=PATIENTS)
    assert split.validation_["folds"] == 5
    assert split.k_ == 3
    with pytest.raises(ValueError, match="groups has the shape"):
        FSARegressor(**SOME).fit(X, y, groups=PATIENTS[:5])
    with sklearn.config_context(enable_metadata_routing=True):
        model = FSARegressor(**SOME, cv=GroupKFold(3)).set_fit_request(groups=True, sample_weight=True).set_score_request(sample_weight=True)
        assert cross_val_score(model, X, y, params={"groups": PATIENTS, "sample_weight": np.ones(120)}, cv=KFold(3), error_score="raise").mean() > 0.9


def test_classes(tmp_path: Path) -> None:
    labels = np.where(y + np.random.default_rng(1).normal(size=120) > 1, 1, 0)
    wanted = by_command(tmp_path, labels, "--folds", "4", "--calibrate", "--threshold", "f1", "--measure", "auc")
    model = FSAClassifier(**SOME, cv=4, calibrate=True, threshold="f1", scoring="auc").fit(X, labels)
    assert model.model_.text == wanted
    assert (model.predict(X) == (model.decision_function(X) > model.model_.threshold)).all()
    svm = FSAClassifier(**SOME, cv=4, loss="svm", calibrate=True).fit(X, labels)
    assert svm.predict_proba(X).shape == (120, 2)
    assert not hasattr(FSAClassifier(loss="svm"), "predict_proba")
    assert FSAClassifier(**SOME, cv=KFold(3)).fit(X, labels).validation_["folds"] == 3


def test_ranking() -> None:
    grades, qid = np.digitize(y, [-1, 1]), np.arange(120) % 12  # queries are brought together, and their folds with them
    model = FSARanker(**SOME, cv=GroupKFold(3)).fit(X, grades, qid=qid, groups=qid)
    assert model.validation_["folds"] == 3


def test_refused(tmp_path: Path) -> None:
    for cv, says in (
        (TimeSeriesSplit(3), "ordered=True is for samples in the order of time"),
        (ShuffleSplit(3), "each sample must be in one test set"),
        ("ten", "cv"),
        (2.5, "Got 2.5"),
        ([(np.arange(60, 120), np.arange(60))], "sample 60 is in no test set"),
    ):
        with pytest.raises(ValueError, match=says):
            FSARegressor(**SOME, cv=cv).fit(X, y)
    np.save(tmp_path / "X.npy", X)
    with pytest.raises(ValueError, match="for a table in a file"):
        FSARegressor(**SOME, cv=KFold(3)).fit(tmp_path / "X.npy", y)
    for parameters, says in (
        ({"scoring": "accuracy"}, "^scoring = 'accuracy': it must be"),
        ({"scoring": 3}, "scoring = 3"),
        ({"repeats": 0}, "repeats = 0"),
        ({"cv": KFold(3), "repeats": 2}, "folds are given"),
    ):
        with pytest.raises(ValueError, match=says):
            FSARegressor(**SOME, **parameters).fit(X, y)
    with pytest.raises(ValueError, match="threshold.*f1"):
        FSAClassifier(**SOME, threshold="best").fit(X, y > 0)
