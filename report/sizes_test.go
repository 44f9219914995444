package report_test

import (
	"bytes"
	"strings"
	"testing"

	"fsa/report"
)

func TestSizes(t *testing.T) {
	p := report.SizePlot{
		Measure: "squared loss", Size: []int{0, 1, 2, 5}, Mean: []float64{4, 2, 1, 1.2}, SE: []float64{0.4, 0.2, 0.1, 0.1}, Null: 4, Chosen: 2,
	}
	var first, second bytes.Buffer
	if err := report.Sizes(&first, p); err != nil {
		t.Fatal(err)
	}
	if err := report.Sizes(&second, p); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Errorf("the same numbers give other bytes, error %v", err)
	}
	if text := first.String(); !strings.HasPrefix(text, "<?xml") && !strings.HasPrefix(text, "<svg") || len(text) < 1000 {
		t.Errorf("no picture: %.80s", text)
	}
}
