package describe

import (
	"fmt"
	"regexp"

	"fsa/data/kind"
)

// Typical names of columns that say whether an event occurred, of those that say so beside a time, and of times.
var (
	eventName  = regexp.MustCompile(`(?i)(^|[^a-z])(events?|died|dead|deaths?|deceased|cens|censor(ed|ing)?|uncensored|relapsed?)([^a-z]|$)`)
	statusName = regexp.MustCompile(`(?i)(^|[^a-z])(f?u?stat(us)?|observed|fail(ed|ure)?|churn(ed)?)([^a-z]|$)`)
	timeName   = regexp.MustCompile(`(?i)(^|[^a-z])((fu|surv)?time|days?|weeks?|months?|years?|survival|duration|tenure|follow|lifetime)([^a-z]|$)`)
)

// fewTimes is the least number of different values of a time.
const fewTimes = 5

// events lists columns of 0 and 1 whose names say that an event occurred, if the target may be its time: only the user knows.
func (s *search) events() (list []Problem) {
	y := s.target
	if s.survival || y.text || !(y.low > 0) || len(s.counts) < fewTimes {
		return nil
	}
	for _, c := range s.columns {
		if (c.kind == kind.Boolean || c.flags == c.present) && (eventName.MatchString(c.name) || statusName.MatchString(c.name) && timeName.MatchString(y.name)) {
			list = append(list, Problem{Column: c.name, What: fmt.Sprintf("it may say whether an event occurred at the time %s", y.name),
				Cure: fmt.Sprintf("--event %s if 1 means that it occurred at that time, and 0 that the row was observed until then without it", c.name), weight: 95})
		}
	}
	return list
}
