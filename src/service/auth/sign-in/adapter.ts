/**
 * Storage adapter of the authorisation server (oidc-provider), over the directory.
 *
 * Codes, refresh tokens and sessions are stored under a hash of their id, without the id: a reader
 * of the directory can use none. Lifetimes go by the clock of the service; since the authorisation
 * server reads the system clock, expiry times are converted to it when read.
 */
import { type Adapter, type AdapterPayload, errors } from "oidc-provider";
import { type App, appWithId, proofOf, secretHashOf } from "../../../store/directory/apps.ts";
import {
  type Artefact,
  artefactWith,
  consumeArtefact,
  forgetArtefacts,
  keepArtefact,
  removeArtefact,
} from "../../../store/directory/artefacts.ts";
import {
  connectionsOf,
  consentWithId,
  forgetGrant,
  removeConsent,
} from "../../../store/directory/connections.ts";
import {
  type Directory,
  type DirectoryTx,
  recordOnServer,
} from "../../../store/directory/directory.ts";
import { personWithId } from "../../../store/directory/people.ts";
import type { RequestOrigin } from "../../http/browser.ts";
import { hashOf } from "../secrets.ts";

/**
 * How long a used refresh token may be used again, in case its response was lost.
 *
 * The first use of a refresh token R returns a successor. Within 30 minutes of that first use R may
 * be sent again, any number of times: each use returns a new valid pair of tokens. After that, R is
 * refused with `invalid_grant`, and the whole token family (every token issued since the consent,
 * access tokens too) is revoked at once, since either the rightful bearer or a thief has a
 * successor. Unknown and expired tokens are refused without a revocation.
 *
 * @source spec of the API, section "Token endpoint"; RFC 9700, section 4.14.2
 */
const refreshGraceMs = 30 * 60_000;

/** Placeholder for the id in stored payloads; the caller's request supplies the id. */
const idMark = "\u0000id\u0000";

/**
 * @param clock   milliseconds since 1970 UTC
 * @param origin  of the request that is answered
 */
export function adapterFor(
  directory: Directory,
  clock: () => number,
  origin: () => RequestOrigin,
): (kind: string) => Adapter {
  return (kind) =>
    kind === "Client" ? clientsIn(directory) : new DirectoryAdapter(kind, directory, clock, origin);
}

/** Read-only adapter of clients: `apps.ts` changes apps. */
function clientsIn(directory: Directory): Adapter {
  const never = () => Promise.reject(new Error("Apps are not changed by signing in."));
  return {
    find: (id) =>
      directory.read(async (tx) => {
        const app = await appWithId(tx, id);
        return app && clientOf(app, await secretHashOf(tx, id));
      }),
    upsert: never,
    findByUserCode: never,
    findByUid: never,
    consume: never,
    destroy: never,
    revokeByGrantId: never,
  };
}

class DirectoryAdapter implements Adapter {
  readonly #kind: string;
  readonly #directory: Directory;
  readonly #clock: () => number;

  readonly #origin: () => RequestOrigin;

  constructor(
    kind: string,
    directory: Directory,
    clock: () => number,
    origin: () => RequestOrigin,
  ) {
    this.#kind = kind;
    this.#directory = directory;
    this.#clock = clock;
    this.#origin = origin;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const artefact = {
      kind: this.#kind,
      idHash: hashOf(id),
      grantId: this.#kind === "Grant" ? id : payload.grantId,
      uidHash: payload.uid === undefined ? undefined : hashOf(payload.uid),
      payload: JSON.stringify(withoutSecrets(payload)).replaceAll(id, textOfMark),
      expiresAt: expiresIn ? this.#clock() + expiresIn * 1000 : undefined,
    };
    await this.#directory.write((tx) => keepArtefact(tx, artefact));
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const artefact = await this.#directory.read((tx) =>
      artefactWith(tx, this.#kind, "id_hash", hashOf(id)),
    );
    return this.#given(artefact, id);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const artefact = await this.#directory.read((tx) =>
      artefactWith(tx, this.#kind, "uid_hash", hashOf(uid)),
    );
    return this.#given(artefact, undefined);
  }

  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** Marks a code or token as used. @throws where another request just used the code */
  async consume(id: string): Promise<void> {
    const isFirst = await this.#directory.write(async (tx) => {
      const now = this.#clock();
      await forgetArtefacts(tx, now);
      return consumeArtefact(tx, this.#kind, hashOf(id), now);
    });
    if (isFirst || this.#kind === "RefreshToken") return;
    throw new errors.InvalidGrant("already used");
  }

  destroy(id: string): Promise<void> {
    return this.#directory.write(async (tx) => {
      await removeArtefact(tx, this.#kind, hashOf(id));
      // Destroying a grant removes its tokens too.
      if (this.#kind === "Grant") await this.#takeBack(tx, id);
    });
  }

  revokeByGrantId(grantId: string): Promise<void> {
    return this.#directory.write((tx) => this.#takeBack(tx, grantId));
  }

  /** Removes the tokens of a grant; also after reuse of a token, which two parties then know. */
  async #takeBack(tx: DirectoryTx, grantId: string): Promise<void> {
    const consent = await consentWithId(tx, grantId);
    if (consent === undefined) return forgetGrant(tx, grantId);
    const person = await personWithId(tx, consent.personId);
    const app = await appWithId(tx, consent.appId);
    const connections = await connectionsOf(tx, consent);
    const audited = await recordOnServer(tx, {
      kind: "consent.taken-back",
      by: {
        user: person?.name,
        email: person?.email,
        app: app && { id: app.id, name: app.name },
        through: "API",
        ...this.#origin(),
      },
      at: this.#clock(),
      subject: app?.name,
      subjectId: consent.appId,
      tenants: connections.map(({ tenant }) => tenant),
      changes: [{ name: "Scopes", before: consent.scopes.join(" ") || undefined }],
    });
    await removeConsent(audited, grantId);
  }

  #given(artefact: Artefact | undefined, id: string | undefined): AdapterPayload | undefined {
    if (artefact === undefined) return undefined;
    const now = this.#clock();
    const { expiresAt, consumedAt } = artefact;
    if (expiresAt !== undefined && now >= expiresAt) return undefined;
    const payload: AdapterPayload = JSON.parse(
      id === undefined ? artefact.payload : artefact.payload.replaceAll(textOfMark, id),
    );
    const graceMs = this.#kind === "RefreshToken" ? refreshGraceMs : 0;
    const isUsedUp = consumedAt !== undefined && now >= consumedAt + graceMs;
    const itsNow = Math.floor(Date.now() / 1000);
    return {
      ...payload,
      iat: itsNow,
      ...(expiresAt === undefined ? {} : { exp: itsNow + Math.ceil((expiresAt - now) / 1000) }),
      ...(isUsedUp ? { consumed: Math.floor(consumedAt / 1000) } : {}),
    };
  }
}

const textOfMark = JSON.stringify(idMark).slice(1, -1);

/** Removes the session cookie from the payload of an interaction, which does not need it. */
function withoutSecrets(payload: AdapterPayload): AdapterPayload {
  const { session } = payload;
  if (session === undefined) return payload;
  return { ...payload, session: { ...session, cookie: undefined as unknown as string } };
}

/** Client metadata name: whether the client may omit PKCE. */
export const withoutPkce = "without_pkce";

/** @param secretHash  replaces the secret, which is compared as a hash */
function clientOf(app: App, secretHash: string | undefined): AdapterPayload {
  const proof = proofOf(app);
  const clientFields = {
    client_id: app.id,
    client_name: app.name,
    redirect_uris: [...app.redirectUris],
    // A native app may use any free port of the loopback address.
    application_type: proof === "pkce" ? "native" : "web",
  } as const;
  switch (proof) {
    case "machine":
      return {
        ...clientFields,
        client_secret: secretHash,
        token_endpoint_auth_method: "client_secret_post",
        grant_types: ["client_credentials"],
        response_types: [],
      };
    case "web":
      return {
        ...clientFields,
        client_secret: secretHash,
        token_endpoint_auth_method: "client_secret_post",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        [withoutPkce]: app.withoutPkce,
      };
    case "pkce":
      return {
        ...clientFields,
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
      };
  }
}
