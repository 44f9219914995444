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
	// As JSON, a date looks the same whatever the server is set to.
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

// longestName is how many bytes PostgreSQL keeps of a name.
const longestName = 63

// cut returns what PostgreSQL keeps of a name.
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

// quotePostgres quotes a text. A backslash may mean something in plain quotes, by a
// setting of the server, and always means something after an E.
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
