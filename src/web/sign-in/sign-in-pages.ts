/** Pages of signing in: the form, the consent for an app, and errors. */
import { html, Markup } from "../../output/markup.ts";
import { type Message, noticeMessage } from "../frame/message.ts";

/**
 * Summary of an error above a form.
 *
 * @param field  id of the field at fault, which the summary links to
 */
function errorSummary(fault: string | undefined, field: string): Markup | "" {
  if (fault === undefined) return "";
  return html`<div class="wrong" role="alert" id="fault">
<h2>There is a problem</h2>
<p><a href="#${field}">${fault}</a></p>
</div>`;
}

const marksOf = (isFaulty: boolean) =>
  isFaulty ? new Markup(' aria-invalid="true" aria-describedby="fault"') : "";
const focus = new Markup(" autofocus");

const titleOf = (title: string, fault: string | undefined) =>
  `${fault === undefined ? "" : "Error: "}${title} – acct`;

export interface SignInPage {
  /** Name of the app that requested the sign-in. */
  readonly app: string;
  /** CSRF token of the form. */
  readonly proof: string;
  /** Email address as typed before, or as known. */
  readonly email: string;
  readonly fault?: string | undefined;
  /** Whether a new password is to be chosen, beside the one that is no longer good enough. */
  readonly wantsNew?: boolean | undefined;
  /** Whether the form has a field for a code of the second factor. */
  readonly wantsCode?: boolean | undefined;
  /** Secret of the sign-in whose password was right, and which waits for a code. */
  readonly asked?: string | undefined;
}

export function signInPage(page: SignInPage): Message {
  if (page.asked !== undefined) return codePage({ ...page, asked: page.asked });
  const { app, proof, email, fault, wantsNew = false, wantsCode = false } = page;
  const wrong = marksOf(fault !== undefined);
  const title = wantsNew ? "Choose a new password" : "Sign in";
  return {
    title: titleOf(title, fault),
    body: html`${errorSummary(fault, wantsNew ? "new" : "email")}
<h1>${title}</h1>
<p>to go on to <strong>${app}</strong></p>
<form method="post">
<input type="hidden" name="proof" value="${proof}">
<div class="field"><label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="255"
 spellcheck="false" autocapitalize="none" value="${email}"${wantsNew ? "" : wrong}${email === "" ? focus : ""}></div>
<div class="field"><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required
 maxlength="1024"${wantsNew ? "" : wrong}${email === "" ? "" : focus}></div>
${wantsNew ? newPassword(wrong) : ""}${wantsCode ? codeField("Code of your second factor (optional)", "", "") : ""}
<div class="acts"><button type="submit">Sign in</button></div>
</form>
<p><a href="${forgottenPath}">Forgotten your password?</a></p>`,
  };
}

const codeField = (label: string, required: string, marks: Markup | "") =>
  html`<div class="field"><label for="code">${label}</label>
<input id="code" name="code" type="text" autocomplete="one-time-code" maxlength="40" spellcheck="false" autocapitalize="none"${new Markup(required)}${marks}></div>
`;

function codePage({ app, proof, email, fault, asked }: SignInPage & { asked: string }): Message {
  const title = "Enter the code";
  return {
    title: titleOf(title, fault),
    body: html`${errorSummary(fault, "code")}
<h1>${title}</h1>
<p>of your authenticator app, or a recovery code, to go on to <strong>${app}</strong></p>
<form method="post">
<input type="hidden" name="proof" value="${proof}">
<input type="hidden" name="email" value="${email}">
<input type="hidden" name="asked" value="${asked}">
${codeField("Code", " required autofocus", marksOf(fault !== undefined))}<div class="acts"><button type="submit">Sign in</button></div>
</form>
<p class="soft">Lost the app and the recovery codes? Whoever runs this server can take the second factor off.</p>`,
  };
}

/** Path of the page of a forgotten password. */
const forgottenPath = "/identity/password";

const newPassword = (wrong: Markup | "") =>
  html`<div class="field"><label for="new">New password</label>
<input id="new" name="new" type="password" autocomplete="new-password" required maxlength="1024"${wrong}></div>`;

/**
 * Page that asks for the address to which a link is mailed, without mail for whom to ask.
 *
 * @param signIn  address that leads back; undefined where the server has no pages
 */
export function forgottenPage(hasMail: boolean, signIn: string | undefined): Message {
  const title = "Forgotten your password?";
  return {
    title: titleOf(title, undefined),
    body: html`<h1>${title}</h1>
${
  hasMail
    ? html`<p>A link by which you choose another is mailed to you.</p>
<form method="post">
<div class="field"><label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="255"
 spellcheck="false" autocapitalize="none"${focus}></div>
<div class="acts"><button type="submit">Send the link</button></div>
</form>`
    : html`<p>This server sends no mail. Ask whoever runs it: they can give you a link by which you choose another.</p>`
}${signIn === undefined ? "" : html`\n<p><a href="${signIn}">Back to sign in</a></p>`}`,
  };
}

export const linkSentPage = (): Message =>
  noticeMessage(
    "Look at your mail",
    "If there is an account with that address, a link is on its way to it. It is good once, for 30 minutes. Nothing there? Look among the unwanted mail before you ask again.",
    titleOf("Look at your mail", undefined),
  );

/** Page of a one-time link to set a password. */
export function choosePasswordPage(email: string, fault?: string): Message {
  const title = "Choose a password";
  return {
    title: titleOf(title, fault),
    body: html`${errorSummary(fault, "new")}
<h1>${title}</h1>
<p>for <strong>${email}</strong>: at least 15 characters; several words are easy to keep. You are signed out everywhere, browsers and apps.</p>
<form method="post">
<input hidden type="text" name="username" autocomplete="username" readonly value="${email}">
${newPassword(marksOf(fault !== undefined))}
<div class="acts"><button type="submit">Set the password</button></div>
</form>`,
  };
}

/** @param signIn  address at which to go on; undefined where the server has no pages */
export function passwordChosenPage(signIn: string | undefined): Message {
  const title = "Your password is set";
  return {
    title: titleOf(title, undefined),
    body: html`<h1>${title}</h1>
<p>${signIn === undefined ? "Go back to the app and sign in with it." : html`<a href="${signIn}">Sign in</a> with it.`}</p>`,
  };
}

export function linkGonePage(): Message {
  const { title, body } = faultPage("This link has been used, or is too old.", "");
  return { title, body: html`${body}<p><a href="${forgottenPath}">Ask for another</a></p>` };
}

export interface ConsentPage {
  readonly app: string;
  readonly proof: string;
  readonly person: { readonly name: string; readonly email: string };
  readonly organisations: readonly {
    readonly tenant: string;
    readonly name: string;
    /** Whether the organisation is preselected. */
    readonly isChosen: boolean;
  }[];
  /** Permissions that the app asks for, in words. */
  readonly abilities: readonly string[];
  /** Whether the app keeps access while the user is signed out (offline access). */
  readonly stays: boolean;
  /** Whether the app asks for access to the books. */
  readonly wantsBooks: boolean;
  readonly fault?: string | undefined;
}

export function consentPage(page: ConsentPage): Message {
  const { app, proof, person, abilities, stays, wantsBooks, organisations, fault } = page;
  const title = wantsBooks ? `Allow ${app} to work on your books?` : `Sign in to ${app}?`;
  const canAllow = !wantsBooks || organisations.length > 0;
  const allow = canAllow
    ? html`<button type="submit" name="choice" value="allow">Allow</button>
`
    : "";
  return {
    title: titleOf(title, fault),
    body: html`${errorSummary(fault, "organisation-0")}
<h1>${title}</h1>
<p>You are signed in as <strong>${person.name}</strong> (${person.email}).</p>
<form method="post">
<input type="hidden" name="proof" value="${proof}">
${wantsBooks ? checkboxes(organisations, fault !== undefined) : ""}
${
  abilities.length === 0
    ? ""
    : html`<h2>It will be able to</h2>
<ul>
${abilities.map(
  (words) => html`<li>${words}</li>
`,
)}</ul>`
}
${stays ? html`<p>It keeps this permission until you or your administrator take it back.</p>` : ""}
<div class="acts">${allow}<button class="other" type="submit" name="choice" value="deny">Do not allow</button></div>
<p><button class="plain" type="submit" name="choice" value="switch">Use another account</button></p>
</form>`,
  };
}

function checkboxes(organisations: ConsentPage["organisations"], isFaulty: boolean): Markup {
  if (organisations.length === 0) {
    return html`<p>You work for no organisation on this server, so there is nothing to allow.</p>`;
  }
  const wrong = marksOf(isFaulty);
  const rows = organisations.map(({ tenant, name, isChosen }, at) => {
    const checked = isChosen ? new Markup(" checked") : "";
    return html`<div class="choice">
<input type="checkbox" id="organisation-${at}" name="tenant" value="${tenant}"${checked}${wrong}${isFaulty && at === 0 ? focus : ""}>
<label for="organisation-${at}">${name}</label></div>
`;
  });
  const legend = organisations.length === 1 ? "Organisation" : "Which organisations?";
  const group = html`<fieldset>
<legend>${legend}</legend>
${rows}</fieldset>`;
  return isFaulty ? html`<div class="faulty">${group}</div>` : group;
}

const sentences: Readonly<Record<string, string>> = {
  invalid_client: "The app that sent you here is not known to this server.",
  invalid_redirect_uri:
    "The app that sent you here wants you sent back to an address that is not registered for it.",
};

/** Page for an invalid request of an app that has no address to redirect the user back to. */
export function wrongRequestPage(error: string, description: string | undefined): Message {
  const sentence = sentences[error] ?? "What the app that sent you here asks for cannot be done.";
  const detail = [error, description].filter((text) => text !== undefined).join(": ");
  return faultPage(sentence, `Tell whoever made the app: ${detail}`);
}

export function expiredPage(): Message {
  return faultPage(
    "This attempt to sign in has expired, or was finished already.",
    "Go back to the app and start again.",
  );
}

function faultPage(sentence: string, remedy: string): Message {
  const { title, body } = noticeMessage("This did not work", sentence, "This did not work – acct");
  return { title, body: html`${body}\n<p class="soft">${remedy}</p>` };
}
