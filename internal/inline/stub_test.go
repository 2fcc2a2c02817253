package inline

func pythonCases() []scanCase { return nil }
func phpCases() []scanCase    { return nil }
func perlCases() []scanCase   { return nil }
func rubyCases() []scanCase   { return nil }
func nodeCases() []scanCase   { return nil }
func luaCases() []scanCase    { return nil }
