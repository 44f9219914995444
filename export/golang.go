package export

import "strconv"

// golang writes a model as a Go package in one file, formatted like gofmt. Each list is on one
// line, so that only the template determines how lines are aligned.
func golang(s *subject, _ *Options) ([]byte, error) {
	s.spell()
	return language{quote: strconv.QuoteToASCII, open: "{", shut: "}"}.fill("scorer.go.tmpl", s, nil)
}
