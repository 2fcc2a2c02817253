package site

import (
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// Cloud machines ask a service beside them for the credentials of the role
// that they run as. Whoever reads those paths holds the role (AWS EC2 user
// guide, "Instance metadata", and ECS "Task IAM role"; Google Compute Engine,
// "Authenticate workloads"; Azure IMDS; Alibaba Cloud, Tencent Cloud and
// Oracle Cloud documentation of instance metadata; MITRE ATT&CK T1552.005).

// WithMetadata marks what a client of HTTP fetches there as a secret.
func WithMetadata(hook catalog.Hook) catalog.Hook {
	return func(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
		hook(m, s, r)
		for _, e := range r.Effects {
			if e.Verb != risk.NetFetch && e.Verb != risk.NetSend || !metadataSecret(e.Target) {
				continue
			}
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SecretRead, Target: e.Target, Kind: risk.KindCredentialsOfThisMachine})
			if r.Prints == catalog.PrintsNetwork {
				r.Prints = catalog.PrintsSecret
			}
			return
		}
	}
}

// metadataSecret reports whether a URL names credentials of the machine's role.
// What is not known of its path counts at its worst.
func metadataSecret(v value.Value) bool {
	if !metadataHost(NetHost(v)) {
		return false
	}
	url := v.Fill(func(*value.Hole) string { return "heed-hole" })
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url = rest
	}
	_, path, _ := strings.Cut(url, "/")
	path, query, _ := strings.Cut(strings.ToLower(path), "?")
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	if _, role, ok := strings.Cut(path, "security-credentials/"); ok {
		return role != "" // without one, the names of roles are listed
	}
	parts := strings.Split(strings.Trim(path, "/"), "/")
	last := parts[len(parts)-1]
	switch {
	case strings.Contains(path, "service-accounts/"):
		return last == "token" || last == "identity" || last == "heed-hole" || strings.Contains(query, "recursive=true")
	case strings.HasPrefix(path, "metadata/identity/oauth2/token"), strings.HasPrefix(path, "v2/credentials"), strings.HasPrefix(path, "v1/credentials"):
		return true
	case strings.HasSuffix(path, "/attributes/kube-env"), strings.HasPrefix(path, "opc/") && strings.HasSuffix(path, "identity/key.pem"):
		return true
	}
	return len(parts) == 1 && last == "heed-hole"
}

// metadataHost reports whether a host is a metadata service, however its
// address is spelled.
func metadataHost(host string) bool {
	switch host {
	case "metadata.google.internal", "metadata", "metadata.tencentyun.com", "instance-data", "instance-data.ec2.internal", "metadata.goog", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254":
		return true
	}
	host = strings.TrimPrefix(strings.TrimPrefix(host, "::ffff:"), "0:0:0:0:0:ffff:")
	if host == "a9fe:a9fe" {
		return true
	}
	ip, ok := looseIPv4(host)
	if !ok {
		return false
	}
	switch ip {
	case 169<<24 | 254<<16 | 169<<8 | 254, 169<<24 | 254<<16 | 170<<8 | 2, 169<<24 | 254<<16 | 170<<8 | 23, 100<<24 | 100<<16 | 100<<8 | 200, 169<<24 | 254<<16 | 0<<8 | 23:
		return true
	}
	return false
}

// looseIPv4 reads an address as inet_aton(3) does: one to four numbers,
// decimal, octal or hexadecimal, of which the last fills what is left.
func looseIPv4(host string) (uint32, bool) {
	parts := strings.Split(host, ".")
	if host == "" || len(parts) > 4 {
		return 0, false
	}
	var ip uint64
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 0, 32)
		if err != nil || strings.Contains(p, "_") {
			return 0, false
		}
		last := i == len(parts)-1
		bits := 8
		if last {
			bits = 8 * (5 - len(parts))
		}
		if n >= 1<<bits {
			return 0, false
		}
		ip = ip<<bits | n
	}
	return uint32(ip), true
}
