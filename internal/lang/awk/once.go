package awk

// Once returns the variables that a program sets, with the value of those that
// it sets in one place only, by an assignment; that of others is nil.
func (p *Program) Once() map[string]*Node {
	vars := map[string]*Node{}
	set := func(n, value *Node) {
		if n == nil || n.Kind != Var {
			return
		}
		if _, again := vars[n.Text]; again {
			value = nil
		}
		vars[n.Text] = value
	}
	p.Walk(func(n *Node) bool {
		switch n.Kind {
		case Assign:
			value := n.Kids[1]
			if n.Op != "=" {
				value = nil
			}
			set(n.Kids[0], value)
		case Pre, Post, Getline, ForIn:
			set(n.Kids[0], nil)
		case Call:
			if (n.Text == "sub" || n.Text == "gsub") && len(n.Kids) > 2 {
				set(n.Kids[2], nil)
			}
		case Function: // parameters hide what is outside
			for _, parameter := range n.Kids[:len(n.Kids)-1] {
				set(parameter, nil)
			}
		}
		return true
	})
	return vars
}
