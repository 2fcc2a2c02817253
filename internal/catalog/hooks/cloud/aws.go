package cloud

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// awsFiles says which files go to the service as what a parameter is set to (AWS CLI user
// guide, "Loading a parameter from a file").
func awsFiles(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	var files []catalog.Source
	for _, a := range s.Args {
		_, name, ok := strings.Cut(a.Prefix(), "://")
		at := len(a.Prefix()) - len(name)
		before := strings.TrimSuffix(a.Prefix()[:at], "://")
		if before = before[strings.LastIndexByte(before, '=')+1:]; !ok || before != "file" && before != "fileb" {
			continue
		}
		files = append(files, catalog.Source{Path: a.Cut(at)})
	}
	if len(files) == 0 || slices.ContainsFunc(r.Effects, func(e catalog.Effect) bool { return len(e.Carries) > 0 }) || len(m.Values("sql")) > 0 {
		return
	}
	for _, f := range files {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f.Path, Needed: true})
	}
	if !m.Has("dry") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetSend, Target: value.Lit("AWS"), Carries: files})
	}
}

// awsARN says that a call fails whose ARN is none (AWS General Reference, "Amazon Resource
// Names"). A file may hold it, or a variable.
func awsARN(s *catalog.Site, r *catalog.Result) {
	for i, a := range s.Args {
		option, word, attached := strings.Cut(a.Prefix(), "=")
		if !strings.HasPrefix(option, "--") || !strings.HasSuffix(option, "-arn") || !attached && i+1 == len(s.Args) {
			continue
		}
		known := a.IsKnown()
		if !attached {
			word, known = s.Args[i+1].Known()
		}
		if known && word != "" && len(word) <= maxWhere && strings.Trim(word, letters+"0123456789_-") == "" && strings.Trim(word[:1], letters) == "" {
			r.Lacks = word + " is no ARN, as " + option + " takes"
		}
	}
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// awsHook recognises "help" as the only word behind a command or an operation
// of the AWS client, which then shows its manual and does nothing. Behind an
// option of an operation the word is a value (awscli/argparser.py).
func awsHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	awsWhere(m, s, r)
	awsFiles(m, s, r)
	awsARN(s, r)
	words := 0
	for i := 0; i < len(s.Args); i++ {
		text, known := s.Args[i].Known()
		name, _, attached := strings.Cut(text, "=")
		switch {
		case !known:
			return
		case !strings.HasPrefix(text, "-"):
			words++
			if text == "help" && i == len(s.Args)-1 && words <= len(m.Chain) {
				m.Help = true
				*r = catalog.Result{Match: m, Summary: "Shows help for aws"}
			}
		case slices.Contains([]string{
			"--profile", "--region", "--output", "--query", "--endpoint-url", "--color", "--ca-bundle", "--cli-read-timeout", "--cli-connect-timeout", "--cli-binary-format",
		}, name):
			if !attached {
				i++
			}
		case !slices.Contains([]string{"--debug", "--no-verify-ssl", "--no-paginate", "--no-sign-request", "--no-cli-pager", "--no-cli-auto-prompt", "--cli-auto-prompt"}, name):
			return
		}
	}
}
