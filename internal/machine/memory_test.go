package machine

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestSystem(t *testing.T) {
	const mib = 1 << 20
	for name, c := range map[string]struct {
		files            map[string]string
		installed, group int64
	}{
		"nothing is told": {nil, 0, 0},
		"no group":        {map[string]string{"proc/meminfo": "MemTotal:       2048 kB\nMemFree:  1024 kB\n"}, 2 * mib, 0},
		"a group": {map[string]string{
			"proc/self/cgroup": "0::/a/b\n", "cgroup/memory.max": "max\n", "cgroup/a/memory.max": "5242880\n", "cgroup/a/b/memory.max": "max\n",
		}, 0, 5 * mib},
		"the nearest is the least": {map[string]string{
			"proc/self/cgroup": "0::/a/b\n", "cgroup/a/memory.max": "5242880\n", "cgroup/a/b/memory.max": "3145728\n",
		}, 0, 3 * mib},
		"a container": {map[string]string{"proc/self/cgroup": "0::/\n", "cgroup/memory.max": "3145728\n"}, 0, 3 * mib},
		"the older kind": {map[string]string{
			"proc/self/cgroup": "5:cpu,memory:/job\n1:cpuset:/other\n0::/\n", "cgroup/memory/job/memory.limit_in_bytes": "7340032\n",
			"cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n", "cgroup/memory/other/memory.limit_in_bytes": "1\n",
		}, 0, 7 * mib},
		"nonsense": {map[string]string{
			"proc/meminfo": "MemTotal: many kB\n", "proc/self/cgroup": "what\n0::../../a\n::\n", "cgroup/memory.max": "-\n", "cgroup/a/memory.max": "99999999999999999999\n",
		}, 0, 0},
	} {
		dir := t.TempDir()
		for file, text := range c.files {
			file = filepath.Join(dir, file)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		s := system{filepath.Join(dir, "proc"), filepath.Join(dir, "cgroup")}
		if got := s.installed(); got != c.installed {
			t.Errorf("%s: %d bytes of memory, not %d", name, got, c.installed)
		}
		if got := s.group(); got != c.group {
			t.Errorf("%s: the group allows %d bytes, not %d", name, got, c.group)
		}
	}
}

func TestMemory(t *testing.T) {
	if n := Memory(); runtime.GOOS == "linux" && n < 1<<20 || Share() > n {
		t.Errorf("%d bytes, of which %d may be taken", n, Share())
	}
}

func TestThreads(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		limit, used, running int64
		threads              int // of 16; 0 is an error
	}{
		{2048 * mib, 1230 * mib, 5, 1}, // (2048 − 1230 − 3·72 − 128 − 256)/2/72,
		{4096 * mib, 1230 * mib, 5, 15},
		{1960 * mib, 1280 * mib, 5, 1},
		{1740 * mib, 1280 * mib, 5, 0},
		{1024 * mib, 1280 * mib, 5, 0}, // less than is in use
		{1024 * mib, 0, 0, 16},         // unknown
	} {
		n, err := threads(16, c.limit, c.used, c.running)
		if n != c.threads || (err == nil) != (n > 0) {
			t.Errorf("%+v: %d threads, %v", c, n, err)
		}
	}
}
