package workspace

import (
	"testing"

	"github.com/heedsh/heed/risk"
)

func TestElsewhere(t *testing.T) {
	t.Parallel()
	for p, want := range map[string]risk.Scope{
		"/root/.ssh/authorized_keys":       risk.IsStartup,
		"/home/bo/.ssh/authorized_keys":    risk.IsStartup,
		"/data/people/bo/.bashrc":          risk.IsStartup,
		"/Users/bo/Library/LaunchAgents/a": risk.IsStartup,
		"/etc/cron.d/x":                    risk.IsStartup,
		"/etc/sudoers.d/x":                 risk.IsStartup,
		"/etc/passwd":                      risk.IsAccounts,
		"/etc/shadow":                      risk.IsAccounts,
		"/dev/nvme0n1":                     risk.IsDevice,
		"/dev/null":                        risk.IsRemote,
		"/dev/shm/x":                       risk.IsRemote,
		"/home/bo/.ssh/known_hosts":        risk.IsRemote,
		"/etc/motd":                        risk.IsRemote,
		"/srv/www/index.html":              risk.IsRemote,
		"authorized_keys":                  risk.IsRemote,
	} {
		if got := Elsewhere(p); got != want {
			t.Errorf("%s: %s, want %s", p, got, want)
		}
	}
}

func TestServed(t *testing.T) {
	t.Parallel()
	for p, want := range map[string]bool{
		"/var/www/html/a.php":            true,
		"/srv/www/shop/A.PHTML":          true,
		"/var/www/html/.htaccess":        true,
		"/var/www/cgi-bin/run":           true,
		"/home/bo/public_html/x.cgi":     true,
		"/var/lib/tomcat9/webapps/a.war": true,
		"/var/www/html/a.html":           false,
		"/var/www/html/style.css":        false,
		"/home/bo/src/a.php":             false,
		"/srv/data/a.php":                false,
	} {
		if got := isServed(p); got != want {
			t.Errorf("%s: %t", p, got)
		}
	}
}
