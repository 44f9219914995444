package export

import "strconv"

// golang writes a model as a Go package in one file, formatted as by gofmt. Lists have one line, so that the
// template alone decides how lines are aligned.
func golang(s *subject, _ *Options) ([]byte, error) {
	s.spell()
	return language{quote: strconv.QuoteToASCII, open: "{", shut: "}"}.fill("scorer.go.tmpl", s, nil)
}
