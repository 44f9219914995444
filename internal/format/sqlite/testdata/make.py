"""Writes the databases of this folder with SQLite (python make.py), and what is in them as CSV.

Version used: SQLite 3 of Python 3.11.
"""
import csv
import os
import sqlite3


def make(name, encoding, page_size, rows):
    if os.path.exists(name):
        os.remove(name)
    db = sqlite3.connect(name)
    db.execute(f"pragma encoding = '{encoding}'")
    db.execute(f"pragma page_size = {page_size}")
    db.execute("""create table "or""ders" ( -- all orders, of all kinds
        [id] integer primary key, `n` int not null default 3, 'big' bigint check (big > -1e300 or big in (1, 2)),
        x double precision /* a number */, "city name" varchar(20) collate nocase, note text, constraint c unique (n, id))""")
    for i in range(rows):
        big = (-1) ** i * 2 ** (i % 63)
        x = None if i % 7 == 0 else i / 3
        note = None if i % 5 == 0 else ("é😀, \"q\"\n" + "x" * (i * 37 % 3000 if i % 11 == 0 else i % 30)) + str(i)
        db.execute('insert into "or""ders" values (?,?,?,?,?,?)', (None if i % 3 else i * 4, i - 50, big, x, ["Rome", "Oslo", "Zürich"][i % 3], note))
    db.execute('delete from "or""ders" where n % 13 = 0')
    db.execute('alter table "or""ders" add column late default -1.5')
    db.execute('insert into "or""ders" values (1000000, 9, 8, 7, \'x\', null, 6)')
    db.commit()
    return db


def dump(db, query, name):
    with open(name, "w", newline="") as f:
        rows = db.execute(query)
        w = csv.writer(f, lineterminator="\n")
        w.writerow([c[0] for c in rows.description])
        w.writerows(rows)


db = make("small.db", "UTF-8", 512, 120)
dump(db, 'select * from "or""ders" order by id', "small.csv")
db.close()

db = make("wide.db", "UTF-16le", 1024, 60)
dump(db, 'select * from "or""ders" order by id', "wide.csv")
db.execute("create table keyed (a text primary key, b) without rowid")
db.execute("create table computed (a, b generated always as (a + 1) virtual)")
db.execute("create table bytes (a, b blob)")
db.execute("insert into bytes values (1, x'00ff')")
db.execute("create view seen as select 1 as a")
db.execute("create table empty (a, y)")
db.commit()
db.close()
