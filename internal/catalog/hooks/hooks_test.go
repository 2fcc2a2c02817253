package hooks_test

import (
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/risk"
)

// oddWords are command lines that no person types and some hook may read.
func oddWords() [][]value.Value {
	lit := value.Lit
	hole := value.Unknown(risk.CauseUnset, "X")
	mixed := value.Concat(lit("-c"), hole)
	tail := value.Concat(hole, lit("; rm x"))
	return [][]value.Value{
		nil,
		{hole},
		{mixed},
		{tail},
		{hole, mixed, tail},
		{lit("-e")},
		{lit("-c")},
		{lit(""), lit("")},
		{lit("-")},
		{lit("--")},
		{lit("send-keys"), hole},
		{lit("run-shell"), tail},
		{lit("if"), tail, tail},
		{lit("-m"), lit("zipfile")},
		{lit("-enc"), lit("%%%")},
		{lit("send-keys"), lit("-t")},
		{lit("set-hook"), lit("a"), lit("{ {")},
	}
}

func TestOddWordsDoNotPanic(t *testing.T) {
	t.Parallel()
	w, dir, _ := fakeworld.Must(t, "dir /home/u/p")
	unset := func(string) (value.Value, bool, bool) { return value.Value{}, false, true }
	c := catalog.New(hooks.Find)
	describe := func(p *catalog.Program, before []value.Value) {
		for _, words := range oddWords() {
			for _, stdin := range []bool{false, true} {
				args := append(before[:len(before):len(before)], words...)
				c.Describe(p, args, &catalog.Site{World: w, Dir: dir, Env: unset, Args: args, Name: p.Name, HasStdin: stdin})
			}
		}
	}
	for _, name := range c.Names() {
		p, _ := c.Lookup(name)
		describe(p, nil)
		for _, sub := range p.Sub {
			describe(p, []value.Value{value.Lit(sub.Name)})
		}
	}
}
