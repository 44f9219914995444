package lines

import (
	"strings"
	"testing"
)

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"":                            `""`,
		"a\"b\n":                      `"a\"b\n"`,
		"\xff":                        `"\xff"`,
		strings.Repeat("x", 40):       `"` + strings.Repeat("x", 40) + `"`,
		strings.Repeat("x", 41):       `"` + strings.Repeat("x", 40) + `…"`,
		"x" + strings.Repeat("ü", 30): `"x` + strings.Repeat("ü", 19) + `…"`,
		strings.Repeat("\x80", 1<<10): `"` + strings.Repeat(`\x80`, 36) + `…"`,
	} {
		if got := Quote([]byte(text)); got != want {
			t.Errorf("%q is shown as %s, want %s", text, got, want)
		}
	}
}
