package explain

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// Safer proposes commands that reach the same aim with less at stake. The
// caller assesses them and drops any that is judged higher.
func Safer(command string, effects []risk.Effect) []risk.Safer {
	var out []risk.Safer
	add := func(c, why string) {
		if c != "" && c != command && !slices.ContainsFunc(out, func(s risk.Safer) bool { return s.Command == c }) {
			out = append(out, risk.Safer{Command: c, Why: why})
		}
	}
	add(trial(command))
	for i := range effects {
		e := &effects[i]
		if e.Tier < risk.Review {
			continue
		}
		if e.Verb == risk.ExecRemote {
			add(toRead(effects[:i]), "saves it here, so that it can be read before it runs")
		}
		switch {
		case e.Reached.Kind == risk.IfMissing:
			add(chainCD(command), "stops if the directory does not exist")
		case e.Verb == risk.VCSForce && e.Kind == risk.NoKind:
			add(replaceWord(command, []string{"--force", "-f"}, "--force-with-lease"), "refuses if the remote has commits you have not seen")
		case e.Verb == risk.VCSDiscard && (e.Kind == risk.KindUntracked || e.Kind == risk.KindIgnored || e.Kind == risk.KindUntrackedAndIgnored):
			add("git clean -nd", "only lists what would be deleted")
		case e.Verb == risk.VCSDiscard && (e.Kind == risk.KindWorktree || e.Kind == risk.KindPath):
			add("git stash push --include-untracked", "keeps the changes where they can be brought back")
		case e.Verb == risk.FSDelete && e.Cause == risk.CauseUnset && strings.HasPrefix(e.Unresolved, "$"):
			add(demand(command, strings.TrimPrefix(e.Unresolved, "$")), "stops if the variable is empty or not set")
		}
	}
	return out
}

// chainCD joins the `cd` and what follows it by && instead of ; or a newline.
func chainCD(command string) string {
	i := strings.Index(command, "cd ")
	if i < 0 {
		return ""
	}
	rest := command[i:]
	j := strings.IndexAny(rest, ";\n")
	if j < 0 || strings.ContainsAny(rest[:j], "&|'\"`$(") {
		return ""
	}
	return command[:i] + strings.TrimSpace(rest[:j]) + " && " + strings.TrimSpace(rest[j+1:])
}

// replaceWord replaces the first of words that stands alone.
func replaceWord(command string, words []string, with string) string {
	fields := strings.Split(command, " ")
	for i, f := range fields {
		if slices.Contains(words, f) {
			fields[i] = with
			return strings.Join(fields, " ")
		}
	}
	return ""
}

// demand writes $name and ${name} as ${name:?}, wherever they stand.
func demand(command, name string) string {
	if name == "" || strings.Contains(command, "'") { // in single quotes it would be text
		return ""
	}
	with := "${" + name + ":?}"
	var b strings.Builder
	for rest := strings.ReplaceAll(command, "${"+name+"}", with); rest != ""; {
		i := strings.Index(rest, "$"+name)
		if i < 0 {
			b.WriteString(rest)
			break
		}
		end := i + 1 + len(name)
		b.WriteString(rest[:i])
		if end < len(rest) && isNameByte(rest[end]) { // $NAME2 is another variable
			b.WriteString(rest[i:end])
		} else {
			b.WriteString(with)
		}
		rest = rest[end:]
	}
	return b.String()
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// trials are ways to see first what a command would do, or to do less of it, by the words
// that it begins with. They are added to its words, or stand instead of those.
var trials = []struct{ begins, add, instead, why string }{
	{"terraform apply", "", "terraform plan", "only shows what would change"},
	{"terraform destroy", "", "terraform plan -destroy", "only shows what would be destroyed"},
	{"tofu apply", "", "tofu plan", "only shows what would change"},
	{"tofu destroy", "", "tofu plan -destroy", "only shows what would be destroyed"},
	{"pulumi up", "", "pulumi preview", "only shows what would change"},
	{"kubectl delete", "--dry-run=server", "", "asks the cluster what would be deleted, and deletes nothing"},
	{"kubectl apply", "--dry-run=server", "", "asks the cluster what would change, and changes nothing"},
	{"kubectl replace", "--dry-run=server", "", "asks the cluster what would change, and changes nothing"},
	{"kubectl scale", "--dry-run=server", "", "asks the cluster what would change, and changes nothing"},
	{"helm install", "--dry-run", "", "only shows what would be installed"},
	{"helm upgrade", "--dry-run", "", "only shows what would change"},
	{"helm uninstall", "--dry-run", "", "only shows what would be deleted"},
	{"npm install", "--ignore-scripts", "", "runs no install scripts"},
	{"npm ci", "--ignore-scripts", "", "runs no install scripts"},
	{"aws s3 rm", "--dryrun", "", "only lists what would be deleted"},
	{"aws s3 sync", "--dryrun", "", "only lists what would be copied or deleted"},
	{"aws ec2 terminate-instances", "--dry-run", "", "only checks whether you may"},
	{"docker system prune", "", "docker system df", "shows what takes up space"},
	{"docker volume prune", "", "docker volume ls -f dangling=true", "lists what would be deleted"},
	{"docker image prune", "", "docker image ls -f dangling=true", "lists what would be deleted"},
	{"apt remove", "--dry-run", "", "only lists what would be removed"},
	{"apt-get remove", "--dry-run", "", "only lists what would be removed"},
	{"apt purge", "--dry-run", "", "only lists what would be removed"},
	{"apt-get purge", "--dry-run", "", "only lists what would be removed"},
	{"apt autoremove", "--dry-run", "", "only lists what would be removed"},
	{"apt-get autoremove", "--dry-run", "", "only lists what would be removed"},
	{"rsync", "--dry-run", "", "only lists what would be copied or deleted"},
}

// trial proposes a way to see first what a simple command would do.
func trial(command string) (instead, why string) {
	words := strings.Fields(command)
	if strings.ContainsAny(command, ";|&<>$`\n'\"\\(") || len(words) < 2 {
		return "", ""
	}
	before := ""
	if words[0] == "sudo" && len(words) > 2 && words[1][0] != '-' {
		before, words = "sudo ", words[1:]
	}
	line := strings.Join(words, " ")
	for i := range trials {
		t := &trials[i]
		if line != t.begins && !strings.HasPrefix(line, t.begins+" ") {
			continue
		}
		switch {
		case t.instead != "":
			return before + t.instead, t.why
		case !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "--dry") || w == t.add }):
			return before + line + " " + t.add, t.why
		}
		return "", ""
	}
	return shown(before, words)
}

// shown proposes to look at what a command of a cloud would delete, or at the disk that
// one would write over.
func shown(before string, words []string) (instead, why string) {
	at := slices.Index(words, "delete")
	switch {
	case at > 0 && words[0] == "az", at > 0 && words[0] == "gcloud":
		look := slices.Clone(words)
		look[at] = map[string]string{"az": "show", "gcloud": "describe"}[words[0]]
		look = slices.DeleteFunc(look, func(w string) bool { return w == "-y" || w == "--yes" || w == "-q" || w == "--quiet" })
		return before + strings.Join(look, " "), "shows what would be deleted"
	case words[0] == "dd" || strings.HasPrefix(words[0], "mkfs"):
		for _, w := range words[1:] {
			if disk := strings.TrimPrefix(w, "of="); strings.HasPrefix(disk, "/dev/") {
				return "lsblk -f " + disk, "shows which disk that is, and what is on it"
			}
		}
	}
	return "", ""
}

// toRead is the command that saves what was fetched, if that is one address.
func toRead(effects []risk.Effect) string {
	from := ""
	for i := range effects {
		if e := &effects[i]; e.Verb == risk.NetFetch {
			if from != "" || e.Unresolved != "" || !strings.HasPrefix(e.Target, "http") || strings.ContainsAny(e.Target, " '\"$`;&|<>()\\\n") || strings.HasSuffix(e.Target, "/") {
				return ""
			}
			from = e.Target
		}
	}
	if from == "" || strings.Count(from, "/") < 3 {
		return ""
	}
	return "curl -fsSLO " + from
}
