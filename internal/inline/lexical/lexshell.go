package lexical

import (
	"strings"

	"github.com/heedsh/heed/internal/inline/syntax"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/once"
	"github.com/heedsh/heed/internal/shell/shellname"
	"github.com/heedsh/heed/internal/value"
)

// Shells whose grammar is not read here have simple commands as sh has them:
// words, quotes, pipes and redirections. Their statements are taken one by
// one, control structures taken off, assignments turned into those of sh, and
// what is left is one script. PowerShell's own commands are put as those of
// sh that do the same.

// isShell reports whether statements of a language are commands.
func isShell(lang string) bool { return lang == "shell" || shellname.Is(lang) }

// script reports the commands of a shell's code.
func (x *lexical) script(text string) {
	var b strings.Builder
	for _, st := range statements(text) {
		line := x.statement(strings.TrimSpace(st))
		if line == "" || strings.ContainsAny(line, "\n") {
			continue
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	if b.Len() > 0 {
		x.run(catalog.Run{Kind: catalog.RunShell, Text: value.Lit(b.String()), Lang: "bash", Mode: catalog.RunLines})
	}
}

// statements cuts text at the ends of lines and at ; && || and & outside
// quotes, and drops comments.
func statements(text string) []string {
	var out []string
	start := 0
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '\\':
			i++
		case c == '\'' || c == '"':
			quote = c
		case c == '#' && (i == 0 || strings.IndexByte(" \t\n;", text[i-1]) >= 0):
			out = append(out, text[start:i])
			for i < len(text) && text[i] != '\n' {
				i++
			}
			start = min(i+1, len(text))
		case c == '\n', c == ';', c == '{', c == '}' && (i == 0 || text[i-1] != '$'):
			if c == '{' && i > 0 && text[i-1] == '$' {
				continue
			}
			out = append(out, text[start:i])
			start = i + 1
		case c == '&' && !(i > 0 && (text[i-1] == '>' || text[i-1] == '|' || text[i-1] == '<')) && !(i+1 < len(text) && text[i+1] == '>'):
			if strings.TrimSpace(text[start:i]) != "" {
				out = append(out, text[start:i])
			}
			start = i + 1
		case c == '|' && i+1 < len(text) && text[i+1] == '|':
			out = append(out, text[start:i])
			i++
			start = i + 1
		}
	}
	return append(out, text[min(start, len(text)):])
}

// statement turns one statement into a line of sh; "" if it is none.
func (x *lexical) statement(st string) string {
	for range 6 {
		word, rest, _ := strings.Cut(st, " ")
		rest = strings.TrimSpace(rest)
		switch word {
		case "if", "while", "elseif", "elif":
			if strings.HasPrefix(rest, "(") {
				end := syntax.Balanced(rest, 1, '(', ')')
				if st = strings.TrimSpace(rest[min(end+1, len(rest)):]); st == "then" {
					return ""
				}
				continue
			}
			st = rest
		case "else", "and", "or", "not", "begin", "then", "do", "try", "!", "builtin", "command", "exec":
			st = rest
		case "end", "endif", "endsw", "done", "foreach", "for", "switch", "case", "breaksw", "break", "continue", "default:", "function", "def", "fn", "return", "param", "catch", "finally", "@", "let", "mut", "const", "alias", "unset", "unsetenv", "unalias", "onintr", "rehash", "limit", "use", "export-env", "hide":
			return ""
		case "set", "setenv", "var":
			return x.assignment(word, rest)
		default:
			return x.command(st)
		}
	}
	return ""
}

// assignment turns `set x = v`, `set -gx x v` and `setenv x v` into x=v.
func (x *lexical) assignment(word, rest string) string {
	fields := strings.Fields(rest)
	for len(fields) > 0 && strings.HasPrefix(fields[0], "-") {
		fields = fields[1:]
	}
	if len(fields) == 0 {
		return ""
	}
	name := fields[0]
	tail := strings.TrimSpace(rest[strings.Index(rest, name)+len(name):])
	if n, v, ok := strings.Cut(name, "="); ok {
		name, tail = n, v+tail
	}
	tail = strings.TrimSpace(strings.TrimPrefix(tail, "="))
	if syntax.IdentLen(name) != len(name) || strings.HasPrefix(tail, "(") {
		return ""
	}
	if word == "setenv" {
		return "export " + name + "=" + tail
	}
	return name + "=" + tail
}

// command turns a command into one of sh.
func (x *lexical) command(st string) string {
	st = strings.TrimPrefix(strings.TrimSpace(st), "^") // nu: an external program
	if strings.IndexByte(st, '(') >= 0 && (x.lang == "fish" || x.lang == "nu" || x.lang == "elvish") {
		st = strings.NewReplacer(" (", " $(", "=(", "=$(", "\"(", "\"$(").Replace(st)
	}
	if x.lang == "pwsh" || x.lang == "powershell" {
		return powershell(st)
	}
	return st
}

// powershell turns a pipeline of PowerShell into one of sh.
func powershell(st string) string {
	if strings.IndexByte(st, '$') >= 0 {
		st = strings.NewReplacer("$env:", "$", "${env:", "${", "$Env:", "$").Replace(st)
	}
	if strings.HasPrefix(st, "$") { // an assignment
		name, v, ok := strings.Cut(st[1:], "=")
		name = strings.TrimSpace(name)
		if !ok || syntax.IdentLen(name) != len(name) {
			return ""
		}
		v = strings.TrimSpace(v)
		if w := lowerWord(v); strings.Contains(w, "-") {
			return powershell(v)
		}
		return name + "=" + v
	}
	low := strings.ToLower(st)
	if runsText(low) && (strings.Contains(low, "download") || strings.Contains(low, "://")) {
		url := "https://" + between(st, "://")
		return "curl -s '" + strings.ReplaceAll(url, "'", "") + "' | sh"
	}
	var out []string
	for _, stage := range stages(st) {
		line := cmdlet(strings.TrimSpace(stage))
		if line == "" {
			continue
		}
		out = append(out, line)
	}
	return strings.Join(out, " | ")
}

func lowerWord(s string) string {
	w, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	return strings.ToLower(w)
}

// runsText: Invoke-Expression is among the words.
func runsText(low string) bool {
	for _, w := range strings.FieldsFunc(low, func(r rune) bool { return strings.ContainsRune(" |();&", r) }) {
		if w == "iex" || w == "invoke-expression" {
			return true
		}
	}
	return false
}

// between is what follows a sign, up to a quote, bracket or white space.
func between(s, sign string) string {
	_, after, _ := strings.Cut(s, sign)
	if i := strings.IndexAny(after, "'\" \t)|;"); i >= 0 {
		after = after[:i]
	}
	return after
}

// stages cuts a pipeline outside quotes.
func stages(s string) []string {
	var out []string
	quote, start := byte(0), 0
	for i := range len(s) {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '|':
			out = append(out, s[start:i])
			start = i + 1
		}
	}
	return append(out, s[start:])
}

// cmdlets are commands of PowerShell and their aliases, and those of sh that
// do the same (PowerShell 7 documentation, Microsoft.PowerShell.Management
// and .Utility).
var cmdlets = once.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"remove-item": "rm", "ri": "rm", "del": "rm", "erase": "rm", "rd": "rm", "rmdir": "rm", "rm": "rm", "clear-content": "truncate -s 0", "clc": "truncate -s 0",
		"get-content": "cat", "gc": "cat", "type": "cat", "cat": "cat", "set-content": "tee", "sc": "tee", "add-content": "tee -a", "ac": "tee -a",
		"out-file": "tee", "tee-object": "tee", "copy-item": "cp", "cpi": "cp", "copy": "cp", "cp": "cp", "move-item": "mv", "mi": "mv", "move": "mv", "mv": "mv",
		"rename-item": "mv", "rni": "mv", "ren": "mv", "write-output": "echo", "write-host": "echo", "echo": "echo", "write": "echo",
		"set-location": "cd", "sl": "cd", "get-childitem": "ls", "gci": "ls", "dir": "ls", "ls": "ls", "stop-process": "kill", "spps": "kill",
		"stop-computer": "poweroff", "restart-computer": "reboot", "invoke-webrequest": "curl", "iwr": "curl", "invoke-restmethod": "curl", "irm": "curl",
		"start-process": "", "saps": "", "invoke-expression": "sh -c", "iex": "sh -c", "&": "",
	}
}}

// cmdlet turns one command of PowerShell into one of sh; "" if there is none.
func cmdlet(st string) string {
	words := psWords(st)
	if len(words) == 0 {
		return ""
	}
	name := strings.ToLower(words[0])
	to, ok := cmdlets.Get()[name]
	if !ok {
		if strings.Contains(name, "-") && syntax.IsIdentStart(name[0]) || strings.IndexByte("[($@\"'", name[0]) >= 0 {
			return "" // another cmdlet, an expression
		}
		return st
	}
	var out, last []string
	if to != "" {
		out = strings.Fields(to)
	}
	for i := 1; i < len(words); i++ {
		w, low := words[i], strings.ToLower(words[i])
		if len(low) < 2 || low[0] != '-' || low[1] == '-' || to == "" {
			out = append(out, strings.TrimSuffix(w, ","))
			continue
		}
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch opt := strings.TrimLeft(low, "-"); {
		case strings.HasPrefix("recurse", opt):
			out = append(out, "-r")
		case strings.HasPrefix("force", opt) && (to == "rm" || to == "kill"):
			out = append(out, "-f")
		case opt == "rf" || opt == "fr":
			out = append(out, "-rf")
		case strings.HasPrefix(opt, "outf"):
			out, i = append(out, "-o", next), i+1
		case strings.HasPrefix(opt, "dest") || strings.HasPrefix(opt, "newname"):
			last, i = append(last, next), i+1
		case opt == "value" && strings.HasPrefix(to, "tee"), opt == "encoding", opt == "include", opt == "exclude", opt == "filter", opt == "erroraction", opt == "ea", opt == "method", opt == "headers", opt == "totalcount", opt == "tail":
			i++
		}
	}
	if strings.HasPrefix(to, "tee") && len(out) > 2 && !strings.Contains(to, "-a") { // what is written is no file
		out = out[:2]
	} else if to == "tee -a" && len(out) > 3 {
		out = out[:3]
	}
	return strings.Join(append(out, last...), " ")
}

// psWords cuts a command at white space outside quotes.
func psWords(s string) []string {
	var out []string
	quote, start := byte(0), -1
	for i := 0; i <= len(s); i++ {
		if i == len(s) || quote == 0 && (s[i] == ' ' || s[i] == '\t') {
			if start >= 0 {
				out = append(out, s[start:i])
			}
			start = -1
			continue
		}
		if start < 0 {
			start = i
		}
		if c := s[i]; quote != 0 && c == quote {
			quote = 0
		} else if quote == 0 && (c == '\'' || c == '"') {
			quote = c
		}
	}
	return out
}
