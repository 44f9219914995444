// Package template fills templates in the syntax of text/template, whose parser it uses. It does
// not support method calls: text/template finds methods by name at run time, so the linker has to
// keep every exported method of every type in the program, which costs 6 MB. Methods that a
// template needs are given to it as functions.
//
// An HTML template escapes every value as html/template does in text and in quoted attributes.
// Values must not occur elsewhere, except those of type [Verbatim].
package template

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"strings"
	"text/template/parse"
)

// Funcs are the functions that a template may call, each with one result, and optionally an error.
type Funcs map[string]any

// Verbatim is text that is not escaped.
type Verbatim string

// JSON returns a value for a script of type application/json: nothing in it can end the script.
func JSON(v any) (Verbatim, error) {
	text, err := json.Marshal(v) // which escapes <, >, &, U+2028 and U+2029
	return Verbatim(text), err
}

// Template is a parsed template. It is safe for concurrent use.
type Template struct {
	name   string
	trees  map[string]*parse.Tree
	funcs  map[string]reflect.Value
	escape func(string) string
}

// Text returns a template of plain text.
func Text(name, text string, funcs Funcs) (*Template, error) {
	return read(name, text, funcs, func(s string) string { return s })
}

// HTML returns an HTML template, and panics if it cannot be parsed, because it is part of the
// program.
func HTML(name, text string, funcs Funcs) *Template {
	t, err := read(name, text, funcs, escaper.Replace)
	if err != nil {
		panic(err)
	}
	return t
}

// escaper is what html/template does in text and in attributes.
var escaper = strings.NewReplacer("\x00", "\uFFFD", `"`, "&#34;", "&", "&amp;", "'", "&#39;", "+", "&#43;", "<", "&lt;", ">", "&gt;")

func read(name, text string, funcs Funcs, escape func(string) string) (*Template, error) {
	all := maps.Clone(builtin)
	maps.Copy(all, funcs)
	trees, err := parse.Parse(name, text, "{{", "}}", all)
	if err != nil {
		return nil, fmt.Errorf("template: %w", err)
	}
	t := &Template{name: name, trees: trees, funcs: map[string]reflect.Value{}, escape: escape}
	for name, f := range all {
		v := reflect.ValueOf(f)
		if v.Kind() != reflect.Func || v.Type().NumOut() < 1 || v.Type().NumOut() > 2 {
			return nil, fmt.Errorf("template: %s is not a function with a result", name)
		}
		t.funcs[name] = v
	}
	return t, nil
}

// Execute writes the template filled with a value.
func (t *Template) Execute(w io.Writer, with any) error {
	s := &state{Template: t, w: w}
	dot := reflect.ValueOf(with)
	if err := s.tree(t.name, dot); err != nil {
		return fmt.Errorf("template %s: %w", t.name, err)
	}
	return nil
}

// state is a template that is being filled.
type state struct {
	*Template
	w    io.Writer
	vars []variable // the innermost last
}

type variable struct {
	name  string
	value reflect.Value
}

// tree fills a template by its name. It sees no variables except $.
func (s *state) tree(name string, dot reflect.Value) error {
	t := s.trees[name]
	if t == nil {
		return fmt.Errorf("there is no template %q", name)
	}
	inner := &state{Template: s.Template, w: s.w, vars: []variable{{"$", dot}}}
	return inner.walk(dot, t.Root)
}

func (s *state) walk(dot reflect.Value, node parse.Node) error {
	switch n := node.(type) {
	case *parse.ListNode:
		if n == nil { // no else
			return nil
		}
		for _, one := range n.Nodes {
			if err := s.walk(dot, one); err != nil {
				return err
			}
		}
		return nil
	case *parse.TextNode:
		_, err := s.w.Write(n.Text)
		return err
	case *parse.CommentNode:
		return nil
	case *parse.ActionNode:
		v, err := s.pipe(dot, n.Pipe)
		if err != nil || len(n.Pipe.Decl) > 0 {
			return err
		}
		return s.print(v)
	case *parse.IfNode:
		return s.branch(dot, &n.BranchNode, false)
	case *parse.WithNode:
		return s.branch(dot, &n.BranchNode, true)
	case *parse.RangeNode:
		return s.each(dot, n)
	case *parse.TemplateNode:
		v, err := s.pipe(dot, n.Pipe)
		if err != nil {
			return err
		}
		return s.tree(n.Name, v)
	}
	return fmt.Errorf("%v is not supported", node)
}

// branch is if or, if the value becomes the dot, with.
func (s *state) branch(dot reflect.Value, n *parse.BranchNode, with bool) error {
	defer s.forget(len(s.vars))
	v, err := s.pipe(dot, n.Pipe)
	switch {
	case err != nil:
		return err
	case !truth(v):
		return s.walk(dot, n.ElseList)
	case with:
		return s.walk(v, n.List)
	}
	return s.walk(dot, n.List)
}

// each is range over a slice.
func (s *state) each(dot reflect.Value, n *parse.RangeNode) error {
	defer s.forget(len(s.vars))
	declared := n.Pipe.Decl
	pipe := *n.Pipe
	pipe.Decl = nil
	v, err := s.pipe(dot, &pipe)
	if err != nil {
		return err
	}
	v = indirect(v)
	if !v.IsValid() || v.Kind() != reflect.Slice && v.Kind() != reflect.Array {
		if v.IsValid() {
			return fmt.Errorf("range over %s: it must be a slice", v.Type())
		}
		return s.walk(dot, n.ElseList)
	}
	if v.Len() == 0 {
		return s.walk(dot, n.ElseList)
	}
	for i := range v.Len() {
		mark := len(s.vars)
		switch len(declared) {
		case 1:
			s.vars = append(s.vars, variable{declared[0].Ident[0], v.Index(i)})
		case 2:
			s.vars = append(s.vars, variable{declared[0].Ident[0], reflect.ValueOf(i)}, variable{declared[1].Ident[0], v.Index(i)})
		}
		if err := s.walk(v.Index(i), n.List); err != nil {
			return err
		}
		s.forget(mark)
	}
	return nil
}

// forget drops the variables from the given one on.
func (s *state) forget(mark int) { s.vars = s.vars[:mark] }

// pipe evaluates a pipeline of one command, and stores what it declares.
func (s *state) pipe(dot reflect.Value, p *parse.PipeNode) (reflect.Value, error) {
	if p == nil {
		return reflect.Value{}, nil
	}
	if len(p.Cmds) != 1 || p.IsAssign {
		return reflect.Value{}, fmt.Errorf("%v is not supported", p)
	}
	v, err := s.command(dot, p.Cmds[0])
	if err != nil {
		return v, err
	}
	for _, d := range p.Decl {
		s.vars = append(s.vars, variable{d.Ident[0], v})
	}
	return v, nil
}

// command is a value, or a function and its arguments.
func (s *state) command(dot reflect.Value, c *parse.CommandNode) (reflect.Value, error) {
	name, ok := c.Args[0].(*parse.IdentifierNode)
	if !ok {
		if len(c.Args) > 1 {
			return reflect.Value{}, fmt.Errorf("%v: only a function has arguments", c)
		}
		return s.value(dot, c.Args[0])
	}
	args := make([]reflect.Value, len(c.Args)-1)
	for i, a := range c.Args[1:] {
		var err error
		if args[i], err = s.value(dot, a); err != nil {
			return reflect.Value{}, err
		}
	}
	return s.call(name.Ident, args)
}

func (s *state) call(name string, args []reflect.Value) (reflect.Value, error) {
	f := s.funcs[name]
	t := f.Type()
	if n := t.NumIn(); len(args) != n && !(t.IsVariadic() && len(args) >= n-1) {
		return reflect.Value{}, fmt.Errorf("%s has %d arguments, not %d", name, n, len(args))
	}
	for i, a := range args {
		want := t.In(min(i, t.NumIn()-1))
		if t.IsVariadic() && i >= t.NumIn()-1 {
			want = want.Elem()
		}
		switch {
		case want == valueType:
			args[i] = reflect.ValueOf(a)
		case !a.IsValid():
			args[i] = reflect.Zero(want)
		case a.Type().AssignableTo(want):
		case a.Kind() == reflect.Interface && a.Elem().IsValid() && a.Elem().Type().AssignableTo(want):
			args[i] = a.Elem()
		default:
			return reflect.Value{}, fmt.Errorf("%s: argument %d is a %s, not a %s", name, i+1, a.Type(), want)
		}
	}
	results := f.Call(args)
	if len(results) == 2 && !results[1].IsNil() {
		return reflect.Value{}, fmt.Errorf("%s: %w", name, results[1].Interface().(error))
	}
	v := results[0]
	if v.Type() == valueType {
		v = v.Interface().(reflect.Value)
	}
	return v, nil
}

var valueType = reflect.TypeFor[reflect.Value]()

func (s *state) value(dot reflect.Value, node parse.Node) (reflect.Value, error) {
	switch n := node.(type) {
	case *parse.DotNode:
		return dot, nil
	case *parse.FieldNode:
		return fields(dot, n.Ident)
	case *parse.VariableNode:
		for i := len(s.vars) - 1; i >= 0; i-- {
			if s.vars[i].name == n.Ident[0] {
				return fields(s.vars[i].value, n.Ident[1:])
			}
		}
		return reflect.Value{}, fmt.Errorf("there is no variable %s", n.Ident[0])
	case *parse.ChainNode:
		v, err := s.value(dot, n.Node)
		if err != nil {
			return v, err
		}
		return fields(v, n.Field)
	case *parse.PipeNode:
		return s.pipe(dot, n)
	case *parse.IdentifierNode:
		return s.call(n.Ident, nil)
	case *parse.StringNode:
		return reflect.ValueOf(n.Text), nil
	case *parse.BoolNode:
		return reflect.ValueOf(n.True), nil
	case *parse.NumberNode:
		if n.IsInt {
			return reflect.ValueOf(int(n.Int64)), nil
		}
	}
	return reflect.Value{}, fmt.Errorf("%v is not supported", node)
}

// fields follows the names of fields.
func fields(v reflect.Value, names []string) (reflect.Value, error) {
	for _, name := range names {
		v = indirect(v)
		if v.Kind() != reflect.Struct {
			return v, fmt.Errorf("field %s of what is not a struct", name)
		}
		to := v.FieldByName(name)
		if !to.IsValid() {
			return v, fmt.Errorf("%s does not have a field %s", v.Type(), name)
		}
		v = to
	}
	return v, nil
}

// indirect follows pointers and interfaces; nil is not valid.
func indirect(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v
}

// truth reports whether a value is neither the zero of its type nor empty.
func truth(v reflect.Value) bool {
	if !v.IsValid() {
		return false
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return v.Len() > 0
	case reflect.Struct:
		return true
	case reflect.Interface:
		return truth(v.Elem())
	}
	return !v.IsZero()
}

// print writes a value, escaped unless it is [Verbatim].
func (s *state) print(v reflect.Value) error {
	if v = indirect(v); !v.IsValid() {
		return errors.New("a value is missing")
	}
	if !v.CanInterface() {
		return fmt.Errorf("a value of type %s cannot be printed", v.Type())
	}
	text, ok := v.Interface().(Verbatim)
	if !ok {
		text = Verbatim(s.escape(fmt.Sprint(v.Interface())))
	}
	_, err := io.WriteString(s.w, string(text))
	return err
}
