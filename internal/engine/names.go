package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
)

// Names that the machine has, or the settings of a client: of network interfaces, and of
// the accounts and clusters that a client may talk to. Of settings that hold credentials
// no more is looked at than the lines that begin as one with such a name does.

// unlisted reports whether one of the lists of names ([catalog.NameLists]) surely has no
// entry of a name.
func (o outlook) unlisted(list, name string) bool {
	if name == "" || len(name) > maxPathWord || strings.ContainsAny(name, "/\\\n\x00\"'`") || !o.Spend(4) {
		return false
	}
	switch list {
	case "interfaces":
		return o.noInterface(name)
	}
	if o.st.Context.Privileged { // whose home may be another
		return false
	}
	switch list {
	case "docker-contexts":
		return name != "default" && o.noFileOfName(o.settingsDir("DOCKER_CONFIG", ".docker"), "contexts/meta/"+digest(name))
	case "gcloud-configurations":
		return name != "NONE" && o.noFileOfName(o.settingsDir("CLOUDSDK_CONFIG", ".config/gcloud"), "configurations/config_"+name)
	case "kube-contexts":
		return o.noKubeContext(name)
	case "aws-profiles":
		return name != "default" && o.noProfile(name)
	}
	return false
}

// digest is what docker calls the directory of a context by (docker/cli, context/store).
func digest(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:])
}

// noInterface reports whether this machine surely has no network interface of a name
// (sysfs, /sys/class/net). Another name of one, that udev gives by where it is plugged in,
// is not listed there, and another network namespace has others.
func (o outlook) noInterface(name string) bool {
	const all = "/sys/class/net"
	name, _, _ = strings.Cut(name, ":") // eth0:1
	plain := name != "" && len(name) < 16 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") == "" && !strings.ContainsAny(name[:1], "0123456789.-")
	if !plain || byPlace(name) || slices.Contains([]string{"any", "all", "default"}, name) || o.sc.World.OS != "linux" || slices.ContainsFunc(o.st.Context.Via, otherNetwork) {
		return false
	}
	info, err := world.Stat(o.st.FS, all)
	return err == nil && info.Kind == world.Dir && world.Absent(o.st.FS, path.Join(all, name))
}

// byPlace reports whether a name is of the kind that udev gives by the place of a device
// (systemd.net-naming-scheme(7)).
func byPlace(name string) bool {
	return len(name) > 3 && strings.Contains("en wl ww sl ib", name[:2]) && strings.Contains("abcdiopsuvxP", name[2:3]) && strings.ContainsAny(name[3:4], "0123456789abcdef") && strings.ContainsAny(name, "0123456789")
}

// otherNetwork reports whether what a wrapper runs may have network interfaces of its own.
func otherNetwork(via string) bool { return !catalog.KeepsNetwork(via) }

// settingsDir is the directory of a client's settings, which a variable may name; "" where
// that is not known.
func (o outlook) settingsDir(variable, below string) string {
	if v, set, _ := flow.Env(o.st, o.inv, variable); set && !(v.IsKnown() && v.Empty()) {
		dir, _ := v.Known()
		return dir
	}
	if home := o.home(); home != "" {
		return path.Join(home, below)
	}
	return ""
}

// home is the user's home as programs see it, "" where that is not known.
func (o outlook) home() string {
	if v, set, _ := flow.Env(o.st, o.inv, "HOME"); set {
		home, _ := v.Known()
		return home
	}
	return o.sc.Space.Home
}

// noFileOfName reports whether a file surely is not in a directory of settings, which may be
// missing as a whole.
func (o outlook) noFileOfName(dir, name string) bool {
	return path.IsAbs(dir) && !o.r.Match.MayHave("config") && o.missing(value.Lit(path.Join(dir, name)))
}

// noKubeContext reports whether the kubeconfig, or all files of one, surely has no context of
// a name ("Organizing Cluster Access Using kubeconfig Files").
func (o outlook) noKubeContext(name string) bool {
	files := []string{path.Join(o.home(), ".kube/config")}
	if v, set, _ := flow.Env(o.st, o.inv, "KUBECONFIG"); set && !(v.IsKnown() && v.Empty()) {
		text, known := v.Known()
		if !known {
			return false
		}
		files = strings.Split(text, ":")
	}
	if v, ok := o.r.Match.Value("kubeconfig"); ok {
		text, known := flow.Absolute(o.st, v).Known()
		if !known {
			return false
		}
		files = []string{text}
	}
	for _, file := range files {
		if file != "" && (!path.IsAbs(file) || !o.lacksContext(file, name)) {
			return false
		}
	}
	return true
}

// kubeNames are the beginnings of the lines with the names of contexts, of clusters and of
// users, as kubectl writes them and as people do.
var kubeNames = [...]string{"- name: ", "  name: ", "  - name: ", "    name: "}

// lacksContext reports whether a file of a kubeconfig surely names nothing so.
func (o outlook) lacksContext(file, name string) bool {
	if o.st.FS.Touched(file) {
		return false
	}
	if world.Absent(o.st.FS, file) {
		return true
	}
	file, _ = world.Resolve(o.st.FS, file, true)
	contexts, err := o.st.FS.Lines(file, "contexts:")
	if err != nil || contexts.N != 1 || contexts.First != "" && contexts.First != "[]" {
		return false
	}
	some := 0
	for _, form := range kubeNames {
		all, err := o.st.FS.Lines(file, form)
		if some += all.N; err != nil {
			return false
		}
		for _, quote := range []string{"", `"`, "'"} {
			if found, err := o.st.FS.Lines(file, form+quote+name); err != nil || found.N > 0 {
				return false
			}
		}
	}
	return some > 0 || contexts.First == "[]"
}

// section begins the heading of a part of settings.
const section = "["

// noProfile reports whether the settings of the AWS clients surely have no profile of a name
// (AWS CLI user guide, "Configuration and credential file settings").
func (o outlook) noProfile(name string) bool {
	for _, at := range [][2]string{{"AWS_CONFIG_FILE", ".aws/config"}, {"AWS_SHARED_CREDENTIALS_FILE", ".aws/credentials"}} {
		file := o.settingsDir(at[0], at[1])
		if !path.IsAbs(file) || o.st.FS.Touched(file) {
			return false
		}
		if world.Absent(o.st.FS, file) {
			continue
		}
		file, _ = world.Resolve(o.st.FS, file, true)
		for _, form := range []string{section + name, "[profile " + name, `[profile "` + name, "[profile  " + name, "[ " + name} {
			if found, err := o.st.FS.Lines(file, form); err != nil || found.N > 0 {
				return false
			}
		}
	}
	return true
}
