package paper

import (
	"embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

//go:embed published/*.csv
var publishedFiles embed.FS

// size has the dimensions in which the rows of a table differ.
type size struct{ n, m, k int }

func (s size) String() string { return fmt.Sprintf("N=%d M=%d k=%d", s.n, s.m, s.k) }

// figure is a number as printed in the paper.
type figure struct {
	value float64
	unit  float64 // of its last digit
}

func parseFigure(text string) (figure, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return figure{}, err
	}
	unit := 1.0
	_, digits, _ := strings.Cut(text, ".")
	for range digits {
		unit /= 10
	}
	return figure{v, unit}, nil
}

// spot is the position of a number in a table on synthetic data.
type spot struct {
	size
	method, metric string
}

// published is such a table: sizes and methods in the order of the paper.
type published struct {
	sizes   []size
	figures map[spot]figure
}

// readPublished reads an embedded table. An error in one is a programming error.
func readPublished(name string) *published {
	p := &published{figures: map[spot]figure{}}
	for _, row := range publishedRows(name, 6) {
		var s size
		for i, to := range []*int{&s.n, &s.m, &s.k} {
			n, err := strconv.Atoi(row[i])
			if err != nil {
				panic(fmt.Sprintf("paper: %s: %v", name, err))
			}
			*to = n
		}
		f, err := parseFigure(row[5])
		if err != nil {
			panic(fmt.Sprintf("paper: %s: %v", name, err))
		}
		if !slices.Contains(p.sizes, s) {
			p.sizes = append(p.sizes, s)
		}
		p.figures[spot{s, row[3], row[4]}] = f
	}
	return p
}

// publishedRows returns the rows of an embedded file, each with the given number of fields, without
// its header.
func publishedRows(name string, fields int) [][]string {
	f, err := publishedFiles.Open("published/" + name)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord = fields
	rows, err := r.ReadAll()
	if err != nil {
		panic(fmt.Sprintf("paper: %s: %v", name, err))
	}
	return rows[1:]
}
