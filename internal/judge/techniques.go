package judge

import "github.com/heedsh/heed/risk"

// techniques maps an effect to MITRE ATT&CK techniques (Enterprise, v19) and
// to the OWASP Top 10 for Agentic Applications 2026 (ASI01-ASI10).
func techniques(e *risk.Effect) (attack, asi []string) {
	switch e.Verb {
	case risk.FSDelete, risk.VCSDiscard, risk.VCSRewrite, risk.VCSForce, risk.RemoteDestroy, risk.DBDestroy:
		return []string{"T1485"}, []string{"ASI02"}
	case risk.FSWrite, risk.FSMove:
		switch e.Scope {
		case risk.IsStartup:
			return []string{"T1546"}, []string{"ASI02"}
		case risk.IsAgentConfig:
			return []string{"T1562"}, []string{"ASI03"}
		case risk.IsDevice:
			return []string{"T1561"}, []string{"ASI02"}
		}
		if e.Detail == "truncate" {
			return []string{"T1485"}, []string{"ASI02"}
		}
		return []string{"T1565.001"}, []string{"ASI02"}
	case risk.FSAttr:
		if e.Detail == "setuid" {
			return []string{"T1548.001"}, []string{"ASI03"}
		}
		return []string{"T1222"}, []string{"ASI03"}
	case risk.FSMount:
		return []string{"T1006"}, []string{"ASI02"}
	case risk.DiskWrite:
		return []string{"T1561"}, []string{"ASI02"}
	case risk.ExecRemote:
		return []string{"T1059", "T1105"}, []string{"ASI05"}
	case risk.ExecUnknown, risk.ExecProject, risk.ExecShell, risk.ExecKnown:
		if e.Detail == "preload" || e.Detail == "PATH" {
			return []string{"T1574"}, []string{"ASI05"}
		}
		if e.Privileged {
			return []string{"T1548.003", "T1059"}, []string{"ASI03", "ASI05"}
		}
		return []string{"T1059"}, []string{"ASI05"}
	case risk.NetFetch:
		return []string{"T1105"}, []string{"ASI02"}
	case risk.NetSend:
		return []string{"T1048"}, []string{"ASI02"}
	case risk.NetListen, risk.NetConnect:
		return []string{"T1095"}, []string{"ASI02"}
	case risk.PkgInstall, risk.PkgPublish:
		return []string{"T1195"}, []string{"ASI04"}
	case risk.SecretRead:
		return []string{"T1552"}, []string{"ASI03"}
	case risk.SecretSend:
		return []string{"T1552", "T1041"}, []string{"ASI03"}
	case risk.PrivGain:
		return []string{"T1548"}, []string{"ASI03"}
	case risk.PersistAdd:
		return []string{"T1053", "T1546"}, []string{"ASI02"}
	case risk.DefenseEvade:
		return []string{"T1562", "T1070"}, []string{"ASI02"}
	case risk.AgentConfig:
		return []string{"T1562"}, []string{"ASI03", "ASI10"}
	case risk.SysPower:
		return []string{"T1529"}, []string{"ASI02"}
	case risk.Exhaust:
		return []string{"T1499"}, []string{"ASI08"}
	case risk.ProcSignal:
		return []string{"T1489"}, []string{"ASI02"}
	case risk.FSRead:
		if e.Detail == "credential search" {
			return []string{"T1552.001"}, []string{"ASI03"}
		}
		return []string{"T1005"}, []string{"ASI02"}
	case risk.Blind:
		return []string{"T1027"}, []string{"ASI05"}
	}
	return nil, []string{"ASI02"}
}
