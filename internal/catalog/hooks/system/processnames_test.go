package system

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
		{[][]string{{"ps", "-ef"}}, everyProcess.String()},
		{[][]string{{"ps", "-aux"}}, everyProcess.String()},
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
		{[][]string{{"ps", "aux"}, {"awk", "-F", ":", `$8 != "sshd" {print $2}`}}, everyProcess.String()},
		{[][]string{{"ps", "aux"}, {"awk", `{if ($8 == "sshd") print "node"}`}}, "the processes of sshd"},
		{[][]string{{"ps", "aux"}, {"head", "-1"}}, ""},
		{[][]string{{"cat", "names.txt"}, {"grep", "sshd"}}, ""},
	} {
		hooks := map[string]catalog.Hook{"ps": ps, "pgrep": pgrep, "pidof": pgrep, "grep": Picks(Grepped, nil), "awk": Picks(AwkPicks, nil)}
		site := &catalog.Site{}
		r := &catalog.Result{}
		for _, command := range tt.pipe {
			site.Name, site.Args = command[0], nil
			for _, w := range command[1:] {
				site.Args = append(site.Args, value.Lit(w))
			}
			r = &catalog.Result{}
			if h := hooks[command[0]]; h != nil {
				h(&catalog.Match{}, site, r)
			}
			site.Stdin = value.Of(value.Hole{Cause: risk.CauseOutput, Lists: r.Lists})
		}
		list := r.Lists.String()
		if list != tt.want {
			t.Errorf("%q lists %q, want %q", tt.pipe, list, tt.want)
		}
	}
}
