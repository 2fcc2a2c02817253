package pure

import (
	"maps"
	"slices"

	"github.com/heedsh/heed/internal/lang/awk"
)

// exec runs one statement.
func (r *awkRun) exec(n *awk.Node) (awkFlow, error) {
	if !r.j.spend(8) || r.j.over {
		return 0, errUnknown
	}
	switch n.Kind {
	case awk.Block:
		for _, s := range n.Kids {
			if flow, err := r.exec(s); err != nil || flow != awkGoOn {
				return flow, err
			}
		}
		return awkGoOn, nil
	case awk.Simple:
		_, err := r.eval(n.Kids[0])
		return awkGoOn, err
	case awk.Print:
		return awkGoOn, r.print(n.Operands())
	case awk.Printf:
		text, err := r.format(n.Operands())
		r.j.writeString(text)
		return awkGoOn, err
	case awk.If:
		yes, err := r.condition(n.Kids[0])
		switch {
		case err != nil:
			return 0, err
		case yes:
			return r.exec(n.Kids[1])
		case n.Kids[2] != nil:
			return r.exec(n.Kids[2])
		}
		return awkGoOn, nil
	case awk.While, awk.Do, awk.For:
		return r.loop(n)
	case awk.ForIn:
		return r.forIn(n)
	case awk.Next:
		return awkNexted, nil
	case awk.Break:
		return awkBroke, nil
	case awk.Continue:
		return awkContinued, nil
	case awk.Exit:
		return r.exit(n)
	case awk.Delete:
		return awkGoOn, r.remove(n.Kids[0])
	}
	return 0, errUnknown
}

func (r *awkRun) exit(n *awk.Node) (awkFlow, error) {
	if len(n.Kids) > 0 {
		v, err := r.eval(n.Kids[0])
		if err != nil {
			return 0, err
		}
		code, err := v.whole()
		if err != nil || code < 0 || code > 255 {
			return 0, errUnknown
		}
		r.j.status = code
	}
	return awkExited, nil
}

// loop runs while, do and for.
func (r *awkRun) loop(n *awk.Node) (awkFlow, error) {
	var init, cond, step, body *awk.Node
	switch n.Kind {
	case awk.While:
		cond, body = n.Kids[0], n.Kids[1]
	case awk.Do:
		body, cond = n.Kids[0], n.Kids[1]
	default:
		init, cond, step, body = n.Kids[0], n.Kids[1], n.Kids[2], n.Kids[3]
	}
	if init != nil {
		if _, err := r.exec(init); err != nil {
			return 0, err
		}
	}
	for first := true; ; first = false {
		if cond != nil && (n.Kind != awk.Do || !first) {
			yes, err := r.condition(cond)
			if err != nil || !yes {
				return awkGoOn, err
			}
		}
		flow, err := r.exec(body)
		if err != nil || flow == awkNexted || flow == awkExited {
			return flow, err
		}
		if flow == awkBroke {
			return awkGoOn, nil
		}
		if step != nil {
			if _, err := r.exec(step); err != nil {
				return 0, err
			}
		}
	}
}

// forIn runs "for (k in a)" where the order cannot matter: at most one
// element.
func (r *awkRun) forIn(n *awk.Node) (awkFlow, error) {
	a, err := r.array(r.cell(n.Kids[1]))
	if err != nil || len(a) > 1 {
		return 0, errUnknown
	}
	for _, k := range slices.Collect(maps.Keys(a)) {
		if err := r.store(n.Kids[0], awkTextOf(k)); err != nil {
			return 0, err
		}
		flow, err := r.exec(n.Kids[2])
		if err != nil || flow == awkNexted || flow == awkExited {
			return flow, err
		}
	}
	return awkGoOn, nil
}

// remove is delete.
func (r *awkRun) remove(n *awk.Node) error {
	a, err := r.array(r.cell(n))
	if err != nil {
		return err
	}
	if n.Kind == awk.Var {
		clear(a)
		return nil
	}
	key, err := r.subscript(n.Kids)
	delete(a, key)
	return err
}

// print writes values joined with OFS, or the record.
func (r *awkRun) print(list []*awk.Node) error {
	ors, err := r.ors.value.text()
	if err != nil {
		return err
	}
	if len(list) == 0 {
		v, err := r.getField(0)
		if err != nil {
			return err
		}
		text, err := v.text()
		if err != nil {
			return err
		}
		r.j.writeString(text + ors)
		return nil
	}
	texts := make([]string, 0, len(list))
	for _, n := range list {
		text, err := r.evalText(n)
		if err != nil {
			return err
		}
		texts = append(texts, text)
	}
	ofs, err := r.ofs.value.text()
	if err != nil {
		return err
	}
	for i, text := range texts {
		if i > 0 {
			r.j.writeString(ofs)
		}
		r.j.writeString(text)
	}
	r.j.writeString(ors)
	return nil
}
