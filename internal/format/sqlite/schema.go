package sqlite

import (
	"errors"
	"strconv"
	"strings"
)

// column is a column of a table, according to its CREATE TABLE.
type column struct {
	name  string
	rowid bool  // it is the row number, which is not in the record
	since value // value for rows that were written before the column was added
	known bool  // whether since is known
}

// token is a word of SQL.
type token struct {
	text   string
	quoted bool // a name or a text in quotation marks
}

// is reports whether a token is a keyword.
func (t token) is(word string) bool { return !t.quoted && strings.EqualFold(t.text, word) }

// tokens splits SQL into tokens.
func tokens(sql string) []token {
	var list []token
	for i := 0; i < len(sql); {
		switch c := sql[i]; {
		case c <= ' ':
			i++
		case strings.HasPrefix(sql[i:], "--"):
			end := strings.IndexByte(sql[i:], '\n')
			if end < 0 {
				return list
			}
			i += end
		case strings.HasPrefix(sql[i:], "/*"):
			end := strings.Index(sql[i+2:], "*/")
			if end < 0 {
				return list
			}
			i += end + 4
		case c == '"' || c == '`' || c == '\'' || c == '[':
			text, n := quoted(sql[i:])
			list = append(list, token{text, true})
			i += n
		case isLetter(c):
			start := i
			for i < len(sql) && (isLetter(sql[i]) || sql[i] == '.') {
				i++
			}
			list = append(list, token{text: sql[start:i]})
		default:
			list = append(list, token{text: sql[i : i+1]})
			i++
		}
	}
	return list
}

func isLetter(c byte) bool {
	return c >= 0x80 || c == '_' || c == '$' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// quoted returns the text in quotation marks at the start, and its length with them.
func quoted(sql string) (string, int) {
	mark := sql[0]
	if mark == '[' {
		end := strings.IndexByte(sql, ']')
		if end < 0 {
			return sql[1:], len(sql)
		}
		return sql[1:end], end + 1
	}
	var text strings.Builder
	for i := 1; i < len(sql); i++ {
		if sql[i] == mark {
			if i+1 == len(sql) || sql[i+1] != mark {
				return text.String(), i + 1
			}
			i++
		}
		text.WriteByte(sql[i])
	}
	return text.String(), len(sql)
}

// columns reads the columns of a table from its CREATE TABLE.
func columns(sql string) ([]column, error) {
	list := tokens(sql)
	start := 0
	for start < len(list) && !list[start].is("(") {
		start++
	}
	definitions, rest := split(list[min(start+1, len(list)):])
	for _, t := range rest {
		if t.is("without") {
			return nil, errors.New("it is a table WITHOUT ROWID")
		}
	}
	var all []column
	integer := map[string]bool{} // columns of the type INTEGER
	for _, d := range definitions {
		if len(d) == 0 {
			continue
		}
		if d[0].is("constraint") || d[0].is("primary") || d[0].is("unique") || d[0].is("check") || d[0].is("foreign") {
			if name, ok := primary(d); ok && integer[strings.ToLower(name)] {
				for j := range all {
					all[j].rowid = all[j].rowid || strings.EqualFold(all[j].name, name)
				}
			}
			continue
		}
		c := column{name: d[0].text, known: true}
		isInteger := len(d) > 1 && d[1].is("integer") && (len(d) == 2 || isConstraint(d[2]))
		integer[strings.ToLower(c.name)] = isInteger
		depth := 0
		for i, t := range d[1:] {
			next := func(n int) token {
				if i+1+n < len(d) {
					return d[i+1+n]
				}
				return token{}
			}
			switch {
			case t.is("("):
				depth++
			case t.is(")"):
				depth--
			case depth > 0:
			case t.is("primary") && next(1).is("key"):
				c.rowid = isInteger && !next(2).is("desc")
			case t.is("default"):
				c.since, c.known = literal(d[i+2:])
			case t.is("generated") || t.is("as") && next(1).is("("):
				return nil, errors.New("its column " + strconv.Quote(c.name) + " is computed")
			}
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil, errors.New("it has no columns")
	}
	return all, nil
}

// split splits the definitions within parentheses at their commas, and returns what follows them.
func split(list []token) (definitions [][]token, rest []token) {
	depth, start := 0, 0
	for i, t := range list {
		switch {
		case t.is("("):
			depth++
		case t.is(")") && depth == 0:
			return append(definitions, list[start:i]), list[i+1:]
		case t.is(")"):
			depth--
		case t.is(",") && depth == 0:
			definitions = append(definitions, list[start:i])
			start = i + 1
		}
	}
	return append(definitions, list[start:]), nil
}

// isConstraint reports whether a word begins a constraint of a column, so that its type has ended.
func isConstraint(t token) bool {
	for _, word := range []string{"constraint", "primary", "not", "null", "unique", "check", "default", "collate", "references", "generated", "as"} {
		if t.is(word) {
			return true
		}
	}
	return false
}

// primary returns the only column of the constraint PRIMARY KEY (c).
func primary(d []token) (string, bool) {
	for i := range d {
		if d[i].is("primary") && i+4 < len(d) && d[i+1].is("key") && d[i+2].is("(") && !d[i+4].is(",") {
			return d[i+3].text, true
		}
	}
	return "", false
}

// literal returns the value of a default, if it is a plain one.
func literal(d []token) (value, bool) {
	sign := ""
	if len(d) > 0 && (d[0].is("-") || d[0].is("+")) {
		sign, d = d[0].text, d[1:]
	}
	switch {
	case len(d) == 0:
	case d[0].quoted && sign == "":
		return value{how: text, text: []byte(d[0].text)}, true
	case d[0].is("null"):
		return value{}, true
	case d[0].is("true"):
		return value{how: whole, int: 1}, true
	case d[0].is("false"):
		return value{how: whole}, true
	default:
		if v, err := strconv.ParseFloat(sign+d[0].text, 64); err == nil {
			return value{how: real, number: v}, true
		}
	}
	return value{}, false
}
