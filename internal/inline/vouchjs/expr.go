package vouchjs

import (
	"bytes"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// expr vouches for an expression; one that is not listed is not known.
func (v *voucher) expr(e js.IExpr, u use) bool {
	if v.steps++; v.steps > maxSteps {
		return false
	}
	switch e := e.(type) {
	case nil:
		return true
	case *js.Var:
		return v.name(string(e.Name()))
	case *js.LiteralExpr:
		return literalToken(e.TokenType)
	case *js.GroupExpr:
		return v.expr(e.X, u)
	case *js.TemplateExpr:
		return v.template(e)
	case *js.ArrayExpr:
		for _, x := range e.List {
			if !v.expr(x.Value, flows) {
				return false
			}
		}
		return true
	case *js.ObjectExpr:
		return v.object(e)
	case *js.DotExpr, *js.IndexExpr:
		return v.member(e, u)
	case *js.CallExpr:
		return v.call(e, u)
	case *js.NewExpr:
		return v.made(e)
	case *js.UnaryExpr:
		return v.unary(e)
	case *js.BinaryExpr:
		return v.binary(e, u)
	case *js.CondExpr:
		return v.expr(e.Cond, looked) && v.expr(e.X, u) && v.expr(e.Y, u)
	case *js.CommaExpr:
		for _, x := range e.List {
			if !v.expr(x, u) {
				return false
			}
		}
		return true
	case *js.ArrowFunc:
		return v.parameters(&e.Params) && v.block(&e.Body)
	case *js.FuncDecl:
		return v.function(e)
	case *js.VarDecl:
		return v.declared(e)
	}
	return false
}

// name vouches for a name that stands as a value.
func (v *voucher) name(name string) bool {
	if !plain(name) {
		return false
	}
	if b := v.names[name]; b != nil {
		return v.collect || b.path == ""
	}
	return v.collect || valueName(name)
}

// literalToken knows constants and regular expressions, and not this or super.
func literalToken(t js.TokenType) bool {
	switch t {
	case js.StringToken, js.RegExpToken, js.NullToken, js.TrueToken, js.FalseToken:
		return true
	}
	return js.IsNumeric(t)
}

func (v *voucher) template(e *js.TemplateExpr) bool {
	if e.Tag != nil {
		return false
	}
	for _, p := range e.List {
		if !v.expr(p.Expr, looked) {
			return false
		}
	}
	return true
}

// object vouches for an object that is written out: without getters, and with
// no prototype of its own.
func (v *voucher) object(e *js.ObjectExpr) bool {
	for _, p := range e.List {
		if p.Init != nil {
			return false
		}
		if p.Name != nil {
			if p.Name.Computed != nil {
				if !v.expr(p.Name.Computed, flows) {
					return false
				}
			} else if key, ok := keyOf(p.Name); !ok || hazard(key) {
				return false
			}
		}
		if m, isMethod := p.Value.(*js.MethodDecl); isMethod {
			if m.Get || m.Set || m.Generator || m.Name.Computed != nil || m.Name.Private != nil || !v.parameters(&m.Params) || !v.block(&m.Body) {
				return false
			}
			if key, ok := keyOf(&m.Name.PropertyName); !ok || hazard(key) {
				return false
			}
			continue
		}
		if !v.expr(p.Value, flows) {
			return false
		}
	}
	return true
}

// member vouches for reading a property.
func (v *voucher) member(e js.IExpr, u use) bool {
	if p, ok := v.path(e); ok {
		return v.constant(p)
	}
	of, key, written := property(e)
	if of == nil {
		return false
	}
	if p, ok := v.path(of); ok && p == "process.env" {
		return v.variable(e, key, written)
	}
	if v.stream(of) || u == flows && v.anything(e, 0) && !v.collect || written && hazard(key) {
		return false
	}
	if written {
		return v.asked(of)
	}
	return v.asked(of) && v.expr(e.(*js.IndexExpr).Y, looked)
}

// asked vouches for a value that is asked for a property. A property whose name
// is computed is seen only where it is written straight before the next.
func (v *voucher) asked(of js.IExpr) bool {
	switch x := bare(of).(type) {
	case *js.DotExpr, *js.IndexExpr:
		return v.expr(x, looked)
	default:
		return v.expr(x, flows)
	}
}

// anything reports whether a value may be whatever an object has: a property
// whose name is computed, or one of such a property.
func (v *voucher) anything(e js.IExpr, depth int) bool {
	e = bare(e)
	switch e.(type) {
	case *js.DotExpr, *js.IndexExpr:
	default:
		return false
	}
	of, _, written := property(e)
	if of == nil || depth > maxDeep {
		return true
	}
	if i, isIndex := e.(*js.IndexExpr); isIndex && !written && !v.number(i.Y, 0) {
		if p, ok := v.path(of); !ok || p != "process.env" {
			return true
		}
	}
	return v.anything(of, depth+1)
}

// stream reports whether a value is a stream: what calling on and its like gives.
func (v *voucher) stream(e js.IExpr) bool {
	c, ok := bare(e).(*js.CallExpr)
	if !ok {
		return false
	}
	if p, ok := v.path(c.X); ok {
		return kindOf(p) == "input"
	}
	of, _, _ := property(c.X)
	return of != nil && v.stream(of)
}

// bare is an expression without parentheses.
func bare(e js.IExpr) js.IExpr {
	for range maxDeep {
		g, ok := e.(*js.GroupExpr)
		if !ok {
			break
		}
		e = g.X
	}
	return e
}

// variable vouches for looking at a variable of the environment.
func (v *voucher) variable(e js.IExpr, key string, written bool) bool {
	if written {
		v.said.Env = v.said.Env || hazard(key)
		return !hazard(key)
	}
	v.said.Env = true
	return v.expr(e.(*js.IndexExpr).Y, looked)
}

// property cuts an expression into an object and a property of it. written says
// that the name stands there.
func property(e js.IExpr) (of js.IExpr, key string, written bool) {
	switch e := e.(type) {
	case *js.DotExpr:
		switch y := e.Y.(type) {
		case js.LiteralExpr:
			if plain(string(y.Data)) {
				return e.X, string(y.Data), true
			}
		case *js.Var:
			if plain(string(y.Data)) {
				return e.X, string(y.Data), true
			}
		}
	case *js.IndexExpr:
		if key, ok := stringOf(e.Y); ok {
			return e.X, key, true
		}
		return e.X, "", false
	}
	return nil, "", false
}

// keyOf is the name of a property that is written there.
func keyOf(p *js.PropertyName) (string, bool) {
	if p == nil || p.Computed != nil {
		return "", false
	}
	if p.Literal.TokenType == js.StringToken {
		return stringOf(&p.Literal)
	}
	return string(p.Literal.Data), !bytes.ContainsRune(p.Literal.Data, '\\')
}

// stringOf is the text of a string without escapes.
func stringOf(e js.IExpr) (string, bool) {
	switch e := e.(type) {
	case *js.LiteralExpr:
		if e.TokenType == js.StringToken && len(e.Data) >= 2 && !bytes.ContainsRune(e.Data, '\\') {
			return string(e.Data[1 : len(e.Data)-1]), true
		}
	case *js.TemplateExpr:
		if e.Tag == nil && len(e.List) == 0 && !bytes.ContainsRune(e.Tail, '\\') && !bytes.ContainsRune(e.Tail, '\r') {
			return strings.Trim(string(e.Tail), "`"), true
		}
	case *js.GroupExpr:
		return stringOf(e.X)
	}
	return "", false
}

// unary vouches for an operator before or behind a value.
func (v *voucher) unary(e *js.UnaryExpr) bool {
	switch e.Op {
	case js.NotToken, js.BitNotToken, js.TypeofToken, js.VoidToken, js.PosToken, js.NegToken:
		return v.expr(e.X, looked)
	case js.AwaitToken:
		return v.expr(e.X, flows)
	case js.PreIncrToken, js.PreDecrToken, js.PostIncrToken, js.PostDecrToken:
		return v.target(e.X, &js.LiteralExpr{TokenType: js.IntegerToken, Data: []byte("1")})
	case js.DeleteToken:
		return v.target(e.X, nil)
	}
	return false
}

// binary vouches for an operator between values.
func (v *voucher) binary(e *js.BinaryExpr, u use) bool {
	switch e.Op {
	case js.EqToken:
		if p, ok := v.required(e.Y); ok {
			x, isVar := e.X.(*js.Var)
			return isVar && v.alias(string(x.Name()), p)
		}
		return v.target(e.X, e.Y) && v.expr(e.Y, flows)
	case js.AddEqToken, js.SubEqToken, js.MulEqToken, js.DivEqToken, js.ModEqToken, js.ExpEqToken, js.BitAndEqToken, js.BitOrEqToken, js.BitXorEqToken,
		js.LtLtEqToken, js.GtGtEqToken, js.GtGtGtEqToken, js.AndEqToken, js.OrEqToken, js.NullishEqToken:
		return v.target(e.X, e.Y) && v.expr(e.Y, flows)
	case js.AndToken, js.OrToken, js.NullishToken:
		return v.expr(e.X, u) && v.expr(e.Y, u)
	case js.InstanceofToken:
		y, ok := e.Y.(*js.Var)
		return ok && (v.collect || v.names[string(y.Name())] == nil && maker(string(y.Name()))) && v.expr(e.X, looked)
	case js.AddToken, js.SubToken, js.MulToken, js.DivToken, js.ModToken, js.ExpToken, js.BitAndToken, js.BitOrToken, js.BitXorToken,
		js.LtLtToken, js.GtGtToken, js.GtGtGtToken, js.EqEqToken, js.NotEqToken, js.EqEqEqToken, js.NotEqEqToken, js.LtToken, js.GtToken,
		js.LtEqToken, js.GtEqToken, js.InToken:
		return v.expr(e.X, looked) && v.expr(e.Y, looked)
	}
	return false
}

// target vouches for what is assigned to: a name, or a property of data that a
// name leads to without names that are computed.
func (v *voucher) target(e, value js.IExpr) bool {
	switch e := e.(type) {
	case *js.GroupExpr:
		return v.target(e.X, value)
	case *js.Var:
		return v.bind(string(e.Name()), value)
	case *js.DotExpr, *js.IndexExpr:
		if p, ok := v.path(e); ok {
			return p == "process.exitCode"
		}
		of, key, written := property(e)
		if of == nil || written && hazard(key) || !v.owned(of) {
			return false
		}
		if i, isIndex := e.(*js.IndexExpr); isIndex {
			return v.expr(i.Y, looked)
		}
		return true
	}
	return false
}

// owned reports whether an expression is a name of the program, or a property of
// one whose name is written or a number.
func (v *voucher) owned(e js.IExpr) bool {
	switch e := e.(type) {
	case *js.GroupExpr:
		return v.owned(e.X)
	case *js.Var:
		b := v.names[string(e.Name())]
		return v.collect || b != nil && b.path == ""
	case *js.DotExpr, *js.IndexExpr:
		of, key, written := property(e)
		if i, isIndex := e.(*js.IndexExpr); isIndex && !written {
			return v.number(i.Y, 0) && v.owned(of) && v.expr(i.Y, looked)
		}
		return of != nil && written && !hazard(key) && v.owned(of)
	}
	return false
}

// number reports whether a value is a number whatever happens.
func (v *voucher) number(e js.IExpr, depth int) bool {
	if v.steps++; depth > maxConst || v.steps > maxSteps {
		return false
	}
	depth++
	switch e := e.(type) {
	case *js.LiteralExpr:
		return js.IsNumeric(e.TokenType)
	case *js.GroupExpr:
		return v.number(e.X, depth)
	case *js.UnaryExpr:
		return e.Op == js.NegToken || e.Op == js.PosToken || e.Op == js.BitNotToken
	case *js.BinaryExpr:
		switch e.Op {
		case js.SubToken, js.MulToken, js.DivToken, js.ModToken, js.BitOrToken, js.GtGtGtToken:
			return true
		case js.AddToken:
			return v.number(e.X, depth) && v.number(e.Y, depth)
		}
	case *js.Var:
		b := v.names[string(e.Name())]
		if v.collect {
			return true
		}
		if b == nil || len(b.values) == 0 {
			return false
		}
		for _, x := range b.values {
			if x == nil || !v.number(x, depth) {
				return false
			}
		}
		return true
	}
	return false
}
