package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fsa/data"
)

// inOrder returns the classes of a target from the lowest to the highest. Numbers have an order; texts need one.
func inOrder(order []string, d *data.Dataset, t *data.Target, values []float64, names map[float64]string) ([]float64, error) {
	switch {
	case len(values) == 2:
		return nil, optionError("the ordinal loss is for at least three classes, and the target has two: give --loss logistic")
	case order == nil && t.Categories != nil:
		return nil, optionError("the classes of the ordinal loss are texts (%s): give them from the lowest to the highest, as with --order low,mid,high", some(values, names))
	case order == nil:
		return values, nil
	}
	list := make([]float64, len(order))
	for i, name := range order {
		at := slices.IndexFunc(values, func(v float64) bool { return sameClass(names[v], name) })
		switch {
		case at < 0:
			return nil, optionError("the order names the class %q, but the target has %s: correct the order", name, some(values, names))
		case slices.Contains(list[:i], values[at]):
			return nil, optionError("the order names the class %q twice", name)
		}
		list[i] = values[at]
	}
	var missing []string
	for _, v := range values {
		if !slices.Contains(list, v) {
			missing = append(missing, strconv.Quote(names[v]))
		}
	}
	if missing != nil {
		return nil, &data.Error{File: d.Name, Column: t.Name, Msg: fmt.Sprintf("the order misses the class %s: add it, or leave its rows out", strings.Join(missing[:min(len(missing), 5)], ", "))}
	}
	return list, nil
}

// some lists the first classes for a message.
func some(values []float64, names map[float64]string) string {
	var list []string
	for _, v := range values[:min(len(values), 5)] {
		list = append(list, strconv.Quote(names[v]))
	}
	if len(values) > len(list) {
		list = append(list, "…")
	}
	return strings.Join(list, ", ")
}

// sameClass reports whether a class has the name that the user gave. Numbers may be written differently.
func sameClass(class, given string) bool {
	if class == given {
		return true
	}
	a, err := strconv.ParseFloat(class, 64)
	b, other := strconv.ParseFloat(given, 64)
	return err == nil && other == nil && a == b
}
