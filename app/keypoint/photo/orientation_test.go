package photo

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"slices"
	"testing"
)

// exif returns a segment with an orientation among other tags.
func exif(order binary.AppendByteOrder, orientation uint16) []byte {
	tiff := []byte("II")
	if order == binary.AppendByteOrder(binary.BigEndian) {
		tiff = []byte("MM")
	}
	tiff = order.AppendUint32(order.AppendUint16(tiff, 42), 8)
	tiff = order.AppendUint16(tiff, 2)
	for _, tag := range []struct{ id, value uint16 }{{0x010f, 7}, {0x0112, orientation}} {
		tiff = order.AppendUint16(order.AppendUint16(tiff, tag.id), 3) // a short,
		tiff = order.AppendUint32(tiff, 1)                             // one of them,
		tiff = order.AppendUint16(order.AppendUint16(tiff, tag.value), 0)
	}
	segment := append([]byte("Exif\x00\x00"), tiff...)
	return append(binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(segment)+2)), segment...)
}

// withExif inserts a segment after the first marker of a JPEG file.
func withExif(file, segment []byte) []byte {
	return slices.Concat(file[:2], segment, file[2:])
}

// Red is at the beginning of the first row of the file and blue at its end. The orientation says on
// which side of the upright picture the first row is, and on which the first column.
func TestOrientation(t *testing.T) {
	const w, h, patch = 64, 48, 16
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, image.Rect(0, 0, patch, patch), image.NewUniform(color.RGBA{R: 255, A: 255}), image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(w-patch, 0, w, patch), image.NewUniform(color.RGBA{B: 255, A: 255}), image.Point{}, draw.Src)
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	type corner struct{ right, bottom bool }
	topLeft, topRight, bottomLeft, bottomRight := corner{}, corner{right: true}, corner{bottom: true}, corner{true, true}
	for orientation, want := range map[uint16]struct{ red, blue corner }{
		0: {topLeft, topRight}, // no such orientation
		1: {topLeft, topRight},
		2: {topRight, topLeft},
		3: {bottomRight, bottomLeft},
		4: {bottomLeft, bottomRight},
		5: {topLeft, bottomLeft},
		6: {topRight, bottomRight},
		7: {bottomRight, topRight},
		8: {bottomLeft, topLeft},
		9: {topLeft, topRight},
	} {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			m, err := Decode(bytes.NewReader(withExif(b.Bytes(), exif(order, orientation))), "turned")
			if err != nil {
				t.Fatal(err)
			}
			if lying := orientation >= 5 && orientation <= 8; lying != (m.H == w) || m.W+m.H != w+h {
				t.Errorf("orientation %d: %d×%d", orientation, m.W, m.H)
			}
			for channel, at := range map[int]corner{0: want.red, 2: want.blue} {
				x, y := patch/2, patch/2
				if at.right {
					x = m.W - patch/2
				}
				if at.bottom {
					y = m.H - patch/2
				}
				if v := m.Pix[channel][y*m.W+x]; v < 200 {
					t.Errorf("orientation %d: channel %d is %d at %d, %d", orientation, channel, v, x, y)
				}
			}
		}
	}
}

// A truncated orientation is ignored.
func TestDamagedOrientation(t *testing.T) {
	file := withExif([]byte{0xff, 0xd8}, exif(binary.BigEndian, 6))
	if got := orientation(file); got != 6 {
		t.Fatalf("orientation %d, not 6", got)
	}
	for n := range len(file) {
		if got := orientation(file[:n]); got != 1 {
			t.Errorf("%d bytes: orientation %d", n, got)
		}
	}
	last := len("Exif\x00\x00") + 6 // of the segment: the offset of its directory
	for far := range 256 {
		damaged := slices.Clone(file)
		damaged[2+4+last], damaged[2+4+last+3] = byte(far), byte(far)
		orientation(damaged)
	}
}
