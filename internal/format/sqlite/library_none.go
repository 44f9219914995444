//go:build !((linux || darwin || windows) && (amd64 || arm64)) || static

package sqlite

// connection is an open database, which this build cannot have: it loads no libraries.
type connection struct{}

func newConnection(string) (*connection, error) { return nil, errNoLibrary }

func (*connection) close()                 {}
func (*connection) interrupt()             {}
func (*connection) limit(int)              {}
func (*connection) run(string, bool) error { return errNoLibrary }
