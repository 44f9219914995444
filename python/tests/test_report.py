"""The run folder and the report of a fit."""

from __future__ import annotations

import json
import pickle
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from fsa_select import FSAClassifier, FSARegressor, FSASelector
from fsa_select._service import program
from fsa_select._together import options_of


def fsa(*args: str) -> str:
    """What the command prints."""
    return subprocess.run([str(program()), *args], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def table() -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.standard_normal((200, 5)), columns=list("abcde")).assign(city=rng.choice(["Rome", "Oslo"], 200))
    return X, np.where(X.a - X.b + rng.standard_normal(200) > 0, "yes", "no")


def test_commands_read_the_run_folder(table: Any, tmp_path: Path) -> None:
    X, y = table
    plain = FSAClassifier(k=2, cv=4).fit(X, y)
    model = FSAClassifier(k=2, cv=4, run_folder=tmp_path / "one").fit(X, y)
    assert model.model_.text == plain.model_.text == (tmp_path / "one" / "model.json").read_text()
    FSAClassifier(k=3, cv=4, run_folder=str(tmp_path / "two")).fit(X, y)
    assert "2 of 6 variables selected from 200 rows" in fsa("show", str(tmp_path / "one"))
    runs = json.loads(fsa("runs", str(tmp_path), "--json"))["runs"]
    assert [r["table"] for r in runs] == ["X in memory"] * 2 and all(r["cross_validated"] for r in runs)
    fsa("report", str(tmp_path / "one"), str(tmp_path / "two"), "--out", str(tmp_path / "both.html"))
    record = json.loads((tmp_path / "one" / "run.json").read_text())
    assert record["call"].startswith("FSAClassifier(cv=4, k=2, run_folder=") and record["call"].endswith(".fit(X, y)")
    fsa("report", str(tmp_path / "one"))
    assert model.report() is not None
    page = (tmp_path / "one" / "report.html").read_text()
    assert "FSAClassifier(cv=4, k=2" in page
    with pytest.raises(subprocess.CalledProcessError) as refused:
        fsa("compare", str(tmp_path / "one"), "--columns", "a")
    assert "was fitted by FSAClassifier" in refused.value.stderr


def test_report_of_a_file(table: Any, tmp_path: Path) -> None:
    X, y = table
    X.assign(y=y).to_csv(tmp_path / "t.csv", index=False)
    FSAClassifier(k=2, quick=True, run_folder=tmp_path / "run").fit(tmp_path / "t.csv", "y")
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["data"]["file"].endswith("t.csv") and record["data"]["sha256"] and "t.csv', 'y')" in record["call"]


def test_report(table: Any, tmp_path: Path) -> None:
    X, y = table
    model = FSAClassifier(k=2, cv=4).fit(X, y)
    assert model.report(tmp_path / "page.html") is None
    page = (tmp_path / "page.html").read_text()
    assert page == model.report() and page.lstrip().startswith("<!DOCTYPE html>") and "FSAClassifier" in page
    assert "<iframe srcdoc=" in model.report()._repr_html_() and len(repr(model.report())) < 80
    rich = FSAClassifier(k=2, cv=4, run_folder=tmp_path / "run").fit(X, y)
    assert len(rich.report()) > len(page)
    kept = pickle.loads(pickle.dumps(rich))
    assert kept.report() == rich.report()
    (tmp_path / "run").rename(tmp_path / "moved")
    assert kept.report() == page  # what the model itself has


@pytest.mark.parametrize("estimator", [FSARegressor(k=2, quick=True), FSASelector(k=2, quick=True)])
def test_parameter(estimator: Any, table: Any, tmp_path: Path) -> None:
    X, _ = table
    model = clone(estimator.set_params(run_folder=tmp_path / "run")).fit(X, X.a - X.b)
    assert (tmp_path / "run" / "files.json").exists() and model.report()
    with pytest.raises(ValueError, match="run_folder = 3: it must be a path, or None"):
        clone(estimator).set_params(run_folder=3).fit(X, X.a)
    (tmp_path / "file").write_text("")
    with pytest.raises(Exception, match="the folder for the results cannot be created"):
        clone(estimator).set_params(run_folder=tmp_path / "file").fit(X, X.a)
    with pytest.raises(ValueError, match="run_folder = .*partial_fit does not keep samples"):
        FSARegressor(k=2, run_folder=tmp_path / "p").partial_fit(X[list("abcde")], X.a)


def test_several_workers_write_no_run_folder() -> None:
    assert options_of(FSARegressor(k=2), "auto", 3, None)["number"] is True
    assert options_of(FSAClassifier(k=2), "multinomial", 3, np.arange(3))["number"] is False
    with pytest.raises(ValueError, match="run_folder = 'run': several workers write no run folder"):
        options_of(FSARegressor(k=2, run_folder="run"), "auto", 3, None)
