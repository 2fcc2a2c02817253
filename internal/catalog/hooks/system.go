package hooks

import "github.com/heedsh/heed/internal/catalog"

// systemHooks are the hooks of system administration and macOS.
func systemHooks() map[string]catalog.Hook {
	return map[string]catalog.Hook{
		"one-word": oneWord,
		"rtk":      rtk,
		"nsupdate": nsupdate,
		"unit-on":  unitOn, "unit-preset": unitPreset, "unit-off": unitOff, "service": service, "boot-service": bootService, "systemd-run": systemdRun,
		"account": account, "passwd": passwd, "dscl": dscl, "mac-account": macAccount,
		"device": device, "recursive": recursive, "mount": mount, "fsck": fsck, "fs-settings": fsSettings, "debugfs": debugfs, "nvme": nvme,
		"sysctl": sysctl, "module": module, "setcap": setcap, "setfacl": setfacl, "chattr": chattr, "chcon": chcon,
		"access-control": accessControl, "auditctl": auditctl, "boot": boot, "firmware": firmware, "desktop-settings": desktopSettings,
		"registry": registry, "windows-service": windowsService, "windows-net": windowsNet, "windows-rights": windowsRights, "taskkill": taskkill,
		"windows-run": windowsRun, "windows-setup": windowsSetup, "cmdlet-write": cmdletWrite, "cmdlet-block": cmdletBlock, "cmdlet": cmdlet,
		"sips": sips, "xattr": xattrHook, "kill": kill, "pgrep": pgrep, "ps": ps, "setup": setupHook, "pkill": pkill, "desktop-set": desktopSet,
	}
}
