package prompt

func writePage() error { return nil }
