package hooks

import (
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// TestProcesses tells which processes are left at the end of a pipe.
func TestProcesses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		pipe [][]string
		want string
	}{
		{[][]string{{"ps", "-ef"}}, allProcesses},
		{[][]string{{"ps", "-aux"}}, allProcesses},
		{[][]string{{"ps", "-u", "me"}}, ""},
		{[][]string{{"ps", "-p", "12", "-o", "args="}}, ""},
		{[][]string{{"ps", "-C", "sshd,cron", "-o", "pid="}}, "the processes of sshd|cron"},
		{[][]string{{"pgrep", "-x", "sshd"}}, "the processes of sshd"},
		{[][]string{{"pgrep", "-d", ",", "sshd"}}, "the processes of sshd"},
		{[][]string{{"pgrep", "-u", "me", "sshd"}}, ""},
		{[][]string{{"pgrep", "-v", "sshd"}}, ""},
		{[][]string{{"pidof", "-s", "sshd"}}, "the processes of sshd"},
		{[][]string{{"pidof", "-o", "12", "sshd"}}, "the processes of sshd"},
		{[][]string{{"ps", "aux"}, {"grep", "-i", "sshd"}, {"grep", "-v", "grep"}, {"awk", "{print $2}"}}, "the processes of sshd"},
		{[][]string{{"ps", "aux"}, {"grep", "-e", "a", "-e", "b"}}, "the processes of a|b"},
		{[][]string{{"ps", "aux"}, {"grep", "sshd"}, {"grep", "22"}}, "the processes of sshd 22"},
		{[][]string{{"ps", "aux"}, {"awk", "!/sshd/ && /node/ {print $2}"}}, "the processes of node"},
		{[][]string{{"ps", "aux"}, {"awk", "-F", ":", `$8 != "sshd" {print $2}`}}, allProcesses},
		{[][]string{{"ps", "aux"}, {"awk", `{if ($8 == "sshd") print "node"}`}}, "the processes of sshd"},
		{[][]string{{"ps", "aux"}, {"head", "-1"}}, ""},
		{[][]string{{"cat", "names.txt"}, {"grep", "sshd"}}, ""},
	} {
		out := value.Value{}
		list := ""
		for _, command := range tt.pipe {
			var words []value.Value
			for _, w := range command[1:] {
				words = append(words, value.Lit(w))
			}
			list = Processes(command[0], words, out)
			out = value.Unknown(risk.CauseOutput, list)
		}
		if list != tt.want {
			t.Errorf("%q lists %q, want %q", tt.pipe, list, tt.want)
		}
	}
}

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
		NamedProcesses(&e)
		if e.Verb != tt.verb || e.Kind.String() != tt.detail {
			t.Errorf("%q: %s (%s), want %s (%s)", tt.pattern, e.Verb, e.Kind, tt.verb, tt.detail)
		}
	}
}
