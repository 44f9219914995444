"""Counts, amounts, quantiles and survival times."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from conftest import command
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import d2_pinball_score, d2_tweedie_score
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fsa_select import FSAClassifier, FSARegressor, FSASelector, FSASurvival, Model

rng = np.random.default_rng(0)
X = rng.normal(size=(300, 10)).astype(np.float32).astype(np.float64)
YEARS = rng.integers(1, 5, 300).astype(np.float64)
COUNT = rng.poisson(YEARS * np.exp(0.6 * X[:, 3] - 0.8 * X[:, 5])).astype(np.float64)
COST = np.where(rng.uniform(size=300) < 0.3, 0, rng.gamma(2, np.exp(X[:, 3]))).round(6)
LIFE, LEFT = rng.exponential(np.exp(X[:, 7] - X[:, 4])).round(2) + 0.01, rng.exponential(2, 300).round(2) + 0.01
TIME, DIED = np.minimum(LIFE, LEFT), LIFE <= LEFT
SURVIVAL = np.rec.fromarrays([DIED, TIME], names=["died", "time"])


def written(folder: Path, **columns: Any) -> None:
    """A table of the features and other columns, and a file for each of the latter."""
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    frame.to_csv(folder / "t.csv", index=False, float_format="%.17g")
    frame.assign(**columns).to_csv(folder / "all.csv", index=False, float_format="%.17g")
    for name, values in columns.items():
        (folder / f"{name}.txt").write_text("\n".join(repr(float(v)) for v in values) + "\n")


@pytest.mark.parametrize(
    ("loss", "target", "more"),
    [
        ("poisson", COUNT, {"exposure": YEARS}),
        ("poisson", COUNT, {"offset": np.log(YEARS)}),
        ("negbinomial", COUNT, {"exposure": YEARS}),
        ("gamma", COST + 1, {}),
        ("tweedie", COST, {"exposure": YEARS}),
        ("quantile", COST, {}),
        ("absolute", COST, {"offset": YEARS}),
    ],
)
def test_same_as_the_command(tmp_path: Path, loss: str, target: Any, more: Any) -> None:
    written(tmp_path, y=target, **more)
    frame = pd.read_csv(tmp_path / "t.csv")
    flags = [word for name in more for word in (f"--{name}", f"{name}.txt")]
    settings = {"quantile": 0.8} if loss == "quantile" else {}
    flags += ["--quantile", "0.8"] if settings else []
    command("fit", "t.csv", "--target", "y.txt", "--loss", loss, "-k", "2", "--out", "run", *flags, folder=tmp_path)
    model = FSARegressor(k=2, loss=loss, **settings).fit(frame, target, **more)
    assert model.model_.text == (tmp_path / "run" / "model.json").read_text()
    command("predict", "run", "all.csv", "--out", "p.csv", folder=tmp_path)
    predicted = model.predict(frame, **more)
    assert np.allclose(predicted, pd.read_csv(tmp_path / "p.csv")["prediction"], rtol=1e-12)
    assert (pickle.loads(pickle.dumps(model)).predict(frame, **more) == predicted).all()
    assert 0 < model.score(frame, target, **more) < 1
    if "deviance" in model.model_.training["metrics"]:
        from fsa_select._deviance import deviance

        power = {"poisson": 1, "gamma": 2}.get(loss, model.model_.settings.get("power", 1))
        mean = deviance(target, predicted, power, model.model_.settings.get("size", np.inf)).mean()
        assert np.isclose(mean, model.model_.training["metrics"]["deviance"], rtol=1e-5)
        if "exposure" not in more and not model.model_.offset:
            assert np.isclose(model.score(frame, target), d2_tweedie_score(target, predicted, power=power))
    elif not model.model_.offset:
        assert model.score(frame, target) == d2_pinball_score(target, predicted, alpha=0.8)
    columns = {name: name for name in more}
    with_roles = FSARegressor(k=2, loss=loss, **settings).fit(str(tmp_path / "all.csv"), "y", **columns)
    assert (with_roles.selected_ == model.selected_).all()
    assert np.allclose(with_roles.predict(frame, **more), predicted)


def test_an_exposure_multiplies() -> None:
    model = FSARegressor(k=2, loss="poisson").fit(X, COUNT, exposure=YEARS)
    assert sorted(model.selected_) == [3, 5]
    assert np.allclose(model.predict(X, exposure=3), 3 * model.predict(X, exposure=1))
    assert np.allclose(model.predict(X, exposure=1), np.exp(X @ model.coef_ + model.intercept_))
    offset = FSARegressor(k=2, loss="poisson").fit(X, COUNT, offset=np.log(YEARS))
    assert np.allclose(offset.predict(X, offset=0), model.predict(X, exposure=1))
    with pytest.raises(ValueError, match="fitted with an exposure: give exposure"):
        model.predict(X)
    with pytest.raises(ValueError, match="offset is given, but the model was fitted without an offset"):
        model.predict(X, offset=YEARS, exposure=YEARS)
    with pytest.raises(ValueError, match=r"exposure has the shape \(3,\)"):
        model.predict(X, exposure=[1, 2, 3])
    with pytest.raises(ValueError, match="exposure is 0.0 for sample 0: it must be positive"):
        model.predict(X, exposure=0)
    plain = FSARegressor(k=2, loss="poisson").fit(X, COUNT)
    with pytest.raises(ValueError, match="exposure is given, but the model was fitted without"):
        plain.predict(X, exposure=YEARS)
    for bad, says in ((np.full(300, np.nan), "exposure is nan for sample 0"), (-YEARS, "it must be positive"), (YEARS[:5], "exposure has the shape")):
        with pytest.raises(ValueError, match=says):
            FSARegressor(k=2, loss="poisson").fit(X, COUNT, exposure=bad)
    with pytest.raises(ValueError, match="either offset or exposure"):
        FSARegressor(k=2, loss="poisson").fit(X, COUNT, exposure=YEARS, offset=YEARS)
    with pytest.raises(ValueError, match="quantile = 0.5: it is for loss='quantile'"):
        FSARegressor(k=2, quantile=0.5).fit(X, COUNT)
    with pytest.raises(ValueError, match="quantile = 1: it must lie between 0 and 1"):
        FSARegressor(k=2, loss="quantile", quantile=1).fit(X, COUNT)
    with pytest.raises(ValueError, match="it is negative|must not be negative|-1"):
        FSARegressor(k=2, loss="poisson").fit(X, COUNT - 5)


def test_files_of_models_with_an_offset(tmp_path: Path) -> None:
    model = FSARegressor(k=2, loss="poisson").fit(X, COUNT, exposure=YEARS)
    model.save_model(tmp_path / "model.json")
    again = Model.load(tmp_path / "model.json")
    assert again == model.model_ and again.offset == "exposure" and again.exposure
    with pytest.raises(ValueError, match="offset|exposure"):
        model.export("python")
    assert "exp" in str(FSARegressor(k=2, loss="poisson").fit(X, COUNT).export("python"))


def test_routing() -> None:
    with sklearn.config_context(enable_metadata_routing=True):
        model = FSARegressor(k=2, quick=True, loss="poisson").set_fit_request(exposure=True).set_predict_request(exposure=True).set_score_request(exposure=True)
        pipeline = make_pipeline(StandardScaler(), model)
        found = cross_validate(model, X, COUNT, params={"exposure": YEARS}, cv=3)
        assert found["test_score"].min() > 0.3
        assert np.allclose(pipeline.fit(X, COUNT, exposure=YEARS).predict(X, exposure=2), 2 * pipeline.predict(X, exposure=1))
        search = GridSearchCV(model, {"k": [1, 2]}, cv=3).fit(X, COUNT, exposure=YEARS)
        assert search.best_params_ == {"k": 2}
        assert search.score(X, COUNT, exposure=YEARS) == search.best_estimator_.score(X, COUNT, exposure=YEARS)


def test_two_classes_with_an_offset(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    shift = 3 * rng.normal(size=300).astype(np.float32).astype(np.float64)
    labels = np.where(rng.random(300) < 1 / (1 + np.exp(-(2 * X[:, 3] - 2 * X[:, 5] + shift))), "yes", "no")
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(10)])
    frame.assign(label=labels, shift=shift).to_csv(tmp_path / "labels.csv", index=False, float_format="%.17g")
    command("fit", "labels.csv", "--target", "label", "--offset", "shift", "-k", "2", "--bins", "0", "--out", "run", folder=tmp_path)
    command("predict", "run", "labels.csv", "--out", "p.csv", folder=tmp_path)
    model = FSAClassifier(k=2, bins=0).fit(frame, labels, offset=shift)
    assert sorted(model.selected_) == [3, 5]
    odds = X @ model.coef_[0] + model.intercept_[0]
    assert np.allclose(model.decision_function(frame, offset=shift), odds + shift)
    assert np.allclose(model.decision_function(frame, 1), odds + 1)
    chance = model.predict_proba(frame, offset=shift)
    assert np.allclose(chance[:, 1], 1 / (1 + np.exp(-odds - shift)))
    assert np.allclose(chance[:, 1], pd.read_csv(tmp_path / "p.csv")["probability"], rtol=1e-12)
    assert np.allclose(model.predict_log_proba(frame, offset=shift), np.log(chance))
    assert (model.predict(frame, offset=shift) == np.where(odds + shift > 0, "yes", "no")).all()
    right = model.predict(frame, offset=shift) == labels
    assert model.score(frame, labels, offset=shift) == right.mean() > model.score(frame, labels, offset=0)
    assert model.score(frame, labels, YEARS, shift) == pytest.approx(np.average(right, weights=YEARS))
    of_file = FSAClassifier(k=2, bins=0).fit(str(tmp_path / "labels.csv"), "label", offset="shift")
    assert of_file.model_.text == (tmp_path / "run" / "model.json").read_text()
    assert np.allclose(of_file.predict_proba(frame, offset=shift), chance)
    for method in (model.decision_function, model.predict, model.predict_proba, model.predict_log_proba):
        with pytest.raises(ValueError, match="fitted with an offset: give offset"):
            method(frame)
    with pytest.raises(ValueError, match="offset is given, but the model was fitted without an offset"):
        FSAClassifier(k=2).fit(frame, labels).predict(frame, offset=shift)
    with pytest.raises(ValueError, match="multinomial loss does not support an offset"):
        FSAClassifier(k=2).fit(frame, np.digitize(X[:, 3], [-1, 1]), offset=shift)
    with pytest.raises(ValueError, match="several targets do not support an offset"):
        FSAClassifier(k=2).fit(frame, np.column_stack([labels, labels[::-1]]), offset=shift)
    with pytest.raises(ValueError, match="without offset and exposure"):
        FSAClassifier(k=2, reference=LogisticRegression()).fit(frame, labels, offset=shift)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = FSAClassifier(k=2, bins=0, quick=True).set_fit_request(offset=True).set_predict_request(offset=True).set_score_request(offset=True)
        routed.set_predict_proba_request(offset=True).set_predict_log_proba_request(offset=True).set_decision_function_request(offset=True)
        found = cross_validate(routed, X, labels, params={"offset": shift}, cv=3)
        assert found["test_score"].min() > 0.75
        pipeline = make_pipeline(StandardScaler(), routed).fit(X, labels, offset=shift)
        assert np.allclose(pipeline.predict_proba(X, offset=shift)[:, 1], 1 / (1 + np.exp(-pipeline.decision_function(X, offset=shift))))


def test_several_quantiles(tmp_path: Path) -> None:
    y = X[:, 3] - X[:, 5] + np.exp(X[:, 3] / 2) * np.random.default_rng(6).normal(size=300)
    written(tmp_path, number=y)
    frame = pd.read_csv(tmp_path / "t.csv")
    command("fit", "t.csv", "--target", "number.txt", "--loss", "quantile", "--quantile", "0.1,0.5,0.9", "-k", "2", "--bins", "0", "--out", "run", folder=tmp_path)
    model = FSARegressor(k=2, loss="quantile", quantile=[0.9, 0.1, 0.5], bins=0).fit(frame, y)
    assert model.model_.text == (tmp_path / "run" / "model.json").read_text()
    command("predict", "run", "t.csv", "--out", "p.csv", folder=tmp_path)
    predicted = model.predict(frame * 9)
    assert predicted.shape == (300, 3) and (np.diff(predicted, axis=1) >= 0).all()
    assert (np.diff(model._decide(frame * 9), axis=1) < 0).any()
    assert np.allclose(pd.read_csv(tmp_path / "p.csv")[["quantile_0.1", "quantile_0.5", "quantile_0.9"]], model.predict(frame), rtol=1e-12)
    assert model.coef_.shape == (3, 10) and model.intercept_.shape == (3,)
    at = [d2_pinball_score(y, model.predict(frame)[:, c], alpha=q) for c, q in enumerate((0.1, 0.5, 0.9))]
    assert np.isclose(model.score(frame, y), np.mean(at))
    assert len(cross_val_score(model, X, y, cv=3)) == 3
    assert "quantile" in model.summary()
    assert sorted(FSASelector(k=2, loss="quantile", quantile=(0.1, 0.9), quick=True).fit(X, y).get_support(indices=True)) == [3, 5]
    for bad in ([0.5], [0.1, 0.1], [0.5, 2], []):
        with pytest.raises(ValueError, match="quantile"):
            FSARegressor(loss="quantile", quantile=bad).fit(X, y)
    with pytest.raises(ValueError, match="offset"):
        FSARegressor(k=2, loss="quantile", quantile=[0.1, 0.9]).fit(X, y, offset=YEARS)
    with pytest.raises(ValueError, match="several quantiles"):
        model.export("sql")


def test_ordered_classes(tmp_path: Path) -> None:
    grade = np.digitize(1.5 * X[:, 3] - 1.5 * X[:, 5] + np.random.default_rng(1).logistic(size=300), [-1, 1])
    order = ["low", "mid", "high"]
    names = np.array(order)[grade]
    written(tmp_path)
    frame = pd.read_csv(tmp_path / "t.csv")
    frame.assign(y=names).to_csv(tmp_path / "named.csv", index=False, float_format="%.17g")
    command("fit", "named.csv", "--target", "y", "--loss", "ordinal", "--order", "low,mid,high", "-k", "2", "--out", "run", folder=tmp_path)
    command("predict", "run", "named.csv", "--out", "p.csv", folder=tmp_path)
    predicted = pd.read_csv(tmp_path / "p.csv")
    model = FSAClassifier(k=2, loss="ordinal", class_order=order).fit(frame, names)
    assert list(model.classes_) == ["high", "low", "mid"]
    assert (model.predict(frame) == predicted["class"]).all()
    probable = model.predict_proba(frame)
    assert np.allclose(probable, predicted[[f"probability_{c}" for c in model.classes_]], atol=1e-12)
    assert (model.classes_[probable.argmax(axis=1)] == model.predict(frame)).all()
    assert np.allclose(np.exp(model.predict_log_proba(frame)), probable)
    assert model.decision_function(frame).shape == (300,)
    assert model.score(frame, names) > 0.5
    assert (pickle.loads(pickle.dumps(model)).predict_proba(frame) == probable).all()

    numbered = FSAClassifier(k=2, loss="ordinal").fit(frame, grade)
    assert np.allclose(numbered.predict_proba(frame)[:, [2, 0, 1]], probable)
    assert (np.array(order)[numbered.predict(frame)] == model.predict(frame)).all()
    assert (FSASelector(k=2, loss="ordinal", class_order=order).fit(frame, names).selected_ == model.selected_).all()
    from_file = FSAClassifier(k=2, loss="ordinal", class_order=order).fit(str(tmp_path / "named.csv"), "y")
    assert (from_file.predict(frame) == model.predict(frame)).all()

    known = pd.Series(pd.Categorical(names, [*order, "never"], ordered=True))
    for ordered in (known, pl.Series(names, dtype=pl.Enum(order))):
        assert (FSAClassifier(k=2, loss="ordinal").fit(frame, ordered).predict_proba(frame) == probable).all()
    above = 1 / (1 + np.exp(model.thresholds_[0] - model.decision_function(frame)))
    assert np.allclose(1 - above, probable[:, 1])
    assert "classes: low < mid < high" in model.summary() and "thresholds: " in model.summary()
    with pytest.raises(AttributeError, match="no thresholds_: those are of ordered classes"):
        _ = FSAClassifier(k=2, quick=True).fit(frame, names).thresholds_
    with pytest.raises(ValueError, match="class_order = 'low': it must be a list"):
        FSAClassifier(k=2, loss="ordinal", class_order="low").fit(frame, names)
    with pytest.raises(ValueError, match="the order misses the class"):
        FSAClassifier(k=2, loss="ordinal", class_order=["low", "mid"]).fit(frame, names)
    with pytest.raises(ValueError, match="texts"):
        FSAClassifier(k=2, loss="ordinal").fit(frame, names)
    with pytest.raises(ValueError, match=r"class_order = \['a'\]: it is for loss='ordinal', and loss = 'auto'"):
        FSAClassifier(class_order=["a"]).fit(frame, names)


def test_shares(tmp_path: Path) -> None:
    draw = np.random.default_rng(2)
    trials = draw.integers(1, 9, 300).astype(np.float64)
    successes = draw.binomial(trials.astype(int), 1 / (1 + np.exp(X[:, 5] - X[:, 3]))).astype(np.float64)
    written(tmp_path, successes=successes, trials=trials)
    frame = pd.read_csv(tmp_path / "t.csv")
    command("fit", "all.csv", "--target", "successes", "--trials", "trials", "-k", "2", "--bins", "0", "--out", "run", folder=tmp_path)
    command("predict", "run", "all.csv", "--out", "p.csv", folder=tmp_path)
    model = FSARegressor(k=2, loss="binomial", bins=0).fit(frame, successes / trials, sample_weight=trials)
    assert set(model.selected_) == {3, 5}
    predicted = model.predict(frame)
    assert np.allclose(predicted, pd.read_csv(tmp_path / "p.csv")["prediction"], rtol=1e-4)
    assert np.allclose(np.log(predicted / (1 - predicted)), frame.to_numpy() @ model.coef_ + model.intercept_)
    mean = np.full(300, np.average(successes / trials, weights=trials))
    assert 0 < model.score(frame, successes / trials, sample_weight=trials) < 1
    from fsa_select._deviance import score

    assert abs(score("binomial", {}, successes / trials, mean, trials, None)) < 1e-9
    assert abs(score("binomial", {}, successes / trials, mean, trials, np.zeros(300))) < 1e-9
    with pytest.raises(ValueError, match="divide them by the numbers of trials, and give these as sample_weight"):
        FSARegressor(k=1, loss="binomial").fit(frame, successes)
    with pytest.raises(ValueError, match="FSAClassifier is for two classes"):
        FSARegressor(k=1, loss="binomial").fit(frame, successes > 2)
    with pytest.raises(ValueError, match="y is 2.0 for sample 0"):
        score("binomial", {}, np.array([2.0]), np.array([0.5]), None, None)


def test_survival_as_the_command(tmp_path: Path) -> None:
    written(tmp_path, time=TIME, died=DIED, center=rng.integers(0, 3, 300))
    frame, center = pd.read_csv(tmp_path / "t.csv"), np.loadtxt(tmp_path / "center.txt")
    command("fit", "t.csv", "--target", "time.txt", "--event", "died.txt", "-k", "2", "--out", "run", folder=tmp_path)
    model = FSASurvival(k=2).fit(frame, SURVIVAL)
    assert model.model_.text == (tmp_path / "run" / "model.json").read_text()
    assert sorted(model.selected_) == [4, 7]
    command("predict", "run", "t.csv", "--at", "0.1,1,3", "--out", "p.csv", folder=tmp_path)
    predicted = pd.read_csv(tmp_path / "p.csv")
    assert np.allclose(predicted["risk"], model.predict(frame), rtol=1e-12)
    assert np.allclose(predicted.iloc[:, -3:], model.predict_survival_function(frame, [0.1, 1, 3]), rtol=1e-12)
    assert model.predict_survival_function(frame).shape == (300, len(model.event_times_))
    assert np.allclose(-np.log(model.predict_survival_function(frame)), model.predict_cumulative_hazard_function(frame))
    assert np.isclose(model.score(frame, SURVIVAL), model.model_.training["metrics"]["concordance"], rtol=1e-12)
    command("fit", "t.csv", "--target", "time.txt", "--event", "died.txt", "--strata", "center.txt", "-k", "2", "--out", "apart", folder=tmp_path)
    apart = FSASurvival(k=2).fit(frame, SURVIVAL, strata=np.array(["north", "south", "west"])[center.astype(int)])
    assert apart.model_.text == (tmp_path / "apart" / "model.json").read_text()
    assert np.isclose(apart.score(frame, SURVIVAL, strata=center), apart.model_.training["metrics"]["concordance"], rtol=1e-12)
    assert not hasattr(apart, "event_times_")
    with pytest.raises(ValueError, match="baseline hazard of its own"):
        apart.predict_survival_function(frame, [1])
    named = FSASurvival(k=2).fit(str(tmp_path / "all.csv"), ("time", "died"), strata="center")
    assert len(named.selected_) == 2


def test_entry_as_the_command(tmp_path: Path) -> None:
    entry = np.floor(TIME * np.random.default_rng(5).uniform(-0.5, 1, size=300) * 10) / 10
    written(tmp_path, time=TIME, died=DIED, since=entry)
    frame = pd.read_csv(tmp_path / "t.csv")
    command("fit", "t.csv", "--target", "time.txt", "--event", "died.txt", "--entry", "since.txt", "--ties", "breslow", "-k", "2", "--out", "run", folder=tmp_path)
    model = FSASurvival(k=2, ties="breslow").fit(frame, SURVIVAL, entry=entry)
    assert model.model_.text == (tmp_path / "run" / "model.json").read_text()
    assert np.isclose(model.score(frame, SURVIVAL, entry=entry), model.model_.training["metrics"]["concordance"], rtol=1e-12)
    assert model.score(frame, SURVIVAL) != model.score(frame, SURVIVAL, entry=entry)
    named = FSASurvival(k=2, ties="breslow").fit(str(tmp_path / "all.csv"), ("time", "died"), entry="since")
    assert np.allclose(named.predict(frame), model.predict(frame))
    assert sorted(FSASelector(k=2, quick=True).fit(X, SURVIVAL, entry=entry).get_support(indices=True)) == [4, 7]
    with pytest.raises(ValueError, match="must enter before"):
        FSASurvival(k=2).fit(X, SURVIVAL, entry=TIME)
    with pytest.raises(ValueError, match="entry has the shape"):
        FSASurvival(k=2).fit(X, SURVIVAL, entry=[1, 2])
    with pytest.raises(ValueError, match="entry is for survival times"):
        FSASelector(k=2).fit(X, COUNT, entry=entry)
    with pytest.raises(ValueError, match="ties"):
        FSASurvival(k=2, ties="exact").fit(X, SURVIVAL)


def test_forms_of_survival_times() -> None:
    model = FSASurvival(k=2, quick=True).fit(X, SURVIVAL)
    frame = pd.DataFrame({"time": TIME, "status": DIED.astype(int)})
    for y in ((TIME, DIED), frame, frame[["status", "time"]], np.column_stack([TIME, DIED]), (list(TIME), list(DIED))):
        assert FSASurvival(k=2, quick=True).fit(X, y).model_ == model.model_
    all_died = FSASurvival(k=2, quick=True).fit(X, TIME)
    assert all_died.model_ == FSASurvival(k=2, quick=True).fit(X, (TIME, np.ones(300))).model_
    for y, says in (
        ((TIME, TIME), "True or 1"),
        (frame.assign(more=1), "2 columns|1d array|dtype|several|should be a 1d"),
        (frame.assign(time=1), "not clear which"),
        ((-TIME, DIED), "time"),
        ((TIME, np.zeros(300)), "no row had the event"),
        ("time", "such as a structured array"),
    ):
        with pytest.raises(ValueError, match=says):
            FSASurvival(k=2, quick=True).fit(X, y)
    with pytest.raises(ValueError, match="strata has the shape"):
        FSASurvival(k=2).fit(X, SURVIVAL, strata=[1, 2])
    with pytest.raises(ValueError, match="times must be a list of numbers"):
        model.predict_survival_function(X, 3)
    assert (model.predict_survival_function(X, [0, -1]) == 1).all()


def test_survival_with_scikit_learn() -> None:
    for y in (SURVIVAL, pd.DataFrame({"time": TIME, "died": DIED})):
        scores = cross_val_score(FSASurvival(k=2, quick=True), X, y, cv=KFold(3))
        assert scores.min() > 0.6
    search = GridSearchCV(FSASurvival(quick=True), {"k": [1, 2]}, cv=KFold(3)).fit(X, SURVIVAL)
    assert search.best_params_ == {"k": 2}
    assert sorted(FSASelector(k=2, quick=True).fit(X, SURVIVAL).get_support(indices=True)) == [4, 7]
    assert sorted(FSASelector(k=2, quick=True, loss="poisson").fit(X, COUNT, exposure=YEARS).get_support(indices=True)) == [3, 5]
    with pytest.raises(ValueError, match="strata are for survival times"):
        FSASelector(k=2).fit(X, COUNT, strata=YEARS)
    model = FSASurvival(cv=KFold(3), scoring="uno").fit(X, SURVIVAL)
    assert {4, 7} <= set(model.selected_)
    assert model.validation_["metrics"]["concordance"] > 0.7
    assert pickle.loads(pickle.dumps(model)).score(X, SURVIVAL) == model.score(X, SURVIVAL)
    assert "(intercept)" not in model.summary() and "concordance" in model.summary()


def test_concordance_of_weights_and_ties() -> None:
    from fsa_select import _survival

    draw = np.random.default_rng(3)
    for _ in range(20):
        n = int(draw.integers(5, 40))
        risk, time, event = draw.integers(0, 4, n).astype(float), draw.integers(1, 6, n).astype(float), draw.integers(0, 2, n).astype(float)
        weight, strata = draw.integers(0, 3, n).astype(float), draw.integers(0, 2, n)
        good = total = 0.0
        for i in range(n):
            for j in range(n):
                if event[i] and strata[i] == strata[j] and (time[j] > time[i] or time[j] == time[i] and not event[j]):
                    total += weight[i] * weight[j]
                    good += weight[i] * weight[j] * ((risk[i] > risk[j]) + 0.5 * (risk[i] == risk[j]))
        if total > 0:
            for block in (1, 1 << 22):
                _survival._BLOCK = block
                assert np.isclose(_survival.concordance(risk, time, event, weight, strata), good / total)
        else:
            with pytest.raises(ValueError, match="nothing to measure"):
                _survival.concordance(risk, time, event, weight, strata)
