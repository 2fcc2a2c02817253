package export

import (
	"cmp"
	"strconv"

	"github.com/heedsh/heed/internal/attack"
	"github.com/heedsh/heed/internal/audit"
)

// The classes, activities and values of OCSF that are used. Source: the Open
// Cybersecurity Schema Framework 1.9.0, events/system/process_activity.json,
// events/findings/detection_finding.json, profiles/security_control.json and
// profiles/ai_operation.json of github.com/ocsf/ocsf-schema.
const (
	ocsfVersion = "1.9.0"

	classBase    = 0
	classProcess = 1007
	classFinding = 2004

	activityOther     = 99
	activityLaunch    = 1
	activityTerminate = 2
	activityCreate    = 1
	activityUpdate    = 2
	activityClose     = 3

	actionAllowed  = 1
	actionDenied   = 2
	actionObserved = 3

	dispositionAllowed   = 1
	dispositionBlocked   = 2
	dispositionApproved  = 8
	dispositionDetected  = 15
	dispositionLogged    = 17
	dispositionChallenge = 23
	dispositionRejected  = 25
)

// event is an event of OCSF. Its fields are in the order of their names.
type event struct {
	ActionID      int          `json:"action_id,omitempty"`
	ActivityID    int          `json:"activity_id"`
	Actor         *actor       `json:"actor,omitempty"`
	Agent         *aiAgent     `json:"ai_agent,omitempty"`
	Attacks       []technique  `json:"attacks,omitempty"`
	CategoryUID   int          `json:"category_uid"`
	ClassUID      int          `json:"class_uid"`
	Device        *device      `json:"device,omitempty"`
	DispositionID int          `json:"disposition_id,omitempty"`
	Duration      int64        `json:"duration,omitempty"`
	Evidences     []evidence   `json:"evidences,omitempty"`
	ExitCode      *int         `json:"exit_code,omitempty"`
	FindingInfo   *findingInfo `json:"finding_info,omitempty"`
	IsAlert       bool         `json:"is_alert,omitempty"`
	Message       string       `json:"message,omitempty"`
	Metadata      metadata     `json:"metadata"`
	Policy        *policy      `json:"policy,omitempty"`
	Process       *process     `json:"process,omitempty"`
	RawData       string       `json:"raw_data"`
	RawDataHash   fingerprint  `json:"raw_data_hash"`
	RiskLevelID   *int         `json:"risk_level_id,omitempty"`
	RiskScore     int          `json:"risk_score,omitempty"`
	SeverityID    int          `json:"severity_id"`
	StatusDetail  string       `json:"status_detail,omitempty"`
	StatusID      int          `json:"status_id,omitempty"`
	Time          int64        `json:"time"`
	TypeUID       int          `json:"type_uid"`
	Unmapped      unmapped     `json:"unmapped"`
}

type actor struct {
	AppName string   `json:"app_name"`
	AppUID  string   `json:"app_uid,omitempty"`
	Session *session `json:"session,omitempty"`
	User    *user    `json:"user,omitempty"`
}

type session struct {
	UID string `json:"uid"`
}

type user struct {
	Name string `json:"name"`
}

type aiAgent struct {
	InstanceUID string `json:"instance_uid,omitempty"`
	Name        string `json:"name"`
	Type        string `json:"type"`
	TypeID      int    `json:"type_id"`
	UID         string `json:"uid"`
}

type technique struct {
	Sub       *named `json:"sub_technique,omitempty"`
	Technique *named `json:"technique,omitempty"`
}

type named struct {
	Name string `json:"name,omitempty"`
	UID  string `json:"uid"`
}

type device struct {
	Hostname string    `json:"hostname"`
	OS       *deviceOS `json:"os,omitempty"`
	TypeID   int       `json:"type_id"`
}

type deviceOS struct {
	Name   string `json:"name"`
	TypeID int    `json:"type_id"`
}

type evidence struct {
	Actor   *actor   `json:"actor,omitempty"`
	Process *process `json:"process,omitempty"`
}

type findingInfo struct {
	Attacks     []technique `json:"attacks,omitempty"`
	CreatedTime int64       `json:"created_time"`
	Desc        string      `json:"desc,omitempty"`
	Title       string      `json:"title"`
	Types       []string    `json:"types,omitempty"`
	UID         string      `json:"uid"`
}

type metadata struct {
	CorrelationUID string   `json:"correlation_uid,omitempty"`
	EventCode      string   `json:"event_code"`
	LogName        string   `json:"log_name"`
	LogProvider    string   `json:"log_provider"`
	OriginalTime   string   `json:"original_time"`
	Product        product  `json:"product"`
	Profiles       []string `json:"profiles,omitempty"`
	Sequence       uint64   `json:"sequence"`
	UID            string   `json:"uid"`
	Version        string   `json:"version"`
}

type product struct {
	Name       string `json:"name"`
	VendorName string `json:"vendor_name"`
	Version    string `json:"version,omitempty"`
}

type policy struct {
	Applied bool   `json:"is_applied"`
	Name    string `json:"name"`
}

type process struct {
	CmdLine          string `json:"cmd_line,omitempty"`
	Name             string `json:"name,omitempty"`
	UID              string `json:"uid"`
	WorkingDirectory string `json:"working_directory,omitempty"`
}

type fingerprint struct {
	Algorithm   string `json:"algorithm"`
	AlgorithmID int    `json:"algorithm_id"`
	Value       string `json:"value"`
}

// unmapped is what OCSF has no words for.
type unmapped struct {
	ASI      []string `json:"heed.asi,omitempty"`
	By       string   `json:"heed.by,omitempty"`
	Decision string   `json:"heed.decision,omitempty"`
	Digest   string   `json:"heed.digest,omitempty"`
	Head     string   `json:"heed.head"`
	Level    string   `json:"heed.level,omitempty"`
	Source   string   `json:"heed.provenance,omitempty"`
	Tier     string   `json:"heed.tier,omitempty"`
	WaitedMS int64    `json:"heed.waited_ms,omitempty"`
}

// A sort says what a kind of row is in OCSF.
type sort struct{ class, activity, action, disposition, status int }

// sortOf is the sort of a row: what is assessed, started and ended is activity of
// a process; what is asked about or refused is a finding.
func sortOf(r *audit.Row) sort {
	switch r.Kind {
	case audit.Assessed:
		return sort{classProcess, activityLaunch, actionObserved, dispositionLogged, 0}
	case audit.Decided:
		switch r.Decision {
		case "allow":
			return sort{classProcess, activityLaunch, actionAllowed, dispositionAllowed, 0}
		case "deny":
			return sort{classFinding, activityCreate, actionDenied, dispositionBlocked, 4} // resolved
		}
		return sort{classFinding, activityCreate, actionObserved, dispositionChallenge, 1} // new
	case audit.Asked:
		return sort{classFinding, activityUpdate, actionObserved, dispositionChallenge, 2} // in progress
	case audit.Approved:
		return sort{classFinding, activityClose, actionAllowed, dispositionApproved, 4}
	case audit.Denied:
		return sort{classFinding, activityClose, actionDenied, dispositionRejected, 4}
	case audit.Drifted, audit.Mispredicted:
		return sort{classFinding, activityUpdate, actionObserved, dispositionDetected, 2}
	case audit.Started:
		return sort{classProcess, activityLaunch, actionAllowed, dispositionAllowed, 0}
	case audit.Finished:
		status := 1 // success
		if r.Outcome != nil && r.Outcome.Code != 0 {
			status = 2
		}
		return sort{classProcess, activityTerminate, actionAllowed, dispositionAllowed, status}
	}
	return sort{class: classBase, activity: activityOther}
}

// severity and riskLevel are those of a tier.
func severity(r *audit.Row) (severityID, riskLevel int) {
	switch {
	case r.Tier == "REVIEW":
		return 4, 3 // high
	case r.Tier == "CAUTION" && r.Level == "A":
		return 2, 1 // low
	case r.Tier == "CAUTION":
		return 3, 2 // medium
	}
	return 1, 0 // informational
}

// ocsf writes events of OCSF.
type ocsf struct {
	out  lines
	from Source
}

func (o ocsf) flush() error { return nil }

func (o ocsf) row(r *audit.Row) error {
	raw, err := body(r)
	if err != nil {
		return err
	}
	s := sortOf(r)
	severityID, riskLevel := severity(r)
	e := event{
		ActivityID: s.activity, CategoryUID: s.class / 1000, ClassUID: s.class, TypeUID: s.class*100 + s.activity,
		Message: cmp.Or(r.Summary, string(r.Kind)), RawData: raw, RawDataHash: fingerprint{"SHA-256", 3, r.Hash},
		SeverityID: severityID, StatusDetail: r.Reason, Time: int64(r.Time),
		Metadata: metadata{
			CorrelationUID: cmp.Or(r.Digest, r.Request), EventCode: string(r.Kind), LogName: r.Chain, LogProvider: "heed", OriginalTime: r.Time.String(),
			Product: product{"heed", "heed", o.from.Version}, Sequence: r.Seq, UID: r.ID, Version: ocsfVersion,
		},
		Unmapped: unmapped{ASI: r.ASI, By: r.By, Decision: r.Decision, Digest: r.Digest, Head: head(r), Level: r.Level, Source: r.Provenance, Tier: r.Tier, WaitedMS: r.WaitedMS},
	}
	if s.class == classBase {
		return o.out.write(e)
	}
	e.ActionID, e.DispositionID, e.RiskScore, e.RiskLevelID, e.StatusID = s.action, s.disposition, r.Score, &riskLevel, s.status
	e.Attacks = techniques(r.ATTACK)
	e.Metadata.Profiles = []string{"security_control"}
	if r.Rule != "" {
		e.Policy = &policy{true, r.Rule}
	}
	p := &process{CmdLine: r.Command, UID: cmp.Or(r.Digest, r.ID), WorkingDirectory: r.Dir}
	if len(r.Programs) > 0 {
		p.Name = r.Programs[0]
	}
	who := o.actor(r)
	e.Device = o.device()
	if s.class == classFinding {
		e.IsAlert = s.activity == activityCreate
		e.Evidences = []evidence{{Actor: who, Process: p}}
		e.FindingInfo = &findingInfo{Attacks: e.Attacks, CreatedTime: int64(r.Time), Desc: r.Command, Title: cmp.Or(r.Summary, string(r.Kind)), Types: r.ASI, UID: cmp.Or(r.Digest, r.ID)}
		return o.out.write(e)
	}
	e.Actor, e.Process = who, p
	if r.Agent != "" {
		e.Metadata.Profiles = append(e.Metadata.Profiles, "ai_operation")
		e.Agent = &aiAgent{InstanceUID: r.Session, Name: r.Agent, Type: "Coding agent", TypeID: 99, UID: r.Agent}
	}
	if r.Outcome != nil {
		e.ExitCode, e.Duration = &r.Outcome.Code, r.Outcome.MS
		if e.StatusDetail == "" && r.Outcome.Code != 0 {
			e.StatusDetail = "exit code " + strconv.Itoa(r.Outcome.Code)
		}
	}
	return o.out.write(e)
}

func (o ocsf) actor(r *audit.Row) *actor {
	a := &actor{AppName: cmp.Or(r.Agent, "heed")}
	if r.Session != "" {
		a.Session = &session{r.Session}
	}
	if o.from.User != "" {
		a.User = &user{o.from.User}
	}
	return a
}

// device is this machine. What kind it is, nobody has told heed.
func (o ocsf) device() *device {
	d := &device{Hostname: cmp.Or(o.from.Host, "unknown")}
	switch o.from.System {
	case "linux":
		d.OS = &deviceOS{"Linux", 200}
	case "darwin":
		d.OS = &deviceOS{"macOS", 300}
	case "windows":
		d.OS = &deviceOS{"Windows", 100}
	}
	return d
}

// techniques names ATT&CK techniques.
func techniques(ids []string) []technique {
	var all []technique
	for _, id := range ids {
		t, _ := attack.Lookup(id)
		n := &named{t.Name, id}
		if t.Parent == "" {
			all = append(all, technique{Technique: n})
			continue
		}
		all = append(all, technique{Sub: n, Technique: &named{t.Parent, id[:len("T1000")]}})
	}
	return all
}
