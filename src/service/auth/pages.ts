/**
 * The pages that people see: signing in, allowing an app, and what went wrong.
 *
 * Plain HTML that works without script, with a keyboard, read aloud, small, large, light and dark.
 * Nothing is loaded from elsewhere, and whatever comes from outside is escaped.
 */
import { escapeHtml } from "../../wire/html.ts";

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
input[aria-invalid=true]{border:2px solid var(--wrong)}
:focus-visible{outline:3px solid var(--act);outline-offset:2px}
.soft{color:var(--soft)}
`;

let styleHash: string | undefined;

/**
 * The headers of every page.
 *
 * @param sendsTo  where forms may lead besides here: after the last one the browser goes on there
 */
export function pageHeaders(sendsTo = ""): Record<string, string> {
  styleHash ??= process.getBuiltinModule("node:crypto").hash("sha256", style, "base64");
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy":
      `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self' ${sendsTo}; ` +
      "base-uri 'none'; frame-ancestors 'none'",
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    // Not even less: browsers would no longer say where a form was sent from.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
  };
}

function page(title: string, body: string): string {
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

/** @param field  id of the field at fault, to which the summary leads */
function summary(fault: string | undefined, field: string): string {
  if (fault === undefined) return "";
  return `<div class="wrong" role="alert" id="fault">
<h2>There is a problem</h2>
<p><a href="#${field}">${escapeHtml(fault)}</a></p>
</div>`;
}

export interface SignInPage {
  /** Name of the app that sent the person here. */
  readonly app: string;
  /** Proves that the form is ours. */
  readonly proof: string;
  /** What was typed before, or is known of who signs in. */
  readonly email: string;
  readonly fault?: string | undefined;
}

export function signInPage({ app, proof, email, fault }: SignInPage): string {
  const wrong = fault === undefined ? "" : ' aria-invalid="true" aria-describedby="fault"';
  const title = "Sign in";
  return page(
    `${fault === undefined ? "" : "Error: "}${title} – acct`,
    `${summary(fault, "email")}
<h1>${title}</h1>
<p>to go on to <strong>${escapeHtml(app)}</strong></p>
<form method="post">
<input type="hidden" name="proof" value="${escapeHtml(proof)}">
<div class="field"><label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="255"
 spellcheck="false" autocapitalize="none" value="${escapeHtml(email)}"${wrong}${email === "" ? " autofocus" : ""}></div>
<div class="field"><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required
 maxlength="1024"${wrong}${email === "" ? "" : " autofocus"}></div>
<div class="acts"><button type="submit">Sign in</button></div>
</form>
<p class="soft">Forgotten it? Whoever runs this server can set another.</p>`,
  );
}

export interface ConsentPage {
  readonly app: string;
  readonly proof: string;
  readonly person: { readonly name: string; readonly email: string };
  readonly organisations: readonly {
    readonly tenant: string;
    readonly name: string;
    /** Whether it is chosen already. */
    readonly chosen: boolean;
  }[];
  /** What the app will be able to do, in words. */
  readonly abilities: readonly string[];
  /** Whether it will go on being able to when the person has left. */
  readonly stays: boolean;
  /** Whether it asks for anything in the books. */
  readonly wantsBooks: boolean;
  readonly fault?: string | undefined;
}

export function consentPage(given: ConsentPage): string {
  const { app, proof, person, abilities, stays, wantsBooks, organisations, fault } = given;
  const title = wantsBooks ? `Allow ${app} to work on your books?` : `Sign in to ${app}?`;
  const canAllow = !wantsBooks || organisations.length > 0;
  const list = abilities.map((words) => `<li>${escapeHtml(words)}</li>`).join("\n");
  const allow = canAllow
    ? '<button type="submit" name="choice" value="allow">Allow</button>\n'
    : "";
  return page(
    `${fault === undefined ? "" : "Error: "}${title} – acct`,
    `${summary(fault, "organisation-0")}
<h1>${escapeHtml(title)}</h1>
<p>You are signed in as <strong>${escapeHtml(person.name)}</strong> (${escapeHtml(person.email)}).</p>
<form method="post">
<input type="hidden" name="proof" value="${escapeHtml(proof)}">
${wantsBooks ? choices(organisations) : ""}
${abilities.length === 0 ? "" : `<h2>It will be able to</h2>\n<ul>\n${list}\n</ul>`}
${stays ? "<p>It keeps this permission until you or your administrator take it back.</p>" : ""}
<div class="acts">${allow}<button class="other" type="submit" name="choice" value="deny">Do not allow</button></div>
<p><button class="plain" type="submit" name="choice" value="switch">Use another account</button></p>
</form>`,
  );
}

function choices(organisations: ConsentPage["organisations"]): string {
  if (organisations.length === 0) {
    return "<p>You work for no organisation on this server, so there is nothing to allow.</p>";
  }
  const rows = organisations.map(
    ({ tenant, name, chosen }, at) => `<div class="choice">
<input type="checkbox" id="organisation-${at}" name="tenant" value="${escapeHtml(tenant)}"${chosen ? " checked" : ""}>
<label for="organisation-${at}">${escapeHtml(name)}</label></div>`,
  );
  return `<fieldset>\n<legend>Organisations</legend>\n${rows.join("\n")}\n</fieldset>`;
}

const sentences: Readonly<Record<string, string>> = {
  invalid_client: "The app that sent you here is not known to this server.",
  invalid_redirect_uri:
    "The app that sent you here wants you sent back to an address that is not registered for it.",
};

/** What went wrong with what an app asked, where there is nowhere to send the person back to. */
export function wrongRequestPage(error: string, description: string | undefined): string {
  const sentence = sentences[error] ?? "What the app that sent you here asks for cannot be done.";
  const detail = [error, description].filter((part) => part !== undefined).join(": ");
  return faultPage(sentence, `Tell whoever made the app: ${detail}`);
}

export function expiredPage(): string {
  return faultPage(
    "This attempt to sign in has expired, or was finished already.",
    "Go back to the app and start again.",
  );
}

function faultPage(sentence: string, remedy: string): string {
  return page(
    "This did not work – acct",
    `<h1>This did not work</h1>
<p>${escapeHtml(sentence)}</p>
<p class="soft">${escapeHtml(remedy)}</p>`,
  );
}
