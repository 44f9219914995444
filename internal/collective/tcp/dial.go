package tcp

import (
	"context"
	"net"
	"time"
)

// Listen accepts connections for [Config.Listener].
func Listen(ctx context.Context, address string) (net.Listener, error) {
	return (&net.ListenConfig{KeepAliveConfig: keepAlive}).Listen(ctx, "tcp", address)
}

// keepAlive lets the system notice that the machine of the other side cannot be reached, within 25
// seconds.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 3}

// dial connects with a process that accepts connections, and says hello.
func (c *Config) dial(ctx context.Context, address string, h hello) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, shakeTime)
	defer cancel()
	raw, err := (&net.Dialer{KeepAliveConfig: keepAlive}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { raw.Close() })
	conn := secured(raw, c.TLS, true)
	err = connects(conn, c.Token)
	if err == nil {
		_, err = conn.Write(encode(frameHello, h))
	}
	var kind byte
	var text []byte
	if err == nil {
		kind, text, err = readFrame(conn)
	}
	switch {
	case err != nil:
	case kind == frameRefuse:
		err = &Refused{string(text)}
	case kind != frameWelcome:
		err = errFrame
	}
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// Refused is the error if processes that know the token do not belong together: they run different
// programs, are of jobs of other sizes, or have the same rank.
type Refused struct{ Why string }

func (e *Refused) Error() string { return e.Why }
