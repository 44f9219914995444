package main

import (
	"strings"
	"testing"
)

// A list of groups may have been written by any program: with a byte-order mark, blanks around
// names, other line endings, and no newline at the end.
func TestGroupsFile(t *testing.T) {
	rows := file(t, "t.csv", "a,b,c,y\n1,5,2,1\n0,1,1,-1\n2,4,0,1\n0,2,3,-1\n")
	for _, list := range []string{"a,b\n", "a, b", " a , b \r\n\r\n", "\ufeffa,b\n", "\ufeff\"a\",1\n"} {
		code, out, msg := call(t, "fit", rows, "--target", "y", "-k", "1", "--force", "a", "--groups", file(t, "groups.txt", list), "--json")
		if code != exitDone || !strings.Contains(out, `"name":"a"`) || !strings.Contains(out, `"name":"b"`) || strings.Contains(out, `"name":"c"`) {
			t.Errorf("%q: exit code %d, %s%s", list, code, out, msg)
		}
	}
	for list, says := range map[string]string{
		"a,d\n":     `there is no variable "d"`,
		"a,b\nb,c":  `variable "b" is listed twice`,
		"a,\"b\nc,": "each line must list variables",
	} {
		code, _, msg := call(t, "fit", rows, "--target", "y", "-k", "1", "--groups", file(t, "groups.txt", list))
		if code == exitDone || !strings.Contains(msg, says) {
			t.Errorf("%q: exit code %d, says %q, want %q", list, code, msg, says)
		}
	}
}
