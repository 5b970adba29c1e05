/** GET /Extensions/AuditFiles/…: exports the ledger of a period for a tax office or an auditor. */
import { accountMapIn } from "../../audit-files/account-map.ts";
import {
  type AuditExport,
  type AuditFormat,
  type AuditOptions,
  auditExport,
} from "../../audit-files/audit-export.ts";
import type { AuditSource } from "../../audit-files/audit-source.ts";
import { LackError } from "../../audit-files/lack.ts";
import type { DateRange } from "../../ledger/dates/calendar.ts";
import { inlineDisposition } from "../../platform/file-name.ts";
import { version } from "../../platform/version.ts";
import { attachment } from "../../resources/attachment.ts";
import { RefusedError, refusal, UsageError } from "../../resources/errors.ts";
import { type Field, type Fields, pathOf } from "../../resources/field.ts";
import { organisation as organisationResource } from "../../resources/organisation.ts";
import { isChunks, textOf } from "../../wire/body.ts";
import { decodeError } from "../../wire/decode/failure.ts";
import { notesHeader, type ServiceResponse } from "../../wire/http.ts";
import { answerOf, type PageRequests, pagesOf } from "../../wire/pages.ts";
import { embeddedBounds } from "../../wire/query/lookup-bounds.ts";
import { type SpooledFile, spool } from "../../wire/spool.ts";
import { recordExport } from "../audit/exports.ts";
import type { RequestContext } from "../request/context.ts";

const contentTypes: Readonly<Record<AuditFormat, string>> = {
  saft: "application/xml",
  fec: "text/plain",
  datev: "text/csv",
  gobd: "application/zip",
};

/**
 * Answers with an audit file. The whole file is made before the response head is sent, so that
 * missing data gives a refusal.
 *
 * @param fields  the options of the format
 * @throws RefusedError with what the book lacks
 */
export async function answerAuditFile<F extends AuditFormat>(
  call: RequestContext,
  format: F,
  fields: Fields,
): Promise<ServiceResponse> {
  const period = periodOf(call);
  await recordExport(call, `the ledger from ${period.from} to ${period.to} as ${format}`);
  const requests = requestsOf(call);
  const source = sourceOf(requests);
  const { body } = await requests.read(pathOf(organisationResource), [], {});
  const [organisation] = (await answerOf(organisationResource, await textOf(body))).records;
  if (organisation === undefined) throw new Error("A book has an organisation.");
  const facts = { source, bounds: embeddedBounds, organisation, period, now: call.now(), version };
  const options = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, optionOf(call, name, field)]),
  );
  try {
    const audited = await auditExport(format, facts, options as unknown as AuditOptions[F]);
    return await answerMade(audited, contentTypes[format]);
  } catch (error) {
    if (error instanceof LackError) throw refusal("Parameter", error.ofParameters);
    if (error instanceof UsageError) throw refusal("Parameter", error.message);
    // `BodyIncomplete` here is a failure while making the file, not of the request body.
    throw error instanceof RefusedError && error.code === "BodyIncomplete" ? error.cause : error;
  }
}

function periodOf({ query }: RequestContext): DateRange {
  const [from, to] = [query.day("fromDate"), query.day("toDate")];
  if (from !== undefined && to !== undefined && from <= to) return { from, to };
  throw refusal("Parameter", "Give fromDate, and toDate not before it, as YYYY-MM-DD.");
}

function optionOf({ query }: RequestContext, name: string, field: Field) {
  if (field.kind === "boolean") return query.boolean(name);
  if (field.kind === "choice") return query.choice(name, field.values);
  if (field.kind === "integer") return query.integer(name, field.min ?? 0, field.max ?? 0);
  if (field.kind === "texts") return query.list(name);
  const text = query.get(name);
  return name === "accountMap" && text !== undefined ? accountMapIn(name, text) : text;
}

/** Makes inner requests in the name of the caller, each checked for its own permission. */
function requestsOf(call: RequestContext): PageRequests {
  const transport = call.serveWith(call, call);
  return {
    async read(path, query, extra) {
      const headers = { accept: "application/json", ...extra.headers };
      const response = await transport({ ...extra, method: "GET", path, query, headers });
      if (response.status < 400) return response;
      throw await decodeError(response.status, response.headers, await textOf(response.body));
    },
  };
}

function sourceOf(requests: PageRequests): AuditSource {
  return {
    list: (resource, query) => pagesOf(requests, resource, query),
    async attachments(resource, key) {
      const { body } = await requests.read(`${pathOf(resource)}/${key}/Attachments`, [], {});
      return (await answerOf(attachment, await textOf(body))).records;
    },
    async download(resource, key, name) {
      const path = `${pathOf(resource)}/${key}/Attachments/${encodeURIComponent(name)}`;
      const { body } = await requests.read(path, [], {});
      if (!isChunks(body)) throw new Error("A file comes in pieces.");
      return body;
    },
  };
}

async function answerMade(made: AuditExport, contentType: string): Promise<ServiceResponse> {
  const limits = { bytesMax: Number.POSITIVE_INFINITY, what: "An audit file" };
  const file = await spool(made.bytes(), limits).finally(() => made.remove());
  const notes = made.notes().join("\n");
  const body = bodyOf(file);
  await body.next();
  return {
    status: 200,
    headers: {
      "content-type": made.isBinary ? contentType : `${contentType}; charset=${made.charset}`,
      "content-length": String(file.bytes),
      "content-disposition": inlineDisposition(made.name),
      "x-content-type-options": "nosniff",
      ...(notes === "" ? {} : { [notesHeader]: encodeURIComponent(notes) }),
    },
    body,
  };
}

/** Yields the file, and closes it at the end or when the client disconnects. */
async function* bodyOf(file: SpooledFile): AsyncGenerator<Uint8Array> {
  await using _ = file;
  yield new Uint8Array();
  // The pieces share one buffer, so each is copied.
  for await (const filePiece of file.pieces(65_536)) yield Uint8Array.from(filePiece);
}
