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
import { type Finding, ok, problem, runCheck, warning } from "./finding.ts";

type Remote = Target & { readonly kind: "remote" };

/** Time limit of the doctor's requests, in milliseconds. */
const answerTimeoutMs = 15_000;

export async function serviceFindings(ctx: Context, target: Remote): Promise<Finding[]> {
  let connection: HttpConnection;
  try {
    connection = await connect({
      baseUrl: target.baseUrl,
      userAgent: `acct/${version}`,
      answerTimeoutMs,
      connectTimeoutMs: answerTimeoutMs,
      signal: ctx.interrupted,
    });
  } catch (error) {
    return [problem("service", error)];
  }
  try {
    const finding = await runCheck("sign-in", () => signInFinding(ctx, target));
    const get = getWith(await verboseTransport(ctx, connection.transport));
    const reached = await runCheck(
      "service",
      async () => {
        await get("/Organisation", {});
        return ok("service", `${new URL(target.baseUrl).origin} answers`);
      },
      "See whether it runs, and whether the address is right.",
    );
    const findings = [reached, ...plainText(target), finding];
    if (reached.state === "wrong" || finding.state === "wrong") return findings;
    return [...findings, ...(await checkPermissions(ctx, target, get))];
  } finally {
    await connection.close();
  }
}

type Get = (path: string, headers: Readonly<Record<string, string>>) => Promise<ServiceResponse>;

function getWith(transport: HttpConnection["transport"]): Get {
  return (path, headers) =>
    transport({
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
async function signInFinding(ctx: Context, target: Remote): Promise<Finding> {
  const subject = "sign-in";
  const { token, signIn, profile, isSignedOut } = target;
  if (token !== undefined) return ok(subject, "the token is that of ACCT_TOKEN");
  if (signIn === undefined) {
    if (isSignedOut === true) throw notSignedIn(profile);
    return warning(subject, "There is none.", "Sign in with acct auth login, or give ACCT_TOKEN.");
  }
  const signIns = signInsOf(ctx.env);
  const signInFacts = signIns.about(signIn);
  if (signInFacts === undefined) throw notSignedIn(profile);
  if (signInFacts.endedAt !== undefined) throw signedOut(profile);
  const untilText = momentText(signInFacts.expiresAt, await timezoneOf(ctx));
  const isOver = signInFacts.expiresAt <= ctx.clock();
  const text = [
    `${signInFacts.person ?? "the app itself"}, app ${signInFacts.clientId}`,
    isOver ? `access token expired ${untilText}, to be renewed` : `access token until ${untilText}`,
    `kept in ${keptIn(signIns, signInFacts)}`,
    `scopes ${signInFacts.scopes.join(" ")}`,
  ].join("; ");
  if (signInFacts.kept === "file" && signIns.isOpenToOthers(signIn)) {
    return warning(subject, text, "acct auth status makes its file readable by you alone.");
  }
  if (signInFacts.failed === undefined) return ok(subject, text);
  return warning(subject, `${text}; the last renewal failed: ${signInFacts.failed.message}`);
}

/**
 * Checks whether the service accepts the sign-in, for which organisation and with which
 * permissions.
 */
async function checkPermissions(ctx: Context, target: Remote, get: Get): Promise<Finding[]> {
  const findings: Finding[] = [];
  const subject = "organisation";
  try {
    const headers = await headersOf(ctx, target);
    const answer = await get("/Organisation", headers);
    const text = await textOf(answer.body);
    if (answer.status !== 200) throw await decodeError(answer.status, answer.headers, text);
    const { Organisations = [] } = JSON.parse(text) as { Organisations?: { Name?: string }[] };
    const names = Organisations.flatMap(({ Name }) => Name ?? []).join(", ");
    findings.push(ok(subject, `${names || "one without a name"}; the service takes what is sent`));
    findings.push(...callsLeft(answer.headers));
    const actions = await get("/Organisation/Actions", headers);
    if (actions.status === 200) findings.push(...actionsIn(await textOf(actions.body)));
  } catch (error) {
    const again =
      target.token === undefined ? "Sign in: acct auth login." : "Give another ACCT_TOKEN.";
    const isSaid = /\bacct auth login\b/.test((error as Error).message);
    const remedy = error instanceof AuthError && !isSaid ? again : undefined;
    const shownError =
      error instanceof SyntaxError
        ? new TypeError(`What ${target.baseUrl} answers is no accounting service's JSON.`)
        : error;
    findings.push(problem(subject, shownError, remedy));
  }
  return findings;
}

async function headersOf(ctx: Context, target: Remote): Promise<Record<string, string>> {
  const { token: given, tenant, signIn } = target;
  const token =
    given ?? (signIn === undefined ? undefined : await openSession(ctx, target).accessToken());
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  if (tenant === undefined) return headers;
  const id = readId(tenant) ?? (await tenantNamed(ctx, target, tenant, async () => token));
  return { ...headers, "xero-tenant-id": id };
}

function callsLeft(headers: Readonly<Record<string, string>>): Finding[] {
  const limitsLeft = [
    ["minute", headers["x-minlimit-remaining"]],
    ["day", headers["x-daylimit-remaining"]],
  ].filter((limit): limit is [string, string] => /^-?\d+$/.test(limit[1] ?? ""));
  if (limitsLeft.length === 0) return [];
  const text = limitsLeft.map(([time, calls]) => `${calls} this ${time}`).join(", ");
  if (limitsLeft.every(([, calls]) => Number(calls) > 0)) return [ok("calls left", text)];
  return [warning("calls left", `${text}: commands wait.`)];
}

function actionsIn(text: string): Finding[] {
  const { Actions = [] } = JSON.parse(text) as { Actions?: { Name?: string; Status?: string }[] };
  if (Actions.length === 0) return [];
  const refused = Actions.filter(({ Status }) => Status !== "ALLOWED").map(({ Name }) => Name);
  const allowed = `${Actions.length - refused.length} of ${Actions.length} actions are allowed`;
  const allActions = refused.length === 0 ? allowed : `${allowed}; not ${refused.join(", ")}`;
  return [ok("permitted", allActions)];
}

function plainText({ baseUrl, token, signIn }: Remote): Finding[] {
  const { protocol, hostname } = readBaseUrl(baseUrl);
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol === "https:" || isLocal || (token ?? signIn) === undefined) return [];
  return [warning("encryption", `The token goes to ${hostname} unencrypted.`, "Use https.")];
}
