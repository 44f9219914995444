package tcp

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
)

// Kinds of frames on the connection between a process and rank 0, and at the start of every other
// connection.
const (
	frameHello   = 'h' // sent by the process that connects
	frameWelcome = 'w' // sent by the process that accepts
	frameRefuse  = 'r' // refusal, with the reason
	frameRoster  = 'l' // the addresses of all, when the job begins
	frameBeat    = 'b' // a sign of life
	frameAbort   = 'a' // end of the job, with the reason
	frameBye     = 'y' // this process leaves, after all have finished
)

// mostFrame is the largest length of a frame: addresses of all processes.
const mostFrame = 1 << 18

var errFrame = errors.New("tcp: a message cannot be read: it is not one of this protocol")

// readFrame reads a frame: its kind, the length of its text in 4 bytes, and the text.
func readFrame(r io.Reader) (kind byte, text []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.LittleEndian.Uint32(head[1:])
	if n > mostFrame {
		return 0, nil, errFrame
	}
	text = make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return 0, nil, noEOF(err)
	}
	return head[0], text, nil
}

// noEOF is for the end of a stream inside a message.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// appendFrame appends what readFrame reads.
func appendFrame(b []byte, kind byte, text []byte) []byte {
	b = append(b, kind)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	return append(b, text...)
}

// hello is what a process says about itself when it connects to another one.
type hello struct {
	Link  bool   // a connection for data, and otherwise the first one to rank 0
	Rank  int    // of the process that connects
	Size  int    // of the job
	About string // the program
	Port  int    // where it listens itself
	Job   string // identifies the job once it has begun
}

// roster says where all processes are.
type roster struct {
	Job string
	At  []string
}

// decode reads the JSON of a frame.
func decode(text []byte, to any) error {
	if err := json.Unmarshal(text, to); err != nil {
		return fmt.Errorf("%w: %w", errFrame, err)
	}
	return nil
}

// encode returns a frame with JSON.
func encode(kind byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("tcp: %v", err)) // texts and integers
	}
	return appendFrame(nil, kind, text)
}

// header precedes data: the group that sends them, the step of the group, and the number of bytes
// that follow.
type header struct {
	group, step uint32
	length      uint64
}

const headerBytes = 16

func (h header) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, h.group)
	b = binary.LittleEndian.AppendUint32(b, h.step)
	return binary.LittleEndian.AppendUint64(b, h.length)
}

func readHeader(r io.Reader) (h header, err error) {
	var b [headerBytes]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return h, err
	}
	return header{binary.LittleEndian.Uint32(b[:]), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint64(b[8:])}, nil
}

// nameOf names a group by the group that was split, how often, and the color. The first group is 0.
func nameOf(of, splits uint32, color int) uint32 {
	h := fnv.New32a()
	fmt.Fprint(h, of, splits, color)
	return h.Sum32() | 1
}
