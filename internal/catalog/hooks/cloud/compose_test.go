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

func TestEnvFiles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"services:\n  a:\n    env_file: .env\n":                                            {".env"},
		"services:\n  a:\n    env_file:\n      - .env\n      - \"b.env\"\n    image: x\n":  {".env", "b.env"},
		"services:\n  a:\n    env_file:\n    - .env # here\n    ports:\n    - 80:80\n":     {".env"},
		"services:\n  a:\n    env_file:\n      - path: ./p.env\n        required: false\n": {"./p.env"},
		"services: {a: {env_file: .env, image: x}}\n":                                      {".env"},
		"services: {a: {image: x, env_file: [a.env, b.env]}}\n":                            {"a.env", "b.env"},
		"services:\n  a:\n    environment:\n      - A=.env\n":                              nil,
		"services:\n  a:\n    env_file: ${F}\n":                                            nil,
	} {
		if got := envFiles(text); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestInterpolates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"command: echo $A\n": true, "image: x:${TAG:-1}\n": true, "command: echo $$A\n": false, "cost: 5$\n": false, "price: $5\n": false, "": false,
		"command: echo $$ $B\n": true,
	} {
		if got := interpolates(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
