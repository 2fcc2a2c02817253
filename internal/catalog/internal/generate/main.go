// Command generate compiles the specs into the blob that the catalog embeds.
// It refuses specs that do not compile or whose cases fail.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/compile"
	"github.com/heedsh/heed/internal/catalog/hooks"
	"github.com/heedsh/heed/internal/generate"
)

func main() {
	check := flag.Bool("check", false, "write nothing; fail if the blob is stale")
	only := flag.String("only", "", "check just the specs that match these file name patterns (separated by spaces), and write nothing")
	lenient := flag.Bool("lenient", false, "while specs are being written: report what fails, and compile the rest")
	flag.Parse()
	if err := run(*check, *only, *lenient); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(check bool, only string, lenient bool) error {
	specs, err := compile.Dir("specs", "*.yaml")
	if err != nil {
		if !lenient {
			return err
		}
		fmt.Fprintln(os.Stderr, err)
	}
	if only != "" { // a program's parts may stand in other files than those
		specs = slices.DeleteFunc(specs, func(s *compile.Spec) bool { return !s.In(matches(strings.Fields(only))) })
	}
	if err := compile.CheckAll(specs, hooks.Find); err != nil {
		if !lenient {
			return err
		}
		fmt.Fprintln(os.Stderr, err)
	}
	if err := compile.LintAll(specs, hooks.Find); err != nil {
		if !lenient {
			return err
		}
		fmt.Fprintln(os.Stderr, err)
	}
	if only != "" {
		fmt.Printf("%d specs pass their cases\n", len(specs))
		return nil
	}
	var programs []*catalog.Program
	taken := map[string]bool{}
	for _, s := range specs {
		if lenient {
			s.Program.Names = slices.DeleteFunc(s.Program.Names, func(n string) bool { was := taken[n]; taken[n] = true; return was })
		}
		programs = append(programs, s.Program)
	}
	blob, err := catalog.Encode(programs)
	if err != nil {
		return fmt.Errorf("encoding the catalog: %w", err)
	}
	if !check {
		fmt.Printf("%d specs, %d bytes\n", len(specs), len(blob))
	}
	return generate.Write(map[string][]byte{"catalog.bin": blob}, "go generate ./internal/catalog", check)
}

// matches returns whether a file's name fits one of these patterns.
func matches(patterns []string) func(string) bool {
	return func(file string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool {
			ok, err := filepath.Match(p, filepath.Base(file))
			return ok && err == nil
		})
	}
}
