// Runs the suite in a real VS Code: VSCODE=/path/of/code, or one that is downloaded.

import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { runTests } from "@vscode/test-electron";
import { program, testdata, top } from "../data";

async function main(): Promise<void> {
  const world = fs.mkdtempSync(path.join(os.tmpdir(), "heed-host-"));
  try {
    const project = path.join(world, "project");
    fs.cpSync(path.join(testdata, "project"), project, { recursive: true });
    const heed = program(
      path.join(world, "bin"),
      `case $1 in scan) cat >/dev/null; cat '${path.join(testdata, "scan", "deploy.sh.jsonl")}' ;; pending) cat '${path.join(testdata, "pending.jsonl")}' ;; esac\n`,
    );
    const user = path.join(world, "user");
    fs.mkdirSync(path.join(user, "User"), { recursive: true });
    fs.writeFileSync(path.join(user, "User", "settings.json"), JSON.stringify({ "heed.path": heed }));
    const executable = process.env["VSCODE"];
    await runTests({
      ...(executable === undefined ? {} : { vscodeExecutablePath: executable }),
      extensionDevelopmentPath: top,
      extensionTestsPath: path.join(__dirname, "suite.js"),
      launchArgs: [project, "--user-data-dir", user, "--disable-extensions", "--disable-workspace-trust"],
    });
  } finally {
    fs.rmSync(world, { recursive: true, force: true });
  }
}

main().catch((e: unknown) => {
  console.error(e);
  process.exitCode = 1;
});
