package data

import "cmp"

// Settings are strings. The zero value is the default, which has a name for users.

// names lists the values of a setting by their names for users.
func names[S ~string](all []S, zero string) []string {
	list := make([]string, len(all))
	for i, s := range all {
		list[i] = cmp.Or(string(s), zero)
	}
	return list
}

// unnamed returns s, or the zero value if s is its name for users.
func unnamed[S ~string](s, zero S) S {
	if s == zero {
		return ""
	}
	return s
}
