/** Finds records by id, number, code or name. */

import { NotFoundError, RefusedError } from "../resources/errors.ts";
import { idOf, isHandle, type Resource, type Shape } from "../resources/field.ts";
import { answerOf, pageSize } from "../wire/pages.ts";
import { anyOf, compare, isGuid } from "../wire/query/condition.ts";
import { onlyRecord, type Requests, recordPath } from "./requests.ts";
import type { Client } from "./types.ts";

/** Statuses of inactive records, whose names may be reused. */
const goneStatuses = new Set(["ARCHIVED", "DELETED", "VOIDED"]);

/**
 * Returns the function that finds a record.
 *
 * @param list  used for names, which the service accepts only in filters
 */
export function createFind({ get, form }: Requests, list: Client["list"]): Client["find"] {
  return async (resource, key, query = {}) => {
    const named = isShortId(resource, key)
      ? await findByShortId(resource, key, list)
      : mayStandInPath(resource, key)
        ? undefined
        : await byName(resource, key, list);
    if (named !== undefined && query.fields?.every((field) => field in named)) return named;
    const id = named === undefined ? key : idOf(resource, named);
    const parameters = [...Object.entries(query.parameters ?? {}), ...form(resource, query)];
    const body = await get(recordPath(resource, id), parameters).catch((error: unknown) => {
      throw error instanceof NotFoundError ? absentError(resource, key, error) : error;
    });
    return onlyRecord(resource, await answerOf(resource, body));
  };
}

/** Whether a key is the beginning of an id, by which records without a number or handle are shown. */
export const isShortId = (resource: Resource, key: string): boolean =>
  resource.fields.Handle !== undefined &&
  nameFields(resource).length === 0 &&
  /^[0-9a-f]{8}$/i.test(key);

/**
 * Finds a record by the first digits of its id.
 *
 * @throws NotFoundError, RefusedError `Ambiguous`
 */
async function findByShortId<R extends Resource>(
  resource: R,
  key: string,
  list: Client["list"],
): Promise<Shape<R>> {
  const matches: Shape<R>[] = [];
  for await (const record of list(resource, {})) {
    if (idOf(resource, record).startsWith(key.toLowerCase())) matches.push(record);
  }
  const [only, ...others] = matches;
  if (only === undefined) throw absentError(resource, key);
  if (others.length === 0) return only;
  const ids = matches.map((record) => idOf(resource, record)).join(", ");
  throw new RefusedError(
    "Ambiguous",
    `There are ${matches.length} of ${resource.noun} ${key}: ${ids}.`,
  );
}

function absentError({ noun }: Resource, key: string, cause?: unknown): NotFoundError {
  return new NotFoundError("NotFound", `There is no ${noun} ${key}.`, [], { cause });
}

/**
 * Finds a record by name with a filter.
 *
 * @throws NotFoundError, RefusedError `Ambiguous`
 */
async function byName<R extends Resource>(
  resource: R,
  key: string,
  list: Client["list"],
): Promise<Shape<R>> {
  const names = [...nameFields(resource), ...(isHandle(resource, key) ? ["Handle"] : [])];
  const condition = anyOf(names.map((name) => compare(resource.fields, name, "==", key)));
  const records: Shape<R>[] = [];
  // Two active records make a name ambiguous; inactive ones do not, so a whole page is read.
  const query = { where: condition, parameters: { includeArchived: "true" }, limit: pageSize };
  for await (const record of list(resource, query)) records.push(record);
  const inUse = records.filter((record) => !goneStatuses.has(statusOf(record) ?? ""));
  const fits = inUse.length > 0 ? inUse : records;
  if (fits.length > 1) {
    const ids = fits.map((record) => idOf(resource, record));
    throw new RefusedError(
      "Ambiguous",
      `There are ${fits.length} of ${resource.noun} ${key}; name one by its id: ${ids.join(", ")}.`,
    );
  }
  const match = fits[0];
  if (match === undefined) throw absentError(resource, key);
  return match;
}

/** Returns the fields by which a record may be named, other than the id. */
function nameFields(resource: Resource): string[] {
  const named = Object.keys(resource.fields).filter((name) => resource.fields[name]?.key === true);
  return [...new Set([...(resource.keys ?? []), ...named])].filter((name) => name !== resource.id);
}

/** Whether the service accepts this key in a path, rather than in a filter only. */
function mayStandInPath(resource: Resource, key: string): boolean {
  const names = nameFields(resource);
  return (
    names.length === 0 ||
    resource.fields[resource.id]?.kind !== "id" ||
    isGuid(key) ||
    names.every((name) => resource.keys?.includes(name) === true)
  );
}

function statusOf(record: object): string | undefined {
  const { Status, ContactStatus } = record as { Status?: string; ContactStatus?: string };
  return Status ?? ContactStatus;
}
