package workspace

import "testing"

func TestLineMakes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line, name string
		want       bool
	}{
		{"\tcc -o bin/app src/a.c", "bin", true},
		{"\t@mkdir -p bin", "bin", true},
		{"\trm -rf out", "out", true},
		{"bin/app: src/a.c", "bin", true},
		{"lib:", "lib", true},
		{"OUT_DIR := out", "out", true},
		{"SCRIPTS := bin", "bin", false},
		{"\tcp -r assets public", "public", true},
		{"\tcp -r public dist", "public", false},
		{"\tcp -r public dist", "dist", true},
		{"\teslint lib bin", "lib", false},
		{"\t./bin/migrate up", "bin", false},
		{"# rm -rf lib", "lib", false},
		{"\tnode gen.js > gen/a.js", "gen", true},
		{"all: lib/a.c", "lib", false},
	} {
		if got := lineMakes(tt.line, tt.name); got != tt.want {
			t.Errorf("lineMakes(%q, %q) = %v, want %v", tt.line, tt.name, got, tt.want)
		}
	}
}

func TestCommandMakes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		command, name string
		want          bool
	}{
		{"babel src -d lib", "lib", true},
		{"tsc --outDir=lib", "lib", true},
		{"tsc --outDir ./lib && cp README.md lib", "lib", true},
		{"rimraf lib && tsc", "lib", true},
		{"shx rm -rf coverage", "coverage", true},
		{"esbuild a.ts --bundle --outfile=public/a.js", "public", true},
		{"serve public", "public", false},
		{"node lib/server.js", "lib", false},
		{"mocha lib/**/*.test.js", "lib", false},
		{"cp lib/a.js /tmp", "lib", false},
	} {
		if got := commandMakes(tt.command, tt.name); got != tt.want {
			t.Errorf("commandMakes(%q, %q) = %v, want %v", tt.command, tt.name, got, tt.want)
		}
	}
}
