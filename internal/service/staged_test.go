package service_test

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/service"
)

// Where it is not known what is staged, that is an error and not an empty list. With
// real git: internal/cli/testdata/script/scan-staged.txtar.
func TestStagedIsNotKnown(t *testing.T) {
	t.Parallel()
	all := func(string) bool { return true }
	s, req := in(t, "git /w on main\ndir /elsewhere", service.Options{})
	staged, err := s.Staged("/w", req.Env)
	if err != nil || staged.Top != "/w" {
		t.Fatalf("%+v, %v", staged, err)
	}
	if files, err := staged.Files(1, all); err == nil || !strings.HasPrefix(err.Error(), "reading what is staged in /w: ") {
		t.Errorf("%v, %v", files, err)
	}
	if _, err := s.Staged("/elsewhere", req.Env); err == nil || err.Error() != "/elsewhere is in no git repository" {
		t.Errorf("%v", err)
	}
}
