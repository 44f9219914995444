package export

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fsa/model"
)

// dialect is what the SQL of an engine differs in.
type dialect struct {
	double, text string // types
	// least and greatest are functions of two or more numbers.
	least, greatest string
	// absent tells whether a number is missing, by its column and its value.
	absent func(column, value string) string
	// collate makes texts equal only if their bytes are.
	collate string
	// fence stands behind a subquery that is not to be merged with the query around it,
	// which would copy its expressions to each of their uses.
	fence string
	quote func(string) (string, error) // a text
	// same returns what column names have in common that the engine takes for one.
	same func(string) string
	// nameless says that a column may have an empty name.
	nameless bool
}

// dialects is the table of engines.
var dialects = map[string]dialect{
	"sqlite": {
		double: "REAL", text: "TEXT", least: "min", greatest: "max",
		// Tables that were imported from CSV have empty texts for missing numbers.
		absent:  func(column, _ string) string { return column + " IS NULL OR " + column + " = ''" },
		collate: " COLLATE BINARY", fence: "\nLIMIT -1 OFFSET 0", quote: quoteWith("char(0)"), same: lower, nameless: true,
	},
	"duckdb": {
		double: "DOUBLE", text: "VARCHAR", least: "least", greatest: "greatest",
		absent: absentOrNaN, collate: ` COLLATE "C"`, quote: quoteWith("chr(0)"), same: lower,
	},
	"postgres": {
		double: "DOUBLE PRECISION", text: "TEXT", least: "least", greatest: "greatest",
		absent: absentOrNaN, collate: ` COLLATE "C"`, fence: "\nOFFSET 0", quote: quotePostgres, same: cut,
	},
}

// Dialects lists the dialects of SQL.
func Dialects() []string { return slices.Sorted(maps.Keys(dialects)) }

func absentOrNaN(column, value string) string {
	return column + " IS NULL OR " + value + " = 'NaN'"
}

// lower returns a name without the case of its ASCII letters.
func lower(name string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, name)
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

// errZero says that a text cannot be in a table of the engine.
var errZero = errors.New("a zero byte")

// quoteWith returns the function that quotes texts, in which zero is an expression for
// the character that literals cannot have.
func quoteWith(zero string) func(string) (string, error) {
	return func(text string) (string, error) {
		pieces := strings.Split(text, "\x00")
		for i, p := range pieces {
			pieces[i] = "'" + strings.ReplaceAll(p, "'", "''") + "'"
		}
		return strings.Join(pieces, " || "+zero+" || "), nil
	}
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

// identifier quotes a name.
func identifier(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// check refuses columns that no table of the engine can have.
func (d *dialect) check(engine string, terms []model.Term) error {
	seen := map[string]string{}
	for i := range terms {
		name := terms[i].Name
		other, twice := seen[d.same(name)]
		switch {
		case strings.Contains(name, "\x00"):
			return fmt.Errorf("column %q has a zero byte in its name, which SQL cannot write: rename the column and fit again", name)
		case name == "" && !d.nameless:
			return fmt.Errorf("a column has no name, which %s does not allow: name it and fit again", engine)
		case twice:
			return fmt.Errorf("columns %q and %q are the same to %s: rename one of them and fit again", other, name, engine)
		}
		seen[d.same(name)] = name
	}
	return nil
}

// literal returns a number that is a double in every engine: without an exponent some
// take it for a decimal number, and compute otherwise.
func literal(x float64) string {
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	e, _ := strconv.Atoi(exponent)
	return digits + "e" + strconv.Itoa(e)
}
