package wrap

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Alone reports whether a line does in a shell of its own what it does in the one that it
// was written for: it leaves that one as it was (no directory, variable, function, option,
// trap or job), and asks it for nothing that is not in the environment. Where that is not
// plain, it does not.
func Alone(text, dialect string, env map[string]string) bool {
	lang, ok := map[string]syntax.LangVariant{"bash": syntax.LangBash, "zsh": syntax.LangZsh, "sh": syntax.LangPOSIX}[dialect]
	if !ok {
		return false
	}
	file, err := syntax.NewParser(syntax.Variant(lang)).Parse(strings.NewReader(text), "")
	if err != nil || len(file.Stmts) == 0 {
		return false
	}
	alone := true
	syntax.Walk(file, func(node syntax.Node) bool {
		alone = alone && stays(node, env)
		return alone
	})
	return alone
}

// stays reports whether a node, without what is in it, leaves its shell as it was.
func stays(node syntax.Node, env map[string]string) bool {
	switch n := node.(type) {
	case *syntax.Stmt:
		return !n.Background && !n.Coprocess && !n.Disown
	case *syntax.CallExpr:
		return len(n.Args) > 0 && runsProgram(n)
	case *syntax.ParamExp:
		_, set := env[paramName(n)]
		return set && n.Exp == nil
	case *syntax.ForClause, *syntax.FuncDecl, *syntax.DeclClause, *syntax.LetClause, *syntax.ArithmCmd, *syntax.CoprocClause, *syntax.TestDecl, *syntax.ArithmExp:
		return false // they set something, or may
	case *syntax.Redirect:
		return n.N == nil || strings.Trim(n.N.Value, "0123456789") == "" // {name}> sets one
	}
	return true
}

func paramName(n *syntax.ParamExp) string {
	if n.Param == nil {
		return ""
	}
	return n.Param.Value
}

// runsProgram reports whether a command is of a program, by its plain name, or of a
// builtin that leaves nothing. What a program is called like a builtin does not count.
func runsProgram(n *syntax.CallExpr) bool {
	name := n.Args[0].Lit()
	if name == "" || strings.ContainsAny(name, "~*?[\\$`") && name != "[" {
		return false
	}
	if slices.Contains([]string{"[", "echo", "false", "pwd", "test", "true", ":"}, name) {
		return true
	}
	return !slices.Contains(builtins(), name)
}

// builtins are those of bash and zsh that are left: they change the shell or tell of it
// (bash(1), "SHELL BUILTIN COMMANDS"; zshbuiltins(1)). printf sets a variable with -v.
func builtins() []string {
	return strings.Fields(`. alias autoload bg bind bindkey break builtin bye caller cd chdir command compadd compgen complete compopt comparguments compctl
compdescribe continue coproc declare dirs disable disown echotc echoti emulate enable eval exec exit export fc fg float functions getln getopts hash history
integer jobs kill let limit local log logout mapfile noglob nocorrect popd print printf private pushd pushln r read readarray readonly rehash return sched set setopt shift
shopt source stat suspend times trap ttyctl type typeset ulimit umask unalias unfunction unhash unlimit unset unsetopt vared wait whence where which
zcompile zformat zle zmodload zparseopts zprof zpty zregexparse zsocket zstyle ztcp`)
}
