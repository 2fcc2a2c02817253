package hooks

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
)

// networkHooks are the hooks of network clients and databases.
func networkHooks() map[string]catalog.Hook {
	return map[string]catalog.Hook{
		"networksetup": networksetup,
		"curl":         withForge(withMetadata(curlHook)), "stdin-to-host": sendsStdin,
		"httpie": withForge(withMetadata(httpieHook)), "browser": withMetadata(browserHook), "mail": mailHook, "rclone": rcloneHook, "websocket": websocketHook,
		"dns": dnsHook, "nmap": nmapHook, "ip": ipHook, "ifconfig": ifconfigHook, "show-or-change": showOrChange, "iptables": iptablesHook,
		"firewall": firewallHook, "tunnel": tunnelHook, "socat": socatHook, "nc": ncHook, "openssl-copy": opensslCopy, "wget": withForge(withMetadata(wgetHook)), "ssh": sshHook, "scp": scpHook, "sftp": sftpHook, "ssh-options": sshOptionsHook, "ssh-keygen": sshKeygen, "transfer-commands": clientHook,
		"db-read": dbHook(risk.DBRead), "db-change": dbHook(risk.DBChange), "db-write": dbHook(risk.DBChange), "db-destroy": dbHook(risk.DBDestroy),
		"sql": sqlHook, "sqlcmd": sqlcmdHook, "redis": redisHook, "mongo": mongoHook, "psql": psqlHook, "mysql": mysqlHook, "sqlite3": sqliteHook,
	}
}
