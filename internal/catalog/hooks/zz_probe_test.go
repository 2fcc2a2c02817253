package hooks_test

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/compile"
	"github.com/heedsh/heed/internal/catalog/hooks"
)

func TestProbe(t *testing.T) {
	f, err := os.Open(os.Getenv("PROBE"))
	if err != nil {
		t.Skip()
	}
	var ps []*catalog.Program
	for _, p := range strings.Fields(os.Getenv("SPECS")) {
		specs, err := compile.Dir("../specs", p)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range specs {
			ps = append(ps, s.Program)
		}
	}
	c := catalog.FromPrograms(ps, hooks.All())
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		l := sc.Text()
		if l == "" {
			continue
		}
		got, err := compile.Run(c, l)
		if err != nil {
			fmt.Println("ERR", l, err)
			continue
		}
		var q []string
		for _, g := range got {
			if strings.ContainsAny(g, ",:#'\"{}[]&*!|>%@`") || strings.HasPrefix(g, "-") {
				g = "'" + strings.ReplaceAll(g, "'", "''") + "'"
			}
			q = append(q, g)
		}
		k := l
		if strings.ContainsAny(l, "#'\"{}[]&*!|>%@`") || strings.Contains(l, ": ") {
			k = "'" + strings.ReplaceAll(l, "'", "''") + "'"
		}
		fmt.Printf("  %s: [%s]\n", k, strings.Join(q, ", "))
	}
}
