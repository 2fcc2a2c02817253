// Package attack names what findings and rules refer to: the tactics and
// techniques of MITRE ATT&CK Enterprise, and the OWASP Top 10 for Agentic
// Applications.
//
// In goes an id ("T1059.004", "ASI05"), out comes what it stands for, or the
// id that replaced it. The package imports nothing of heed, reads nothing at
// run time and does nothing at program start: the tables are constant data,
// sorted by id and searched by halving.
//
// # ATT&CK
//
// The tables follow version 19.2 (August 2026). Version 19 (28 April 2026)
// split the tactic Defense Evasion: TA0005 kept its id and became Stealth
// (hiding), TA0112 Defense Impairment is new (disabling, weakening). Impair
// Defenses (T1562) and its sub-techniques were revoked in favour of T1685 to
// T1690, clearing of logs (T1070.001, T1070.002) became T1685.005 and
// T1685.006, Impersonation and Email Spoofing (T1656, T1672) became
// T1684.001 and T1684.002, Hijack Execution Flow (T1574) is in Execution and
// Stealth, and Abuse Elevation Control Mechanism (T1548) is in Privilege
// Escalation alone.
// Source: https://attack.mitre.org/resources/updates/updates-april-2026/.
//
// data/techniques.tsv was transcribed from a public catalogue of version 19.1
// (the tactics, each with its techniques and their sub-techniques), and
// data/revoked.tsv from a public table of the "revoked-by" relationships of
// version 19.2, chains followed to their end; MITRE's own STIX bundle was not
// at hand. What speaks for them: the counts are those that MITRE published
// for version 19 (15 tactics, 222 techniques, 475 sub-techniques), 19.1 and
// 19.2 changed groups and software but added no technique, every id that
// replaces a revoked one is current, and every technique tag of the SigmaHQ
// rules, which follow version 19, is current too.
//
// What is not known: the catalogue lists a sub-technique under every tactic of
// its parent, so the tactics of a sub-technique are those of its parent, even
// where MITRE's data names fewer. Ids that were deprecated without a
// replacement (T1026, T1034, T1043, T1051, T1061, T1062, T1064, T1108, T1149,
// T1153, T1175 and others) are not in the tables: [Current] does not know
// them.
//
// The licence of the data is in data/LICENSE-ATTACK.txt.
package attack
