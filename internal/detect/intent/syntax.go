package intent

// A Feature is one syntax feature of a command and its weight.
type Feature struct {
	Name   string
	Points int
}

// Syntax appends the syntax features of the input that was scored last, with
// the weights of the CommandRisk seed: has_pipe 10, has_redirect 5,
// has_subshell 15, has_exec 20, has_eval 25, root_paths 20, sensitive_files 30.
// Beside them stand what the seed names without a weight: nesting and encodings.
func (s *Scratch) Syntax(dst []Feature) []Feature {
	x := &s.shape
	for _, f := range [...]struct {
		has bool
		Feature
	}{
		{x[shapePipes] > 0, Feature{"pipe", 10}},
		{x[shapeOut]+x[shapeAppend]+x[shapeIn]+x[shapeHeredoc] > 0, Feature{"redirection", 5}},
		{x[shapeSubst] > 0, Feature{"subshell", 15}},
		{x[shapeEval] > 0, Feature{"eval", 25}},
		{x[shapeRoot] > 0, Feature{"root path", 20}},
		{x[shapeSecret] > 0, Feature{"sensitive file", 30}},
		{x[shapeDepth] >= 3, Feature{"nesting", 10}},
		{x[shapeEscapes] > 0 || x[shapeEncoded] > 6 && x[shapeEntropy] > 5, Feature{"encoding", 10}},
	} {
		if f.has {
			dst = append(dst, f.Feature)
		}
	}
	return dst
}
