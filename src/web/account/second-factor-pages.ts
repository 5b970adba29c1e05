/** Pages of a user's second factor: setting it up, its recovery codes, and taking it off. */
import { qrPicture } from "../../output/html/qr-picture.ts";
import { html, type Markup } from "../../output/markup.ts";
import { refusal } from "../../resources/errors.ts";
import {
  endSecondFactor,
  lacksSecondFactor,
  newFactorSecret,
  renewRecoveryCodes,
  setSecondFactor,
} from "../../service/auth/second-factor.ts";
import {
  confirmCode,
  confirmPassword,
  type PasswordOutcome,
  waitText,
} from "../../service/auth/sign-in/passwords-tried.ts";
import { base32, inGroups } from "../../service/auth/totp.ts";
import { secondFactorOf } from "../../store/directory/second-factors.ts";
import { link } from "../frame/components.ts";
import { form, hidden, submit, textField, typed } from "../frame/forms.ts";
import type { Page, PageResponse } from "../frame/page-context.ts";
import type { Route } from "../frame/router.ts";
import { type AccountContext, accountPath, redirectTo } from "./account-router.ts";

const path = "/second-factor";
const codeWidth = 200;

/** The part of the account page about the second factor. */
export async function secondFactorPart(ctx: AccountContext): Promise<Markup> {
  const { host, session } = ctx;
  const factor = await host.directory.read((tx) => secondFactorOf(tx, session.person.id));
  if (factor === undefined) {
    return html`<p>A code of an app on your telephone, beside the password: who has found out the one has not got the other. With it a password of 8 characters suffices.</p>
<p>${link(`${accountPath}${path}`, "Set it up")}</p>`;
  }
  return html`<p>It is set up: a code is asked for in a new browser, and every 30 days. ${factor.codes.length} recovery codes are left.</p>
${form(
  ctx,
  `${path}/change`,
  codeField(ctx, "Of your app, or a recovery code."),
  html`<div class="acts">${submit("Make new recovery codes", "act", "codes")}${submit("Take it off", "act", "off")}</div>`,
)}`;
}

const codeField = (ctx: AccountContext, hint: string) =>
  textField(ctx, { name: "code", label: "Code", autocomplete: "one-time-code", max: 40, hint });

async function showSetUp(ctx: AccountContext): Promise<Page> {
  const { host, session } = ctx;
  const isRequired = await lacksSecondFactor(host.directory, host.secondFactor, session.person);
  const secret = typed(ctx, "secret") || newFactorSecret();
  const { hostname } = new URL(host.origin());
  const keyName = `${encodeURIComponent(hostname)}:${encodeURIComponent(session.person.email)}`;
  const parameters = new URLSearchParams({ secret: base32(secret), issuer: hostname });
  const address = `otpauth://totp/${keyName}?${parameters}`;
  return {
    title: "Set up a second factor",
    body: html`${isRequired ? html`<p>This server asks for one before it shows you anything else.</p>` : ""}
<ol>
<li>Open an authenticator app on your telephone.</li>
<li>Scan this code with it:<br>${qrPicture(address, "QR code of the key", codeWidth)}<br>or add an account with this key, by hand: <code>${inGroups(base32(secret))}</code><br>or, on the telephone itself, follow ${link(address, "this link")}.</li>
<li>Type the code that the app shows now.</li>
</ol>
${form(
  ctx,
  path,
  hidden([["secret", secret]]),
  codeField(ctx, "Six digits."),
  textField(ctx, {
    name: "current",
    label: "Your password",
    type: "password",
    autocomplete: "current-password",
    max: 1024,
  }),
  submit("Set it up"),
)}`,
  };
}

async function setUp(ctx: AccountContext): Promise<PageResponse> {
  const { host, request, session, by } = ctx;
  const { person } = session;
  const origin = request.from(host.trusts);
  const password = ctx.form?.get("current") ?? "";
  const attempt = { email: person.email, password, origin };
  check(await confirmPassword(host.directory, host.clock, attempt), "The password is not right.");
  const proof = { secret: typed(ctx, "secret"), code: typed(ctx, "code") };
  return codesPage(await setSecondFactor({ ...host, by }, person, proof));
}

function check(outcome: PasswordOutcome, fault: string): void {
  if (outcome.person === undefined) {
    throw refusal("People", outcome.waitMs > 0 ? waitText(outcome.waitMs) : fault);
  }
}

const codesPage = (codes: readonly string[]): Page => ({
  title: "Your recovery codes",
  body: html`<p>Each signs you in once in place of a code of the app. Print them, or write them down, and keep them where your telephone is not: they are shown this once.</p>
<ul>
${codes.map(
  (code) => html`<li><code>${inGroups(code)}</code></li>
`,
)}</ul>
<p>${link(accountPath, "I have kept them")}</p>`,
});

async function change(ctx: AccountContext): Promise<PageResponse> {
  const { host, request, session, by } = ctx;
  const { person } = session;
  const attempt = { person, code: typed(ctx, "code"), origin: request.from(host.trusts) };
  const fault = "The code is not right, or has been used.";
  check(await confirmCode(host.directory, host.clock, attempt), fault);
  const people = { ...host, by };
  if (typed(ctx, "act") === "codes") return codesPage(await renewRecoveryCodes(people, person));
  await endSecondFactor(people, person.id);
  return redirectTo("", "second-factor-off");
}

export const secondFactorRoutes = (
  account: Route<AccountContext>["show"],
): readonly Route<AccountContext>[] => [
  { path, show: showSetUp, act: setUp },
  { path: `${path}/change`, show: account, act: change },
];
