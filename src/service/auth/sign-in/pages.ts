/**
 * The pages that people see: signing in, allowing an app, and what went wrong.
 */

import { page, pagePolicy } from "../../../output/html/page.ts";
import { escapeHtml } from "../../../output/markup.ts";

/**
 * The headers of every page.
 *
 * @param sendsTo  where forms may lead besides here: after the last one the browser goes on there
 */
export function pageHeaders(sendsTo = ""): Record<string, string> {
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy":
      `${pagePolicy()}; form-action 'self' ${sendsTo}; ` +
      "base-uri 'none'; frame-ancestors 'none'",
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    // Not even less: browsers would no longer say where a form was sent from.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
  };
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
  /** Address as it was typed, or is known. */
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
  /** Permissions of the app, in words. */
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
${wantsBooks ? choices(organisations, fault !== undefined) : ""}
${abilities.length === 0 ? "" : `<h2>It will be able to</h2>\n<ul>\n${list}\n</ul>`}
${stays ? "<p>It keeps this permission until you or your administrator take it back.</p>" : ""}
<div class="acts">${allow}<button class="other" type="submit" name="choice" value="deny">Do not allow</button></div>
<p><button class="plain" type="submit" name="choice" value="switch">Use another account</button></p>
</form>`,
  );
}

function choices(organisations: ConsentPage["organisations"], isFaulty: boolean): string {
  if (organisations.length === 0) {
    return "<p>You work for no organisation on this server, so there is nothing to allow.</p>";
  }
  const wrong = isFaulty ? ' aria-invalid="true" aria-describedby="fault"' : "";
  const rows = organisations.map(({ tenant, name, chosen }, at) => {
    const state = `${chosen ? " checked" : ""}${wrong}${isFaulty && at === 0 ? " autofocus" : ""}`;
    return `<div class="choice">
<input type="checkbox" id="organisation-${at}" name="tenant" value="${escapeHtml(tenant)}"${state}>
<label for="organisation-${at}">${escapeHtml(name)}</label></div>`;
  });
  const legend = organisations.length === 1 ? "Organisation" : "Which organisations?";
  const group = `<fieldset>\n<legend>${legend}</legend>\n${rows.join("\n")}\n</fieldset>`;
  return isFaulty ? `<div class="faulty">${group}</div>` : group;
}

const sentences: Readonly<Record<string, string>> = {
  invalid_client: "The app that sent you here is not known to this server.",
  invalid_redirect_uri:
    "The app that sent you here wants you sent back to an address that is not registered for it.",
};

/** Faults of an app's request without an address to send the person back to. */
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
