package inline

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestZZGen(t *testing.T) {
	f, err := os.Open(os.Getenv("CASES"))
	if err != nil {
		t.Skip()
	}
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		lang, text, _ := strings.Cut(sc.Text(), "\t")
		text = strings.ReplaceAll(text, "⏎", "\n")
		fmt.Printf("%s\t%s\n    => %s\n", lang, text, render(Scan(lang, text)))
	}
}
