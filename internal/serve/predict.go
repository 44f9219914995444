package serve

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"fsa"
	"fsa/data"
	"fsa/data/kind"
	"fsa/model"
)

// predict predicts the rows of a table. It needs only the columns of the model's variables, by
// their names.
func (s *server) predict(ctx context.Context, r *request) (_ *predicted, err error) {
	if runtime.GOOS == "windows" {
		return nil, &protocolError{fmt.Errorf("predictions need files that two processes share, which this service does not have on Windows")}
	}
	f, err := openFiles(ctx, r.Files)
	if err != nil {
		return nil, err
	}
	defer f.close()
	defer func() { f.faulted(recover(), &err) }()
	m, err := model.Read(strings.NewReader(r.Model))
	if err != nil {
		return nil, err
	}
	if m.Loss() == "custom" && m.Link() != model.NoLink { // the client would have to apply the link
		return nil, fmt.Errorf("%w: the model was fitted with a loss of a Go program that has a link: predict with that program or, if fsa show names the link, with fsa predict", fsa.ErrOptions)
	}
	if t := &r.Table; t.Rows < 1 || t.Columns < 1 || len(t.Names) != t.Columns || t.Path != nil {
		return nil, &protocolError{fmt.Errorf("%d rows of %d columns, %d of them with names", t.Rows, t.Columns, len(t.Names))}
	}
	table, err := r.Table.reader(ctx, f)
	if err != nil {
		return nil, err
	}
	if err := sameKinds(m, table.Schema()); err != nil {
		return nil, err
	}
	of, err := m.Scorer(table.Schema())
	if err != nil {
		return nil, err
	}
	var decision, contributions []float64
	for b, err := range data.Blocks(ctx, table) {
		if err != nil {
			return nil, err
		}
		z, err := of.Score(b)
		if err != nil {
			return nil, err
		}
		decision = append(decision, z...)
		if r.Predict.Contributions != nil {
			parts, err := of.Contributions(b)
			if err != nil {
				return nil, err
			}
			contributions = append(contributions, parts...)
		}
	}
	if err := r.Predict.write(f, m, m.Prediction(decision), contributions); err != nil {
		return nil, err
	}
	return &predicted{ID: r.ID, Event: "done", Unseen: of.Unseen()}, nil
}

// sameKinds returns an error if a column has dates but had other numbers in training, or the
// reverse.
func sameKinds(m *model.Model, s *data.Schema) error {
	learned := m.Kinds()
	for j, name := range s.Names {
		was, used := learned[name]
		now, moments := s.Kinds[j]
		if !moments {
			now.Kind = kind.Number
		}
		if used && s.Categories[j] == nil && !was.Text() && was.Kind != now.Kind {
			return &data.Error{Column: name, Msg: fmt.Sprintf("it has cells of kind %s, but had %s in training", now.Kind, was.Kind)}
		}
	}
	return nil
}

// write fills the requested arrays.
func (p *predicting) write(f *files, m *model.Model, of *model.Prediction, contributions []float64) error {
	var low, high []float64
	if p.Low != nil || p.High != nil {
		var err error
		if low, high, err = m.Intervals(of, p.Coverage); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		name string
		to   *array
		from func() []float64
	}{
		{"decision", p.Decision, func() []float64 { return of.Decision }},
		{"probability", p.Probability, of.Probability},
		{"class", p.Class, func() []float64 { return classes(of) }},
		{"contributions", p.Contributions, func() []float64 { return contributions }},
		{"low", p.Low, func() []float64 { return low }},
		{"high", p.High, func() []float64 { return high }},
	} {
		if part.to == nil {
			continue
		}
		to, err := numbers[float64](f, part.to)
		if err != nil {
			return err
		}
		from := part.from()
		if part.to.Type != "f8" || part.to.Offset%8 != 0 || !f.list[part.to.File].Own || len(to) != len(from) {
			return &protocolError{fmt.Errorf("%s: %d numbers of this model need as many of type f8, at a multiple of 8 bytes in a file of its own, and there are %d of type %q", part.name, len(from), len(to), part.to.Type)}
		}
		copy(to, from)
	}
	return nil
}

// classes returns the number of the predicted class of each row.
func classes(of *model.Prediction) []float64 {
	names, list := of.Classes(), of.Class()
	to := make([]float64, len(list))
	for i, name := range list {
		to[i] = float64(slices.Index(names, name))
	}
	return to
}
