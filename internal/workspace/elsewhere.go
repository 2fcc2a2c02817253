package workspace

import (
	"strings"

	"github.com/heedsh/heed/risk"
)

// Elsewhere says what a path is on another machine, of which only the path is
// known: one that is run or obeyed later, the accounts, a disk, or just a path
// there. Where homes are on that machine is not known: what stands before a
// hidden name, or before Library, may be one.
func Elsewhere(p string) risk.Scope {
	if isStartup(p, "") || startupInSomeHome(p) || isServed(p) {
		return risk.IsStartup
	}
	if isAccounts(p) || p == "/etc/shadow" || p == "/etc/gshadow" {
		return risk.IsAccounts
	}
	if isDisk(p) {
		return risk.IsDevice
	}
	return risk.IsRemote
}

func startupInSomeHome(p string) bool {
	for _, mark := range []string{"/.", "/Library/"} {
		if i := strings.Index(p, mark); i >= 0 && isStartup(p, p[:i]) {
			return true
		}
	}
	return false
}

// isDisk reports whether a path is that of a disk or a part of one.
func isDisk(p string) bool {
	name, ok := strings.CutPrefix(p, "/dev/")
	if !ok {
		return false
	}
	for _, kind := range []string{"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "md", "dm-", "mapper/", "loop", "da", "ada", "nbd"} {
		if strings.HasPrefix(name, kind) {
			return true
		}
	}
	return false
}

// documentRoots are directories whose files a web server hands out, where
// systems put them (packages of Debian, Red Hat, FreeBSD, Arch and nginx;
// XAMPP, Tomcat, macOS).
var documentRoots = []string{"/var/www/", "/srv/www/", "/srv/http/", "/usr/share/nginx/", "/usr/local/www/", "/usr/local/apache2/htdocs/", "/opt/lampp/htdocs/", "/var/lib/tomcat", "/opt/tomcat/webapps/", "/Library/WebServer/Documents/"}

// isServed reports whether a file is code that a web server runs for whoever
// asks for it.
func isServed(p string) bool {
	code := strings.Contains(p, "/cgi-bin/")
	for _, suffix := range []string{".php", ".phtml", ".phar", ".php5", ".php7", ".jsp", ".jspx", ".war", ".asp", ".aspx", ".ashx", ".cgi", ".cfm", ".shtml", "/.htaccess", "/.user.ini", "/web.config"} {
		code = code || strings.HasSuffix(strings.ToLower(p), suffix)
	}
	if !code {
		return false
	}
	for _, root := range documentRoots {
		if strings.HasPrefix(p, root) {
			return true
		}
	}
	return strings.HasPrefix(p, "/home/") && strings.Contains(p, "/public_html/") || strings.HasPrefix(p, "/usr/lib/cgi-bin/")
}
