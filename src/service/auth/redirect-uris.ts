/** Where an app may have people sent back to. */
import { RefusedError } from "../../resources/errors.ts";
import type { AppKind } from "../../store/directory/apps.ts";

/** @source spec of the API, section "Authorise" */
const urisMax = 50;
const uriCharactersMax = 2000;

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/;
const host = /^[\w.-]+$|^\[[\da-f:]+\]$/;
/** A scheme that an app claims for itself is named after a domain, to be told from others'. */
const ownScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

/**
 * Redirect URIs as they may be registered, kept as they were written: they are compared letter by
 * letter, but for the port of a loopback address.
 *
 * @throws RefusedError `ValidationException`
 * @source spec of the API, section "Authorise"; RFC 8252
 */
export function readRedirectUris(kind: AppKind, uris: readonly string[]): readonly string[] {
  const distinct = [...new Set(uris.map((uri) => uri.trim()))];
  if (kind === "machine" && distinct.length > 0) {
    throw invalid("A machine signs nobody in: it has no redirect URI.");
  }
  if (kind !== "machine" && distinct.length === 0) {
    throw invalid("An app that signs people in needs a redirect URI.");
  }
  if (distinct.length > urisMax) throw invalid(`An app has at most ${urisMax} redirect URIs.`);
  for (const uri of distinct) {
    const fault = faultOf(kind, uri);
    if (fault !== undefined) throw invalid(`The redirect URI ${uri.slice(0, 200)} ${fault}.`);
  }
  return distinct;
}

function faultOf(kind: AppKind, uri: string): string | undefined {
  if (uri.length > uriCharactersMax) return "is too long";
  if (!URL.canParse(uri) || /[\s\\*]/.test(uri)) return "is no address";
  const { protocol, hostname, hash, username, password } = new URL(uri);
  if (hash !== "" || uri.includes("#")) return "has a fragment, which it may not";
  if (username !== "" || password !== "") return "has a user, which it may not";
  if (protocol === "https:") {
    // The policy of the pages names the host, where a semicolon would begin another rule.
    if (!host.test(hostname)) return "is no address";
    const isNobodys = kind === "pkce" && loopback.test(hostname);
    return isNobodys ? "is on this machine, where https is nobody's: use http" : undefined;
  }
  if (protocol === "http:") {
    return loopback.test(hostname)
      ? undefined
      : "must begin with https; http is for localhost alone";
  }
  if (kind !== "pkce") return "must begin with https";
  return ownScheme.test(protocol)
    ? undefined
    : "has a scheme that is no domain turned round, such as nz.example.till:";
}

function invalid(message: string): RefusedError {
  return new RefusedError("ValidationException", message);
}
