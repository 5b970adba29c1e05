/**
 * Cassettes: exchanges with a service, a line of JSON each, without secrets.
 *
 * Of headers only those are kept that are listed here, so that a secret in any other is never written.
 */
import { secretNames, withoutSecrets } from "../../client/transport/trace.ts";
import { RefusedError } from "../../resources/errors.ts";
import type { ServiceRequest } from "../../wire/http.ts";

type Headers = Readonly<Record<string, string>>;

/** A body: its text, or the base64 of bytes that are no text. */
type Body = string | { readonly base64: string };

/** An answer as far as answers are compared. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The text; of bytes that are no text, such as a PDF, how many they are. */
  readonly body: string | { readonly bytes: number };
}

export interface KeptExchange {
  readonly method: string;
  /** Path below the API root. */
  readonly path: string;
  readonly query: ServiceRequest["query"];
  readonly headers: Headers;
  readonly body?: Body | undefined;
  readonly answer: KeptAnswer;
  readonly ms: number;
}

const head = { cassette: "acct", version: 1 } as const;

/** Headers of requests that are kept. The organisation becomes `T1`, the next one `T2`. */
const requestHeaders = ["accept", "content-type", "if-modified-since", "idempotency-key"];
export const tenantHeader = "xero-tenant-id";
/** Headers of answers whose presence is compared; of the first the value is kept. */
const answerHeaders = [
  "content-type",
  "content-disposition",
  "retry-after",
  "www-authenticate",
  "x-rate-limit-problem",
  "x-minlimit-remaining",
  "x-daylimit-remaining",
  "x-appminlimit-remaining",
];

/** The first line of a cassette. */
export const headLine = `${JSON.stringify(head)}\n`;

/** Makes the lines of exchanges; organisations are numbered as they first appear. */
export function exchangeWriter(): (exchange: KeptExchange) => string {
  const tenants: string[] = [];
  return ({ headers, query, body, answer, ...rest }) => {
    const keptHeaders = pickHeaders(headers, requestHeaders);
    const tenant = headers[tenantHeader]?.toLowerCase();
    if (tenant !== undefined) {
      if (!tenants.includes(tenant)) tenants.push(tenant);
      keptHeaders[tenantHeader] = `T${tenants.indexOf(tenant) + 1}`;
    }
    const line: KeptExchange = {
      ...rest,
      query: query.map(([name, value]) => [name, secretNames.test(name) ? "" : value]),
      headers: keptHeaders,
      body: typeof body === "string" ? withoutSecrets(body) : body,
      answer:
        typeof answer.body === "string" ? { ...answer, body: withoutSecrets(answer.body) } : answer,
    };
    return `${JSON.stringify(line)}\n`;
  };
}

function pickHeaders(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
}

const isText = (type: string) => /json|xml|text|urlencoded/.test(type);

/** A body of a request, by its content type; undefined for none. */
export function keptBody(bytes: Buffer, type = ""): Body | undefined {
  if (bytes.length === 0) return undefined;
  return isText(type) ? bytes.toString("utf8") : { base64: bytes.toString("base64") };
}

/** What is kept of an answer. */
export function keptAnswer(status: number, headers: Headers, bytes: Uint8Array): KeptAnswer {
  const { "content-type": type = "", ...others } = pickHeaders(headers, answerHeaders);
  const present = Object.keys(others).map((name) => [name, ""] as const);
  return {
    status,
    headers: { ...(type && { "content-type": type }), ...Object.fromEntries(present) },
    body:
      isText(type) || bytes.length === 0
        ? Buffer.from(bytes).toString("utf8")
        : { bytes: bytes.length },
  };
}

/** Reads a cassette. @throws RefusedError `BadFile` */
export function readCassette(path: string, text: string): KeptExchange[] {
  const [first = "", ...lines] = text.split("\n");
  const values = [first, ...lines.filter((line) => line !== "")].map((line, index) => {
    try {
      return JSON.parse(line);
    } catch {
      throw notOne(path, `line ${index + 1} is no JSON`);
    }
  });
  const { cassette, version } = values.shift() ?? {};
  if (cassette !== head.cassette) throw notOne(path, "its first line does not say so");
  if (version !== head.version) throw notOne(path, `it is of version ${version}, for another acct`);
  const brokenIndex = values.findIndex(({ method, path: to, answer }) => !method || !to || !answer);
  if (brokenIndex >= 0) throw notOne(path, `line ${brokenIndex + 2} is no exchange`);
  return values;
}

function notOne(path: string, reason: string): RefusedError {
  return new RefusedError("BadFile", `${path} is no cassette of acct record: ${reason}.`);
}
