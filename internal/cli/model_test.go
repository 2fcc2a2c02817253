package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/detect/onnx/onnxtest"
	"github.com/heedsh/heed/risk"
)

// checkWith checks a command with the model in a file.
func checkWith(t *testing.T, model, command string) (risk.Assessment, string) {
	t.Helper()
	s, out, errs := streams(t, "")
	if code := Main([]string{"check", "--json", "--model", model, command}, s); code != ExitOK {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	var a risk.Assessment
	if err := json.NewDecoder(bytes.NewReader(out.Bytes())).Decode(&a); err != nil {
		t.Fatal(err)
	}
	return a, errs.String()
}

func semantic(t *testing.T, a *risk.Assessment) risk.Layer {
	t.Helper()
	i := slices.IndexFunc(a.Layers, func(l risk.Layer) bool { return l.Name == "semantic" })
	if i < 0 {
		t.Fatalf("no semantic layer in %v", a.Layers)
	}
	return a.Layers[i]
}

func TestModelIsAsked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, f := range onnxtest.New(onnxtest.Tiny(), 1).Files() {
		if err := os.WriteFile(filepath.Join(dir, name), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a, errs := checkWith(t, filepath.Join(dir, "model.onnx"), "ls -la")
	if !strings.HasPrefix(a.Inputs.Model, "sha256:") || errs != "" {
		t.Errorf("model %q, standard error %q", a.Inputs.Model, errs)
	}
	if l := semantic(t, &a); l.Error != "" || l.Intent == "" {
		t.Errorf("layer %+v", l)
	}
	own, _ := checkWith(t, "", "ls -la")
	if own.Inputs.Model == a.Inputs.Model {
		t.Errorf("both are judged by %q", own.Inputs.Model)
	}
	if a.Tier < own.Tier {
		t.Errorf("the model lowers %v to %v", own.Tier, a.Tier)
	}
	long, _ := checkWith(t, filepath.Join(dir, "model.onnx"), "echo "+strings.Repeat("word ", 5000))
	if l := semantic(t, &long); !strings.Contains(l.Error, "longer than the model reads") {
		t.Errorf("a tail that was not seen: %+v", l)
	}
}

func TestModelThatCannotAnswer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.onnx")
	if err := os.WriteFile(broken, []byte("no model"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{broken, filepath.Join(dir, "missing.onnx")} {
		a, errs := checkWith(t, name, "rm -rf /")
		if !strings.Contains(errs, "is not used") {
			t.Errorf("%s: standard error %q", name, errs)
		}
		l := semantic(t, &a)
		if l.Error == "" || l.Confidence != 0.6 || l.Intent != "DESTRUCTIVE" || a.Tier != risk.Review {
			t.Errorf("%s: tier %v, layer %+v", name, a.Tier, l)
		}
	}
}
