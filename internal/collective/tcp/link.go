package tcp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// link is the connection with another process, over which data are sent.
type link struct {
	conn    net.Conn
	in      *bufio.Reader
	address string
	out     []byte // a short message
}

// shortBytes is the length of data that are sent together with their header, before anything is
// received: they fit into the buffers of the system on both sides.
const shortBytes = 8 << 10

func newLink(conn net.Conn, address string) *link {
	_ = conn.SetDeadline(time.Time{})
	return &link{conn: conn, in: bufio.NewReaderSize(conn, 64<<10), address: address}
}

// send sends data.
func (l *link) send(h header, data []byte) error {
	h.length = uint64(len(data))
	if len(data) <= shortBytes {
		l.out = append(h.append(l.out[:0]), data...)
		_, err := l.conn.Write(l.out)
		return err
	}
	_, err := (&net.Buffers{h.append(nil), data}).WriteTo(l.conn)
	return err
}

// errStep says that processes do not do the same.
var errStep = errors.New("tcp: the processes do not do the same steps")

// head reads the header of the next data and returns their length.
func (l *link) head(want header) (uint64, error) {
	h, err := readHeader(l.in)
	if err != nil {
		return 0, noEOF(err)
	}
	if h.group != want.group || h.step != want.step {
		return 0, fmt.Errorf("%w: step %d of group %x came in place of step %d of group %x", errStep, h.step, h.group, want.step, want.group)
	}
	return h.length, nil
}

// receive reads data of a known length.
func (l *link) receive(want header, to []byte) error {
	n, err := l.head(want)
	if err != nil {
		return err
	}
	if n != uint64(len(to)) {
		return fmt.Errorf("%w: %d bytes came in place of %d", errStep, n, len(to))
	}
	_, err = io.ReadFull(l.in, to)
	return noEOF(err)
}

// growBy is by how much memory for data of unknown length grows while they come.
const growBy = 1 << 20

// receiveAny reads data of any length.
func (l *link) receiveAny(want header) ([]byte, error) {
	n, err := l.head(want)
	if err != nil {
		return nil, err
	}
	to := make([]byte, 0, min(n, growBy))
	for uint64(len(to)) < n {
		at := len(to)
		to = append(to, make([]byte, min(n-uint64(at), growBy+uint64(at)))...)
		if _, err := io.ReadFull(l.in, to[at:]); err != nil {
			return nil, noEOF(err)
		}
	}
	return to, nil
}
