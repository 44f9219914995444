package main

import (
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// The bill of materials is CycloneDX 1.6 in JSON: the modules that the linker put into the
// programs, as the programs report them.

type bom struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref  string   `json:"ref"`
	Uses []string `json:"dependsOn"`
}

// bill writes the bill of materials of the programs of all platforms.
func (r *release) bill(programs []string) error {
	var builds []*debug.BuildInfo
	for _, path := range programs {
		b, err := buildinfo.ReadFile(path)
		if err != nil {
			return err
		}
		builds = append(builds, b)
	}
	text, err := json.MarshalIndent(newBOM(builds, r.version, r.commit.date), "", "  ")
	if err != nil {
		return err
	}
	return r.write(fmt.Sprintf("fsa-%s.cdx.json", r.version), string(text)+"\n")
}

func newBOM(builds []*debug.BuildInfo, version string, date time.Time) *bom {
	library := func(name, version string) component {
		purl := "pkg:golang/" + name + "@" + version
		return component{Type: "library", Ref: purl, Name: name, Version: version, PURL: purl}
	}
	found := map[string]component{}
	add := func(c component) { found[c.Ref] = c }
	for _, b := range builds {
		add(library("stdlib", strings.TrimPrefix(b.GoVersion, "go")))
		for _, m := range b.Deps {
			c := library(m.Path, m.Version)
			switch sum := m.Sum; {
			case m.Replace != nil:
				c.Properties = append(c.Properties, property{"fsa:replaced-by", m.Replace.Path})
			case sum != "":
				c.Properties = append(c.Properties, property{"fsa:go.sum", sum})
			}
			add(c)
		}
	}
	to := &bom{Format: "CycloneDX", Spec: "1.6", Version: 1}
	own := library("fsa", version)
	own.Type = "application"
	to.Metadata = metadata{date.Format(time.RFC3339), own}
	uses := dependency{Ref: own.Ref}
	for _, c := range found {
		to.Components = append(to.Components, c)
		uses.Uses = append(uses.Uses, c.Ref)
	}
	slices.SortFunc(to.Components, func(a, b component) int { return cmp.Compare(a.Ref, b.Ref) })
	slices.Sort(uses.Uses)
	to.Dependencies = []dependency{uses}
	return to
}
