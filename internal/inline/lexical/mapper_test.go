package lexical_test

import (
	"testing"

	"github.com/heedsh/heed/internal/inline/lexical"
)

func TestMapped(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ lang, code, table string }{
		{"ruby", "User.delete_all", "User"},
		{"ruby", "puts 1; Admin::Log.all.destroy_all", "Admin::Log"},
		{"ruby", "User.where(id: 1).delete_all", ""},
		{"ruby", "User.find(1).destroy", ""},
		{"python", "from a.models import User; User.objects.all().delete()", "User"},
		{"python", "User.objects.filter(id=1).delete()", ""},
		{"javascript", "await prisma.user.deleteMany({})", "prisma.user"},
		{"javascript", "await prisma.user.deleteMany({where:{id:1}})", ""},
		{"python", "User.delete_all", ""},
	} {
		got := ""
		for _, e := range lexical.Mapped(tt.lang, tt.code) {
			got += e.Target.String()
		}
		if got != tt.table {
			t.Errorf("%s %s: %q, want %q", tt.lang, tt.code, got, tt.table)
		}
	}
}
