package cli

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/confine"
)

// TestBuildProfile builds real projects under the profile `build` and without a box, each
// with a home of its own, and compares all that the builds leave in the project. Nothing
// needs a network.
func TestBuildProfile(t *testing.T) {
	if s := confine.Probe(); s.Landlock < 6 || !s.Seccomp {
		t.Skip("the kernel cannot confine")
	}
	if testing.Short() {
		t.Skip("real builds are slow")
	}
	t.Run("heed", buildHeed)
	t.Run("npm", buildNpm)
	t.Run("python", buildPython)
}

// buildHeed builds this module: the first confined build has no build cache and fills its own.
// It takes minutes, and is for the long run (CONTRIBUTING.md).
func buildHeed(t *testing.T) {
	if os.Getenv("HEED_LONG") == "" {
		t.Skip("builds heed twice from nothing: set HEED_LONG=1")
	}
	needProgram(t, "go")
	b := newBuilds(t, func(dir string) error {
		top, err := filepath.Abs("../..")
		if err != nil {
			return err
		}
		for _, name := range []string{"cmd", "docs", "eval", "internal", "risk"} {
			if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(top, name))); err != nil {
				return err
			}
		}
		for _, name := range []string{"go.mod", "go.sum", "heed.go", "doc.go"} {
			text, err := os.ReadFile(filepath.Join(top, name))
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, name), text, 0o644)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	b.env = append(b.env, "GOFLAGS=-trimpath -buildvcs=false", "GOPROXY=off", "GOTOOLCHAIN=local")
	for _, name := range []string{"GOMODCACHE", "GOCACHE"} {
		where, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		kept := name + "=" + strings.TrimSpace(string(where))
		if name == "GOCACHE" {
			b.free = append(b.free, kept) // without a box everything stands there already
			continue
		}
		b.env = append(b.env, kept)
	}
	b.same(t, []string{"go build -o bin/heed ./cmd/heed", "go vet ./risk", "go build -o bin/again ./cmd/heed"}, nil)
}

// buildNpm installs a package from a directory beside it, and runs a build of two steps.
func buildNpm(t *testing.T) {
	needProgram(t, "node")
	needProgram(t, "npm")
	b := newBuilds(t, files{
		"package.json": `{"name": "shop", "version": "1.0.0", "private": true,
			"scripts": {"build": "node build.js", "postbuild": "chmod 755 dist/shop.js && ln -sf shop.js dist/latest.js"},
			"bin": {"shop": "dist/shop.js"},
			"dependencies": {"prices": "file:lib/prices"}}`,
		"lib/prices/package.json": `{"name": "prices", "version": "2.1.0", "main": "index.js", "bin": {"prices": "bin.js"}, "scripts": {"postinstall": "node -e \"fs.writeFileSync('installed', process.version)\""}}`,
		"lib/prices/index.js":     "module.exports = n => (n / 100).toFixed(2)\n",
		"lib/prices/bin.js":       "#!/usr/bin/env node\nconsole.log(require('./')(Number(process.argv[2])))\n",
		"build.js": `const fs = require('fs'), os = require('os'), path = require('path'), {execFileSync} = require('child_process')
const tmp = fs.mkdtempSync(path.join(os.tmpdir(), 'build-'))
const price = execFileSync('prices', ['1250'], {encoding: 'utf8'}).trim()
fs.writeFileSync(path.join(tmp, 'shop.js'), 'console.log(' + JSON.stringify(price + ' ' + require('prices')(99)) + ')\n')
fs.mkdirSync('dist', {recursive: true})
fs.copyFileSync(path.join(tmp, 'shop.js'), 'dist/shop.js')
`,
	}.write)
	b.env = append(b.env, "npm_config_offline=true", "npm_config_audit=false", "npm_config_fund=false", "npm_config_update_notifier=false")
	b.same(t, []string{"npm install", "npm run build", "npm run build", "npm ci --install-links", "npm pack --ignore-scripts"}, func(p string) bool {
		return filepath.Ext(p) == ".tgz" // npm keeps the time in it
	})
}

// buildPython makes an environment and installs a package into it that is built by a backend
// of its own, and so needs no other.
func buildPython(t *testing.T) {
	needProgram(t, "python3")
	python, err := exec.Command("python3", "-c", "import sys, ensurepip, venv; print(sys.executable)").Output()
	if err != nil {
		t.Skip("needs python3 with venv and ensurepip")
	}
	b := newBuilds(t, files{
		"pyproject.toml": "[build-system]\nrequires = []\nbuild-backend = \"backend\"\nbackend-path = [\"tools\"]\n\n[project]\nname = \"shop\"\nversion = \"1.0\"\n",
		"src/shop.py":    "def main():\n    print('shop')\n",
		"tools/backend.py": `import pathlib, tempfile, zipfile

def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    info = "shop-1.0.dist-info/"
    members = {
        "shop.py": pathlib.Path("src/shop.py").read_text(),
        info + "METADATA": "Metadata-Version: 2.1\nName: shop\nVersion: 1.0\n",
        info + "WHEEL": "Wheel-Version: 1.0\nGenerator: backend\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        info + "entry_points.txt": "[console_scripts]\nshop = shop:main\n",
    }
    members[info + "RECORD"] = "".join(name + ",,\n" for name in [*members, info + "RECORD"])
    pathlib.Path("build").mkdir(exist_ok=True)
    pathlib.Path("build/log").write_text("built\n")
    name = "shop-1.0-py3-none-any.whl"
    with tempfile.TemporaryFile() as scratch:
        with zipfile.ZipFile(scratch, "w") as wheel:
            for member, text in members.items():
                wheel.writestr(zipfile.ZipInfo(member), text)
        scratch.seek(0)
        pathlib.Path(wheel_directory, name).write_bytes(scratch.read())
    return name
`,
	}.write)
	b.env[0] = "PATH=/usr/bin:/bin" // pip asks a rustc of the person's for its version, who makes a home for it
	b.env = append(b.env, "PIP_DISABLE_PIP_VERSION_CHECK=1", "PYTHONDONTWRITEBYTECODE=1")
	b.same(t, []string{
		strings.TrimSpace(string(python)) + " -m venv .venv",
		".venv/bin/pip install --no-index --no-build-isolation .",
		".venv/bin/shop",
		".venv/bin/python -m unittest discover -s src",
		".venv/bin/pip wheel --no-index -w dist .",
	}, func(p string) bool {
		return filepath.Ext(p) == ".pyc" // which holds the time of its source
	})
}

func needProgram(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("needs %s", name)
	}
}

// Files make a project: texts by name.
type files map[string]string

func (f files) write(dir string) error {
	for name, text := range f {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Builds are two builds of one project, one after the other at the same place: what they
// leave may name it.
type builds struct {
	top, dir  string
	project   func(dir string) error
	env, free []string // of both, and of the one without a box besides
}

func newBuilds(t *testing.T, project func(dir string) error) *builds {
	t.Helper()
	// Not below /tmp, of which programs think otherwise.
	top, err := os.MkdirTemp("/var/tmp", "heed-builds-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(top) })
	return &builds{top: top, dir: filepath.Join(top, "shop"), project: project, env: []string{"PATH=" + os.Getenv("PATH"), "USER=u", "LC_ALL=C.UTF-8"}}
}

// same runs the lines in turn, without a box and in one, and compares what they print on
// standard output, how they end and what they leave but for what left says.
func (b *builds) same(t *testing.T, lines []string, left func(string) bool) {
	t.Helper()
	free := b.build(t, lines, left)
	boxed := b.build(t, lines, left, "heed", "run", "--profile", "build", "--")
	for p, was := range free {
		if is, there := boxed[p]; !there {
			t.Errorf("the confined build leaves no %s", p)
		} else if is != was {
			t.Errorf("%s differs: %s, confined %s", p, was, is)
		}
	}
	for p := range boxed {
		if _, there := free[p]; !there {
			t.Errorf("the confined build alone leaves %s", p)
		}
	}
	if len(free) == 0 {
		t.Error("nothing was compared")
	}
}

// build makes the project anew, runs the lines and returns what they leave.
func (b *builds) build(t *testing.T, lines []string, left func(string) bool, with ...string) map[string]string {
	t.Helper()
	home := filepath.Join(b.top, "home")
	if err := errors.Join(os.RemoveAll(home), os.RemoveAll(b.dir), os.Mkdir(home, 0o755), os.Mkdir(b.dir, 0o755), b.project(b.dir)); err != nil {
		t.Fatal(err)
	}
	// What a box has to keep stands in the home and in the project.
	secrets := files{".ssh/id_ed25519": "x\n", ".npmrc": "", ".netrc": "x\n"}
	if err := secrets.write(home); err != nil {
		t.Fatal(err)
	}
	env := append(slices.Clone(b.env), "HOME="+home)
	if len(with) == 0 {
		env = append(env, b.free...)
	}
	for _, line := range lines {
		words := append(slices.Clone(with), strings.Fields(line)...)
		c := exec.Command(words[0], words[1:]...)
		if strings.HasPrefix(words[0], ".") {
			c.Path, c.Err = filepath.Join(b.dir, words[0]), nil
		}
		c.Dir, c.Env = b.dir, env
		var errs bytes.Buffer
		c.Stderr = &errs
		out, err := c.Output()
		if err != nil || strings.Contains(errs.String(), "heed run: ") {
			t.Fatalf("%s: %v\n%s%s", strings.Join(words, " "), err, out, errs.String())
		}
	}
	got, err := leaves(b.dir, left)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// leaves says what everything below a directory is: mode, and contents or where it leads.
func leaves(dir string, left func(string) bool) (map[string]string, error) {
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		i, err := d.Info()
		if err != nil {
			return err
		}
		what := i.Mode().String()
		switch {
		case left != nil && left(p):
		case i.Mode().IsRegular():
			text, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			what += fmt.Sprintf(" %d %x", len(text), sha256.Sum256(text))
		case i.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(p)
			if err != nil {
				return err
			}
			what += " " + to
		}
		rel, err := filepath.Rel(dir, p)
		out[rel] = what
		return err
	})
	return out, err
}
