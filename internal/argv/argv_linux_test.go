package argv

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestMain makes this binary also the process that is looked at.
func TestMain(m *testing.M) {
	if os.Getenv("ARGV_OF") == "" {
		os.Exit(m.Run())
	}
	words, erase := Take()
	for range 2 { // a second time does no harm
		erase()
	}
	line, err := os.ReadFile("/proc/self/cmdline")
	fmt.Printf("%q\n%q\n%v\n", words[1:], line, err)
}

func TestErase(t *testing.T) {
	c := exec.Command(os.Args[0], "run", "--", "pgrep", "-f", "", "needle é")
	c.Env = []string{"ARGV_OF=1"}
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if want := fmt.Sprintf("%q", c.Args[1:]); lines[0] != want {
		t.Errorf("the copy is %s, want %s", lines[0], want)
	}
	if bytes.Contains(out[len(lines[0]):], []byte("needle")) || !strings.Contains(lines[1], os.Args[0]) || lines[2] != "<nil>" {
		t.Errorf("its command line is %s (%s), want the program's name alone", lines[1], lines[2])
	}
}

func TestTakeCopies(t *testing.T) {
	words, _ := Take()
	if !slices.Equal(words, os.Args) {
		t.Errorf("%q, want %q", words, os.Args)
	}
}
