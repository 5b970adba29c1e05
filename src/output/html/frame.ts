/**
 * Frame of every HTML page, with the base style that all pages share.
 *
 * Pages are plain HTML and work without script, by keyboard, in screen readers, at any size, in
 * light and dark mode, and in print. A page loads no resources: its only style is inline, and the
 * content security policy allows it by its digest.
 */
import { html, Markup } from "../markup.ts";

/** Colours by their purpose; text has a contrast of 4.5:1, edges 3:1, on every background. */
const light = `--ink:#1b2733;--soft:#52606e;--back:#eef1f4;--card:#fff;--line:#d3dae1;--edge:#7b8997;
--act:#0b3d70;--act-ink:#fff;--open:#0b3d70;--late:#a3221a;--done:#1c6a3c;--void:#52606e`;
const dark = `--ink:#e8edf2;--soft:#a9b6c3;--back:#12181f;--card:#1b232c;--line:#35414d;--edge:#8b99a7;
--act:#b4d6ff;--act-ink:#0b1722;--open:#b4d6ff;--late:#ffb4ab;--done:#8fdcae;--void:#a9b6c3`;

/** Base style; dark colours apply to `screen` only, or they would be printed too. */
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
  /** Language code as in HTML, `en-NZ`. */
  readonly language: string;
  /** The whole style of the page, `baseStyle` included. */
  readonly style: string;
  /**
   * Content security policy as a `meta` element, for a page that is a file without HTTP headers.
   */
  readonly policy?: string;
}

/** A complete page; search engines are told not to index it. */
export function framePage({ title, language, style, policy }: Frame, body: Markup): Markup {
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

const digestByStyle = new Map<string, string>();

/** Start of the content security policy of a page: allows only this inline style. */
export function policyOf(style: string): string {
  let digest = digestByStyle.get(style);
  if (digest === undefined) {
    digest = process.getBuiltinModule("node:crypto").hash("sha256", style, "base64");
    digestByStyle.set(style, digest);
  }
  return `default-src 'none'; style-src 'sha256-${digest}'`;
}
