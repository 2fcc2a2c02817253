// Command generate compiles the rules below pack into the blob that package
// rules embeds. It refuses rules that are not in form or fail their events. It
// runs in the directory of package rules.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/heedsh/heed/internal/detect/rules/internal/compile"
	"github.com/heedsh/heed/internal/detect/sigma"
)

const out = "pack.bin"

func main() {
	check := flag.Bool("check", false, "write nothing; fail if the blob is stale")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(check bool) error {
	dir := os.DirFS("pack")
	pack, err := compile.Dir(dir)
	if err != nil {
		return err
	}
	events, err := compile.Events(dir)
	if err != nil {
		return err
	}
	if err := pack.Try(events); err != nil {
		return err
	}
	blob, err := sigma.Encode(pack.Set)
	if err != nil {
		return fmt.Errorf("encoding the rules: %w", err)
	}
	if check {
		old, err := os.ReadFile(out)
		if err != nil {
			return fmt.Errorf("reading the blob: %w", err)
		}
		if !bytes.Equal(old, blob) {
			return errors.New(out + " is stale: run go generate ./internal/detect/rules")
		}
		return nil
	}
	fmt.Printf("%d rules in %d files, %d bytes\n", pack.Set.Len(), len(pack.Files), len(blob))
	return os.WriteFile(out, blob, 0o644)
}
