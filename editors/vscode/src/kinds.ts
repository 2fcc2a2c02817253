// Which files may hold commands: as much of heed's own list (docs/scan.md) as has to be
// known before heed is asked.

import * as path from "node:path";

const shells = new Set([".sh", ".ash", ".dash", ".bash", ".ksh", ".mksh", ".rksh", ".zsh"]);

// VS Code calls these shell scripts as well; heed does not evaluate their languages.
const otherShells = new Set([".csh", ".tcsh", ".fish", ".nu", ".ps1"]);

/** Languages of VS Code by which a file without a telling name is known. */
const languages: Readonly<Record<string, string>> = {
  shellscript: "shell",
  makefile: "makefile",
  dockerfile: "dockerfile",
  markdown: "markdown",
  just: "justfile",
};

/**
 * The kind of a file by its path and the language that the editor takes it for; undefined
 * where it holds no commands.
 */
export function kindOf(file: string, language: string): string | undefined {
  const name = file.split(path.sep).join("/");
  const base = name.slice(name.lastIndexOf("/") + 1);
  const lower = base.toLowerCase();
  const ext = path.posix.extname(lower);
  if (["Makefile", "makefile", "GNUmakefile"].includes(base) || ext === ".mk") return "makefile";
  if (base === "package.json") return "package.json";
  if (/\/\.github\/workflows\/[^/]+\.ya?ml$/i.test("/" + name) || base === "action.yml" || base === "action.yaml") return "github";
  if (lower === ".gitlab-ci.yaml" || lower.endsWith(".gitlab-ci.yml")) return "gitlab";
  if (["dockerfile", "containerfile"].includes(lower) || [".dockerfile", ".containerfile"].includes(ext)) return "dockerfile";
  if (/^(Dockerfile|Containerfile)\./.test(base) && !lower.endsWith("ignore")) return "dockerfile";
  if (["justfile", ".justfile"].includes(lower) || ext === ".just") return "justfile";
  if (ext === ".md" || ext === ".markdown") return "markdown";
  if (shells.has(ext)) return "shell";
  if (otherShells.has(ext)) return undefined;
  return Object.hasOwn(languages, language) ? languages[language] : undefined;
}
