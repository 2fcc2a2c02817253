package text

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A ffmpegCall is one reading of the words of ffmpeg, ffprobe or ffplay.
type ffmpegCall struct {
	r         *catalog.Result
	program   string
	format    string // of what comes next, by -f
	carries   []catalog.Source
	overwrite bool
	outs      []value.Value
}

// ffmpeg reads inputs behind -i and takes other words that follow no option
// for outputs (ffmpeg(1), "Synopsis").
func ffmpeg(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	f := &ffmpegCall{r: r, program: s.Name}
	for i := 0; i < len(s.Args); i++ {
		w := s.Args[i]
		text := w.Prefix()
		switch {
		case text == "-i" && i+1 < len(s.Args):
			i++
			f.input(s.Args[i])
		case text == "-y":
			f.overwrite = true
		case len(text) > 1 && text[0] == '-':
			if ffmpegFlag(text) {
				continue
			}
			if i++; i < len(s.Args) {
				if text == "-f" {
					f.format = s.Args[i].String()
				}
				ffmpegOption(r, text, s.Args[i])
			}
		case s.Name == "ffprobe" || s.Name == "ffplay":
			f.input(w)
		default:
			f.outs = append(f.outs, w)
			if f.format == "tee" { // a list of outputs, each with options
				site.NotUnderstood(r, w)
			}
		}
	}
	for _, out := range f.outs {
		f.output(out)
	}
}

// ffmpegPlace tells where a name of a medium leads to: "" is a file, "pipe" a descriptor,
// "net" another machine, and "other" what is put together by a protocol of ffmpeg's
// (ffmpeg-protocols(1)).
func ffmpegPlace(v value.Value) (place string, file value.Value) {
	text := v.Prefix()
	scheme, rest, ok := strings.Cut(text, ":")
	switch {
	case site.SameWord(v, "-"):
		return "pipe", v
	case !ok || len(scheme) < 2 || strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+,") != "":
		return "", v
	case scheme == "file":
		return "", v.Cut(len("file:"))
	case scheme == "pipe" || scheme == "fd":
		return "pipe", v
	case strings.HasPrefix(rest, "//"):
		return "net", v
	}
	return "other", v
}

// input reads a medium.
func (f *ffmpegCall) input(in value.Value) {
	if strings.HasPrefix(f.format, "lavfi") { // made by filters
		ffmpegFilters(f.r, in)
		f.format = ""
		return
	}
	f.format = ""
	switch place, file := ffmpegPlace(in); place {
	case "pipe":
		f.r.ReadsStdin = true
	case "net":
		f.r.Effects = append(f.r.Effects, catalog.Effect{Verb: risk.NetFetch, Target: in})
	case "other":
		site.NotUnderstood(f.r, in)
	default:
		f.carries = append(f.carries, catalog.Source{Path: file})
		site.ShowFiles(f.r, []value.Value{file}, false)
		f.r.Effects[len(f.r.Effects)-1].Needed = true
	}
}

// output writes one.
func (f *ffmpegCall) output(out value.Value) {
	place, file := ffmpegPlace(out)
	e := catalog.Effect{Verb: risk.FSCreate, Target: file, Carries: f.carries}
	switch {
	case place == "pipe" || out.Prefix() == "/dev/null":
		return
	case place == "net":
		e.Verb = risk.NetSend
	case place == "other":
		site.NotUnderstood(f.r, out)
	case f.overwrite:
		e.Verb, e.Forced = risk.FSWrite, true
	}
	f.r.Effects = append(f.r.Effects, e)
}

// ffmpegWrites are options whose value is a file that is written: progress, statistics,
// a description of the session (ffmpeg(1), "Advanced options"), parts of a stream.
const ffmpegWrites = " progress vstats_file sdp_file stats_enc_pre stats_enc_post stats_mux_pre passlogfile print_graphs_file segment_list hls_segment_filename hls_fmp4_init_filename dump_attachment o "

// ffmpegLoads are options whose value is a file, a device or a text that says more of what is
// done: presets, scripts of filters, settings of encoders.
const ffmpegLoads = " filter_script filter_complex_script fpre vpre apre spre pre init_hw_device filter_hw_device hwaccel_device x264-params x264opts x265-params svtav1-params aom-params vvenc-params " +
	"protocol_whitelist protocol_blacklist http_proxy cookies headers method post_data key_info_file hls_key_info_file safe allowed_extensions reader_options opencl_bench sources sinks loglevel_file tls_verify ca_file cert_file key_file " +
	"listen listen_timeout ladspa attach "

// ffmpegOption tells what an option does beside the conversion.
func ffmpegOption(r *catalog.Result, option string, v value.Value) {
	name, _, _ := strings.Cut(strings.TrimLeft(option, "-"), ":")
	switch {
	case strings.HasPrefix(name, "/"): // the value is in a file (ffmpeg 7, "Options")
		site.NotUnderstood(r, value.Concat(value.Lit(option+" "), v))
	case strings.Contains(ffmpegWrites, " "+name+" "):
		site.WriteFile(r, v, risk.KindLog)
	case strings.Contains(ffmpegLoads, " "+name+" "):
		site.NotUnderstood(r, value.Concat(value.Lit(option+" "), v))
	case name == "pass" && !site.SameWord(v, "2"):
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: value.Lit("."), Kind: risk.KindLog})
	case name == "vf" || name == "af" || name == "lavfi" || strings.HasPrefix(name, "filter"):
		ffmpegFilters(r, v)
	}
}

// ffmpegPure are filters that change pictures and sound, draw, measure and show what they
// measure, and do no more, whatever their options are (ffmpeg-filters(1)). Some that are not
// here write files, read them, load code, or listen for commands.
const ffmpegPure = " null anull scale scale2ref crop pad fps framerate setpts asetpts settb asettb setsar setdar format aformat noformat trim atrim concat overlay hstack vstack xstack split asplit " +
	"rotate transpose hflip vflip fade afade volume volumedetect loudnorm dynaudnorm acompressor alimiter agate atempo rubberband pan channelmap channelsplit amerge amix join aresample asetrate " +
	"anullsrc nullsrc color colorspectrum testsrc testsrc2 smptebars smptehdbars rgbtestsrc yuvtestsrc allrgb allyuv pal75bars pal100bars haldclutsrc gradients mandelbrot sierpinski sine aevalsrc anoisesrc hilbert sinc nullsink anullsink " +
	"yadif bwdif w3fdif estdif idet fieldmatch decimate mpdecimate dedup detelecine pullup telecine interlace tinterlace separatefields weave doubleweave field fieldorder phase " +
	"eq hue colorbalance colorchannelmixer colorcontrast colorcorrect colorhold colorize colorkey colorlevels colormatrix colorspace colortemperature lut lutrgb lutyuv lut2 negate normalize histeq pseudocolor selectivecolor vibrance tonemap zscale " +
	"unsharp smartblur boxblur gblur avgblur sab bilateral blend tblend tmix mix median hqdn3d nlmeans atadenoise bm3d vaguedenoiser owdenoise dctdnoiz fftdnoiz deblock deband gradfun noise removegrain erosion dilation inflate deflate convolution sobel prewitt roberts kirsch edgedetect emboss " +
	"chromakey despill alphaextract alphamerge premultiply unpremultiply maskedmerge maskedclamp maskedmax maskedmin maskedthreshold threshold limiter drawbox drawgrid fillborders pixelize mosaic zoompan perspective lenscorrection v360 vignette swaprect swapuv shuffleplanes shuffleframes shufflepixels " +
	"extractplanes mergeplanes random reverse areverse loop aloop tpad apad adelay aecho aphaser flanger chorus tremolo vibrato haas stereotools stereowiden extrastereo earwax crossfeed crystalizer compand mcompand sidechaincompress sidechaingate " +
	"equalizer anequalizer superequalizer bass treble lowpass highpass bandpass bandreject allpass lowshelf highshelf tiltshelf biquad deesser afftdn anlmdn adeclick adeclip silencedetect silenceremove astats aspectralstats ebur128 replaygain drmeter " +
	"showinfo ashowinfo showwaves showwavespic showspectrum showspectrumpic showcqt showfreqs showvolume showspatial ahistogram aphasemeter avectorscope abitscope adrawgraph drawgraph histogram vectorscope waveform oscilloscope pixscope datascope ciescope signalstats blackdetect blackframe cropdetect freezedetect scdet bbox entropy thumbnail tile untile palettegen paletteuse select aselect " +
	"setfield setrange setparams sidedata asidedata copy acopy fifo afifo realtime arealtime latency alatency perms aperms framestep minterpolate freezeframes photosensitivity hwupload hwdownload hwmap hwupload_cuda scale_cuda scale_npp yadif_cuda scale_vaapi scale_qsv deinterlace_vaapi format_cuda overlay_cuda " +
	"chromanr chromashift rgbashift grayworld guided hysteresis il inverse kerndeint monochrome multiply perlin readeia608 readvitc remap repeatfields super2xsai hqx xbr epx xfade acrossfade acrossover stereo3d framepack floodfill geq gblur_vulkan scale_vulkan asubboost asubcut asupercut asuperpass asuperstop atilt axcorrelate backgroundkey cas codecview colormap deflicker dejudder delogo fspp pp pp7 spp uspp greyedge hstack_vaapi interleave ainterleave lagfun lumakey maskfun midequalizer mestimate msad qp rotate_vaapi shear showpalette streamselect astreamselect telecine tmedian tonemap_vaapi transpose_vaapi varblur vif xmedian xcorrelate yaepblur dcshift dialoguenhance adynamicequalizer adynamicsmooth aemphasis aeval aexciter afftfilt afreqshift afwtdn agraphmonitor graphmonitor aintegral alphaextract amultiply aap apsyclip apulsator ashuffle asoftclip aspectralstats asdr apsnr asisdr virtualbass speechnorm headphone hdcd "

// ffmpegFilters tells what filters do beside changing the pictures and the sound: some
// write what they measure to a file, some read one, and some load code (ffmpeg-filters(1)).
func ffmpegFilters(r *catalog.Result, v value.Value) {
	text, known := v.Known()
	if !known {
		text = v.Prefix()
	}
	bare, ok := withoutTexts(strings.ReplaceAll(text, "\\,", " "))
	if !ok {
		bare = text
	}
	if bare != strings.ReplaceAll(text, "\\,", " ") { // commas in quotes are no ends of filters
		bare = strings.ReplaceAll(bare, "\\", "")
	}
	for filter := range strings.FieldsFuncSeq(ffmpegLinks(bare), func(c rune) bool { return c == ',' || c == ';' }) {
		name, _, _ := strings.Cut(strings.TrimSpace(filter), "=")
		name, _, _ = strings.Cut(strings.TrimSpace(name), "@")
		if name == "" || strings.Contains(ffmpegPure, " "+name+" ") {
			continue
		}
		ffmpegFilter(r, name, text)
	}
	if !known {
		site.NotUnderstood(r, v)
	}
}

// ffmpegLinks leaves the names of links, [in] and [out], out of a graph of filters.
func ffmpegLinks(graph string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(graph, "[")
		b.WriteString(before)
		_, after, ends := strings.Cut(rest, "]")
		if !found || !ends {
			return b.String()
		}
		graph = after
	}
}

// ffmpegFilter is a filter that is not pure, in a graph.
func ffmpegFilter(r *catalog.Result, name, graph string) {
	options := func(keys string) (file string) {
		_, args, _ := strings.Cut(graph, name)
		args, _, _ = strings.Cut(args, ",")
		for option := range strings.SplitSeq(strings.TrimLeft(args, "=@"), ":") {
			key, to, given := strings.Cut(option, "=")
			if given && strings.Contains(keys, " "+key+" ") {
				file = strings.Trim(to, "'\"")
			}
		}
		return file
	}
	switch name {
	case "vidstabdetect", "metadata", "ametadata", "psnr", "ssim", "xpsnr", "signature", "vmafmotion", "libvmaf", "deshake", "bench", "abench", "ssim360", "identity", "corr", "curves", "firequalizer":
		to := options(" file filename stats_file f result log_path plot dumpfile ")
		if to == "" && name == "vidstabdetect" {
			to = "transforms.trf"
		}
		if to != "" {
			site.WriteFile(r, value.Lit(to), risk.KindLog)
		}
	case "drawtext", "subtitles", "ass", "lut3d", "lut1d", "haldclut", "vidstabtransform":
		if from := options(" textfile filename f file fontfile input "); from != "" {
			site.ShowFiles(r, []value.Value{value.Lit(from)}, false)
		} else if name != "drawtext" && name != "haldclut" && name != "vidstabtransform" { // the first option has no name
			_, args, _ := strings.Cut(graph, name+"=")
			from, _, _ := strings.Cut(args, ":")
			site.ShowFiles(r, []value.Value{value.Lit(strings.Trim(from, "'\""))}, false)
		}
	case "movie", "amovie":
		_, args, _ := strings.Cut(graph, name+"=")
		from, rest, _ := strings.Cut(strings.TrimPrefix(args, "filename="), ":")
		if strings.Contains(from, "\\") || strings.HasPrefix(rest, "//") { // an address
			site.NotUnderstood(r, value.Lit(name))
			return
		}
		from, _, _ = strings.Cut(from, ",")
		site.ShowFiles(r, []value.Value{value.Lit(strings.Trim(from, "'\""))}, false)
	default:
		site.NotUnderstood(r, value.Lit(name))
	}
}

// ffmpegFlag reports whether an option takes no value.
func ffmpegFlag(option string) bool {
	switch strings.TrimLeft(option, "-") {
	case "n", "hide_banner", "nostdin", "stdin", "an", "vn", "sn", "dn", "re", "shortest", "nostats", "stats", "copyts",
		"start_at_zero", "L", "h", "help", "version", "formats", "codecs", "encoders", "decoders", "filters", "devices",
		"protocols", "pix_fmts", "layouts", "bsfs", "muxers", "demuxers", "buildconf", "show_format", "show_streams", "show_packets",
		"show_frames", "show_chapters", "show_error", "show_data", "show_programs", "pretty", "unit", "count_frames", "count_packets", "bitexact",
		"nodisp", "autoexit", "fs", "benchmark", "dump", "report", "vstats", "ignore_unknown", "xerror", "accurate_seek", "private", "sexagesimal", "show_private_data":
		return true
	}
	return false
}
