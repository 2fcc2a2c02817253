package net

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// netTells are the commands of a program that only tell, where commands are words. One
// that ends in a star may be cut short, one in a hyphen and a star may go on. What is not
// listed changes something: a network is changed by more commands than any list of them.
func netTells(program string) string {
	switch program {
	case "ip":
		return "show* list* lst ls get* help* identify pids list-id save showdump count xstats afstats"
	case "bridge":
		return "show* list* lst get* help"
	case "tc":
		return "show* list* lst get* help"
	case "networkctl":
		return "list status lldp label cat"
	case "rfkill":
		return "list event help"
	case "bluetoothctl":
		return "list show devices paired-devices info version help"
	case "wpa_cli":
		return "status scan_results list_networks ping interface help get_capability bss license all_sta sta ifname"
	case "iw":
		return "info link scan get list event features commands help dump survey"
	case "iwctl":
		return "list show get-networks get-hidden-access-points scan help version"
	case "ufw":
		return "status show version"
	case "nft":
		return "list describe monitor"
	case "ipset":
		return "list -L --list save -S --save test -T --test version -v --version help -h --help"
	case "fail2ban":
		return "status get ping version banned help"
	case "nmcli":
		return "status permissions show* mon moni monit monito monitor lldp li lis list show-password connectivity check" // m is modify, and l load
	}
	return ""
}

// tells reports whether a word is a command of a program that only tells.
func tells(program, word string) bool {
	for one := range strings.FieldsSeq(netTells(program)) {
		long, open := strings.CutSuffix(one, "*")
		switch {
		case one == word:
			return true
		case open && strings.HasSuffix(long, "-"):
			if strings.HasPrefix(word, long) {
				return true
			}
		case open && word != "" && strings.HasPrefix(long, word): // may be cut short
			return true
		}
	}
	return false
}

// netTellsOnly reports whether the words of a program only tell; known is false for a
// program of which this is not known.
func netTellsOnly(program string, words []string, args []value.Value) (only, known bool) {
	at := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	switch program {
	case "ethtool":
		return ethtoolTells(args), true
	case "nmcli":
		return nmcliTells(words), true
	case "iw":
		if slices.Contains([]string{"dev", "phy", "wdev"}, at(0)) {
			words = words[min(2, len(words)):]
		}
		switch at := words; {
		case len(at) == 0:
			return true, true
		case at[0] == "reg" || at[0] == "station" || at[0] == "mpath" || at[0] == "mpp":
			return len(at) > 1 && tells("iw", at[1]), true
		}
		return tells("iw", words[0]), true
	case "iwctl":
		return len(words) == 0 || slices.Contains([]string{"help", "version"}, at(0)) || at(1) == "list" && len(words) == 2 || len(words) == 3 && tells("iwctl", at(2)), true
	case "bridge", "tc":
		return at(1) == "" || at(0) == "monitor" || tells(program, at(1)), true
	case "networkctl", "rfkill", "bluetoothctl", "wpa_cli":
		return at(0) == "" || tells(program, at(0)), true
	}
	return false, false
}

// ethtoolTells reports whether each option of ethtool only shows (ethtool(8)).
func ethtoolTells(args []value.Value) bool {
	return !slices.ContainsFunc(args, func(v value.Value) bool {
		text := v.Prefix()
		if !strings.HasPrefix(text, "-") {
			return false
		}
		for _, long := range []string{"--show-", "--get-", "--list-"} {
			if strings.HasPrefix(text, long) {
				return false
			}
		}
		return !slices.Contains(strings.Fields("-a -c -g -k -i -d -e -S -n -u -x -T -m -l -P -h -I --help --version --json --include-statistics --debug "+
			"--driver --register-dump --eeprom-dump --statistics --module-info --dump-module-eeprom --phy-statistics"), text)
	})
}

// nmcliTells reports whether words of nmcli only show: the general settings set what
// they are given a value for, and so do the radios (nmcli(1)).
func nmcliTells(words []string) bool {
	if len(words) < 2 {
		return true
	}
	object, command := words[0], words[1]
	is := func(long string) bool { return object != "" && strings.HasPrefix(long, object) }
	begins := func(long string) bool { return command != "" && strings.HasPrefix(long, command) }
	switch {
	case object == "":
		return false
	case is("general") && (begins("hostname") || begins("logging")):
		return len(words) == 2
	case is("radio"):
		return len(words) == 2 && !slices.Contains([]string{"on", "off"}, command)
	case is("agent"):
		return false
	case is("device") && begins("wifi"):
		return len(words) == 2 || words[2] == "l" || tells("nmcli", words[2]) || strings.HasPrefix("show-password", words[2])
	}
	return tells("nmcli", command) || begins("status") || begins("permissions")
}
