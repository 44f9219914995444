package export

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"fsa/model"
)

// dialect is how the SQL of an engine differs from others.
type dialect struct {
	double, text string // names of types
	// least and greatest are the functions that return the smallest and the largest of several
	// numbers.
	least, greatest string
	// number returns the value of a numeric column, and the condition under which a cell is not a
	// number. If point is true, texts with a decimal point are also numbers.
	number func(column string, point bool) (value, bad string)
	// whole returns the cells of a column as texts; integers are written without decimals.
	whole func(column string) string
	// moment returns the dates or the times of a column as texts.
	moment func(column string) string
	// isDate and isTime return the condition that such a text is a date or a time. seconds returns
	// the seconds since 1970 of a date.
	isDate, isTime, seconds func(text string) string
	// field returns the number of a part of a date: months and weekdays count from 1.
	field func(part, text string) string
	// among returns the condition that a text is one of some words. If free is true, case and
	// surrounding blanks are ignored.
	among func(text string, words []string, free bool) (string, error)
	// collate makes texts equal only if their bytes are equal.
	collate string
	// fence follows a subquery that must not be merged with the query around it, because that would
	// copy its expressions to each use.
	fence string
	quote func(string) (string, error) // quotes a text
	// same maps column names that the engine treats as equal to the same text.
	same func(string) string
	// nameless says that a column may have an empty name.
	nameless bool
}

// Regular expressions of dates and times of day.
const (
	timePattern = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?"
	datePattern = "[12][0-9]{3}-[01][0-9]-[0-3][0-9]([ T]" + timePattern + ")?"
)

// largestNumber is compared with numbers to find infinite ones.
var largestNumber = literal(math.MaxFloat64)

// lower returns a name with its ASCII letters in lower case.
func lower(name string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, name)
}

// errZero is the error for a text that a table of the engine cannot contain.
var errZero = errors.New("a zero byte")

// quoteWith returns a function that quotes texts. zero is an expression for the character that
// literals cannot contain.
func quoteWith(zero string) func(string) (string, error) {
	return func(text string) (string, error) {
		pieces := strings.Split(text, "\x00")
		for i, p := range pieces {
			pieces[i] = "'" + strings.ReplaceAll(p, "'", "''") + "'"
		}
		return strings.Join(pieces, " || "+zero+" || "), nil
	}
}

// amongList returns a function that compares a text with a list of words, by a collation of bytes.
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

// unless returns the condition that another condition is false or unknown. It does not use TRUE,
// because SQLite reads it as a column of the table if there is one with that name.
func unless(condition string) string { return "NOT coalesce(" + condition + ", 1 = 0)" }

// identifier quotes a name.
func identifier(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// check returns an error for columns that a table of the engine cannot have.
func (d *dialect) check(engine string, terms []model.Term) error {
	seen := map[string]string{}
	for i := range terms {
		name := terms[i].Column
		other, twice := seen[d.same(name)]
		twice = twice && other != name // the parts of a date have the same name
		switch {
		case strings.Contains(name, "\x00"):
			return fmt.Errorf("column %q has a zero byte in its name, which SQL does not allow: rename the column and fit again", name)
		case name == "" && !d.nameless:
			return fmt.Errorf("a column has no name, which %s does not allow: name it and fit again", engine)
		case twice:
			return fmt.Errorf("%[3]s treats the columns %[1]q and %[2]q as the same: rename one of them and fit again", other, name, engine)
		}
		seen[d.same(name)] = name
	}
	return nil
}

// literal returns a number as a double in every engine. Without an exponent, some engines would
// read it as a decimal number and compute with that.
func literal(x float64) string {
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	e, _ := strconv.Atoi(exponent)
	return digits + "e" + strconv.Itoa(e)
}
