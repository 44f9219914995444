package tcp

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
)

// Both sides of a connection prove that they know the token, without sending it. Each sends a
// random number; then each sends a code that depends on the token, on both numbers and on its side,
// so that neither a recorded nor a reflected message is worth anything. The side that connects goes
// first: a stranger learns nothing from the side that accepts. Until then 72 bytes are read from a
// connection, and no more.

// protocol is the version of the protocol. Both sides must have the same.
const protocol = 1

// greeting begins the first message of either side.
var greeting = [8]byte{'f', 's', 'a', '-', 't', 'c', 'p', protocol}

const nonceBytes = 32

var (
	errStranger = errors.New("what answers there is no process of this program")
	errToken    = errors.New("the tokens differ: give all processes the same")
)

// connects is the handshake of the side that connects.
func connects(conn net.Conn, token []byte) error {
	var mine, other [len(greeting) + nonceBytes]byte
	if err := introduce(conn, mine[:]); err != nil {
		return err
	}
	if _, err := io.ReadFull(conn, other[:]); err != nil {
		return err
	}
	if err := sameProtocol(other[:]); err != nil {
		return err
	}
	binding, err := channel(conn)
	if err != nil {
		return err
	}
	if _, err := conn.Write(proof(token, "connects", mine[:], other[:], binding)); err != nil {
		return err
	}
	return prove(conn, proof(token, "accepts", mine[:], other[:], binding))
}

// accepts is the handshake of the side that accepts.
func accepts(conn net.Conn, token []byte) error {
	var mine, other [len(greeting) + nonceBytes]byte
	if _, err := io.ReadFull(conn, other[:]); err != nil {
		return err
	}
	differs := sameProtocol(other[:])
	if errors.Is(differs, errStranger) {
		return differs
	}
	if err := introduce(conn, mine[:]); err != nil { // so that another version is noticed there, too
		return err
	}
	if differs != nil {
		return differs
	}
	binding, err := channel(conn)
	if err != nil {
		return err
	}
	if err := prove(conn, proof(token, "connects", other[:], mine[:], binding)); err != nil {
		if errors.Is(err, errToken) {
			_, _ = conn.Write(make([]byte, sha256.Size)) // which proves nothing: the other side says what is wrong
		}
		return err
	}
	_, err = conn.Write(proof(token, "accepts", other[:], mine[:], binding))
	return err
}

// introduce sends the greeting with a new random number.
func introduce(conn net.Conn, mine []byte) error {
	copy(mine, greeting[:])
	if _, err := rand.Read(mine[len(greeting):]); err != nil {
		return err
	}
	_, err := conn.Write(mine)
	return err
}

// sameProtocol checks the greeting of the other side.
func sameProtocol(other []byte) error {
	last := len(greeting) - 1
	switch {
	case string(other[:last]) != string(greeting[:last]):
		return errStranger
	case other[last] != protocol:
		return fmt.Errorf("it has version %d of the protocol, and this program %d: start the same program everywhere", other[last], protocol)
	}
	return nil
}

// proof is the code by which a side shows that it knows the token.
func proof(token []byte, side string, connecting, accepting, binding []byte) []byte {
	h := hmac.New(sha256.New, token)
	h.Write([]byte(side + "\x00"))
	h.Write(connecting)
	h.Write(accepting)
	h.Write(binding)
	return h.Sum(nil)
}

// prove reads the code of the other side, and compares it in constant time.
func prove(conn net.Conn, want []byte) error {
	got := make([]byte, len(want))
	if _, err := io.ReadFull(conn, got); err != nil {
		return err
	}
	if !hmac.Equal(got, want) {
		return errToken
	}
	return nil
}

// channel identifies an encrypted connection: a proof is worth nothing on another one.
func channel(conn net.Conn) ([]byte, error) {
	c, ok := conn.(*tls.Conn)
	if !ok {
		return nil, nil
	}
	if err := c.Handshake(); err != nil {
		return nil, err
	}
	state := c.ConnectionState()
	return state.ExportKeyingMaterial("fsa collective", nil, sha256.Size)
}
