/** The organisations that a sign-in may work on, as the service lists them. */
import { NotFoundError, UnavailableError, UsageError } from "../../resources/errors.ts";
import { decodeError } from "../../wire/decode/failure.ts";
import type { Organisation } from "./sign-ins.ts";
import type { Web } from "./web.ts";

/** Most that are looked at. */
const connectionsMax = 10_000;

/**
 * Lists what the service connects a token to.
 *
 * @param consented  only what the person agreed to in the sign-in that gave the token
 * @throws AuthError, UnavailableError
 */
export async function connectionsOf(
  web: Web,
  baseUrl: string,
  accessToken: string,
  { consented = false } = {},
): Promise<Organisation[]> {
  const url = new URL("/connections", baseUrl);
  const event = consented ? consentOf(accessToken) : undefined;
  if (event !== undefined) url.searchParams.set("authEventId", event);
  const headers = { authorization: `Bearer ${accessToken}`, accept: "application/json" };
  const response = await web.fetch(url.href, { headers });
  const text = await response.text();
  if (response.status !== 200) {
    throw await decodeError(response.status, Object.fromEntries(response.headers), text);
  }
  return readConnections(text);
}

function readConnections(text: string): Organisation[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    list = undefined;
  }
  if (!Array.isArray(list)) {
    throw new UnavailableError(
      "BadAnswer",
      "The service did not say which organisations there are.",
    );
  }
  return list.slice(0, connectionsMax).flatMap((each: Record<string, unknown> | null) => {
    const { tenantId, tenantName, tenantType } = each ?? {};
    const isOurs =
      typeof tenantId === "string" && (tenantType ?? "ORGANISATION") === "ORGANISATION";
    if (!isOurs) return [];
    return [{ id: tenantId, name: typeof tenantName === "string" ? tenantName : tenantId }];
  });
}

/** The consent that an access token comes from, where it is one that can be read. */
function consentOf(accessToken: string): string | undefined {
  try {
    const payload = Buffer.from(accessToken.split(".")[1] ?? "", "base64url").toString("utf8");
    const { authentication_event_id: event } = JSON.parse(payload) as Record<string, unknown>;
    return typeof event === "string" ? event : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The organisation that a person named, in any case, or by its id.
 *
 * @throws NotFoundError `NoOrganisation`, UsageError `SeveralOrganisations` when two have the name
 */
export function organisationNamed(among: readonly Organisation[], named: string): Organisation {
  const wanted = named.trim().toLowerCase();
  const organisations = among.filter(
    ({ id, name }) => id.toLowerCase() === wanted || name.trim().toLowerCase() === wanted,
  );
  const [first, second] = organisations;
  if (first !== undefined && second === undefined) return first;
  if (first === undefined) {
    throw new NotFoundError(
      "NoOrganisation",
      `There is no organisation ${named}; ${listed(among)}`,
    );
  }
  throw new UsageError(
    "SeveralOrganisations",
    `${organisations.length} organisations are called ${first.name}; name one by its id: ${organisations.map(({ id }) => id).join(", ")}.`,
  );
}

/** A sentence with the names of all. */
export function listed(among: readonly Organisation[]): string {
  if (among.length === 0) return "this sign-in is connected to none.";
  const [first, ...others] = among.map(({ name }) => name);
  return `there ${others.length === 0 ? "is only" : "are"} ${[first, ...others].join(", ")}.`;
}
