package xlsx

import (
	"strconv"
	"strings"
	"time"
)

// meaning is how a number format displays a number.
type meaning uint8

const (
	number   meaning = iota
	date             // days
	datetime         // days, and the time of the day
	clock            // the time of the day only
)

// builtin returns the meaning of a number format that files do not define.
func builtin(id int) meaning {
	switch {
	case 14 <= id && id <= 17, 27 <= id && id <= 31, id == 36, 50 <= id && id <= 58:
		return date
	case 18 <= id && id <= 21, id == 45, id == 47, 32 <= id && id <= 35:
		return clock
	case id == 22:
		return datetime
	}
	return number
}

// meant returns the meaning of a number format code. A duration, such as [h]:mm, is a number.
func meant(code string) meaning {
	code, _, _ = strings.Cut(code, ";") // the rest is for negative numbers
	var day, month, hour bool
	lower := strings.ToLower(code)
	for i := 0; i < len(lower); i++ {
		switch c := lower[i]; c {
		case '"', '[':
			end := strings.IndexByte(lower[i+1:], map[byte]byte{'"': '"', '[': ']'}[c])
			if end < 0 {
				return number
			}
			if inside := lower[i+1 : i+1+end]; c == '[' && inside != "" && strings.Trim(inside, inside[:1]) == "" && strings.Contains("hms", inside[:1]) {
				return number
			}
			i += end + 1
		case '\\', '_', '*':
			i++
		case 'a':
			switch {
			case strings.HasPrefix(lower[i:], "am/pm"):
				i += len("am/pm") - 1
			case strings.HasPrefix(lower[i:], "a/p"):
				i += len("a/p") - 1
			}
		case 'g': // General
			if strings.HasPrefix(lower[i:], "general") {
				i += len("general") - 1
			}
		case 'y', 'd':
			day = true
		case 'm':
			month = true
		case 'h', 's':
			hour = true
		}
	}
	switch day = day || month && !hour; {
	case day && hour:
		return datetime
	case day:
		return date
	case hour:
		return clock
	}
	return number
}

// mostStyles is the maximal number of styles of a workbook.
const mostStyles = 1 << 17

// styles reads the meaning of each style.
func (b *book) styles() ([]meaning, error) {
	part, ok := b.main["styles"]
	if !ok {
		return nil, nil
	}
	own := map[int]meaning{}
	var all []meaning
	within := ""
	err := b.scan(part, func(s *scanner, e event) error {
		switch {
		case e == chars:
		case s.is("cellXfs") || s.is("cellStyleXfs") || s.is("numFmts") || s.is("dxfs"):
			within = ""
			if e == opened {
				within = string(s.name)
			}
		case e == opened && s.is("numFmt") && within == "numFmts":
			id, err := s.number("numFmtId")
			if err != nil {
				return err
			}
			code, err := s.attribute("formatCode")
			if len(own) < mostStyles {
				own[id] = meant(code)
			}
			return err
		case e == opened && s.is("xf") && within == "cellXfs" && len(all) < mostStyles:
			id, err := s.number("numFmtId")
			m, known := own[id]
			if !known {
				m = builtin(id)
			}
			all = append(all, m)
			return err
		}
		return nil
	})
	return all, err
}

// number returns an attribute that is a whole number, 0 if it is missing.
func (s *scanner) number(name string) (int, error) {
	text, err := s.attribute(name)
	if text == "" || err != nil {
		return 0, err
	}
	return strconv.Atoi(text)
}

// Day 0, in seconds since 1970. The first one counts a 29 February 1900, which did not exist.
const (
	epoch1900 = -25569 * 86400
	epoch1904 = -24107 * 86400
	lastDay   = 2958465 // of the year 9999
)

// appendTime appends a number of days as text; ok is false if it is no date.
func (b *book) appendTime(dst []byte, days float64, m meaning) (_ []byte, ok bool) {
	if !(0 <= days && days <= lastDay+1) {
		return dst, false
	}
	if b.epoch == epoch1900 && days < 60 && m != clock {
		days++
	}
	seconds := int64(days)*86400 + int64((days-float64(int64(days)))*86400+0.5)
	layout := map[meaning]string{date: "2006-01-02", datetime: "2006-01-02 15:04:05", clock: "15:04:05"}[m]
	return time.Unix(b.epoch+seconds, 0).UTC().AppendFormat(dst, layout), true
}
