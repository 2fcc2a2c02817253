package pin

import (
	"errors"
	"fmt"
)

// How long a PIN may be.
const (
	minDigits = 6
	maxDigits = 64
)

// form fails for what cannot be a PIN, so that a slip of the finger costs no try.
func form(pin []byte) error {
	if len(pin) < minDigits || len(pin) > maxDigits {
		return fmt.Errorf("a PIN has %d digits or more", minDigits)
	}
	for _, b := range pin {
		if b < '0' || b > '9' {
			return errors.New("a PIN has digits only")
		}
	}
	return nil
}

// common fails for a PIN that is guessed first: one digit or a short piece over and
// over, digits in a row.
func common(pin []byte) error {
	for piece := 1; piece <= 3; piece++ {
		same := true
		for i := piece; i < len(pin); i++ {
			same = same && pin[i] == pin[i-piece]
		}
		if same {
			return errors.New("a PIN that repeats itself is guessed first: take another")
		}
	}
	for _, step := range []byte{1, 9} { // up, and down, around the end
		row := true
		for i := 1; i < len(pin); i++ {
			row = row && (pin[i]-'0') == (pin[i-1]-'0'+step)%10
		}
		if row {
			return errors.New("a PIN of digits in a row is guessed first: take another")
		}
	}
	return nil
}
