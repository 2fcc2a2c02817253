// The page of the panel draws requests. It runs in the page, by itself, and is no module.
// Foreign text is only ever the text of a node: no part of it becomes markup, a name of a
// class or an attribute.

declare function acquireVsCodeApi(): { postMessage(message: import("./messages").Pressed): void };

(() => {
  type Row = import("./messages").Row;
  type Shown = import("./messages").Shown;

  const editor = acquireVsCodeApi();
  const note = document.getElementById("note");
  const rows = document.getElementById("rows");
  const classes = { SAFE: "safe", CAUTION: "caution", REVIEW: "review" } as const;

  function element<K extends keyof HTMLElementTagNameMap>(tag: K, className: string, ...inside: (Node | string)[]): HTMLElementTagNameMap[K] {
    const e = document.createElement(tag);
    e.className = className;
    for (const i of inside) e.append(i); // a string becomes a text node
    return e;
  }

  function list(heading: string, items: string[]): Node[] {
    return [element("h3", "", heading), element("ul", "", ...items.map((item) => element("li", "", item)))];
  }

  function button(label: string, type: "approve" | "deny", row: Row): HTMLButtonElement {
    const b = element("button", type, label);
    b.type = "button";
    b.dataset["key"] = `${type} ${row.digest}`;
    b.setAttribute("aria-label", `${label.replace("…", "")} ${row.name}`);
    b.addEventListener("click", () => editor.postMessage({ type, digest: row.digest }));
    return b;
  }

  function draw(row: Row): HTMLElement {
    const known = Object.hasOwn(classes, row.tier) ? row.tier : "REVIEW";
    const article = element("article", classes[known]);
    article.append(element("h2", "", element("span", "badge", `[${known}]`), " ", element("bdi", "", row.sentence)));
    if (row.command !== "") article.append(element("pre", "", element("bdi", "", row.command)));
    const facts = element("dl", "");
    for (const [name, value] of row.facts) facts.append(element("dt", "", name), element("dd", "", element("bdi", "", value)));
    facts.append(element("dt", "", "digest"), element("dd", "", row.name));
    article.append(facts);
    for (const l of row.lists) article.append(...list(l.heading, l.items));
    if (row.safer.length > 0) {
      article.append(element("h3", "", "Safer"));
      for (const s of row.safer) article.append(element("pre", "", element("bdi", "", s.command)), element("p", "", s.why));
    }
    if (row.takes !== "") article.append(element("p", "takes", row.takes));
    const buttons = element("p", "buttons");
    if (!row.final) buttons.append(button("Approve at a terminal…", "approve", row));
    buttons.append(button("Deny…", "deny", row));
    article.append(buttons);
    return article;
  }

  function show(shown: Shown): void {
    if (!note || !rows) return;
    note.textContent = shown.note;
    // Who is about to press a key is left where they are.
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["key"] : undefined;
    rows.replaceChildren(...shown.rows.map(draw));
    for (const b of rows.querySelectorAll("button")) if (focused !== undefined && b.dataset["key"] === focused) b.focus();
  }

  window.addEventListener("message", (event: MessageEvent<Shown>) => {
    if (event.data.type === "shown") show(event.data);
  });
  editor.postMessage({ type: "ready" });
})();
