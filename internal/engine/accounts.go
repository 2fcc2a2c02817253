package engine

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

// maxAccounts is how much of a list of users or groups is read, in bytes.
const maxAccounts = 256 << 10

// noAccount reports whether this machine surely has no user, or group, of a name: its list
// has none, and no other service is asked for them (passwd(5), nsswitch.conf(5)). Systemd
// makes names while its services run, which are in its own places.
func (o outlook) noAccount(list, name string) bool {
	list = map[string]string{"users": "passwd", "groups": "group"}[list]
	file := path.Join("/etc", list)
	if list == "" || o.sc.World.OS != "linux" || !accountName(name) || o.st.FS.Touched(file) || !o.Spend(4) {
		return false
	}
	if !world.Absent(o.st.FS, "/run/systemd/userdb/io.systemd.Home") || !world.Absent(o.st.FS, "/run/systemd/dynamic-uid/direct:"+name) {
		return false
	}
	if services, err := o.st.FS.ReadFile("/etc/nsswitch.conf", maxAccounts); err == nil {
		for line := range strings.Lines(string(services)) {
			line, _, _ = strings.Cut(line, "#")
			for _, service := range fieldsOf(line, list+":") {
				if service != "files" && service != "compat" && service != "systemd" && service[0] != '[' {
					return false
				}
			}
		}
	}
	data, err := o.st.FS.ReadFile(file, maxAccounts)
	if err != nil || len(data) == 0 || len(data) == maxAccounts {
		return false
	}
	for line := range strings.Lines(string(data)) {
		if who, _, ok := strings.Cut(line, ":"); who == name || !ok && strings.TrimSpace(line) != "" || strings.HasPrefix(line, "+") {
			return false
		}
	}
	return true
}

// fieldsOf are the words of a line behind the first, where that is the key; else none.
func fieldsOf(line, key string) []string {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != key {
		return nil
	}
	return words[1:]
}

// accountName reports whether a word is surely the name of an account, and no number of
// one (useradd(8)).
func accountName(name string) bool {
	return name != "" && strings.Trim(name, "0123456789") != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") == "" && !strings.ContainsAny(name[:1], "-.0123456789")
}
