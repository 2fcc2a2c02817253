package pure

// A program computes one run. An error means that the output is unknown.
type program func(j *job, args []string) error

// lookup finds a program by its bare name; nil if it is not pure.
func lookup(name string) program {
	if p := lookupText(name); p != nil {
		return p
	}
	if p := lookupCode(name); p != nil {
		return p
	}
	switch name {
	case "awk", "mawk", "nawk", "gawk", "original-awk":
		return runAwk
	case "bc":
		return runBc
	case "dc":
		return runDc
	case "expr", "gexpr":
		return runExpr
	case "jq":
		return runJq
	case "sed", "gsed":
		return runSed
	case "grep", "egrep", "fgrep", "ggrep":
		return runGrep
	case "cmp", "gcmp":
		return runCmp
	case "diff", "gdiff":
		return runDiff
	case "test", "[":
		return runTest
	case "true", ":":
		return runStatus(0)
	case "false":
		return runStatus(1)
	case "basename", "gbasename":
		return runBasename
	case "dirname", "gdirname":
		return runDirname
	case "pwd":
		return runPwd
	case "realpath", "grealpath":
		return runRealpath
	case "readlink", "greadlink":
		return runReadlink
	case "printenv":
		return runPrintenv
	}
	return nil
}

// lookupText finds the programs that print or rearrange text.
func lookupText(name string) program {
	switch name {
	case "cat", "gcat":
		return runCat
	case "cut", "gcut":
		return runCut
	case "echo", "gecho":
		return runEcho
	case "expand":
		return runExpand
	case "fold":
		return runFold
	case "head", "ghead":
		return runHead
	case "nl":
		return runNl
	case "paste":
		return runPaste
	case "printf", "gprintf":
		return runPrintf
	case "rev":
		return runRev
	case "rot13":
		return runRot13
	case "seq", "gseq":
		return runSeq
	case "sort", "gsort":
		return runSort
	case "tac", "gtac":
		return runTac
	case "tail", "gtail":
		return runTail
	case "tee":
		return runTee
	case "tr", "gtr":
		return runTr
	case "uniq", "guniq":
		return runUniq
	case "wc", "gwc":
		return runWc
	}
	return nil
}

// lookupCode finds the programs that encode, decode and digest.
func lookupCode(name string) program {
	switch name {
	case "base64", "base32", "basenc":
		return runBase
	case "bzip2", "bunzip2", "bzcat":
		return runBunzip
	case "cksum":
		return runCksum
	case "gzip", "gunzip", "zcat", "gzcat":
		return runGunzip
	case "hexdump", "hd":
		return runHexdump
	case "iconv":
		return runIconv
	case "md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum":
		return runDigest
	case "od", "god":
		return runOd
	case "openssl":
		return runOpenssl
	case "uudecode":
		return runUudecode
	case "xxd":
		return runXxd
	case "zlib-flate":
		return runZlibFlate
	}
	return nil
}
