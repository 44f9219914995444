package data_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"fsa/data"
)

// Every mistake is refused with words that help.
func TestRefused(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	rows := func() [][]float64 { return [][]float64{{1, 2, 0}, {3, 4, 1}, {5, 6, 0}} }
	named := &data.Schema{Width: 3, Names: []string{"a", "b", "text"}, Categories: map[int][]string{2: {"x", "y"}}}
	vector := func(v ...float64) *data.Vector { return &data.Vector{Name: "v.txt", Values: v} }
	with := func(i, j int, v float64) [][]float64 {
		r := rows()
		r[i][j] = v
		return r
	}
	long := &data.Schema{Width: 3, Names: strings.Split("a b c d e f g h i j k l m n", " ")}

	for name, c := range map[string]struct {
		schema *data.Schema
		roles  data.Roles
		rows   [][]float64
		want   []string // parts of the message
	}{
		"unknown target":      {named, data.Roles{Target: "z"}, rows(), []string{"table", `no column "z" for the target`, `the columns are "a", "b", "text"`}},
		"unknown weight":      {named, data.Roles{Weight: "7"}, rows(), []string{`no column "7" for the weights`}},
		"unknown query":       {named, data.Roles{Query: "q"}, rows(), []string{`no column "q" for the queries`}},
		"unknown drop":        {named, data.Roles{Drop: []string{"a", "c"}}, rows(), []string{`no column "c" for the columns to drop`}},
		"several unknown":     {named, data.Roles{Target: "s", Weight: "u"}, rows(), []string{`"s"`, `"u"`}},
		"no text for a name":  {&data.Schema{Width: 3, Names: []string{"a", "gr\xf6\xdfe", "b"}}, data.Roles{}, rows(), []string{`table: column "gr\xf6\xdfe"`, "not UTF-8", "rename"}},
		"unnamed":             {&data.Schema{Width: 3}, data.Roles{Target: "y"}, rows(), []string{"numbered from 0 to 2"}},
		"many names":          {long, data.Roles{Target: "y"}, rows(), []string{"14 columns", `"h" and so on`}},
		"nothing left":        {named, data.Roles{Target: "a", Drop: []string{"b", "text"}}, rows(), []string{"no column left"}},
		"missing response":    {named, data.Roles{Target: "a"}, with(1, 0, nan), []string{"table: row 2: column a", "the target is missing"}},
		"missing class":       {named, data.Roles{Target: "text"}, with(2, 2, nan), []string{"row 3: column text", "the target is missing"}},
		"negative weight":     {named, data.Roles{Weight: "b"}, with(2, 1, -1), []string{"row 3: column b", "-1", "not negative"}},
		"missing weight":      {named, data.Roles{Weight: "b"}, with(0, 1, nan), []string{"row 1: column b", "the weight is missing"}},
		"texts for weights":   {named, data.Roles{Weight: "text"}, rows(), []string{"column text", "must be numbers"}},
		"query of halves":     {named, data.Roles{Query: "a"}, with(1, 0, 0.5), []string{"row 2: column a", "0.5 cannot be a query"}},
		"missing query":       {named, data.Roles{Query: "text"}, with(1, 2, nan), []string{"row 2: column text", "the query is missing"}},
		"query again":         {named, data.Roles{Query: "text"}, rows(), []string{"row 3", "query 0 appears again", "sort"}},
		"infinite cell":       {named, data.Roles{}, with(1, 1, -inf), []string{"row 2: column b", "infinite"}},
		"infinite response":   {named, data.Roles{Target: "a"}, with(1, 0, inf), []string{"row 2: column a", "infinite"}},
		"short target":        {named, data.Roles{TargetVector: vector(1, 2)}, rows(), []string{"v.txt", "2 numbers", "response", "table has 3 rows"}},
		"no target":           {named, data.Roles{TargetVector: vector()}, rows(), []string{"v.txt", "0 numbers"}},
		"long weights":        {named, data.Roles{WeightVector: vector(1, 2, 3, 4)}, rows(), []string{"v.txt", "4 numbers", "weight", "3 rows"}},
		"short queries":       {named, data.Roles{QueryVector: vector(1, 1)}, rows(), []string{"v.txt", "2 numbers", "query", "3 rows"}},
		"gap in the target":   {named, data.Roles{TargetVector: vector(1, nan, 2)}, rows(), []string{"v.txt: row 2", "the target is missing"}},
		"infinity there":      {named, data.Roles{TargetVector: vector(1, 1, inf)}, rows(), []string{"v.txt: row 3", "infinite"}},
		"gap in the weights":  {named, data.Roles{WeightVector: vector(nan, 1, 2)}, rows(), []string{"v.txt: row 1", "weight"}},
		"negative there":      {named, data.Roles{WeightVector: vector(1, 1, -2)}, rows(), []string{"v.txt: row 3", "-2"}},
		"weights of zero":     {named, data.Roles{WeightVector: vector(0, 0, 0)}, rows(), []string{"all weights are zero"}},
		"weights of text":     {named, data.Roles{WeightVector: &data.Vector{Name: "v.txt", Values: []float64{0, 1, 0}, Categories: []string{"a", "b"}}}, rows(), []string{"v.txt", "must be numbers"}},
		"gap in the queries":  {named, data.Roles{QueryVector: vector(1, nan, 2)}, rows(), []string{"v.txt: row 2", "the query is missing"}},
		"halves of queries":   {named, data.Roles{QueryVector: vector(1, 1.5, 2)}, rows(), []string{"v.txt: row 2", "1.5 cannot be a query"}},
		"query appears again": {named, data.Roles{QueryVector: vector(4, 5, 4)}, rows(), []string{"row 3", "query 4 appears again"}},
	} {
		for _, size := range []int{1, 3} {
			_, err := tryBuild(c.schema, c.roles, cut(c.rows, denseBlock, size))
			refused(t, name, err, c.want...)
		}
	}
}

func refused(t *testing.T, name string, err error, parts ...string) {
	t.Helper()
	if !errors.Is(err, data.ErrBadData) {
		t.Errorf("%s: %v, want bad data", name, err)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %q does not say %q", name, err, part)
		}
	}
}

// In text files, lines are named.
func TestLinesAreNamed(t *testing.T) {
	nan := math.NaN()
	s := &data.Schema{Width: 2, Names: []string{"x", "y"}}
	blocks := cut([][]float64{{1, 1}, {2, 2}, {3, 3}, {4, nan}}, denseBlock, 2)
	blocks[0].Line, blocks[1].Line = 10, 17
	_, err := tryBuild(s, data.Roles{Target: "y"}, blocks)
	refused(t, "response", err, "table:18: column y: the target is missing")
	blocks[1].Dense = []float64{math.Inf(1), 1, 2, 2}
	_, err = tryBuild(s, data.Roles{Target: "y"}, blocks)
	refused(t, "cell", err, "table:17: column x: the value is infinite")
}

// Columns of sparse tables have no roles, and their rows have labels and
// queries all or none.
func TestRefusedSparse(t *testing.T) {
	s := &data.Schema{Width: 4, Sparse: true}
	rows := [][]float64{{0, 1, 0, 0}, {2, 0, 0, 0}, {0, 0, 3, 0}}
	_, err := tryBuild(s, data.Roles{Target: "x1"}, cut(rows, sparseBlock))
	refused(t, "target", err, "table", `"x1"`, "sparse", "file")

	blocks := cut(rows, sparseBlock, 2)
	blocks[0].Label = []float64{1, 2}
	_, err = tryBuild(s, data.Roles{}, blocks)
	refused(t, "labels of some rows", err, "2 numbers", "3 rows")

	blocks = cut(rows, sparseBlock, 2)
	blocks[1].Query = []int64{1}
	_, err = tryBuild(s, data.Roles{}, blocks)
	refused(t, "queries of some rows", err, "1 of 3 rows have a query")

	rows[1][3] = math.Inf(-1)
	blocks = cut(rows, sparseBlock, 1)
	blocks[1].Line = 33
	_, err = tryBuild(s, data.Roles{}, blocks)
	refused(t, "infinite cell", err, "table:33: column x3", "infinite")
	_, err = tryBuild(s, data.Roles{}, cut(rows, sparseBlock))
	refused(t, "infinite cell", err, "row 2: column x3", "infinite")
}

// A category that is none: more texts than anyone compares.
func TestTooManyCategories(t *testing.T) {
	s := &data.Schema{Width: 1, Categories: map[int][]string{0: make([]string, 100_001)}}
	_, err := tryBuild(s, data.Roles{Use: []string{"x0"}}, cut([][]float64{{0}, {1}}, denseBlock))
	refused(t, "categories", err, "column x0", "100001", "drop the column")
}

// A collector without rows has no target, whatever its roles.
func TestCollectorWithoutRows(t *testing.T) {
	c := data.NewCollector("table", &data.Schema{Width: 2}, data.Roles{Target: "0"})
	if got, err := c.Target(); got != nil || err != nil {
		t.Errorf("target %+v, %v", got, err)
	}
}
