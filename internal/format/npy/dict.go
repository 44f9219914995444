package npy

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// maxDims is NumPy's own limit of dimensions.
const maxDims = 64

// dict is the content of a header's text.
type dict struct {
	descr   string
	fortran bool
	shape   []int
}

// parser parses the text of a header.
type parser struct{ rest string }

// parseDict parses the Python dict that is the text of a header:
//
//	{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
//
// Each of the three keys must occur once, in any order, and nothing else. Python itself evaluates
// the text; this accepts the part of the language that NumPy writes, including the long integers of
// Python 2.
func parseDict(text string) (d dict, err error) {
	p := parser{text}
	if !p.accept("{") {
		return d, errors.New("it is not a dict")
	}
	seen := map[string]bool{}
	for !p.accept("}") {
		key, err := p.text()
		if err != nil {
			return d, err
		}
		if seen[key] {
			return d, fmt.Errorf("key %q appears twice", key)
		}
		seen[key] = true
		if !p.accept(":") {
			return d, fmt.Errorf("no colon after key %q", key)
		}
		switch key {
		case "descr":
			d.descr, err = p.descr()
		case "fortran_order":
			d.fortran, err = p.truth()
		case "shape":
			d.shape, err = p.tuple()
		default:
			err = fmt.Errorf("unknown key %q", key)
		}
		if err != nil {
			return d, err
		}
		if !p.accept(",") {
			if !p.accept("}") {
				return d, errors.New("the dict does not end")
			}
			break
		}
	}
	if strings.Trim(p.rest, " \n") != "" {
		return d, errors.New("something follows the dict")
	}
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if !seen[key] {
			return d, fmt.Errorf("key %q is missing", key)
		}
	}
	return d, nil
}

// accept consumes token, and the white space before it, if it comes next.
func (p *parser) accept(token string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(p.rest, " \n"), token)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *parser) text() (string, error) {
	for _, quote := range []string{"'", `"`} {
		if p.accept(quote) {
			text, rest, ok := strings.Cut(p.rest, quote)
			if !ok || strings.ContainsAny(text, "\\\n") {
				return "", errors.New("a text does not end, or has escapes")
			}
			p.rest = rest
			return text, nil
		}
	}
	return "", errors.New("a text in quotes is expected")
}

func (p *parser) descr() (string, error) {
	if p.accept("[") || p.accept("(") {
		return "", errors.New("cells of a structured dtype cannot be used as numbers; save each field by itself with dtype=float32")
	}
	return p.text()
}

func (p *parser) truth() (bool, error) {
	switch {
	case p.accept("True"):
		return true, nil
	case p.accept("False"):
		return false, nil
	}
	return false, errors.New("expected True or False")
}

// tuple parses a tuple of lengths. As in Python, a single one needs a comma.
func (p *parser) tuple() ([]int, error) {
	if !p.accept("(") {
		return nil, errors.New("a tuple is expected")
	}
	shape := []int{}
	for comma := true; !p.accept(")"); {
		if !comma || len(shape) == maxDims {
			return nil, fmt.Errorf("a shape is at most %d whole numbers with commas between them", maxDims)
		}
		rest := strings.TrimLeft(p.rest, " \n")
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		n, err := strconv.Atoi(rest[:digits])
		if err != nil {
			return nil, fmt.Errorf("the shape needs whole numbers of at most %d bits", strconv.IntSize-1)
		}
		p.rest = strings.TrimPrefix(rest[digits:], "L")
		shape = append(shape, n)
		comma = p.accept(",")
		if len(shape) == 1 && !comma {
			return nil, errors.New("a tuple with one number needs a comma after it")
		}
	}
	return shape, nil
}
