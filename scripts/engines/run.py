"""Runs exported models in the engines of this environment.

Reads a list of jobs in JSON from standard input and writes a list of results, each
the predictions of the rows or an error. A job has the engine, the exported file, and
the columns of a table, in which null is a missing value. A query may be asked for as a
view, and numbers of SQLite as columns of another type. A column of texts may have a type
of its own.
"""

import importlib.util
import json
import sys


def onnx(job):
    """One list for each output of the graph, in its order, flattened by rows."""
    import numpy
    import onnx as checker
    import onnxruntime

    checker.checker.check_model(job["file"], full_check=True)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(job["file"], options, providers=["CPUExecutionProvider"])
    columns = []
    for column in job["columns"]:
        if column["texts"] is None:
            cells = numpy.array([float("nan") if v is None else v for v in column["numbers"]], dtype=numpy.float64)
        else:
            cells = numpy.array([v or "" for v in column["texts"]], dtype=object)
        columns.append(cells.reshape(-1, 1))
    if "width" in job:
        matrix = numpy.full((job["rows"], job["width"]), -7.5)
        matrix[:, job["places"]] = numpy.hstack(columns)
        columns = [matrix]
    feeds = {port.name: cells for port, cells in zip(session.get_inputs(), columns, strict=True)}
    outputs = session.run(None, feeds)
    return {
        "inputs": [port.name for port in session.get_inputs()],
        "names": [port.name for port in session.get_outputs()],
        "rows": [[v for output in outputs for v in numpy.ravel(output[i]).tolist()] for i in range(job["rows"])],
    }


def python(job):
    """The dictionary of each row, or what is wrong with it."""
    spec = importlib.util.spec_from_file_location("scorer", job["file"])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    cells = [(c["name"], c["numbers"] if c["texts"] is None else c["texts"]) for c in job["columns"]]

    def predict(row):
        try:
            return module.predict(row)
        except (TypeError, ValueError) as e:
            return {"refused": str(e)}

    return {"dicts": [predict({name: values[i] for name, values in cells}) for i in range(job["rows"])]}


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def cells(job, nan):
    """The rows of the table. Some missing numbers are NaN where the engine has one."""
    for i in range(job["rows"]):
        row = [i]
        for c in job["columns"]:
            if c["texts"] is not None:
                row.append(c["texts"][i])
            else:
                v = c["numbers"][i]
                row.append(nan if v is None and i % 2 else v)
        yield row


def predictions(cursor, job):
    """The columns behind those of the table, in the order of the rows."""
    with open(job["file"], encoding="utf-8", newline="") as f:
        query = f.read()
    if job.get("view"):
        cursor.execute("CREATE VIEW fsa_view AS " + query)
        query = "SELECT * FROM fsa_view"
    cursor.execute(query)
    width = 1 + len(job["columns"])
    rows = sorted(cursor.fetchall(), key=lambda row: row[0])
    return {"names": [d[0] for d in cursor.description][width:], "rows": [list(row[width:]) for row in rows]}


def sqlite(job):
    import sqlite3

    db = sqlite3.connect(":memory:")
    # Numbers may be in columns of any type; what CSV leaves empty is an empty text.
    types = [c.get("type", "TEXT COLLATE NOCASE") if c["texts"] is not None else job.get("type", "REAL") for c in job["columns"]]
    columns = ", ".join(quoted(c["name"]) + " " + t for c, t in zip(job["columns"], types, strict=True))
    db.execute(f"CREATE TABLE data (fsa_row_number INTEGER, {columns})")
    marks = ", ".join("?" * (1 + len(types)))
    db.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 32766)
    rows = cells(job, "")
    if job.get("type") == "TEXT":  # all digits of them
        rows = ([repr(v) if isinstance(v, float) else v for v in row] for row in rows)
    db.executemany(f"INSERT INTO data VALUES ({marks})", rows)
    return predictions(db.cursor(), job)


def duckdb(job):
    import duckdb as engine

    db = engine.connect(":memory:")
    columns = ", ".join(quoted(c["name"]) + " " + (c.get("type", "VARCHAR COLLATE NOCASE") if c["texts"] is not None else "DOUBLE") for c in job["columns"])
    db.execute(f"CREATE TABLE data (fsa_row_number INTEGER, {columns})")
    marks = ", ".join("?" * (1 + len(job["columns"])))
    db.executemany(f"INSERT INTO data VALUES ({marks})", list(cells(job, float("nan"))))
    return predictions(db, job)


def main():
    results = []
    for job in json.load(sys.stdin):
        try:
            results.append({"onnx": onnx, "python": python, "sqlite": sqlite, "duckdb": duckdb}[job["engine"]](job))
        except Exception as e:  # noqa: BLE001 - whatever an engine throws is a result
            results.append({"error": f"{type(e).__name__}: {e}"})
    json.dump(results, sys.stdout)


main()
