package workspace

import "testing"

func TestIsStartup(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		path string
		want bool
	}{
		{"/home/u/.shrc", true},
		{"/home/u/.config/environment.d/a.conf", true},
		{"/home/u/Library/Preferences/ByHost/com.apple.loginwindow.0A1B.plist", true},
		{"/home/u/Library/Preferences/ByHost/org.example.plist", false},
		{"/usr/local/etc/rc.d/agent", true},
		{"/usr/local/etc/agent.conf", false},
		{"/etc/rc.d/agent", true},
		{"/Library/ScriptingAdditions/a.osax/Contents/MacOS/a", true},
		{"/etc/network/if-up.d/a", true},
		{"/etc/network/interfaces", false},
		{"/etc/X11/Xsession.d/90a", true},
		{"/etc/gdm3/PostLogin/Default", true},
		{"/etc/gdm3/custom.conf", false},
		{"/etc/kernel/postinst.d/zz-a", true},
		{"/etc/modprobe.d/blacklist.conf", false},
		{"/etc/logrotate.d/app", false},
		{"/home/u/.config/app.conf", false},
	} {
		if got := isStartup(tt.path, "/home/u"); got != tt.want {
			t.Errorf("isStartup(%q) = %v, want %v", tt.path, got, tt.want)
		}
	}
}
