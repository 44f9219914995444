package export

import (
	"bytes"
	"fmt"
	"strings"
)

// python writes a model as a Python module.
func python(s *subject, _ *Options) ([]byte, error) {
	source, err := language{quotePython, "[", "]"}.fill("scorer.py.tmpl", s)
	return bytes.ReplaceAll(source, []byte("\t"), []byte("    ")), err
}

// quotePython returns a literal of ASCII characters.
func quotePython(text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case ' ' <= r && r <= '~':
			out.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&out, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			fmt.Fprintf(&out, `\U%08x`, r)
		}
	}
	out.WriteByte('"')
	return out.String()
}
