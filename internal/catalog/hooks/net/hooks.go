package net

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
)

// Hook returns the hook that specs call by this name, or nil. A switch costs a
// start nothing; a map would be built each time.
func Hook(name string) catalog.Hook {
	switch name {
	case "browser":
		return site.WithMetadata(browserHook)
	case "curl":
		return withForge(site.WithMetadata(curlHook))
	case "dns":
		return dnsHook
	case "engine-listens":
		return engineListens
	case "engine-service":
		return engineService
	case "firewall":
		return firewallHook
	case "httpie":
		return withForge(site.WithMetadata(httpieHook))
	case "ifconfig":
		return ifconfigHook
	case "ip":
		return ipHook
	case "iptables":
		return iptablesHook
	case "mail":
		return mailHook
	case "many-hosts":
		return manyHosts
	case "nc":
		return ncHook
	case "networksetup":
		return networksetup
	case "nmap":
		return nmapHook
	case "nsupdate":
		return nsupdate
	case "openssl-copy":
		return opensslCopy
	case "rclone":
		return rcloneHook
	case "rsync":
		return rsync
	case "salt":
		return salt
	case "scp":
		return scpHook
	case "sftp":
		return sftpHook
	case "show-or-change":
		return showOrChange
	case "socat":
		return socatHook
	case "ssh":
		return sshHook
	case "ssh-keygen":
		return sshKeygen
	case "ssh-options":
		return sshOptionsHook
	case "transfer-commands":
		return clientHook
	case "tunnel":
		return tunnelHook
	case "websocket":
		return websocketHook
	case "wget":
		return withForge(site.WithMetadata(wgetHook))
	}
	return nil
}
