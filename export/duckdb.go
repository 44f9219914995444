package export

import (
	"regexp"
	"strings"
)

var duckdb = dialect{
	double: "DOUBLE", text: "VARCHAR", least: "least", greatest: "greatest",
	number: func(column string, point bool) (value, bad string) {
		value = "TRY_CAST(" + column + " AS DOUBLE)"
		isText := "typeof(" + column + ") = 'VARCHAR'"
		if point { // this engine reads 1_000 as a number, but others do not
			isText += " AND strpos(CAST(" + column + " AS VARCHAR), '_') > 0"
		}
		return value, unless("abs(" + value + ") <= " + largestNumber + " AND NOT (" + isText + ")")
	},
	whole: func(column string) string {
		text := "CAST(" + column + " AS VARCHAR)"
		return "CASE WHEN typeof(" + column + ") IN ('DOUBLE', 'FLOAT') THEN regexp_replace(" + text + ", '[.]0$', '') ELSE " + text + " END"
	},
	moment: func(column string) string { return "CAST(" + column + " AS VARCHAR)" },
	isDate: func(text string) string {
		return "regexp_full_match(" + text + ", '" + datePattern + "') AND " + timestampDuckDB(text) + " IS NOT NULL"
	},
	isTime:  func(text string) string { return "regexp_full_match(" + text + ", '" + timePattern + "')" },
	seconds: func(text string) string { return "epoch(" + timestampDuckDB(text) + ")" },
	field: func(part, text string) string {
		function := map[string]string{"month": "month", "weekday": "isodow", "hour": "hour"}[part]
		return function + "(" + timestampDuckDB(text) + " + INTERVAL 500 MILLISECOND)"
	},
	// The engine takes long to plan lists of texts for many columns.
	among: func(text string, words []string, free bool) (string, error) {
		quoted := make([]string, len(words))
		for i, word := range words {
			quoted[i] = regexp.QuoteMeta(word)
		}
		pattern := "(" + strings.Join(quoted, "|") + ")"
		if free {
			pattern = "(?i) *" + pattern + " *"
		}
		literal, err := quoteWith("chr(0)")(pattern)
		return "regexp_full_match(" + text + ", " + literal + ")", err
	},
	collate: ` COLLATE "C"`, quote: quoteWith("chr(0)"), same: lower,
}

func timestampDuckDB(text string) string { return "TRY_CAST(" + text + " AS TIMESTAMP)" }
