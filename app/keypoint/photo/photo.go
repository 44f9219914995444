// Package photo reads photographs and scales them: a Gaussian pyramid with four scales per octave.
//
// A photograph is three planes of bytes, red, green and blue. Grey pictures have three equal
// planes, 16-bit pictures are rounded to 8 bits, transparent pixels are black, and pictures are
// turned upright by their Exif orientation.
package photo

import (
	"bufio"
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"

	"fsa/data"
	"fsa/internal/fault"
)

// Image is a photograph. Pixel (x, y) of a channel is at y·W+x of its plane.
type Image struct {
	W, H int
	Pix  [3][]uint8
}

// New returns a black image.
func New(w, h int) *Image {
	m := &Image{W: w, H: h}
	for c := range m.Pix {
		m.Pix[c] = make([]uint8, w*h)
	}
	return m
}

const (
	maxFile   = 1 << 30 // bytes of a file
	maxPixels = 1 << 28
	// A byte of a PNG or JPEG file represents at most this many pixels: deflate packs a run of 258
	// bytes, each of at most 8 pixels, into 2 bits.
	perByte = 8 * 1032
)

// Read reads a JPEG or PNG file.
func Read(path string) (*Image, error) {
	f, err := fault.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Decode(f, path)
}

// Decode reads a JPEG or PNG image; name is for messages. Other files are refused by their first
// bytes.
func Decode(r io.Reader, name string) (*Image, error) {
	in := bufio.NewReader(io.LimitReader(r, maxFile+1))
	head, err := in.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	isPNG := bytes.HasPrefix(head, []byte("\x89PNG"))
	if !isPNG && !bytes.HasPrefix(head, []byte{0xff, 0xd8}) {
		return nil, &data.Error{File: name, Msg: "this is not a supported image: it must be JPEG or PNG"}
	}
	file, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	if len(file) > maxFile {
		return nil, &data.Error{File: name, Msg: "the file is larger than 1 GiB, the limit for photographs"}
	}
	decode, config, turned := png.Decode, png.DecodeConfig, 1
	if !isPNG {
		decode, config, turned = jpeg.Decode, jpeg.DecodeConfig, orientation(file)
	}
	size, err := config(bytes.NewReader(file))
	if err != nil {
		return nil, &data.Error{File: name, Msg: "the image is cut off or damaged", Err: err}
	}
	// A header can claim any size. It is accepted only if the bytes that follow it could fill such
	// an image.
	if pixels := int64(size.Width) * int64(size.Height); pixels > maxPixels || pixels > perByte*int64(len(file)) {
		return nil, &data.Error{File: name, Msg: fmt.Sprintf("the image claims to be %d×%d, but has %d bytes: it is damaged, or larger than %d million pixels", size.Width, size.Height, len(file), maxPixels>>20)}
	}
	img, err := decode(bytes.NewReader(file))
	if err != nil {
		return nil, &data.Error{File: name, Msg: "the image is cut off or damaged", Err: err}
	}
	return FromImage(img).upright(turned), nil
}

// FromImage copies an image of the standard library.
func FromImage(img image.Image) *Image {
	b := img.Bounds()
	m := New(b.Dx(), b.Dy())
	set := func(i int, r, g, b uint8) { m.Pix[0][i], m.Pix[1][i], m.Pix[2][i] = r, g, b }
	i := 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			switch img := img.(type) {
			case *image.YCbCr: // the type of nearly all JPEG files
				yi, ci := img.YOffset(x, y), img.COffset(x, y)
				r, g, b := color.YCbCrToRGB(img.Y[yi], img.Cb[ci], img.Cr[ci])
				set(i, r, g, b)
			default:
				r, g, b, _ := img.At(x, y).RGBA()
				set(i, round(r), round(g), round(b))
			}
			i++
		}
	}
	return m
}

// round rounds 16 bits to 8.
func round(v uint32) uint8 { return uint8((v*255 + 32767) / 65535) }

// RGBA returns a copy as an image of the standard library, to draw on.
func (m *Image) RGBA() *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, m.W, m.H))
	for i := range m.W * m.H {
		out.Pix[4*i], out.Pix[4*i+1], out.Pix[4*i+2], out.Pix[4*i+3] = m.Pix[0][i], m.Pix[1][i], m.Pix[2][i], 255
	}
	return out
}
