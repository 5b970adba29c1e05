/** Describes a sign-in without its secrets. */
import type { About, Organisation, SecretStorage, SignIns } from "../../client/session/sign-ins.ts";
import { timezoneOf } from "../connection/load-letterhead.ts";
import { signInsOf } from "../connection/open-session.ts";
import type { Context } from "../context/context.ts";
import { momentText } from "../plan/plan-text.ts";

type SignInState = About & { readonly kept: SecretStorage };

interface ProfileInUse {
  readonly name: string;
  readonly isDefault: boolean;
  readonly organisation: Organisation | undefined;
}

/** Describes where the secrets of a sign-in are stored. */
export function keptIn(signIns: SignIns, { id, kept }: Pick<SignInState, "id" | "kept">): string {
  if (kept === "keychain") return "the keychain of the system";
  const readers = signIns.isOpenToOthers(id) ? "others of this machine too" : "you alone";
  return `${signIns.pathOf(id)}, readable by ${readers}`;
}

/** Restricts a sign-in file that other users can read to its owner, with a warning. */
export function closeToOthers(ctx: Context, signIns: SignIns, id: string): void {
  if (!signIns.isOpenToOthers(id)) return;
  const path = signIns.pathOf(id);
  try {
    signIns.closeToOthers(id);
  } catch {
    const remedy = `have its owner run chmod 600 ${path}`;
    ctx.out.say(`Warning: others of this machine can read ${path}; ${remedy}.`);
    return;
  }
  const advice = "if others use this machine, sign out with acct auth logout and in again";
  ctx.out.say(`Warning: others could read ${path}, which is yours alone again; ${advice}.`);
}

/** Returns the state of a sign-in as an object for programs. */
export function statusOf(ctx: Context, signInState: SignInState, profiled: ProfileInUse) {
  const { name, isDefault, organisation } = profiled;
  const now = ctx.clock();
  return {
    state: signInState.endedAt === undefined ? "signed in" : "signed out",
    profile: name,
    default: isDefault,
    organisation: organisation?.name ?? null,
    tenant: organisation?.id ?? null,
    service: signInState.baseUrl,
    issuer: signInState.issuer,
    person: signInState.person ?? null,
    client_id: signInState.clientId,
    grant: signInState.grant,
    scopes: signInState.scopes,
    kept_in: signInState.kept,
    file: signInsOf(ctx.env).pathOf(signInState.id),
    signed_in_at: momentOf(signInState.signedInAt),
    renewed_at: momentOf(signInState.renewedAt),
    access_token_expires_at: momentOf(signInState.expiresAt),
    access_token_expires_in: Math.max(0, Math.floor((signInState.expiresAt - now) / 1000)),
    last_failure: signInState.failed?.message ?? null,
    organisations: signInState.organisations,
  };
}

/** Returns the state of a sign-in as lines for people. */
export async function statusText(
  ctx: Context,
  about: SignInState,
  profiled: ProfileInUse,
): Promise<string> {
  const timezone = await timezoneOf(ctx);
  const { name, isDefault, organisation } = profiled;
  const who = about.person ?? (about.grant === "client_credentials" ? "the app itself" : "unknown");
  const lines: (readonly [string, string | undefined])[] = [
    ["Profile", isDefault ? `${name} (the default)` : name],
    ["Organisation", organisation && `${organisation.name} (${organisation.id})`],
    ["Others", othersOf(about, organisation)],
    ["Service", about.baseUrl],
    ["Signed in as", about.endedAt === undefined ? who : `nobody any more; it was ${who}`],
    ["App", about.clientId],
    ["Access token", expiryOf(about, ctx.clock(), timezone)],
    ["Kept in", keptIn(signInsOf(ctx.env), about)],
    ["Scopes", about.scopes.join(" ")],
    ["Last renewal", about.failed && `failed: ${about.failed.message}`],
  ];
  const shownLines = lines.filter((line): line is [string, string] => line[1] !== undefined);
  const width = Math.max(...shownLines.map(([label]) => label.length));
  return shownLines.map(([label, text]) => `${label.padEnd(width)}  ${text}`).join("\n");
}

/** Maximum count of names in a line. */
const othersMax = 5;

/**
 * Lists the other organisations of a sign-in, and how to use them.
 *
 * @returns undefined where there are none
 */
export function othersOf(
  { organisations }: Pick<About, "organisations">,
  mainOne: Organisation | undefined,
): string | undefined {
  const otherNames = organisations.filter(({ id }) => id !== mainOne?.id).map(({ name }) => name);
  if (otherNames.length === 0) return undefined;
  const moreCount = otherNames.length - othersMax;
  const namesText = otherNames.slice(0, othersMax).join(", ");
  return `${namesText}${moreCount > 0 ? ` and ${moreCount} more` : ""}: name one with --tenant`;
}

function expiryOf(
  { expiresAt, endedAt }: About,
  now: number,
  timezone: string | undefined,
): string {
  const moment = momentText(expiresAt, timezone);
  if (endedAt !== undefined) return "none; the service ended the sign-in";
  const leftS = Math.floor((expiresAt - now) / 1000);
  if (leftS <= 0) return `expired ${moment}; the next command renews it`;
  const timeLeft = leftS < 120 ? `${leftS} s` : `${Math.floor(leftS / 60)} min`;
  return `for another ${timeLeft}, until ${moment}`;
}

function momentOf(momentMs: number): string {
  return new Date(momentMs).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Warns of a service without TLS, whose tokens could be read in transit. */
export function sayPlainText(ctx: Context, baseUrl: string): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === "https:" || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return;
  ctx.out.say(`Warning: the sign-in goes to ${hostname} unencrypted; use an address with https.`);
}
