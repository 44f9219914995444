package data

import "cmp"

// Settings are texts. The zero value is the default, which users call by a name.

// names lists settings as users call them.
func names[S ~string](all []S, zero string) []string {
	list := make([]string, len(all))
	for i, s := range all {
		list[i] = cmp.Or(string(s), zero)
	}
	return list
}

// unnamed returns s, or the zero value where s is what users call it.
func unnamed[S ~string](s, zero S) S {
	if s == zero {
		return ""
	}
	return s
}
