package live

import (
	"net"
	"net/http"
	"testing"
)

// A listener accepts a number of connections and lets others wait until one of these is closed, or
// it is closed itself.
func TestLimit(t *testing.T) {
	inner, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	const most = 3
	l := limit(inner, most)
	accepted := make(chan net.Conn)
	go func() {
		defer close(accepted)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			accepted <- c
		}
	}()
	for range 3 * most {
		c, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	var open []net.Conn
	for range most {
		open = append(open, <-accepted)
	}
	if n := len(l.(*limited).free); n != most {
		t.Fatalf("%d connections are accepted", n)
	}
	select {
	case <-accepted:
		t.Fatal("one more is accepted")
	default:
	}
	for range 2 * most { // one goes, one comes
		open[0].Close()
		open[0].Close() // makes room once
		open = append(open[1:], <-accepted)
	}
	l.Close()
	for _, c := range open {
		c.Close()
	}
	for c := range accepted { // one may have been on its way
		c.Close()
	}
}

// Connections that send nothing do not stay for ever, and do not keep the page from answering when
// they are gone.
func TestIdleConnections(t *testing.T) {
	s, err := Listen(t.Context(), "run", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.http.ReadHeaderTimeout <= 0 || s.http.IdleTimeout <= 0 {
		t.Error("a connection may be idle for ever")
	}
	var idle []net.Conn
	for range 3 * mostConnections {
		c, err := net.Dial("tcp", s.host)
		if err != nil {
			t.Fatal(err)
		}
		idle = append(idle, c)
	}
	for _, c := range idle {
		c.Close()
	}
	if code, _, _ := ask(t, s, http.MethodGet, "/"+s.token+"/", nil); code != http.StatusOK {
		t.Errorf("the page answers %d", code)
	}
}
