//go:build unix

package export_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"fsa/export"
	"fsa/internal/need"
)

// server is a PostgreSQL server of the test's own, which listens in its folder only.
type server struct {
	bin, dir   string
	credential *syscall.Credential // of who it belongs to, if not us
}

// startPostgres starts a server, or skips the test if there is none.
func startPostgres(t *testing.T) *server {
	t.Helper()
	need.Program(t, "apt-get install postgresql", "psql")
	places, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // where Debian has them
	if len(places) == 0 {
		found, err := filepath.EvalSymlinks(need.Program(t, "apt-get install postgresql", "initdb"))
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, found)
	}
	s := &server{bin: filepath.Dir(slices.Max(places))}
	// The path of a socket must be short, and root must not own a server.
	dir, err := os.MkdirTemp("", "fsa-pg")
	if err != nil {
		t.Fatal(err)
	}
	s.dir = dir
	t.Cleanup(func() { os.RemoveAll(dir) })
	if os.Geteuid() == 0 {
		owner, err := user.Lookup("postgres")
		need.System(t, err == nil, "a user postgres, since PostgreSQL does not run as root")
		uid, _ := strconv.Atoi(owner.Uid)
		gid, _ := strconv.Atoi(owner.Gid)
		s.credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	data := filepath.Join(dir, "data")
	s.must(t, "", "initdb", "--pgdata", data, "--username", "fsa", "--auth", "trust", "--encoding", "UTF8", "--no-locale", "--no-sync")
	s.must(t, "", "pg_ctl", "--pgdata", data, "--wait", "--log", filepath.Join(dir, "log"), "--options", fmt.Sprintf("-c listen_addresses='' -c fsync=off -k %s", dir), "start")
	t.Cleanup(func() { s.must(t, "", "pg_ctl", "--pgdata", data, "--mode", "immediate", "stop") })
	return s
}

// must runs a program of PostgreSQL.
func (s *server) must(t *testing.T, input, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	cmd.Dir = s.dir
	cmd.Stdin = strings.NewReader(input)
	if s.credential != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.credential}
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if name == "pg_ctl" { // the server would keep pipes open
		cmd.Stdout, cmd.Stderr = nil, nil
	}
	if err := cmd.Run(); err != nil {
		log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
		t.Fatalf("%s: %v\n%s%s", name, err, stderr.Bytes(), log)
	}
	return stdout.Bytes()
}

// query returns what the last statement of a script says, without a heading.
func (s *server) query(t *testing.T, script string) [][]string {
	t.Helper()
	out := s.must(t, script, "psql", "--no-psqlrc", "--quiet", "--csv", "--tuples-only", "--set", "ON_ERROR_STOP=1", "--host", s.dir, "--username", "fsa", "postgres")
	r := csv.NewReader(bytes.NewReader(out))
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// create returns a script that makes the table data of the rows. Some missing numbers
// are NaN.
func (s *subject) create() string {
	quote := func(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
	escape := strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`)
	columns := []string{"fsa_row_number integer"}
	for _, c := range s.table.Columns {
		kind := " double precision"
		if c.Texts != nil {
			kind = " text"
		}
		columns = append(columns, quote(c.Name)+kind)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "DROP TABLE IF EXISTS data CASCADE;\nCREATE TABLE data (%s);\nCOPY data FROM stdin;\n", strings.Join(columns, ", "))
	for i := range s.table.Rows {
		cells := []string{strconv.Itoa(i)}
		for _, c := range s.table.Columns {
			cell := `\N`
			switch {
			case c.Texts != nil && !c.Null[i]:
				cell = escape.Replace(c.Texts[i])
			case c.Texts == nil && (!math.IsNaN(c.Numbers[i]) || i%2 == 0):
				cell = strconv.FormatFloat(c.Numbers[i], 'g', -1, 64)
			}
			cells = append(cells, cell)
		}
		fmt.Fprintln(&out, strings.Join(cells, "\t"))
	}
	return out.String() + "\\.\n"
}

func TestEnginePostgres(t *testing.T) {
	need.Long(t)
	pg := startPostgres(t)
	worst, tried := 0.0, 0
	for _, s := range subjects(t) {
		if len(s.table.Columns) > 1000 {
			continue // a row has to fit into a page of 8 KiB
		}
		file, err := os.ReadFile(s.write(t, t.TempDir(), export.Options{To: "sql", Dialect: "postgres"}))
		if err != nil {
			t.Fatal(err)
		}
		// What a backslash in quotation marks means is a setting. The query may be a view.
		for strings, query := range map[string]string{"on": string(file), "off": "CREATE VIEW fsa_view AS " + string(file) + "SELECT * FROM fsa_view;"} {
			var rows [][]any
			for i, line := range pg.query(t, "SET standard_conforming_strings = "+strings+"; SET escape_string_warning = off; SET client_min_messages = warning;\n"+s.create()+query) {
				if line[0] != strconv.Itoa(i) {
					t.Fatalf("%s: row %d comes as number %s", s.name, i, line[0])
				}
				var row []any
				for _, cell := range line[1+len(s.table.Columns):] {
					row = append(row, cell)
				}
				rows = append(rows, row)
			}
			worst = max(worst, s.compare(t, s.split(t, rows, s.orderSQL()), 1e-9))
		}
		tried++
	}
	t.Logf("%d models, largest difference %.2g", tried, worst)
}
