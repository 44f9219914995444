package plots

import (
	"fmt"
	"image/color"
	"io"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Formats lists the formats of pictures.
func Formats() []string { return []string{"svg", "png", "pdf"} }

// pngDots is the number of dots per inch of a PNG file: enough for print.
const pngDots = 300

// WriteAs draws a picture on white, of a size in points, and writes it in a format.
func WriteAs(w io.Writer, format string, width, height vg.Length, paint func(draw.Canvas)) error {
	var canvas interface {
		vg.Canvas
		io.WriterTo
	}
	switch format {
	case "svg":
		canvas = vgsvg.New(width, height)
	case "png":
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(pngDots))}
	case "pdf":
		canvas = vgpdf.New(width, height)
	default:
		return fmt.Errorf("plots: the format of a picture must be %s, not %q", strings.Join(Formats(), ", "), format)
	}
	c := draw.NewCanvas(outlined{Canvas: canvas, boxes: format != "svg"}, width, height)
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	paint(c)
	_, err := canvas.WriteTo(w)
	return err
}
