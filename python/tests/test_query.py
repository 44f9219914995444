"""Fits of queries over databases."""

from __future__ import annotations

import ctypes.util
import pickle
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

from fsa_select import FSARegressor, Query

pytestmark = pytest.mark.skipif(sys.platform == "linux" and ctypes.util.find_library("sqlite3") is None, reason="the library of SQLite is not installed")


@pytest.fixture
def shop(tmp_path: Path, numbers: Any) -> Path:
    X, y = numbers
    with sqlite3.connect(tmp_path / "shop.db") as db:
        db.execute("create table orders (id integer, amount real)")
        db.execute(f"create table customers (id integer, {', '.join(f'x{j} real' for j in range(X.shape[1]))})")
        db.executemany("insert into orders values (?, ?)", list(enumerate(y.tolist())))
        db.executemany(f"insert into customers values (?{', ?' * X.shape[1]})", [(i, *row) for i, row in enumerate(X.tolist())])
    db.close()
    return tmp_path / "shop.db"


def test_query_equals_table(shop: Path, numbers: Any) -> None:
    X, y = numbers
    names = ", ".join(f"x{j}" for j in range(X.shape[1]))
    query = Query(shop, f"select {names}, amount from customers join orders using (id) order by id")
    model = FSARegressor(k=3, quick=True, bins=0).fit(query, "amount")
    table = FSARegressor(k=3, quick=True, bins=0).fit(X, y)
    assert model.support_.tolist() == table.support_.tolist()
    assert model.coef_ == pytest.approx(table.coef_, rel=1e-6)
    assert list(model.feature_names_in_[model.support_]) == ["x1", "x4", "x7"]
    assert repr(pickle.loads(pickle.dumps(query))) == repr(query)


def test_bad_queries(shop: Path) -> None:
    with pytest.raises(ValueError, match="such as 'select"):
        Query(shop, " ")
    with pytest.raises(ValueError, match="no such table: nowhere"):
        FSARegressor(k=1).fit(Query(shop, "select * from nowhere"), "amount")
    with pytest.raises(ValueError, match="must begin with select"):
        FSARegressor(k=1).fit(Query(shop, "drop table orders"), "amount")
