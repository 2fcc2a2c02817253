package osworld

import (
	"os"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

// passwdLimit bounds what is read of /etc/passwd: 1 MiB is some 15,000 accounts.
const passwdLimit = 1 << 20

// user describes the process's real user. Accounts that are only in a
// directory service (LDAP, macOS Open Directory) are not found: asking one
// would mean the network.
func user(f world.FS, opt Options) world.User {
	u := world.User{UID: os.Getuid(), Name: opt.Name, Home: opt.Home}
	if u.Name != "" && u.Home != "" && !opt.Homes {
		return u
	}
	text, err := f.ReadFile("/etc/passwd", passwdLimit)
	if err != nil {
		return u // no accounts: ~name stays unknown, which is what it is
	}
	for _, a := range parsePasswd(string(text)) {
		if a.uid == u.UID && u.Home == "" {
			u.Home = a.home
		}
		if a.uid == u.UID && u.Name == "" {
			u.Name = a.name
		}
		if !opt.Homes {
			continue
		}
		if u.Homes == nil {
			u.Homes = make(map[string]string)
		}
		if _, twice := u.Homes[a.name]; !twice { // getpwnam(3) answers with the first
			u.Homes[a.name] = a.home
		}
	}
	return u
}

type account struct {
	name string
	uid  int
	home string
}

// parsePasswd reads name:password:uid:gid:gecos:home:shell lines and skips
// what has another shape. Source: passwd(5).
func parsePasswd(text string) []account {
	var all []account
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), ":")
		if len(fields) != 7 || fields[0] == "" || fields[0][0] == '#' || !strings.HasPrefix(fields[5], "/") {
			continue
		}
		uid, err := strconv.Atoi(fields[2])
		if err != nil || uid < 0 {
			continue
		}
		all = append(all, account{name: fields[0], uid: uid, home: fields[5]})
	}
	return all
}
