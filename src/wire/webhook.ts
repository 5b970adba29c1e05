/**
 * How events travel to those who are subscribed: the body of a delivery, and its signature.
 *
 * A body is written once and sent as the same bytes at each try, since it is the bytes that are
 * signed. The key is used as the text it is, though it looks like base64.
 */
const crypto = () => process.getBuiltinModule("node:crypto");

/** The header that carries the signature. */
export const signatureHeader = "x-xero-signature";
export const deliveryType = "application/json; charset=utf-8";
/** How long a receiver has for its answer. */
export const answerMs = 5000;
/** Where an operator may let deliveries go beyond https to public addresses. */
export const allowances = ["http", "private"] as const;

export interface WireEvent {
  /** Absolute address where the record is read. */
  readonly resourceUrl: string;
  readonly resourceId: string;
  readonly tenantId: string;
  readonly eventCategory: string;
  readonly eventType: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The body of a delivery.
 *
 * @param events   none for the deliveries by which a receiver shows that it checks signatures
 * @param first    number of the first event; 0 where there are none
 * @param entropy  of `newEntropy`
 */
export function deliveryBody(events: readonly WireEvent[], first: number, entropy: string): string {
  return JSON.stringify({
    events: events.map(({ at, data, tenantId, ...event }) => ({
      resourceUrl: event.resourceUrl,
      resourceId: event.resourceId,
      tenantId,
      tenantType: "ORGANISATION",
      eventCategory: event.eventCategory,
      eventType: event.eventType,
      eventDateUtc: new Date(at).toISOString().replace("Z", ""),
      ...(data === undefined ? {} : { data }),
    })),
    firstEventSequence: first,
    lastEventSequence: Math.max(first + events.length - 1, 0),
    entropy,
  });
}

/** When the first event of a body happened, milliseconds since 1970 UTC; undefined where it has none. */
export function occurredAt(body: string): number | undefined {
  const [first] = (JSON.parse(body) as { events: { eventDateUtc: string }[] }).events;
  return first === undefined ? undefined : Date.parse(`${first.eventDateUtc}Z`);
}

const entropyLetters = 20;
/** Largest multiple of 26 that a byte holds: beyond it some letters would come more often. */
const fairBytes = 234;

/** 20 capitals by chance, so that equal events sign differently. */
export function newEntropy(): string {
  let letters = "";
  while (letters.length < entropyLetters) {
    for (const byte of crypto().randomBytes(entropyLetters)) {
      if (byte < fairBytes) letters += String.fromCharCode(65 + (byte % 26));
    }
  }
  return letters.slice(0, entropyLetters);
}

const keyBytes = 66;

/** A key that nobody can guess, as 88 characters. */
export function newSigningKey(): string {
  return crypto().randomBytes(keyBytes).toString("base64");
}

/** Base64 of the HMAC-SHA256 of the body. @param key  the text of the key, not what it encodes */
export function signatureOf(key: string, body: string): string {
  return crypto()
    .createHmac("sha256", Buffer.from(key, "utf8"))
    .update(body, "utf8")
    .digest("base64");
}
