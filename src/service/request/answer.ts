/** Writes answers in the format that the caller accepts. */
import type { Fields, Resource } from "../../resources/field.ts";
import type { Pagination, View, WriteOutcome } from "../../wire/codec.ts";
import { encodeObject, encodeObjects, encodeRecords } from "../../wire/encode/encode.ts";
import { envelop } from "../../wire/encode/envelope.ts";
import { contentTypeOf } from "../../wire/format.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { unitDecimalsOf as decimalsOf, type RequestContext } from "./context.ts";

export interface AnswerOptions {
  readonly unitDecimals?: 2 | 4;
  readonly pagination?: Pagination;
  readonly outcomes?: readonly WriteOutcome[];
}

export function envelopeOf(call: RequestContext) {
  return { id: call.responseId(), provider: call.principal.appName, at: call.now() };
}

/** Returns an answer with a body in the format of the call. */
export function answerWith(call: RequestContext, body: string): ServiceResponse {
  const { accept } = call.request.headers;
  return { status: 200, headers: { "content-type": contentTypeOf(call.format, accept) }, body };
}

/** Answers records of a resource. */
export function answer(
  call: RequestContext,
  resource: Resource,
  records: readonly object[],
  view: View,
  options: AnswerOptions = {},
): ServiceResponse {
  const { pagination, outcomes, unitDecimals = decimalsOf(call, resource) } = options;
  const form = { view, unitDecimals, outcomes, handles: hasHandles(call, resource) };
  return answerWritten(call, encodeRecords(call.format, resource, records, form), pagination);
}

/**
 * Whether records are answered with their handles, the short keys for people: always those of
 * extensions, others by `handles=true`.
 */
export const hasHandles = ({ query }: RequestContext, { extension }: Resource): boolean =>
  extension ?? query.boolean("handles") ?? false;

/** Answers records that `encodeRecords` has encoded. */
export function answerWritten(
  call: RequestContext,
  written: string,
  pagination?: Pagination,
): ServiceResponse {
  return answerWith(call, envelop(call.format, { ...envelopeOf(call), pagination }, written));
}

/** Answers a few fields of a list for a caller in the same process, as objects without encoding. */
export function answerFields(
  call: RequestContext,
  { plural }: Resource,
  records: readonly object[],
  pagination: Pagination | undefined,
): ServiceResponse {
  return { ...answerWith(call, ""), held: { plural, records, pagination } };
}

/** Answers a list of plain objects that are no resource records. */
export async function answerObjects(
  call: RequestContext,
  list: string,
  child: string,
  fields: Fields,
  objects: readonly object[],
): Promise<ServiceResponse> {
  return answerWith(
    call,
    encodeObjects(call.format, list, child, fields, objects, envelopeOf(call)),
  );
}

/**
 * Answers the record that an action results in, as a list of one. In JSON its fields are also
 * beside the list, where some public clients read them; `Status` there is the envelope's status.
 */
export function answerResult(
  call: RequestContext,
  resource: Resource,
  record: object,
): ServiceResponse {
  const hasHandle = hasHandles(call, resource);
  const form = { view: "single", unitDecimals: 4, handles: hasHandle } as const;
  const body = encodeRecords(call.format, resource, [record], form);
  if (call.format === "xml") return answerWritten(call, body);
  const members = encodeObject("json", resource.name, resource.fields, record).slice(1, -1);
  return answerWritten(call, `${body},${members}`);
}

export const noContent: ServiceResponse = { status: 204, headers: {}, body: "" };
