/** Checks of a remote service: whether it answers, and the state of the sign-in. */

import { connect, type HttpConnection, readBaseUrl } from "../../client/transport/http.ts";
import { version } from "../../platform/version.ts";
import { AuthError } from "../../resources/errors.ts";
import { readId } from "../../resources/scalar.ts";
import { textOf } from "../../wire/body.ts";
import { decodeError } from "../../wire/decode/failure.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { timezoneOf } from "../connection/load-letterhead.ts";
import { notSignedIn, openSession, signedOut, signInsOf } from "../connection/open-session.ts";
import { tenantNamed } from "../connection/tenant.ts";
import { verboseTransport } from "../connection/verbose.ts";
import type { Context } from "../context/context.ts";
import type { Target } from "../context/target.ts";
import { momentText } from "../plan/plan-text.ts";
import { keptIn } from "../sign-in/sign-in-status.ts";
import { type Finding, looked, ok, warning, wrong } from "./finding.ts";

type Remote = Target & { readonly kind: "remote" };

/** Time limit of the doctor's requests, in milliseconds. */
const answerTimeoutMs = 15_000;

export async function serviceFindings(ctx: Context, place: Remote): Promise<Finding[]> {
  let connection: HttpConnection;
  try {
    connection = await connect({
      baseUrl: place.baseUrl,
      userAgent: `acct/${version}`,
      answerTimeoutMs,
      connectTimeoutMs: answerTimeoutMs,
      signal: ctx.interrupted,
    });
  } catch (error) {
    return [wrong("service", error)];
  }
  try {
    const finding = await looked("sign-in", () => signInFinding(ctx, place));
    const get = getter(await verboseTransport(ctx, connection.handle));
    const reached = await looked(
      "service",
      async () => {
        await get("/Organisation", {});
        return ok("service", `${new URL(place.baseUrl).origin} answers`);
      },
      "See whether it runs, and whether the address is right.",
    );
    const findings = [reached, ...plainText(place), finding];
    if (reached.state === "wrong" || finding.state === "wrong") return findings;
    return [...findings, ...(await permissions(ctx, place, get))];
  } finally {
    await connection.close();
  }
}

type Get = (path: string, headers: Readonly<Record<string, string>>) => Promise<ServiceResponse>;

function getter(handle: HttpConnection["handle"]): Get {
  return (path, headers) =>
    handle({
      method: "GET",
      path,
      query: [],
      headers: { accept: "application/json", ...headers },
    });
}

/**
 * Checks the sign-in stored on this machine.
 *
 * @throws AuthError
 */
async function signInFinding(ctx: Context, place: Remote): Promise<Finding> {
  const what = "sign-in";
  const { token, signIn, profile, isSignedOut } = place;
  if (token !== undefined) return ok(what, "the token is that of ACCT_TOKEN");
  if (signIn === undefined) {
    if (isSignedOut === true) throw notSignedIn(profile);
    return warning(what, "There is none.", "Sign in with acct auth login, or give ACCT_TOKEN.");
  }
  const signIns = signInsOf(ctx.env);
  const about = signIns.about(signIn);
  if (about === undefined) throw notSignedIn(profile);
  if (about.endedAt !== undefined) throw signedOut(profile);
  const until = momentText(about.expiresAt, await timezoneOf(ctx));
  const isOver = about.expiresAt <= ctx.clock();
  const text = [
    `${about.person ?? "the app itself"}, app ${about.clientId}`,
    isOver ? `access token expired ${until}, to be renewed` : `access token until ${until}`,
    `kept in ${keptIn(signIns, about)}`,
    `scopes ${about.scopes.join(" ")}`,
  ].join("; ");
  if (about.kept === "file" && signIns.isOpenToOthers(signIn)) {
    return warning(what, text, "acct auth status makes its file readable by you alone.");
  }
  if (about.failed === undefined) return ok(what, text);
  return warning(what, `${text}; the last renewal failed: ${about.failed.message}`);
}

/**
 * Checks whether the service accepts the sign-in, for which organisation and with which
 * permissions.
 */
async function permissions(ctx: Context, place: Remote, get: Get): Promise<Finding[]> {
  const findings: Finding[] = [];
  const what = "organisation";
  try {
    const headers = await headersOf(ctx, place);
    const answer = await get("/Organisation", headers);
    const text = await textOf(answer.body);
    if (answer.status !== 200) throw await decodeError(answer.status, answer.headers, text);
    const { Organisations = [] } = JSON.parse(text) as { Organisations?: { Name?: string }[] };
    const names = Organisations.flatMap(({ Name }) => Name ?? []).join(", ");
    findings.push(ok(what, `${names || "one without a name"}; the service takes what is sent`));
    findings.push(...callsLeft(answer.headers));
    const actions = await get("/Organisation/Actions", headers);
    if (actions.status === 200) findings.push(...actionsIn(await textOf(actions.body)));
  } catch (error) {
    const again =
      place.token === undefined ? "Sign in: acct auth login." : "Give another ACCT_TOKEN.";
    const isSaid = /\bacct auth login\b/.test((error as Error).message);
    const remedy = error instanceof AuthError && !isSaid ? again : undefined;
    const shown =
      error instanceof SyntaxError
        ? new TypeError(`What ${place.baseUrl} answers is no accounting service's JSON.`)
        : error;
    findings.push(wrong(what, shown, remedy));
  }
  return findings;
}

async function headersOf(ctx: Context, place: Remote): Promise<Record<string, string>> {
  const { token: given, tenant, signIn } = place;
  const token =
    given ?? (signIn === undefined ? undefined : await openSession(ctx, place).accessToken());
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  if (tenant === undefined) return headers;
  const id = readId(tenant) ?? (await tenantNamed(ctx, place, tenant, async () => token));
  return { ...headers, "xero-tenant-id": id };
}

function callsLeft(headers: Readonly<Record<string, string>>): Finding[] {
  const left = [
    ["minute", headers["x-minlimit-remaining"]],
    ["day", headers["x-daylimit-remaining"]],
  ].filter((each): each is [string, string] => /^-?\d+$/.test(each[1] ?? ""));
  if (left.length === 0) return [];
  const text = left.map(([time, calls]) => `${calls} this ${time}`).join(", ");
  if (left.every(([, calls]) => Number(calls) > 0)) return [ok("calls left", text)];
  return [warning("calls left", `${text}: commands wait.`)];
}

function actionsIn(text: string): Finding[] {
  const { Actions = [] } = JSON.parse(text) as { Actions?: { Name?: string; Status?: string }[] };
  if (Actions.length === 0) return [];
  const refused = Actions.filter(({ Status }) => Status !== "ALLOWED").map(({ Name }) => Name);
  const allowed = `${Actions.length - refused.length} of ${Actions.length} actions are allowed`;
  const all = refused.length === 0 ? allowed : `${allowed}; not ${refused.join(", ")}`;
  return [ok("permitted", all)];
}

function plainText({ baseUrl, token, signIn }: Remote): Finding[] {
  const { protocol, hostname } = readBaseUrl(baseUrl);
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol === "https:" || isLocal || (token ?? signIn) === undefined) return [];
  return [warning("encryption", `The token goes to ${hostname} unencrypted.`, "Use https.")];
}
