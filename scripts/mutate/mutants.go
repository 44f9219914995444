package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// mutant is one change of a file: the bytes from lo to hi are replaced by a text.
type mutant struct {
	file   string
	line   int
	lo, hi int
	text   string
	what   string
}

func (m mutant) String() string { return fmt.Sprintf("%s:%d: %s", m.file, m.line, m.what) }

// apply returns a source with the change.
func (m mutant) apply(source []byte) []byte {
	return slices.Concat(source[:m.lo], []byte(m.text), source[m.hi:])
}

// others are the operators that replace one.
var others = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
}

// mutantsOf lists the changes of a file.
func mutantsOf(name string, source []byte) ([]mutant, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var list []mutant
	unread := map[ast.Node]bool{} // no result depends on these: values beside an error, capacities, seeds
	signs := map[ast.Node]bool{}  // only the signs of these count
	text := func(n ast.Node) string {
		return string(source[files.Position(n.Pos()).Offset:files.Position(n.End()).Offset])
	}
	add := func(from, to token.Pos, text, what string) {
		at := files.Position(from)
		list = append(list, mutant{name, at.Line, at.Offset, files.Position(to).Offset, text, what})
	}
	drop := func(n ast.Node) { add(n.Pos(), n.End(), "", "left out: "+short(text(n))) }
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.IfStmt:
			add(n.Cond.Pos(), n.Cond.End(), "!("+text(n.Cond)+")", "negated: "+short(text(n.Cond)))
		case *ast.BinaryExpr:
			if to, ok := others[n.Op]; ok {
				end := n.OpPos + token.Pos(len(n.Op.String()))
				add(n.OpPos, end, to.String(), fmt.Sprintf("%s for %s in %s", to, n.Op, short(text(n))))
			}
		case *ast.ReturnStmt:
			if beside := len(n.Results) - 1; beside > 0 && isError(n.Results[beside]) {
				for _, r := range n.Results[:beside] {
					unread[r] = true
				}
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "make" && len(n.Args) == 3 { // capacity that only saves time
				mark(unread, n.Args[2])
			}
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "NewPCG" {
				mark(unread, n.Args...)
			}
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "Inf" || f.Sel.Name == "IsInf") {
				mark(signs, n.Args[len(n.Args)-1])
			}
		case *ast.UnaryExpr:
			switch v, ok := n.X.(*ast.BasicLit); {
			case !ok || n.Op != token.SUB:
			case signs[n]:
				unread[v] = true
				add(n.Pos(), n.End(), v.Value, "the sign of "+text(n))
			case v.Value == "1":
				unread[v] = true
				add(n.Pos(), n.End(), "0", "0 for -1")
			}
		case *ast.BasicLit:
			if unread[n] {
				return false
			}
			if signs[n] {
				add(n.Pos(), n.End(), "-"+n.Value, "the sign of "+n.Value)
			} else if n.Kind == token.INT || n.Kind == token.FLOAT {
				to := fmt.Sprintf("(%s %c 1)", n.Value, "+-"[n.Pos()%2]) // one way, so that it counts like a condition
				add(n.Pos(), n.End(), to, fmt.Sprintf("%s for %s", to, n.Value))
			}
		case *ast.BlockStmt:
			for _, s := range n.List {
				step(s, drop)
			}
		case *ast.CaseClause:
			for _, s := range n.Body {
				step(s, drop)
			}
		}
		return true
	})
	return list, nil
}

// mark adds expressions, and all that they consist of, to a set.
func mark(set map[ast.Node]bool, list ...ast.Expr) {
	for _, e := range list {
		ast.Inspect(e, func(n ast.Node) bool { set[n] = true; return true })
	}
}

// isError reports whether a result looks like an error.
func isError(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "err"
	case *ast.CallExpr:
		f, ok := e.Fun.(*ast.SelectorExpr)
		return ok && (f.Sel.Name == "Errorf" || f.Sel.Name == "New")
	}
	return false
}

// step removes a statement that calls something or changes an existing variable.
func step(s ast.Stmt, drop func(ast.Node)) {
	switch s := s.(type) {
	case *ast.ExprStmt, *ast.IncDecStmt:
		drop(s)
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE {
			drop(s)
		}
	}
}

// short returns the beginning of a text, on one line.
func short(text string) string {
	const most = 70
	line := []rune(text)
	if at := slices.Index(line, '\n'); at >= 0 {
		line = append(line[:at:at], '…')
	}
	if len(line) > most {
		line = append(line[:most:most], '…')
	}
	return string(line)
}
