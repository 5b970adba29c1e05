/**
 * Access tokens: JWTs that this server signs and verifies without asking anybody.
 *
 * @source RFC 9068, and spec of the API, section "Token contents"
 */
import type { KeyObject } from "node:crypto";
import type { OrganisationRole } from "../../resources/user.ts";
import type { Directory } from "../../store/directory/directory.ts";
import { keysFor } from "../../store/directory/keys.ts";
import { keyObject, publicKeyObject, type SigningKey, signingKeys } from "./signing-keys.ts";

const crypto = () => process.getBuiltinModule("node:crypto");

/** How long an access token counts. @source spec of the API, section "Token endpoint" */
export const accessTokenLifeMs = 30 * 60_000;

/** Signs tokens that somebody takes from the books in their own file, wherever these are served. */
export const bookIssuer = "acct";

/** For whom the access tokens of a server are. @param issuer  begins its addresses */
export function audienceOf(issuer: string): string {
  return `${issuer}/resources`;
}

/** In whose name an app works on a book that somebody has on their own machine. */
export interface User {
  readonly user: string;
  readonly email: string;
  readonly role: OrganisationRole;
  /** False for a standard user who may not see reports. */
  readonly reports: boolean;
}

/** Claims of an access token; moments in seconds since 1970 UTC. */
export interface AccessClaims {
  readonly iss: string;
  /** `<issuer>/resources` */
  readonly aud: string;
  readonly client_id: string;
  readonly iat: number;
  readonly nbf: number;
  readonly exp: number;
  readonly jti: string;
  readonly scope: readonly string[];
  /** GUID of the person; absent from tokens of machines and of owners. */
  readonly sub?: string;
  /** The consent that it goes by. */
  readonly authentication_event_id?: string;
  /** Set in tokens made from the book's own file: the organisation. */
  readonly owner?: User & { readonly tenant: string };
}

const typ = "at+jwt";
/** A token of an unknown key makes the keys be read again, no more often than this. */
const keysAgainMs = 2_000;
const tokenCharactersMax = 16_384;

/** Signs with the newest key of the directory. */
export async function signed(
  directory: Directory,
  clock: () => number,
  claims: AccessClaims,
): Promise<string> {
  const [key] = await signingKeys(directory, clock);
  return signedWith(key, typ, claims);
}

/** A JWT. @param type  what its head says it is */
export function signedWith(key: SigningKey, type: string, claims: object): string {
  const text = `${inJson({ alg: "RS256", typ: type, kid: key.kid })}.${inJson(claims)}`;
  const signature = crypto().sign("sha256", Buffer.from(text), keyObject(key));
  return `${text}.${signature.toString("base64url")}`;
}

/**
 * @returns what the token says, expired or not; undefined when this server never signed it, or did so
 *   under another name or for somebody else
 */
export type Verify = (token: string) => Promise<AccessClaims | undefined>;

/**
 * Verifies the tokens of a server.
 *
 * @param clock   milliseconds since 1970 UTC
 * @param issuer  the name of the server: a copy of its books, served elsewhere, has the same keys
 */
export function verifierOf(
  directory: Directory,
  clock: () => number,
  issuer: () => string,
): Verify {
  const keys = new Map<string, KeyObject>();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const read = async () => {
    for (const { material } of await directory.read((tx) => keysFor(tx, "token"))) {
      const key: SigningKey = JSON.parse(material);
      keys.set(key.kid, publicKeyObject(key));
    }
  };
  const keyNamed = async (kid: string) => {
    const found = keys.get(kid);
    if (found !== undefined) return found;
    const now = clock();
    if (Math.abs(now - readAt) >= keysAgainMs) {
      readAt = now;
      reading = read();
    }
    try {
      // Requests that come while they are read wait for the same.
      await reading;
    } catch (error) {
      readAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
    return keys.get(kid);
  };
  return async (token) => {
    if (token.length > tokenCharactersMax) return undefined;
    const [head = "", claims = "", signature, ...more] = token.split(".");
    if (signature === undefined || more.length > 0) return undefined;
    const header = fromJson(head);
    // An id token is signed by the same key, and opens nothing.
    if (header?.alg !== "RS256" || header.typ !== typ) return undefined;
    const key = await keyNamed(String(header.kid));
    if (key === undefined) return undefined;
    const text = Buffer.from(`${head}.${claims}`);
    if (!crypto().verify("sha256", text, key, Buffer.from(signature, "base64url")))
      return undefined;
    const accessClaims = fromJson(claims) as unknown as AccessClaims | undefined;
    return accessClaims !== undefined && isOf(accessClaims, issuer()) ? accessClaims : undefined;
  };
}

/** @source RFC 9068, section 4: issuer and audience must be the expected ones */
function isOf({ iss, aud, owner }: AccessClaims, server: string): boolean {
  const issuer = owner === undefined ? server : bookIssuer;
  return iss === issuer && aud === audienceOf(issuer);
}

function inJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function fromJson(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(Buffer.from(text, "base64url").toString());
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
