package attack

// Risk is an entry of the OWASP Top 10 for Agentic Applications 2026.
type Risk struct {
	ID    string // "ASI02"
	Title string // as OWASP prints it
	About string // one sentence, ours
}

// ASI returns the risk with an id from "ASI01" to "ASI10". The letters may be
// small ones, as in rule tags.
//
// Source: OWASP Top 10 for Agentic Applications 2026, version 2026, December
// 2025, https://genai.owasp.org/resource/owasp-top-10-for-agentic-applications-for-2026/.
// The sentences are our own.
func ASI(id string) (Risk, bool) {
	if len(id) != len("ASI01") || id[:3] != "ASI" && id[:3] != "asi" {
		return Risk{}, false
	}
	n := 10*(int(id[3])-'0') + int(id[4]) - '0'
	if risks := Risks(); n >= 1 && n <= len(risks) && risks[n-1].ID[3:] == id[3:] {
		return risks[n-1], true
	}
	return Risk{}, false
}

// Risks returns the ten risks in order.
func Risks() []Risk {
	return []Risk{
		{"ASI01", "Agent Goal Hijack", "What an agent reads (a page, a file, a message) changes what it is out to do."},
		{"ASI02", "Tool Misuse and Exploitation", "An agent uses a tool that it may use in a way that does harm."},
		{"ASI03", "Identity and Privilege Abuse", "An agent acts with credentials or rights that its task does not need, or gains more."},
		{"ASI04", "Agentic Supply Chain Vulnerabilities", "A tool, plugin, package, model or server that an agent takes in is not what it seems."},
		{"ASI05", "Unexpected Code Execution (RCE)", "Code that nobody has reviewed runs because an agent wrote, fetched or started it."},
		{"ASI06", "Memory & Context Poisoning", "What an agent remembers or retrieves has been altered to steer it later."},
		{"ASI07", "Insecure Inter-Agent Communication", "Messages between agents can be forged, altered or read."},
		{"ASI08", "Cascading Failures", "One fault spreads through agents, tools and systems, and grows as it goes."},
		{"ASI09", "Human-Agent Trust Exploitation", "A person approves what they should not, because an agent made it look right."},
		{"ASI10", "Rogue Agents", "An agent works against its owner, or widens or hides what it does."},
	}
}
