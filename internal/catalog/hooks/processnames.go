package hooks

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// isSystemService reports whether a machine cannot be used, or not be reached
// any more, once every process of this name is gone: what lets people sign in,
// the network, the message bus, the devices, the disks, the screen, and what
// holds every container of the machine. What can be missed for a while is not
// here: printing, discovery, time, scheduled jobs, web servers and databases.
func isSystemService(name string) bool {
	return slices.Contains([]string{
		"sshd", "dropbear", "sssd", "polkitd", "dbus-daemon", "dbus-broker", "systemd-logind", "systemd-journald", "systemd-udevd", "udevd", "systemd-networkd",
		"systemd-resolved", "NetworkManager", "wpa_supplicant", "dhclient", "dhcpcd", "multipathd", "iscsid",
		"Xorg", "Xwayland", "gdm", "gdm3", "sddm", "lightdm", "gnome-shell", "kwin_wayland", "kwin_x11", "agetty", "getty",
		"dockerd", "docker-proxy", "containerd", "docker-containerd", "containerd-shim", "containerd-shim-runc-v2", "docker-containerd-shim", "runc", "crio", "conmon", "kubelet",
		"WindowServer", "loginwindow", "configd", "opendirectoryd", "securityd",
	}, name)
}

// isInit reports whether a name is that of the first process, or of the kernel.
func isInit(name string) bool {
	return slices.Contains([]string{"init", "systemd", "launchd", "kernel_task"}, name)
}

// bareNames returns the names that a pattern for processes lists: its
// alternatives, without anchors, directories, and the brackets around one
// letter by which `grep '[s]shd'` does not find itself.
func bareNames(pattern string) []string {
	pattern = strings.TrimSuffix(strings.TrimPrefix(strings.ReplaceAll(pattern, `\|`, "|"), "("), ")")
	var names []string
	for name := range strings.SplitSeq(pattern, "|") {
		name = strings.TrimSpace(strings.NewReplacer("^", "", "$", "", `\b`, "", `\<`, "", `\>`, "").Replace(name))
		if open := strings.IndexByte(name, '['); open >= 0 && open+2 < len(name) && name[open+2] == ']' {
			name = name[:open] + name[open+1:open+2] + name[open+3:]
		}
		if strings.HasPrefix(name, "/") && !strings.HasSuffix(name, "/") {
			name = path.Base(name)
		}
		names = append(names, name)
	}
	return names
}

// NamedProcesses completes a signal to the processes that a pattern finds: one
// that the machine cannot do without, or that defends it.
func NamedProcesses(e *catalog.Effect) {
	pattern, known := e.Target.Known()
	if !known {
		return
	}
	names := bareNames(pattern)
	switch {
	case slices.ContainsFunc(names, isInit):
		e.Kind = risk.KindInit
	case slices.ContainsFunc(names, isSystemService):
		e.Kind = risk.KindSystemService
	case isDefender(e.Target):
		e.Verb, e.Kind = risk.DefenseEvade, risk.KindService
	}
}

// A listing of processes is output that is not known; the name of its hole
// says which processes are in it, in these words.
const (
	allProcesses   = "some that ps lists"
	foundProcesses = "the processes of "
)

// Processes names the processes that a program lists, or that a filter leaves
// of a list that it reads. It returns "" for every other output.
func Processes(program string, words []value.Value, stdin value.Value) string {
	switch program {
	case "ps":
		return psLists(words)
	case "pgrep", "pidof":
		return searched(program, words)
	}
	list := listed(stdin)
	if list == "" {
		return ""
	}
	pattern := ""
	switch program {
	case "grep", "egrep", "fgrep", "rg":
		pattern = grepped(words)
	case "awk", "gawk", "mawk", "nawk":
		pattern = awkPicks(words)
	case "cut", "tr", "sort", "uniq", "sed", "cat", "tee", "tac", "xargs", "echo", "column":
	default:
		return ""
	}
	switch {
	case pattern == "":
		return list
	case list == allProcesses:
		return foundProcesses + pattern
	}
	return list + " " + pattern
}

// listed returns the words for the list of processes in a value.
func listed(v value.Value) string {
	for _, h := range v.Holes() {
		if h.Name == allProcesses || strings.HasPrefix(h.Name, foundProcesses) {
			return h.Name
		}
	}
	return ""
}

// psLists reads what ps lists: every process, those of a name (-C), or, with
// other choices, a few (ps(1), "PROCESS SELECTION").
func psLists(words []value.Value) string {
	for i, w := range words {
		text := w.Prefix()
		letters, _, _ := strings.Cut(text, "o") // behind it are the columns
		switch {
		case text == "":
			return ""
		case text == "-C" && i+1 < len(words):
			return foundProcesses + strings.ReplaceAll(words[i+1].Prefix(), ",", "|")
		case text == "-aux":
		case strings.HasPrefix(text, "--ppid"), strings.HasPrefix(text, "--pid"), strings.HasPrefix(text, "--user"), strings.HasPrefix(text, "--tty"),
			text[0] >= '0' && text[0] <= '9',
			text[0] == '-' && !strings.HasPrefix(text, "--") && strings.ContainsAny(letters, "pgGtuUqs"):
			return ""
		}
	}
	return allProcesses
}

// searched reads the name that pgrep or pidof looks for. Where only some of
// the processes of that name are meant, it says nothing (pgrep(1), pidof(1)).
func searched(program string, words []value.Value) string {
	skip := false
	for _, w := range words {
		text, known := w.Known()
		switch {
		case skip:
			skip = false
		case !known:
			return ""
		case text == "-d" || text == "-r" || text == "--delimiter" || program == "pidof" && (text == "-o" || text == "-S"):
			skip = true
		case strings.HasPrefix(text, "--"), program == "pgrep" && strings.HasPrefix(text, "-") && strings.ContainsAny(text, "vPtgGuUsF"):
			return ""
		case strings.HasPrefix(text, "-"):
		case text != "":
			return foundProcesses + text
		}
	}
	return ""
}

// grepped returns what grep looks for, or "" if lines with it are left out.
func grepped(words []value.Value) string {
	pattern := ""
	for i := 0; i < len(words); i++ {
		text, known := words[i].Known()
		switch {
		case !known:
			return ""
		case text == "-e" || text == "--regexp":
			continue
		case text == "-m" || text == "-A" || text == "-B" || text == "-C":
			i++
		case strings.HasPrefix(text, "--"):
			if text == "--invert-match" {
				return ""
			}
		case strings.HasPrefix(text, "-") && len(text) > 1:
			if strings.Contains(text, "v") {
				return ""
			}
		case pattern == "":
			pattern = text
		default:
			pattern += "|" + text
		}
	}
	return pattern
}

// awkPicks returns the expressions and words that the first pattern of an awk
// program asks for, where it does not ask for what is not there.
func awkPicks(words []value.Value) string {
	for i := 0; i < len(words); i++ {
		text, known := words[i].Known()
		switch {
		case !known:
			return ""
		case text == "-F" || text == "-v":
			i++
		case strings.HasPrefix(text, "-"):
		default:
			return awkPattern(text)
		}
	}
	return ""
}

// processesOf returns the pattern that the processes in a word were found by.
// Besides lists there are the files in which services keep their numbers
// (FHS 3.0, 3.15 "/run").
func processesOf(v value.Value) (string, bool) {
	for _, h := range v.Holes() {
		if name, ok := strings.CutPrefix(h.Name, foundProcesses); ok {
			return name, true
		}
		if h.Cause != risk.CauseFile {
			continue
		}
		if name, ok := strings.CutSuffix(h.Name, ".pid"); ok && (strings.HasPrefix(name, "/run/") || strings.HasPrefix(name, "/var/run/")) {
			return path.Base(name), true
		}
	}
	return "", false
}
