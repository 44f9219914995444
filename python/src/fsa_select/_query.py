"""Queries over databases, as tables to fit."""

from __future__ import annotations

import os


class Query(os.PathLike[str]):
    """The result of a query over an SQLite database, as the ``X`` of a fit.

    Parameters
    ----------
    path : str or path-like
        The file of the database. It is only read, and must not change during the fit.
    sql : str
        The query. It begins with select, with or values. The library of SQLite of the system runs it.

    Examples
    --------
    >>> query = Query("shop.db", "select * from customers join orders using (id)")
    >>> FSARegressor(k=10).fit(query, "amount")  # doctest: +SKIP
    """

    def __init__(self, path: str | os.PathLike[str], sql: str) -> None:
        if not isinstance(sql, str) or not sql.strip():
            raise ValueError(f"sql = {sql!r}: it must be a query, such as 'select * from orders'")
        self.path = os.fspath(path)
        self.sql = sql

    def __fspath__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        return f"Query({self.path!r}, {self.sql!r})"
