package recipe_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/compile"
	"github.com/heedsh/heed/internal/catalog/hooks"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world/fakeworld"
)

// describe says what a command line of plain words does in a world.
func describe(t *testing.T, world, spec, line string) []string {
	t.Helper()
	w, dir, env := fakeworld.Must(t, world)
	specs, err := compile.Dir("../../specs", spec)
	if err != nil {
		t.Fatal(err)
	}
	var programs []*catalog.Program
	for _, s := range specs {
		programs = append(programs, s.Program)
	}
	c := catalog.FromPrograms(programs, hooks.Find)
	words := strings.Fields(line)
	p, ok := c.Lookup(words[0])
	if !ok {
		t.Fatalf("no spec for %q", words[0])
	}
	var args []value.Value
	for _, word := range words[1:] {
		args = append(args, value.Lit(word))
	}
	r := c.Describe(p, args, &catalog.Site{World: w, Dir: dir, Name: words[0], Env: func(n string) (value.Value, bool, bool) {
		v, ok := env[n]
		return value.Lit(v), ok, false
	}})
	lines := compile.Lines(r)
	slices.Sort(lines)
	return lines
}

func TestPackageScripts(t *testing.T) {
	t.Parallel()
	const world = `
dir /home/u/p/src
/home/u/p/package.json <<
    {"name": "p", "Scripts": {"build": "no"}, "scripts": {
      "prebuild": "rm -rf dist", "build": "tsc -p .", "test": "jest", "postinstall": "node evil.js", "lint:js": "eslint .", "lint:css": "stylelint ."}}
/home/u/p/packages/web/package.json <<
    {"name": "@a/web", "scripts": {"dev": "vite"}}
/home/u/p/node_modules/.bin/tsc binary
`
	for line, want := range map[string][]string{
		"npm run build -- --watch a$b": {"exec.project build (inspected script)", "run shell/sh: rm -rf dist", "run shell/sh: tsc -p . --watch 'a$b'"},
		"npm test":                     {"exec.project test (inspected script)", "run shell/sh: jest"},
		"npm install":                  {"pkg.install dependencies of this project", "run shell/sh: node evil.js"},
		"npm i --ignore-scripts":       {"pkg.install dependencies of this project"},
		"npm i lodash":                 {"pkg.install lodash"},
		"npm run none":                 {"exec.project none (package script)"},
		"npm run none --if-present":    {},
		"npm -w @a/web run dev":        {"exec.project dev (inspected script)", "run shell/sh: vite"},
		"yarn":                         {"pkg.install dependencies of this project", "run shell/sh: node evil.js"},
		"yarn tsc --noEmit":            {"run argv: tsc --noEmit"},
		"pnpm --filter @a/web dev":     {"exec.project dev (inspected script)", "run shell/sh: vite"},
		"pnpm -r test":                 {"exec.project test (package script)"},
		"bun run build":                {"exec.project build (inspected script)", "run shell/sh: rm -rf dist", "run shell/sh: tsc -p ."},
		"npx tsc -v":                   {"exec.project tsc (installed package)", "run argv: tsc -v"},
		"npm start":                    {"run script/node: server.js"},
	} {
		if diff := cmp.Diff(want, describe(t, world, "npm.yaml", line)); diff != "" {
			t.Errorf("%s:\n%s", line, diff)
		}
	}
}

func TestMakefiles(t *testing.T) {
	t.Parallel()
	const world = `
dir /home/u/p
env HOME=/home/u
/home/u/p/Makefile <<
    # comment
    BIN := bin
    SRC = $(BIN)/src
    VERSION ?= $(shell git describe)
    OBJS := a.o b.o
    ifeq ($(shell uname),Linux)
    OPEN := xdg-open
    else
    OPEN := open
    endif
    ifdef UNKNOWN_$(VERSION)
    FLAG := -x
    else
    FLAG := -y
    endif
    export GOFLAGS := -mod=vendor
    .PHONY: all build clean
    all: build
    	@echo done $(FLAG)
    build: $(OBJS:.o=.c) | prepare
    	cc -o $@ $^ \
    	   -lm
    	-strip $@
    prepare:
    	mkdir -p $(BIN)
    clean: ; rm -rf $(BIN)/* $(UNSET)/lib
    deploy: HOST = prod
    deploy:
    	ssh $(HOST) "echo $$HOME"
    	$(MAKE) -C sub x
    %.html: %.md
    	pandoc $< -o $@
    include extra.mk
    -include .missing
    odd:
    	$(foreach x,a b,rm $(x);)
    ver:
    	echo $(VERSION)
    open:
    	$(OPEN) x
    dirs: $(addprefix out/,a b)
    out/%:
    	mkdir $@ $(notdir $@) $(HOME)
/home/u/p/extra.mk <<
    extra:
    	rm -rf $(HOME)/x
/home/u/p/bad/Makefile <<
    include gone.mk
    all:
    	rm -rf $(D)/x
`
	for line, want := range map[string][]string{
		"make": {
			"exec.project the makefile (inspected script)", "run shell/sh: GOFLAGS=-mod=vendor cc -o build a.c b.c \\\n   -lm",
			"run shell/sh: GOFLAGS=-mod=vendor echo done $(FLAG)", "run shell/sh: GOFLAGS=-mod=vendor mkdir -p bin", "run shell/sh: GOFLAGS=-mod=vendor strip build",
		},
		"make clean":         {"exec.project clean (inspected script)", "run shell/sh: GOFLAGS=-mod=vendor rm -rf bin/* /lib"},
		"make clean UNSET=x": {"exec.project clean (inspected script)", "run shell/sh: UNSET=x GOFLAGS=-mod=vendor rm -rf bin/* x/lib"},
		"make deploy":        {"exec.project deploy (inspected script)", "run shell/sh: GOFLAGS=-mod=vendor make -C sub x", `run shell/sh: GOFLAGS=-mod=vendor ssh prod "echo $HOME"`},
		"make a.html":        {"exec.project a.html (inspected script)", "run shell/sh: GOFLAGS=-mod=vendor pandoc a.md -o a.html"},
		"make extra":         {"exec.project extra (inspected script)", "run shell/sh: GOFLAGS=-mod=vendor rm -rf /home/u/x"},
		"make open":          {"exec.project open (inspected script)", "run shell/sh: GOFLAGS=-mod=vendor xdg-open x"},
		"make dirs":          {"exec.project dirs (inspected script)", "run shell/sh: GOFLAGS=-mod=vendor mkdir out/a a /home/u", "run shell/sh: GOFLAGS=-mod=vendor mkdir out/b b /home/u"},
		"make none":          {"exec.project none (makefile)"},
		"make -n all":        {},
		"make -C bad":        {"exec.project the makefile (makefile)", "run shell/sh: rm -rf $(D)/x"},
		"make -C none":       {"exec.project the makefile (makefile)"},
	} {
		got := slices.DeleteFunc(describe(t, world, "make.yaml", line), func(s string) bool { return strings.Contains(s, "git describe") })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", line, diff)
		}
	}
}

func FuzzMakefile(f *testing.F) {
	for _, seed := range []string{
		"a: b\n\trm -rf $(X)\nb:\n", "X = $(X)$(X)\na:;$(X)", "define A\nx\nendef\na:\n\t$(call A,1)\n", "ifeq (a,$(b))\nelse ifdef x\nendif\n",
		"a%: b% ; $(patsubst %,$*,$^)", "A=$(A:a=b)\n\\\n\\", "$(", "export\n", "a: X += 1\n", "include $(x)\n", "X != id\na: $(X)\n\t$@$<",
	} {
		f.Add(seed)
	}
	spec, err := compile.Dir("../../specs", "make.yaml")
	if err != nil {
		f.Fatal(err)
	}
	c := catalog.FromPrograms([]*catalog.Program{spec[0].Program}, hooks.Find)
	p, _ := c.Lookup("make")
	f.Fuzz(func(t *testing.T, text string) {
		args := []value.Value{value.Lit("-f"), value.Lit("-")}
		r := c.Describe(p, args, &catalog.Site{Name: "make", Dir: "/p", Stdin: value.Lit(text), HasStdin: true, Env: func(string) (value.Value, bool, bool) { return value.Value{}, false, false }})
		if len(r.Effects) == 0 || len(r.Runs) > 500 {
			t.Errorf("%d effects, %d runs", len(r.Effects), len(r.Runs))
		}
	})
}
