package tcp

import (
	"bufio"
	"bytes"
	"testing"
)

// FuzzFrame expects any bytes to be read as frames or refused, without more memory than they have.
func FuzzFrame(f *testing.F) {
	f.Add(encode(frameHello, hello{Rank: 1, Size: 2, About: "version 1", Port: 4000}))
	f.Add(encode(frameRoster, roster{"job", []string{"a:1", "b:2"}}))
	f.Add(append(header{1, 2, 3}.append(nil), 1, 2, 3))
	f.Add(header{1, 2, 1 << 60}.append(nil))
	f.Add([]byte{frameAbort, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, b []byte) {
		if kind, text, err := readFrame(bytes.NewReader(b)); err == nil {
			if !bytes.Equal(appendFrame(nil, kind, text), b[:5+len(text)]) {
				t.Error("a frame is not what was read")
			}
			var h hello
			var r roster
			_, _ = decode(text, &h), decode(text, &r)
		}
		l := &link{in: bufio.NewReader(bytes.NewReader(b))}
		want, _ := readHeader(bytes.NewReader(b))
		if data, err := l.receiveAny(want); err == nil && uint64(len(data)) != want.length {
			t.Errorf("%d bytes in place of %d", len(data), want.length)
		}
		l.in.Reset(bytes.NewReader(b))
		_ = l.add(want, make([]int64, 3), make([]int64, 2))
	})
}
