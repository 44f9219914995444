package export

import (
	"strings"
	"unicode/utf8"
)

var postgres = dialect{
	double: "DOUBLE PRECISION", text: "TEXT", least: "least", greatest: "greatest",
	number: func(column string, point bool) (value, bad string) {
		bad = "CAST(" + column + ` AS TEXT) !~ '^ *[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)? *$'`
		if !point {
			bad = "(pg_typeof(" + column + ") IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype) OR " + bad + ")"
		}
		return "CAST(" + column + " AS DOUBLE PRECISION)", bad
	},
	whole: func(column string) string { return "CAST(" + column + " AS TEXT)" },
	// As JSON, a date has the same form for all settings of the server.
	moment: func(column string) string { return "(to_jsonb(" + column + ") #>> '{}')" },
	isDate: func(text string) string { return text + " ~ '^" + datePattern + "$'" },
	isTime: func(text string) string { return text + " ~ '^" + timePattern + "$'" },
	seconds: func(text string) string {
		return "CAST(extract(epoch FROM CAST(" + text + " AS TIMESTAMP)) AS DOUBLE PRECISION)"
	},
	field: func(part, text string) string {
		name := map[string]string{"month": "month", "weekday": "isodow", "hour": "hour"}[part]
		return "extract(" + name + " FROM CAST(" + text + " AS TIMESTAMP) + INTERVAL '0.5 seconds')"
	},
	among:   amongList(quotePostgres, ` COLLATE "C"`),
	collate: ` COLLATE "C"`, fence: "\nOFFSET 0", quote: quotePostgres, same: cut,
}

// longestName is the number of bytes of a name that PostgreSQL uses.
const longestName = 63

// cut returns the part of a name that PostgreSQL uses.
func cut(name string) string {
	if len(name) <= longestName {
		return name
	}
	end := longestName
	for !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end]
}

// quotePostgres quotes a text. In plain quotes, the meaning of a backslash depends on a setting of
// the server; after an E, it is always an escape.
func quotePostgres(text string) (string, error) {
	if strings.Contains(text, "\x00") {
		return "", errZero
	}
	quoted := "'" + strings.ReplaceAll(text, "'", "''") + "'"
	if strings.Contains(text, `\`) {
		quoted = "E" + strings.ReplaceAll(quoted, `\`, `\\`)
	}
	return quoted, nil
}
