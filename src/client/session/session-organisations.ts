/** The organisations that a sign-in may access, as the service lists them. */
import { NotFoundError, UnavailableError, UsageError } from "../../resources/errors.ts";
import { decodeError } from "../../wire/decode/failure.ts";
import type { Organisation } from "./sign-ins.ts";
import type { Web } from "./web.ts";

/** Maximum count of organisations that are read. */
const connectionsMax = 10_000;

/**
 * Lists the organisations connected to a token.
 *
 * @param consented  only those consented to in the sign-in that issued the token
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
  return list.slice(0, connectionsMax).flatMap((connection: Record<string, unknown> | null) => {
    const { tenantId, tenantName, tenantType } = connection ?? {};
    const isOurs =
      typeof tenantId === "string" && (tenantType ?? "ORGANISATION") === "ORGANISATION";
    if (!isOurs) return [];
    return [{ id: tenantId, name: typeof tenantName === "string" ? tenantName : tenantId }];
  });
}

/** Returns the consent id of an access token, where it is a readable JWT. */
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
 * Finds an organisation by name, in any letter case, or by id.
 *
 * @throws NotFoundError `NoOrganisation`, UsageError `SeveralOrganisations` when two have the name
 */
export function organisationNamed(available: readonly Organisation[], named: string): Organisation {
  const wantedKey = named.trim().toLowerCase();
  const organisations = available.filter(
    ({ id, name }) => id.toLowerCase() === wantedKey || name.trim().toLowerCase() === wantedKey,
  );
  const [first, second] = organisations;
  if (first !== undefined && second === undefined) return first;
  if (first === undefined) {
    throw new NotFoundError(
      "NoOrganisation",
      `There is no organisation ${named}; ${listedNames(available)}`,
    );
  }
  throw new UsageError(
    "SeveralOrganisations",
    `${organisations.length} organisations are called ${first.name}; name one by its id: ${organisations.map(({ id }) => id).join(", ")}.`,
  );
}

/** Returns a sentence that lists the names. */
export function listedNames(available: readonly Organisation[]): string {
  if (available.length === 0) return "this sign-in is connected to none.";
  const [first, ...others] = available.map(({ name }) => name);
  return `there ${others.length === 0 ? "is only" : "are"} ${[first, ...others].join(", ")}.`;
}
