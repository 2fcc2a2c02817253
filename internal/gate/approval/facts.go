package approval

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/replay"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/record"
	"github.com/heedsh/heed/risk"
)

// A Job is what would be executed.
type Job struct {
	// Shell is the dialect of the shell whose command line Argv is; empty for
	// any other program.
	Shell string `json:"shell,omitempty"`
	// Program is the file that is executed, an absolute path.
	Program string `json:"program"`
	// Argv are its words, with its name first.
	Argv []string `json:"argv"`
	// Script is the text that a shell reads on standard input, if it does.
	Script    string `json:"script,omitempty"`
	HasScript bool   `json:"has_script,omitempty"`
	// Piped says that standard input is neither a terminal nor empty: what it
	// holds is not known.
	Piped bool   `json:"piped,omitempty"`
	Dir   string `json:"dir"`
}

// Facts are all that an approval is bound to.
type Facts struct {
	Job     Job    `json:"job"`
	File    string `json:"file"`    // what is known of the program's file
	Command string `json:"command"` // as it was assessed
	// MAC tells a command that holds a secret from others; then Command has the secret
	// taken out, and the job's words are not kept.
	MAC        string            `json:"mac,omitempty"`
	Provenance risk.Provenance   `json:"provenance,omitempty"`
	Workspaces []string          `json:"workspaces,omitempty"`
	Specs      []string          `json:"specs,omitempty"`
	Env        map[string]string `json:"env"`   // hashes of what was read, by name
	World      map[string]string `json:"world"` // hashes of answers, by question
	Account    string            `json:"account"`
	Answer     string            `json:"answer"` // hash of the assessment
	Engine     string            `json:"engine"`
	Catalog    string            `json:"catalog"`
}

// Input is what facts are made from.
type Input struct {
	Job     Job
	File    string // what is known of the program's file
	Request risk.Request
	Answer  risk.Assessment
	// Record is that of the answer, and Kept what looks like a secret and had to
	// stay in it.
	Record *replay.Record
	Kept   []string
}

// Unjudged makes the facts of a command that could not be assessed: they bind to its
// text, its program and the environment, and to nothing that was looked at.
func Unjudged(job *Job, file string, req *risk.Request) *Facts {
	return &Facts{
		Job: *job, File: file, Command: req.Command, Provenance: req.Provenance, Workspaces: req.Workspaces,
		Env: envFacts(req.Command, nil, req.Env, req.Env), World: map[string]string{}, Answer: "not judged",
	}
}

// New makes the facts of an assessment. secret says that the command itself
// holds what looks like a secret, so that it must not be kept.
func New(in *Input) (f *Facts, secret bool, err error) {
	r := in.Record
	answers, err := r.World.Answers()
	if err != nil {
		return nil, false, fmt.Errorf("binding the command to this world: %w", err)
	}
	read, err := worldFacts(answers)
	if err != nil {
		return nil, false, fmt.Errorf("binding the command to this world: %w", err)
	}
	user, system, host := r.World.Account()
	f = &Facts{
		Job: in.Job, File: in.File, Command: in.Request.Command, Provenance: in.Request.Provenance, Workspaces: in.Request.Workspaces, Specs: r.Specs,
		Env: envFacts(in.Request.Command, answers, in.Request.Env, r.Request.Env), World: read,
		Account: hash(strconv.Itoa(user.UID) + "\x00" + user.Name + "\x00" + user.Home + "\x00" + system + "\x00" + host),
		Answer:  hash(string(r.Answer)), Engine: in.Answer.Inputs.Engine, Catalog: in.Answer.Inputs.Catalog,
	}
	return f, slices.Contains(in.Kept, "the command") || quotesSecret(in), nil
}

// minSecret is the shortest value of a credential variable that is looked for
// in commands: shorter ones are words like "1" or "none".
const minSecret = 6

// quotesSecret reports whether the command holds the value of a variable that
// is a credential by its name.
func quotesSecret(in *Input) bool {
	for name, text := range in.Request.Env {
		if len(text) >= minSecret && value.CredentialName(name) && strings.Contains(in.Request.Command, text) {
			return true
		}
	}
	return false
}

// hash is enough of a SHA-256 to tell two texts apart, against people who look
// for collisions: 128 bits.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// Digest names the facts: equal facts, and no others, have equal digests. It is
// a SHA-256 in 64 hexadecimal digits.
func (f *Facts) Digest() (string, error) {
	text, err := json.Marshal(record.Escape(*f))
	if err != nil {
		return "", fmt.Errorf("binding the command to this world: %w", err)
	}
	sum := sha256.Sum256(append([]byte("heed-run/2\n"), text...))
	return hex.EncodeToString(sum[:]), nil
}

// maxQuestions is how many answers are kept one by one. Those that follow have
// one hash together.
const maxQuestions = 2048

// worldFacts are the hashes of all that was read of the machine.
func worldFacts(answers []record.Answer) (map[string]string, error) {
	out := make(map[string]string, min(len(answers), maxQuestions))
	rest := sha256.New()
	for i := range answers {
		if passing(answers[i].Path) {
			continue
		}
		text, err := lasting(answers[i])
		if err != nil {
			return nil, err
		}
		q, a := question(&answers[i]), hash(text)
		if len(out) < maxQuestions {
			out[q] = a
			continue
		}
		fmt.Fprintf(rest, "%s\n%s\n", q, a)
		out[theRest] = hex.EncodeToString(rest.Sum(nil)[:16])
	}
	return out, nil
}

// theRest is the key of all answers after maxQuestions.
const theRest = "the rest"

// question spells a question, with the path first among what is quoted.
func question(a *record.Answer) string {
	q := a.Method + " " + strconv.Quote(a.Path)
	if a.Name != "" {
		q += " " + strconv.Quote(a.Name)
	}
	if a.Limit != 0 {
		q += " " + strconv.Itoa(a.Limit)
	}
	if len(a.From)+len(a.By) > 0 {
		q += fmt.Sprintf(" %q %q", a.From, a.By)
	}
	return q
}

// passing reports whether what is read there changes by itself: the process's own
// files.
func passing(name string) bool {
	return name == "/proc" || strings.HasPrefix(name, "/proc/") || strings.HasPrefix(name, "/dev/fd/")
}

// lasting writes an answer as records do, without what changes by itself: the size
// and times of directories, of which the listings tell what matters, and the times
// of terminals and other devices.
func lasting(a record.Answer) (text string, err error) {
	if i, ok := a.Value.(world.Info); ok && i.Kind != world.Regular && i.Kind != world.Symlink {
		i.Size, i.MTime, i.CTime, i.Links = 0, 0, 0, 0
		a.Value = i
	}
	value, err := a.JSON()
	if err != nil {
		return "", fmt.Errorf("writing the answer to %s: %w", question(&a), err)
	}
	wrong := ""
	if a.Err != nil {
		wrong = a.Err.Error()
	}
	return wrong + "\x00" + string(value), nil
}

// Differences says in words how the facts differ from what they were.
func (f *Facts) Differences(was *Facts) []string {
	var out []string
	add := func(what string, same bool) {
		if !same {
			out = append(out, what)
		}
	}
	add("the directory", f.Job.Dir == was.Job.Dir)
	add("the command", f.Command == was.Command && f.MAC == was.MAC && slices.Equal(f.Job.Argv, was.Job.Argv) && f.Job.Script == was.Job.Script && f.Job.Piped == was.Job.Piped)
	add("the program "+f.Job.Program, f.Job.Program == was.Job.Program && f.File == was.File)
	add("who asks", f.Provenance == was.Provenance)
	add("the workspaces", slices.Equal(f.Workspaces, was.Workspaces))
	add("the account or the machine", f.Account == was.Account)
	add("heed itself or its catalog", f.Engine == was.Engine && f.Catalog == was.Catalog && slices.Equal(f.Specs, was.Specs))
	out = append(out, changed(f.Env, was.Env, func(name string) string { return "the variable " + name })...)
	out = append(out, changed(f.World, was.World, place)...)
	if len(out) == 0 {
		add("what heed says of it", f.Answer == was.Answer)
	}
	return out
}

// maxNamed is how many differences of one kind are named.
const maxNamed = 5

// changed names the keys whose values differ, each name once.
func changed(is, was map[string]string, say func(string) string) []string {
	all := maps.Clone(was)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, is)
	var out []string
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if is[key] == was[key] {
			continue
		}
		if name := say(key); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	if n := len(out) - maxNamed; n > 0 {
		out = append(out[:maxNamed], fmt.Sprintf("%d more", n))
	}
	return out
}

// place names what a question is about.
func place(question string) string {
	at := strings.IndexByte(question, '"')
	if at < 0 {
		return "what was read of the machine"
	}
	quoted, err := strconv.QuotedPrefix(question[at:])
	if err != nil {
		return "what was read of the machine"
	}
	name, err := strconv.Unquote(quoted)
	if err != nil {
		return "what was read of the machine"
	}
	if strings.HasPrefix(question, "git") {
		return "the git repository " + name
	}
	return "the file " + name
}
