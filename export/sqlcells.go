package export

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"fsa/data/kind"
	"fsa/model"
)

// Cells are read like fsa predict reads them, as far as an engine can: which cells are missing,
// what a text means, and which cells are invalid. A row with an invalid cell has no prediction, so
// that it is not mistaken for a normal row.

// missingTexts are the texts that mean a missing value in any column, in lower case.
var missingTexts = []string{"", "?", "na", "nan", "-nan", "n/a", "null"}

// read returns the value of a column of numbers, dates or times. It also returns the cases of its
// contribution to output c that must be tested first: a missing value and an invalid cell.
func (q *query) read(t *model.Term, c int, column string) (value string, cases []string, err error) {
	text, bad := "CAST("+column+" AS "+q.text+")", ""
	switch t.Cells.Kind {
	case kind.Date:
		text = q.moment(column)
		value, bad = "(1970e0 + "+q.seconds(text)+" / "+literal(kind.SecondsPerYear)+")", unless(q.isDate(text))
	case kind.Time:
		text = q.moment(column)
		value, bad = q.hours(text), unless(q.isTime(text))
	default:
		value, bad = q.number(column, t.Cells.DecimalPoint())
	}
	missing, err := q.among(text, slices.Concat(missingTexts, kind.MissingWords()), true)
	if err != nil {
		return "", nil, err
	}
	if t.Cells.Missing != nil {
		own, err := q.among(text, t.Cells.Missing, false)
		if err != nil {
			return "", nil, err
		}
		missing += " OR " + own
	}
	return value, []string{
		column + " IS NULL THEN " + literal(t.Missing[c]),
		bad + " THEN CASE WHEN " + missing + " THEN " + literal(t.Missing[c]) + " END",
	}, nil
}

// hours returns a time of day that is written as a text.
func (q *query) hours(text string) string {
	digits := func(of string) string { return "CAST(" + of + " AS " + q.double + ")" }
	return "(" + digits("substr("+text+", 1, 2)") + " + " + digits("substr("+text+", 4, 2)") + " / 60e0 + " + digits("'0' || substr("+text+", 7)") + " / 3600e0)"
}

// part returns the contribution of a part of a date or a time to output c.
func (q *query) part(t *model.Term, c int, column string) (string, error) {
	_, cases, err := q.read(t, c, column)
	if err != nil {
		return "", err
	}
	text := q.moment(column)
	number := "CAST(substr(" + text + ", 1, 2) AS INTEGER)" // the hour of a time of day
	if t.Cells.Kind == kind.Date {
		number = q.field(t.Part, text)
	}
	for l, level := range t.Categories {
		if level != "" {
			cases = append(cases, number+" = "+strconv.Itoa(numberOf(t, level))+" THEN "+literal(t.Coefficients[c][l]))
		}
	}
	return "CASE WHEN " + strings.Join(cases, "\n    WHEN ") + "\n    ELSE 0e0 END", nil
}

// category returns the coefficient of a text.
func (q *query) category(t *model.Term, c int, column string) (string, error) {
	values := make([]string, len(t.Categories))
	for l := range values {
		values[l] = literal(t.Coefficients[c][l])
	}
	return q.choose(t, column, values, literal(t.Missing[c]+0), "0e0") // turns −0 into 0
}

// choose returns the value of the category of a text, of a missing text, or of another one.
func (q *query) choose(t *model.Term, column string, values []string, missing, other string) (string, error) {
	text := q.whole(column)
	spelled, exact := "", ""
	for l, level := range t.Categories {
		value := " THEN " + values[l]
		quoted, err := q.quote(level)
		switch {
		case errors.Is(err, errZero): // a column cannot contain it either
			continue
		case err != nil:
			return "", err
		}
		exact += "\n    WHEN " + quoted + value
		if t.Cells.Kind != kind.Boolean {
			continue
		}
		for _, word := range kind.Spellings(level) {
			quoted, err := q.quote(word)
			if err != nil {
				return "", err
			}
			spelled += "\n    WHEN " + quoted + value
			if half, err := q.quote(lower(strings.ToUpper(word))); err == nil && half != quoted { // for engines whose lower works only for ASCII
				spelled += "\n    WHEN " + half + value
			}
		}
	}
	value := other
	if missing != other {
		gone, err := q.among(text, missingTexts, true)
		if err != nil {
			return "", err
		}
		value = "CASE WHEN " + gone + " THEN " + missing + " ELSE " + other + " END"
	}
	if exact != "" {
		value = "CASE " + text + q.collate + exact + "\n    ELSE " + value + " END"
	}
	if spelled != "" {
		value = "CASE lower(" + text + ")" + q.collate + spelled + "\n    ELSE " + value + " END"
	}
	if missing != other {
		value = "CASE WHEN " + column + " IS NULL THEN " + missing + "\n  ELSE " + value + " END"
	}
	return "CAST(" + value + " AS " + q.double + ")", nil
}
