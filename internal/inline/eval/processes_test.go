package eval

import (
	"slices"
	"testing"

	"github.com/heedsh/heed/internal/inline"

	"github.com/heedsh/heed/risk"
)

// TestSignals tells which processes a program signals that searches for them.
func TestSignals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want []string // a name that is searched for in quotes
	}{
		{"import os\nos.kill(12, 9)", []string{"12"}},
		{"import psutil\npsutil.Process(12).kill()", []string{"12"}},
		{"import psutil\nfor p in psutil.process_iter():\n  if p.name() == 'a': p.kill()", []string{"a"}},
		{"import psutil\nfor p in psutil.process_iter():\n  if p.name() != 'a': print(p)", nil},
		{"import psutil\nfor p in psutil.process_iter():\n  if p.name() == 'a': continue\n  if 'b' in p.cmdline(): p.terminate()", []string{"b"}},
		{"import psutil\nfor p in psutil.process_iter(['name']):\n  if p.info['name'] in ('a', 'b'):\n    p.send_signal(9)", []string{"a", "b"}},
		{"import psutil\nfor p in psutil.process_iter():\n  if p.name().lower().startswith('a'): p.suspend()", []string{"a"}},
		{"import os, subprocess as s\nfor x in s.check_output(['pgrep', '-f', 'a']).split(): os.kill(int(x), 9)", []string{"a"}},
		{"import os\nfor x in os.popen('ps ax | grep -i a | grep -v grep').read().splitlines(): os.kill(int(x.split()[0]), 9)", []string{"a"}},
		{"import os\nif 'x' == 'a': os.kill(int(open('pid').read()), 15)", []string{"<an expression>"}},
	} {
		r := Scan("python", tt.text, inline.Host{})
		var got []string
		for _, e := range r.Effects {
			if e.Verb != risk.ProcSignal {
				continue
			}
			got = append(got, e.Target.String())
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s\nsignals %q, want %q", tt.text, got, tt.want)
		}
	}
}
