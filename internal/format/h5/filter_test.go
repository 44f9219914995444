package h5

import (
	"bytes"
	"math"
	"testing"
)

func TestLZF(t *testing.T) {
	for packed, want := range map[string]string{
		"":                          "",
		"\x02abc":                   "abc",
		"\x00a\x20\x00":             "aaaa",
		"\x01ab\x40\x01":            "abababab"[:6],
		"\x00a\xe0\x03\x00\x00b":    "aaaaaaaaaaaaab",
		"\x1f" + string(run(32, 7)): string(run(32, 7)),
	} {
		if got, err := expand([]byte(packed), 100); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", packed, got, err)
		}
	}
	for _, packed := range []string{"\x02ab", "\x20", "\xe0", "\xe0\x01", "\x20\x00", "\x00a\x20\x01", "\x00a\xe0\xff\x00"} {
		if got, err := expand([]byte(packed), 100); err == nil {
			t.Errorf("%q: %q", packed, got)
		}
	}
}

func run(n int, b byte) []byte { return bytes.Repeat([]byte{b}, n) }

func TestUnshuffle(t *testing.T) {
	for _, c := range []struct {
		from, want string
		size       int
	}{{"adbecf", "abcdef", 3}, {"acebdfx", "abcdefx", 2}, {"abc", "abc", 1}, {"ab", "ab", 4}} {
		if got := unshuffle([]byte(c.from), c.size); string(got) != c.want {
			t.Errorf("%s by %d: %s, want %s", c.from, c.size, got, c.want)
		}
	}
}

func TestFloats(t *testing.T) {
	for _, c := range []struct {
		t    datatype
		raw  string
		want float64
	}{
		{datatype{class: whole, size: 1, signed: true}, "\xff", -1},
		{datatype{class: whole, size: 1}, "\xff", 255},
		{datatype{class: whole, size: 2, signed: true, big: true}, "\xff\xfe", -2},
		{datatype{class: whole, size: 8}, "\x00\x00\x00\x00\x00\x00\x00\x80", 1 << 63},
		{datatype{class: real, size: 4, big: true}, "\x3f\xc0\x00\x00", 1.5},
		{datatype{class: real, size: 2}, "\x00\xbc", -1},
		{datatype{class: real, size: 2}, "\x01\x00", math.Ldexp(1, -24)},
		{datatype{class: real, size: 2}, "\x00\x7c", math.Inf(1)},
	} {
		to := make([]float64, 1)
		if c.t.floats(to, []byte(c.raw)); to[0] != c.want {
			t.Errorf("%+v: %v, want %v", c.t, to[0], c.want)
		}
	}
}
