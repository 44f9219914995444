"""Writes the workbooks of this folder with openpyxl and XlsxWriter (python make.py).

Versions used: openpyxl 3.1.5, XlsxWriter 3.3.1.
"""
import datetime as dt

import openpyxl
import openpyxl.styles
import xlsxwriter

HEAD = ["n", "city", "day", "at", "hour", "ok", "half", "share", "y"]
ROWS = [
    [1.5, "Rome", dt.date(2024, 2, 29), dt.datetime(2024, 2, 29, 14, 30, 5), dt.time(9, 5), True, 0.5, 0.25, 1],
    [-2e-7, "A & B <c>\n\"d\", é😀", dt.date(1900, 1, 5), dt.datetime(1999, 12, 31, 23, 59, 59), dt.time(0, 0), False, 1, 0.5, 2],
    [None, None, None, None, None, None, None, None, 3],
    [12345678901234, " x_", dt.date(9999, 12, 31), dt.datetime(2000, 1, 1), dt.time(23, 59, 59), True, "#N/A", 1, 4],
]

book = openpyxl.Workbook()
sheet = book.active
sheet.title = "First"
sheet.append(HEAD)
for row in ROWS:
    sheet.append(row)
for i in range(2, 6):
    sheet.cell(i, 3).number_format = "[$-407]d. mmm yyyy"
    sheet.cell(i, 8).number_format = "0%"
sheet.cell(9, 1).number_format = "0.00"  # a blank row with a style
second = book.create_sheet("Second sheet")
second["C4"], second["D4"] = "a", "y"
for i in range(3):
    second.cell(6 + 2 * i, 2, i)
    second.cell(6 + 2 * i, 4, 10 * i)
book.create_sheet("Formulas").append(["a", "y"])
book["Formulas"].append([1, "=A2*2"])
book.create_sheet("Title").append(["Report"])
book["Title"].append(["a", "y"])
book.create_sheet("Empty")
book.save("openpyxl.xlsx")

book = xlsxwriter.Workbook("xlsxwriter.xlsx", {"date_1904": True})
hidden = book.add_worksheet("Hidden")
hidden.write_row(0, 0, ["secret"])
sheet = book.add_worksheet("Data")
day, at, hour = (book.add_format({"num_format": f}) for f in ("dd/mm/yyyy", "yyyy-mm-dd hh:mm:ss", "h:mm AM/PM"))
bold = book.add_format({"bold": True})
sheet.write_row(0, 0, HEAD)
for i, row in enumerate(ROWS, 1):
    for j, v in enumerate(row):
        if j in (2, 3, 4) and v is not None and not (j == 2 and v.year < 1904):
            sheet.write_datetime(i, j, v, (day, at, hour)[j - 2])
        elif j == 6 and v == "#N/A":
            sheet.write_formula(i, j, "=NA()", None, "#N/A")
        elif j == 8:
            sheet.write_formula(i, j, f"={v}*1", None, v)
        elif j == 5 and v is not None:
            sheet.write_formula(i, j, "=TRUE()" if v else "=FALSE()", None, v)
        elif v == "Rome":
            sheet.write_rich_string(i, j, "Ro", bold, "me")
        elif v is not None and not (j == 2):
            sheet.write(i, j, v)
sheet.activate()
hidden.hide()
book.close()

book = xlsxwriter.Workbook("inline.xlsx", {"in_memory": True, "constant_memory": True})
sheet = book.add_worksheet()
sheet.write_row(0, 0, ["name", "y"])
for i in range(5):
    sheet.write_row(i + 1, 0, [f"text {i}", i])
book.close()
