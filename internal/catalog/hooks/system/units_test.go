package system

import (
	"path"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/overlay"
	"github.com/heedsh/heed/risk"
)

// files is a file system of nothing but kinds of files.
type files map[string]world.Kind

func (f files) Lstat(name string) (world.Info, error) {
	if k, ok := f[name]; ok {
		return world.Info{Kind: k}, nil
	}
	for n := range f {
		if strings.HasPrefix(n, strings.TrimSuffix(name, "/")+"/") {
			return world.Info{Kind: world.Dir}, nil
		}
	}
	return world.Info{}, nil
}

// Readlink: every link leads to the file of its name that came with a package.
func (files) Readlink(name string) (string, error) {
	return "/usr/lib/systemd/system/" + path.Base(name), nil
}
func (files) ReadDir(string, int) ([]world.Entry, error) { return nil, world.ErrNotExist }
func (files) ReadFile(string, int64) ([]byte, error)     { return nil, world.ErrNotExist }
func (files) Lines(string, string) (world.Lines, error)  { return world.Lines{}, world.ErrNotExist }
func (files) Mount(string) (world.Mount, error)          { return world.Mount{}, nil }

// TestUnits: what came with the system or a package is a setting, what somebody
// put there runs again (systemd.unit(5), "Unit File Load Path").
func TestUnits(t *testing.T) {
	t.Parallel()
	fs := files{
		"/usr/lib/systemd/system/web.service": world.Regular, "/usr/lib/systemd/system/web.timer": world.Regular,
		"/usr/lib/systemd/system/inst@.service": world.Regular, "/lib/systemd/system/old.socket": world.Regular,
		"/etc/systemd/system/web.timer": world.Regular, "/etc/systemd/system/mine.service": world.Regular,
		"/etc/systemd/system/inst@special.service": world.Regular,
		"/etc/systemd/system/dbus-web.service":     world.Symlink, "/usr/lib/systemd/system/dbus-web.service": world.Regular,
		"/usr/local/lib/systemd/system/local.service": world.Regular, "/run/systemd/generator/gen.mount": world.Regular,
		"/home/u/.config/systemd/user/sync.service": world.Regular, "/home/u/.local/share/systemd/user/share.service": world.Regular,
		"/usr/lib/systemd/user/pipe.service": world.Regular, "/etc/init.d/oldstyle": world.Regular,
		"/x/systemd/user/elsewhere.service": world.Regular, "/units/extra.service": world.Regular,
		"/img/usr/lib/systemd/system/inner.service": world.Regular, "/img/etc/systemd/system/put.service": world.Regular,
	}
	for _, tt := range []struct {
		line, env string
		want      risk.Kind
	}{
		{"enable web", "", risk.NoKind},
		{"enable --now web.service", "", risk.NoKind},
		{"reenable web", "", risk.NoKind},
		{"enable old.socket gen.mount", "", risk.NoKind},
		{"enable web.timer", "", unitOwn}, // /etc comes before /usr/lib
		{"enable mine", "", unitOwn},
		{"add-wants multi-user.target mine", "", unitOwn},
		{"add-requires web.service web", "", risk.NoKind},
		{"enable inst@a.service", "", risk.NoKind},
		{"enable inst@a", "", risk.NoKind},
		{"enable inst@special", "", unitOwn},
		{"enable inst@", "", risk.NoKind},
		{"enable dbus-web", "", risk.NoKind},
		{"enable local", "", unitOwn},
		{"enable nowhere", "", unitMissing},
		{"enable web.path", "", unitMissing},
		{"enable oldstyle", "", risk.NoKind},
		{"--user enable oldstyle", "", unitMissing},
		{"enable ./web.service", "", unitNamed},
		{"--user enable pipe", "", risk.NoKind},
		{"--user enable sync", "", unitOwn},
		{"--user enable share", "", unitOwn},
		{"--user enable web", "", unitMissing},
		{"--user enable elsewhere", "XDG_CONFIG_HOME=/x", unitOwn},
		{"--user enable sync", "XDG_CONFIG_HOME=/x", unitMissing},
		{"--global enable pipe", "", risk.NoKind},
		{"--global enable sync", "", unitMissing},
		{"enable extra", "SYSTEMD_UNIT_PATH=/units:", unitOwn},
		{"--root /img enable inner", "", risk.NoKind},
		{"--root=/img enable put", "", unitOwn},
		{"--root=/img enable web", "", unitMissing},
		{"--root=/ enable nowhere", "", unitMissing},
		{"-H far.test enable nowhere", "", risk.NoKind},
		{"-M box enable nowhere", "", risk.NoKind},
		{"--image=i.raw enable nowhere", "", risk.NoKind},
		{"preset mine", "", unitOwn},
		{"preset nowhere", "", risk.NoKind},
		{"preset --preset-mode=disable-only mine", "", risk.NoKind},
		{"restart mine", "", risk.NoKind},
		{"disable mine", "", risk.NoKind},
	} {
		if got := unitDetail(overlay.New(fs), tt.line, tt.env, nil); got != tt.want {
			t.Errorf("%s systemctl %s: %q, want %q", tt.env, tt.line, got, tt.want)
		}
	}
}

// TestUnitsOfCommand: the units that the command itself makes are nobody's
// packages', those that packages it installs bring are.
func TestUnitsOfCommand(t *testing.T) {
	t.Parallel()
	fs := overlay.New(files{"/usr/lib/systemd/system/web.service": world.Regular})
	fs.Create("/usr/lib/systemd/system/web.service", value.Lit(""), true)
	fs.Create("/etc/systemd/system/new.service", value.Lit(""), true)
	for _, tt := range []struct {
		unit, installer string
		want            risk.Kind
	}{
		{"web", "", unitMade},
		{"new", "apt-get", unitMade},
		{"nowhere", "", unitMissing},
		{"nowhere", "apt-get", risk.NoKind},
		{"nowhere", "dnf", risk.NoKind},
		{"nowhere", "npm", unitMissing},
	} {
		if got := unitDetail(fs, "enable "+tt.unit, "", []string{tt.installer}); got != tt.want {
			t.Errorf("%s, after %s: %q, want %q", tt.unit, tt.installer, got, tt.want)
		}
	}
}

// TestBootScripts: a script of /etc/init.d tells nothing of who put it there,
// unless the command itself did.
func TestBootScripts(t *testing.T) {
	t.Parallel()
	fs := overlay.New(files{"/etc/init.d/web": world.Regular})
	fs.Create("/etc/init.d/new", value.Lit(""), true)
	for line, want := range map[string]risk.Verb{
		"update-rc.d web defaults": risk.SysConfig, "update-rc.d new enable": risk.PersistAdd, "chkconfig new on": risk.PersistAdd,
		"rc-update add new default": risk.PersistAdd, "rc-update add web": risk.SysConfig, "update-rc.d nowhere defaults": risk.SysConfig,
		"update-rc.d new remove": risk.SysConfig,
	} {
		words := strings.Fields(line)
		r := serviceLine(fs, words[0], words[1:], "", nil)
		if len(r.Effects) != 1 || r.Effects[0].Verb != want {
			t.Errorf("%s: %v, want %s", line, r.Effects, want)
		}
	}
}

// unitDetail says what a systemctl line adds that runs again.
func unitDetail(fs *overlay.FS, line, env string, installers []string) risk.Kind {
	for _, e := range serviceLine(fs, "systemctl", strings.Fields(line), env, installers).Effects {
		if e.Verb == risk.PersistAdd {
			return e.Kind
		}
	}
	return risk.NoKind
}

func serviceLine(fs *overlay.FS, program string, words []string, env string, installers []string) *catalog.Result {
	c := catalog.New(Hook)
	p, _ := c.Lookup(program)
	var args []value.Value
	for _, w := range words {
		args = append(args, value.Lit(w))
	}
	name, text, set := strings.Cut(env, "=")
	return c.Describe(p, args, &catalog.Site{
		Name: program, Dir: "/w", World: &world.World{FS: fs, User: world.User{Home: "/home/u"}},
		Env:       func(n string) (value.Value, bool, bool) { return value.Lit(text), set && n == name, false },
		Installed: func() []string { return installers },
	})
}
