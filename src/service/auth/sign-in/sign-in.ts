/** The sign-in pages: sign-in, consent, refusal, and switching to another person. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { errors, type Interaction, type InteractionResults } from "oidc-provider";
import { appWithId } from "../../../store/directory/apps.ts";
import {
  addConsent,
  type Connection,
  connect,
  connectionsOf,
  disconnect,
  forgetConsents,
} from "../../../store/directory/connections.ts";
import {
  type Directory,
  type DirectoryTx,
  recordOnServer,
} from "../../../store/directory/directory.ts";
import { membershipsOf, personWithId } from "../../../store/directory/people.ts";
import type { Act } from "../../../store/operations/audit-log.ts";
import { type Message, messagePage } from "../../../web/frame/message.ts";
import { consentPage, expiredPage, signInPage } from "../../../web/sign-in/sign-in-pages.ts";
import { browserActor } from "../../audit/actors.ts";
import type { RequestOrigin } from "../../http/browser.ts";
import { apiScopes, scopeDescription } from "../../request/scopes.ts";
import { authorisePath, signInPath } from "../paths.ts";
import { lacksSecondFactor, type SecondFactorRule } from "../second-factor.ts";
import type { AuthorisationServer } from "./provider.ts";
import { type FormShown, signInByForm } from "./sign-in-by-form.ts";

/** Returns names by OrganisationID; organisations that this server does not hold are left out. */
export type NamesOf = (tenants: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export interface SignInOptions {
  readonly directory: Directory;
  readonly clock: () => number;
  readonly namesOf: NamesOf;
  readonly server: AuthorisationServer;
  /** Who must have a second factor; nobody if undefined. */
  readonly secondFactor: SecondFactorRule | undefined;
  /** Base URL of this server. */
  readonly issuer: string;
}

interface PageContext extends SignInOptions {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly interaction: Interaction;
  readonly origin: RequestOrigin;
}

const formBytesMax = 64 * 1024;
/** How long a consent outlives its last refresh token; access tokens expire sooner. */
const consentLeftMs = 24 * 3_600_000;
/** Maximum number of organisations chosen on one consent page. */
const tenantsMax = 1000;

/** Answers GET and POST for one sign-in interaction. */
export async function answerSignIn(
  options: SignInOptions,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  origin: RequestOrigin,
): Promise<void> {
  const { provider } = options.server;
  let interaction: Interaction;
  try {
    interaction = await provider.interactionDetails(incoming, outgoing);
    const uid = new URL(incoming.url ?? "", options.issuer).pathname.slice(signInPath.length + 1);
    if (uid !== interaction.uid) throw new errors.SessionNotFound("another attempt");
  } catch (error) {
    if (!(error instanceof errors.SessionNotFound)) throw error;
    return show(outgoing, 400, expiredPage());
  }
  const visit: PageContext = { ...options, incoming, outgoing, interaction, origin };
  const isSignIn = interaction.prompt.name === "login";
  if (incoming.method === "GET" || incoming.method === "HEAD") {
    return isSignIn ? showSignIn(visit, {}) : showConsent(visit);
  }
  if (incoming.method !== "POST") {
    outgoing.setHeader("allow", "GET, HEAD, POST");
    return show(outgoing, 405, expiredPage());
  }
  const form = await formOf(incoming);
  if (form === undefined || !hasProof(visit, form)) return show(outgoing, 400, expiredPage());
  return isSignIn ? trySignIn(visit, form) : decide(visit, form);
}

// --- signing in ------------------------------------------------------------------------------

async function showSignIn(
  visit: PageContext,
  shown: Partial<FormShown>,
  status = 200,
): Promise<void> {
  const { login_hint } = visit.interaction.params;
  const email = shown.email ?? (typeof login_hint === "string" ? login_hint : "");
  const page = signInPage({ ...shown, app: await appName(visit), proof: proofOf(visit), email });
  return show(visit.outgoing, status, page, redirectUri(visit));
}

async function trySignIn(visit: PageContext, form: URLSearchParams): Promise<void> {
  const { clock, interaction, origin, directory, secondFactor, issuer } = visit;
  const outcome = await signInByForm({ ...visit, origin: () => visit.issuer }, form, origin);
  if (outcome.person === undefined) {
    for (const [name, value] of Object.entries(outcome.headers)) {
      visit.outgoing.setHeader(name, value);
    }
    return showSignIn(visit, outcome.formShown, outcome.status);
  }
  const { person } = outcome;
  if (await lacksSecondFactor(directory, secondFactor, person)) {
    const fault = `This server asks for a second factor: set one up at ${issuer}/me, then sign in here.`;
    return showSignIn(visit, { email: person.email, fault }, 403);
  }
  for (const cookie of outcome.cookies) visit.outgoing.appendHeader("set-cookie", cookie);
  const signedIn = interaction.session?.accountId;
  if (signedIn !== undefined && signedIn !== person.id) await leaveSession(visit);
  const ts = Math.floor(clock() / 1000);
  const login = { accountId: person.id, remember: false, ts, amr: ["pwd"] };
  return finish(visit, { login }, false);
}

/** Continues the interaction without the browser's session. */
async function leaveSession({
  server,
  incoming,
  outgoing,
  interaction,
}: PageContext): Promise<void> {
  const { provider } = server;
  const ctx = provider.createContext(incoming, outgoing);
  const session = await provider.Session.get(ctx as never);
  await session.destroy();
  interaction.session = undefined;
  await interaction.persist();
}

// --- consent ---------------------------------------------------------------------------------

async function showConsent(visit: PageContext, fault?: string): Promise<void> {
  const { outgoing } = visit;
  const scopes = scopesOf(visit);
  const allowed = await allowedOf(visit);
  if (allowed === undefined) return show(outgoing, 400, expiredPage());
  const { person, organisations, connectedTenants } = allowed;
  const wantedScopes = scopes.filter((scope) => apiScopes.includes(scope));
  const abilityTexts = new Set(wantedScopes.flatMap((scope) => scopeDescription(scope) ?? []));
  const page = {
    app: await appName(visit),
    proof: proofOf(visit),
    person,
    organisations: organisations.map(([tenant, name]) => ({
      tenant,
      name,
      // After a submission without a choice, no box is ticked.
      isChosen: fault === undefined && (organisations.length === 1 || connectedTenants.has(tenant)),
    })),
    abilities: [...abilityTexts],
    stays: scopes.includes("offline_access"),
    wantsBooks: wantedScopes.length > 0,
    fault,
  };
  return show(outgoing, fault === undefined ? 200 : 400, consentPage(page), redirectUri(visit));
}

async function decide(visit: PageContext, form: URLSearchParams): Promise<void> {
  switch (form.get("choice")) {
    case "allow":
      return allow(visit, form.getAll("tenant"));
    case "switch":
      return signInAsOther(visit);
    default:
      return finish(visit, {
        error: "access_denied",
        error_description: "the person did not allow it",
      });
  }
}

/**
 * The choice on the page replaces the earlier one: an unticked organisation is disconnected.
 * Organisations that the page did not offer, such as one that the person has left, stay connected.
 */
async function allow(visit: PageContext, tenants: readonly string[]): Promise<void> {
  const { server, directory, clock, interaction } = visit;
  const allowed = await allowedOf(visit);
  if (allowed === undefined) return show(visit.outgoing, 400, expiredPage());
  const { person, organisations } = allowed;
  const names = new Map(organisations);
  const ticked = new Set(tenants.filter((tenant) => names.has(tenant)));
  const scopes = scopesOf(visit);
  const wanted = scopes.filter((scope) => apiScopes.includes(scope));
  if (wanted.length > 0 && ticked.size === 0) {
    return showConsent(visit, "Choose at least one organisation.");
  }
  const { randomUUID } = process.getBuiltinModule("node:crypto");
  const event = randomUUID();
  const pairing = { appId: String(interaction.params.client_id), personId: person.id };
  const now = clock();
  await directory.write(async (tx) => {
    await forgetConsents(tx, now - consentLeftMs);
    const before = await connectionsOf(tx, pairing);
    const auditAct = await consentAct(tx, visit, { person, names, ticked, before, scopes: wanted });
    const audited = await recordOnServer(tx, auditAct);
    await addConsent(audited, { ...pairing, id: event, scopes: wanted }, now);
    if (wanted.length === 0) return; // The page offered no organisations.
    for (const tenant of [...ticked].slice(0, tenantsMax)) {
      const connection = { ...pairing, tenant, authEventId: event, createdAt: now, updatedAt: now };
      await connect(audited, { ...connection, id: randomUUID() });
    }
    for (const { id, tenant } of await connectionsOf(tx, pairing)) {
      if (names.has(tenant) && !ticked.has(tenant)) await disconnect(audited, pairing, id);
    }
  });
  const grant = new server.provider.Grant({
    jti: event,
    accountId: person.id,
    clientId: pairing.appId,
  } as never);
  const identity = scopes.filter((scope) => !apiScopes.includes(scope));
  if (identity.length > 0) grant.addOIDCScope(identity.join(" "));
  for (const audience of server.audiences) grant.addResourceScope(audience, scopes.join(" "));
  await grant.save();
  return finish(visit, { consent: { grantId: event } });
}

interface Choice {
  readonly person: AllowedConsent["person"];
  /** Names of the organisations that the page offered. */
  readonly names: ReadonlyMap<string, string>;
  readonly ticked: ReadonlySet<string>;
  readonly before: readonly Connection[];
  readonly scopes: readonly string[];
}

async function consentAct(
  tx: DirectoryTx,
  { clock, interaction, origin }: PageContext,
  { person, names, ticked, before, scopes }: Choice,
): Promise<Act<"SERVER">> {
  const appId = String(interaction.params.client_id);
  const connected = before.map(({ tenant }) => tenant);
  const namesOf = (tenants: Iterable<string>) =>
    [...tenants].flatMap((tenant) => names.get(tenant) ?? []).join(", ") || undefined;
  return {
    kind: "consent.given",
    by: browserActor(person, origin),
    at: clock(),
    subject: (await appWithId(tx, appId))?.name,
    subjectId: appId,
    tenants: [...new Set([...connected, ...ticked])],
    changes: [
      { name: "Scopes", after: scopes.join(" ") || undefined },
      ...(scopes.length === 0
        ? []
        : [{ name: "Organisations", before: namesOf(connected), after: namesOf(ticked) }]),
    ],
  };
}

/** Restarts the interaction with the same request and nobody signed in. */
async function signInAsOther(visit: PageContext): Promise<void> {
  const { interaction, outgoing, issuer } = visit;
  await leaveSession(visit);
  await interaction.destroy();
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(interaction.params)) {
    if (typeof value === "string" && name !== "login_hint") query.set(name, value);
  }
  outgoing.writeHead(303, { location: `${issuer}${authorisePath}?${query}` }).end();
}

interface AllowedConsent {
  readonly person: { readonly id: string; readonly name: string; readonly email: string };
  /** OrganisationID and name of each organisation, sorted by name. */
  readonly organisations: readonly (readonly [tenant: string, name: string])[];
  /** OrganisationIDs to which the app is already connected. */
  readonly connectedTenants: ReadonlySet<string>;
}

/** Returns the organisations that the signed-in person may allow; undefined if removed. */
async function allowedOf(visit: PageContext): Promise<AllowedConsent | undefined> {
  const { directory, interaction, namesOf } = visit;
  const personId = interaction.session?.accountId ?? "";
  const appId = String(interaction.params.client_id);
  const access = await directory.read(async (tx) => ({
    person: await personWithId(tx, personId),
    memberships: await membershipsOf(tx, personId),
    connections: await connectionsOf(tx, { appId, personId }),
  }));
  if (access.person === undefined) return undefined;
  const nameByTenant = await namesOf(access.memberships.map(({ tenant }) => tenant));
  return {
    person: access.person,
    organisations: [...nameByTenant].sort(([, a], [, b]) => a.localeCompare(b)),
    connectedTenants: new Set(access.connections.map(({ tenant }) => tenant)),
  };
}

function scopesOf({ interaction }: PageContext): string[] {
  return String(interaction.params.scope ?? "")
    .split(" ")
    .filter((scope) => scope !== "");
}

// --- forms and pages -------------------------------------------------------------------------

async function finish(
  visit: PageContext,
  result: InteractionResults,
  isMerging = true,
): Promise<void> {
  const { server, incoming, outgoing } = visit;
  await server.provider.interactionFinished(incoming, outgoing, result, {
    mergeWithLastSubmission: isMerging,
  });
}

function show(outgoing: ServerResponse, status: number, message: Message, sendsTo?: string): void {
  const page = messagePage(status, message, { sendsTo });
  const body = Buffer.from(page.body as string);
  const headers = { ...page.headers, "content-length": String(body.length) };
  outgoing.writeHead(status, headers).end(outgoing.req.method === "HEAD" ? undefined : body);
}

/** Returns the redirect URI of the app for `form-action`, as far as a policy can name it. */
function redirectUri({ interaction }: PageContext): string {
  const { redirect_uri } = interaction.params;
  if (typeof redirect_uri !== "string" || !URL.canParse(redirect_uri)) return "";
  const { protocol, origin } = new URL(redirect_uri);
  return /^https?:$/.test(protocol) ? origin : protocol;
}

async function appName({ directory, interaction }: PageContext): Promise<string> {
  const app = await directory.read((tx) => appWithId(tx, String(interaction.params.client_id)));
  return app?.name ?? "an app";
}

/** Returns the CSRF token of a form for this interaction. */
function proofOf({ server, interaction }: PageContext): string {
  return process
    .getBuiltinModule("node:crypto")
    .createHmac("sha256", server.formKey)
    .update(`form ${interaction.uid}`)
    .digest("base64url");
}

/** Whether a form came from our own page, in the browser to which it was shown. */
function hasProof(visit: PageContext, form: URLSearchParams): boolean {
  const { origin } = visit.incoming.headers;
  if (origin !== undefined && origin !== visit.issuer) return false;
  const { timingSafeEqual } = process.getBuiltinModule("node:crypto");
  const expectedProof = Buffer.from(proofOf(visit));
  const proof = Buffer.from(form.get("proof") ?? "");
  return proof.length === expectedProof.length && timingSafeEqual(proof, expectedProof);
}

/** Parses a form body. @returns undefined for another content type, or a body that is too large */
async function formOf(incoming: IncomingMessage): Promise<URLSearchParams | undefined> {
  const type = incoming.headers["content-type"] ?? "";
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return undefined;
  const bodyPieces: Buffer[] = [];
  let bytes = 0;
  for await (const bodyPiece of incoming.iterator({ destroyOnReturn: false })) {
    bytes += bodyPiece.length;
    if (bytes > formBytesMax) return undefined;
    bodyPieces.push(bodyPiece);
  }
  return new URLSearchParams(Buffer.concat(bodyPieces).toString());
}
