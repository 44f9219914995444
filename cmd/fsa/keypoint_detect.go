package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"fsa/app/keypoint"
	"fsa/data/open"
)

func keypointDetectCommand() *cobra.Command {
	var (
		threshold float64
		threads   int
		picture   string
		asJSON    bool
	)
	cmd := &cobra.Command{
		Use:   "detect MODEL… IMAGE…",
		Short: "Find keypoints on photographs",
		Long: `detect runs detectors on photographs, which are JPEG or PNG files. It prints
the positions that it finds with their scores, the highest first. Positions are
in pixels from the centre of the first pixel.`,
		Example: `  fsa keypoint detect left-eye.json right-eye.json photo.jpg
  fsa keypoint detect *.json photo.jpg --threshold 0.5 --draw found.png --json`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if math.IsNaN(threshold) || threads < 0 {
				return usagef("--threshold must be a number, and --threads must not be negative")
			}
			detectors, images, err := sortArguments(cmd.Context(), args)
			if err != nil {
				return err
			}
			if picture != "" && len(images) > 1 {
				return usagef("--draw takes one photograph, not %d", len(images))
			}
			if err := notAmong(picture, args); err != nil {
				return err
			}
			if ext := filepath.Ext(picture); ext != "" && !strings.EqualFold(ext, ".png") {
				return usagef("--draw %s: the picture is a PNG file: give a name that ends with .png", picture)
			}
			all := make([]detected, len(images))
			for i, path := range images {
				if all[i], err = detect(cmd, detectors, path, threshold, threads, picture); err != nil {
					return err
				}
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), map[string]any{"images": all})
			}
			return printDetected(cmd.OutOrStdout(), all)
		},
	}
	f := cmd.Flags()
	f.Float64Var(&threshold, "threshold", 0, "lowest `SCORE` of a detection")
	f.StringVar(&picture, "draw", "", "`FILE` for the photograph with the detections, as PNG")
	f.IntVar(&threads, "threads", 0, "use `N` threads (default: one per core)")
	jsonFlag(f, &asJSON)
	return cmd
}

// notAmong returns an error if a picture would overwrite an input file.
func notAmong(picture string, args []string) error {
	for _, path := range args {
		if sameFile(picture, path) {
			return usagef("--draw %s would replace %s: give the picture another name", picture, path)
		}
	}
	return nil
}

// sortArguments distinguishes detectors from photographs: a detector file begins with a brace.
func sortArguments(ctx context.Context, args []string) (detectors []*keypoint.Detector, images []string, err error) {
	for _, path := range args {
		f, err := open.Small(ctx, path)
		if err != nil {
			return nil, nil, err
		}
		var first [1]byte
		_, err = io.ReadFull(f, first[:])
		f.Close()
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil && err != io.EOF { // its kind is unknown
			return nil, nil, atPath(err, path)
		}
		if err == io.EOF || first[0] != '{' {
			images = append(images, path)
			continue
		}
		d, err := loadDetector(ctx, path)
		if err != nil {
			return nil, nil, err
		}
		detectors = append(detectors, d)
	}
	if len(detectors) == 0 || len(images) == 0 {
		return nil, nil, usagef("%d detectors and %d photographs: give at least one of each", len(detectors), len(images))
	}
	return detectors, images, nil
}

// detected are the detections on a photograph.
type detected struct {
	Image      string  `json:"image"`
	Width      int     `json:"width"`
	Height     int     `json:"height"`
	Detections []found `json:"detections"`
}

type found struct {
	Point string `json:"point"`
	keypoint.Detection
}

func detect(cmd *cobra.Command, detectors []*keypoint.Detector, path string, threshold float64, threads int, picture string) (detected, error) {
	m, err := readPhoto(cmd.Context(), path)
	if err != nil {
		return detected{}, err
	}
	out := detected{Image: path, Width: m.W, Height: m.H, Detections: []found{}}
	var marks []keypoint.Mark
	for _, d := range detectors {
		places, err := d.Detect(cmd.Context(), m, path, threshold, threads)
		if err != nil {
			return detected{}, err
		}
		for _, p := range places {
			out.Detections = append(out.Detections, found{d.Point().String(), p})
		}
		marks = append(marks, keypoint.Mark{Point: d.Point(), Detections: places})
	}
	if picture != "" {
		return out, keypoint.DrawFile(picture, m, marks)
	}
	return out, nil
}

func printDetected(w io.Writer, all []detected) error {
	t := newTable(w)
	fmt.Fprintln(t, "image\tkeypoint\tx\ty\tscore")
	for _, d := range all {
		for _, f := range d.Detections {
			fmt.Fprintf(t, "%s\t%s\t%.1f\t%.1f\t%.2f\n", clean(d.Image), f.Point, f.X, f.Y, f.Score)
		}
	}
	return t.Flush()
}
