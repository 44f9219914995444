"""The same rows give the same bytes, in whatever form they come, and as the command does."""

from __future__ import annotations

import datetime
import decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from conftest import command, make_numbers

from fsa_select import FSAClassifier, FSARanker, FSARegressor, FSASelector, _arrow, _tables


def learned_by_command(folder: Path, X: Any, y: Any, *flags: str) -> str:
    np.save(folder / "X.npy", X)
    np.save(folder / "y.npy", y)
    command("fit", "X.npy", "--target", "y.npy", "-k", "3", "--out", "run", *flags, folder=folder)
    return (folder / "run" / "model.json").read_text()


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("holes", [False, True])
def test_same_bytes_as_the_command(tmp_path: Path, kind: Any, order: Any, holes: bool) -> None:
    X, y = make_numbers()
    if holes:
        X[::7, 3] = np.nan
    X = np.asarray(X, dtype=kind, order=order)
    assert FSARegressor(k=3).fit(X, y).model_.text == learned_by_command(tmp_path, X, y)


@pytest.mark.parametrize(
    ("parameters", "flags"),
    [
        ({"bins": 4}, ["--bins", "4"]),
        ({"quick": True, "alpha": 0.5}, ["--quick", "--ridge", "0.5"]),
        ({"alpha": 0, "momentum": 0, "batch": 0}, ["--ridge", "none", "--momentum", "none", "--batch", "all"]),
        ({"polish": True, "max_iter": 100, "mu": 30}, ["--polish", "--iterations", "100", "--mu", "30"]),
        ({"force": [9], "scale": "common"}, ["--force", "9", "--scale", "common"]),
        ({"storage": "int8", "quick": True}, ["--storage", "int8", "--quick"]),
        ({"n_jobs": 1}, []),
    ],
)
def test_same_bytes_with_parameters(tmp_path: Path, parameters: Any, flags: Any) -> None:
    X, y = make_numbers()
    X = X.astype(np.float32)
    assert FSARegressor(k=3, **parameters).fit(X, y).model_.text == learned_by_command(tmp_path, X, y, *flags)


def test_same_bytes_of_classes_and_many_rows(tmp_path: Path) -> None:
    X, y = make_numbers(rows=5000)
    X, labels = X.astype(np.float32), np.digitize(y, [-1, 1])
    model = FSAClassifier(k=3).fit(X, labels)
    assert model.model_.text == learned_by_command(tmp_path, X, labels, "--loss", "multinomial")
    assert model.score(X, labels) > 0.9


def test_same_bytes_of_two_classes(tmp_path: Path) -> None:
    X, y = make_numbers()
    X, labels = X.astype(np.float32), np.where(y > 1, 1, 0)
    wanted = learned_by_command(tmp_path, X, labels)
    assert FSAClassifier(k=3).fit(X, labels).model_.text == wanted
    assert FSASelector(k=3).fit(X, labels).model_.text == wanted
    huber = learned_by_command(tmp_path, X, y, "--loss", "huber")
    assert FSARegressor(k=3, loss="huber").fit(X, y).model_.text == huber


def test_same_bytes_of_weights(tmp_path: Path) -> None:
    X, y = make_numbers()
    X, weight = X.astype(np.float32), np.random.default_rng(1).uniform(0.1, 2, len(y))
    np.save(tmp_path / "w.npy", weight)
    assert FSARegressor(k=3).fit(X, y, sample_weight=weight).model_.text == learned_by_command(tmp_path, X, y, "--weights", "w.npy")


def test_same_bytes_of_a_frame_and_a_text_file(tmp_path: Path) -> None:
    X, y = make_numbers()
    frame = pd.DataFrame(X.astype(np.float32), columns=[f"c{j}" for j in range(X.shape[1])])
    frame["colour"] = pd.Categorical(np.where(y > 1, "red", np.where(y < -1, "blue", "green")))
    frame.loc[::9, "colour"] = np.nan
    frame.loc[::11, "c2"] = np.nan
    frame.to_csv(tmp_path / "X.csv", index=False, float_format="%.17g")
    np.savetxt(tmp_path / "y.txt", y, fmt="%.17g")
    command("fit", "X.csv", "--target", "y.txt", "-k", "3", "--out", "run", folder=tmp_path)
    model = FSARegressor(k=3).fit(frame, y)
    assert model.model_.text == (tmp_path / "run" / "model.json").read_text()
    assert list(model.feature_names_in_) == list(frame.columns)


def test_sparse(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    dense = np.where(rng.uniform(size=(300, 80)) < 0.1, rng.normal(size=(300, 80)), 0)
    y = dense[:, 5] - dense[:, 17] + 0.01 * rng.normal(size=300)
    sp.save_npz(tmp_path / "X.npz", sp.csr_matrix(dense))
    np.save(tmp_path / "y.npy", y)
    command("fit", "X.npz", "--target", "y.npy", "-k", "2", "--out", "run", folder=tmp_path)
    text = (tmp_path / "run" / "model.json").read_text()
    for form in (sp.csr_matrix, sp.csc_matrix, sp.csr_array, sp.csc_array):
        model = FSARegressor(k=2).fit(form(dense), y)
        assert model.model_.text == text
        np.testing.assert_array_equal(model.predict(form(dense)), model.predict(dense))
    twice = sp.csr_matrix(dense)
    twice.indices[:2] = twice.indices[:2][::-1].copy()  # out of order
    assert not FSARegressor(k=2).fit(twice, y).model_.text == ""


def test_strided_views() -> None:
    X, y = make_numbers(columns=24)
    wanted = FSARegressor(k=3, bins=0).fit(np.ascontiguousarray(X[:, ::2]), y)
    assert FSARegressor(k=3, bins=0).fit(X[:, ::2], y).model_ == wanted.model_
    backwards = FSARegressor(k=3, bins=0).fit(X[::-1, ::2], y[::-1])
    np.testing.assert_allclose(backwards.coef_, wanted.coef_, rtol=1e-6)


def frames(X: Any) -> dict[str, Any]:
    plain = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    return {
        "pandas": plain,
        "polars": pl.DataFrame({name: plain[name].to_numpy() for name in plain}),
        "pyarrow": pa.table({name: plain[name].to_numpy() for name in plain}),
        "chunks": pa.concat_tables([pa.table({n: plain[n].to_numpy()[lo : lo + 77] for n in plain}) for lo in range(0, len(X), 77)]),
    }


def test_frames_of_numbers() -> None:
    X, y = make_numbers()
    models = {name: FSARegressor(k=3).fit(frame, y) for name, frame in frames(X).items()}
    texts = {model.model_.text for model in models.values()}
    assert len(texts) == 1
    for model in models.values():
        for frame in frames(X).values():
            np.testing.assert_array_equal(model.predict(frame), models["pandas"].predict(frames(X)["pandas"]))


@pytest.mark.parametrize("kind", ["pandas", "objects", "strings", "nullable", "polars", "enum", "pyarrow", "sliced"])
def test_categories_and_missing_values(kind: str) -> None:
    rng = np.random.default_rng(5)
    rows = 400
    number = np.where(rng.uniform(size=rows) < 0.2, np.nan, rng.normal(size=rows))
    colour = rng.choice(["red", "green", "a colour with a long name", None], rows)
    flag = rng.uniform(size=rows) < 0.5
    noise = rng.normal(size=rows)
    y = np.where(np.isnan(number), 0, number) + np.array([{"red": 2.0, "green": 0.0, None: -1.0}.get(c, -2.0) for c in colour]) + 0.01 * noise
    wanted_frame = pd.DataFrame({"number": number, "noise": noise[::-1], "colour": pd.Categorical(colour), "flag": flag})
    wanted = FSARegressor(k=2).fit(wanted_frame, y)
    assert set(wanted.feature_names_in_[wanted.selected_]) == {"number", "colour"}
    assert not hasattr(wanted, "coef_")
    if kind == "pandas":
        frame: Any = wanted_frame
    elif kind == "objects":
        frame = wanted_frame.assign(colour=pd.Series(list(colour), dtype=object))
    elif kind == "strings":
        frame = wanted_frame.assign(colour=pd.array(colour, dtype="string"))
    elif kind == "nullable":
        frame = wanted_frame.assign(number=pd.array(np.where(np.isnan(number), None, number), dtype="Float64"), flag=pd.array(flag, dtype="boolean"))
    else:
        frame = pl.DataFrame({"number": pl.Series(number).fill_nan(None), "noise": noise[::-1], "colour": pl.Series(list(colour), dtype=pl.String), "flag": flag})
        if kind == "enum":
            frame = frame.with_columns(pl.col("colour").cast(pl.Enum(["green", "red", "unused", "a colour with a long name"])))
        elif kind == "pyarrow":
            table = frame.to_arrow()
            frame = table.set_column(2, "colour", table["colour"].dictionary_encode())
        elif kind == "sliced":
            frame = pa.concat_tables([pl.concat([frame[:3], frame]).to_arrow()]).slice(3)
    model = FSARegressor(k=2).fit(frame, y)
    assert model.model_.text == wanted.model_.text
    np.testing.assert_array_equal(model.predict(frame), wanted.predict(wanted_frame))


def dated(rows: int = 400) -> tuple[pd.DataFrame, np.ndarray[Any, Any]]:
    """Rows whose response depends on the weekday and the hour of a date, and on the hour of a time."""
    rng = np.random.default_rng(5)
    when = pd.Timestamp("2021-03-01") + pd.to_timedelta(rng.integers(0, 24 * 900, rows), unit="h")
    X = pd.DataFrame({"noise": rng.normal(size=rows), "when": when, "a": rng.normal(size=rows), "born": when.normalize()})
    y = X["a"] + (when.day_of_week >= 5) + 1.5 * (when.hour > 12) + 0.1 * rng.normal(size=rows)
    X.loc[::9, "when"] = pd.NaT
    return X, y.to_numpy()


def test_dates(tmp_path: Path) -> None:
    X, y = dated()
    model = FSARegressor(k=2).fit(X, y)
    assert sorted(model.selected_) == [1, 2]
    assert {v.part for v in model.model_.variables if v.name == "when"} == {None, "month", "weekday", "hour"}
    forms = [pl.from_pandas(X), pa.Table.from_pandas(X), X.assign(when=X["when"].dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo"))]
    for form in forms:
        again = FSARegressor(k=2).fit(form, y)
        assert again.model_.text == model.model_.text
        np.testing.assert_array_equal(again.predict(form), model.predict(X))
    X.to_parquet(tmp_path / "X.parquet")
    model.model_.save(tmp_path / "model.json")
    command("predict", "model.json", "X.parquet", "--out", "p.csv", folder=tmp_path)
    np.testing.assert_allclose(pd.read_csv(tmp_path / "p.csv").iloc[:, 0], model.predict(X), rtol=1e-12)
    with pytest.raises(ValueError, match="'when' of X holds no dates"):
        model.predict(X.assign(when=1.0))


def test_durations_periods_and_lazy_frames() -> None:
    rng = np.random.default_rng(7)
    hours, month = rng.integers(0, 100, 300), pd.Series(rng.integers(0, 36, 300))
    X = pd.DataFrame({"noise": rng.normal(size=300), "took": pd.to_timedelta(hours, unit="h"), "in": pd.Timestamp("2020-01-01")})
    X["in"] = [pd.Period("2020-01", "M") + int(m) for m in month]
    X["in"] = X["in"].astype("period[M]")
    y = hours / 30 + month % 12
    model = FSARegressor(k=2).fit(X, y)
    assert set(model.feature_names_in_[model.selected_]) == {"took", "in"}
    plain = X.assign(took=hours * 3600.0, **{"in": X["in"].dt.to_timestamp()})  # seconds, and the first day
    assert FSARegressor(k=2).fit(plain, y).model_ == model.model_
    polars = pl.from_pandas(X.assign(**{"in": plain["in"]}))
    assert polars.schema["took"] == pl.Duration("us") or polars.schema["took"] == pl.Duration("ns")
    for frame in (polars, polars.lazy()):
        np.testing.assert_array_equal(FSARegressor(k=2).fit(frame, y).predict(frame), model.predict(X))
    absent = X.assign(took=X["took"].where(hours > 50))
    np.testing.assert_array_equal(model.predict(absent), model.predict(plain.assign(took=plain["took"].where(hours > 50))))


def test_times_of_day() -> None:
    rng = np.random.default_rng(6)
    seconds = rng.integers(0, 86400, 400)
    y = np.where((seconds >= 8 * 3600) & (seconds < 10 * 3600), 1.0, 0.0) + 0.1 * rng.normal(size=400)
    table = pa.table({"at": pa.array(seconds, pa.int32()).cast(pa.time32("s")), "x": rng.normal(size=400)})
    model = FSARegressor(k=1).fit(table, y)
    assert list(model.selected_) == [0]
    assert model.score(table, y) > 0.7


@pytest.mark.parametrize("learned_missing", [True, False])
def test_missing_cells_at_predict(learned_missing: bool) -> None:
    """A cell that is missing means the same in one row as in training, whatever type its column then has."""
    rng = np.random.default_rng(8)
    colour = rng.choice(["red", "green", None] if learned_missing else ["red", "green"], 300)
    when = pd.Timestamp("2022-01-01") + pd.to_timedelta(rng.integers(0, 24 * 700, 300), unit="h")
    X = pd.DataFrame({"z": rng.normal(size=300), "colour": pd.Categorical(colour), "when": when})
    y = X["z"] + np.array([{"red": 2.0, "green": 0.0}.get(c, -2.0) for c in colour]) + (when.hour > 12)
    if learned_missing:
        X.loc[::9, ["z", "when"]] = None, pd.NaT
    model = FSARegressor(k=3, quick=True).fit(X, y)
    assert len(model.selected_) == 3
    two = pd.concat([X.iloc[[1, 2]]] * 2)
    two.iloc[:2] = None, None, pd.NaT
    wanted = model.predict(two)[:1]
    schema = {"z": pl.Float64, "colour": pl.String, "when": pl.Datetime}
    rows: list[Any] = [
        pd.DataFrame([{"z": None, "colour": None, "when": None}]),
        pd.DataFrame([{"z": np.nan, "colour": np.nan, "when": np.nan}]),
        pd.DataFrame({"z": pd.array([pd.NA], "Float64"), "colour": pd.array([None], "string"), "when": [pd.NaT]}),
        pd.DataFrame({"z": pd.Categorical([None]), "colour": [pd.NA], "when": [None]}),
        pl.DataFrame([{"z": None, "colour": None, "when": None}]),
        pl.DataFrame([{"z": None, "colour": None, "when": None}], schema=schema),
        pa.Table.from_pylist([{"z": None, "colour": None, "when": None}]),
    ]
    for row in rows:
        np.testing.assert_array_equal(model.predict(row), wanted)
    served = pd.DataFrame([{"z": 0.5, "colour": "red", "when": None}])
    np.testing.assert_array_equal(model.predict(served), model.predict(served.assign(colour=pd.Categorical(["red"]), when=pd.NaT)))


def test_unseen_categories_add_nothing() -> None:
    frame = pd.DataFrame({"colour": pd.Categorical(["red", "blue"] * 20), "z": np.arange(40.0)})
    model = FSARegressor(k=1).fit(frame, [1.0, 2.0] * 20)
    new = pd.DataFrame({"colour": pd.Categorical(["green"]), "z": [0.0]})
    np.testing.assert_allclose(model.predict(new), model.model_.intercept[0])


def test_memory_mapped(tmp_path: Path) -> None:
    X, y = make_numbers(rows=30000)
    X = X.astype(np.float32)
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    wanted = FSARegressor(k=3).fit(X, y)
    assert FSARegressor(k=3).fit(mapped, y).model_ == wanted.model_
    part = FSARegressor(k=3).fit(mapped[10000:], y[10000:])
    assert part.model_ == FSARegressor(k=3).fit(X[10000:], y[10000:]).model_
    private = np.load(tmp_path / "X.npy", mmap_mode="c")
    private[:, 1] = 0  # here, but not in the file
    assert 1 not in FSARegressor(k=3).fit(private, y).selected_
    little = FSARegressor(k=3, memory="300MB").fit(mapped, y)
    assert sorted(little.selected_) == sorted(wanted.selected_)


def test_a_file_that_changes_while_it_is_fitted(tmp_path: Path) -> None:
    X, y = make_numbers(rows=30000)
    np.save(tmp_path / "X.npy", X.astype(np.float32))
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r+")

    def write(epoch: Any) -> None:
        if epoch.epoch == 1:
            mapped[:, 3] += 1
            mapped.flush()

    with pytest.raises(ValueError, match="changed during the fit"):
        FSARegressor(k=3, callbacks=write, max_iter=300, quick=True).fit(mapped, y)
    assert FSARegressor(k=3).fit(mapped, y).score(mapped, y) > 0.9


def test_paths(tmp_path: Path) -> None:
    X, y = make_numbers(rows=3000)
    X = X.astype(np.float32)
    np.save(tmp_path / "X.npy", X)
    wanted = FSARegressor(k=3).fit(X, y)
    model = FSARegressor(k=3).fit(tmp_path / "X.npy", y)
    assert model.model_ == wanted.model_
    np.testing.assert_array_equal(model.predict(X), wanted.predict(X))
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    frame.insert(2, "price", y)
    frame.to_csv(tmp_path / "t.csv", index=False)
    named = FSARegressor(k=3).fit(str(tmp_path / "t.csv"), "price")
    assert sorted(named.feature_names_in_[named.selected_]) == ["c1", "c4", "c7"]
    assert sorted(named.selected_) == [1, 4, 7]  # the target is no feature
    np.testing.assert_allclose(named.predict(X), wanted.predict(X), atol=0.02)
    labels = np.where(y > 0, "high", "low")
    classes = FSAClassifier(k=3).fit(tmp_path / "X.npy", labels)
    assert classes.model_ == FSAClassifier(k=3).fit(X, labels).model_
    assert classes.score(X, labels) > 0.9
    frame.assign(price=np.digitize(y, [-1, 1])).to_csv(tmp_path / "t.csv", index=False)
    grades = FSAClassifier(k=3, quick=True).fit(tmp_path / "t.csv", "price")
    assert grades.model_.loss == "multinomial"
    with pytest.raises(FileNotFoundError):
        FSARegressor(k=3).fit(tmp_path / "none.npy", y)


def test_queries_are_brought_together() -> None:
    X, y = make_numbers(rows=300)
    grades, qid = np.digitize(y, [-1, 1]), np.arange(300) // 10
    wanted = FSARanker(k=2).fit(X, grades, qid=qid)
    mixed = np.random.default_rng(0).permutation(300)
    model = FSARanker(k=2).fit(X[mixed], grades[mixed], qid=qid[mixed])
    assert sorted(model.selected_) == sorted(wanted.selected_)
    np.testing.assert_allclose(model.predict(X), wanted.predict(X), rtol=1e-5, atol=1e-7)
    assert wanted.score(X, grades, qid=qid) > 0.9
    assert FSASelector(k=2).fit(X, grades, qid=[f"q{q}" for q in qid]).model_ == wanted.model_


class Tensor:
    """An array that other packages know by DLPack alone, as tensors of torch and JAX are."""

    def __init__(self, X: Any, device: int = 1) -> None:
        self.X, self.device, self.shape = X, device, X.shape

    def __dlpack__(self, **kwargs: Any) -> Any:
        if self.X.dtype == object:
            raise BufferError("objects are no numbers")
        return self.X.__dlpack__(**kwargs)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device, 0


def test_tensors(numbers: Any, monkeypatch: Any) -> None:
    X, y = numbers
    for form in (X, X.astype(np.float32), np.asfortranarray(X)):
        seen = []
        monkeypatch.setattr(_tables.Dense, "__init__", lambda self, X, names, init=_tables.Dense.__init__: (seen.append(X), init(self, X, names))[1])
        model = FSARegressor(k=3, quick=True).fit(Tensor(form), y)
        assert np.shares_memory(seen[0], form)  # it is not copied
        assert model.model_ == FSARegressor(k=3, quick=True).fit(form, y).model_
        np.testing.assert_array_equal(model.predict(Tensor(form)), model.predict(form))
        monkeypatch.undo()
    with pytest.raises(ValueError, match=r"X is on a device that is neither the CPU nor a GPU of CUDA: copy it to the CPU, such as by X.cpu\(\)"):
        FSARegressor(k=3).fit(Tensor(X, device=8), y)
    with pytest.raises(ValueError, match="X cannot be read as an array: objects are no numbers"):
        FSARegressor(k=3).fit(Tensor(X.astype(object)), y)


def test_objects_of_dates_times_and_decimals() -> None:
    """What databases return: dates, times and decimals as objects of Python, and decimals of Arrow."""
    rng = np.random.default_rng(3)
    day = [None if i == 3 else datetime.date(2020, 1, 1) + datetime.timedelta(days) for i, days in enumerate(rng.integers(0, 900, 200).tolist())]
    hour = [None if i == 5 else datetime.time(i % 24, 30) for i in range(200)]
    price = [None if i == 7 else decimal.Decimal(cents) / 100 for i, cents in enumerate(rng.integers(-999, 10**6, 200).tolist())]
    y = np.array([0 if d is None else d.toordinal() % 365 for d in day]) + np.array([float(p or 0) for p in price])
    objects = pd.DataFrame({"day": day, "hour": hour, "price": price})
    table = pa.table({"day": day, "hour": hour, "price": pa.array(price, pa.decimal128(12, 2))})
    wide = table.set_column(2, "price", table["price"].cast(pa.decimal256(60, 2)))
    model = FSARegressor(k=3, quick=True).fit(table, y)
    assert {v.name for v in model.model_.variables} == {"day", "hour", "price"}
    assert model.model_ == FSARegressor(k=3, quick=True).fit(wide, y).model_ == FSARegressor(k=3, quick=True).fit(objects, y).model_
    np.testing.assert_array_equal(model.predict(objects), model.predict(table))


def test_decimals_of_many_digits() -> None:
    values = [decimal.Decimal("1.25"), decimal.Decimal(-(10**25)), None, decimal.Decimal("-0.07")]
    for kind in (pa.decimal128(38, 2), pa.decimal256(60, 2)):
        column = _arrow.read(pa.table({"a": pa.array(values, kind)}).slice(1), lambda _: True)[1][0]
        np.testing.assert_array_equal(column.values, [-1e25, np.nan, -0.07])


def test_classes_that_no_float_holds() -> None:
    X, y = make_numbers()
    labels = np.where(y > 0, 10**17, 10**17 + 1)
    model = FSAClassifier(k=2, quick=True).fit(X, labels)
    assert model.classes_.tolist() == [10**17, 10**17 + 1]
    assert model.score(X, labels) > 0.8
