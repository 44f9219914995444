package tcp

import (
	"io"
	"net"
	"sync"
	"time"
)

// Strangers may connect to the port of a process while the job begins: they may be silent, send
// garbage, or lack the token. At most mostStrangers connections wait for their handshake; if there
// are more, the one that has waited longest is closed. A process of the job needs milliseconds.
const (
	mostStrangers = 128
	// shakeTime is how long a connection may take to prove that it belongs to the job.
	shakeTime = 10 * time.Second
)

// gate accepts connections until the job has begun.
type gate struct {
	listener net.Listener
	config   *Config
	take     func(conn net.Conn, h hello) error // is given connections of processes that know the token

	mu      sync.Mutex
	waiting []net.Conn // for their handshakes, the oldest first
	noted   int
	closed  bool
	working sync.WaitGroup
}

func (g *gate) serve() {
	for {
		conn, err := g.listener.Accept()
		if err != nil {
			g.mu.Lock()
			closed := g.closed
			g.mu.Unlock()
			if closed {
				return
			}
			time.Sleep(10 * time.Millisecond) // too many open files, which may pass
			continue
		}
		g.mu.Lock()
		if len(g.waiting) == mostStrangers {
			g.waiting[0].Close()
			g.waiting = g.waiting[1:]
		}
		g.waiting = append(g.waiting, conn)
		g.mu.Unlock()
		g.working.Go(func() { g.admit(conn) })
	}
}

// admit lets a connection prove that it belongs to the job.
func (g *gate) admit(raw net.Conn) {
	from := raw.RemoteAddr().String()
	_ = raw.SetDeadline(time.Now().Add(shakeTime))
	conn := secured(raw, g.config.TLS, false)
	var h hello
	err := accepts(conn, g.config.Token)
	if err == nil {
		h, err = readHello(conn)
	} else if g.config.TLS != nil {
		linger(raw)
	}
	g.forget(raw)
	if err != nil {
		g.note("a connection from " + from + " was refused: " + err.Error())
		conn.Close()
		return
	}
	err = g.take(conn, h)
	if err != nil {
		g.note("a process at " + from + " was refused: " + err.Error())
		_, _ = conn.Write(appendFrame(nil, frameRefuse, []byte(err.Error())))
		conn.Close()
	}
}

// linger lets the other side read why it was refused: to close a connection with bytes that were not
// read would reset it.
func linger(conn net.Conn) {
	if c, ok := conn.(*net.TCPConn); ok && c.CloseWrite() == nil {
		_, _ = io.CopyN(io.Discard, c, shortBytes)
	}
}

func readHello(conn net.Conn) (h hello, err error) {
	kind, text, err := readFrame(conn)
	if err != nil {
		return h, err
	}
	if kind != frameHello {
		return h, errFrame
	}
	return h, decode(text, &h)
}

// forget removes a connection whose handshake is over.
func (g *gate) forget(conn net.Conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, c := range g.waiting {
		if c == conn {
			g.waiting = append(g.waiting[:i:i], g.waiting[i+1:]...)
			return
		}
	}
}

// mostNotes is the maximal number of refused connections that are reported.
const mostNotes = 10

func (g *gate) note(text string) {
	g.mu.Lock()
	g.noted++
	n := g.noted
	closed := g.closed
	g.mu.Unlock()
	if n <= mostNotes && !closed {
		g.config.Note(text)
	}
}

// close stops accepting; connections that were not admitted are closed.
func (g *gate) close() {
	g.mu.Lock()
	g.closed = true
	for _, c := range g.waiting {
		c.Close()
	}
	g.mu.Unlock()
	g.listener.Close()
	g.working.Wait()
}
