package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hostile lists names that would do something if they were taken for markup, script, style, an
// address, a template, a path or a format.
var hostile = []string{
	`<img src=x onerror=alert(1)>`, `<script>alert(1)</script>`, `</script><script>alert(1)</script>`, `"><svg onload=alert(1)>`,
	`' onmouseover='alert(1)`, `" onfocus="alert(1)" autofocus="`, `</title><script>alert(1)</script>`, `</style><script>alert(1)</script>`,
	`</textarea><script>alert(1)</script>`, `<!--<script>alert(1)//-->`, `]]><script>alert(1)</script>`, `<svg><script>alert(1)</script></svg>`,
	`<iframe src=javascript:alert(1)>`, `javascript:alert(1)`, `data:text/html,<script>alert(1)</script>`, `<a href="javascript:alert(1)">x</a>`,
	`<body onload=alert(1)>`, `<link rel=stylesheet href=http://192.0.2.1/x.css>`, `<meta http-equiv=refresh content="0;url=http://192.0.2.1/">`,
	`<base href=http://192.0.2.1/>`, `<object data=http://192.0.2.1/>`, `<embed src=http://192.0.2.1/>`, `<form action=http://192.0.2.1/><button>`,
	`<style>@import "http://192.0.2.1/x.css";</style>`, `url(http://192.0.2.1/x)`, `expression(alert(1))`, `{{.}}`, `{{template "page"}}`, `${alert(1)}`,
	"`-alert(1)-`", `\u003cscript\u003ealert(1)`, `&lt;script&gt;alert(1)&lt;/script&gt;`, `&#x3C;img src=x onerror=alert(1)&#x3E;`, `%3Cscript%3Ealert(1)`,
	`../../../../etc/passwd`, `file:///etc/passwd`, "a\u2028b\u2029c", "\u202egnp.exe", `\";alert(1);//`, `'-alert(1)-'`, `__proto__`, `constructor`,
	`=cmd|' /C calc'!A0`, `<math><mtext></mtext><script>alert(1)</script></math>`, `<template><img src=x onerror=alert(1)></template>`, `🦄` + strings.Repeat("long ", 200),
}

// Names of columns, texts and classes are never markup, whatever they contain.
func TestBrowserHostileNames(t *testing.T) {
	if len(hostile) < 40 {
		t.Fatalf("only %d names are tried", len(hostile))
	}
	b := newBrowser(t)
	t.Chdir(t.TempDir())
	f, err := os.Create("t.csv")
	if err != nil {
		t.Fatal(err)
	}
	w := csv.NewWriter(f)
	w.Write(append(append([]string{}, hostile...), "text", `<b onclick=alert(1)>target</b>`))
	for i := range 160 {
		var row []string
		for j := range hostile {
			row = append(row, fmt.Sprint((i*(j+3)+j*j)%(17+j)))
		}
		class := hostile[i%2]
		w.Write(append(row, hostile[i%len(hostile)], class))
	}
	if w.Flush(); w.Error() != nil || f.Close() != nil {
		t.Fatal(w.Error())
	}
	for _, bins := range []string{"0", "3"} {
		out := "run" + bins
		must(t, "fit", "t.csv", "--target", `<b onclick=alert(1)>target</b>`, "-k", fmt.Sprint(len(hostile)), "--bins", bins, "--out", out, "--report")
		b.open(t, filepath.Join(out, reportName), 1400, "light")
		b.clickThrough(t)
		b.holds(t, `document.querySelectorAll("img, iframe, object, embed, form, base, math, template, a[href^=javascript]").length == 0`)
		b.holds(t, `document.scripts.length == 2 && document.querySelectorAll("style, link").length == 2`)
		b.holds(t, `document.querySelectorAll(".variable").length >= 40`)
		b.holds(t, `[...document.querySelectorAll("*")].every(e => [...e.attributes].every(a => !a.name.startsWith("on") && a.name != "style"))`)
		b.check(t)
	}
}
