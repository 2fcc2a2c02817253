// Running heed, and reading what it prints. What comes back is checked before it is
// believed: an answer that is not understood is an error, never a reassurance.

import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { tiers, type Tier } from "./tiers";
import { visible } from "./visible";

/** A safer command, and what makes it safer. */
export interface Safer {
  command: string;
  why: string;
}

/** A place in a text as heed counts: both from 1, columns in characters. */
export interface Place {
  line: number;
  column: number;
}

/** One command of a file: a line of heed scan --json, as far as it is shown. */
export interface Finding {
  start: Place;
  endLine: number;
  decided: Place;
  name: string;
  tier: Tier;
  summary: string;
  command: string;
  rule: string;
  reasons: string[];
  direct: string[];
  indirect: string[];
  safer: Safer[];
}

/** Why there is no answer. */
export type Trouble = "missing" | "cancelled" | "timeout" | "failed" | "garbled";

/** There is no answer. The message may be shown as it is. */
export class HeedError extends Error {
  constructor(
    readonly trouble: Trouble,
    message: string,
  ) {
    super(message);
  }
}

/** One run of heed. */
export interface Run {
  program: string;
  args: readonly string[];
  cwd: string;
  input?: string | Uint8Array;
  signal?: AbortSignal;
  /** In milliseconds. */
  timeout: number;
}

/** What a run printed. */
export interface Output {
  stdout: string;
  stderr: string;
}

// 5,000 commands, the most that heed takes out of a file, come to less.
const maxOutput = 64 << 20;
const maxErrors = 64 << 10;

/** Runs heed without a shell. It is killed when it is cancelled, too slow, or prints too much. */
export function run(r: Run): Promise<Output> {
  return new Promise((resolve, reject) => {
    if (r.signal?.aborted) {
      reject(new HeedError("cancelled", "not asked any more"));
      return;
    }
    const child = spawn(r.program, r.args, { cwd: r.cwd, stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    let size = 0;
    let errorSize = 0;
    const end = (result: Output | HeedError): void => {
      clearTimeout(timer);
      r.signal?.removeEventListener("abort", cancel);
      if (result instanceof HeedError) {
        child.kill("SIGKILL");
        reject(result);
      } else {
        resolve(result);
      }
    };
    const cancel = (): void => end(new HeedError("cancelled", "not asked any more"));
    const timer = setTimeout(() => end(new HeedError("timeout", `heed gave no answer within ${r.timeout / 1000} s`)), r.timeout);
    r.signal?.addEventListener("abort", cancel);
    child.on("error", (e: NodeJS.ErrnoException) => end(new HeedError(e.code === "ENOENT" ? "missing" : "failed", "heed cannot be started: " + visible(e.message))));
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxOutput) end(new HeedError("garbled", "heed printed more than can be read"));
      else out.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (errorSize < maxErrors) errors.push(chunk);
      errorSize += chunk.length;
    });
    // heed reads no more than it needs; what is left over is no error.
    child.stdin.on("error", () => undefined);
    child.stdin.end(r.input ?? "");
    child.on("close", (code, signal) => {
      const stderr = Buffer.concat(errors).toString();
      if (code === 0) end({ stdout: Buffer.concat(out).toString(), stderr });
      else end(new HeedError("failed", visible(firstLine(stderr)) || `heed ended with ${signal ?? `code ${code}`}`));
    });
  });
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}

/** Where heed may be looked for. */
export interface Search {
  /** The setting heed.path; "" if it is not set. */
  configured: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** The folders of the workspace: a heed that lies there is not taken. */
  avoid: readonly string[];
}

/**
 * Finds heed. A program is taken from PATH only by an absolute directory that is outside of
 * the workspace: who writes a repository must not choose what runs when it is opened.
 */
export function locate(s: Search): string {
  if (s.configured !== "") {
    if (!path.isAbsolute(s.configured)) throw new HeedError("missing", `heed.path is ${visible(s.configured)}: it has to be an absolute path`);
    if (!executable(s.configured)) throw new HeedError("missing", `heed.path is ${visible(s.configured)}: there is no program`);
    return s.configured;
  }
  const name = s.platform === "win32" ? "heed.exe" : "heed";
  const dirs = (s.env["PATH"] ?? s.env["Path"] ?? "").split(path.delimiter);
  for (const dir of dirs) {
    const file = path.join(dir, name);
    if (path.isAbsolute(dir) && executable(file) && !s.avoid.some((folder) => within(file, folder))) return file;
  }
  throw new HeedError("missing", "heed is not on PATH");
}

function executable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Whether a file lies in a folder, by its path or by where its links lead. */
function within(file: string, folder: string): boolean {
  return [file, real(file)].some((f) => [folder, real(folder)].some((d) => below(f, d)));
}

function below(file: string, dir: string): boolean {
  const rel = path.relative(dir, file);
  return rel !== ".." && !rel.startsWith(".." + path.sep) && !path.isAbsolute(rel);
}

function real(name: string): string {
  try {
    return fs.realpathSync(name);
  } catch {
    return name;
  }
}

/** A text to judge, and the file that it is the text of. */
export interface Text {
  file: string;
  kind: string;
  text: string | Uint8Array;
}

// The largest file that heed reads is of 1 MiB; one byte more lets it say so.
const maxText = (1 << 20) + 1;

/** Reads as much of a file as heed looks at, as it is: what would run, not what an editor makes of it. */
export async function readText(file: string): Promise<Buffer> {
  let handle: fs.promises.FileHandle | undefined;
  try {
    handle = await fs.promises.open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxText), 0, maxText, 0);
    return buffer.subarray(0, bytesRead);
  } catch (e) {
    throw new HeedError("failed", "the file cannot be read: " + visible(String(e)));
  } finally {
    await handle?.close();
  }
}

/** The run that judges a text. The file itself is not read. */
export function scanRun(program: string, t: Text, timeout: number, signal?: AbortSignal): Run {
  const r: Run = { program, args: ["scan", "--json", "--kind", t.kind, "--name", t.file, "-"], cwd: path.dirname(t.file), input: t.text, timeout };
  return signal ? { ...r, signal } : r;
}

/** Reads what heed scan --json prints: docs/scan.schema.json. */
export function parseScan(text: string): Finding[] {
  return lines(text, "heed scan").map(finding);
}

/** Reads objects, one a line. */
export function lines(text: string, what: string): Fields[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line, i) => {
      try {
        return new Fields(JSON.parse(line), `${what}, line ${i + 1}`);
      } catch (e) {
        if (e instanceof HeedError) throw e;
        throw new HeedError("garbled", `${what}, line ${i + 1}: it is no JSON`);
      }
    });
}

function finding(f: Fields): Finding {
  const a = f.object("assessment");
  const consequences = a.object("consequences");
  const start = place(f);
  const endLine = f.count("end_line");
  if (endLine < start.line) throw f.wrong("end_line");
  return {
    start,
    endLine,
    decided: place(f.object("decided")),
    name: f.text("name", ""),
    tier: f.word("tier", tiers),
    summary: f.text("summary"),
    command: f.text("command"),
    rule: f.text("rule", ""),
    reasons: a.texts("reasons"),
    direct: consequences.texts("direct"),
    indirect: consequences.texts("indirect"),
    safer: a.objects("safer").map(safer),
  };
}

function place(f: Fields): Place {
  return { line: f.count("line"), column: f.count("column") };
}

/** Reads a safer command. */
export function safer(f: Fields): Safer {
  return { command: f.text("command"), why: f.text("why") };
}

/** The fields of an object of JSON. What is not as it should be is an error that names it. */
export class Fields {
  private readonly fields: Readonly<Record<string, unknown>>;

  constructor(
    value: unknown,
    private readonly where: string,
  ) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new HeedError("garbled", `${where}: it is no object`);
    this.fields = value as Record<string, unknown>;
  }

  /** The error for a field. */
  wrong(name: string): HeedError {
    return new HeedError("garbled", `${this.where}: ${name} is not as it should be`);
  }

  private get(name: string): unknown {
    return Object.hasOwn(this.fields, name) ? this.fields[name] : undefined;
  }

  /** Whether the field is there. */
  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** A text; or what it is when it is left out. */
  text(name: string, missing?: string): string {
    const v = this.get(name) ?? missing;
    if (typeof v !== "string") throw this.wrong(name);
    return v;
  }

  /** One of some words. */
  word<W extends string>(name: string, words: readonly W[]): W {
    const v = this.text(name);
    const found = words.find((w) => w === v);
    if (found === undefined) throw this.wrong(name);
    return found;
  }

  /** A number that counts from 1. */
  count(name: string): number {
    const v = this.get(name);
    if (typeof v !== "number" || !Number.isSafeInteger(v) || v < 1) throw this.wrong(name);
    return v;
  }

  /** True or false; left out it is false. */
  flag(name: string): boolean {
    const v = this.get(name) ?? false;
    if (typeof v !== "boolean") throw this.wrong(name);
    return v;
  }

  /** A list of texts. */
  texts(name: string): string[] {
    const v = this.get(name);
    if (!Array.isArray(v) || !v.every((t) => typeof t === "string")) throw this.wrong(name);
    return v;
  }

  /** An object. */
  object(name: string): Fields {
    return new Fields(this.get(name), `${this.where}: ${name}`);
  }

  /** A list of objects. */
  objects(name: string): Fields[] {
    const v = this.get(name);
    if (!Array.isArray(v)) throw this.wrong(name);
    return v.map((o) => new Fields(o, `${this.where}: ${name}`));
  }
}
