package npy

import (
	"fmt"
	"strconv"
	"strings"
)

// Type is the type of an array's cells.
type Type uint8

// The types that can be read. The two that can be written are [Float32] and [Float64].
const (
	Bool Type = iota + 1
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float16
	Float32
	Float64
	Text  // of a given number of characters; see [Header]
	Bytes // the same, in bytes
)

// types has the properties of the types: the name in NumPy, the code in a header and the bytes of a
// cell.
var types = [...]struct {
	name, code string
	size       int
}{
	Bool:    {"bool", "b1", 1},
	Int8:    {"int8", "i1", 1},
	Int16:   {"int16", "i2", 2},
	Int32:   {"int32", "i4", 4},
	Int64:   {"int64", "i8", 8},
	Uint8:   {"uint8", "u1", 1},
	Uint16:  {"uint16", "u2", 2},
	Uint32:  {"uint32", "u4", 4},
	Uint64:  {"uint64", "u8", 8},
	Float16: {"float16", "f2", 2},
	Float32: {"float32", "f4", 4},
	Float64: {"float64", "f8", 8},
	Text:    {"text", "", 4},
	Bytes:   {"byte strings", "", 1},
}

// String returns NumPy's name of the type.
func (t Type) String() string { return types[t].name }

// Size returns the number of bytes of a cell or, for texts, of a character.
func (t Type) Size() int { return types[t].size }

// parseText parses the dtype of texts, such as "<U5": the number of their characters.
func parseText(descr string) (t Type, big bool, chars int, ok bool) {
	code := strings.TrimLeft(descr, "<>|=")
	if code == "" {
		return 0, false, 0, false
	}
	switch code[0] {
	case 'U':
		t = Text
	case 'S', 'a':
		t = Bytes
	default:
		return 0, false, 0, false
	}
	chars, err := strconv.Atoi(code[1:])
	return t, strings.HasPrefix(descr, ">"), chars, err == nil && chars >= 0 && chars <= maxChars
}

// maxChars limits the length of texts.
const maxChars = 1 << 16

// parseType reads a dtype such as "<f4": byte order, kind and size.
func parseType(descr string) (t Type, big bool, err error) {
	order, code := "", descr
	if descr != "" && strings.ContainsRune("<>|", rune(descr[0])) {
		order, code = descr[:1], descr[1:]
	}
	for t, known := range types {
		if known.code != "" && known.code == code && (known.size == 1 || order == "<" || order == ">") {
			return Type(t), order == ">", nil
		}
	}
	cure := "save it with dtype=float32"
	if code != "" && strings.ContainsRune("OSaU", rune(code[0])) {
		cure = "write labels as a text file with one label a line, and save numbers with dtype=float32"
	}
	return 0, false, fmt.Errorf("cells of dtype %q%s cannot be used as numbers; %s", descr, kindOf(code), cure)
}

// kindOf names the kinds of cells that are not numbers, because few people know their one-letter
// codes.
func kindOf(code string) string {
	kinds := []struct{ prefix, name string }{
		{"O", "Python objects"}, {"S", "byte strings"}, {"a", "byte strings"}, {"U", "text"}, {"V", "raw bytes"},
		{"M", "dates"}, {"m", "time spans"}, {"c", "complex numbers"}, {"f", "extended precision"},
	}
	for _, k := range kinds {
		if strings.HasPrefix(code, k.prefix) {
			return " (" + k.name + ")"
		}
	}
	return ""
}
