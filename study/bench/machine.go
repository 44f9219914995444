package bench

import (
	"os"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/cpu"

	"fsa/internal/kernel"
)

// thisMachine describes the machine as far as the system reports it.
func thisMachine() Machine {
	return Machine{
		CPU:          field("/proc/cpuinfo", "model name", "unknown CPU"),
		Cores:        runtime.NumCPU(),
		MemoryBytes:  parseSize(field("/proc/meminfo", "MemTotal", "")),
		Caches:       Caches(kernel.MachineCaches()),
		Instructions: instructions(),
		Go:           runtime.Version(),
		System:       runtime.GOOS + "/" + runtime.GOARCH,
	}
}

// field returns the first value of a key in a file of "key: value" lines.
func field(path, key, otherwise string) string {
	text, _ := os.ReadFile(path)
	for line := range strings.Lines(string(text)) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return otherwise
}

// parseSize parses sizes such as "2048K" and "24000000 kB"; 0 if it is none.
func parseSize(s string) int {
	digits := strings.TrimRight(strings.TrimSpace(s), " kKmMB")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	switch unit := strings.ToUpper(strings.TrimSpace(strings.TrimSpace(s)[len(digits):])); unit {
	case "K", "KB":
		return n << 10
	case "M", "MB":
		return n << 20
	}
	return n
}

// instructions names the instruction set that the kernels choose.
func instructions() string {
	switch {
	case cpu.X86.HasAVX512F && cpu.X86.HasBMI2:
		return "AVX-512"
	case cpu.X86.HasAVX2 && cpu.X86.HasFMA:
		return "AVX2"
	case runtime.GOARCH == "arm64":
		return "NEON"
	}
	return "Go"
}

// loadAverage returns the load average over 1, 5 and 15 minutes.
func loadAverage() []float64 {
	text, err := os.ReadFile("/proc/loadavg")
	words := strings.Fields(string(text))
	if err != nil || len(words) < 3 {
		return nil
	}
	load := make([]float64, 3)
	for i := range load {
		if load[i], err = strconv.ParseFloat(words[i], 64); err != nil {
			return nil
		}
	}
	return load
}
