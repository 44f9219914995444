package export

import (
	"go/format"
	"strconv"
)

// golang writes a model as a Go package in one file.
func golang(s *subject, _ *Options) ([]byte, error) {
	source, err := language{strconv.QuoteToASCII, "{", "}"}.fill("scorer.go.tmpl", s)
	if err != nil {
		return nil, err
	}
	return format.Source(source)
}
