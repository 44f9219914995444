package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"

	"fsa/internal/template"
)

var (
	//go:embed assets/page.html
	pageHTML string
	//go:embed assets/page.css
	pageCSS string
	//go:embed assets/page.js
	pageJS string

	pageTemplate = template.HTML("document", pageHTML, template.Funcs{
		"view":     (*figure).View,
		"heads":    (*matrix).Heads,
		"ends":     (*thresholds).Ends,
		"base":     base,
		"minute":   minute,
		"classes":  (*confusion).Heads,
		"cross":    (*matrix).Cross,
		"sections": (*page).Sections,
		"items":    (*page).QualityItems,
		"json":     template.JSON,
	})
)

// policy allows the style and the script of the page and nothing else. The page sends no requests,
// and scripts injected through names would not run.
func policy() string {
	return fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; img-src data:; base-uri 'none'; form-action 'none'", hashOf(pageCSS), hashOf(pageJS))
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// page is the data of the template.
type page struct {
	Title, Headline, Lead string
	Policy                string
	CSS, JS               template.Verbatim
	Facts                 []Fact
	Curve, Stable         *figure
	OfClasses             string // which classes are drawn, if not all
	Strongest             string // sentence about the most important variables
	Level                 string // what the intervals of responses are
	Banded, Rugged, Hist  bool   // some responses have an interval, marks of quantiles, or a histogram
	Treatments            []treatmentRow
	StableText            string
	Rivals                []rivalRow
	Near                  string // sets of variables that are nearly as good, in a sentence
	NearRows              []nearRow
	Variables             []variableRow
	Columns               columnsShown
	Descent               []*figure
	Late                  []lateRow
	Interactions          []*figure
	Quality               []*figure
	Measures              []measureRow
	Validated             bool   // there are out-of-fold measures
	Reference             string // comparison with a model of all columns
	Threshold             *thresholds
	Positive, Negative    string
	Probability           bool // the threshold is a probability
	Confusion             *confusion
	Examples              []*figure
	Matrix                *matrix
	Notes                 []string
	Record                *RunRecord
	Command               string
	Provenance            []pair
	Comparison            *comparison
	History               *history
	Data                  pageData
}

// QualityItems is the number of items in the first part of the section on performance: the table of
// measures, and figures.
func (p *page) QualityItems() int { return 1 + len(p.Quality) }

type pair struct{ Name, Value string }

// pageData is what the script needs.
type pageData struct {
	CSV       map[string]string `json:"csv"`
	Copy      map[string]string `json:"copy"`
	Threshold *thresholds       `json:"threshold,omitempty"`
}

// comparison is a page about several runs.
type comparison struct {
	Measures []string
	Runs     []comparedRun
	Curves   *figure
	First    string      // run that the others are compared with
	Paired   []pairedRow // out-of-fold losses
	Shared   []*figure   // shape functions of variables that several runs selected
	Settings []settingRow
	Members  []member
	Hidden   int
}

// comparedRun is a line of the table of runs.
type comparedRun struct {
	Name, Size, Seconds, What, Command string
	Values                             []string
}

// member is a variable and its rank in each run.
type member struct {
	Name  string
	Ranks []string
	in    int
	best  int
}

// columnsShown says which columns the list of variables has.
type columnsShown struct{ Share, Interval, Missing, Unit, Rivals, Density, Long bool }

// variableRow is a selected variable in the list.
type variableRow struct {
	Rank                          int
	Open                          bool   // its card is initially open
	Spark                         []mark // its shape as a small picture
	Name, Unit                    string
	Strength, Sign, Tint          string
	Bar                           string // width of its bar, in percent
	Coefficient                   string
	Interval, Share, ShareBar     string
	ShareOf                       string
	Missing, Rivals               string
	SortStrength, SortShare, Miss string
	Response                      *figure
	Numbers                       []pair
}

// section is an entry of the navigation.
type section struct{ ID, Name string }

// Sections lists the sections of the page.
func (p *page) Sections() []section {
	if p.Comparison != nil {
		list := []section{{"runs", "Runs"}, {"shared", "Variables by run"}}
		if p.Comparison.Shared != nil {
			list = append(list, section{"overlaid", "Curves"})
		}
		return append(list, section{"commands", "What was run"})
	}
	if p.History != nil {
		return []section{{"history", "Runs"}, {"settings", "Settings that differ"}}
	}
	var list []section
	add := func(there bool, id, name string) {
		if there {
			list = append(list, section{id, name})
		}
	}
	add(true, "variables", "What predicts")
	add(len(p.Interactions) > 0, "interactions", "Interactions")
	add(len(p.Measures) > 0 || len(p.Quality) > 0, "quality", "How good")
	add(p.Curve != nil, "size", "How many")
	add(p.Stable != nil, "sure", "How sure")
	add(p.Matrix != nil, "correlation", "Correlation")
	add(len(p.Examples) > 0, "rows", "Single rows")
	add(len(p.Treatments) > 0, "columns", "Columns")
	add(len(p.Descent) > 0, "descent", "Training")
	add(true, "provenance", "What was run")
	return list
}

// lateRow is a variable that was dropped last.
type lateRow struct {
	Name, Left, Value, Like string
}

// measureRow compares a measure on training rows and other rows.
type measureRow struct{ Name, Training, Other string }

// figure draws a figure and stores its table.
func (p *page) figure(f *Figure) *figure {
	if f == nil {
		return nil
	}
	p.Data.CSV[f.ID] = csvText(f.Table)
	return newFigure(f)
}
