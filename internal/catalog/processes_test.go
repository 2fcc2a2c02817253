package catalog_test

import (
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

func TestNamedProcesses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		pattern string
		verb    risk.Verb
		detail  string
	}{
		{"sshd", risk.ProcSignal, "system service"},
		{"^sshd$", risk.ProcSignal, "system service"},
		{"[s]shd", risk.ProcSignal, "system service"},
		{"/usr/sbin/sshd", risk.ProcSignal, "system service"},
		{"(node|dockerd)", risk.ProcSignal, "system service"},
		{`node\|dockerd`, risk.ProcSignal, "system service"},
		{"systemd", risk.ProcSignal, "init"},
		{"auditd", risk.DefenseEvade, "service"},
		{"sshd 2222", risk.ProcSignal, ""},
		{"sshd: me@pts/1", risk.ProcSignal, ""},
		{"nginx", risk.ProcSignal, ""},
		{"[", risk.ProcSignal, ""},
		{"", risk.ProcSignal, ""},
	} {
		e := catalog.Effect{Verb: risk.ProcSignal, Target: value.Lit(tt.pattern)}
		catalog.NamedProcesses(&e)
		if e.Verb != tt.verb || e.Kind.String() != tt.detail {
			t.Errorf("%q: %s (%s), want %s (%s)", tt.pattern, e.Verb, e.Kind, tt.verb, tt.detail)
		}
	}
}
