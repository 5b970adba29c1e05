/**
 * Wire form of webhook deliveries: body and signature.
 *
 * A body is written once and sent as the same bytes at each try, since the bytes are signed. The
 * key is used as its text, not decoded, though it looks like base64.
 */
const crypto = () => process.getBuiltinModule("node:crypto");

/** Header with the signature. */
export const signatureHeader = "x-xero-signature";
export const deliveryType = "application/json; charset=utf-8";
/** Time limit for a receiver's answer. */
export const answerMs = 5000;
/** Permissions an operator may give for delivery targets other than public https addresses. */
export const allowances = ["http", "private"] as const;

export interface WireEvent {
  /** URL of the record. */
  readonly resourceUrl: string;
  readonly resourceId: string;
  readonly tenantId: string;
  readonly eventCategory: string;
  readonly eventType: string;
  /** Time of the event, milliseconds since 1970 UTC. */
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Writes the body of a delivery.
 * @param events   none for the deliveries that test whether a receiver checks signatures
 * @param first    number of the first event; 0 when there are none
 * @param entropy  from `newEntropy`
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
      data,
    })),
    firstEventSequence: first,
    lastEventSequence: Math.max(first + events.length - 1, 0),
    entropy,
  });
}

/**
 * Time of the first event in a body, milliseconds since 1970 UTC; undefined for a body without
 * events.
 */
export function occurredAt(body: string): number | undefined {
  const [first] = (JSON.parse(body) as { events: { eventDateUtc: string }[] }).events;
  return first === undefined ? undefined : Date.parse(`${first.eventDateUtc}Z`);
}

const entropyLetters = 20;
/**
 * The largest multiple of 26 in a byte: higher values are rejected, as they would make some letters
 * more frequent.
 */
const fairBytes = 234;

/** Makes 20 random capitals, so that equal events have different signatures. */
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

/** Makes a random signing key of 88 characters. */
export function newSigningKey(): string {
  return crypto().randomBytes(keyBytes).toString("base64");
}

/**
 * The signature of a body: base64 of its HMAC-SHA256.
 * @param key  the text of the key, not what it encodes
 */
export function signatureOf(key: string, body: string): string {
  return crypto()
    .createHmac("sha256", Buffer.from(key, "utf8"))
    .update(body, "utf8")
    .digest("base64");
}
