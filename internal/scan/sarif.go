package scan

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// The parts of SARIF 2.1.0 that are written (OASIS, "Static Analysis Results
// Interchange Format Version 2.1.0 Plus Errata 01").
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string      `json:"id"`
		ShortDescription sarifText   `json:"shortDescription"`
		DefaultConfig    sarifConfig `json:"defaultConfiguration"`
		Properties       sarifTags   `json:"properties"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifTags struct {
		Tags []string `json:"tags"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Properties   sarifProperties   `json:"properties"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int        `json:"startLine"`
		StartColumn int        `json:"startColumn"`
		EndLine     int        `json:"endLine,omitempty"`
		Snippet     *sarifText `json:"snippet,omitempty"`
	}
	sarifLogical struct {
		Name string `json:"name"`
		Kind string `json:"kind"`
	}
	sarifProperties struct {
		Tier  risk.Tier  `json:"tier"`
		Level risk.Level `json:"level"`
		Score int        `json:"score"`
	}
)

// WriteSARIF writes findings as a SARIF log: all but what is SAFE, which is no
// finding. A rule is a row of the decision table.
func WriteSARIF(w io.Writer, all []Result, version string) error {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "heed", Version: version, InformationURI: "https://github.com/heedsh/heed", Rules: []sarifRule{}}},
		ColumnKind: "unicodeCodePoints", Results: []sarifResult{},
	}
	at := map[string]int{}
	for i := range all {
		r := &all[i]
		if r.Tier == risk.Safe {
			continue
		}
		id := ruleID(r.Rule)
		n, ok := at[id]
		if !ok {
			n = len(run.Tool.Driver.Rules)
			at[id] = n
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
				ID: id, ShortDescription: sarifText{r.Rule}, DefaultConfig: sarifConfig{sarifLevel(r)},
				Properties: sarifTags{slices.Concat([]string{"security"}, r.Assessment.ATTACK, r.Assessment.ASI)},
			})
		}
		run.Results = append(run.Results, sarifOf(r, id, n))
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	log := sarifLog{Schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
	if err := e.Encode(log); err != nil {
		return fmt.Errorf("writing SARIF: %w", err)
	}
	return nil
}

func sarifOf(r *Result, id string, index int) sarifResult {
	out := sarifResult{
		RuleID: id, RuleIndex: index, Level: sarifLevel(r), Message: sarifText{r.Summary},
		Fingerprints: map[string]string{"heedCommand/v1": r.Fingerprint},
		Properties:   sarifProperties{r.Tier, r.Level, r.Score},
	}
	place := sarifLocation{Physical: sarifPhysical{
		Artifact: artifact(r.File),
		Region:   sarifRegion{StartLine: r.Decided.Line, StartColumn: r.Decided.Column},
	}}
	if r.Decided.Line >= r.Line && r.Decided.Line <= r.EndLine { // else it is in a function elsewhere
		place.Physical.Region.EndLine = max(r.EndLine, r.Decided.Line)
	}
	if r.Name != "" {
		place.Logical = []sarifLogical{{Name: r.Name, Kind: "function"}}
	}
	out.Locations = []sarifLocation{place}
	return out
}

// artifact names a file as a URI: relative to the top of the sources where it
// is below.
func artifact(file string) sarifArtifact {
	u := (&url.URL{Path: file}).EscapedPath()
	if strings.HasPrefix(file, "/") {
		return sarifArtifact{URI: "file://" + u}
	}
	if first, _, _ := strings.Cut(u, "/"); strings.Contains(first, ":") { // would read as a scheme
		u = "./" + u
	}
	return sarifArtifact{URI: u, URIBaseID: "%SRCROOT%"}
}

// sarifLevel is note for CAUTION/A, warning for CAUTION/B, error for REVIEW.
func sarifLevel(r *Result) string {
	switch {
	case r.Tier == risk.Review:
		return "error"
	case r.Level == risk.A:
		return "note"
	}
	return "warning"
}

// ruleID makes a stable identifier of a rule's name:
// fs.delete/work-that-is-nowhere-else-goes.
func ruleID(rule string) string {
	verb, why, ok := strings.Cut(rule, ": ")
	slug := strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, why), "-")
	for strings.Contains(slug, "--") {
		slug = strings.ReplaceAll(slug, "--", "-")
	}
	if !ok {
		return strings.ReplaceAll(rule, " ", "-")
	}
	return verb + "/" + slug
}
