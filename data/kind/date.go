package kind

import (
	"errors"
	"math"
	"slices"
	"strings"
	"time"
)

// A date is a number of years: the year plus the fraction of it that has passed, with all years of
// equal length. So its trend has a familiar unit, and no second is lost. Times are local times as
// written in the cell; time zones are ignored.

// SecondsPerYear is the mean length of a year of our calendar.
const SecondsPerYear = 365.2425 * 86400

// days and clocks are the layouts of dates and of the times that may follow.
var (
	days = []string{
		"2006-1-2", "2006/1/2", "2006.1.2", "2/1/2006", "1/2/2006", "2.1.2006", "2-1-2006", "1-2-2006", "2/1/06", "1/2/06", "2.1.06",
		"2 Jan 2006", "2-Jan-2006", "2-Jan-06", "2 January 2006", "Jan 2, 2006", "Jan 2 2006", "January 2, 2006", "Jan-2006", "Jan 2006", "January 2006", "2006-Jan-2",
		"Mon, 2 Jan 2006", "Mon Jan 2 2006",
	}
	clocks = []string{"", " 15:04", " 15:04:05", "T15:04", "T15:04:05", "T15:04Z07:00", "T15:04:05Z07:00", " 15:04:05Z07:00", " 15:04:05 -0700", " 15:04:05 MST", " 3:04 PM", " 3:04:05 PM"}
)

// dateLayouts implements rule.layouts.
func dateLayouts(cells []string, h *Hints) []string {
	if len(cells) == 0 || !strings.ContainsAny(cells[0], "0123456789") || len(cells[0]) > 40 || len(cells[0]) < 6 {
		return nil
	}
	var all []string
	for _, day := range days {
		if h.DateOrder == "dmy" && strings.HasPrefix(day, "1") || h.DateOrder == "mdy" && (strings.HasPrefix(day, "2/") || strings.HasPrefix(day, "2-1")) {
			continue
		}
		if !begins(day, cells[0]) {
			continue
		}
		for _, clock := range clocks {
			if layout := day + clock; readsAll(cells, func(cell string) bool { _, ok := parseDate(layout, cell); return ok }) {
				all = append(all, layout)
			}
		}
	}
	return all
}

// isDate reports whether a cell is a date in some layout.
func isDate(cell string) bool { return dateLayouts([]string{cell}, &Hints{}) != nil }

// begins reports whether a cell begins with a date in the given layout. If not, the layout need not
// be tried with any time.
func begins(day, cell string) bool {
	_, err := time.Parse(day, cell)
	var e *time.ParseError
	return err == nil || errors.As(err, &e) && strings.HasPrefix(e.Message, ": extra text")
}

// parseDate reads a date.
func parseDate(layout, cell string) (float64, bool) {
	t, err := time.Parse(layout, cell)
	if err != nil || t.Year() < 1000 || t.Year() > 3000 {
		return 0, false
	}
	return years(t), true
}

// years returns a date as a number.
func years(t time.Time) float64 {
	_, zone := t.Zone()
	return 1970 + (float64(t.Unix())+float64(zone)+float64(t.Nanosecond())/1e9)/SecondsPerYear
}

// moment is the inverse of years, to the second.
func moment(x float64) time.Time {
	return time.Unix(int64(math.Round((x-1970)*SecondsPerYear)), 0).UTC()
}

func showDate(x float64) string {
	t := moment(x)
	if t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 {
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02 15:04")
}

// showDay formats a date of a column without times. A number that was rounded may be slightly
// before midnight.
func showDay(x float64) string {
	return moment(x).Add(time.Hour / 2).Format(time.DateOnly)
}

// FromUnix converts seconds since 1970 to a date.
func FromUnix(seconds float64) float64 { return 1970 + seconds/SecondsPerYear }

// dateParts are the parts of a date, besides its trend.
var dateParts = []Part{
	{Name: "month", Levels: monthNames(), level: func(x float64) int { return int(moment(x).Month()) - 1 }},
	{Name: "weekday", Levels: []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}, level: func(x float64) int { return (int(moment(x).Weekday()) + 6) % 7 }},
	{Name: "hour", Levels: hourNames, level: func(x float64) int { return moment(x).Hour() }},
}

func monthNames() []string {
	var names []string
	for m := time.January; m <= time.December; m++ {
		names = append(names, m.String()[:3])
	}
	return names
}

// orderOf returns the date order of a layout, or "" if the layout does not imply one.
func orderOf(layout string) string {
	switch {
	case slices.ContainsFunc([]string{"2/1/", "2-1-"}, func(p string) bool { return strings.HasPrefix(layout, p) }):
		return "dmy"
	case strings.HasPrefix(layout, "1"):
		return "mdy"
	}
	return ""
}
