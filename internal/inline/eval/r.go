package eval

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/inline/syntax"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// rPackages are those that R loads by itself (R manual, "Startup"), as the parser writes
// them before a function (base::cat): their functions are known without a package's name.
var rPackages = []string{"base.", "utils.", "stats.", "methods.", "grDevices.", "graphics.", "datasets."}

// rAppliers are functions that call one that they are given, by itself or by its
// name (R manual, match.fun).
var rAppliers = []string{
	"apply", "lapply", "sapply", "vapply", "mapply", "tapply", "rapply", "Map", "Filter", "Reduce", "outer", "aggregate", "Negate",
}

// plainR takes the name of a package off a function's that is known without it.
func plainR(name string) string {
	for _, p := range rPackages {
		if rest, ok := strings.CutPrefix(name, p); ok {
			return rest
		}
	}
	return name
}

// applies calls the functions that are named by texts among the arguments of one
// that calls what it is given.
func (s *scan) applies(c *call) {
	if !slices.Contains(rAppliers, c.name) {
		return
	}
	for _, a := range c.all() {
		if name, ok := a.known(); ok && a.k == vStr && s.t.calls[plainR(name)] != nil {
			s.callRef(name, &call{args: []val{unknown()}, kw: map[string]val{}, used: true})
		}
	}
}

// printing runs statements as R does at its top level: it prints what each of them
// is worth (R manual, print), but for assignments.
func (s *scan) printing(body []*syntax.Node) {
	for _, n := range body {
		v := s.eval(n)
		if !silent(n) {
			s.reveal(v, true)
		}
	}
}

// silent reports whether R prints nothing of what a statement is worth.
func silent(n *syntax.Node) bool {
	if n == nil {
		return true
	}
	switch n.Op {
	case syntax.OpAssign, syntax.OpFor, syntax.OpFunc:
		return true
	case syntax.OpCall:
		return n.Kids[0].Text == "invisible"
	}
	return false
}

// makeR lists what R's functions do (R reference manual, base and utils).
func makeR() *table {
	t := newTable(`c paste_ length sum mean median sd var min max range seq seq_len seq_along rep rev sort order unique table factor levels list vector numeric character logical matrix array data.frame nrow ncol dim names colnames rownames
head tail subset apply lapply sapply vapply mapply tapply Map Filter Reduce do.call which which.max which.min any all is.na is.null nchar substr strsplit sub gsub grepl regmatches toupper tolower sprintf format round floor ceiling abs sqrt exp log sin cos tan
as.numeric as.integer as.character as.logical as.Date Sys.time Sys.Date date set.seed rnorm runif sample lm glm summary aggregate merge cbind rbind t solve det diag invisible stop warning tryCatch try function_ return identity nlevels cumsum cumprod diff quantile cor scale stopifnot
R.version.string R.version sessionInfo Sys.info packageVersion file.exists dir.exists basename dirname getwd normalizePath nargs missing Recall is.function ifelse switch suppressWarnings suppressMessages require_ Negate outer crossprod rowSums colSums rowMeans colMeans trunc str_ object.size proc.time system.time Sys.sleep exists get_ commandArgs interactive mtcars iris library_ attach_ with within transform nchar prod intersect union setdiff rapply vapply bitwAnd strtoi chartr rawToChar_ charToRaw utf8ToInt`, "")
	t.call(shell(0, "command"), "system shell")
	t.call(func(s *scan, c *call) val {
		args := append([]val{c.arg(0, "command")}, flat([]val{c.arg(1, "args")})...)
		if args[len(args)-1].k == vNone {
			args = args[:len(args)-1]
		}
		return s.argv(args)
	}, "system2 processx.run")
	t.call(shell(0), "pipe")
	t.call(func(s *scan, c *call) val {
		save := c.arg(0, "save")
		if text, ok := save.known(); save.k != vNone && (!ok || text != "no" && text != "default") {
			s.effect(catalog.Effect{Verb: risk.FSWrite, Target: value.Lit(".RData")})
		}
		return dull()
	}, "q quit")
	t.call(func(s *scan, c *call) val {
		if r := c.arg(1, "recursive"); r.k == vRef && (r.name == "TRUE" || r.name == "T") {
			return rmtree(1)(s, c)
		}
		return del(1)(s, c)
	}, "unlink")
	t.call(del(0), "file.remove")
	t.call(renameFile(0, 1), "file.rename")
	t.call(copyFile(0, 1, false), "file.copy")
	t.call(touch(), "file.create")
	t.call(mkdir(), "dir.create")
	t.call(linkFile(0, 1), "file.symlink file.link")
	t.call(modeAction(0, 1), "Sys.chmod")
	t.call(func(s *scan, c *call) val {
		if f := c.arg(1, "con", "file"); f.k == vStr {
			s.writeFile(f, c.arg(0), risk.NoKind)
		} else {
			s.reveal(c.arg(0), true)
		}
		return dull()
	}, "writeLines write write.csv write.table saveRDS dput sink_ write.csv2")
	t.call(func(s *scan, c *call) val {
		if f := c.arg(-1, "file"); f.k == vStr {
			s.writeFile(f, joined(c.args), risk.NoKind)
			return dull()
		}
		return printed(s, c)
	}, "cat")
	rText(t)
	return t
}

// rText lists the functions of R for text, code and the network.
func rText(t *table) {
	t.call(reading(0), "readLines read.csv read.table readRDS scan readline read.delim readChar load jsonlite.fromJSON")
	t.call(printed, "print message show str")
	t.call(listing, "list.files dir list.dirs")
	t.call(pattern, "Sys.glob")
	t.call(func(s *scan, c *call) val { s.writeFile(c.arg(1), s.fetch(c.arg(0)), risk.NoKind); return dull() }, "download.file")
	t.call(func(s *scan, c *call) val { return s.fetch(c.arg(0)) }, "url httr.GET")
	t.call(sending(0), "httr.POST httr.PUT")
	t.call(connect(0, 1), "socketConnection")
	t.call(func(s *scan, c *call) val { n, _ := c.arg(0).known(); return s.environment(n) }, "Sys.getenv")
	t.call(func(_ *scan, c *call) val { return object("code", c.arg(-1, "text").value()) }, "parse str2lang str2expression")
	t.call(func(s *scan, c *call) val { return s.evalText(text(c.arg(0).value()), "r") }, "eval")
	t.call(func(s *scan, c *call) val {
		s.run(runScript(c.arg(0).value(), "r"))
		s.seen = false
		return dull()
	}, "source")
	t.call(chdir(0), "setwd")
	t.call(blind, "dyn.load .Call .C install.packages library require Sys.setenv assign get attach unserialize")
	t.call(plain(risk.PkgInstall, risk.NoKind, 0), "install.packages remotes.install_github devtools.install_github")
	t.call(func(_ *scan, c *call) val {
		sep := str(" ")
		if c.name == "paste0" {
			sep = str("")
		}
		if v, ok := c.kw["sep"]; ok {
			sep = v
		}
		return joinTexts(sep, val{k: vList, list: flat(c.args)})
	}, "paste paste0 file.path_")
	t.call(func(_ *scan, c *call) val { return joinTexts(str("/"), val{k: vList, list: c.args}) }, "file.path")
	t.call(func(_ *scan, c *call) val { return val{k: vList, list: flat(c.args)} }, "c list")
	t.call(func(s *scan, c *call) val {
		c.used = true
		return s.callValue(c.arg(0), &call{args: flat(c.args[min(1, len(c.args)):]), kw: map[string]val{}})
	}, "do.call")
	t.value(none, "NULL NA")
	t.value(dull, "pi T F letters LETTERS R.version.string R.version mtcars iris Inf NaN")
	t.value(func() val { return ref("TRUE") }, "TRUE")
}
