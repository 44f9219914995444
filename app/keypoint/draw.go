package keypoint

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"fsa/app/keypoint/faces"
	"fsa/app/keypoint/photo"
	"fsa/internal/atomicfile"
)

// palette has a colour for each keypoint that stands out on skin and on hair.
var palette = [faces.Points]color.RGBA{
	{0x00, 0xc8, 0xff, 0xff}, {0x00, 0x70, 0xff, 0xff}, {0x6c, 0xff, 0x3c, 0xff}, {0x00, 0xb4, 0x3c, 0xff},
	{0xff, 0xe6, 0x00, 0xff}, {0xff, 0x96, 0x00, 0xff}, {0xff, 0x3c, 0xc8, 0xff},
}

// Mark is the detections of a keypoint to be drawn.
type Mark struct {
	Point      faces.Point
	Detections []Detection
}

// Draw writes a photograph as PNG, with a cross and the score at every detection. A small
// photograph is enlarged to make room for scores.
func Draw(w io.Writer, m *photo.Image, marks []Mark) error {
	zoom := 1
	if max(m.W, m.H) < roomy {
		zoom = 2
	}
	img := enlarged(m, zoom)
	place := func(v float64) int { return int(math.Floor((v + 0.5) * float64(zoom))) }
	for _, mark := range marks {
		for _, d := range mark.Detections {
			cross(img, place(d.X), place(d.Y), palette[mark.Point])
		}
	}
	for _, mark := range marks { // above all crosses
		for _, d := range mark.Detections {
			label(img, place(d.X)+5, place(d.Y)-3, fmt.Sprintf("%.1f", d.Score), palette[mark.Point])
		}
	}
	return png.Encode(w, img)
}

// roomy is the length of the longer side, in pixels, from which a photograph is not enlarged.
const roomy = 500

// enlarged returns a picture with zoom×zoom pixels for each pixel of the photograph.
func enlarged(m *photo.Image, zoom int) *image.RGBA {
	from := m.RGBA()
	to := image.NewRGBA(image.Rect(0, 0, zoom*m.W, zoom*m.H))
	for y := range zoom * m.H {
		for x := range zoom * m.W {
			to.SetRGBA(x, y, from.RGBAAt(x/zoom, y/zoom))
		}
	}
	return to
}

// DrawFile writes the picture to a file, which appears completely or not at all.
func DrawFile(path string, m *photo.Image, marks []Mark) error {
	return atomicfile.WriteFile(path, func(w io.Writer) error { return Draw(w, m, marks) })
}

// cross draws a cross with dark edges.
func cross(img *image.RGBA, x, y int, c color.RGBA) {
	const arm = 4
	for pass, col := range []color.RGBA{{A: 0xff}, c} {
		wide := 1 - pass
		for t := -arm - wide; t <= arm+wide; t++ {
			for s := -wide; s <= wide; s++ {
				img.SetRGBA(x+t, y+s, col)
				img.SetRGBA(x+s, y+t, col)
			}
		}
	}
}

// label writes a text with a dark shadow.
func label(img *image.RGBA, x, y int, text string, c color.RGBA) {
	for pass, col := range []color.RGBA{{A: 0xff}, c} {
		d := font.Drawer{Dst: img, Src: image.NewUniform(col), Face: basicfont.Face7x13, Dot: fixed.P(x+1-pass, y+1-pass)}
		d.DrawString(text)
	}
}
