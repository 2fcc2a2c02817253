package buildfile

// implicit is the text of a variable that make puts together from others, for its
// implicit rules (GNU make 4.4, `make -p`).
func implicit(name string) string {
	switch name {
	case "COMPILE.c":
		return "$(CC) $(CFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c"
	case "COMPILE.cc", "COMPILE.cpp", "COMPILE.C":
		return "$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c"
	case "COMPILE.s":
		return "$(AS) $(ASFLAGS) $(TARGET_MACH)"
	case "COMPILE.S":
		return "$(CC) $(ASFLAGS) $(CPPFLAGS) $(TARGET_MACH) -c"
	case "COMPILE.F":
		return "$(FC) $(FFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c"
	case "COMPILE.f":
		return "$(FC) $(FFLAGS) $(TARGET_ARCH) -c"
	case "LINK.o":
		return "$(CC) $(LDFLAGS) $(TARGET_ARCH)"
	case "LINK.c":
		return "$(CC) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH)"
	case "LINK.cc", "LINK.cpp", "LINK.C":
		return "$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH)"
	case "PREPROCESS.S":
		return "$(CC) -E $(CPPFLAGS)"
	case "YACC.y":
		return "$(YACC) $(YFLAGS)"
	case "LEX.l":
		return "$(LEX) $(LFLAGS) -t"
	case "OUTPUT_OPTION":
		return "-o $@"
	}
	return ""
}
