package madeup

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// writeRepos makes the files that a repository consists of, as far as somebody
// may look at them or aim at them: HEAD, config, index, refs. Git's answers do
// not come from them.
func (m *maker) writeRepos() error {
	for i, s := range m.stores {
		if err := m.writeRepo(s); err != nil {
			return fmt.Errorf("write repository %d: %w", i+1, err)
		}
	}
	return nil
}

func (m *maker) writeRepo(s *store) error {
	head := s.tip + "\n"
	if s.branch != "" {
		head = "ref: refs/heads/" + s.branch + "\n"
	}
	files := [][2]string{
		{"HEAD", head},
		{"config", renderConfig(s.config)},
		{"description", "a repository of a fake world\n"},
		{"objects/pack/fake.pack", "PACK"},
	}
	if !s.bare {
		files = append(files, [2]string{"index", "DIRC"})
	}
	for _, t := range s.trees {
		// A branch of a linked work tree that no line placed is where the main one is.
		if full := "refs/heads/" + t.head; s.refs[full] == "" && s.tip != "" {
			s.refs[full] = s.tip
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.refs)) {
		files = append(files, [2]string{name, s.refs[name] + "\n"})
	}
	for _, f := range files {
		if err := m.file(path.Join(s.common, f[0]), f[1]); err != nil {
			return err
		}
	}
	for _, t := range s.trees {
		err := errors.Join(
			m.file(path.Join(t.root, ".git"), "gitdir: "+t.dir+"\n"),
			m.file(path.Join(t.dir, "HEAD"), "ref: refs/heads/"+t.head+"\n"),
			m.file(path.Join(t.dir, "gitdir"), path.Join(t.root, ".git")+"\n"),
			m.file(path.Join(t.dir, "commondir"), "../..\n"),
		)
		if err != nil {
			return err
		}
	}
	return nil
}

// file makes a file unless a statement has made it already, or has put
// something in its way (a ref below a ref, say).
func (m *maker) file(name, content string) error {
	_, err := m.tree.walk(name, false, true)
	if err == nil || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return m.path(&args{words: []Word{{Text: name, Quoted: true}, {Text: content, Quoted: true}}})
}

// renderConfig writes settings as git-config(1) does.
func renderConfig(settings []setting) string {
	var b strings.Builder
	last := ""
	for _, s := range settings {
		dot, end := strings.IndexByte(s.key, '.'), strings.LastIndexByte(s.key, '.')
		section := s.key[:dot]
		if dot < end {
			section += " " + strconv.Quote(s.key[dot+1:end])
		}
		if section != last {
			fmt.Fprintf(&b, "[%s]\n", section)
			last = section
		}
		value := s.value
		if strings.ContainsAny(value, "\"\\#;\n\t") || strings.TrimSpace(value) != value {
			value = strconv.Quote(value)
		}
		fmt.Fprintf(&b, "\t%s = %s\n", s.key[end+1:], value)
	}
	return b.String()
}
