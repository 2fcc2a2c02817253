package catalog

import (
	"path"
	"slices"
	"strings"

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
func NamedProcesses(e *Effect) {
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
	case Defends(e.Target):
		e.Verb, e.Kind = risk.DefenseEvade, risk.KindService
	}
}

// defenders are parts of the names of services that watch over or protect a
// machine: audit and log daemons, firewalls, mandatory access control, virus
// scanners and endpoint agents.
func defenders() []string {
	return []string{
		"auditd", "rsyslog", "syslog", "journald", "apparmor", "selinux", "firewalld", "ufw", "nftables", "iptables", "netfilter",
		"falcon", "crowdstrike", "osquery", "clamav", "clamd", "freshclam", "fail2ban", "sentinel", "wazuh", "ossec", "mdatp",
		"defender", "carbonblack", "cbagent", "cbdaemon", "cybereason", "tanium", "sophos", "mcafee", "symantec", "eset", "kaspersky",
		"aide", "tripwire", "samhain", "falco", "sysmon", "xprotect", "gatekeeper", "santa", "jamf", "auditbeat", "filebeat",
		"snort", "suricata", "zeek", "alf.agent", "syspolicyd", "endpointsecurity", "malwarebytes", "littlesnitch", "windefend", "mpssvc",
		"wdfilter", "eventlog", "amazon-cloudwatch-agent", "google-cloud-ops-agent",
	}
}

// Defends reports whether a service or process defends the machine, by its
// name.
func Defends(v value.Value) bool {
	name := strings.ToLower(v.String())
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".service"), ".socket")
	for _, d := range defenders() {
		if len(d) <= 4 { // a short name must be all of a word
			for piece := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '.' || r == '-' || r == '_' || r == '/' }) {
				if piece == d {
					return true
				}
			}
		} else if strings.Contains(name, d) {
			return true
		}
	}
	return false
}
