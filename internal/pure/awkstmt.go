package pure

import (
	"maps"
	"slices"
)

// exec runs one statement.
func (r *awkRun) exec(n *awkNode) (awkFlow, error) {
	if !r.j.spend(8) || r.j.over {
		return 0, errUnknown
	}
	switch n.op {
	case awkBlock:
		for _, s := range n.subs {
			if flow, err := r.exec(s); err != nil || flow != awkGoOn {
				return flow, err
			}
		}
		return awkGoOn, nil
	case awkExpr:
		_, err := r.eval(n.subs[0])
		return awkGoOn, err
	case awkPrint:
		return awkGoOn, r.print(n.subs)
	case awkPrintf:
		text, err := r.format(n.subs)
		r.j.writeString(text)
		return awkGoOn, err
	case awkIf:
		yes, err := r.condition(n.subs[0])
		switch {
		case err != nil:
			return 0, err
		case yes:
			return r.exec(n.subs[1])
		case len(n.subs) > 2:
			return r.exec(n.subs[2])
		}
		return awkGoOn, nil
	case awkWhile, awkDo, awkFor:
		return r.loop(n)
	case awkForIn:
		return r.forIn(n)
	case awkNext:
		return awkNexted, nil
	case awkBreak:
		return awkBroke, nil
	case awkContinue:
		return awkContinued, nil
	case awkExit:
		return r.exit(n)
	case awkDelete:
		return awkGoOn, r.remove(n.subs[0])
	}
	return 0, errUnknown
}

func (r *awkRun) exit(n *awkNode) (awkFlow, error) {
	if len(n.subs) > 0 {
		v, err := r.eval(n.subs[0])
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
func (r *awkRun) loop(n *awkNode) (awkFlow, error) {
	var init, cond, step, body *awkNode
	switch n.op {
	case awkWhile:
		cond, body = n.subs[0], n.subs[1]
	case awkDo:
		body, cond = n.subs[0], n.subs[1]
	default:
		init, cond, step, body = n.subs[0], n.subs[1], n.subs[2], n.subs[3]
	}
	if init != nil {
		if _, err := r.exec(init); err != nil {
			return 0, err
		}
	}
	for first := true; ; first = false {
		if cond != nil && (n.op != awkDo || !first) {
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
func (r *awkRun) forIn(n *awkNode) (awkFlow, error) {
	a, err := r.array(n.subs[1].cell)
	if err != nil || len(a) > 1 {
		return 0, errUnknown
	}
	for _, k := range slices.Collect(maps.Keys(a)) {
		if err := r.store(n.subs[0], awkTextOf(k)); err != nil {
			return 0, err
		}
		flow, err := r.exec(n.subs[2])
		if err != nil || flow == awkNexted || flow == awkExited {
			return flow, err
		}
	}
	return awkGoOn, nil
}

// remove is delete.
func (r *awkRun) remove(n *awkNode) error {
	a, err := r.array(n.cell)
	if err != nil {
		return err
	}
	if n.op == awkVar {
		clear(a)
		return nil
	}
	key, err := r.subscript(n.subs)
	delete(a, key)
	return err
}

// print writes values joined with OFS, or the record.
func (r *awkRun) print(list []*awkNode) error {
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
