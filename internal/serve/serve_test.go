package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/model"
)

// client talks to a service of its own.
type client struct {
	t   *testing.T
	in  *io.PipeWriter
	out *bufio.Scanner
	end chan error
}

func start(t *testing.T) *client {
	requests, in := io.Pipe()
	out, answers := io.Pipe()
	c := &client{t: t, in: in, out: bufio.NewScanner(out), end: make(chan error, 1)}
	c.out.Buffer(nil, 64<<20)
	go func() {
		c.end <- Serve(context.Background(), requests, answers, "test")
		answers.Close()
	}()
	t.Cleanup(func() {
		in.Close()
		go io.Copy(io.Discard, out)
		if err := <-c.end; err != nil {
			t.Error(err)
		}
	})
	if hello := c.next(); hello["hello"] != "fsa" || hello["protocol"] != float64(Protocol) {
		t.Fatalf("it says %v", hello)
	}
	return c
}

func (c *client) send(r any) {
	line, err := json.Marshal(r)
	if err != nil {
		c.t.Fatal(err)
	}
	c.line(string(line))
}

func (c *client) line(line string) {
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) next() map[string]any {
	c.t.Helper()
	if !c.out.Scan() {
		c.t.Fatalf("the service ended: %v", c.out.Err())
	}
	var answer map[string]any
	if err := json.Unmarshal(c.out.Bytes(), &answer); err != nil {
		c.t.Fatalf("%s: %v", c.out.Bytes(), err)
	}
	return answer
}

// last returns the last answer to a request.
func (c *client) last(id int64) map[string]any {
	c.t.Helper()
	for {
		if a := c.next(); a["id"] == float64(id) && (a["event"] == "done" || a["event"] == "error") {
			return a
		}
	}
}

// ask sends a request to a service of its own and returns the last answer.
func ask(t *testing.T, r request) map[string]any {
	t.Helper()
	c := start(t)
	c.send(r)
	return c.last(r.ID)
}

const rows, cols = 60, 8

// sample is a table whose target depends on columns 1 and 5, with missing cells if asked for.
func sample(holes bool) (x []float64, y []float64) {
	r := rand.New(rand.NewPCG(1, 2))
	for range rows {
		row := make([]float64, cols)
		for j := range row {
			row[j] = float64(float32(r.NormFloat64())) // the same in all types
		}
		y = append(y, 3*row[1]-2*row[5]+0.1*r.NormFloat64())
		if holes {
			row[r.IntN(cols)] = math.NaN()
		}
		x = append(x, row...)
	}
	return x, y
}

// store writes numbers one after another into a file, in the form of their types.
func store(t *testing.T, vectors ...any) (string, []int64) {
	t.Helper()
	var b bytes.Buffer
	var offsets []int64
	for _, v := range vectors {
		for b.Len()%64 != 0 {
			b.WriteByte(0)
		}
		offsets = append(offsets, int64(b.Len()))
		if err := binary.Write(&b, binary.NativeEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "arrays")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, offsets
}

func narrow(x []float64) []float32 {
	to := make([]float32, len(x))
	for i, v := range x {
		to[i] = float32(v)
	}
	return to
}

func transposed(x []float64) []float64 {
	to := make([]float64, len(x))
	for i := range rows {
		for j := range cols {
			to[j*rows+i] = x[i*cols+j]
		}
	}
	return to
}

// TestFormsOfTables expects the same numbers in any form to give the same bytes as a fit in Go.
func TestFormsOfTables(t *testing.T) {
	for _, holes := range []bool{false, true} {
		x, y := sample(holes)
		d, err := data.FromRows(nil, cols, x, y)
		if err != nil {
			t.Fatal(err)
		}
		m, err := fsa.Fit(context.Background(), d, fsa.Options{K: 2})
		if err != nil {
			t.Fatal(err)
		}
		want, err := text(m)
		if err != nil {
			t.Fatal(err)
		}
		each := func(f *table, at int64) {
			for j := range cols {
				f.Each = append(f.Each, column{array: array{0, at + int64(j*rows*8), "f8", rows}})
			}
		}
		for name, form := range map[string]struct {
			x   any
			set func(f *table, at int64)
		}{
			"float32":            {narrow(x), func(f *table, at int64) { f.Dense = &dense{array{0, at, "f4", rows * cols}, false} }},
			"float64":            {x, func(f *table, at int64) { f.Dense = &dense{array{0, at, "f8", rows * cols}, false} }},
			"float32 by columns": {narrow(transposed(x)), func(f *table, at int64) { f.Dense = &dense{array{0, at, "f4", rows * cols}, true} }},
			"float64 by columns": {transposed(x), func(f *table, at int64) { f.Dense = &dense{array{0, at, "f8", rows * cols}, true} }},
			"columns":            {transposed(x), each},
		} {
			for _, own := range []bool{false, true} {
				path, at := store(t, y, form.x)
				r := request{ID: 1, Op: "fit", Files: []file{{Path: path, Own: own}}, Options: options{K: 2}, Lines: 5}
				r.Table = table{Rows: rows, Columns: cols, Target: &column{array: array{0, at[0], "f8", rows}}}
				form.set(&r.Table, at[1])
				c := start(t)
				c.send(r)
				done := c.last(1)
				if done["model"] != want {
					t.Errorf("%s, holes %v, own %v: %v instead of %s", name, holes, own, done, want)
				}
			}
		}
	}
}

// TestIdentifier expects a table with an identifier to be fitted without it, and the trace to have
// all columns.
func TestIdentifier(t *testing.T) {
	x, y := sample(false)
	for i := range rows {
		x[i*cols+cols-1] = float64(i)
	}
	path, at := store(t, y, x)
	r := request{ID: 1, Op: "fit", Files: []file{{Path: path}}, Options: options{K: 2}, Lines: 5}
	r.Table = table{Rows: rows, Columns: cols, Target: &column{array: array{0, at[0], "f8", rows}}}
	for j := range cols - 1 {
		r.Table.Names = append(r.Table.Names, fmt.Sprint("x", j))
	}
	r.Table.Names = append(r.Table.Names, "customer_id")
	r.Table.Dense = &dense{array{0, at[1], "f8", rows * cols}, false}
	c := start(t)
	c.send(r)
	done := c.last(1)
	trace, ok := done["trace"].(map[string]any)
	if !ok {
		t.Fatalf("%v", done)
	}
	last, err := base64.StdEncoding.DecodeString(trace["last"].(string))
	if err != nil || len(last) != 4*cols {
		t.Errorf("the last epochs of %d columns: %v", len(last)/4, err)
	}
}

// TestSparse expects a sparse matrix to give what its rows give.
func TestSparse(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	start64, index, value := []int64{0}, []int32{}, []float64{}
	var y []float64
	s := &data.Schema{Width: 30, Sparse: true}
	block := &data.Block{Rows: rows, Start: []int{0}}
	for range rows {
		sum := 0.0
		for j := range 30 {
			if r.IntN(5) == 0 {
				v := r.NormFloat64()
				index, value = append(index, int32(j)), append(value, v)
				block.Index, block.Value = append(block.Index, uint32(j)), append(block.Value, v)
				sum += v * float64(j%3)
			}
		}
		y = append(y, sum)
		start64, block.Start = append(start64, int64(len(index))), append(block.Start, len(index))
	}
	b := data.NewBuilder("rows", s, data.Roles{TargetVector: &data.Vector{Values: y}})
	if err := b.Add(block); err != nil {
		t.Fatal(err)
	}
	d, err := b.Dataset(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	m, err := fsa.Fit(context.Background(), d, fsa.Options{K: 4})
	if err != nil {
		t.Fatal(err)
	}
	want, _ := text(m)
	columnStart, rowIndex, byColumn := []int64{0}, []int32{}, []float64{}
	for j := range int32(30) {
		for i := range rows {
			for p := start64[i]; p < start64[i+1]; p++ {
				if index[p] == j {
					rowIndex, byColumn = append(rowIndex, int32(i)), append(byColumn, value[p])
				}
			}
		}
		columnStart = append(columnStart, int64(len(rowIndex)))
	}
	path, at := store(t, y, start64, index, value, columnStart, rowIndex, byColumn)
	c := start(t)
	for id, s := range []*sparse{
		{array{0, at[1], "i8", rows + 1}, array{0, at[2], "i4", len(index)}, array{0, at[3], "f8", len(index)}, false},
		{array{0, at[4], "i8", 31}, array{0, at[5], "i4", len(index)}, array{0, at[6], "f8", len(index)}, true},
	} {
		c.send(request{ID: int64(id), Op: "fit", Files: []file{{Path: path, Own: true}}, Options: options{K: 4}, Table: table{
			Rows: rows, Columns: 30, Target: &column{array: array{0, at[0], "f8", rows}}, Sparse: s,
		}})
		if done := c.last(int64(id)); done["model"] != want {
			t.Errorf("columns %v: %v instead of %s", s.Columns, done, want)
		}
	}
}

// TestSparseRefused expects cells outside of the table to be refused.
func TestSparseRefused(t *testing.T) {
	for name, s := range map[string]struct {
		start []int64
		row   []int32
	}{
		"descending ends":  {[]int64{0, 2, 1, 3}, []int32{0, 1, 2}},
		"before the first": {[]int64{-1, 2, 2, 3}, []int32{0, 1, 2}},
		"a row too far":    {[]int64{0, 1, 2, 3}, []int32{0, 4, 2}},
		"no row":           {[]int64{0, 1, 2, 3}, []int32{0, -1, 2}},
	} {
		var refused *protocolError
		if _, _, _, err := byRows(context.Background(), s.start, s.row, []float32{1, 2, 3}, 4); !errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// writing is a context that lets a function write to the table when the context is queried.
type writing struct {
	context.Context
	write func()
}

func (w writing) Err() error {
	w.write()
	return w.Context.Err()
}

// TestSparseChanged moves cells to another row while they are sorted by rows: the service must not
// end.
func TestSparseChanged(t *testing.T) {
	row := []int32{0, 1, 2}
	ctx := writing{context.Background(), sync.OnceFunc(func() { copy(row, []int32{1, 1, 1}) })}
	_, _, _, err := byRows(ctx, []int64{0, 1, 2, 3}, row, []float32{1, 2, 3}, 4)
	if !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), "changed while it was read") {
		t.Errorf("the error is %v", err)
	}
}

// TestCategoriesChanged removes categories during a fit: they count as missing until the end, which
// reports the change.
func TestCategoriesChanged(t *testing.T) {
	name, _ := store(t, []int32{0, 1, 0})
	f, err := openFiles(t.Context(), []file{{Path: name}})
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	set, err := codes(f, &column{array: array{0, 0, "i4", 3}, Levels: []string{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("\x00\x00\x00\x00\xff\xff\xff\x7f\x00\x00\x00\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	to := make([]float64, 3)
	if set(to, 1, 0, 3); to[0] != 0 || !math.IsNaN(to[1]) || to[2] != 0 {
		t.Errorf("the codes are %v", to)
	}
}

// TestEverythingElse tests categories, weights, names, events and stability.
func TestEverythingElse(t *testing.T) {
	x, y := sample(false)
	codes, weight := make([]int32, rows), make([]float64, rows)
	for i := range codes {
		codes[i], weight[i] = int32(i%3)-1, 1+float64(i%2)
	}
	path, at := store(t, y, weight, codes, transposed(x))
	r := request{ID: 9, Op: "fit", Files: []file{{Path: path, Own: true}}, Options: options{K: 2}, Events: true, Lines: 10, Stability: 4}
	r.Table = table{Rows: rows, Columns: 3, Names: []string{"a", "kind", "b"},
		Target: &column{array: array{0, at[0], "f8", rows}}, Weights: &column{array: array{0, at[1], "f8", rows}},
		Each: []column{
			{array: array{0, at[3] + rows*8, "f8", rows}},
			{array: array{0, at[2], "i4", rows}, Levels: []string{"low", "high"}},
			{array: array{0, at[3] + 5*rows*8, "f8", rows}},
		},
	}
	c := start(t)
	c.send(r)
	if first := c.next(); first["event"] != "open" {
		t.Errorf("it begins with %v", first)
	}
	epochs, ends := 0, 0
	var stages []string
	share := 0.0
	for {
		a := c.next()
		if a["event"] == "epoch" {
			epochs++
			continue
		}
		if a["event"] == "stage" {
			if stages = append(stages, a["stage"].(string)); a["done"].(float64) < share || a["steps"] != 3.0 {
				t.Errorf("%v after %v", a, share)
			}
			if share = a["done"].(float64); share == 1 {
				ends++
			}
			continue
		}
		if ends != 1 {
			t.Errorf("everything was done %d times", ends)
		}
		if a["event"] != "done" || !strings.Contains(a["model"].(string), `"name":"a"`) || !strings.Contains(a["model"].(string), `"name":"b"`) {
			t.Fatalf("it ends with %v", a)
		}
		if s := a["stability"].(map[string]any); s["index"] != 1.0 || s["verdict"] != "excellent" {
			t.Errorf("stability %v", s)
		}
		if n := len(a["trace"].(map[string]any)["lines"].([]any)); n != 3 {
			t.Errorf("%d lines of 3 variables", n)
		}
		break
	}
	if epochs == 0 {
		t.Error("no epoch was told")
	}
	if found := slices.Compact(stages); !slices.Equal(found, []string{"cross-validation", "training on all rows", "half samples"}) || share != 1 {
		t.Errorf("stages %q until %v", found, share)
	}
}

// TestResponses fits counts with an exposure, a quantile with an offset and survival times with strata, and
// expects the models of the library.
func TestResponses(t *testing.T) {
	x, y := sample(false)
	count, years, time, event, stratum := make([]float64, rows), make([]float64, rows), make([]float64, rows), make([]float64, rows), make([]float64, rows)
	for i := range y {
		years[i] = 1 + float64(i%4)
		count[i] = math.Floor(years[i] * math.Exp(min(y[i]/4, 4)))
		time[i], event[i], stratum[i] = math.Exp(-y[i]/4), float64(min(i%3, 1)), float64(i%2)
	}
	path, at := store(t, x, y, count, years, time, event, stratum)
	vector := func(i int) *column { return &column{array: array{0, at[i], "f8", rows}} }
	list := func(values []float64) *data.Vector { return &data.Vector{Values: values} }
	for _, c := range []struct {
		name    string
		options options
		roles   func(*table)
		same    data.Roles
		library fsa.Options
	}{
		{"exposure", options{K: 2, Loss: "poisson"}, func(t *table) { t.Target, t.Exposure = vector(2), vector(3) },
			data.Roles{TargetVector: list(count), OffsetVector: list(years), Exposure: true}, fsa.Options{K: 2, Loss: "poisson"}},
		{"offset", options{K: 2, Loss: "quantile", Quantile: 0.8}, func(t *table) { t.Target, t.Offset = vector(1), vector(3) },
			data.Roles{TargetVector: list(y), OffsetVector: list(years)}, fsa.Options{K: 2, Loss: "quantile", Objective: fsa.Objective{Quantile: 0.8}}},
		{"survival", options{K: 2}, func(t *table) { t.Target, t.Event, t.Stratum = vector(4), vector(5), vector(6) },
			data.Roles{TargetVector: list(time), EventVector: list(event), StratumVector: list(stratum)}, fsa.Options{K: 2}},
	} {
		r := request{ID: 1, Op: "fit", Files: []file{{Path: path}}, Options: c.options, Table: table{Rows: rows, Columns: cols, Dense: &dense{array{0, at[0], "f8", rows * cols}, false}}}
		c.roles(&r.Table)
		answer := ask(t, r)
		b := data.NewBuilder("x", &data.Schema{Width: cols}, c.same)
		if err := b.Add(&data.Block{Rows: rows, Dense: slices.Clone(x)}); err != nil {
			t.Fatal(err)
		}
		d, err := b.Dataset(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		m, err := fsa.Fit(t.Context(), d, c.library)
		if err != nil {
			t.Fatal(err)
		}
		if want, err := text(m); err != nil || answer["model"] != want {
			t.Errorf("%s: %v, and the library learns\n%v (%v)", c.name, answer, want, err)
		}
	}
	r := request{ID: 1, Op: "fit", Files: []file{{Path: path}}, Table: table{Rows: rows, Columns: cols, Target: vector(2), Offset: vector(3), Exposure: vector(3), Dense: &dense{array{0, at[0], "f8", rows * cols}, false}}}
	if answer := ask(t, r); answer["kind"] != "options" || !strings.Contains(answer["message"].(string), "either an offset or an exposure") {
		t.Errorf("offset and exposure: %v", answer)
	}
}

// TestRefused expects impossible requests to be refused with the right kind of error, and the next
// request to be served.
func TestRefused(t *testing.T) {
	x, y := sample(false)
	x32 := narrow(x)
	x32[5] = float32(math.Inf(1))
	path, at := store(t, y, x32)
	good := func() request {
		return request{ID: 1, Op: "fit", Files: []file{{Path: path, Own: true}}, Options: options{K: 2}, Table: table{
			Rows: rows, Columns: cols, Target: &column{array: array{0, at[0], "f8", rows}}, Dense: &dense{array{0, at[1], "f4", rows * cols}, false},
		}}
	}
	for name, c := range map[string]struct {
		change     func(r *request)
		kind, says string
	}{
		"infinite":     {func(*request) {}, "data", "infinite"},
		"no k":         {func(r *request) { r.Options.K = -1 }, "options", "k = -1"},
		"loss":         {func(r *request) { r.Options.Loss = "quadratic" }, "options", "quadratic"},
		"no file":      {func(r *request) { r.Files[0].Path = "/nowhere/at/all" }, "missing", "/nowhere"},
		"too long":     {func(r *request) { r.Table.Rows, r.Table.Dense.Length = 2*rows, 2*rows*cols }, "protocol", "cut short"},
		"wrong shape":  {func(r *request) { r.Table.Columns = 7 }, "protocol", "numbers for"},
		"short target": {func(r *request) { r.Table.Target.Length = 10 }, "data", "there are 10 numbers"},
		"overflow": {func(r *request) {
			r.Table.Rows, r.Table.Columns, r.Table.Dense.Length = 1<<32, 1<<32, 0
		}, "protocol", "0 numbers for 4294967296×4294967296"},
		"sparse rows": {func(r *request) {
			cells := array{0, at[1], "i4", 0}
			r.Table.Rows, r.Table.Columns, r.Table.Dense = 1<<45, 1, nil
			r.Table.Sparse = &sparse{Start: array{0, at[1], "i8", 2}, Index: cells, Value: array{0, at[1], "f4", 0}, Columns: true}
		}, "data", "there are 60 numbers for"},
		"sparse rows without a target": {func(r *request) {
			r.Table.Dense, r.Table.Target, r.Table.Sparse = nil, nil, &sparse{}
		}, "protocol", "no target"},
		"type":          {func(r *request) { r.Table.Dense.Type = "f2" }, "protocol", "f2"},
		"no GPU":        {func(r *request) { r.Files[0].CUDA = &onGPU{make([]byte, 16), make([]byte, 64), 0, 8} }, "failed", "the memory of X on the GPU cannot be read: "},
		"short handle":  {func(r *request) { r.Files[0].CUDA = &onGPU{make([]byte, 16), make([]byte, 63), 0, 8} }, "protocol", "handle of 63"},
		"file number":   {func(r *request) { r.Table.Dense.File = 3 }, "protocol", "no file 3"},
		"no operation":  {func(r *request) { r.Op = "sing" }, "protocol", "sing"},
		"missing table": {func(r *request) { r.Table.Path = &path_ }, "missing", "nothing.npy"},
	} {
		s := start(t)
		r := good()
		c.change(&r)
		s.send(r)
		if a := s.last(1); a["kind"] != c.kind || !strings.Contains(a["message"].(string), c.says) {
			t.Errorf("%s: %v, want %s with %q", name, a, c.kind, c.says)
		}
	}
	s := start(t)
	for _, line := range []string{"", "{", `{"id":1,"op":"fit","options":{"cheese":3}}`, "[]", `{"id":7,"op":"cancel"}`} {
		s.line(line)
		if strings.Contains(line, "cancel") {
			continue // of no request
		}
		if a := s.next(); a["kind"] != "protocol" {
			t.Errorf("%q: %v", line, a)
		}
	}
	path, at = store(t, y, narrow(x))
	many := good()
	many.Options.K = 9
	s.send(many)
	if a := s.last(1); a["kind"] != "options" || !strings.Contains(a["message"].(string), "k = 9") {
		t.Errorf("9 of 8 columns: %v", a)
	}
	s.send(good())
	if a := s.last(1); a["event"] != "done" {
		t.Errorf("after all that: %v", a)
	}
}

var path_ = path{Path: "/nowhere/nothing.npy"}

// TestCancel expects a cancelled request to end, and others to continue.
func TestCancel(t *testing.T) {
	x, y := sample(false)
	file_, at := store(t, y, narrow(x))
	r := request{ID: 1, Op: "fit", Files: []file{{Path: file_}}, Options: options{K: 2, Iterations: fsa.MaxIterations, Quick: true}, Events: true, Table: table{
		Rows: rows, Columns: cols, Target: &column{array: array{0, at[0], "f8", rows}}, Dense: &dense{array{0, at[1], "f4", rows * cols}, false},
	}}
	c := start(t)
	c.send(r)
	for c.next()["event"] != "epoch" { // it has begun
	}
	c.send(r)
	if a := c.last(1); a["kind"] != "protocol" || !strings.Contains(a["message"].(string), "request 1 is still running") {
		t.Errorf("a number that is in use: %v", a)
	}
	r.ID, r.Options.Iterations = 2, 0
	c.send(r)
	if a := c.last(2); a["event"] != "done" {
		t.Errorf("%v", a)
	}
	c.send(map[string]any{"id": 1, "op": "cancel"})
	if a := c.last(1); a["kind"] != "cancelled" {
		t.Errorf("%v", a)
	}
}

// TestSums expects the model of rows that stand for others to have their ranges and their number.
func TestSums(t *testing.T) {
	x, y := sample(false)
	low, high := make([]float64, cols), make([]float64, cols)
	for j := range cols {
		low[j], high[j] = -100-float64(j), 100+float64(j)
	}
	path, at := store(t, y, x, low, high)
	zero := 0
	r := request{ID: 1, Op: "fit", Files: []file{{Path: path}}, Options: options{K: 2, Quick: true, Bins: &zero}, Table: table{
		Rows: rows, Columns: cols, Target: &column{array: array{0, at[0], "f8", rows}}, Dense: &dense{array{0, at[1], "f8", rows * cols}, false},
		Sums: &sums{Rows: 12345, Low: array{0, at[2], "f8", cols}, High: array{0, at[3], "f8", cols}},
	}}
	c := start(t)
	c.send(r)
	m, err := model.Read(strings.NewReader(fmt.Sprint(c.last(1)["model"])))
	if err != nil {
		t.Fatal(err)
	}
	if m.Training().Rows != 12345 {
		t.Errorf("%d rows", m.Training().Rows)
	}
	for _, term := range m.Additive().Terms { // the range, and as much again on both sides
		if want := 3 * (100 + float64(term.Index)); term.Low != -want || term.High != want {
			t.Errorf("column %d is followed from %v to %v", term.Index, term.Low, term.High)
		}
	}
	r.Table.Sums.High.Length = 3
	c.send(r)
	if a := c.last(1); a["kind"] != "protocol" {
		t.Errorf("3 ranges: %v", a)
	}
}

// TestExport expects a model to be returned in another format, and anything that is not a model to
// be refused.
func TestExport(t *testing.T) {
	text, err := os.ReadFile("../../cmd/fsa/testdata/models/mixed.json")
	if err != nil {
		t.Fatal(err)
	}
	c := start(t)
	c.send(request{ID: 1, Op: "export", Model: string(text), Export: exporting{To: "sql", Dialect: "duckdb", Table: "shop"}})
	a := c.last(1)
	file, err := base64.StdEncoding.DecodeString(fmt.Sprint(a["file"]))
	if err != nil || !strings.Contains(string(file), `FROM "shop"`) {
		t.Errorf("%v, error %v", a, err)
	}
	for _, r := range []request{
		{ID: 2, Op: "export", Model: string(text), Export: exporting{To: "pdf"}},
		{ID: 2, Op: "export", Model: string(text), Export: exporting{To: "onnx", Matrix: true, Width: 1, Places: []int{3}}},
		{ID: 2, Op: "export", Model: "{}", Export: exporting{To: "onnx"}},
	} {
		c.send(r)
		if a := c.last(2); a["event"] != "error" || strings.Contains(fmt.Sprint(a["message"]), "panic") {
			t.Errorf("%+v: %v", r.Export, a)
		}
	}
}

// TestChangedFile expects a change of a file during a fit to be noticed.
func TestChangedFile(t *testing.T) {
	x, y := sample(false)
	name, at := store(t, y, narrow(x))
	r := request{ID: 1, Op: "fit", Files: []file{{Path: name}}, Options: options{K: 2, Quick: true}, Events: true, Table: table{
		Rows: rows, Columns: cols, Target: &column{array: array{0, at[0], "f8", rows}}, Dense: &dense{array{0, at[1], "f4", rows * cols}, false},
	}}
	c := start(t)
	c.send(r)
	for c.next()["event"] != "epoch" {
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte{1, 2, 3, 4}, at[1]+8); err != nil {
		t.Fatal(err)
	}
	if a := c.last(1); a["kind"] != "data" || !strings.Contains(a["message"].(string), "changed during the fit") {
		t.Errorf("%v", a)
	}
}

// FuzzRequest sends any line to the service, which must answer or ignore it, and continue.
func FuzzRequest(f *testing.F) {
	x, y := sample(false)
	var b bytes.Buffer
	binary.Write(&b, binary.NativeEndian, y)
	binary.Write(&b, binary.NativeEndian, narrow(x))
	dir := f.TempDir()
	name := filepath.Join(dir, "arrays")
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		f.Fatal(err)
	}
	f.Add(0, int64(0), rows, cols, int64(rows*8), rows*cols, "f4", false)
	f.Add(0, int64(8), rows, 1<<40, int64(-1), 1<<62, "f8", true)
	f.Fuzz(func(t *testing.T, number int, target int64, n, m int, offset int64, length int, kind string, fortran bool) {
		n, m = n%1000, m%1000
		r := request{ID: 1, Op: "fit", Files: []file{{Path: name}}, Options: options{K: 1, Iterations: 3, Quick: true}, Table: table{
			Rows: n, Columns: m, Target: &column{array: array{number, target, "f8", n}}, Dense: &dense{array{number, offset, kind, length}, fortran},
		}}
		c := start(t)
		c.send(r)
		if a := c.last(1); a["event"] == "error" && strings.Contains(a["message"].(string), "panic") {
			t.Error(a)
		}
	})
}
