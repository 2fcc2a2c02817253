package pattern

import (
	"strings"

	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/risk"
)

// A literal of the net: text that is dangerous in any language that can run a
// program, with blanks collapsed and quotes and backslashes left out.
type literal struct {
	text, what  string
	attack, asi string
}

func literals() []literal {
	return []literal{
		{"rm -rf /", "deletes below the root", "T1485", "ASI02"},
		{"rm -fr /", "deletes below the root", "T1485", "ASI02"},
		{"rm -rf ~", "deletes a home", "T1485", "ASI02"},
		{"rm -rf $home", "deletes a home", "T1485", "ASI02"},
		{":(){ :|:& };:", "fork bomb", "T1499", "ASI08"},
		{"of=/dev/sd", "writes a disk", "T1561", "ASI02"},
		{"of=/dev/nvme", "writes a disk", "T1561", "ASI02"},
		{"> /dev/sd", "writes a disk", "T1561", "ASI02"},
		{"mkfs.", "makes a file system", "T1561", "ASI02"},
		{"chmod 777 /", "opens the system", "T1222", "ASI03"},
		{"chmod -r 777 /", "opens the system", "T1222", "ASI03"},
		{"sudo su", "root shell", "T1548.003", "ASI03"},
		{"sudo bash", "root shell", "T1548.003", "ASI03"},
		{"| sh", "pipes into a shell", "T1059.004", "ASI05"},
		{"|sh", "pipes into a shell", "T1059.004", "ASI05"},
		{"| bash", "pipes into a shell", "T1059.004", "ASI05"},
		{"|bash", "pipes into a shell", "T1059.004", "ASI05"},
		{"bash -i", "interactive shell", "T1059.004", "ASI05"},
		{"/dev/tcp/", "connects from the shell", "T1059.004", "ASI05"},
		{".ssh/id_", "private key", "T1552.004", "ASI03"},
		{"/etc/shadow", "password hashes", "T1003.008", "ASI03"},
		{".aws/credentials", "cloud credentials", "T1552.001", "ASI03"},
		{"history -c", "removes the history", "T1070.003", "ASI02"},
		{"crontab -r", "removes a schedule", "T1053.003", "ASI02"},
		{"iptables -f", "flushes the firewall", "T1686", "ASI02"},
		{"docker run --privileged", "privileged container", "T1611", "ASI03"},
		{"drop table ", "drops a table", "T1485", "ASI02"},
		{"drop database ", "drops a database", "T1485", "ASI02"},
	}
}

// maxNet is how many bytes of text the net looks at.
const maxNet = 64 << 10

// Net looks for literals in the code that heed did not read, and there only:
// where it did read it knows better what the words mean. Its findings are high:
// the text may still be data of that code.
func Net(ctx *detect.Context) []risk.Finding {
	var found []risk.Finding
	seen := map[string]bool{}
	for i := range ctx.Effects {
		e := &ctx.Effects[i]
		if !opaque(e) || e.Span.Start >= e.Span.End || e.Span.End > len(ctx.Command) {
			continue
		}
		text := collapse(ctx.Command[e.Span.Start:min(e.Span.End, e.Span.Start+maxNet)])
		for _, l := range literals() {
			if seen[l.text] || !strings.Contains(text, l.text) {
				continue
			}
			seen[l.text] = true
			found = append(found, risk.Finding{
				ID: "heed.net", Layer: Layer, Title: "Code that was not read: " + l.what, Severity: risk.High,
				ATTACK: []string{l.attack}, ASI: []string{l.asi}, Span: e.Span, Evidence: l.text,
			})
		}
	}
	return found
}

// opaque reports whether an effect stands for code whose text is in the
// command and was not read.
func opaque(e *risk.Effect) bool {
	switch e.Verb {
	case risk.Blind:
		return true
	case risk.ExecUnknown:
		return e.Kind == risk.KindCode
	}
	return false
}

// collapse lowers text, makes every run of blanks one and leaves quotes and
// backslashes out.
func collapse(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	blank := false
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '\'' || c == '"' || c == '\\' || c == '`':
			continue
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			blank = true
			continue
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		b.WriteByte(c)
	}
	return b.String()
}
