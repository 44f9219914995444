"""Writes the table of TestSameModelFromRows as messy.xlsx and messy.db (python messy.py).

Versions used: openpyxl 3.1.5, SQLite 3 of Python 3.11.
"""
import datetime as dt
import os
import sqlite3

import openpyxl

HEAD = ["amount", "city, or town", "day", "at", "ok", "note", "code", "y"]
rows = []
for i in range(200):
    row = [
        i * 37 % 101 / 7, ["Rome", "Zürich", 'the "big", one'][i * 7 % 3],
        dt.date(2024, i % 12 + 1, i % 28 + 1), dt.datetime(2024, i % 12 + 1, i % 28 + 1, i % 24, i % 60),
        i * 5 % 7 < 3, f"line {i % 4}\nof \\ text", "%03d" % (i % 5), float("%.3f" % (i * 37 % 101 / 7 + i * 7 % 3)),
    ]
    if i % 11 == 3:
        row[i % 7] = None
    rows.append(row)

book = openpyxl.Workbook()
sheet = book.active
sheet.title = "Data"
for row in [HEAD] + rows:
    sheet.append(row)
book.create_sheet("Notes").append(["nothing"])
book.save("messy.xlsx")

if os.path.exists("messy.db"):
    os.remove("messy.db")
db = sqlite3.connect("messy.db")
db.execute("create table orders (%s)" % ", ".join('"%s"' % name for name in HEAD))
text = lambda v: str(v).lower() if isinstance(v, bool) else str(v) if isinstance(v, dt.date) else v
db.executemany("insert into orders values (?,?,?,?,?,?,?,?)", [[text(v) for v in row] for row in rows])
db.commit()
