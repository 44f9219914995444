"""What estimators do in scikit-learn's company."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from conftest import make_numbers
from sklearn.base import clone
from sklearn.ensemble import AdaBoostRegressor
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fsa_select import Epoch, FSAClassifier, FSARanker, FSARegressor, FSASelector, Stage
from fsa_select._model import VERSION
from fsa_select._parameters import threads


def test_what_is_learned(numbers: Any) -> None:
    X, y = numbers
    model = FSARegressor(k=3).fit(X, y)
    assert list(model.selected_) == [1, 4, 7]  # the strongest first
    assert list(np.flatnonzero(model.support_)) == [1, 4, 7]
    np.testing.assert_allclose(model.coef_[[1, 4, 7]], [3, -2, 1], atol=0.05)
    np.testing.assert_allclose(X @ model.coef_ + model.intercept_, model.predict(X))
    assert model.n_features_in_ == 12
    assert model.n_iter_ == len(model.path_) > 0
    assert list(model.path_.variables) == sorted(model.path_.variables, reverse=True)
    assert model.path_.variables[-1] == 3
    assert set(model.path_.features[:3]) == {1, 4, 7}
    assert (model.path_.last_epoch[[1, 4, 7]] == len(model.path_)).all()
    assert (model.ranking_ == 1).sum() == 3
    assert model.ranking_[model.path_.last_epoch == model.path_.last_epoch.min()].max() == model.ranking_.max()
    assert {d["setting"] for d in model.plan_} >= {"loss", "ridge", "batch"}
    assert model.score(X, y) > 0.99


def test_classes(numbers: Any) -> None:
    X, y = numbers
    for labels in (np.where(y > 0, "b", "a"), y > 0, np.where(y > 0, 7, -2), np.digitize(y, [-1, 1]).astype(object), np.digitize(y, [-1, 1]) / 2):
        if labels.dtype == object:
            labels = np.array([f"c{c}" for c in labels], dtype=object)
        if labels.dtype == float:
            labels = labels * 2
        model = FSAClassifier(k=3).fit(X, labels)
        assert list(model.classes_) == sorted(set(labels.tolist()))
        assert model.score(X, labels) > 0.9
        assert model.predict(X).dtype == model.classes_.dtype
        p = model.predict_proba(X)
        np.testing.assert_allclose(p.sum(axis=1), 1)
        assert (model.classes_[p.argmax(axis=1)] == model.predict(X)).all()
        np.testing.assert_allclose(model.predict_log_proba(X), np.log(p))
    assert not hasattr(FSAClassifier(loss="svm"), "predict_proba")
    assert FSAClassifier(k=3, loss="svm", huber=0.2).fit(X, y > 0).score(X, y > 0) > 0.9


def test_class_weights(numbers: Any) -> None:
    X, y = numbers
    labels = np.where(y > 5, "rare", "usual")
    plain = FSAClassifier(k=3).fit(X, labels)
    for weights in ("balanced", {"rare": 20}):
        assert (FSAClassifier(k=3, class_weight=weights).fit(X, labels).predict(X) == "rare").sum() >= (plain.predict(X) == "rare").sum()
    assert FSAClassifier(k=3, class_weight={0: 2.0, 1: 1.0}).fit(X, y > 0).model_ != FSAClassifier(k=3).fit(X, y > 0).model_
    with pytest.raises(ValueError, match="'nobody'|nobody"):
        FSAClassifier(k=3, class_weight={"nobody": 2}).fit(X, labels)


def test_whole_weights_count_samples(numbers: Any) -> None:
    X, y = numbers
    weight = np.random.default_rng(0).integers(0, 3, len(y))
    for model, target in ((FSARegressor(k=3), y), (FSAClassifier(k=3), y > 0), (FSARanker(k=2), np.digitize(y, [-1, 1])), (FSARegressor(), y)):
        weighted = clone(model).fit(X, target, sample_weight=weight)
        repeated = clone(model).fit(X.repeat(weight, axis=0), target.repeat(weight))
        assert list(weighted.selected_) == list(repeated.selected_)
        np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-6)


def test_selector(numbers: Any) -> None:
    X, y = numbers
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    selector = FSASelector(k=3).fit(frame, y)
    assert list(selector.get_support(indices=True)) == [1, 4, 7]
    assert list(selector.get_feature_names_out()) == ["c1", "c4", "c7"]
    np.testing.assert_array_equal(selector.transform(frame), X[:, [1, 4, 7]])
    back = selector.inverse_transform(X[:, [1, 4, 7]])
    assert back.shape == X.shape
    assert (back[:, 0] == 0).all()
    out = FSASelector(k=3).set_output(transform="pandas").fit(frame, y).transform(frame)
    assert list(out.columns) == ["c1", "c4", "c7"]
    assert FSASelector(k=3).fit(X, np.where(y > 0, "a", "b")).model_.loss == "logistic"
    assert FSASelector(k=3).fit(X, np.digitize(y, [-1, 1])).model_.loss == "multinomial"
    assert FSASelector(k=3).fit(X, np.round(10 * y)).model_.loss == "squared"  # too many for classes
    assert FSASelector(k=3, loss="squared").fit(X, np.digitize(y, [-1, 1])).model_.loss == "squared"


def test_extreme(numbers: Any) -> None:
    X, y = numbers
    assert FSARegressor(k=3).fit(X, np.where(y > 0, 1.0, 0.0)).model_.loss == "squared"
    y = y.copy()
    y[:3] = 1000
    model = FSARegressor(k=3).fit(X, y)
    assert model.model_.loss == "huber"
    assert sorted(model.selected_) == [1, 4, 7]
    assert FSARegressor(k=3, loss="squared").fit(X, y).model_.loss == "squared"


def test_extreme_of_a_selector(numbers: Any, tmp_path: Path) -> None:
    X, y = numbers
    np.save(tmp_path / "X.npy", X)
    y = y.copy()
    y[:3] = 1000
    for table in (X, str(tmp_path / "X.npy")):
        selector = FSASelector(k=3).fit(table, y)
        assert selector.model_.loss == "huber"
        assert sorted(selector.get_support(indices=True)) == [1, 4, 7]
    assert FSASelector(k=3, loss="squared").fit(X, y).model_.loss == "squared"


def test_company(numbers: Any) -> None:
    X, y = numbers
    pipe = make_pipeline(StandardScaler(), FSASelector(k=3), LinearRegression())
    assert pipe.fit(X, y).score(X, y) > 0.99
    search = GridSearchCV(FSARegressor(), {"k": [1, 3]}, cv=3).fit(X, y)
    assert search.best_params_ == {"k": 3}
    assert cross_val_score(FSAClassifier(k=3), X, y > 0, cv=3).mean() > 0.9
    assert SelectFromModel(FSARegressor(k=3)).fit(X, y).get_support().sum() == 3
    assert AdaBoostRegressor(FSARegressor(k=3, quick=True), n_estimators=3).fit(X, y).score(X, y) > 0.9


def test_metadata_routing(numbers: Any) -> None:
    X, y = numbers
    weight = np.ones(len(y))
    with sklearn.config_context(enable_metadata_routing=True):
        model = FSARegressor(k=3).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        cross_val_score(model, X, y, params={"sample_weight": weight}, cv=3)
        ranker = FSARanker(k=2).set_fit_request(qid=True).set_score_request(qid=True)
        grades, qid = np.digitize(y, [-1, 1]), np.arange(len(y)) // 10
        scores = cross_val_score(ranker, X, grades, params={"qid": qid}, cv=3)
    assert scores.mean() > 0.8


def test_pickle_and_clone(numbers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = numbers
    model = FSAClassifier(k=3, bins=3).fit(X, y > 0)
    again = pickle.loads(pickle.dumps(model))
    assert again.model_ == model.model_
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    with pytest.raises(NotFittedError):
        clone(model).predict(X)
    assert clone(model).get_params() == model.get_params()
    monkeypatch.setattr("fsa_select._model.VERSION", VERSION - 1)
    with pytest.raises(ValueError, match="newer fsa"):
        pickle.loads(pickle.dumps(model))


def test_pickles_are_small() -> None:
    X, y = make_numbers(columns=3000)
    model = FSARegressor(k=3, quick=True).fit(X, y)
    assert len(model.path_) == model.n_iter_
    state = pickle.dumps(model)
    again = pickle.loads(state)
    kept = sum(getattr(model, name).nbytes for name in ("coef_", "support_", "ranking_", "feature_importances_"))
    assert len(state) < kept + 20_000
    assert not hasattr(again, "path_")
    with pytest.raises(AttributeError, match="has no path_: pickles and copies do not have it"):
        again.path_
    with pytest.raises(AttributeError, match="has no path_: it is not fitted"):
        FSARegressor().path_
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_summary(numbers: Any) -> None:
    X, y = numbers
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    with pytest.raises(NotFittedError):
        FSARegressor().summary()
    model = FSARegressor(k=4, bins=0).fit(frame, y)
    assert repr(model.model_).startswith("Model(regression, squared loss, 4 of 12 features: c1, c4, c7, …)")
    lines = model.summary().split("\n")
    assert lines[:2] == ["regression with the squared loss", "4 of 12 features selected from 200 samples"]
    assert lines[2].startswith("cross-validated in 5 folds: r2 0.99")
    assert [line.split()[0] for line in lines[5:9]] == ["feature", "c1", "c4", "c7"]
    assert lines[6].split()[1:] == ["linear", f"{model.model_.variables[0].strength:.4g}", f"{model.coef_[1]:.4g}"]
    assert lines[10].split() == ["(intercept)", f"{model.intercept_:.4g}"]
    assert repr(model.summary()) == str(model.summary())
    several = FSAClassifier(k=3, quick=True).fit(frame, np.digitize(y, [-1, 1]))
    assert "classes: 0, 1, 2" in several.summary()
    many = FSARegressor(k=30, quick=True, bins=3).fit(*make_numbers(columns=30)).summary()
    assert many.endswith("and 10 more")
    assert "curve" in many


def test_curves(numbers: Any) -> None:
    X, _ = numbers
    y = np.abs(X[:, 2])
    model = FSARegressor(k=1, bins=6).fit(X, y)
    assert list(model.selected_) == [2]
    assert not hasattr(model, "coef_")
    variable = model.model_.variables[0]
    assert variable.kind == "curve"
    response = variable.response([-1.0, 0.0, 1.0])
    assert response[0] > response[1] < response[2]


def test_callbacks_and_progress(numbers: Any, capsys: Any, monkeypatch: Any) -> None:
    X, y = numbers
    seen: list[Epoch] = []
    model = FSARegressor(k=3, callbacks=[seen.append]).fit(X, y)
    assert [e.epoch for e in seen] == list(range(1, model.n_iter_ + 1))
    assert seen[-1].variables == 3
    assert sorted(e.done for e in seen) == [e.done for e in seen]

    class Enough(Exception):
        pass

    def stop(_: Epoch) -> None:
        raise Enough

    with pytest.raises(Enough):
        FSARegressor(k=3, callbacks=stop).fit(X, y)
    assert FSARegressor(k=3).fit(X, y).model_ == model.model_
    FSARegressor(k=3, verbose=1).fit(X, y)
    assert "FSARegressor" in capsys.readouterr().err
    monkeypatch.setitem(__import__("sys").modules, "tqdm.auto", None)
    FSARegressor(k=3, verbose=1).fit(X, y)
    assert "step 1 of 2: cross-validation" in capsys.readouterr().err
    stages: list[Stage] = []
    assert FSARegressor(k=3, stability=2, nested=True, progress=stages.append).fit(X, y).model_.variables == model.model_.variables
    assert list(dict.fromkeys(s.name for s in stages)) == ["nested cross-validation", "cross-validation", "training on all rows", "half samples"]
    assert [s.done for s in stages] == sorted(s.done for s in stages)
    assert stages[0].done == 0 and stages[-1].done == 1 and {s.steps for s in stages} == {4}
    assert [s.step for s in stages] == sorted(s.step for s in stages)
    with pytest.raises(Enough):
        FSARegressor(k=3, progress=stop).fit(X, y)


def test_html(numbers: Any) -> None:
    X, y = numbers
    frame = pd.DataFrame(X, columns=[f"<c{j}>" for j in range(X.shape[1])])
    model = FSARegressor(k=3)
    assert "features selected" not in model._repr_html_()
    page = model.fit(frame, y)._repr_html_()
    assert "3 of 12 features selected" in page
    assert "&lt;c1&gt;" in page
    assert "3 of 12 features selected" in model._repr_mimebundle_()["text/html"]


def test_stability(numbers: Any) -> None:
    X, y = numbers
    model = FSARegressor(k=3, stability=5).fit(X, y)
    assert model.stability_.index == 1
    assert model.stability_.verdict == "excellent"
    np.testing.assert_array_equal(model.stability_.frequency, model.support_.astype(float))
    assert not hasattr(model.set_params(stability=0).fit(X, y), "stability_")


def test_choice_of_k(numbers: Any) -> None:
    X, y = numbers
    model = FSARegressor().fit(X, y)
    assert model.k_ == 3 == len(model.selected_)
    assert list(model.cv_results_["k"])[0] == 0
    assert model.cv_results_["mean_loss"][0] == pytest.approx(model.null_loss_)
    fixed = FSARegressor(k=2).fit(X, y)
    assert fixed.k_ == 2
    assert not hasattr(fixed, "cv_results_")
    assert not hasattr(model.set_params(quick=True).fit(X, y), "cv_results_")  # by EBIC
    assert model.k_ == 3
    assert model.set_params(cv=4).fit(X, y).validation_["folds"] == 4
    assert FSARegressor(k=2, feature_groups=[[1, 4], [7, 8]]).fit(X, y).k_ == 2
    some = FSAClassifier(sizes=[1, 2, 5], rule="min", cv=4).fit(X, y > 0)
    assert list(some.cv_results_["k"]) == [1, 2, 5]
    assert some.validation_["folds"] == 4
    for parameters in ({"sizes": [1, 2]}, {"rule": "min"}):
        with pytest.raises(ValueError, match="it is for k = 'auto', and k = 3"):
            FSARegressor(k=3, **parameters).fit(X, y)
    noise = FSARegressor().fit(X, np.random.default_rng(9).normal(size=len(y)))
    np.testing.assert_array_equal(noise.predict(X).shape, y.shape)


def test_threads_are_counted_as_scikit_learn_does() -> None:
    assert threads(None) == 1
    assert threads(3) == 3
    assert threads(-1) == joblib.cpu_count()
    with joblib.parallel_config(backend="threading", n_jobs=5):
        assert threads(None) == 5


def test_groups_and_forced_features(numbers: Any) -> None:
    X, y = numbers
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    together = FSARegressor(k=2, feature_groups=[["c1", "c2"], ["c4", "c7"]]).fit(frame, y)
    assert sorted(together.selected_) == [1, 2, 4, 7]
    assert 10 in FSARegressor(k=3, force=["c10"]).fit(frame, y).selected_
    assert 10 in FSARegressor(k=3, force=[10]).fit(X, y).selected_
