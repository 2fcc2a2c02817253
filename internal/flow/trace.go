package flow

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/risk"
)

// A Trace is everything that evaluation found.
type Trace struct {
	Invocations  []risk.Invocation
	Processes    []detect.Process  // the invocations as detectors see them, in their order
	Results      []*catalog.Result // what the catalog says of them, nil where it does not know one
	Effects      []risk.Effect
	Unknowns     []risk.Unknown
	NotInspected []string
	Steps        int
	Spent        bool // a budget was used up
}
