package cli

import (
	"fmt"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
)

// newService returns the service of this process: heed's own knowledge and what
// the person has added to it.
func newService(s Streams) *service.Service { return service.New(own.Options(s.Env)) }

// ServiceFor returns the service of this process for the session of a request.
func ServiceFor(s Streams, req *risk.Request) *service.Service {
	opt := own.Options(s.Env)
	opt.Home, opt.User, opt.Near = req.Env["HOME"], req.Env["USER"], []string{req.Dir}
	return service.New(opt)
}

// noteSpecs says which of the person's own specs and rules are broken. Those of a
// workspace are only in the assessment: nobody here may have written them.
func noteSpecs(s Streams, problems []service.Problem) {
	for _, p := range problems {
		if p.Own {
			verb := "catalog"
			if p.Rule {
				verb = "rules"
			}
			fmt.Fprintf(s.Err, "heed: note: %s; the file is not used (heed %s check)\n", explain.Visible(p.Text), verb)
		}
	}
}
