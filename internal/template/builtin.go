package template

import (
	"fmt"
	"reflect"
)

// builtin are the functions that every template has, as in text/template.
var builtin = map[string]any{
	"and": func(v ...reflect.Value) reflect.Value { return firstThat(false, v) },
	"or":  func(v ...reflect.Value) reflect.Value { return firstThat(true, v) },
	"not": func(v reflect.Value) bool { return !truth(v) },
	"eq":  equal,
	"ne":  func(a, b reflect.Value) bool { return !equal(a, b) },
	"gt":  func(a, b reflect.Value) bool { return indirect(a).Int() > indirect(b).Int() },
	"len": func(v reflect.Value) int { return indirect(v).Len() },
	"index": func(v reflect.Value, i reflect.Value) reflect.Value {
		return indirect(v).Index(int(indirect(i).Int()))
	},
}

// firstThat returns the first value with the given truth, or the last.
func firstThat(want bool, v []reflect.Value) reflect.Value {
	for _, one := range v {
		if truth(one) == want {
			return one
		}
	}
	return v[len(v)-1]
}

// equal compares texts, whole numbers or booleans.
func equal(a, b reflect.Value) bool {
	a, b = indirect(a), indirect(b)
	switch {
	case a.Kind() == reflect.String && b.Kind() == reflect.String:
		return a.String() == b.String()
	case a.CanInt() && b.CanInt():
		return a.Int() == b.Int()
	case a.Kind() == reflect.Bool && b.Kind() == reflect.Bool:
		return a.Bool() == b.Bool()
	}
	panic(fmt.Sprintf("template: %v and %v cannot be compared", a, b))
}
