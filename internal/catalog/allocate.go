package catalog

import (
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// allocate gives the operands their places: those before a repeated one in
// order, those after it from the end, as the usual synopsis reads.
func (m *Match) allocate() {
	node := m.Node()
	words := m.operands
	var specs []*Operand
	for i := range node.Operands {
		if o := &node.Operands[i]; o.When.Holds(m) {
			specs = append(specs, o)
		}
	}
	need := 0
	for _, s := range specs {
		if !s.Optional && !s.Many {
			need++
		}
	}
	for i, s := range specs {
		after := 0 // words that the operands behind this one need
		for _, t := range specs[i+1:] {
			if !t.Optional && !t.Many {
				after++
			}
		}
		n := 0
		switch {
		case s.Rest:
			n = len(words)
		case s.Many:
			n = max(0, len(words)-after)
		case s.Optional:
			if len(words) > after {
				n = 1
			}
		default:
			n = min(1, len(words))
		}
		lacks := n == 0 && !s.Optional && !s.Rest && s.Default == "" && (changes(s.Role) || !s.Many && m.changes() || m.changesWhat(s.Name))
		if m.Incomplete = m.Incomplete || lacks; lacks && (!s.Many || changes(s.Role)) && m.Lacks == "" {
			m.Lacks = s.Name
		}
		m.bind(s, words[:n])
		words = words[n:]
	}
	m.Extra = words
}

// changes reports whether a word in this role names what a program changes.
func changes(r Role) bool {
	switch r {
	case Writes, Appends, Creates, Deletes, Moves, Attr:
		return true
	}
	return false
}

// reads are the verbs of effects that change nothing.
func reads(v risk.Verb) bool {
	switch v {
	case "", risk.FSRead, risk.RemoteRead, risk.DBRead, risk.NetFetch, risk.NetConnect:
		return true
	}
	return false
}

// changesWhat reports whether an effect that is more than reading has the
// argument of this name as its target.
func (m *Match) changesWhat(name string) bool {
	for _, c := range m.Chain {
		for i := range c.Effects {
			if e := &c.Effects[i]; e.Target == name && !reads(e.Verb) && e.When.Holds(m) {
				return true
			}
		}
	}
	return false
}

// changes reports whether the program or subcommand does more than read.
func (m *Match) changes() bool {
	for _, c := range m.Chain {
		for i := range c.Effects {
			if !reads(c.Effects[i].Verb) {
				return true
			}
		}
		for i := range c.Operands {
			if changes(c.Operands[i].Role) {
				return true
			}
		}
	}
	return false
}

func (m *Match) bind(s *Operand, words []value.Value) {
	if len(words) == 0 && s.Default != "" {
		m.Args = append(m.Args, Bound{Arg: &s.Arg, Value: value.Lit(s.Default), Default: true})
	}
	for _, w := range words {
		if s.List != "" {
			for _, piece := range w.Split(s.List) {
				m.Args = append(m.Args, Bound{Arg: &s.Arg, Value: piece})
			}
			continue
		}
		if !s.Many && !s.Rest {
			w = w.Alone()
		}
		m.Args = append(m.Args, Bound{Arg: &s.Arg, Value: w})
	}
}
