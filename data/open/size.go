package open

import (
	"fmt"
	"strconv"
	"strings"
)

// MemoryError says that a table needs more memory than allowed.
type MemoryError struct {
	File         string
	Need, Memory int64 // Need is 0 if it is unknown
	Cure         string
}

func (e *MemoryError) Error() string {
	if e.Need == 0 {
		return fmt.Sprintf("%s does not fit into memory, of which %s may be used: %s", e.File, Size(e.Memory), e.Cure)
	}
	return fmt.Sprintf("%s needs at least %s of memory, but only %s may be used: %s", e.File, Size(e.Need), Size(e.Memory), e.Cure)
}

// ParseSize parses a number of bytes such as 8GiB, 500MB or 1e9.
func ParseSize(text string) (int64, error) {
	number, unit := text, 1.0
	for _, u := range []struct {
		name string
		size float64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40}, {"B", 1}} {
		if cut, ok := strings.CutSuffix(text, u.name); ok {
			number, unit = strings.TrimSpace(cut), u.size
			break
		}
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !(n*unit >= 1) || n*unit > 1<<60 {
		return 0, fmt.Errorf("%q is not a size: write for example 8GiB or 500MB", text)
	}
	return int64(n * unit), nil
}

// Size formats a number of bytes for a person.
func Size(n int64) string {
	for _, u := range []struct {
		name string
		size int64
	}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}} {
		if n >= u.size {
			return fmt.Sprintf("%.1f %s", float64(n)/float64(u.size), u.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}
