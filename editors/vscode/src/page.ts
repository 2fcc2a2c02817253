// The page of the panel: nothing but its frame. What it shows comes by messages.

/** Where the parts of the page lie, and what lets them in. */
export interface Parts {
  /** The source of the page's own files, for its policy. */
  source: string;
  script: string;
  style: string;
  nonce: string;
}

/** The page. Its policy lets in one script, one sheet of style, and nothing else. */
export function page(p: Parts): string {
  const policy = `default-src 'none'; script-src 'nonce-${p.nonce}'; style-src ${p.source}; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${attribute(p.style)}">
<title>heed: waits for you</title>
</head>
<body>
<p id="note" role="status"></p>
<main id="rows"></main>
<script nonce="${attribute(p.nonce)}" src="${attribute(p.script)}"></script>
</body>
</html>
`;
}

function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
