package export

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"fsa/model"
)

// dialect is what the SQL of an engine differs in.
type dialect struct {
	double, text string // types
	// least and greatest are functions of two or more numbers.
	least, greatest string
	// number returns the value of a column of numbers, and when a cell is none. Texts
	// are numbers there if point says that their decimal mark is a point.
	number func(column string, point bool) (value, bad string)
	// whole returns the cells of a column as texts, numbers without decimals as digits.
	whole func(column string) string
	// moment returns the dates or the times of a column as texts.
	moment func(column string) string
	// isDate and isTime tell whether such a text is one, and seconds returns those of a
	// date since 1970.
	isDate, isTime, seconds func(text string) string
	// field returns the number of a part of a date: months and weekdays count from 1.
	field func(part, text string) string
	// among tells whether a text is one of some words: if it is free, in any case and
	// with blanks around it.
	among func(text string, words []string, free bool) (string, error)
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

// The texts of dates and times of day, as regular expressions.
const (
	timePattern = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?"
	datePattern = "[12][0-9]{3}-[01][0-9]-[0-3][0-9]([ T]" + timePattern + ")?"
)

// largestNumber is what engines compare numbers with to find infinite ones.
var largestNumber = literal(math.MaxFloat64)

// lower returns a name without the case of its ASCII letters.
func lower(name string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, name)
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

// amongList returns the function that compares a text with a list of words, by a
// collation of its bytes.
func amongList(quote func(string) (string, error), collate string) func(string, []string, bool) (string, error) {
	return func(text string, words []string, free bool) (string, error) {
		literals := make([]string, len(words))
		for i, word := range words {
			quoted, err := quote(word)
			if err != nil {
				return "", err
			}
			literals[i] = quoted
		}
		if free {
			text = "lower(trim(" + text + "))"
		}
		return text + collate + " IN (" + strings.Join(literals, ", ") + ")", nil
	}
}

// unless tells whether a condition does not hold, be it unknown. TRUE would be the name of a
// column to SQLite, if the table has one.
func unless(condition string) string { return "NOT coalesce(" + condition + ", 1 = 0)" }

// identifier quotes a name.
func identifier(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// check refuses columns that no table of the engine can have.
func (d *dialect) check(engine string, terms []model.Term) error {
	seen := map[string]string{}
	for i := range terms {
		name := terms[i].Column
		other, twice := seen[d.same(name)]
		twice = twice && other != name // parts of a date have its name
		switch {
		case strings.Contains(name, "\x00"):
			return fmt.Errorf("column %q has a zero byte in its name, which SQL does not allow: rename the column and fit again", name)
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
