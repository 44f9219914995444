package kind

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestSniff checks what columns are taken for. The numbers are those that the texts mean
// to a person from the country that writes so.
func TestSniff(t *testing.T) {
	for _, c := range []struct {
		cells string // with bars between
		want  Column
		first float64 // of the first cell
		hints Hints
	}{
		{"1|2.5|-3e4", Column{Kind: Number}, 1, Hints{}},
		{"31.987,67|5,5", Column{Kind: Number, Layout: "1.234,5"}, 31987.67, Hints{}},
		{"12,5|3,25", Column{Kind: Number, Layout: "1.234,5"}, 12.5, Hints{}},
		{"1 234,5|7", Column{Kind: Number, Layout: "1 234,5"}, 1234.5, Hints{}},
		{"1\u202f234,5|7", Column{Kind: Number, Layout: "1 234,5"}, 1234.5, Hints{}},
		{"1.234.567|2.000", Column{Kind: Number, Layout: "1.234,5"}, 1234567, Hints{}},
		{"1_000|20", Column{Kind: Number, Layout: "1_234.5"}, 1000, Hints{}},
		{"(123)|45", Column{Kind: Number, Layout: "1234.5"}, -123, Hints{}},
		{"$1,200.50|$3", Column{Kind: Number, Layout: "1,234.5"}, 1200.5, Hints{}},
		{"12,50 €|1.000,00 €", Column{Kind: Number, Layout: "1.234,5"}, 12.5, Hints{}},
		{"3.5%|12.25%", Column{Kind: Number, Layout: "1,234.5"}, 3.5, Hints{}},
		{"1,234|5,678", Column{Kind: Number, Layout: "1.234,5"}, 1.234, Hints{Decimal: ','}},
		{"1,234|5,678", Column{Kind: Number, Layout: "1,234.5"}, 1234, Hints{Thousands: ","}},
		{"2024-01-31|2023-12-01", Column{Kind: Date, Layout: "2006-1-2"}, 2024.08, Hints{}},
		{"31/01/2024|01/02/2024", Column{Kind: Date, Layout: "2/1/2006"}, 2024.08, Hints{}},
		{"31.01.2024|01.02.2024", Column{Kind: Date, Layout: "2.1.2006"}, 2024.08, Hints{}},
		{"01/02/2024|03/04/2024", Column{Kind: Date, Layout: "1/2/2006"}, 2024.0, Hints{DateOrder: "mdy"}},
		{"2024-01-31T10:11:12Z|2024-02-01T00:00:00Z", Column{Kind: Date, Layout: "2006-1-2T15:04:05Z07:00"}, 2024.08, Hints{}},
		{"14:30|9:15", Column{Kind: Time, Layout: "15:04"}, 14.5, Hints{}},
		{"Ja|nein|JA|Nein", Column{Kind: Boolean, Layout: "Ja/nein"}, 0, Hints{}},
		{"TRUE|0|no|yes", Column{Kind: Boolean, Layout: "TRUE/0"}, 0, Hints{}},
		{"m|f|f", Column{Kind: Category}, 0, Hints{}},
		{"1|2|3|4|5|6|7|8|9|10|11|refused", Column{Kind: Number, Missing: []string{"refused"}}, 1, Hints{}},
		{"1|-|-|2|-", Column{Kind: Number, Missing: []string{"-"}}, 1, Hints{}},
		{"0.031|1.288|2.546", Column{Kind: Number}, 0.031, Hints{}},
		{"0.031|1.288|2.546|3.001|4.002|5.003|6.004|7.005|8.006|9.007|oops", Column{Kind: Number, Missing: []string{"oops"}}, 0.031, Hints{}},
		{"-0,031|1,288", Column{Kind: Number, Layout: "1.234,5"}, -0.031, Hints{}},
		{"A1|99|B2|7|C3", Column{Kind: Category}, 0, Hints{}},
	} {
		cells := strings.Split(c.cells, "|")
		got, err := Sniff(cells, c.hints)
		if err != nil || got.Kind != c.want.Kind || got.Layout != c.want.Layout || strings.Join(got.Missing, "|") != strings.Join(c.want.Missing, "|") {
			t.Errorf("%s: %+v, %v; want %+v", c.cells, got, err, c.want)
			continue
		}
		if got.Text() || got.Plain() {
			continue
		}
		if v, ok := got.Parser()(cells[0]); !ok || v < c.first-1e-9 || v > c.first+0.1 {
			t.Errorf("%s: the first is %v, want %v", c.cells, v, c.first)
		}
	}
}

// TestDoubt checks that what can be read in two ways is read in none, and that the cure
// is named.
func TestDoubt(t *testing.T) {
	for cells, cure := range map[string]string{
		"1,234|5,678":           "--decimal",
		"01/02/2024|03/04/2024": "--date-order",
		"1,5|2.5":               "--decimal",
	} {
		_, err := Sniff(strings.Split(cells, "|"), Hints{})
		if d, ok := errors.AsType[*Doubt](err); !ok || !strings.Contains(d.Msg, cure) {
			t.Errorf("%s: %v", cells, err)
		}
	}
}

// TestParts checks what a date is taken apart into: 31 January 2024 was a Wednesday.
func TestParts(t *testing.T) {
	x, ok := parseDate("2006-1-2 15:04:05", "2024-01-31 23:59:59")
	if !ok {
		t.Fatal("the date is not read")
	}
	for i, want := range []string{"Jan", "Wed", "23h"} {
		p := dateParts[i]
		if got := p.Levels[p.Level(x)]; got != want {
			t.Errorf("%s is %s, want %s", p.Name, got, want)
		}
	}
	if got := showDate(x); got != "2024-01-31 23:59" {
		t.Errorf("the date is shown as %s", got)
	}
}

// A date without hours is shown without them, also if it was rounded on its way.
func TestShowDay(t *testing.T) {
	for layout, want := range map[string]string{"2006-1-2": "2022-03-14", "2006-1-2 15:04": "2022-03-13 23:59"} {
		x, _ := parseDate("2006-1-2", "2022-03-14")
		if got := (Column{Kind: Date, Layout: layout}).Show(x - 50/SecondsPerYear); got != want {
			t.Errorf("%s: %s instead of %s", layout, got, want)
		}
	}
}

// Layouts are left out by their days alone; those that read a cell must not be among them.
func TestDaysThatBeginACell(t *testing.T) {
	when := time.Date(2021, time.November, 23, 14, 35, 6, 0, time.UTC)
	for _, day := range days {
		for _, clock := range clocks {
			if cell := when.Format(day + clock); !begins(day, cell) || !slices.Contains(dateLayouts([]string{cell}, &Hints{}), day+clock) {
				t.Errorf("%q is not among the layouts of %q", day+clock, cell)
			}
		}
	}
}

// Dates in several layouts are not taken for texts.
func TestMixedDates(t *testing.T) {
	_, err := Sniff([]string{"2024-01-31", "31/01/2024"}, Hints{})
	if d, ok := errors.AsType[*Doubt](err); !ok || !strings.Contains(d.Msg, "not all written in the same way") {
		t.Errorf("%v", err)
	}
	if c, err := Sniff([]string{"2024-01-31", "soon"}, Hints{}); err != nil || c.Kind != Category {
		t.Errorf("%+v, %v", c, err)
	}
}
