/** What one organisation was answered: compared, and looked through for what belongs to another. */
import { createHash } from "node:crypto";
import type { ServiceResponse, Transport } from "../../../src/wire/http.ts";
import type { Asked } from "./neighbours-asked.ts";

/** With which ids begin; marks of theirs are `kiwi`, and those of a twin, whose ids are ours, `moa`. */
export const ourIds = "aaaaaaaa";
export const theirIds = "bbbbbbbb";
export const twinTenant = "cccccccc";

export interface Answered {
  readonly status: number;
  readonly headers: ServiceResponse["headers"];
  /** Records as text; of a file its digest, and its letters as far as it has any. */
  readonly text: string;
}

/** What is chance in an answer: its own id, the entropy of what listeners are sent, and what the key of a place has signed. */
const chance =
  /("(?:Id|Instance)":"|<(?:Id|Instance)>|"entropy\\":\\"|Signature\\*":\\*")[\w-]{20,43}/gi;

export async function answerOf(
  handle: Transport,
  { route: _route, ...request }: Asked,
): Promise<Answered> {
  const { status, headers: told, body } = await handle(request);
  // Over a port each request has an id, and the length is that of what was compressed.
  const { "x-request-id": _id, "content-length": _length, ...headers } = told;
  const parts: Uint8Array[] = [];
  if (typeof body === "string") parts.push(Buffer.from(body));
  else if (body instanceof Uint8Array) parts.push(body);
  else for await (const part of body) parts.push(part);
  const bytes = Buffer.concat(parts);
  const isText = /json|xml|text/.test(headers["content-type"] ?? "text");
  const digest = isText ? "" : createHash("sha256").update(bytes).digest("hex");
  return { status, headers, text: `${digest}${bytes.toString("latin1").replace(chance, "$1")}` };
}

/** What can only be theirs or the twin's. */
const foreign = new RegExp(
  `${theirIds}-[0-9a-f-]{27}|${twinTenant}-[0-9a-f-]{27}|(?:kiwi|moa)[- ]\\w+`,
  "g",
);
export const foreignIn = (text: string) => text.match(foreign) ?? [];

export function spelt({ method, path, query, headers, body }: Asked): string {
  const sent = body === undefined ? "" : ` ${Buffer.from(body).toString()}`;
  return `${method} ${decodeURIComponent(path)} ${JSON.stringify(query)} ${JSON.stringify(headers)}${sent}`;
}

/** Where two answers differ, with what stands around it. */
export function differenceOf(one: Answered, other: Answered): readonly string[] | undefined {
  const [left, right] = [JSON.stringify(one), JSON.stringify(other)];
  if (left === right) return undefined;
  let at = 0;
  while (left[at] === right[at]) at += 1;
  return [left, right].map((text) => text.slice(Math.max(0, at - 300), at + 300));
}
