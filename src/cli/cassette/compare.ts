/** Plays a cassette against a service, and lists where it answers otherwise. */

import { inputText } from "../../platform/input-file.ts";
import { RefusedError } from "../../resources/errors.ts";
import { refuseReadOnly } from "../connection/guard.ts";
import { remoteSender } from "../connection/remote-sender.ts";
import type { Context } from "../context/context.ts";
import { type KeptExchange, keptAnswer, tenantHeader } from "./cassette.ts";
import { compareAnswers, type Difference, type Ids, withIds, withoutIds } from "./differences.ts";

const acceptedBytesMax = 16 * 1024 * 1024;

/** A difference, and the exchange that it is in. */
export interface Found extends Difference {
  /** Number of the exchange in the cassette, from 1. */
  readonly exchange: number;
  /** Such as `GET /Invoices`. */
  readonly request: string;
}

export interface CompareOptions {
  /** Country of a new organisation that is played against. */
  readonly country?: string | undefined;
  /** Whether what answers say is compared as well. */
  readonly values: boolean;
}

/** Plays the exchanges in order. @throws as requests to the service do */
export async function compare(
  ctx: Context,
  exchanges: readonly KeptExchange[],
  { country, values }: CompareOptions,
): Promise<Found[]> {
  const service = await serviceOf(ctx, country);
  const idByOther: Ids = new Map();
  const allDifferences: Found[] = [];
  try {
    for (const [index, exchange] of exchanges.entries()) {
      ctx.interrupted.throwIfAborted();
      const { status, headers, body } = await service.send(requestOf(exchange, idByOther));
      const now = keptAnswer(status, headers, body);
      const request = `${exchange.method} ${exchange.path}`;
      for (const difference of compareAnswers(exchange.answer, now, { ids: idByOther, values })) {
        allDifferences.push({ exchange: index + 1, request, ...difference });
      }
    }
    return allDifferences;
  } finally {
    await service.close();
  }
}

type KnownDifference = Pick<Found, "request" | "kind" | "path">;

/** Says what a difference is, whatever the ids in its address. */
export const signatureOf = ({ request, kind, path }: KnownDifference): string =>
  `${withoutIds(request)} ${kind} ${path}`;

/** Whether a field or header is masked, by its name or by its path. */
export function isMasked({ path }: Found, masks: readonly string[]): boolean {
  const plain = path.replaceAll("[]", "");
  const names = [...plain.split("."), plain, path];
  return masks.some((mask) => names.includes(mask));
}

/** Reads differences that are known. @throws RefusedError `BadFile`, UsageError `NoFile` */
export function readAccepted(file: string): readonly KnownDifference[] {
  const isKnown = (row: unknown) =>
    ["request", "kind", "path"].every((name) => typeof Object(row)[name] === "string");
  try {
    const rows: unknown = JSON.parse(inputText(file, { bytes: acceptedBytesMax }));
    if (Array.isArray(rows) && rows.every(isKnown)) return rows;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new RefusedError("BadFile", `${file} is not a list of differences, as -o json tells them.`);
}

/** The service of the flags; without one a new organisation, which does as the public cloud. */
async function serviceOf(ctx: Context, country: string | undefined) {
  if ((ctx.flags.baseUrl ?? ctx.flags.profile) !== undefined) {
    refuseReadOnly(ctx);
    return remoteSender(ctx, "acct compare");
  }
  const { TestServer } = await import("../../kit/test-server.ts");
  const server = new TestServer({ country }, { newContacts: true, strictDates: true });
  const organisation = await server.start();
  const { url: baseUrl, tenant } = organisation;
  const token = await server.people.issueToken(organisation, {});
  const targetOf = () => ({ kind: "remote", baseUrl, tenant, token }) as const;
  const { send, close, headers } = await remoteSender({ ...ctx, target: targetOf }, "acct compare");
  const closeAll = async () => {
    await close();
    await server.close();
  };
  return { send, headers, close: closeAll };
}

function requestOf({ method, path, query, headers, body }: KeptExchange, idByRecorded: Ids) {
  const { [tenantHeader]: _tenant, ...own } = headers;
  const bytes = typeof body === "string" ? Buffer.from(withIds(body, idByRecorded)) : bytesOf(body);
  return {
    method,
    path: withIds(path, idByRecorded),
    query: query.map(([name, value]) => [name, withIds(value, idByRecorded)] as const),
    headers: own,
    ...(bytes && { body: bytes }),
  };
}

function bytesOf(body: Exclude<KeptExchange["body"], string>): Buffer | undefined {
  return body && Buffer.from(body.base64, "base64");
}
