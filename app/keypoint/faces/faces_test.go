package faces

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"fsa/data"
	"fsa/internal/need"
)

func TestRealFaces(t *testing.T) {
	f, err := Open(need.Data(t, "faces"))
	if err != nil {
		t.Fatal(err)
	}
	all := 0
	for _, p := range f.Photos {
		all += len(p.Faces)
	}
	// The numbers are from the description of the data.
	if len(f.Photos) != 1266 || all != 1537 {
		t.Errorf("%d photos with %d faces, not 1266 with 1537", len(f.Photos), all)
	}
	if n := len(f.Training()); n != 709 {
		t.Errorf("%d photos to learn from", n)
	}
	learned := map[string]bool{}
	for _, p := range f.Training() {
		learned[p.Image] = true
	}
	for _, p := range f.Test() {
		if learned[p.Image] {
			t.Errorf("%s is to learn from and to measure on", p.Image)
		}
		for _, face := range p.Faces {
			l, r := face.Point(LeftEye), face.Point(RightEye)
			if d := math.Hypot(l.X-r.X, l.Y-r.Y); math.Abs(d/face.IED-1) > 0.01 {
				t.Errorf("%s: the eyes are %.1f apart, not %.1f", face.Name, d, face.IED)
			}
		}
	}
}

// tableWith returns a table of one face with a change.
func tableWith(change func(fields map[string]string)) string {
	names := []string{"set", "image", "face", "width", "height", "faces_in_image", "ied"}
	fields := map[string]string{"set": "afw", "image": "a.jpg", "face": "a", "width": "200", "height": "100", "faces_in_image": "1", "ied": "42"}
	for i := range Landmarks {
		x, y := "x"+strconv.Itoa(i+1), "y"+strconv.Itoa(i+1)
		names = append(names, x, y)
		fields[x], fields[y] = strconv.Itoa(i), "50"
	}
	change(fields)
	line := make([]string, len(names))
	for i, n := range names {
		line[i] = fields[n]
	}
	return strings.Join(names, "\t") + "\n" + strings.Join(line, "\t") + "\n"
}

func TestBadTables(t *testing.T) {
	good := tableWith(func(map[string]string) {})
	photos, err := Decode(strings.NewReader(good), "t")
	if err != nil || len(photos) != 1 || photos[0].Faces[0].Point(LeftEye) != (XY{38.5, 50}) {
		t.Fatalf("%+v, %v", photos, err)
	}
	row := good[strings.Index(good, "\n")+1:]
	for name, c := range map[string]struct{ table, says string }{
		"empty":      {"", "empty"},
		"no column":  {"set\timage\n", "no column \"face\""},
		"no faces":   {good[:strings.Index(good, "\n")+1], "no faces"},
		"short line": {good + "afw\tb.jpg\n", ":3:"},
		"word":       {tableWith(func(f map[string]string) { f["x3"] = "left" }), "column x3"},
		"not finite": {tableWith(func(f map[string]string) { f["y9"] = "NaN" }), "column y9"},
		"no IED":     {tableWith(func(f map[string]string) { f["ied"] = "0" }), "column ied"},
		"climbs out": {tableWith(func(f map[string]string) { f["image"] = "../a.jpg" }), "column image"},
		"outside":    {tableWith(func(f map[string]string) { f["width"], f["height"] = "10", "10" }), "outside"},
		"too few":    {tableWith(func(f map[string]string) { f["faces_in_image"] = "2" }), "faces_in_image"},
		"again":      {good + strings.ReplaceAll(row, "a.jpg", "b.jpg") + row, "occurred before"},
		"resized":    {tableWith(func(f map[string]string) { f["faces_in_image"] = "2" }) + strings.Replace(row, "200", "201", 1), "differs"},
	} {
		_, err := Decode(strings.NewReader(c.table), "t")
		if !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: the error %v does not say %q", name, err, c.says)
		}
	}
}

func TestPoints(t *testing.T) {
	for p := range Points {
		if q, err := ParsePoint(p.String()); err != nil || q != p {
			t.Errorf("%v becomes %v, %v", p, q, err)
		}
	}
	if _, err := ParsePoint("ear"); err == nil || !strings.Contains(err.Error(), "chin") {
		t.Errorf("an ear is refused by %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(tableWith(func(map[string]string) {}))
	f.Add("set\timage\tface\nx")
	f.Fuzz(func(t *testing.T, text string) {
		photos, err := Decode(strings.NewReader(text), "fuzz")
		if err != nil && !errors.Is(err, data.ErrBadData) {
			t.Fatalf("an error of another kind: %v", err)
		}
		for _, p := range photos {
			if len(p.Faces) == 0 || p.W < 1 || p.H < 1 {
				t.Fatalf("%+v", p)
			}
		}
	})
}
