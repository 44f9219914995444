package photo

import (
	"bytes"
	"encoding/binary"
)

// orientation returns the Exif orientation of a JPEG file, from 1 to 8. It is 1, upright, if it is
// missing or damaged: other programs do not rotate such a picture either.
func orientation(file []byte) int {
	const marker, app1, startOfScan = 0xff, 0xe1, 0xda
	for at := 2; at+4 <= len(file) && file[at] == marker && file[at+1] != startOfScan; {
		length := int(binary.BigEndian.Uint16(file[at+2:])) // with its two length bytes
		if length < 2 || at+2+length > len(file) {
			break
		}
		segment := file[at+4 : at+2+length]
		if tiff, ok := bytes.CutPrefix(segment, []byte("Exif\x00\x00")); ok && file[at+1] == app1 {
			return tiffOrientation(tiff)
		}
		at += 2 + length
	}
	return 1
}

// tiffOrientation looks for the tag in the first directory of a TIFF header.
func tiffOrientation(tiff []byte) int {
	const headerSize, entrySize, orientationTag = 8, 12, 0x0112
	if len(tiff) < headerSize {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	if tiff[0] == 'M' {
		order = binary.BigEndian
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return 1
	}
	directory := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(directory) < entrySize {
			break
		}
		if order.Uint16(directory) == orientationTag {
			if o := order.Uint16(directory[8:]); 0 < o && int(o) < len(turns) {
				return int(o)
			}
			break
		}
		directory = directory[entrySize:]
	}
	return 1
}

// turns says for each orientation, from 1 on, whether rows become columns, and which of the two is
// then reversed.
var turns = [...]struct{ swap, flipX, flipY bool }{
	1: {},
	2: {flipX: true},
	3: {flipX: true, flipY: true},
	4: {flipY: true},
	5: {swap: true},
	6: {swap: true, flipY: true},
	7: {swap: true, flipX: true, flipY: true},
	8: {swap: true, flipX: true},
}

// upright returns the image turned and mirrored according to its orientation.
func (m *Image) upright(orientation int) *Image {
	if orientation == 1 {
		return m
	}
	turn, to := turns[orientation], New(m.W, m.H)
	if turn.swap {
		to.W, to.H = m.H, m.W
	}
	for i := range to.W * to.H {
		x, y := i%to.W, i/to.W
		if turn.swap {
			x, y = y, x
		}
		if turn.flipX {
			x = m.W - 1 - x
		}
		if turn.flipY {
			y = m.H - 1 - y
		}
		for c := range to.Pix {
			to.Pix[c][i] = m.Pix[c][y*m.W+x]
		}
	}
	return to
}
