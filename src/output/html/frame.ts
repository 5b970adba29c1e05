/**
 * The frame of every page that a person sees in a browser, and the style that all of them begin with.
 *
 * Plain HTML that works without script, with a keyboard, read aloud, small, large, light, dark and
 * printed. A page loads nothing, not even a style: its only style stands in it, and the policy names
 * that by its digest.
 */
import { html, Markup } from "../markup.ts";

/** Colours, by what they mean: text and edges keep a contrast of 4.5 and 3 to 1 on every ground. */
const light = `--ink:#1b2733;--soft:#52606e;--back:#eef1f4;--card:#fff;--line:#d3dae1;--edge:#7b8997;
--act:#0b3d70;--act-ink:#fff;--open:#0b3d70;--late:#a3221a;--done:#1c6a3c;--void:#52606e`;
const dark = `--ink:#e8edf2;--soft:#a9b6c3;--back:#12181f;--card:#1b232c;--line:#35414d;--edge:#8b99a7;
--act:#b4d6ff;--act-ink:#0b1722;--open:#b4d6ff;--late:#ffb4ab;--done:#8fdcae;--void:#a9b6c3`;

/** Without `screen` the dark colours would be printed too. */
export const baseStyle = `
:root{color-scheme:light dark;${light}}
@media screen and (prefers-color-scheme:dark){:root{${dark}}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;
font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.skip{position:absolute;left:-100vw}.skip:focus{left:1rem;top:1rem;background:var(--card);padding:.5rem 1rem}
.soft{color:var(--soft)}
.figure{text-align:right;white-space:nowrap}
:focus-visible{outline:3px solid var(--act);outline-offset:2px}
`;

export interface Frame {
  readonly title: string;
  /** As in HTML, `en-NZ`. */
  readonly language: string;
  /** All of it, `baseStyle` included. */
  readonly style: string;
  /** For a page that no server sends with its headers: what it may load, as its policy. */
  readonly policy?: string;
}

/** A whole page. Search engines are kept away from all of them. */
export function frame({ title, language, style, policy }: Frame, body: Markup): Markup {
  const meta =
    policy === undefined
      ? ""
      : html`<meta http-equiv="Content-Security-Policy" content="${policy}">
`;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
${meta}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow, noarchive">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

const digests = new Map<string, string>();

/** What a page of this style may load, as its policy begins: nothing but the style. */
export function policyOf(style: string): string {
  let digest = digests.get(style);
  if (digest === undefined) {
    digest = process.getBuiltinModule("node:crypto").hash("sha256", style, "base64");
    digests.set(style, digest);
  }
  return `default-src 'none'; style-src 'sha256-${digest}'`;
}
