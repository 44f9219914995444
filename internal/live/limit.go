package live

import (
	"net"
	"sync"
)

// limited is a listener that accepts a limited number of connections at a time. Others wait outside the
// program, where they take none of its handles.
type limited struct {
	net.Listener
	free chan struct{}
	done chan struct{}
	once sync.Once
}

func limit(l net.Listener, most int) net.Listener {
	return &limited{Listener: l, free: make(chan struct{}, most), done: make(chan struct{})}
}

// Accept implements [net.Listener].
func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.free <- struct{}{}:
	case <-l.done:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.free
		return nil, err
	}
	return &counted{Conn: c, of: l}, nil
}

// Close implements [net.Listener].
func (l *limited) Close() error {
	l.once.Do(func() { close(l.done) })
	return l.Listener.Close()
}

// counted is a connection that makes room for another when it is closed.
type counted struct {
	net.Conn
	of   *limited
	once sync.Once
}

func (c *counted) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() { <-c.of.free })
	return err
}
