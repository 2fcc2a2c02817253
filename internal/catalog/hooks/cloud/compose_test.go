package cloud

import (
	"slices"
	"testing"
)

func TestOwnVolumes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"none", "services:\n  web:\n    volumes:\n      - data:/d\n", nil},
		{"two, and one of somebody else", "volumes:\n  data:\n  'cache': {}\n  # old\n  theirs:\n    external: true\nservices:\n  web:\n    image: x\n", []string{"data", "cache"}},
		{"with what they are made by", "volumes:\n    data:\n        driver: local # the default\n    logs:\n        name: l\n", []string{"data", "logs"}},
		{"flow style is not read", "volumes: {data: }\n", nil},
		{"empty", "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := ownVolumes(tt.text); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
