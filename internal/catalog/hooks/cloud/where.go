package cloud

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// Where a client's remote targets are: an option says so, else a variable,
// else one line of the client's settings. Of a file that holds credentials
// nothing but that line is looked at.

// kubeWhere names the context ("kubectl options"; Kubernetes documentation,
// "Organizing Cluster Access Using kubeconfig Files").
func kubeWhere(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	kubeNames(m)
	for _, v := range m.Values("texts") { // helm --set-file NAME=FILE,…
		for _, part := range v.Split(",") {
			if i := strings.IndexByte(part.Prefix(), '='); i >= 0 {
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: part.Cut(i + 1), Arg: "texts", Shown: m.Written() == "template" || m.Has("dry")})
			}
		}
	}
	if name, ok := site.KnownValue(m, "context"); ok {
		r.Where = "context " + name
		return
	}
	files := []string{"~/.kube/config"}
	if v, ok := site.SiteEnv(s, "KUBECONFIG"); ok {
		files = strings.Split(v.String(), ":")
	}
	if name, ok := site.KnownValue(m, "kubeconfig"); ok {
		files = []string{name}
	}
	for _, f := range files {
		if name := siteLine(s, f, "current-context:"); name != "" {
			r.Where = "context " + name
			return
		}
	}
}

// awsWhere names the profile and the region (AWS CLI user guide,
// "Configuration and credential file settings").
func awsWhere(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	where(m, s, r, "profile", "profile", "AWS_PROFILE", "AWS_DEFAULT_PROFILE")
}

// gcloudWhere names the project ("gcloud topic configurations").
func gcloudWhere(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	credentials(m, s, r)
	where(m, s, r, "project", "project", "CLOUDSDK_CORE_PROJECT")
	if r.Where != "" {
		return
	}
	name := siteLine(s, "~/.config/gcloud/active_config", "")
	if v, ok := site.SiteEnv(s, "CLOUDSDK_ACTIVE_CONFIG_NAME"); ok {
		name = v.String()
	}
	if name == "" || strings.Contains(name, "/") {
		return
	}
	if project := siteLine(s, "~/.config/gcloud/configurations/config_"+name, "project ="); project != "" {
		r.Where = "project " + project
	}
}

// azWhere names the subscription, if it is said.
func azWhere(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	credentials(m, s, r)
	where(m, s, r, "subscription", "subscription")
}

// terraformWhere names the workspace (Terraform CLI documentation,
// "Workspaces": TF_WORKSPACE, .terraform/environment).
func terraformWhere(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	where(m, s, r, "workspace", "", "TF_WORKSPACE")
	dir := s.Dir
	if chdir, ok := site.KnownValue(m, "chdir"); ok && dir != "" {
		dir = path.Join(dir, chdir)
	}
	if r.Where == "" && dir != "" {
		if name := siteLine(s, path.Join(dir, ".terraform", "environment"), ""); name != "" {
			r.Where = "workspace " + name
		}
	}
	if dir == "" || !slices.Contains([]string{"destroy", "apply"}, m.Path()[len(m.Path())-1]) {
		return
	}
	if n := stateResources(m, s, dir, strings.TrimPrefix(r.Where, "workspace ")); n > 0 {
		if r.Where != "" {
			r.Where += ", "
		}
		r.Where += strconv.Itoa(n) + " resources in its state"
		if n == 1 {
			r.Where = strings.Replace(r.Where, "resources", "resource", 1)
		}
	}
}

// stateResources counts the resources of a state that is a file here, as
// Terraform indents it (State file format 4). Nothing else of it is looked at:
// it holds credentials.
func stateResources(m *catalog.Match, s *catalog.Site, dir, workspace string) int {
	file := "terraform.tfstate"
	if workspace != "" && workspace != "default" {
		file = path.Join("terraform.tfstate.d", workspace, file)
	}
	if given, ok := site.KnownValue(m, "state"); ok {
		file = given
	}
	if !path.IsAbs(file) {
		file = path.Join(dir, file)
	}
	return siteLines(s, file, `      "mode": "managed"`).N
}

// where takes what an option says, or else a variable.
func where(m *catalog.Match, s *catalog.Site, r *catalog.Result, what, option string, variables ...string) {
	if name, ok := site.KnownValue(m, option); ok && option != "" {
		r.Where = what + " " + name
		return
	}
	for _, v := range variables {
		if name, ok := site.SiteEnv(s, v); ok && name.IsKnown() {
			r.Where = what + " " + name.String()
			return
		}
	}
}

// siteLine is one line of a file of the session's user.
func siteLine(s *catalog.Site, file, prefix string) string {
	line := siteLines(s, file, prefix).First
	if len(line) > maxWhere {
		return ""
	}
	return line
}

func siteLines(s *catalog.Site, file, prefix string) world.Lines {
	if s.World == nil || s.World.FS == nil {
		return world.Lines{}
	}
	if rest, ok := strings.CutPrefix(file, "~/"); ok {
		home := s.World.User.Home
		if v, set := site.SiteEnv(s, "HOME"); set {
			home = v.String()
		}
		if !path.IsAbs(home) {
			return world.Lines{}
		}
		file = path.Join(home, rest)
	}
	if !path.IsAbs(file) {
		if s.Dir == "" {
			return world.Lines{}
		}
		file = path.Join(s.Dir, file)
	}
	resolved, _ := world.Resolve(s.World.FS, file, true)
	lines, err := s.World.FS.Lines(resolved, prefix)
	if err != nil {
		return world.Lines{}
	}
	return lines
}

// maxWhere is how long a name in settings may be to be shown, in bytes.
const maxWhere = 100
