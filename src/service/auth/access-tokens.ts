/**
 * Access tokens: JWTs that this server signs and verifies without a request to another server.
 *
 * @source RFC 9068, and spec of the API, section "Token contents"
 */
import type { KeyObject } from "node:crypto";
import type { OrganisationRole } from "../../resources/user.ts";
import type { Directory } from "../../store/directory/directory.ts";
import {
  keyObject,
  keysReadMs,
  publicKeyObject,
  type SigningKey,
  signingKeys,
  validSigningKeys,
} from "./signing-keys.ts";

const crypto = () => process.getBuiltinModule("node:crypto");

/** Issuer of tokens that are made from a book's own file, wherever the book is served. */
export const bookIssuer = "acct";

/** Returns the audience of a server's access tokens. @param issuer  the base URL of the server */
export function audienceOf(issuer: string): string {
  return `${issuer}/resources`;
}

/** Returns the audience of tokens that are good for the tools of agents alone. @source RFC 8707 */
export const agentAudienceOf = (issuer: string): string => `${issuer}/mcp`;

/** Returns the audiences for which a server gives tokens. */
export const audiencesOf = (issuer: string): readonly string[] => [
  audienceOf(issuer),
  agentAudienceOf(issuer),
];

/** The person on whose behalf an app works on a local book. */
export interface User {
  readonly user: string;
  readonly email: string;
  readonly role: OrganisationRole;
  /** False for a standard user without permission to see reports. */
  readonly reports: boolean;
}

/** Claims of an access token; moments in seconds since 1970 UTC. */
export interface AccessClaims {
  readonly iss: string;
  /** `<issuer>/resources`, or `<issuer>/mcp` of a token for the tools of agents alone. */
  readonly aud: string;
  readonly client_id: string;
  readonly iat: number;
  readonly nbf: number;
  readonly exp: number;
  readonly jti: string;
  readonly scope: readonly string[];
  /** GUID of the person; absent from tokens of machine apps and of owners. */
  readonly sub?: string;
  /** Id of the consent under which the token was issued. */
  readonly authentication_event_id?: string;
  /** The organisation and its user; set only in tokens made from the book's own file. */
  readonly owner?: User & { readonly tenant: string };
}

const typ = "at+jwt";
/** Minimum time between two reloads of the keys, which a token with an unknown key triggers. */
const keysAgainMs = 2_000;
const tokenCharactersMax = 16_384;

/** Signs claims with the newest key of the directory. */
export async function signClaims(
  directory: Directory,
  clock: () => number,
  claims: AccessClaims,
): Promise<string> {
  const [key] = await signingKeys(directory, clock);
  return signedWith(key, typ, claims);
}

/** Makes a JWT. @param type  the `typ` of its header */
export function signedWith(key: SigningKey, type: string, claims: object): string {
  const text = `${toJson({ alg: "RS256", typ: type, kid: key.kid })}.${toJson(claims)}`;
  const signature = crypto().sign("sha256", Buffer.from(text), keyObject(key));
  return `${text}.${signature.toString("base64url")}`;
}

/**
 * @returns the claims of a token, expired or not; undefined when this server never signed it, or
 *   signed it under another issuer or for another audience
 */
export type Verify = (token: string) => Promise<AccessClaims | undefined>;

/**
 * Makes the function that verifies the access tokens of a server.
 *
 * @param clock   milliseconds since 1970 UTC
 * @param issuer  the name of the server: a copy of its books, served elsewhere, has the same keys
 */
export function verifierOf(
  directory: Directory,
  clock: () => number,
  issuer: () => string,
): Verify {
  let keyById: ReadonlyMap<string, KeyObject> = new Map();
  let readAt = Number.NEGATIVE_INFINITY;
  let readingKeys: Promise<void> | undefined;
  const read = async () => {
    const counting = await validSigningKeys(directory, clock);
    keyById = new Map(counting.map((key) => [key.kid, publicKeyObject(key)]));
  };
  const keyNamed = async (kid: string) => {
    const key = keyById.get(kid);
    const now = clock();
    const ageMs = Math.abs(now - readAt);
    if (key !== undefined && ageMs < keysReadMs) return key;
    if (ageMs >= keysAgainMs) {
      readAt = now;
      readingKeys = read();
    }
    try {
      // Requests that arrive during a reload of the keys wait for that reload.
      await readingKeys;
    } catch (error) {
      readAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
    return keyById.get(kid);
  };
  return async (token) => {
    if (token.length > tokenCharactersMax) return undefined;
    const [head = "", claims = "", signature, ...more] = token.split(".");
    if (signature === undefined || more.length > 0) return undefined;
    const header = parseBase64Json(head);
    // An id token is signed with the same key, but grants no access.
    if (header?.alg !== "RS256" || header.typ !== typ) return undefined;
    const key = await keyNamed(String(header.kid));
    if (key === undefined) return undefined;
    const text = Buffer.from(`${head}.${claims}`);
    if (!crypto().verify("sha256", text, key, Buffer.from(signature, "base64url")))
      return undefined;
    const accessClaims = parseBase64Json(claims) as unknown as AccessClaims | undefined;
    return accessClaims !== undefined && isOf(accessClaims, issuer()) ? accessClaims : undefined;
  };
}

/** Whether issuer and audience are those of this server. @source RFC 9068, section 4 */
function isOf({ iss, aud, owner }: AccessClaims, server: string): boolean {
  const issuer = owner === undefined ? server : bookIssuer;
  return iss === issuer && audiencesOf(issuer).includes(aud);
}

function toJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function parseBase64Json(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(Buffer.from(text, "base64url").toString());
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
