"""Messy frames, as people have them: Python and the command learn the same model from them."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from conftest import command, make_numbers

from fsa_select import FSAClassifier, FSARegressor


def messy(seed: int) -> tuple[pd.DataFrame, Any]:
    """A frame of identifiers, texts, dates, gaps, flags, constants and copies, and a response to some of them."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(60, 200))
    when = pd.Timestamp("2021-03-01") + pd.to_timedelta(rng.integers(0, 24 * 900, rows), unit="h")
    texts = rng.choice(["red", "green", "blue", "a longer word", "ä ö"], rows)
    columns: dict[str, Any] = {
        "number": rng.normal(size=rows),
        "skewed": np.exp(2 * rng.normal(size=rows)),
        "whole": rng.integers(-3, 50, rows),
        "flag": rng.uniform(size=rows) < 0.3,
        "kind": pd.Categorical(texts),
        "text": pd.Series(texts[::-1], dtype="string"),
        "when": when.as_unit("us"),
        "day": when.normalize().as_unit("us"),
        "customer_id": rng.permutation(rows) + 1000,
        "name": pd.Series([f"person {i}" for i in rng.permutation(rows)], dtype="string"),
        "id": np.arange(rows),
        "same": np.full(rows, 7.0),
        "word": pd.Series(["word"] * rows, dtype="string"),
        "empty": np.full(rows, np.nan),
        "small": rng.normal(size=rows).astype(np.float32),
        "rare": (np.arange(rows) == 3).astype(float),
    }
    chosen = [name for name in columns if name == "number" or rng.uniform() < 0.6]
    frame = pd.DataFrame({name: columns[name] for name in rng.permutation(chosen)})
    frame["copy"] = frame[rng.choice(frame.columns)]
    y = frame["number"] + (texts == "red") + 0.5 * (when.day_of_week >= 5) + 0.3 * rng.normal(size=rows)
    for name in frame.columns:
        if name != "id" and rng.uniform() < 0.4 and frame[name].dtype.kind not in "bi":
            frame.loc[rng.uniform(size=rows) < 0.2, name] = None
    if rng.uniform() < 0.3:
        return frame, np.array(["no", "yes"])[(y > 0.5).astype(int)]
    return (frame, np.array(["a", "b", "c"])[np.digitize(y, [0, 1])]) if rng.uniform() < 0.3 else (frame, y.to_numpy())


@pytest.mark.parametrize("seed", [*range(40), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(40, 200))])
def test_same_model_as_the_command(tmp_path: Path, seed: int) -> None:
    frame, y = messy(seed)
    text = seed % 2 == 1
    if text:  # where a flag would be a text
        written = frame.assign(**{name: frame[name].astype(int) for name in frame if frame[name].dtype == bool})
        written.to_csv(tmp_path / "t.csv", index=False, float_format="%.17g")
    else:  # where whole days are dates, as they are in a text
        days = [name for name in frame if frame[name].dtype.kind == "M" and (frame[name].dropna() == frame[name].dropna().dt.normalize()).all()]
        frame.astype(dict.fromkeys(days, "date32[pyarrow]")).to_parquet(tmp_path / "t.parquet", index=False)
    (tmp_path / "y.txt").write_text("\n".join(map(str, y)) + "\n")
    k: Any = "auto" if seed % 5 == 0 else 1 + seed % 4
    flags = ["--quick"] if seed % 3 else []
    size = [] if k == "auto" else ["-k", str(k)]
    command("fit", "t.csv" if text else "t.parquet", "--target", "y.txt", "--out", "run", *size, *flags, folder=tmp_path)
    learner = FSARegressor if y.dtype.kind == "f" else FSAClassifier
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = learner(k=k, quick=bool(seed % 3)).fit(frame, y)
    assert model.model_.text == (tmp_path / "run" / "model.json").read_text()
    assert len(model.predict(frame)) == len(frame)
    if not text:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            again = learner(k=k, quick=bool(seed % 3)).fit(pl.from_pandas(frame), y)
        assert again.model_ == model.model_


@pytest.mark.parametrize("at", [0, 3, 6])
def test_identifiers_anywhere(tmp_path: Path, at: int) -> None:
    """Identifiers, dates and gaps leave the other features where they are, also in files and on half samples."""
    X, y = make_numbers(300, 8)
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(8)])
    frame.insert(at, "id", np.arange(300))
    frame.loc[::5, "c0"] = np.nan
    frame["day"] = pd.date_range("2020-01-01", periods=300).as_unit("us")
    frame.assign(y=y).to_csv(tmp_path / "t.csv", index=False)
    for form, target in ((frame, y), (str(tmp_path / "t.csv"), "y")):
        with pytest.warns(UserWarning, match="'id' is left out"):
            model = FSARegressor(k=3, quick=True, stability=2).fit(form, target)
        assert model.n_features_in_ == 10
        assert list(model.feature_names_in_) == list(frame.columns)
        assert sorted(model.feature_names_in_[model.selected_]) == ["c1", "c4", "c7"]
        assert list(model.stability_.frequency) == [float(name in ("c1", "c4", "c7")) for name in frame.columns]
        assert model.stability_.index == 1
        assert len(model.ranking_) == len(model.path_.last_epoch) == 10
        assert model.ranking_[at] == model.ranking_.max()
        assert model.score(frame, y) > 0.98


def test_identifiers_are_left_out_unless_they_are_used() -> None:
    X, y = make_numbers()
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(12)]).assign(customer_id=np.arange(200))
    y = y + frame["customer_id"]
    for form in (frame, frame.astype(np.float32), pl.from_pandas(frame)):
        with pytest.warns(UserWarning, match=r"'customer_id' is left out as an identifier.*use=\['customer_id'\]") as warned:
            assert not FSARegressor(k=3, quick=True).fit(form, y).support_[12]
        assert warned[0].filename == __file__
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for parameters in ({"use": ["customer_id"]}, {"use": [12]}, {"force": ["customer_id"]}):
                assert FSARegressor(k=3, quick=True, **parameters).fit(form, y).support_[12]
