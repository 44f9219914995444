package template

import (
	"errors"
	html "html/template"
	"os/exec"
	"strings"
	"testing"
	text "text/template"

	"fsa/internal/need"
)

type row struct {
	Name  string
	Count int
	Cells []string
	Next  *row
	Any   any
	Yes   bool
}

var filled = row{
	Name: "a<b>&\"'+\x00 é </script>", Count: 2, Cells: []string{"", "<", "javascript:alert(1)", "' onload='x"}, Any: 7, Yes: true,
	Next: &row{Name: "next", Cells: []string{"x"}},
}

// cases use everything that a template may contain.
var cases = []string{
	"plain text",
	`<p class="{{.Name}}" data-n="{{.Count}}" title='{{.Name}}'>{{.Name}}</p><title>{{.Name}}</title>`,
	`{{range .Cells}}<b>{{.}}</b>{{else}}none{{end}}`,
	`{{range $i, $c := .Cells}}{{if $i}}, {{end}}{{$i}}={{$c}} of {{$.Count}}{{end}}`,
	`{{range $c := .Cells}}{{$c}};{{end}}`,
	`{{with .Next}}{{.Name}}{{with .Next}}{{.Name}}{{else}} ends{{end}}{{end}}`,
	`{{if and .Yes (eq .Count 2)}}both{{else if .Yes}}one{{else}}none{{end}}`,
	`{{if or .Next.Next .Next}}some{{end}}{{if not .Next.Next}}none{{end}}{{if ne .Name "x"}}other{{end}}{{if gt .Count 1}}more{{end}}`,
	`{{index .Cells 1}}{{len .Cells}}{{.Any}}{{.Yes}}{{(index .Cells 2)}}{{.Next.Name}}`,
	`{{define "part"}}[{{.}}]{{end}}{{template "part" .Name}}{{template "part" .Count}}`,
	"{{- /* nothing */ -}} x {{- .Count -}} y",
	`{{$n := .Next}}{{$n.Name}}{{"{"}}`,
	`{{upper .Name}}{{upper "x"}}`,
}

var funcs = map[string]any{"upper": strings.ToUpper}

// A template gives the result of text/template, and of html/template for values in text and in
// attributes.
func TestLikeTheStandardLibrary(t *testing.T) {
	for _, c := range cases {
		var want, got strings.Builder
		if err := text.Must(text.New("t").Funcs(funcs).Parse(c)).Execute(&want, &filled); err != nil {
			t.Fatal(err)
		}
		own, err := Text("t", c, funcs)
		if err != nil {
			t.Fatal(err)
		}
		if err := own.Execute(&got, &filled); err != nil || got.String() != want.String() {
			t.Errorf("%s gives %q (%v), text/template %q", c, got.String(), err, want.String())
		}
		want.Reset()
		got.Reset()
		if err := html.Must(html.New("t").Funcs(funcs).Parse(c)).Execute(&want, &filled); err != nil {
			t.Fatal(err)
		}
		if err := HTML("t", c, funcs).Execute(&got, &filled); err != nil || got.String() != want.String() {
			t.Errorf("%s gives %q (%v), html/template %q", c, got.String(), err, want.String())
		}
	}
}

func TestVerbatim(t *testing.T) {
	var got, want strings.Builder
	const page = `<style>{{.CSS}}</style><script type="application/json">{{%s.Data}}</script>`
	data := map[string]string{"a": "</script><!-- \u2028 &"}
	if err := HTML("t", strings.Replace(page, "%s", "json ", 1), Funcs{"json": JSON}).Execute(&got, struct {
		CSS  Verbatim
		Data any
	}{"a > b { }", data}); err != nil {
		t.Fatal(err)
	}
	if err := html.Must(html.New("t").Parse(strings.Replace(page, "%s", "", 1))).Execute(&want, struct {
		CSS  html.CSS
		Data any
	}{"a > b { }", data}); err != nil {
		t.Fatal(err)
	}
	if got.String() != want.String() {
		t.Errorf("%s, want %s", got.String(), want.String())
	}
}

func TestErrors(t *testing.T) {
	fail := Funcs{"fail": func() (string, error) { return "", errors.New("it failed") }}
	for text, want := range map[string]string{
		`{{.Nothing}}`:           "does not have a field Nothing",
		`{{.Name.More}}`:         "not a struct",
		`{{.Next.Next.Name}}`:    "not a struct",
		`{{range .Name}}{{end}}`: "it must be a slice",
		`{{template "x" .}}`:     `no template "x"`,
		`{{fail}}`:               "it failed",
		`{{len .Cells .Cells}}`:  "arguments",
		`{{.Name | len}}`:        "not supported",
		`{{.Next.Next}}`:         "missing",
	} {
		own, err := Text("t", text, fail)
		if err != nil {
			t.Fatal(err)
		}
		if err := own.Execute(&strings.Builder{}, &filled); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := Text("t", "{{", nil); err == nil {
		t.Error("a template that does not end is read")
	}
}

// The program does not link text/template, because the linker would then keep all exported methods.
func TestNotLinked(t *testing.T) {
	need.Long(t)
	program := t.TempDir() + "/fsa"
	if out, err := exec.Command("go", "build", "-o", program, "fsa/cmd/fsa").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command("go", "tool", "nm", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"text/template.(*state)", "reflect.Value.MethodByName"} {
		if strings.Contains(string(out), name) {
			t.Errorf("the program contains %s", name)
		}
	}
}
