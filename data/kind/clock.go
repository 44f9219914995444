package kind

import (
	"fmt"
	"strings"
	"time"
)

// A time of day is a number of hours.

// timeLayouts implements rule.layouts.
func timeLayouts(cells []string, _ *Hints) []string {
	if len(cells) == 0 || !strings.Contains(cells[0], ":") {
		return nil
	}
	var all []string
	for _, layout := range []string{"15:04", "15:04:05", "3:04 PM", "3:04:05 PM", "3:04PM"} {
		if readsAll(cells, func(cell string) bool { _, ok := parseTime(layout, cell); return ok }) {
			all = append(all, layout)
		}
	}
	return all
}

// parseTime reads a time of day.
func parseTime(layout, cell string) (float64, bool) {
	t, err := time.Parse(layout, cell)
	if err != nil {
		return 0, false
	}
	return float64(t.Hour()) + float64(t.Minute())/60 + (float64(t.Second())+float64(t.Nanosecond())/1e9)/3600, true
}

func showTime(x float64) string {
	minutes := int(x*60 + 0.5)
	return fmt.Sprintf("%d:%02d", minutes/60, minutes%60)
}

// timeParts are the parts of a time of day.
var timeParts = []Part{{Name: "hour", Levels: hourNames, level: func(x float64) int { return min(max(int(x+1e-9), 0), 23) }}}

var hourNames = func() []string {
	var names []string
	for h := range 24 {
		names = append(names, fmt.Sprintf("%dh", h))
	}
	return names
}()
