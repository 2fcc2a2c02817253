//go:build linux

package main

import (
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/witness"
	"github.com/heedsh/heed/risk"
	"github.com/heedsh/heed/tools/throwaway"
)

// A helped is a program with the options that it lists itself.
type helped struct {
	name    string
	options []string // --output=, -o, --all
}

// programs are those of heed's catalog that are installed here.
func programs() (all []string) {
	for _, name := range catalog.New(nil).Names() {
		if _, err := exec.LookPath(name); err == nil && !strings.Contains(name, "/") {
			all = append(all, name)
		}
	}
	return all
}

// options asks a program for its options, in a layer.
func options(l *throwaway.Layer, w *witness.World, name string) (*helped, error) {
	t, err := l.Try(&risk.Request{Command: name + " --help", Shell: "bash", Dir: w.Project, Env: w.Env})
	if err != nil {
		return nil, err
	}
	h := &helped{name: name}
	if t.Stopped {
		return h, nil
	}
	for field := range strings.FieldsFuncSeq(string(t.Output), func(r rune) bool { return strings.ContainsRune(" \t\r\n,|[]()'\"`/", r) }) {
		option, _, valued := strings.Cut(field, "=")
		plain := strings.Trim(option, "-")
		if !strings.HasPrefix(option, "-") || plain == "" || strings.ContainsFunc(plain, func(r rune) bool {
			return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
		}) || len(option) == len(plain)+1 && len(plain) > 12 || strings.HasSuffix(option, "-") {
			continue
		}
		if recurses(name, option) {
			continue
		}
		if valued {
			option += "="
		}
		if !slices.Contains(h.options, option) {
			h.options = append(h.options, option)
		}
	}
	return h, nil
}

// recurses reports whether an option makes a search look into directories. That
// it passes over a secret there is no showing: whether it finds a line is the
// pattern's matter.
func recurses(name, option string) bool {
	searches := strings.HasSuffix(name, "grep") || name == "rg" || name == "ag" || name == "ack"
	return searches && slices.Contains([]string{"-r", "-R", "--recursive", "--dereference-recursive", "--hidden", "--unrestricted", "-u"}, option)
}

// searchesBelow reports whether a program searches all below the directory where it
// is given no file: what it passes over there is no showing, as above.
func searchesBelow(name string) bool { return name == "ack" || name == "ag" || name == "rg" }

// values are what options are given; operands what programs are.
var (
	values   = []string{"../Documents/letter.txt", "../Documents/letter.txt", "$HOME/Documents/letter.txt", "'sh -c \"rm -f $HOME/Documents/letter.txt\"'", "'|rm -f ../Documents/letter.txt'", ".env", "./scripts/harm.sh", "1"}
	operands = []string{"README.md", "README.md", "docs", "data.csv", ".", "package.json", "src/app.py", "x.tar", "list", "show", "status", ""}
)

// attack makes a command of a few options with values that do harm where the
// option writes a file, shows one or runs a command.
func (h *helped) attack(r *rand.Rand) attack {
	words := []string{h.name}
	if r.IntN(4) == 0 && !searchesBelow(h.name) {
		words = append(words, operands[r.IntN(len(operands))])
	}
	for range 1 + r.IntN(2) {
		option := h.options[r.IntN(len(h.options))]
		value := values[r.IntN(len(values))]
		switch {
		case strings.HasSuffix(option, "="):
			option += value
		case r.IntN(2) == 0:
			option += " " + value
		}
		words = append(words, option)
	}
	last := operands[r.IntN(len(operands))]
	if searchesBelow(h.name) {
		last = "README.md"
	}
	words = append(words, last)
	f := &form{id: "option:" + h.name}
	for _, w := range words[1:] {
		if strings.HasPrefix(w, "-") {
			w, _, _ = strings.Cut(w, " ")
			w, _, _ = strings.Cut(w, "=")
			f.id += " " + w
		}
	}
	return attack{forms: []*form{f}, payload: "option", shell: "bash", command: strings.TrimSpace(strings.Join(words, " ")) + " </dev/null"}
}

// optionsOf returns a function that makes attacks of the options of programs.
// It learns the options of one more program every so often, in the order that r
// gives.
func (o *run) optionsOf(names []string, r *rand.Rand) func() (attack, bool) {
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	var known []*helped
	done := make(chan *helped, 4)
	go func() { // a layer belongs to a thread
		defer close(done)
		l, err := throwaway.NewLayer()
		if err != nil {
			return
		}
		defer l.Close()
		l.Longest = 1e9
		for _, name := range names {
			if h, err := options(l, o.nursery.first, name); err == nil && len(h.options) > 0 {
				done <- h
			}
		}
	}()
	return func() (attack, bool) {
		select {
		case h, ok := <-done:
			if ok {
				known = append(known, h)
			}
		default:
		}
		if len(known) == 0 {
			return attack{}, false
		}
		// The newest ones more often, so that each program has its turn.
		n := len(known)
		return known[n-1-min(r.IntN(n), r.IntN(n))].attack(r), true
	}
}
