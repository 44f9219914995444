"""Predictions are those of the command, for everything that a model may hold."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import command, make_numbers

from fsa_select import FSAClassifier, FSARegressor, Model
from fsa_select._model import VERSION


def table(rows: int = 300) -> tuple[pd.DataFrame, Any]:
    X, y = make_numbers(rows)
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    frame["kind"] = pd.Categorical(np.random.default_rng(2).choice(["u", "v", "w"], rows))
    y = y + frame["kind"].map({"u": 3.0, "v": 0.0, "w": -3.0}).to_numpy()
    frame.loc[::5, "c1"] = np.nan
    frame.loc[::13, "kind"] = np.nan
    return frame, y


def said_by_command(folder: Path, estimator: Any, frame: pd.DataFrame) -> list[dict[str, str]]:
    estimator.save_model(folder / "model.json")
    frame.to_csv(folder / "new.csv", index=False, float_format="%.17g")
    return list(csv.DictReader(io.StringIO(command("predict", "model.json", "new.csv", folder=folder))))


@pytest.mark.parametrize("bins", [0, 5])
@pytest.mark.parametrize("spacing", ["auto", "even"])
def test_numbers(tmp_path: Path, bins: int, spacing: str) -> None:
    if not bins and spacing == "even":
        return
    frame, y = table()
    model = FSARegressor(k=5, bins=bins, spacing=spacing).fit(frame, y)
    far = frame.copy()
    far["c4"] *= 5  # beyond what was seen
    said = said_by_command(tmp_path, model, far)
    np.testing.assert_allclose(model.predict(far), [float(row["prediction"]) for row in said], rtol=1e-13)


def test_lines_end_one_range_beyond_the_training_range() -> None:
    t = np.arange(100.0)[:, None]
    model = FSARegressor(k=1, bins=0, alpha=0).fit(t, 2 * t[:, 0])
    new = np.array([[-500.0], [-99.0], [50.0], [198.0], [500.0]])
    np.testing.assert_allclose(model.predict(new), [-198, -198, 100, 396, 396], atol=1e-3)
    np.testing.assert_allclose((new @ model.coef_ + model.intercept_)[1:4], model.predict(new)[1:4], atol=1e-9)


def test_two_classes(tmp_path: Path) -> None:
    frame, y = table()
    model = FSAClassifier(k=5, bins=3).fit(frame, np.where(y > 0, "yes", "no"))
    said = said_by_command(tmp_path, model, frame)
    assert list(model.predict(frame)) == [row["class"] for row in said]
    np.testing.assert_allclose(model.decision_function(frame), [float(row["decision"]) for row in said], rtol=1e-13)
    np.testing.assert_allclose(model.predict_proba(frame)[:, 1], [float(row["probability"]) for row in said], rtol=1e-13)


def test_several_classes(tmp_path: Path) -> None:
    frame, y = table()
    labels = np.digitize(y, [-2, 2])
    model = FSAClassifier(k=4).fit(frame, labels)
    said = said_by_command(tmp_path, model, frame)
    assert [str(c) for c in model.predict(frame)] == [row["class"] for row in said]
    for c in range(3):
        np.testing.assert_allclose(model.predict_proba(frame)[:, c], [float(row[f"probability_{c}"]) for row in said], rtol=1e-12)


def test_steps_of_boosting(tmp_path: Path) -> None:
    frame, y = table()
    numbers = frame.drop(columns="kind").fillna(0.0).assign(y=np.where(y > 0, 1, 0))
    numbers.to_csv(tmp_path / "t.csv", index=False, float_format="%.17g")
    command("fit", "t.csv", "--target", "y", "-k", "3", "--method", "logitboost-steps", "--out", "run", folder=tmp_path)
    model = Model.load(tmp_path / "run")
    said = list(csv.DictReader(io.StringIO(command("predict", "run", "t.csv", folder=tmp_path))))
    from fsa_select._columns import Column

    z = model.decide(len(numbers), lambda v: Column(v.name, numbers[v.name].to_numpy()))
    np.testing.assert_allclose(z[:, 0], [float(row["decision"]) for row in said], rtol=1e-12)


def test_files(tmp_path: Path) -> None:
    frame, y = table()
    model = FSARegressor(k=3).fit(frame, y)
    model.save_model(tmp_path / "m.json")
    assert Model.load(tmp_path / "m.json") == model.model_
    text = (tmp_path / "m.json").read_text()
    for broken, says in ((text[:-40], "cut off"), (text.replace(f'"version":{VERSION}', '"version":99'), "newer"), (text.replace("c4", "c5"), "checksum"), ("{}", "not a model")):
        (tmp_path / "m.json").write_text(broken)
        with pytest.raises(ValueError, match=says):
            Model.load(tmp_path / "m.json")
