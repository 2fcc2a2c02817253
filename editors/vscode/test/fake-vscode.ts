// As much of VS Code as the extension uses, and what a person and the editor do with it.
// Importing this lets `require("vscode")` find it.

import * as path from "node:path";

type Listener<T> = (event: T) => unknown;

class Emitter<T> {
  private readonly listeners = new Set<Listener<T>>();
  readonly event = (listener: Listener<T>): Disposable => {
    this.listeners.add(listener);
    return new Disposable(() => this.listeners.delete(listener));
  };
  fire(event: T): void {
    for (const l of [...this.listeners]) l(event);
  }
  get heard(): number {
    return this.listeners.size;
  }
}

class Disposable {
  constructor(private readonly end: () => unknown) {}
  dispose(): void {
    this.end();
  }
  static from(...all: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => all.forEach((d) => d.dispose()));
  }
}

class Uri {
  private constructor(
    readonly scheme: string,
    readonly fsPath: string,
  ) {}
  static file(name: string): Uri {
    return new Uri("file", name);
  }
  static of(scheme: string, name: string): Uri {
    return new Uri(scheme, name);
  }
  static joinPath(uri: Uri, ...parts: string[]): Uri {
    return new Uri(uri.scheme, path.posix.join(uri.fsPath, ...parts));
  }
  toString(): string {
    return `${this.scheme}://${this.fsPath}`;
  }
}

class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(line: number, character: number, endLine: number, endCharacter: number) {
    this.start = new Position(line, character);
    this.end = new Position(endLine, endCharacter);
  }
}

class ThemeColor {
  constructor(readonly id: string) {}
}

class Diagnostic {
  source = "";
  constructor(
    readonly range: Range,
    readonly message: string,
    readonly severity: number,
  ) {}
}

class Hover {
  constructor(readonly contents: MarkdownString[]) {}
}

/** Keeps apart what is put in as Markdown, as text and as code. */
class MarkdownString {
  isTrusted = false;
  supportHtml = false;
  readonly parts: [how: "markdown" | "text" | "code", text: string][] = [];
  appendMarkdown(text: string): this {
    this.parts.push(["markdown", text]);
    return this;
  }
  appendText(text: string): this {
    this.parts.push(["text", text]);
    return this;
  }
  appendCodeblock(text: string): this {
    this.parts.push(["code", text]);
    return this;
  }
}

/** A document whose text can be typed into. Like VS Code's it has no mark of byte order, and one kind of end of line. */
export class Document {
  isDirty = false;
  version = 1;
  private text: string;
  constructor(
    readonly uri: Uri,
    readonly languageId: string,
    raw: string,
  ) {
    this.text = raw.replace(/^\ufeff/, "").replace(/\r\n|\r|\n/g, "\n");
  }
  getText(): string {
    return this.text;
  }
  private get lines(): string[] {
    return this.text.split("\n");
  }
  get lineCount(): number {
    return this.lines.length;
  }
  lineAt(line: number): { range: Range } {
    const text = this.lines[line];
    if (text === undefined) throw new Error(`no line ${line}`);
    return { range: new Range(line, 0, line, text.length) };
  }
  type(text: string): void {
    this.text = text;
    this.isDirty = true;
    this.version++;
    events.changed.fire({ document: this, contentChanges: [{}] });
  }
}

interface Decoration {
  range: Range;
  renderOptions: { after: { contentText: string } };
}

interface DecorationType {
  options: { after: { color: ThemeColor } };
  dispose(): void;
}

/** An editor, and what is drawn in it. */
export class Editor {
  readonly drawn = new Map<DecorationType, Decoration[]>();
  constructor(readonly document: Document) {}
  setDecorations(type: DecorationType, all: Decoration[]): void {
    this.drawn.set(type, all);
  }
  /** The badges, as "line colour text". */
  badges(): string[] {
    const all = [...this.drawn].flatMap(([type, ds]) => ds.map((d) => ({ line: d.range.end.line + 1, color: type.options.after.color.id, text: d.renderOptions.after.contentText })));
    return all.sort((a, b) => a.line - b.line).map((d) => `${d.line} ${d.color} ${d.text}`);
  }
}

class Webview {
  html = "";
  options: { enableScripts?: boolean; enableForms?: boolean; localResourceRoots?: Uri[] } = {};
  readonly cspSource = "https://source.example";
  readonly received: unknown[] = [];
  private readonly said = new Emitter<unknown>();
  readonly onDidReceiveMessage = this.said.event;
  asWebviewUri(uri: Uri): Uri {
    return Uri.of("https", "files.example" + uri.fsPath);
  }
  postMessage(message: unknown): Promise<boolean> {
    this.received.push(structuredClone(message));
    return Promise.resolve(true);
  }
  /** The page says something. */
  say(message: unknown): void {
    this.said.fire(message);
  }
}

/** A view with its page. */
export class WebviewView {
  readonly webview = new Webview();
  badge: { value: number; tooltip: string } | undefined;
  private readonly gone = new Emitter<void>();
  readonly onDidDispose = this.gone.event;
  close(): void {
    this.gone.fire();
  }
}

const events = {
  visible: new Emitter<Editor[]>(),
  active: new Emitter<Editor | undefined>(),
  changed: new Emitter<{ document: Document; contentChanges: object[] }>(),
  saved: new Emitter<Document>(),
  closed: new Emitter<Document>(),
  configured: new Emitter<{ affectsConfiguration(section: string): boolean }>(),
  trusted: new Emitter<void>(),
  folders: new Emitter<void>(),
};

/** Everything that a test sets or looks at. */
export const fake = {
  events,
  Uri,
  Position,
  /** Settings as a person has them, and as the workspace would have them. */
  user: {} as Record<string, unknown>,
  workspace: {} as Record<string, unknown>,
  folders: [] as { uri: Uri }[],
  editors: [] as Editor[],
  problems: new Map<string, Diagnostic[]>(),
  bar: { text: "", tooltip: "", command: "", backgroundColor: undefined as ThemeColor | undefined, name: "", shown: false },
  provider: undefined as { resolveWebviewView(view: WebviewView): void } | undefined,
  hover: undefined as { provideHover(document: Document, position: Position): Hover | undefined } | undefined,
  commands: new Map<string, (...args: unknown[]) => unknown>(),
  executed: [] as unknown[][],
  clipboard: "",
  logged: [] as string[],
  remoteName: undefined as string | undefined,
  /** What was asked, and what the person presses or types. */
  asked: [] as { message: string; detail: string; choices: string[] }[],
  press: undefined as string | undefined,
  typed: undefined as string | undefined,
  focused: true,

  /** Opens a file in an editor that has the focus. */
  open(uri: Uri, languageId: string, text: string): Editor {
    const editor = new Editor(new Document(uri, languageId, text));
    fake.editors.push(editor);
    events.visible.fire(fake.editors);
    events.active.fire(editor);
    return editor;
  },

  /** Sets something as a person, and tells. */
  set(name: string, value: unknown): void {
    fake.user[name] = value;
    events.configured.fire({ affectsConfiguration: (section) => section === "heed" });
  },

  reset(): void {
    Object.assign(fake, { user: {}, workspace: {}, folders: [], editors: [], provider: undefined, hover: undefined, executed: [], clipboard: "", logged: [], remoteName: undefined, asked: [], press: undefined, typed: undefined, focused: true });
    fake.problems.clear();
    fake.commands.clear();
  },
};

const api = {
  Disposable,
  Uri,
  Position,
  Range,
  ThemeColor,
  Diagnostic,
  Hover,
  MarkdownString,
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  DecorationRangeBehavior: { OpenOpen: 0, ClosedClosed: 1, OpenClosed: 2, ClosedOpen: 3 },
  StatusBarAlignment: { Left: 1, Right: 2 },
  window: {
    get visibleTextEditors() {
      return fake.editors;
    },
    get activeTextEditor() {
      return fake.editors.at(-1);
    },
    get state() {
      return { focused: fake.focused };
    },
    onDidChangeVisibleTextEditors: events.visible.event,
    onDidChangeActiveTextEditor: events.active.event,
    createTextEditorDecorationType: (options: DecorationType["options"]) => ({ options, dispose: () => undefined }),
    createOutputChannel: () => ({ warn: (text: string) => fake.logged.push(text), dispose: () => undefined }),
    createStatusBarItem: () => Object.assign(fake.bar, { show: () => (fake.bar.shown = true), dispose: () => (fake.bar.shown = false) }),
    registerWebviewViewProvider: (id: string, provider: NonNullable<typeof fake.provider>) => {
      if (id === "heed.pending") fake.provider = provider;
      return new Disposable(() => (fake.provider = undefined));
    },
    showInformationMessage: (message: string, options: { detail: string }, ...choices: string[]) => {
      fake.asked.push({ message, detail: options.detail, choices });
      return Promise.resolve(choices.find((c) => c === fake.press));
    },
    showInputBox: () => Promise.resolve(fake.typed),
  },
  workspace: {
    get workspaceFolders() {
      return fake.folders.length > 0 ? fake.folders : undefined;
    },
    onDidChangeTextDocument: events.changed.event,
    onDidSaveTextDocument: events.saved.event,
    onDidCloseTextDocument: events.closed.event,
    onDidChangeConfiguration: events.configured.event,
    onDidGrantWorkspaceTrust: events.trusted.event,
    onDidChangeWorkspaceFolders: events.folders.event,
    getConfiguration: () => ({
      get: (name: string) => fake.workspace[name] ?? fake.user[name],
      inspect: (name: string) => ({ globalValue: fake.user[name], workspaceValue: fake.workspace[name] }),
    }),
  },
  languages: {
    createDiagnosticCollection: () => ({
      set: (uri: Uri, all: Diagnostic[]) => void fake.problems.set(uri.fsPath, all),
      delete: (uri: Uri) => void fake.problems.delete(uri.fsPath),
      dispose: () => fake.problems.clear(),
    }),
    registerHoverProvider: (_selector: object, provider: NonNullable<typeof fake.hover>) => {
      fake.hover = provider;
      return new Disposable(() => (fake.hover = undefined));
    },
  },
  commands: {
    registerCommand: (id: string, command: (...args: unknown[]) => unknown) => {
      fake.commands.set(id, command);
      return new Disposable(() => fake.commands.delete(id));
    },
    executeCommand: (...args: unknown[]) => {
      fake.executed.push(args);
      return Promise.resolve(fake.commands.get(String(args[0]))?.(...args.slice(1)));
    },
  },
  env: {
    get remoteName() {
      return fake.remoteName;
    },
    clipboard: {
      writeText: (text: string) => {
        fake.clipboard = text;
        return Promise.resolve();
      },
    },
  },
};

// node:module has no type for this hook, which is how modules are stood in for in CommonJS.
const loader = require("node:module") as { _load(request: string, ...rest: unknown[]): unknown };
const load = loader._load;
loader._load = function (this: unknown, request: string, ...rest: unknown[]): unknown {
  return request === "vscode" ? api : load.call(this, request, ...rest);
};
