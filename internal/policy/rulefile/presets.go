package rulefile

import (
	"cmp"
	"embed"
	"fmt"

	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/risk"
)

//go:embed presets/*.yaml
var presetFiles embed.FS

// Presets names the presets, from the strictest on. The second is the default.
func Presets() []string { return []string{"careful", "balanced", "unattended", "log-only"} }

// PresetText is the file of a preset, as people read it.
func PresetText(name string) ([]byte, error) {
	text, err := presetFiles.ReadFile("presets/" + name + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("there is no preset %.40q", name)
	}
	return text, nil
}

//go:generate go run ./internal/generate

// Preset is a preset: what is done about each band, and its rules. They were read from its
// file when heed was built: every hook needs one, and reading YAML takes it longer than
// deciding.
func Preset(name string) (*policy.Preset, []policy.Rule, error) {
	p, rules := laidOut(name)
	if p == nil {
		return nil, nil, fmt.Errorf("there is no preset %.40q", name)
	}
	return p, rules, nil
}

// ReadPreset reads the file of a preset, of which Preset is made.
func ReadPreset(name string) (*policy.Preset, []policy.Rule, error) {
	text, err := PresetText(name)
	if err != nil {
		return nil, nil, err
	}
	f, err := Parse(name+".yaml", text, policy.BuiltIn)
	if err != nil {
		return nil, nil, err
	}
	if f.Bands == nil {
		return nil, nil, fmt.Errorf("%s.yaml: a preset says what is done about each band", name)
	}
	f.Bands.Name = name
	return f.Bands, f.Rules, nil
}

// preset turns the words of a table of bands into one.
func (b *bandsText) preset() (*policy.Preset, error) {
	p := &policy.Preset{}
	for band, t := range map[risk.Band]bandText{risk.BandSafe: b.Safe, risk.BandCautionA: b.CautionA, risk.BandCautionB: b.CautionB, risk.BandReview: b.Review} {
		for front, word := range map[policy.Front]string{policy.Agent: t.Agent, policy.Run: t.Run, policy.Alone: cmp.Or(t.Alone, t.Run)} {
			action, ok := map[string]policy.Action{"leave": policy.Leave, "allow": policy.Allow, "ask": policy.Ask, "deny": policy.Deny}[word]
			if !ok {
				return nil, fmt.Errorf("bands: %s: %.40q: want allow, leave, ask or deny for agent, run and alone", band, word)
			}
			p.At[band][front] = action
		}
	}
	return p, nil
}
