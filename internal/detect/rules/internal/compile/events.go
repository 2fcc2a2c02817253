package compile

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"

	"github.com/heedsh/heed/internal/detect/sigma"
	"go.yaml.in/yaml/v4"
)

// A Case is one event, or several in the order of time.
type Case struct {
	Events []map[string]string
	Line   int
}

// UnmarshalYAML reads a mapping of fields, or a list of them.
func (c *Case) UnmarshalYAML(n *yaml.Node) error {
	c.Line = n.Line
	if n.Kind == yaml.SequenceNode {
		return n.Decode(&c.Events)
	}
	c.Events = make([]map[string]string, 1)
	return n.Decode(&c.Events[0])
}

// Cases are the events of one rule.
type Cases struct {
	Match    []Case // it must match these
	Harmless []Case // and none of these
}

// Events returns the cases of all rule files, by file name.
func Events(dir fs.FS) (map[string]Cases, error) {
	names, err := fs.Glob(dir, "*/events.yaml")
	if err != nil {
		return nil, fmt.Errorf("listing the events: %w", err)
	}
	all := map[string]Cases{}
	for _, name := range names {
		data, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, fmt.Errorf("reading events: %w", err)
		}
		var of map[string]Cases
		if err := yaml.Unmarshal(data, &of); err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		for rule, c := range of {
			all[path.Join(path.Dir(name), rule+".yml")] = c
		}
	}
	return all, nil
}

// Try runs the events of every rule and tells all that is wrong.
func (p *Pack) Try(all map[string]Cases) error {
	var wrong []error
	known := map[string]bool{}
	for _, f := range p.Files {
		known[f.Name] = true
		c := all[f.Name]
		if len(c.Match) == 0 || len(c.Harmless) == 0 {
			dir, name := f.topic()
			wrong = append(wrong, fmt.Errorf("%s/events.yaml has no match or no harmless event for %s", dir, name))
		}
		for want, cases := range map[bool][]Case{true: c.Match, false: c.Harmless} {
			for _, one := range cases {
				hit, err := p.hits(f, one)
				if err == nil && hit != want {
					err = fmt.Errorf("hit is %v, want %v: %v", hit, want, one.Events)
				}
				if err != nil {
					wrong = append(wrong, fmt.Errorf("%s, events.yaml:%d: %w", f.Name, one.Line, err))
				}
			}
		}
	}
	for name := range all {
		if !known[name] {
			wrong = append(wrong, fmt.Errorf("there are events for %s, which is no rule", name))
		}
	}
	return errors.Join(wrong...)
}

// hits reports whether the first rule of a file hits during the case.
func (p *Pack) hits(f File, c Case) (bool, error) {
	var m sigma.Matcher
	session := p.Set.NewSession()
	product := p.Product(f)
	for _, fields := range c.Events {
		ev := complete(product, fields)
		var at time.Duration
		if text, ok := fields["at"]; ok {
			var err error
			if at, err = time.ParseDuration(text); err != nil {
				return false, err
			}
		}
		hits := p.Set.Match(&m, sigma.ProcessCreation(product), ev)
		for _, h := range append(session.Add(int64(at), ev, hits), hits...) {
			if h.Rule == f.Main {
				return true, nil
			}
		}
	}
	return false, nil
}

// Product returns the product that a file is for: of a correlation, that of
// the rules it counts.
func (p *Pack) Product(f File) string {
	for i := f.Main; i < p.Set.Len() && p.Set.Meta(i).File == f.Name; i++ {
		if product := p.Set.Meta(i).Source.Product; product != "" {
			return product
		}
	}
	return ""
}

// complete makes an event of the fields that a case names; the others have
// ordinary values, as heed would fill them in.
func complete(product string, fields map[string]string) sigma.Event {
	ev := map[string]string{
		"User": "dev", "CurrentDirectory": "/home/dev/project",
		"ParentImage": "/usr/bin/bash", "ParentCommandLine": "bash",
	}
	switch product {
	case "macos":
		ev["CurrentDirectory"], ev["ParentImage"], ev["ParentCommandLine"] = "/Users/dev/project", "/bin/zsh", "-zsh"
	case "windows":
		ev["User"], ev["CurrentDirectory"] = `PC\dev`, `C:\Users\dev\project\`
		ev["ParentImage"], ev["ParentCommandLine"] = `C:\Windows\System32\cmd.exe`, "cmd.exe"
	}
	for k, v := range fields {
		if k != "at" {
			ev[k] = v
		}
	}
	return sigma.EventOf(ev)
}
