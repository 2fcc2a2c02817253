package recipe

import (
	"encoding/base64"
	"strings"
	"unicode/utf16"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// The parameters of pwsh and powershell, in lower case; a prefix that fits one
// of them, or one of the listed short forms, names it ("about_Pwsh").
const (
	powershellFlags  = "noprofile nop nologo nol noninteractive noni noexit noe login l sta mta interactive i noprofileloadtime"
	powershellValues = "executionpolicy ex ep exec windowstyle w outputformat o of inputformat inp if workingdirectory wd wo " +
		"configurationname config configurationfile settingsfile settings custompipename psconsolefile encodedarguments ea"
)

// powershell reads the arguments of pwsh: -Command takes all that follows as
// text, -EncodedCommand takes base64 of UTF-16LE, -File takes a script with
// its arguments.
func powershell(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	core := strings.HasPrefix(m.Program.Names[0], "pwsh") && !strings.HasPrefix(site.LastElement(s.Name), "powershell")
	args := s.Args
	for len(args) > 0 {
		text := args[0].Prefix()
		if !args[0].IsKnown() || len(text) < 2 || text[0] != '-' && text[0] != '/' || text[0] == '/' && strings.Contains(text[1:], "/") {
			break
		}
		name := strings.ToLower(strings.TrimLeft(text, "-/"))
		switch {
		case name == "c" || name != "" && len(name) > 2 && strings.HasPrefix("command", name) || name == "commandwithargs" || name == "cwa":
			powershellText(s, r, site.JoinedWords(args[1:]))
			return
		case name == "e" || name == "ec" || strings.HasPrefix("encodedcommand", name) && len(name) > 1:
			if len(args) > 1 {
				powershellText(s, r, decodeUTF16(args[1]))
			}
			return
		case name != "" && strings.HasPrefix("file", name):
			if len(args) > 1 {
				powershellFile(r, args[1:])
			}
			return
		case name == "h" || name == "?" || strings.HasPrefix("help", name):
			return
		case strings.HasPrefix("version", name):
			if core || len(args) == 1 {
				return
			}
			args = args[2:]
		case namesParameter(powershellFlags, name):
			args = args[1:]
		case namesParameter(powershellValues, name):
			args = args[min(2, len(args)):]
		default:
			r.Unknowns = append(r.Unknowns, risk.Unknown{What: text, Role: risk.RoleOption})
			args = args[1:]
		}
	}
	switch {
	case len(args) > 0 && core && !site.SameWord(args[0], "-"):
		powershellFile(r, args)
	case len(args) > 0:
		powershellText(s, r, site.JoinedWords(args))
	default:
		powershellText(s, r, value.Lit("-"))
	}
}

func namesParameter(all, name string) bool {
	for p := range strings.FieldsSeq(all) {
		if p == name || len(name) > 3 && strings.HasPrefix(p, name) {
			return true
		}
	}
	return false
}

// powershellText runs text, where "-" stands for standard input.
func powershellText(s *catalog.Site, r *catalog.Result, text value.Value) {
	switch {
	case !site.SameWord(text, "-"):
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: text, Lang: "pwsh"})
	case s.HasStdin:
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "pwsh", Stdin: true})
		r.ReadsStdin = true
	default:
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShellInteractive, Lang: "pwsh"})
	}
}

func powershellFile(r *catalog.Result, args []value.Value) {
	r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Text: args[0], Lang: "pwsh", Args: args[1:]})
}

// decodeUTF16 returns the text of an encoded command, or v where it cannot.
func decodeUTF16(v value.Value) value.Value {
	text, known := v.Known()
	raw, err := base64.StdEncoding.DecodeString(text)
	if !known || err != nil || len(raw)%2 != 0 {
		return value.Unknown(risk.CauseOther, "encoded command").With(v.Taint() | value.Decoded)
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i]) | uint16(raw[2*i+1])<<8
	}
	return value.Lit(string(utf16.Decode(units))).With(v.Taint() | value.Decoded)
}
