package lines

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var decimal = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?`)

// checkFloat compares Float with strconv on s alone and with text after it, which decides between
// the slow and the fast path.
func checkFloat(t *testing.T, s string) {
	t.Helper()
	number := decimal.FindString(s)
	want, _ := strconv.ParseFloat(number, 64)
	for _, behind := range []string{"", ",", ",7", ",123456789,123456789,12345", "\n................................"} {
		if behind != "" && number != s {
			continue
		}
		got, n := Float([]byte(s+behind), 0)
		if n != len(number) {
			t.Fatalf("Float(%q) takes %d bytes, want %d", s+behind, n, len(number))
		}
		if n > 0 && math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("Float(%q) = %v (%x), want %v (%x)", s+behind, got, math.Float64bits(got), want, math.Float64bits(want))
		}
	}
}

func TestFloatAwkward(t *testing.T) {
	for _, s := range []string{
		"0", "-0", "+0", "0.0", "-0.0e5", "1", "+1", "-1", "1.", ".5", "-.5", "00012", "0.1", "1e5", "1E+5", "1e-5",
		"123456789", "12345678", "1234567", "12345678.12345678", "0.00000000000000000000000012345",
		"9007199254740991", "9007199254740992", "9007199254740993", "9007199254740993.0", "900719925474099.3e1",
		"9999999999999999999", "18446744073709551615", "18446744073709551616", "0.9999999999999999999",
		"1e22", "1e23", "123456789e22", "1e-22", "1e-23", "4503599627370496.5", "4503599627370497.5",
		"4503599627370496.500000001", "1e308", "1e309", "-1e309", "1e300", "1e-300", "5e-324", "2e-324", "1e-400",
		"1e99999999999999999999", "0e99999999999999999999", "1e-99999999999999999999", "2.2250738585072011e-308",
		"0.000000000000000000000000000000000000000000000000001e50", "1.7976931348623157e308", "1.7976931348623159e308",
		strings.Repeat("9", 400), "0." + strings.Repeat("0", 400) + "1", strings.Repeat("0", 30) + "7.25",
	} {
		checkFloat(t, s)
	}
}

func TestFloatRejects(t *testing.T) {
	for _, s := range []string{"", "-", "+", ".", "-.", "e5", ".e5", "nan", "inf", "-inf", "x", "--1", "+-1", " 1", ",", "-,1"} {
		for _, behind := range []string{"", strings.Repeat(",", 40)} {
			if v, n := Float([]byte(s+behind), 0); n != 0 {
				t.Errorf("Float(%q) = %v, %d bytes", s+behind, v, n)
			}
		}
	}
}

func TestFloatStopsAtItsEnd(t *testing.T) {
	for s, want := range map[string]int{"1e": 1, "1e+": 1, "1.5x": 3, "1.2.3": 3, "1_000": 1, "0x1p3": 1, "1-2": 1, "12e5.5": 4} {
		for _, behind := range []string{"", strings.Repeat(",", 40)} {
			if _, n := Float([]byte(s+behind), 0); n != want {
				t.Errorf("Float(%q) takes %d bytes, want %d", s+behind, n, want)
			}
		}
	}
}

func TestFloatRandom(t *testing.T) {
	const seed = 11
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	digits := func(most int) string {
		b := make([]byte, rng.IntN(most+1))
		for i := range b {
			b[i] = '0' + byte(rng.IntN(10))
		}
		return string(b)
	}
	rounds := 40_000
	if testing.Short() {
		rounds = 4_000
	}
	for range rounds {
		// The usual notation, then the shortest and the longest text of any bits, then halfway cases
		// between two neighbours.
		checkFloat(t, []string{"", "-", "+"}[rng.IntN(3)]+"1"+digits(12)+"."+digits(12))
		checkFloat(t, digits(3)+"."+digits(20)+"1e"+strconv.Itoa(rng.IntN(80)-40))
		v := math.Float64frombits(rng.Uint64())
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		checkFloat(t, strconv.FormatFloat(v, 'g', -1, 64))
		checkFloat(t, fmt.Sprintf("%.*e", 14+rng.IntN(8), v))
		w := rng.NormFloat64()
		checkFloat(t, strconv.FormatFloat(w, 'f', -1, 64))
		checkFloat(t, strconv.FormatFloat(w, 'f', rng.IntN(25), 64))
		half := uint64(1)<<53 + rng.Uint64N(1<<53)
		checkFloat(t, strconv.FormatUint(half, 10))
		k := 1 + rng.IntN(8)
		s := strconv.FormatFloat(float64(half>>10)+0.5, 'f', k, 64)
		checkFloat(t, s)
	}
}

func TestUint(t *testing.T) {
	for s, want := range map[string]struct {
		v uint64
		n int
	}{
		"0":                   {0, 1},
		"12:3":                {12, 2},
		"12345678:1":          {12345678, 8},
		"123456789012345678:": {123456789012345678, 18},
		"1234567890123456789": {0, 0},
		":1":                  {0, 0},
		"-1":                  {0, 0},
		"":                    {0, 0},
	} {
		for _, behind := range []string{"", strings.Repeat(" ", 40)} {
			if v, n := Uint([]byte(s+behind), 0); v != want.v || n != want.n {
				t.Errorf("Uint(%q) = %d, %d bytes", s+behind, v, n)
			}
		}
	}
}

func TestAppendFloat(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 12345678: "12345678", 1e300: "1e+300", 0.001: "0.001", 1e-7: "1e-07", -2.5: "-2.5"} {
		if got := string(AppendFloat(nil, v)); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
}

func FuzzFloat(f *testing.F) {
	for _, s := range []string{"1", "-0.5", "1e22", "9007199254740993", "1.7976931348623159e308", "0.00000000000000000001234567890123456789", "nan", "1e", "."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkFloat(t, s) })
}

func BenchmarkFloat(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, kind := range []struct {
		name string
		text func() string
	}{
		{"short", func() string { return strconv.Itoa(rng.IntN(1000) - 300) }},
		{"six", func() string { return strconv.FormatFloat(rng.NormFloat64(), 'f', 6, 64) }},
		{"fifteen", func() string { return strconv.FormatFloat(rng.NormFloat64(), 'g', 15, 64) }},
		{"shortest", func() string { return strconv.FormatFloat(rng.NormFloat64(), 'g', -1, 64) }},
		{"exponent", func() string { return strconv.FormatFloat(rng.NormFloat64(), 'e', 7, 64) }},
	} {
		b.Run(kind.name, func(b *testing.B) {
			var text []byte
			for range 20000 {
				text = append(append(text, kind.text()...), ',')
			}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				for i := 0; i < len(text); {
					_, i = Float(text, i)
					i++
				}
			}
		})
	}
}
