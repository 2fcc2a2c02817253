package sigma

// timePart is a part of a timestamp that a modifier takes.
type timePart uint8

const (
	partMinute timePart = iota
	partHour
	partDay
	partWeek
	partMonth
	partYear
	partEnd
)

// timePartOf names the part a modifier takes.
func timePartOf(modifier string) (timePart, bool) {
	switch modifier {
	case "minute":
		return partMinute, true
	case "hour":
		return partHour, true
	case "day":
		return partDay, true
	case "week":
		return partWeek, true
	case "month":
		return partMonth, true
	case "year":
		return partYear, true
	}
	return 0, false
}

// timestamp is a date, with a time of day where it has one.
type timestamp struct {
	year, month, day, hour, minute int
	clock                          bool
}

// parseTimestamp reads ISO 8601 and Sysmon's form: 2026-11-21, then optionally T
// or a space and 22:35, and what follows. Zones are not converted; the appendix
// says the modifiers are not meant to.
func parseTimestamp(s string) (t timestamp, ok bool) {
	number := func(from, to int) int {
		n := 0
		for i := from; i < to; i++ {
			if i >= len(s) || s[i] < '0' || s[i] > '9' {
				return -1
			}
			n = n*10 + int(s[i]-'0')
		}
		return n
	}
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return t, false
	}
	t.year, t.month, t.day = number(0, 4), number(5, 7), number(8, 10)
	if t.year < 0 || t.month < 1 || t.month > 12 || t.day < 1 || t.day > daysIn(t.year, t.month) {
		return t, false
	}
	if len(s) >= 16 && (s[10] == 'T' || s[10] == 't' || s[10] == ' ') && s[13] == ':' {
		t.hour, t.minute = number(11, 13), number(14, 16)
		t.clock = t.hour >= 0 && t.hour < 24 && t.minute >= 0 && t.minute < 60
	}
	return t, true
}

func leap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

func daysIn(year, month int) int {
	switch month {
	case 2:
		if leap(year) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// part returns one part, and whether the timestamp has it.
func (t timestamp) part(p timePart) (int, bool) {
	switch p {
	case partMinute:
		return t.minute, t.clock
	case partHour:
		return t.hour, t.clock
	case partDay:
		return t.day, true
	case partWeek:
		return t.week(), true
	case partMonth:
		return t.month, true
	}
	return t.year, true
}

// week is the week of ISO 8601: it begins on Monday, and the first of a year
// is the one with its first Thursday.
func (t timestamp) week() int {
	day := t.day
	for m := 1; m < t.month; m++ {
		day += daysIn(t.year, m)
	}
	week := (day - weekday(t.year, t.month, t.day) + 10) / 7
	if week < 1 {
		return weeksIn(t.year - 1)
	}
	if week > weeksIn(t.year) {
		return 1
	}
	return week
}

// weekday counts from 1, Monday, to 7 (Sakamoto's method).
func weekday(year, month, day int) int {
	shift := [12]int{0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4}
	if month < 3 {
		year--
	}
	w := (year + year/4 - year/100 + year/400 + shift[month-1] + day) % 7 // 0 is Sunday
	w = (w + 7) % 7
	if w == 0 {
		return 7
	}
	return w
}

// weeksIn is 53 for years that begin on a Thursday, and for leap years that
// begin on a Wednesday.
func weeksIn(year int) int {
	if first := weekday(year, 1, 1); first == 4 || first == 3 && leap(year) {
		return 53
	}
	return 52
}
