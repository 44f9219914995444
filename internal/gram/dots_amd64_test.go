package gram

import "testing"

// All instruction sets give the same bits.
func TestDotsTwins(t *testing.T) {
	had512, had2 := hasAVX512, hasAVX2
	defer func() { hasAVX512, hasAVX2 = had512, had2 }()
	for _, name := range []string{"AVX2", "Go"} {
		if hasAVX512 = false; name == "Go" {
			hasAVX2 = false
		}
		t.Run(name, TestDots)
		t.Run(name, TestCholesky)
	}
}
