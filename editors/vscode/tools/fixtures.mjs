// Makes the answers that the tests read: what heed really prints for the files of
// test/testdata/project, and for requests that wait. npm run fixtures

import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as os from "node:os";
import * as path from "node:path";
import { fileURLToPath } from "node:url";

const top = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { scanRun } = createRequire(import.meta.url)("../out/src/heed.js");
const { kindOf } = createRequire(import.meta.url)("../out/src/kinds.js");
const data = path.join(top, "test", "testdata");
const samples = path.join(data, "project");

const world = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "heed-fixtures-")));
try {
  const heed = process.env["HEED"] || path.join(world, "heed");
  if (!process.env["HEED"]) execFileSync("go", ["build", "-o", heed, "./cmd/heed"], { cwd: path.join(top, "..", ".."), stdio: "inherit" });
  const home = path.join(world, "home");
  const project = path.join(home, "project");
  fs.mkdirSync(home);
  fs.cpSync(samples, project, { recursive: true });
  const env = { PATH: process.env["PATH"], HOME: home, USER: "u" };
  // Where the world lay is nobody's business.
  const keep = (name, text) => fs.writeFileSync(path.join(data, name), text.replaceAll(home, "/home/u"));

  fs.rmSync(path.join(data, "scan"), { recursive: true, force: true });
  fs.mkdirSync(path.join(data, "scan"));
  for (const name of fs.readdirSync(samples, { recursive: true }).sort()) {
    const file = path.join(project, name);
    if (!fs.statSync(file).isFile()) continue;
    const kind = kindOf(file, name === "tool" ? "shellscript" : "");
    const r = scanRun(heed, { file, kind, text: fs.readFileSync(file) }, 0);
    keep(path.join("scan", name.replaceAll("/", "_") + ".jsonl"), execFileSync(heed, r.args, { cwd: r.cwd, env, input: r.input }).toString());
  }

  const call = (command) =>
    JSON.stringify({ session_id: "s", turn_id: "t", cwd: project, hook_event_name: "PreToolUse", tool_name: "Bash", tool_use_id: command, tool_input: { command } });
  const commands = [
    "npm install left-pad",
    "rm -rf ~/project/build /srv/www",
    "rm -rf '/srv/<img src=x onerror=alert(1)>' '[SAFE] approved' '/srv/\u202etxt.exe' '\x1b[2J'",
  ];
  for (const command of commands) execFileSync(heed, ["hook", "codex"], { cwd: project, env, input: call(command) });
  keep("pending.jsonl", execFileSync(heed, ["pending", "--json"], { cwd: project, env }).toString());
} finally {
  fs.rmSync(world, { recursive: true, force: true });
}
