"""Collections of Dask, on a cluster of processes that the tests start themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("distributed", reason="distributed is not installed: pip install 'dask[array,dataframe]' distributed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install pyarrow")

import dask.array as da
import dask.dataframe as dd
import pandas as pd
from conftest import make_numbers
from distributed import Client, LocalCluster

import fsa_select
from fsa_select.dask import FSAClassifier, FSARegressor

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(scope="module")
def client() -> Any:
    """Two workers, each a process of its own."""
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, Client(cluster) as client:
        yield client


def test_same_model_for_any_partitions(client: Any) -> None:
    X, y = make_numbers(300, 12)
    X[::7, 4] = np.nan
    texts = set()
    for rows in (300, 70):
        model = FSARegressor(k=3, quick=True, max_iter=60).fit(da.from_array(X, chunks=(rows, 5)), da.from_array(y, chunks=rows), client=client)
        texts.add(model.model_.text)
    assert len(texts) == 1
    alone = fsa_select.FSARegressor(k=3, quick=True, max_iter=60, batch=0).fit(X, y)
    assert sorted(model.selected_) == sorted(alone.selected_) == [1, 4, 7]
    whole = da.from_array(X, chunks=(70, 5))
    assert np.array_equal(model.predict(whole).compute(), model.predict(X))
    np.testing.assert_allclose(model.predict(X), alone.predict(X), rtol=1e-4, atol=1e-4)


def test_frames_of_classes(client: Any) -> None:
    X, y = make_numbers(300, 12)
    frame = pd.DataFrame(X, columns=[f"v{j}" for j in range(12)]).assign(stage=np.array(["low", "mid", "top"])[np.digitize(y, [-2, 2])], weight=1.0 + np.arange(300) % 2)
    table = dd.from_pandas(frame, npartitions=5)
    inputs = list(frame.columns[:12])
    model = FSAClassifier(k=3, quick=True, max_iter=60).fit(table[inputs], table["stage"], table["weight"], client=client)
    assert list(model.classes_) == ["low", "mid", "top"] and list(model.feature_names_in_) == inputs
    assert (model.predict(frame[inputs]) == frame["stage"]).mean() > 0.9
    assert np.array_equal(model.predict(table[inputs]).compute(), model.predict(frame[inputs]))
    assert model.predict_proba(table[inputs]).compute().shape == (300, 3)


def messy() -> tuple[pd.DataFrame, Any]:
    """A target that is a curve of one column and depends on the town, with labels of groups."""
    X, _ = make_numbers(300, 8)
    rng = np.random.default_rng(5)
    town = rng.choice(np.array(["Ulm", "Bonn", "Köln"]), 300)
    y = 3 * np.abs(X[:, 2]) + 2 * (town == "Köln") + X[:, 4] + 0.1 * rng.normal(size=300)
    frame = pd.DataFrame(X, columns=[f"v{j}" for j in range(8)]).assign(town=town, patient=np.arange(300) // 3, code=rng.integers(0, 3, 300))
    frame.loc[::11, "town"] = None
    return frame, y


def test_texts_curves_and_groups(client: Any) -> None:
    frame, y = messy()
    inputs = [name for name in frame.columns if name != "patient"]
    texts = set()
    for parts in (1, 5):
        table = dd.from_pandas(frame.assign(y=y), npartitions=parts)
        for kind in ("string", "category"):
            table["town"] = table["town"].astype(kind)
            estimator = FSARegressor(k=3, bins=4, cv=3, max_iter=60, categorical_features=["code"], feature_groups=[["v0", "v4"]])
            model = estimator.fit(table[inputs], table["y"], groups=table["patient"], client=client)
            texts.add(model.model_.text)
    assert len(texts) == 1
    kinds = {v.name: v.kind for v in model.model_.variables}
    assert kinds["v2"] == "curve" and kinds["town"] == "category" and {"v0", "v4"} < set(kinds)
    assert model.score(frame[inputs], y) > 0.9
    assert np.array_equal(model.predict(table[inputs]).compute(), model.predict(frame[inputs]))
    with pytest.raises(ValueError, match="2 groups cannot be divided"):
        FSARegressor(k=2, cv=3).fit(table[inputs], table["y"], groups=table["patient"] % 2, client=client)


def test_bad_collections_are_named(client: Any) -> None:
    X, y = make_numbers(100, 8)
    table, target = da.from_array(X, chunks=(50, 8)), da.from_array(y, chunks=50)
    with pytest.raises(ValueError, match="X is no collection"):
        FSARegressor(k=1).fit(X, target, client=client)
    with pytest.raises(ValueError, match="partition them alike"):
        FSARegressor(k=1).fit(table, da.from_array(y, chunks=25), client=client)
    with pytest.raises(ValueError, match="infinite"):
        FSARegressor(k=1).fit(da.where(table > 2, np.inf, table), target, client=client)
    with pytest.raises(ValueError, match="leave it out of the groups"):
        FSARegressor(k=1, categorical_features=[1], feature_groups=[["x0", "x1"]]).fit(table.round(), target, client=client)
    with pytest.raises(ValueError, match="1 class"):
        FSAClassifier(k=1).fit(table, target * 0, client=client)
