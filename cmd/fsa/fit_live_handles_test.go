package main

import (
	"bufio"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fsa/internal/need"
)

// Connections to the page that say nothing do not keep a fit from saving its model, where few files
// may be open.
func TestLiveHandles(t *testing.T) {
	need.System(t, runtime.GOOS == "linux", "linux, whose limits the shell sets")
	sh := need.Program(t, "apt-get install dash", "sh")
	dir := t.TempDir()
	table, run := filepath.Join(dir, "t.csv"), filepath.Join(dir, "run")
	must(t, "generate", "ar1", "--n", "200", "--m", "10", "--k", "2", "--out", table)
	cmd := exec.Command(sh, "-c", `ulimit -n 100 && exec "$0" "$@"`, os.Args[0], "fit", "-", "-k", "2", "--folds", "3", "--live", "--out", run)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var address *url.URL
	lines := bufio.NewScanner(said)
	for address == nil && lines.Scan() {
		for word := range strings.FieldsSeq(lines.Text()) {
			if strings.HasPrefix(word, "http://") {
				if address, err = url.Parse(word); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if address == nil {
		t.Fatal("the fit does not say where its page is")
	}
	for range 150 {
		c, err := net.Dial("tcp", address.Host)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	in.Write(read(t, table)) // the fit waits for it
	in.Close()
	rest, _ := io.ReadAll(said)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, rest)
	}
	must(t, "show", run)
}
