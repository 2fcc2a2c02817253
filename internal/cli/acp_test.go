package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/heedsh/heed/internal/acp"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/risk"
)

// TestApprovedOverACP: what heed approve let run when permission was asked runs in the
// terminal that follows, in the same world, and neither without that nor in another.
func TestApprovedOverACP(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := filepath.Join(home, "project")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write(".env", "PASSWORD=x\n")
	write("show.sh", "cat .env\n")
	s := Streams{Env: []string{"HOME=" + home, "USER=user", "PATH=/usr/bin:/bin"}, Dir: dir}
	asked := func(agreed string) acp.Verdict {
		return judgeACP(t.Context(), s, "tester", &acp.Command{Session: "s", Text: "sh show.sh", Dir: dir, Agreed: agreed})
	}
	if v := asked(""); v.Action != acp.Deny || v.Agreed != "" {
		t.Fatalf("unasked: %+v", v)
	}
	g := own.Guard(ServiceFor(s, &risk.Request{Dir: dir}), s.Env)
	all, _, err := g.Store.List()
	if err != nil || len(all) != 1 {
		t.Fatalf("requests: %v, %v", all, err)
	}
	if err := g.Store.Answer(all[0].Digest, approval.Answer{State: approval.Approved, By: "person"}); err != nil {
		t.Fatal(err)
	}
	v := asked("")
	if v.Action != acp.Allow || v.Agreed != all[0].Digest {
		t.Fatalf("approved: %+v", v)
	}
	if again := asked(v.Agreed); again.Action != acp.Allow {
		t.Errorf("its terminal: %+v", again)
	}
	for _, agreed := range []string{"", "12ab"} {
		if again := asked(agreed); again.Action != acp.Deny {
			t.Errorf("with the yes %q: %+v", agreed, again)
		}
	}
	write("show.sh", "cat .env; rm -r .\n")
	if again := asked(v.Agreed); again.Action != acp.Deny {
		t.Errorf("in another world: %+v", again)
	}
}
