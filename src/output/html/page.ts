/**
 * The pages that a person sees in a browser: of a service, and of the command line at the end of
 * signing in.
 *
 * Plain HTML that works without script, with a keyboard, read aloud, small, large, light and dark.
 * Nothing is loaded from elsewhere.
 */
import { escapeHtml } from "./markup.ts";

const style = `
:root{color-scheme:light dark;--ink:#1b2733;--soft:#566472;--page:#f3f5f7;--card:#fff;--line:#8793a0;
--act:#0b5cad;--act-ink:#fff;--wrong:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#e8edf2;--soft:#a9b6c3;--page:#12181f;--card:#1b232c;
--line:#7b8997;--act:#8fc2ff;--act-ink:#0b1722;--wrong:#ffb4ab}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:start center;padding:8vh 1rem 2rem;
background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{width:100%;max-width:27rem;background:var(--card);padding:2rem;border-radius:.75rem;
box-shadow:0 1px 4px #0003}
.mark{margin:0 0 1.25rem;color:var(--soft);font-weight:600;letter-spacing:.02em}
h1{margin:0 0 .75rem;font-size:1.4rem;line-height:1.25}
h2{margin:1.5rem 0 .5rem;font-size:1rem}
p{margin:0 0 1rem;overflow-wrap:anywhere}
ul{margin:0 0 1.25rem;padding-left:1.2rem}
label,legend{font-weight:600}
fieldset{margin:0 0 1.25rem;padding:0;border:0}
legend{margin-bottom:.25rem;padding:0}
.field{margin-bottom:1.1rem}
input[type=email],input[type=password]{display:block;width:100%;margin-top:.25rem;padding:.6rem .7rem;
font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:.4rem}
.choice{display:flex;gap:.6rem;align-items:start;padding:.35rem 0}
.choice label{font-weight:400;overflow-wrap:anywhere}
.choice input{width:1.15rem;height:1.15rem;margin:.18rem 0 0;flex:none;accent-color:var(--act)}
button{padding:.65rem 1.2rem;font:inherit;font-weight:600;border-radius:.4rem;cursor:pointer;
border:1px solid var(--act);background:var(--act);color:var(--act-ink)}
button.other{background:transparent;color:var(--act)}
button.plain{padding:0;border:0;background:none;color:var(--act);font-weight:400;text-decoration:underline}
.acts{display:flex;flex-wrap:wrap;gap:.75rem;margin-bottom:1.25rem}
.wrong{margin:0 0 1.25rem;padding:.75rem 1rem;border:1px solid var(--wrong);border-left-width:.35rem;
border-radius:.4rem}
.wrong h2{margin:0 0 .25rem}.wrong p,.wrong ul{margin:0}.wrong a{color:var(--wrong)}
.faulty{margin:0 0 1.25rem;padding-left:.75rem;border-left:.35rem solid var(--wrong)}
.faulty fieldset{margin:0}
.field input[aria-invalid=true]{border:2px solid var(--wrong)}
:focus-visible{outline:3px solid var(--act);outline-offset:2px}
.soft{color:var(--soft)}
`;

let styleHash: string | undefined;

/** What a page may load, as its Content-Security-Policy begins: its own style. */
export function pagePolicy(): string {
  styleHash ??= process.getBuiltinModule("node:crypto").hash("sha256", style, "base64");
  return `default-src 'none'; style-src 'sha256-${styleHash}'`;
}

/** A whole page. @param title  text @param body  markup */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="mark">acct</p>
${body}
</main>
</body>
</html>
`;
}
