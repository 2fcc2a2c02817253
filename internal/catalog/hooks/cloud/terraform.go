package cloud

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/once"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// terraformFile is a call of a function that reads a file (Terraform Language,
// "Filesystem Functions").
var terraformFile = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:file|filebase64|templatefile|fileexists)\(\s*(?:pathexpand\(\s*)?"([^"$]*)"`)
}}

// terraformConsole reads the expressions on standard input, whose values are
// printed.
func terraformConsole(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	text, known := site.Input(s).Known()
	if !s.HasStdin || !known {
		return
	}
	var files []value.Value
	for _, call := range terraformFile.Get().FindAllStringSubmatch(text, -1) {
		name := value.Lit(call[1])
		if len(call[1]) > 1 && call[1][:2] == "~/" && s.World != nil {
			name = value.Lit(path.Join(s.World.User.Home, call[1][2:]))
		}
		files = append(files, name)
	}
	site.ShowFiles(r, files, true)
	if strings.Contains(text, "nonsensitive(") { // what is marked as secret is shown
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SecretRead, Target: value.Lit("secrets in Terraform's state")})
	}
}

// terraformOutput shows what a state that is a file here marks as sensitive: with
// -raw and -json terraform prints that too (terraform output, "Usage"). Of the
// state only those marks are read.
func terraformOutput(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if !m.Has("plainly") {
		return
	}
	file := value.Lit("terraform.tfstate")
	if given, ok := m.Value("state"); ok {
		file = given
	}
	text, ok := site.SiteFile(s, file)
	var state struct {
		Outputs map[string]struct {
			Sensitive bool `json:"sensitive"`
		} `json:"outputs"`
	}
	if !ok || json.Unmarshal([]byte(text), &state) != nil {
		return
	}
	asked, named := m.Value("name")
	for name, output := range state.Outputs {
		if output.Sensitive && (!named || site.SameWord(asked, name) || !asked.IsKnown()) {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SecretRead, Target: file, Arg: "state"})
			r.Prints = catalog.PrintsSecret
			return
		}
	}
}
