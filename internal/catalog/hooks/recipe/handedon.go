package recipe

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// handedOn reads what a compiler hands to the linker and the assembler, which linker that is,
// and those of its own options that have a value or write beside the program.
func handedOn(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("linker") {
		if name, known := v.Known(); !known || !slices.Contains([]string{"bfd", "gold", "lld", "mold", "ld", "ld64", "classic", "wild"}, name) {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunExec, Text: v})
		}
	}
	var linker, assembler []value.Value
	for i, a := range s.Args {
		text := a.Prefix()
		switch next := i+1 < len(s.Args); {
		case strings.HasPrefix(text, "-Wl,"):
			linker = append(linker, a.Cut(len("-Wl,")).Split(",")...)
		case text == "-Xlinker" && next:
			linker = append(linker, s.Args[i+1])
		case strings.HasPrefix(text, "-Wa,"):
			assembler = append(assembler, a.Cut(len("-Wa,")).Split(",")...)
		case text == "-Xassembler" && next:
			assembler = append(assembler, s.Args[i+1])
		case strings.HasPrefix(text, "-f"), text == "-gsplit-dwarf", strings.HasPrefix(text, "-save-temps"), text == "--coverage":
			compilerSwitch(r, a)
		case strings.HasPrefix(text, "-a") && strings.Contains(text, "=") && strings.HasSuffix(s.Name, "as"): // a listing
			site.WriteFile(r, a.Cut(strings.IndexByte(text, '=')+1), risk.NoKind)
		}
	}
	linkerWords(r, linker)
	for _, a := range assembler {
		text, known := a.Known()
		name, _, _ := strings.Cut(text, "=")
		inert := strings.Contains(" --noexecstack --execstack --32 --64 --x32 --fatal-warnings --no-warn --warn --reduce-memory-overheads -L -K -W -mbig-obj -mrelax -gstabs -g --gen-debug --keep-locals -Z -J --compress-debug-sections ", " "+name+" ") ||
			strings.HasPrefix(name, "-m") || strings.HasPrefix(name, "--gdwarf") || strings.HasPrefix(name, "-a") && name == text
		if !known || !inert {
			site.NotUnderstood(r, value.Concat(value.Lit("-Wa,"), a))
		}
	}
}

// linkerInert are options of linkers that say how parts are put together, or show it (GNU ld
// 2.42 manual, "Command-line Options"; ld64(1); lld). A word without a dash is the value of one.
const linkerInert = " -rpath -rpath-link -soname -h -z -s -S -t -x -X -E -e -u -m -O -O0 -O1 -O2 -O3 -( -) -M -pie -no-pie -Bstatic -Bdynamic -Bsymbolic -Bsymbolic-functions -Bgroup -dn -dy -nostdlib -dead_strip -headerpad_max_install_names -install_name " +
	"-compatibility_version -current_version -framework -undefined -exported_symbols_list -ld_classic -no_warn_duplicate_libraries -export_dynamic -all_load -force_load -search_paths_first -w -no_compact_unwind -stack_size -sectcreate -Ttext -Tdata -Tbss -Ttext-segment " +
	"--rpath --soname --as-needed --no-as-needed --start-group --end-group --whole-archive --no-whole-archive --gc-sections --no-gc-sections --print-gc-sections --strip-all --strip-debug --export-dynamic --no-export-dynamic --export-dynamic-symbol --no-undefined " +
	"--allow-multiple-definition --allow-shlib-undefined --no-allow-shlib-undefined --unresolved-symbols --build-id --hash-style --sort-common --sort-section --relax --no-relax --version-script --dynamic-list --trace --verbose --stats --wrap --defsym --undefined --entry " +
	"--enable-new-dtags --disable-new-dtags --copy-dt-needed-entries --no-copy-dt-needed-entries --icf --threads --no-threads --thread-count --color-diagnostics --fatal-warnings --no-fatal-warnings --exclude-libs --subsystem --stack --heap --large-address-aware --image-base " +
	"--nxcompat --dynamicbase --high-entropy-va --enable-auto-import --kill-at --pie --push-state --pop-state --eh-frame-hdr --compress-debug-sections --print-memory-usage --cref --print-map --no-keep-memory --reduce-memory-overheads --demangle --no-demangle --discard-all --discard-locals --static --library-path --no-omagic --omagic --no-rosegment --gdb-index "

func linkerWords(r *catalog.Result, words []value.Value) {
	for i, w := range words {
		text, known := w.Known()
		name, file, given := strings.Cut(text, "=")
		switch {
		case known && text != "" && text[0] != '-' && text[0] != '@' && i > 0:
		case known && (name == "-Map" || name == "--Map" || name == "--dependency-file" || name == "--out-implib" || name == "-map"):
			out := value.Lit(file)
			if !given && i+1 < len(words) {
				out = words[i+1]
			}
			site.WriteFile(r, out, risk.NoKind)
		case !known && !strings.HasPrefix(w.Prefix(), "-rpath") || known && !strings.Contains(linkerInert, " "+name+" ") && !strings.HasPrefix(name, "--warn-") && !strings.HasPrefix(name, "--no-warn-") && !strings.HasPrefix(name, "-l") && !strings.HasPrefix(name, "-L") && !strings.HasPrefix(name, "-z") && !strings.HasPrefix(name, "-rpath"):
			site.NotUnderstood(r, value.Concat(value.Lit("-Wl,"), w))
		}
	}
}

// compilerSwitch reads an option of code generation: by itself it is a switch, but for those
// that write notes, dumps and parts of the program beside it; its value is a number or a word,
// but for those that name files (GCC 14 manual, sections 3.8, 3.12 and 3.19).
func compilerSwitch(r *catalog.Result, a value.Value) {
	const valued = " -fvisibility -fsanitize -fno-sanitize -fsanitize-recover -fsanitize-trap -fsanitize-coverage -ffp-contract -ffp-model -flto -fdiagnostics-color -fdiagnostics-show-location -fdiagnostics-urls -fmax-errors -ferror-limit -ftemplate-depth -ftemplate-backtrace-limit -fconstexpr-depth -fconstexpr-steps " +
		"-fconstexpr-loop-limit -fconstexpr-ops-limit -fmessage-length -fdebug-prefix-map -ffile-prefix-map -fmacro-prefix-map -fcoverage-prefix-map -ffile-compilation-dir -fdebug-compilation-dir -frandom-seed -fcf-protection -ftrivial-auto-var-init -fstrict-flex-arrays -fexcess-precision -finput-charset " +
		"-fexec-charset -fwide-exec-charset -fabi-version -fzero-call-used-regs -ftls-model -fvect-cost-model -ftrapv-handler -fms-compatibility-version -fpack-struct -finline-limit -fopenmp-targets -fopenmp-version -fuse-ld -fplugin -fpass-plugin -fobjc-runtime -fstack-reuse -fstack-limit-register -fpatchable-function-entry " +
		"-falign-functions -falign-loops -falign-jumps -falign-labels -fprofile-update -fmacro-backtrace-limit -fspell-checking-limit -ftabstop -fbracket-depth -fwhole-program-vtables -fmin-function-alignment -flto-jobs -flto-partition -flto-compression-level -fhardened -fpermitted-flt-eval-methods -fdenormal-fp-math -fmath-errno -frecord-marker -ffixed-line-length -ffree-line-length -fcheck -ffpe-trap -fconvert -fcoarray -fdec -finit-real -finit-integer "
	text := a.Prefix()
	name, to, given := strings.Cut(text, "=")
	writes := slices.ContainsFunc([]string{"-fdump", "-ftest-coverage", "-fstack-usage", "-fcallgraph-info", "-gsplit-dwarf", "-save-temps", "--coverage", "-ftime-trace", "-fsave-optimization-record", "-fprofile-arcs"}, func(w string) bool { return strings.HasPrefix(name, w) })
	switch {
	case name == "-fdiagnostics-format" && slices.Contains([]string{"text", "json", "json-stderr", "sarif-stderr", "clang", "msvc", "vi", "sarif"}, to):
	case name == "-fdiagnostics-format":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: value.Lit("."), Kind: risk.KindLog})
	case writes && (!given || strings.HasPrefix(name, "-save-temps")):
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: value.Lit("."), Kind: risk.KindObjectFiles})
	case given && !strings.Contains(valued, " "+name+" "):
		site.NotUnderstood(r, a)
	}
}
