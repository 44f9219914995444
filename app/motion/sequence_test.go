package motion

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/app/motion/matlab/matlabtest"
	"fsa/data"
	"fsa/internal/need"
)

// encode writes a sequence as the benchmark does. Change may alter the arrays x, y and s before
// they are written; a nil array is left out.
func encode(t *testing.T, path string, s *Sequence, change func(arrays map[string][]float64, shape []int32)) {
	t.Helper()
	le := binary.LittleEndian
	shape := []int32{3, int32(s.Points), int32(s.Frames)}
	arrays := map[string][]float64{"x": nil, "y": nil, "s": nil}
	for f := range s.Frames {
		for p := range s.Points {
			arrays["x"] = append(arrays["x"], s.Track[p][2*f]/1000, s.Track[p][2*f+1]/1000, 1)
			arrays["y"] = append(arrays["y"], s.Track[p][2*f], s.Track[p][2*f+1], 1)
		}
	}
	for _, m := range s.Truth {
		arrays["s"] = append(arrays["s"], float64(m+1))
	}
	if change != nil {
		change(arrays, shape)
	}
	var parts [][]byte
	for name, dims := range map[string][]int32{"x": shape, "y": shape, "s": {int32(len(arrays["s"])), 1}} {
		if arrays[name] != nil {
			parts = append(parts, matlabtest.Compress(le, matlabtest.Doubles(le, dims, name, arrays[name]...)))
		}
	}
	if err := os.WriteFile(path, matlabtest.File(le, parts...), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestReadSequence(t *testing.T) {
	s := rigid("r", 3, 5, 4, 0.1, 1)
	path := filepath.Join(t.TempDir(), "cars_g12"+suffix)
	encode(t, path, s, nil)
	got, err := ReadSequence(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "cars_g12" || got.Points != 15 || got.Frames != 4 || got.Motions != 3 || !slices.Equal(got.Truth, s.Truth) {
		t.Errorf("read %+v", got)
	}
	for p := range s.Track {
		if !slices.Equal(got.Track[p], s.Track[p]) {
			t.Errorf("track %d is %v, want %v", p, got.Track[p], s.Track[p])
		}
	}
	encode(t, path, s, func(a map[string][]float64, _ []int32) { a["y"] = nil })
	if got, err = ReadSequence(path, 2); err != nil || got.Motions != 2 || got.Track[0][0] != s.Track[0][0]/1000 {
		t.Errorf("without y: %+v, %v", got, err)
	}
	encode(t, path, s, func(a map[string][]float64, _ []int32) { a["s"] = nil })
	if got, err = ReadSequence(path, 2); err != nil || got.Motions != 2 || got.Truth != nil {
		t.Errorf("without s: %+v, %v", got, err)
	}
}

func TestRefusedSequences(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bad"+suffix)
	for name, c := range map[string]struct {
		motions int
		change  func(a map[string][]float64, shape []int32)
		says    string
	}{
		"no x":           {0, func(a map[string][]float64, _ []int32) { a["x"] = nil }, "no array x"},
		"no s":           {0, func(a map[string][]float64, _ []int32) { a["s"] = nil }, "no array s"},
		"gap":            {0, func(a map[string][]float64, _ []int32) { a["y"][3*10+1] = math.NaN() }, "point 11 is at NaN in frame 1"},
		"infinite":       {0, func(a map[string][]float64, _ []int32) { a["y"][0] = math.Inf(1) }, "point 1"},
		"short s":        {0, func(a map[string][]float64, _ []int32) { a["s"] = a["s"][1:] }, "19 values for 20 points"},
		"many motions":   {0, func(a map[string][]float64, _ []int32) { copy(a["s"], []float64{1, 2, 3, 4, 5, 6, 7, 8}) }, "at most 6"},
		"s not whole":    {0, func(a map[string][]float64, _ []int32) { a["s"][0] = 0.5 }, "whole numbers"},
		"s of NaN":       {0, func(a map[string][]float64, _ []int32) { a["s"][0] = math.NaN() }, "whole numbers"},
		"flat x":         {0, func(_ map[string][]float64, shape []int32) { shape[0], shape[1] = 1, 60 }, "3 × points × frames"},
		"one frame":      {0, func(a map[string][]float64, shape []int32) { shape[1], shape[2] = shape[1]*shape[2], 1 }, "2 to"},
		"too few points": {6, nil, "at least 4 points per motion"},
	} {
		encode(t, path, rigid("r", 2, 10, 4, 0.1, 1), c.change)
		_, err := ReadSequence(path, c.motions)
		var bad *data.Error
		if !errors.As(err, &bad) || bad.File != path || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want an error of the file that says %q", name, err, c.says)
		}
	}
	if err := os.WriteFile(path, []byte("point,x,y\n1,2,3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadSequence(path, 0); !errors.Is(err, data.ErrBadData) {
		t.Errorf("a text file: %v", err)
	}
}

func TestReadFolder(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	if _, err := ReadFolder(ctx, dir); !errors.Is(err, data.ErrBadData) {
		t.Errorf("an empty folder: %v", err)
	}
	s := rigid("r", 2, 5, 4, 0.1, 1)
	for _, name := range []string{"b_g12", "a", "b"} {
		encode(t, filepath.Join(dir, name+suffix), s, nil)
	}
	names := func(want ...string) {
		t.Helper()
		list, err := ReadFolder(ctx, dir)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range list {
			got = append(got, s.Name+" of "+s.Video+" "+s.Category)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	names("a of a ", "b of b ", "b_g12 of b ")
	index := filepath.Join(dir, indexName)
	write := func(text string) {
		if err := os.WriteFile(index, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("sequence\tcategory\tvideo\nb\ttraffic\tb\na\texcluded\ta\nb_g12\ttraffic\tb\n")
	names("b of b traffic", "b_g12 of b traffic")
	for _, text := range []string{"", "sequence\tvideo\nb\tb\n", "sequence\tcategory\tvideo\n../b\ttraffic\tb\n", "sequence\tcategory\tvideo\nb\ttraffic\n"} {
		write(text)
		if _, err := ReadFolder(ctx, dir); !errors.Is(err, data.ErrBadData) {
			t.Errorf("index %q: %v", text, err)
		}
	}
	write("sequence\tcategory\tvideo\nabsent\ttraffic\tb\n")
	if _, err := ReadFolder(ctx, dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a sequence that is not there: %v", err)
	}
}

// TestHopkins reads the whole benchmark.
func TestHopkins(t *testing.T) {
	need.Long(t)
	needHopkins(t)
	list, err := ReadFolder(context.Background(), hopkins)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, g := range Groups() {
		for _, s := range list {
			if g.holds(s) {
				count[g.Name]++
			}
		}
	}
	for name, want := range map[string]int{"checkerboard_2": 78, "traffic_2": 31, "articulated_2": 11, "all_2": 120, "checkerboard_3": 26, "traffic_3": 7, "articulated_3": 2, "all_3": 35, "all": 155} {
		if count[name] != want {
			t.Errorf("%d sequences in %s, want %d", count[name], name, want)
		}
	}
}
