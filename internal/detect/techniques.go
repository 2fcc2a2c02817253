package detect

import (
	"strings"

	"github.com/heedsh/heed/risk"
)

// Techniques maps an effect to MITRE ATT&CK techniques (Enterprise, of the
// version that internal/attack names) and to the OWASP Top 10 for Agentic
// Applications 2026 (ASI01-ASI10), at least one of each.
func Techniques(e *risk.Effect) (attack, asi []string) {
	if attack, asi := byScope(e); attack != nil {
		return attack, asi
	}
	if attack, asi, ok := e.Kind.Technique(e.Verb); ok {
		return one(attack, asi)
	}
	switch e.Verb {
	case risk.FSDelete, risk.FSWrite, risk.FSMove, risk.FSCreate, risk.FSAttr, risk.FSMount, risk.FSRead, risk.DiskWrite:
		return fileTechniques(e)
	case risk.ExecKnown, risk.ExecProject, risk.ExecUnknown, risk.ExecShell, risk.ExecRemote, risk.Blind:
		return execTechniques(e)
	case risk.SecretRead, risk.SecretSend, risk.PrivGain, risk.PersistAdd, risk.DefenseEvade, risk.AgentConfig:
		return trustTechniques(e)
	case risk.NetFetch:
		return one("T1105", "ASI02") // Ingress Tool Transfer
	case risk.NetSend:
		return one("T1048", "ASI02") // Exfiltration Over Alternative Protocol
	case risk.NetListen, risk.NetConnect:
		return one("T1095", "ASI02") // Non-Application Layer Protocol
	case risk.PkgInstall, risk.PkgPublish:
		return one("T1195", "ASI04") // Supply Chain Compromise
	case risk.PkgRemove, risk.ProcSignal:
		return one("T1489", "ASI02") // Service Stop
	case risk.VCSPush:
		return one("T1567.001", "ASI02") // Exfiltration to Code Repository
	case risk.VCSDiscard, risk.VCSRewrite, risk.VCSForce, risk.RemoteDestroy, risk.DBDestroy:
		return one("T1485", "ASI02") // Data Destruction
	case risk.RemoteRead:
		return one("T1526", "ASI02") // Cloud Service Discovery
	case risk.RemoteChange:
		return one("T1578", "ASI02") // Modify Cloud Compute Infrastructure
	case risk.DBRead:
		return one("T1213.006", "ASI02") // Data from Information Repositories: Databases
	case risk.SysConfig:
		return one("T1543", "ASI02") // Create or Modify System Process
	case risk.SysPower:
		return one("T1529", "ASI02") // System Shutdown/Reboot
	case risk.Exhaust:
		return one("T1499", "ASI08") // Endpoint Denial of Service
	}
	return one("T1565.001", "ASI02") // Stored Data Manipulation
}

func one(attack, asi string) (a, s []string) { return []string{attack}, []string{asi} }

// byScope tells the changes to files, and the reading of some, that are known
// by where the files are; nil for all others.
func byScope(e *risk.Effect) (attack, asi []string) {
	changes := false
	switch e.Verb {
	case risk.FSDelete, risk.FSWrite, risk.FSMove, risk.FSCreate, risk.FSAttr, risk.FSMount, risk.DiskWrite:
		changes = true
	case risk.FSRead:
		if e.Scope == risk.IsAccounts {
			return one("T1087.001", "ASI02") // Account Discovery: Local Account
		}
	}
	switch {
	case !changes:
	case e.Scope == risk.IsStartup:
		return one("T1546", "ASI02") // Event Triggered Execution
	case e.Scope == risk.IsAgentConfig:
		return []string{"T1685"}, []string{"ASI03", "ASI10"} // Disable or Modify Tools
	case e.Scope == risk.IsDevice && e.Verb == risk.FSWrite:
		return one("T1561", "ASI02") // Disk Wipe
	}
	return nil, nil
}

func fileTechniques(e *risk.Effect) (attack, asi []string) {
	switch e.Verb {
	case risk.FSDelete:
		return one("T1485", "ASI02")
	case risk.FSAttr:
		return one("T1222", "ASI03") // File and Directory Permissions Modification
	case risk.FSMount:
		return one("T1006", "ASI02") // Direct Volume Access
	case risk.DiskWrite:
		return one("T1561", "ASI02")
	case risk.FSRead:
		if e.Scope == risk.IsSecret {
			return one("T1552.001", "ASI03") // Credentials In Files
		}
		return one("T1005", "ASI02") // Data from Local System
	}
	return one("T1565.001", "ASI02")
}

func execTechniques(e *risk.Effect) (attack, asi []string) {
	switch {
	case e.Verb == risk.Blind:
		return one("T1027", "ASI05") // Obfuscated Files or Information
	case e.Verb == risk.ExecRemote:
		return []string{"T1059", "T1105"}, []string{"ASI05"}
	case e.Privileged:
		return []string{"T1548.003", "T1059"}, []string{"ASI03", "ASI05"}
	}
	return one("T1059", "ASI05") // Command and Scripting Interpreter
}

func trustTechniques(e *risk.Effect) (attack, asi []string) {
	switch e.Verb {
	case risk.SecretRead:
		if strings.Contains(e.Target, "/.ssh/") {
			return one("T1552.004", "ASI03") // Private Keys
		}
		return one("T1552", "ASI03") // Unsecured Credentials
	case risk.SecretSend:
		return []string{"T1552", "T1041"}, []string{"ASI03"} // Exfiltration Over C2 Channel
	case risk.PrivGain:
		return one("T1548", "ASI03") // Abuse Elevation Control Mechanism
	case risk.PersistAdd:
		return one("T1546", "ASI02")
	case risk.DefenseEvade:
		return one("T1685", "ASI02")
	}
	return []string{"T1685"}, []string{"ASI03", "ASI10"}
}
