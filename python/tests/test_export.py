"""Models leave: what is written predicts the same without this package."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from fsa_select import FSAClassifier, FSARegressor


@pytest.fixture
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(200, 4)), columns=["a", "b", "c", "d"])
    frame.loc[::9, "b"] = np.nan
    return frame.assign(colour=pd.Categorical(rng.choice(["red", "green"], 200)))


def test_python(frame: pd.DataFrame) -> None:
    y = frame["a"] - (frame["colour"] == "red") + frame["b"].fillna(0)
    model = FSARegressor(k=3, bins=4).fit(frame, y)
    scorer: dict[str, Any] = {}
    exec(model.export("python"), scorer)
    rows = frame.astype({"colour": object}).to_dict("records")
    found = [next(iter(scorer["predict"](row).values())) for row in rows]
    np.testing.assert_allclose(found, model.predict(frame), rtol=1e-12)


def test_sql(frame: pd.DataFrame) -> None:
    y = np.where(frame["a"] > 0, "yes", "no")
    model = FSAClassifier(k=2, loss="svm").fit(frame[["a", "c"]], y)
    query = model.export("sql", dialect="sqlite", table="customers")
    with sqlite3.connect(":memory:") as database:
        frame.to_sql("customers", database, index=False)
        predicted = pd.read_sql(query, database)
    database.close()
    assert list(predicted["fsa_class"]) == list(model.predict(frame[["a", "c"]]))


def test_files_and_bytes(frame: pd.DataFrame, tmp_path: Path) -> None:
    model = FSARegressor(k=2).fit(frame[["a", "d"]], frame["a"])
    for to in ("onnx", "json", "go", "c"):
        assert model.export(to, tmp_path / "file") is None
        written = model.export(to)
        assert (tmp_path / "file").read_bytes() == (written if isinstance(written, bytes) else str(written).encode())
    assert json.loads(str(model.export("json")))


def test_mistakes(frame: pd.DataFrame, tmp_path: Path) -> None:
    with pytest.raises(NotFittedError):
        FSARegressor().export("sql")
    model = FSARegressor(k=1).fit(frame[["a"]], frame["a"])
    with pytest.raises(ValueError, match="to = .excel.: it must be one of"):
        model.export("excel")
    with pytest.raises(ValueError, match="for to = .sql."):
        model.export("c", table="t")
    with pytest.raises(OSError, match="nowhere"):
        model.export("c", tmp_path / "nowhere" / "file.c")
