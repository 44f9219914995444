package real

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"fsa"
)

// Variant is fsa with settings that are not the defaults.
type Variant struct {
	Name string
	// Options has the fields of [fsa.Options] and of its groups that are set, as texts.
	Options map[string]string

	sizes []int // sizes that are compared if the size is open; nil means the default
}

// The maximal number of variables of a small model, as a share of the columns and in total.
const fewShare, mostFew = 3, 20

// defaults lists the settings of fsa that are always measured on a table with the given number of
// columns: only k or, if the size is open, nothing at all and a limit on the number of variables.
func (s *Setup) defaults(cols int) []Variant {
	list := []Variant{{Name: Ours}}
	if s.Open {
		v := Variant{Name: few}
		for k := range max(1, min(cols/fewShare, mostFew)) + 1 {
			v.sizes = append(v.sizes, k)
		}
		list = append(list, v)
	}
	return list
}

// ParseVariant parses NAME:FIELD=VALUE,FIELD=VALUE…, where the fields are those of [fsa.Options]
// and of its groups that are numbers, texts or booleans; Sizes=20 compares all sizes up to 20.
func ParseVariant(text string) (Variant, error) {
	name, fields, found := strings.Cut(text, ":")
	v := Variant{Name: name, Options: map[string]string{}}
	if !found || name == "" || name == Ours || name == few {
		return v, fmt.Errorf("%q: a variant of fsa is written NAME:FIELD=VALUE,…", text)
	}
	for _, f := range strings.Split(fields, ",") {
		field, value, found := strings.Cut(f, "=")
		if !found {
			return v, fmt.Errorf("%q: %q is not FIELD=VALUE", text, f)
		}
		v.Options[field] = value
	}
	_, err := v.options(0) // some fields are for an open size only
	return v, err
}

// options returns the options of a fit.
func (v Variant) options(k int) (fsa.Options, error) {
	o := fsa.Options{K: k, Selection: fsa.Selection{Sizes: v.sizes}, Run: fsa.Run{Threads: 1}}
	for name, text := range v.Options {
		field := fieldOf(&o, name)
		var err error
		if name == "Sizes" {
			var most int
			most, err = strconv.Atoi(text)
			o.Selection.Sizes = nil
			for k := range max(0, most) + 1 {
				o.Selection.Sizes = append(o.Selection.Sizes, k)
			}
		} else {
			err = set(field, text)
		}
		if err != nil {
			return o, fmt.Errorf("%s=%s: %w", name, text, err)
		}
	}
	return o, o.Validate()
}

// set sets a field that is a number, a text or a boolean.
func set(field reflect.Value, text string) error {
	var err error
	switch field.Kind() {
	case reflect.Float64:
		var x float64
		x, err = strconv.ParseFloat(text, 64)
		field.SetFloat(x)
	case reflect.Int:
		var x int64
		x, err = strconv.ParseInt(text, 10, 64)
		field.SetInt(x)
	case reflect.Bool:
		var x bool
		x, err = strconv.ParseBool(text)
		field.SetBool(x)
	case reflect.String:
		field.SetString(text)
	default:
		err = fmt.Errorf("neither fsa.Options nor one of its groups has a field of this name that is a number, a text or a boolean")
	}
	return err
}

// fieldOf finds a field by its name alone, among the options and in their groups; the zero value
// means that there is none.
func fieldOf(o *fsa.Options, name string) reflect.Value {
	all := reflect.ValueOf(o).Elem()
	places := []reflect.Value{all}
	for i := range all.NumField() {
		if group := all.Field(i); group.Kind() == reflect.Struct {
			places = append(places, group)
		}
	}
	for _, place := range places {
		if field := place.FieldByName(name); field.CanSet() {
			return field
		}
	}
	return reflect.Value{}
}

// fitOurs fits fsa and predicts.
func fitOurs(ctx context.Context, v Variant, train, test *Table, k int) (Answer, error) {
	o, err := v.options(k)
	if err != nil {
		return Answer{}, err
	}
	o.Selection.Sizes = slices.DeleteFunc(o.Selection.Sizes, func(size int) bool { return size > train.Cols })
	d, err := train.dataset(ctx, "training rows")
	if err != nil {
		return Answer{}, err
	}
	start := time.Now()
	model, err := fsa.Fit(ctx, d, o)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{K: k, Seconds: time.Since(start).Seconds()}
	for _, s := range model.Selected() {
		a.Selected = append(a.Selected, s.Index)
	}
	p, err := model.Predict(ctx, test.reader())
	if err != nil {
		return Answer{}, err
	}
	if a.Prediction = p.Probability(); a.Prediction == nil {
		a.Prediction = p.Decision
		for i, z := range a.Prediction {
			if train.Classes != nil { // a loss without probabilities is treated like the logistic loss
				a.Prediction[i] = 1 / (1 + math.Exp(-z))
			}
		}
	}
	if train.Classes != nil {
		a.arrange(len(train.Classes), model.Classes(), train.Classes)
	}
	return a, nil
}

// arrange reorders probabilities of classes from the model's order to the table's.
func (a *Answer) arrange(classes int, from, to []string) {
	place := map[string]int{}
	for c, name := range to {
		place[name] = c
	}
	if classes == 2 && len(from) == 2 {
		if place[from[1]] == 0 {
			for i, p := range a.Prediction {
				a.Prediction[i] = 1 - p
			}
		}
		return
	}
	rows := len(a.Prediction) / len(from)
	out := make([]float64, rows*classes)
	for i := range rows {
		for c, name := range from {
			out[i*classes+place[name]] = a.Prediction[i*len(from)+c]
		}
	}
	a.Prediction = out
}
