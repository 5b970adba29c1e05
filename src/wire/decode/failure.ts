/**
 * Decodes error answers: status and body become the error they stand for.
 *
 * An answer may come from any service of this API or from a proxy in front of it, so this parser is
 * more lenient than the service.
 */

import { DiskError, isTrouble } from "../../platform/disk.ts";
import { TooMuchError } from "../../resources/bounds.ts";
import {
  type AcctError,
  AuthError,
  type Detail,
  LimitedError,
  NotFoundError,
  RefusedError,
  SchemaError,
  UnavailableError,
} from "../../resources/errors.ts";
import { nameOfRule, type RuleName } from "../../resources/refusal-rules.ts";
import { counted, zeroId } from "../../resources/scalar.ts";
import { inOneSentence } from "../codec.ts";
import {
  authCodes,
  codeOfLimit,
  notImplemented,
  ServiceFailedError,
  validationMessage,
} from "../errors.ts";
import { type Members, membersOf, readJson, Unreadable } from "../json.ts";
import { withoutReferences, type XmlNode } from "../xml.ts";
import { isOfLock, lockDate, rewordLockDate } from "./lock-words.ts";

/** Codes of a `SchemaError`. */
const schemaCodes: ReadonlySet<string> = new Set([
  "SchemaMismatch",
  "SchemaForeign",
  "BookTooNew",
  "CannotUpgrade",
]);

/** Maximum characters of a body that is parsed, and of a sentence taken from it. */
const bodyCharactersMax = 4_000_000;
const sentenceCharactersMax = 2_000;
const detailsMax = 1_000;

/**
 * Rebuilds the error that an answer stands for.
 * @param headers   by lower-case name
 * @param bodyText  the body in any form: XML, JSON, problem+json, form text, HTML or nothing
 * @returns an error of the class that the service threw, with every sentence of it in `details`
 */
export async function decodeError(
  status: number,
  headers: Readonly<Record<string, string>>,
  bodyText: string,
): Promise<AcctError> {
  const body = await parseErrorBody(bodyText.slice(0, bodyCharactersMax));
  const retryAfterMs = readRetryAfter(headers["retry-after"]);
  const limited = limitError(status, headers["x-rate-limit-problem"], body, retryAfterMs);
  if (limited !== undefined) return limited;
  if (status === 401 || status === 403) return authError(status, body);
  if (status === 404 || status === 410) {
    return new NotFoundError(
      "NotFound",
      body.message ?? "The service has no such record.",
      body.details,
    );
  }
  if (status === 501 || status === 405) {
    return new RefusedError(
      notImplemented,
      body.message ?? "The service does not have this method.",
    );
  }
  if ((status === 503 || status === 507) && isTrouble(body.code) && body.message !== undefined) {
    return new DiskError(body.code, body.message, { retryAfterMs });
  }
  if (status === 503 && schemaCodes.has(body.code ?? "") && body.message !== undefined) {
    return new SchemaError(body.code ?? "", body.message);
  }
  if (status === 507) {
    const message = body.message ?? "The service has no room left; tell whoever runs it.";
    return new UnavailableError("DiskFull", message);
  }
  if (status === 502 || status === 503 || status === 504) {
    const reason = body.message === undefined ? "" : ` (${body.message.replace(/\.$/, "")})`;
    return new UnavailableError(
      "Outage",
      `The service is not available${reason}; try again later.`,
      {
        retryAfterMs,
      },
    );
  }
  if (status >= 400 && status < 500) {
    const isLocked = body.details.length > 0 && body.details.every(isOfLock);
    const code = isLocked ? lockDate : (body.code ?? "Refused");
    return new RefusedError(
      { code, rule: body.details[0]?.rule ?? body.rule ?? nameOfRule(code) },
      joinFaults(body) ?? `The service refused the request with status ${status}.`,
      body.details,
    );
  }
  const reason = body.message === undefined ? "." : `: ${body.message}`;
  return new ServiceFailedError(
    "ServiceFailed",
    `The service failed with status ${status}${reason}`,
  );
}

/** The error for a reached rate limit; undefined for other answers. */
function limitError(
  status: number,
  header: string | undefined,
  body: ErrorBody,
  retryAfterMs: number | undefined,
): LimitedError | undefined {
  const limit = header?.trim().toLowerCase().replace("-", "");
  const isLimit = limit !== undefined || /rate.limit/i.test(body.problem ?? "");
  if (status !== 429 && !(status === 503 && isLimit)) return undefined;
  const limitName = limit === undefined ? "rate limit" : `rate limit (${limit})`;
  const message = `The service's ${limitName} is reached; ${waitingText(retryAfterMs)}.`;
  return new LimitedError(codeOfLimit(limit), message, { retryAfterMs });
}

/** The contents of an error body, in any format. */
interface ErrorBody {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly rule?: RuleName | undefined;
  readonly details: readonly Detail[];
  /** The `oauth_problem` of a form-encoded body. */
  readonly problem?: string | undefined;
}

function waitingText(retryAfterMs: number | undefined): string {
  if (retryAfterMs === undefined) return "try again later";
  return `try again in ${counted(Math.ceil(retryAfterMs / 1000), "second")}`;
}

/**
 * Parses Retry-After in whole seconds; a date would need a clock, and no service of this API sends
 * one.
 */
function readRetryAfter(value: string | undefined): number | undefined {
  const text = value?.trim() ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) * 1000 : undefined;
}

function authError(status: 401 | 403, body: ErrorBody): AuthError {
  const message = body.message ?? body.problem;
  const code = authCodes.find((authCode) => message?.startsWith(authCode));
  const fallback = status === 401 ? "AuthenticationUnsuccessful" : "AuthorizationUnsuccessful";
  const rest = code === undefined ? message : message?.slice(code.length).replace(/^[:\s]+/, "");
  const plainMessage =
    status === 401
      ? "The service does not accept the sign-in."
      : "The service does not permit this to the signed-in user or app.";
  if (code === "TokenExpired") {
    return new AuthError(code, `The ${rest || "token expired"}; sign in again, or give another.`);
  }
  return new AuthError(code ?? body.problem ?? fallback, rest ? rest : plainMessage, status);
}

/** Joins all faults into one sentence. */
function joinFaults({ message, details }: ErrorBody): string | undefined {
  if (details.length === 0) return message;
  return message !== undefined && message !== validationMessage ? message : inOneSentence(details);
}

async function parseErrorBody(body: string): Promise<ErrorBody> {
  const text = body.trim();
  if (text === "") return { details: [] };
  if (text.startsWith("{") || text.startsWith("[")) {
    const body = jsonErrorBody(text);
    if (body !== undefined) return body;
  }
  if (/(^|&)oauth_problem=/.test(text)) return formErrorBody(text);
  if (/<(ApiException|DataContractBase|Response)\b/.test(text)) return xmlErrorBody(text);
  return { message: plainSentence(text), details: [] };
}

function sentence(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.slice(0, sentenceCharactersMax).toWellFormed().replace(/\s+/g, " ").trim();
  return text === "" ? undefined : text;
}

// JSON error bodies: ApiException, problem+json, or the capitalised form of 401 and 403.

function jsonErrorBody(text: string): ErrorBody | undefined {
  let parsed: unknown;
  try {
    parsed = readJson(text);
  } catch (error) {
    if (error instanceof Unreadable || error instanceof TooMuchError) return undefined;
    throw error;
  }
  const body = membersOf(Array.isArray(parsed) ? parsed[0] : parsed);
  if (body === undefined) return { details: [] };
  const detailsByText: DetailMap = new Map();
  const elements = Array.isArray(body.Elements) ? body.Elements : [body];
  for (const element of elements)
    collectJson(element, nameIn(membersOf(element) ?? {}), detailsByText, 0);
  const { Type, Message, Rule, Detail, Title, detail, title, error_description, error } = body;
  return {
    code: sentence(Type) ?? sentence(error),
    message: [Message, Detail, detail, error_description, Title, title, error]
      .map(sentence)
      .find((text) => text !== undefined),
    rule: nameOfRule(Rule),
    details: [...detailsByText.values()],
  };
}

/** Collects errors from records and the objects inside them. */
function collectJson(
  value: unknown,
  record: string | undefined,
  detailsByText: DetailMap,
  depth: number,
): void {
  if (depth > 6 || detailsByText.size >= detailsMax || typeof value !== "object" || value === null)
    return;
  if (Array.isArray(value)) {
    for (const object of value) collectJson(object, record, detailsByText, depth + 1);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (name !== "ValidationErrors") collectJson(member, record, detailsByText, depth + 1);
    else if (Array.isArray(member)) {
      for (const validationError of member) {
        const fault = membersOf(validationError);
        add(detailsByText, sentence(fault?.Message), sentence(fault?.Rule), record);
      }
    }
  }
}

/** The faults without duplicates, which bodies may repeat. */
type DetailMap = Map<string, Detail>;

function add(
  detailsByText: DetailMap,
  text: string | undefined,
  ruleText: string | undefined,
  record?: string,
) {
  if (text === undefined || detailsByText.size >= detailsMax) return;
  const rule = nameOfRule(ruleText);
  const message = rewordLockDate(text);
  // Of several lock date errors on a record only the first is kept, which gives the latest date.
  const key = `${record ?? ""}\n${isOfLock({ message }) ? lockDate : message}`;
  if (!detailsByText.has(key)) detailsByText.set(key, { message, rule, record });
}

/** Name patterns of fields that identify a record to people, the best first. */
const naming = [/Number$/, /^Code$/, /^Name$/, /Name$/, /ID$/];

function nameIn(record: Members): string | undefined {
  const entries = Object.entries(record);
  for (const pattern of naming) {
    const entry = entries.find(
      ([name, value]) => pattern.test(name) && typeof value === "string" && value !== zeroId,
    );
    const name = sentence(entry?.[1]);
    if (name !== undefined) return name.slice(0, 60);
  }
  return undefined;
}

// XML error bodies, parsed leniently: an error message is useful even if its document is malformed,
// has a wrong prolog, or comes from an unknown service.

async function xmlErrorBody(text: string): Promise<ErrorBody> {
  const { foreignXml } = await import("../foreign-xml.ts");
  let document: XmlNode;
  try {
    document = foreignXml(text);
  } catch {
    // An unparsable body still leaves the status.
    return { details: [] };
  }
  const [root = document] = [...document.all("ApiException"), ...document.all("Response")];
  const detailsByText: DetailMap = new Map();
  const elements = root.all("Elements/DataContractBase");
  for (const element of elements.length > 0 ? elements : [root]) {
    const leaves = element.children.filter(({ children }) => children.length === 0);
    const name = nameIn(Object.fromEntries(leaves.map((xmlNode) => [xmlNode.name, xmlNode.text])));
    collectXml(element, sentenceOf(name), detailsByText, 0);
  }
  return {
    code: childText(root, "Type"),
    message: childText(root, "Message"),
    rule: nameOfRule(childText(root, "Rule")),
    details: [...detailsByText.values()],
  };
}

function collectXml(
  node: XmlNode,
  record: string | undefined,
  detailsByText: DetailMap,
  depth: number,
): void {
  if (depth > 6 || detailsByText.size >= detailsMax) return;
  for (const child of node.children) {
    if (child.name !== "ValidationErrors") collectXml(child, record, detailsByText, depth + 1);
    else {
      for (const error of child.all("ValidationError")) {
        add(detailsByText, childText(error, "Message"), childText(error, "Rule"), record);
      }
    }
  }
}

const childText = (node: XmlNode, name: string) => sentenceOf(node.all(name)[0]?.text);

function sentenceOf(text: string | undefined): string | undefined {
  return sentence(text && withoutReferences(text, (unknown) => unknown));
}

function formErrorBody(text: string): ErrorBody {
  const values = new Map(
    text.split("&", 20).map((pair) => {
      const equalsAt = pair.indexOf("=");
      return [pair.slice(0, equalsAt), decodeQueryText(pair.slice(equalsAt + 1))] as const;
    }),
  );
  const problem = sentence(values.get("oauth_problem"));
  return { problem, message: sentence(values.get("oauth_problem_advice")) ?? problem, details: [] };
}

function decodeQueryText(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** The title of an HTML page, or the text itself when short enough for a sentence. */
function plainSentence(text: string): string | undefined {
  const title = /<title[^>]{0,200}>([^<]{1,200})</i.exec(text)?.[1];
  if (title !== undefined) return sentence(withoutReferences(title, (unknown) => unknown));
  if (text.startsWith("<") || text.length > 500) return undefined;
  return sentence(text);
}
