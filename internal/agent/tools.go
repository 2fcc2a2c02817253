package agent

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/heedsh/heed/internal/wrap/shellargs"
	"github.com/heedsh/heed/risk"
)

// A Language says what kind of text a tool runs.
type Language uint8

// The languages.
const (
	None       Language = iota // the tool runs no command
	POSIX                      // a command for bash or zsh
	PowerShell                 // heed does not read it
	Typed                      // text that is typed into a program which runs already
	Files                      // it writes files; the command is one that does
)

// shells are the tools that run commands, in small letters, as the agents call them:
// one of them without a command is a payload that is not understood.
var shells = []string{
	"bash", "monitor", "shell", "exec", "exec_command", "local_shell", "terminal",
	"run_shell_command", "run_command", "run_commands", "run_in_terminal", "runterminalcommand", "run_terminal_cmd", "runcommand", "runcommands",
	"execute_bash", "execute_cmd", "execute_command", "developer__shell",
}

var powerShells = []string{"powershell", "pwsh"}

// typists are the tools that type into a program which runs already. The fields that
// hold the text are [typedFields].
var typists = []string{
	"write_stdin", "write_bash", "write_powershell", "send_input", "send_to_terminal", "send_keys", "terminal_input", "write_to_terminal", "write_to_process",
	"send_command_input", "shell_write", "bash_input", "bashinput",
}

var typedFields = []string{"chars", "input", "text", "keys", "data", "stdin", "content", "command"}

// writers are the tools that write files, whatever else they are given.
var writers = []string{
	"write", "edit", "multiedit", "notebookedit", "apply_patch", "write_file", "replace", "create", "create_file", "edit_file", "edit_files", "patch",
	"write_to_file", "replace_in_file", "replace_file_content", "multi_replace_file_content", "insert_edit_into_file", "replace_string_in_file",
	"multi_replace_string_in_file", "fs_write", "delete", "delete_file", "editfiles", "createfile", "new_file",
}

// writing are the words by which the name of another tool says that it writes.
var writing = []string{"write", "edit", "create", "replace", "patch", "insert", "update", "delete", "remove", "move", "rename", "save", "append", "copy", "upload"}

// readers are tools that show what is in files, and reading the words by which the name
// of another says that it does.
var (
	readers = []string{"cat", "fs_read", "text_editor"}
	reading = []string{"read", "view", "open", "grep", "search", "show", "content"}
)

// pathFields are what tools call the files that they write, in small letters and
// without what joins words.
var pathFields = []string{
	"filepath", "path", "file", "filename", "notebookpath", "targetfile", "absolutepath", "relativeworkspacepath", "destination", "dest", "target", "source",
	"oldpath", "newpath", "paths", "files", "filepaths", "uri",
}

// viewVerbs and editVerbs are what an editor calls its commands: beside a path these
// run nothing.
var (
	viewVerbs = []string{"view", "read", "open", "search", "list"}
	editVerbs = []string{"create", "str_replace", "strReplace", "insert", "undo_edit", "write", "edit", "append", "replace", "delete", "rename", "move"}
)

// commandFields are what tools call a command line that they run: Claude Code's
// own, and those of other agents and of MCP servers.
var commandFields = []string{
	"command", "cmd", "commands", "shell_command", "bash_command", "commandLine", "command_line", "CommandLine", "shellCommand", "bash", "script",
}

// argumentFields hold what follows a command in a field of its own.
var argumentFields = []string{"args", "arguments", "argv"}

// use reads what a tool is given that is about to be used.
func (c *Call) use(input json.RawMessage) error {
	name := strings.ToLower(c.Tool)
	runs := slices.Contains(shells, name) || slices.Contains(powerShells, name)
	fields, err := members(input)
	switch {
	case err != nil:
		return fmt.Errorf("reading the input of %s: %w", quoted(c.Tool), err)
	case runs && fields == nil:
		return fmt.Errorf("the input of %s is no object", quoted(c.Tool))
	case runs:
		if c.Command, err = shellCommand(fields); err != nil {
			return fmt.Errorf("reading the input of %s: %w", quoted(c.Tool), err)
		}
		if c.Language = POSIX; slices.Contains(powerShells, name) {
			c.Language = PowerShell
		}
		return nil
	case fields == nil || name == "slashcommand" || name == "skill":
		return nil
	case slices.Contains(typists, name):
		c.types(fields)
		return nil
	case name == "apply_patch":
		return c.patches(fields, input)
	case slices.Contains(writers, name):
		c.writes(fields, input)
		return nil
	}
	if command, ok := commandIn(fields, 0); ok {
		c.Language, c.Command = POSIX, command
		return nil
	}
	says := func(word string) bool { return strings.Contains(name, word) }
	verb, err := text(fields, "command")
	switch {
	case err == nil && slices.Contains(viewVerbs, verb):
		c.reads(fields)
	case slices.ContainsFunc(writing, says) || editing(fields):
		c.writes(fields, input)
	case slices.Contains(readers, name) || slices.ContainsFunc(reading, says):
		c.reads(fields)
	}
	return nil
}

// members are those of an object, also of one that is written as a text; nil for a
// value of another kind.
func members(input json.RawMessage) (map[string]json.RawMessage, error) {
	raw := bytes.TrimLeft(input, " \t\r\n")
	if len(raw) > 0 && raw[0] == '"' {
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return nil, err
		}
		raw = bytes.TrimLeft([]byte(s), " \t\r\n")
	}
	if len(raw) == 0 || raw[0] != '{' {
		return nil, nil
	}
	return object(raw)
}

// shellCommand is what a tool that is known to run commands is given.
func shellCommand(fields map[string]json.RawMessage) (string, error) {
	if raw, ok := fields["commands"]; ok && fields["command"] == nil {
		all, ok := list(raw)
		if !ok || len(all) == 0 {
			return "", errors.New(`the field "commands" is no list of strings`)
		}
		return each(all), nil
	}
	for _, name := range []string{"command", "cmd", "CommandLine", "command_line", "commandLine"} {
		if _, ok := fields[name]; ok {
			return text(fields, name)
		}
	}
	return text(fields, "command") // says what is missing
}

// each writes several commands, of which each runs in a shell of its own, as one.
func each(commands []string) string {
	if len(commands) == 1 {
		return commands[0]
	}
	lines := make([]string, 0, len(commands))
	for _, c := range commands {
		lines = append(lines, "bash -c "+shellargs.Quote(c))
	}
	return strings.Join(lines, "\n")
}

// list reads a list of strings.
func list(raw json.RawMessage) ([]string, bool) {
	var all []*string
	if err := json.Unmarshal(raw, &all); err != nil || slices.Contains(all, nil) {
		return nil, false
	}
	out := make([]string, 0, len(all))
	for _, s := range all {
		out = append(out, *s)
	}
	return out, true
}

// maxNesting is how far below its input a tool's command line is looked for.
const maxNesting = 2

// commandIn finds the command line in the input of a tool of a name that nobody
// knows: a server may call its tool what it likes. Beside a file, a word of an editor
// is no command.
func commandIn(fields map[string]json.RawMessage, depth int) (string, bool) {
	for _, name := range commandFields {
		raw, ok := fields[name]
		if !ok {
			continue
		}
		line, err := text(fields, name)
		if words, is := list(raw); is && len(words) > 0 {
			if line, err = shellargs.Join(words), nil; name == "commands" {
				line = each(words)
			}
		}
		if err != nil || strings.TrimSpace(line) == "" || named(fields) && (slices.Contains(viewVerbs, line) || slices.Contains(editVerbs, line)) {
			continue
		}
		for _, more := range argumentFields {
			if words, is := list(fields[more]); is && len(words) > 0 {
				line += " " + shellargs.Join(words)
				break
			}
		}
		return line, true
	}
	if depth >= maxNesting {
		return "", false
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if inner, err := members(fields[name]); err == nil && inner != nil {
			if line, ok := commandIn(inner, depth+1); ok {
				return line, true
			}
		}
	}
	return "", false
}

// named reports whether there is a file in a tool's input.
func named(fields map[string]json.RawMessage) bool {
	for name := range fields {
		if slices.Contains(pathFields, plain(name)) {
			return true
		}
	}
	return false
}

// editing reports whether a tool's input has a word of an editor that writes.
func editing(fields map[string]json.RawMessage) bool {
	verb, err := text(fields, "command")
	return err == nil && slices.Contains(editVerbs, verb)
}

// plain is the name of a field without what joins its words.
func plain(name string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
}

// types reads a text that goes to a program which runs already. What only looks, or
// stops the program (control characters), types nothing.
func (c *Call) types(fields map[string]json.RawMessage) {
	for _, name := range typedFields {
		raw, ok := fields[name]
		if !ok {
			continue
		}
		typed, err := text(fields, name)
		if err != nil {
			typed = string(raw) // a list of keys, say
		}
		if strings.TrimFunc(typed, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }) != "" {
			c.Language, c.Command = Typed, typed
		}
		return
	}
}

// writes makes the command of a tool that writes files, or deletes them.
func (c *Call) writes(fields map[string]json.RawMessage, input json.RawMessage) {
	files := slices.DeleteFunc(pathsIn(fields, 0), func(f string) bool { return strings.Contains(f, "://") })
	name := strings.ToLower(c.Tool)
	if verb, err := text(fields, "command"); strings.Contains(name, "delete") || strings.Contains(name, "remove") || err == nil && verb == "delete" {
		c.written(nil, files, input)
		return
	}
	c.written(files, nil, input)
}

// file is a file that a tool names, as a word of a command. Some tools take ~ as a shell
// does.
func file(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		return "~/" + shellargs.Quote(rest)
	}
	return shellargs.Quote(name)
}

// pathsIn are the files that a tool's input names.
func pathsIn(fields map[string]json.RawMessage, depth int) (paths []string) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		raw := fields[name]
		switch {
		case slices.Contains(pathFields, plain(name)):
			if one, err := text(fields, name); err == nil {
				paths = append(paths, strings.TrimPrefix(one, "file://"))
				continue
			}
			if all, ok := list(raw); ok {
				paths = append(paths, all...)
				continue
			}
		}
		if depth >= maxNesting {
			continue
		}
		var items []json.RawMessage
		if json.Unmarshal(raw, &items) != nil {
			items = []json.RawMessage{raw}
		}
		for _, item := range items {
			if len(item) > 0 && item[0] == '{' {
				if inner, err := object(item); err == nil {
					paths = append(paths, pathsIn(inner, depth+1)...)
				}
			}
		}
	}
	return paths
}

// maxShown is how many files of one use of a tool are looked at.
const maxShown = 256

// idle reports whether a tool neither runs anything nor shows a file.
func (c *Call) idle() bool { return c.Language == None && c.Shown == "" }

// reads makes the command that reads what a tool shows.
func (c *Call) reads(fields map[string]json.RawMessage) {
	files := slices.DeleteFunc(pathsIn(fields, 0), func(f string) bool { return f == "" || strings.Contains(f, "://") })
	if len(files) == 0 {
		return
	}
	c.Shown = "cat --"
	for _, f := range files[:min(len(files), maxShown)] {
		c.Shown += " " + file(f)
	}
}

// patches makes the command of a patch: a text that names its files in lines of their
// own, "*** Update File: NAME". Source: openai/codex, codex-rs/apply-patch.
func (c *Call) patches(fields map[string]json.RawMessage, input json.RawMessage) error {
	for _, name := range []string{"command", "input", "patch", "patchText", "patch_text"} {
		patch, err := text(fields, name)
		if err != nil {
			continue
		}
		if !strings.Contains(patch, "*** Begin Patch") {
			return fmt.Errorf("the field %q of apply_patch is no patch", name)
		}
		var written, deleted []string
		for line := range strings.Lines(patch) {
			line = strings.TrimSpace(line)
			for _, head := range []string{"*** Add File: ", "*** Update File: ", "*** Move to: "} {
				if file, ok := strings.CutPrefix(line, head); ok {
					written = append(written, file)
				}
			}
			if file, ok := strings.CutPrefix(line, "*** Delete File: "); ok {
				deleted = append(deleted, file)
			}
		}
		c.written(written, deleted, input)
		return nil
	}
	return errors.New("apply_patch has no patch")
}

// maxNote is the longest input of a tool that stands beside the command that is
// judged, in bytes.
const maxNote = 16 << 10

// written sets what is judged where a tool writes files: a command that does, with the
// tool's input behind it, so that a yes is one to exactly that.
func (c *Call) written(paths, deleted []string, input json.RawMessage) {
	var lines []string
	for verb, files := range map[string][]string{"tee": paths, "rm": deleted} {
		line := verb + " --"
		for _, f := range files {
			if f != "" {
				line += " " + file(f)
			}
		}
		if line != verb+" --" {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return
	}
	slices.Sort(lines)
	c.Language, c.Look = Files, strings.Join(lines, "; ")
	by := c.Look + " # " + strings.Join(strings.Fields(c.Tool), " ") + " "
	sum := sha256.Sum256(input)
	c.Sealed = by + "input sha256:" + hex.EncodeToString(sum[:])
	c.Command = c.Sealed
	var b bytes.Buffer
	if json.Compact(&b, input) == nil && b.Len() <= maxNote {
		c.Command = by + b.String()
	}
}

// at sets where the command runs: the first of these that is given. A tool that shows
// files needs none, if it names them from the root.
func (c *Call) at(dirs ...string) error {
	dir := cmp.Or(dirs...)
	switch {
	case c.idle():
		return nil
	case c.Language == None && !path.IsAbs(dir):
		c.Dir = "/"
		return nil
	}
	switch {
	case dir == "":
		return errors.New("the payload does not say where the command runs")
	case !path.IsAbs(dir):
		return fmt.Errorf("the directory is no absolute path: %s", quoted(dir))
	}
	c.Dir = dir
	return nil
}

// below is a directory that a tool's input may name, seen from the session's.
func below(dir, session string) string {
	if dir == "" || path.IsAbs(dir) || session == "" {
		return dir
	}
	return path.Join(session, dir)
}

// What a tool's name says of the text that it brings: pages of the web; of a server's tool
// also what people who are not here wrote; and that it sends rather than brings.
var (
	webWords     = []string{"webfetch", "web_fetch", "websearch", "web_search", "web_scrape", "fetch_webpage", "fetch_url", "browser", "read_url", "google_search", "search_web"}
	foreignWords = []string{"web", "url", "http", "fetch", "browse", "crawl", "scrape", "issue", "pull_request", "comment", "discussion", "mail", "inbox", "message", "ticket", "tweet", "feed"}
	sendingVerbs = []string{"create", "add", "send", "post", "update", "delete", "close", "merge", "reply"}
)

// untrusted says what text of others a tool brings into the session. A tool of an MCP
// server brings whatever that server says. A file of the workspace is not counted:
// agents read them all day, and every test that they run then would be one that a file
// has asked for.
func untrusted(tool string) risk.Provenance {
	name := strings.ToLower(tool)
	says := func(word string) bool { return strings.Contains(name, word) }
	if slices.ContainsFunc(webWords, says) {
		return risk.WebContent
	}
	called, server := served(name)
	switch {
	case !server:
		return ""
	case slices.ContainsFunc(sendingVerbs, func(verb string) bool { return strings.HasPrefix(called, verb) }):
		return risk.ToolOutput
	case slices.ContainsFunc(foreignWords, says):
		return risk.WebContent
	}
	return risk.ToolOutput
}

// served is what an MCP server calls a tool, by the tool's name in small letters, and
// whether it is one of a server: agents write mcp__server__tool, @server/tool, or say no
// more than that it is some tool or resource of some server.
func served(name string) (called string, server bool) {
	at := max(strings.LastIndex(name, "__")+2, strings.LastIndex(name, "/")+1)
	switch {
	case strings.HasPrefix(name, "mcp__"), strings.HasPrefix(name, "@"):
		return name[max(at, 1):], true
	case strings.HasPrefix(name, "mcp_"), strings.Contains(name, "mcp_tool"), strings.Contains(name, "mcp_resource"), strings.Contains(name, "mcpresource"), strings.Contains(name, "mcp-server"):
		return name, true
	}
	return "", false
}
