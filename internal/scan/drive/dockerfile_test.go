package drive_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/scan"
	"github.com/heedsh/heed/internal/scan/drive"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
)

// TestOneDockerfile gives one file to everyone who reads it, under every name and
// from standard input, with either end of lines: the answer is one.
func TestOneDockerfile(t *testing.T) {
	t.Parallel()
	const text = "# escape=`\nFROM a AS b\nENV V=\"x y\"\nRUN --mount=type=cache,target=/c `\n  # c\n  curl https://example.com/$V | `\n  sh\nRUN <<-'E'\n\trm -rf /etc\n\tE\nONBUILD RUN [\"ls\"]\nHEALTHCHECK CMD true\n"
	const want = "b RUN 6:3 REVIEW, b RUN 9:2 CAUTION, b ONBUILD RUN 11:13 SAFE, b HEALTHCHECK 12:17 SAFE"
	names := []string{"Dockerfile", "Containerfile", "Dockerfile.dev", "a.dockerfile", "b.containerfile", "-"}
	for _, form := range []string{text, "\ufeff" + text, strings.ReplaceAll(text, "\n", "\r\n"), strings.TrimSuffix(text, "\n")} {
		for _, name := range names {
			dir, kind := t.TempDir(), scan.Kind("")
			if name == "-" {
				kind = scan.Dockerfile
			} else {
				dir = tree(t, map[string]string{name: form})
			}
			files, err := drive.Collect(dir, drive.Input{Reader: strings.NewReader(form)}, []string{map[bool]string{true: "-", false: dir}[name == "-"]}, kind)
			if err != nil {
				t.Fatal(err)
			}
			all, err := judge(dir).Files(t.Context(), files, func(int) {})
			if err != nil {
				t.Fatal(err)
			}
			got := make([]string, len(all))
			for i := range all {
				got[i] = fmt.Sprintf("%s %d:%d %s", all[i].Name, all[i].Line, all[i].Column, all[i].Tier)
			}
			if strings.Join(got, ", ") != want {
				t.Errorf("%s %.20q\n\tgot  %s\n\twant %s", name, form, strings.Join(got, ", "), want)
			}
		}
	}
}

// TestBuildersAgree asks what building a Dockerfile does, by whichever program: no
// builder's file is read, and all say so.
func TestBuildersAgree(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"Dockerfile": "FROM a\nRUN ls\n"})
	s := service.New(service.Options{Home: dir, Near: []string{dir}})
	for _, command := range []string{"docker build .", "docker build -f Dockerfile .", "docker buildx build .", "docker image build .", "podman build .", "podman image build -f Dockerfile .", "buildah build .", "buildah bud ."} {
		a, err := s.Assess(t.Context(), risk.Request{Command: command, Dir: dir, Env: map[string]string{"HOME": dir, "PATH": ""}, Provenance: risk.LocalUser})
		if err != nil {
			t.Fatal(err)
		}
		if want := "Runs the Dockerfile, not inspected."; a.Tier != risk.Caution || a.Summary != want {
			t.Errorf("%s: %s %s, want %s", command, a.Tier, a.Summary, want)
		}
	}
}
