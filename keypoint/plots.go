package keypoint

import (
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// lines has a colour for each method.
var lines = []color.RGBA{
	{0x4e, 0x79, 0xa7, 0xff}, {0x59, 0xa1, 0x4f, 0xff}, {0xe1, 0x57, 0x59, 0xff}, {0xf2, 0x8e, 0x2b, 0xff},
	{0x9d, 0x76, 0x60, 0xff}, {0x2f, 0x2f, 0x2f, 0xff},
}

const (
	panelW, panelH = 240, 220 // points
	perRow         = 4
)

// PlotCurves draws the precision-recall curves of a comparison as SVG, a panel
// for each keypoint.
func (c *Comparison) PlotCurves(w io.Writer) error {
	var panels []*plot.Plot
	for _, point := range c.Points {
		p := panel(point, "recall", "precision")
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
		for i, method := range c.Methods {
			r := c.Result(point, method)
			if r == nil {
				continue
			}
			xy := make(plotter.XYs, len(r.Curve.Recall))
			for k := range xy {
				xy[k].X, xy[k].Y = r.Curve.Recall[k], r.Curve.Precision[k]
			}
			if err := addLine(p, xy, lines[i%len(lines)]); err != nil {
				return err
			}
		}
		panels = append(panels, p)
	}
	names, colors := make([]string, len(c.Methods)), make([]color.RGBA, len(c.Methods))
	for i, method := range c.Methods {
		names[i], colors[i] = fmt.Sprintf("%s, mean AP %.3f", method, c.MeanAP(method)), lines[i%len(lines)]
	}
	legend, err := legendOf(names, colors)
	if err != nil {
		return err
	}
	return writePanels(w, append(panels, legend))
}

// PlotResponses draws response functions as SVG, β against bin, of the strongest
// features that two detectors have in common: one learned without the second-order
// prior, one with it.
func PlotResponses(w io.Writer, without, with *Detector) error {
	beta := map[string][]float64{}
	for _, v := range without.model.Selected() {
		beta[v.Name] = v.Coefficients
	}
	var panels []*plot.Plot
	for _, v := range with.model.Selected() {
		rough, ok := beta[v.Name]
		if !ok || len(panels) == mostResponses {
			continue
		}
		p := panel(v.Name, "bin", "β")
		for i, b := range [][]float64{rough, v.Coefficients} {
			xy := make(plotter.XYs, len(b))
			for k := range xy {
				xy[k].X, xy[k].Y = float64(k), b[k]
			}
			if err := addLine(p, xy, lines[2*i]); err != nil {
				return err
			}
		}
		panels = append(panels, p)
	}
	if len(panels) == 0 {
		return fmt.Errorf("keypoint: the two detectors have no feature in common")
	}
	legend, err := legendOf([]string{"without the prior", "with the prior"}, []color.RGBA{lines[0], lines[2]})
	if err != nil {
		return err
	}
	return writePanels(w, append(panels, legend))
}

// mostResponses is how many responses are drawn, which leaves a panel of two rows
// for the legend.
const mostResponses = 2*perRow - 1

// legendOf returns a panel that explains colours.
func legendOf(names []string, colors []color.RGBA) (*plot.Plot, error) {
	p := plot.New()
	p.HideAxes()
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.TextStyle.Font, p.Legend.Padding = sans(9), 3
	for i, name := range names {
		line, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}})
		if err != nil {
			return nil, err
		}
		line.Color, line.Width = colors[i], 1.5
		p.Legend.Add(name, line)
	}
	return p, nil
}

func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// panel returns an empty plot.
func panel(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.TextStyle.Font = sans(10)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font, a.Tick.Label.Font = sans(9), sans(8)
	}
	p.Add(plotter.NewGrid())
	return p
}

func addLine(p *plot.Plot, xy plotter.XYs, c color.RGBA) error {
	if len(xy) == 0 {
		return nil
	}
	line, err := plotter.NewLine(xy)
	if err != nil {
		return err
	}
	line.Color, line.Width = c, 1.3
	p.Add(line)
	return nil
}

// writePanels draws plots in rows.
func writePanels(w io.Writer, panels []*plot.Plot) error {
	columns := min(perRow, len(panels))
	rows := (len(panels) + perRow - 1) / perRow
	canvas := vgsvg.New(vg.Length(columns*panelW), vg.Length(rows*panelH))
	all := draw.New(canvas)
	for i, p := range panels {
		x, y := vg.Length(i%perRow*panelW), vg.Length((rows-1-i/perRow)*panelH)
		p.Draw(draw.Crop(draw.Canvas{Canvas: all.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + panelW, Y: y + panelH},
		}}, 4, -8, 4, -4))
	}
	_, err := canvas.WriteTo(w)
	return err
}
