package paper

import (
	"fmt"
	"slices"
)

// uciTable prints the results on real data sets in the form of the paper.
type uciTable struct {
	lines []uciLine
	times map[[2]string]figure // by data set and method
}

// uciLine is a line of the table; k is 0 for all variables.
type uciLine struct {
	data, method string
	k            int
	figures      map[string]figure // errors, and the number of selected variables
}

func readUCI() uciTable {
	t := uciTable{times: map[[2]string]figure{}}
	must := func(text string) figure {
		f, err := parseFigure(text)
		if err != nil {
			panic(fmt.Sprintf("paper: table_uci: %v", err))
		}
		return f
	}
	for _, row := range publishedRows("table_uci.csv", 10) {
		l := uciLine{data: row[0], method: row[5], figures: map[string]figure{}}
		if row[6] != "all" {
			l.figures[selected] = must(row[6])
			l.k = int(l.figures[selected].value)
		}
		for i, metric := range []string{trainError, validError, testError} {
			if text := row[7+i]; text != "" {
				l.figures[metric] = must(text)
			}
		}
		t.lines = append(t.lines, l)
	}
	for _, row := range publishedRows("table_uci_times.csv", 3) {
		t.times[[2]string{row[0], row[1]}] = must(row[2])
	}
	return t
}

// find returns a number of the line of a method; if the method has several lines, of the one with
// k.
func (t uciTable) find(data, method string, k int, metric string) (figure, bool) {
	if metric == seconds {
		f, ok := t.times[[2]string{data, method}]
		return f, ok
	}
	same := slices.DeleteFunc(slices.Clone(t.lines), func(l uciLine) bool { return l.data != data || l.method != method })
	if len(same) > 1 {
		same = slices.DeleteFunc(same, func(l uciLine) bool { return l.k != k })
	}
	if len(same) == 0 {
		return figure{}, false
	}
	f, ok := same[0].figures[metric]
	return f, ok
}
