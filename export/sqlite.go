package export

// sqlite has no column types, only types of cells, and no regular expressions. Tables that were
// imported from CSV contain texts for numbers.
var sqlite = dialect{
	double: "REAL", text: "TEXT", least: "min", greatest: "max",
	number: func(column string, point bool) (value, bad string) {
		value = "CAST(" + column + " AS REAL)"
		number := "typeof(" + column + ") IN ('integer', 'real')"
		if point { // compared with a number, a text is converted if it is a number completely
			number += " OR CAST(" + column + " AS NUMERIC) = CAST(" + column + " AS TEXT)"
		}
		return value, unless("(" + number + ") AND abs(" + value + ") <= " + largestNumber)
	},
	whole: func(column string) string {
		text := "CAST(" + column + " AS TEXT)"
		integer := "CAST(" + column + " AS INTEGER)"
		return "CASE WHEN typeof(" + column + ") = 'real' AND " + column + " = " + integer + " THEN CAST(" + integer + " AS TEXT) ELSE " + text + " END"
	},
	moment: func(column string) string { return "CAST(" + column + " AS TEXT)" },
	isDate: func(text string) string {
		day, rest := "substr("+text+", 1, 10)", "substr("+text+", 11)"
		return day + " GLOB '[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]'" +
			" AND strftime('%Y-%m-%d', CAST(strftime('%s', " + day + ") AS INTEGER), 'unixepoch') = " + day +
			" AND (" + rest + " = '' OR " + rest + " GLOB '[ T]*' AND " + clockSQLite("substr("+text+", 12)") + ")"
	},
	isTime:  clockSQLite,
	seconds: secondsSQLite,
	field: func(part, text string) string {
		code := map[string]string{"month": "%m", "weekday": "%w", "hour": "%H"}[part]
		number := "CAST(strftime('" + code + "', CAST(round(" + secondsSQLite(text) + ") AS INTEGER), 'unixepoch') AS INTEGER)"
		if part == "weekday" { // Sunday is 0
			return "((" + number + " + 6) % 7 + 1)"
		}
		return number
	},
	among:   amongList(quoteWith("char(0)"), ` COLLATE BINARY`),
	collate: " COLLATE BINARY", fence: "\nLIMIT -1 OFFSET 0", quote: quoteWith("char(0)"), same: lower, nameless: true,
}

// secondsSQLite returns the seconds since 1970 of a date that is written as text.
func secondsSQLite(text string) string {
	return "(CAST(strftime('%s', substr(" + text + ", 1, 19)) AS REAL) + CAST('0' || substr(" + text + ", 20) AS REAL))"
}

// clockSQLite returns the condition that a text is a time of day.
func clockSQLite(text string) string {
	minutes, seconds, fraction := "substr("+text+", 1, 5)", "substr("+text+", 6, 3)", "substr("+text+", 9)"
	return minutes + " GLOB '[0-2][0-9]:[0-5][0-9]' AND " + minutes + " < '24'" +
		" AND (" + seconds + " = '' OR " + seconds + " GLOB ':[0-5][0-9]')" +
		" AND (" + fraction + " = '' OR " + fraction + " GLOB '.[0-9]*' AND substr(" + fraction + ", 2) NOT GLOB '*[^0-9]*')"
}
