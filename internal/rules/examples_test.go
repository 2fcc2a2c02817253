package rules_test

import (
	"testing"

	"github.com/heedsh/heed/internal/detect/pattern"
	"github.com/heedsh/heed/internal/rules"
)

func TestBuiltinExamples(t *testing.T) {
	t.Parallel()
	for _, err := range rules.Examples(t.Context(), pattern.Builtin()) {
		t.Error(err)
	}
}
