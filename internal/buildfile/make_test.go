package buildfile

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// someMakefile is read with an environment in which only HOME is set.
const someMakefile = `SRC = a.c b.c
OBJ := $(patsubst %.c,%.o,$(SRC))
all: clean other
clean:
	@rm -rf $(OBJ) $(DESTDIR)/x
	if [ -n "$(X)" ]; then rm y; fi
other: OBJ = z
other: ; -echo $(OBJ) $@ $(HOME)
%.o: %.c
	cc -o $@ $<
`

func commands(all []Command) []string {
	var out []string
	for i := range all {
		v := all[i].Value()
		out = append(out, v.String())
	}
	return out
}

func TestMakePlan(t *testing.T) {
	t.Parallel()
	env := func(name string) (value.Value, bool) { return value.Lit("/home/u"), name == "HOME" }
	for goal, want := range map[string]string{
		"all":   "rm -rf a.o b.o /x; if [ -n \"\" ]; then rm y; fi; echo z other /home/u",
		"other": "echo z other /home/u",
		"q.o":   "cc -o q.o q.c",
	} {
		m := NewMake(Site{OS: "linux", Env: env})
		m.Goals(goal)
		m.Read("Makefile", someMakefile)
		got, ok := m.Plan()
		if text := strings.Join(commands(got), "; "); text != want || !ok {
			t.Errorf("%s: %q (%t), want %q", goal, text, ok, want)
		}
	}
}

func TestMakeRecipes(t *testing.T) {
	t.Parallel()
	m := NewMake(Site{})
	m.Read("Makefile", someMakefile)
	var got []string
	for _, r := range m.Recipes() {
		got = append(got, r.Name+": "+strings.Join(commands(r.Commands), "; "))
	}
	want := []string{
		`clean: rm -rf a.o b.o $(DESTDIR)/x; if [ -n "$(X)" ]; then rm y; fi`,
		"other: echo z other $(HOME)",
		"%.o: cc -o %.o %.c",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q", got)
	}
}

// What stands for a parameter is empty where nothing is called, whoever runs the file.
func TestParameters(t *testing.T) {
	t.Parallel()
	m := NewMake(Site{Absent: func(name string) value.Value { return value.Unknown(risk.CauseGiven, name) }})
	m.Read("Makefile", "DEL = rm -f $1\nclean:\n\t$(DEL) a.o $(X)\n\t$(call DEL,b.o)\n")
	var got []string
	for _, r := range m.Recipes() {
		got = append(got, commands(r.Commands)...)
	}
	if text := strings.Join(got, "; "); text != "rm -f  a.o $(X); rm -f b.o" {
		t.Errorf("got %q", text)
	}
}

func FuzzMake(f *testing.F) {
	f.Add(someMakefile)
	f.Fuzz(func(_ *testing.T, text string) {
		if len(text) > 4096 {
			return
		}
		m := NewMake(Site{})
		m.Read("Makefile", text)
		m.Recipes()
		m.Calls()
		m.Plan()
	})
}
