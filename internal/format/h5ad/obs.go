package h5ad

import (
	"math"
	"slices"

	"fsa/data"
	"fsa/internal/format/h5"
)

// ColumnNames lists the columns of obs.
func (t *Reader) ColumnNames() []string {
	obs, err := t.file.Find("obs")
	if obs == nil || err != nil {
		return nil
	}
	names, _ := obs.Names()
	return slices.DeleteFunc(names, func(name string) bool { return name == "__categories" || name == obs.Text("_index") })
}

// Column returns a column of obs, nil if there is none of this name: numbers, or texts and categories, which are
// numbered in the order of their first cells. A missing cell is NaN.
func (t *Reader) Column(name string) (*data.Vector, error) {
	if !slices.Contains(t.ColumnNames(), name) {
		return nil, nil
	}
	v := &data.Vector{Name: name, Column: true}
	path := "obs/" + name
	o, err := t.file.Find(path)
	if err != nil {
		return nil, err
	}
	switch kind := o.Text("encoding-type"); {
	case kind == "categorical":
		err = t.categorical(v, path+"/codes", path+"/categories")
	case kind == "nullable-integer" || kind == "nullable-boolean" || kind == "nullable-string-array":
		err = t.nullable(v, path)
	case o.Has("categories"): // of anndata before 0.8
		err = t.categorical(v, path, "obs/__categories/"+name)
	default:
		err = t.plain(v, path)
	}
	if err != nil {
		return nil, err
	}
	if len(v.Values) != t.rows {
		return nil, t.bad("obs has %d cells of %s for %d rows", len(v.Values), name, t.rows)
	}
	for i, x := range v.Values {
		if math.IsInf(x, 0) {
			return nil, &data.Error{File: t.name, Row: i + 1, Column: name, Msg: "the number is infinite"}
		}
	}
	return v, nil
}

// plain reads a dataset of numbers or texts.
func (t *Reader) plain(v *data.Vector, path string) error {
	a, err := t.vector(path)
	if err != nil {
		return err
	}
	if a == nil || !a.Textual() && !a.Numeric() {
		return t.bad("%s has neither numbers nor texts", path)
	}
	if a.Textual() {
		texts, err := a.Texts()
		if err == nil {
			v.Values, v.Categories = numbered(texts)
		}
		return err
	}
	v.Values, err = floats(a)
	return err
}

// categorical reads codes of categories; a negative code is a missing cell.
func (t *Reader) categorical(v *data.Vector, codes, categories string) error {
	var at, of data.Vector
	if err := t.plain(&at, codes); err != nil {
		return err
	}
	if err := t.plain(&of, categories); err != nil {
		return err
	}
	place := map[float64]int{}
	for _, code := range at.Values {
		switch {
		case code < 0:
			code = math.NaN()
		case at.Categories != nil || code >= float64(len(of.Values)):
			return t.bad("%s is damaged: there is no category %v", codes, code)
		case of.Categories == nil: // the categories are numbers
			code = of.Values[int(code)]
		default:
			code = of.Values[int(code)]
			if _, known := place[code]; !known {
				place[code] = len(place)
				v.Categories = append(v.Categories, of.Categories[int(code)])
			}
			code = float64(place[code])
		}
		v.Values = append(v.Values, code)
	}
	return nil
}

// nullable reads values of which some are masked.
func (t *Reader) nullable(v *data.Vector, path string) error {
	var mask data.Vector
	if err := t.plain(&mask, path+"/mask"); err != nil {
		return err
	}
	if err := t.plain(v, path+"/values"); err != nil {
		return err
	}
	if len(mask.Values) != len(v.Values) {
		return t.bad("%s is damaged: its mask has another length", path)
	}
	for i, masked := range mask.Values {
		if masked != 0 {
			v.Values[i] = math.NaN()
		}
	}
	return nil
}

// numbered returns the number of each text, in the order in which they come first. An empty text is missing.
func numbered(texts []string) (values []float64, categories []string) {
	place := map[string]int{}
	for _, text := range texts {
		if text == "" {
			values = append(values, math.NaN())
			continue
		}
		at, known := place[text]
		if !known {
			at = len(categories)
			place[text] = at
			categories = append(categories, text)
		}
		values = append(values, float64(at))
	}
	return values, categories
}

func floats(a *h5.Array) ([]float64, error) {
	v := make([]float64, a.Rows)
	return v, a.Floats(v, 0)
}
