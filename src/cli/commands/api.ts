/**
 * `acct api`: sends any request with the credentials of the sign-in, for endpoints without a
 * command.
 */

import { UsageError } from "../../resources/errors.ts";
import { resourceAt } from "../../resources/index.ts";
import { isChunks, textOf } from "../../wire/body.ts";
import { decodeError } from "../../wire/decode/failure.ts";
import type { ServiceRequest, ServiceResponse } from "../../wire/http.ts";
import type { Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { readBytes } from "../framework/input.ts";
import { formats } from "../render/formats/index.ts";

const methods = ["GET", "POST", "PUT", "DELETE", "HEAD"] as const;

interface ApiOptions {
  readonly query?: (readonly [name: string, value: string])[] | undefined;
  readonly header?: (readonly [name: string, value: string])[] | undefined;
  readonly input?: string | undefined;
  readonly paginate?: boolean | undefined;
  readonly include?: boolean | undefined;
}

export const apiCommand = command("api", "any request, signed in")
  .writes()
  .argument("METHOD", methods.join(", "), { values: methods })
  .argument("PATH", "below the API root, such as /Invoices")
  .flag("query", "a query parameter", {
    short: "q",
    placeholder: "NAME=VALUE",
    repeat: true,
    read: (text) => pairOf(text, "=", "--query"),
  })
  .flag("header", "a header of the request", {
    short: "H",
    placeholder: "'NAME: VALUE'",
    repeat: true,
    read: (text) => pairOf(text, ":", "--header"),
  })
  .flag("input", "the body, - for standard input; XML or JSON is seen by its first character", {
    placeholder: "FILE",
    live: "file",
  })
  .switch("paginate", "ask for every page, one answer after the other")
  .switch("include", "show the status and the headers of the answer first", { short: "i" })
  .note(
    "It asks for JSON, or for XML with -o xml or a header of your own. The answer is printed as " +
      "it comes, a refusal too, which then ends with the exit code of its kind.",
  )
  .example("acct api GET /Invoices -q page=1 -q 'where=Status==\"DRAFT\"'")
  .example("acct api PUT /Items --input item.json")
  .example("acct api GET /Payments --paginate -o xml")
  .action((ctx, method, path, options) => sendRequest(ctx, method, path, options));

function pairOf(text: string, mark: string, flag: string): readonly [string, string] {
  const at = text.indexOf(mark);
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  throw new UsageError("BadValue", `${flag} takes NAME${mark}VALUE, not "${text}".`);
}

async function sendRequest(
  ctx: Context,
  method: string,
  path: string,
  options: ApiOptions,
): Promise<void> {
  const serviceRequest = await requestOf(ctx, method.toUpperCase(), path, options);
  if (ctx.flags.idempotencyKey !== undefined && isRead(serviceRequest)) {
    throw new UsageError(
      "BadFlags",
      `A ${serviceRequest.method} changes nothing: leave --idempotency-key out.`,
    );
  }
  if (options.paginate === true && serviceRequest.method !== "GET") {
    throw new UsageError("BadFlags", "--paginate walks the pages of a GET.");
  }
  const client = await ctx.client();
  if (
    isTrial(ctx) &&
    !isRead(serviceRequest) &&
    !(await client.offers("POST", "/Extensions/Plans"))
  ) {
    return describeUnsent(ctx, serviceRequest);
  }
  for (let page = 1; ; page++) {
    const query = options.paginate
      ? [
          ...serviceRequest.query.filter(([name]) => name !== "page"),
          ["page", String(page)] as const,
        ]
      : serviceRequest.query;
    const response = await client.send({ ...serviceRequest, query });
    const text = await print(ctx, response, options.include === true);
    if (response.status >= 400) throw await decodeError(response.status, response.headers, text);
    if (!options.paginate || !hasMore(serviceRequest.path, text)) return;
  }
}

function isRead({ method }: Pick<ServiceRequest, "method">): boolean {
  return method === "GET" || method === "HEAD";
}

/** Whether the service is to roll the request back; for a plan the client does so. */
function isTrial({ flags }: Context): boolean {
  return flags.dryRun && flags.plan === undefined;
}

/** Characters that must be encoded in a path; an existing percent sign is taken as encoding. */
const unsafe = /[^\x21-\x7e]+|["<>\\^`{|}]/g;

async function requestOf(
  ctx: Context,
  method: string,
  path: string,
  { query = [], header = [], input }: ApiOptions,
): Promise<ServiceRequest> {
  const body = input === undefined ? undefined : await readBytes(ctx, input);
  const [address = "", search] = path.split("?", 2);
  const parameters = [...new URLSearchParams(search ?? "")] as [string, string][];
  const countIn = Object.fromEntries(header.map(([name, value]) => [name.toLowerCase(), value]));
  const contentType =
    body && /^\s*</.test(Buffer.from(body).toString("utf8", 0, 100)) ? "xml" : "json";
  const isWrite = !isRead({ method });
  const { idempotencyKey: key } = ctx.flags;
  return {
    method,
    path: (address.startsWith("/") ? address : `/${address}`).replace(unsafe, encodeURIComponent),
    query: [...parameters, ...query],
    headers: {
      accept: formats[ctx.flags.output].mediaType ?? "application/json",
      ...(body === undefined ? {} : { "content-type": `application/${contentType}` }),
      ...(key === undefined ? {} : { "idempotency-key": key }),
      ...(isTrial(ctx) && isWrite ? { "x-dry-run": "true" } : {}),
      ...countIn,
    },
    body,
  };
}

/** Describes a write without sending it, where the service does not support dry runs. */
async function describeUnsent(ctx: Context, request: ServiceRequest): Promise<void> {
  const { method, path, query, body } = request;
  const search = query.length === 0 ? "" : `?${new URLSearchParams(query as [string, string][])}`;
  ctx.out.say(`${method} ${path}${search} would be sent${body ? " with this body:" : "."}`);
  if (body !== undefined && !isChunks(body)) await ctx.out.bytes(body);
}

/**
 * Prints a response.
 *
 * @returns the text of the body; empty for a file, which is streamed
 */
async function print(ctx: Context, response: ServiceResponse, withHead: boolean): Promise<string> {
  if (withHead) {
    const head = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}\n`);
    await ctx.out.bytes(`${response.status}\n${head.join("")}\n`);
  }
  if (isChunks(response.body)) {
    for await (const chunk of response.body) await ctx.out.bytes(chunk);
    return "";
  }
  const isText = /json|xml|text/.test(response.headers["content-type"] ?? "");
  const text = await textOf(response.body);
  if (!isText) await ctx.out.bytes(response.body);
  else if (text !== "") await ctx.out.bytes(text.endsWith("\n") ? text : `${text}\n`);
  return text;
}

/**
 * Whether there is a next page: as the response states, or else, for a list known to be paged, as
 * long as the page is not empty.
 */
function hasMore(path: string, text: string): boolean {
  const countIn = (name: string) => {
    const match = new RegExp(`"${name}"\\s*:\\s*(\\d+)|<${name}>(\\d+)<`).exec(text);
    return match === null ? undefined : Number(match[1] ?? match[2]);
  };
  const [page, pageCount] = [countIn("page"), countIn("pageCount")];
  if (page !== undefined && pageCount !== undefined) return page < pageCount;
  const resource = resourceAt(path.split("/")[1] ?? "");
  if (resource?.paged === undefined) return false;
  return new RegExp(`"${resource.id}"|<${resource.id}>`).test(text);
}
