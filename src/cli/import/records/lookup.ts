/** Looks up numbers, names and codes of the file in the book, many per request. */
import type { Client, ListQuery } from "../../../client/client.ts";
import type { Resource, Shape } from "../../../resources/field.ts";
import { type Invoice, invoice } from "../../../resources/invoice.ts";
import { fold as folded } from "../../../wire/fold.ts";
import { anyOf, compare } from "../../../wire/query/condition.ts";
import { groupWithinBounds, type LookupBounds } from "../../../wire/query/lookup-bounds.ts";

/** Normalises a text: compatibility forms of characters, and single blanks. */
const plainText = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[\s\u200b\ufeff]+/g, " ")
    .trim();

/**
 * Normalises texts of files for comparison: like the service, without letter case and accents, and
 * without artefacts of spreadsheets and copied pages, such as non-breaking spaces.
 */
export const fold = (text: string): string => folded(plainText(text));

/** Yields values also in normalised form, in which the book may have them. */
function* withNormalised(values: Iterable<string>): Generator<string> {
  for (const value of values) {
    yield value;
    const plainValue = plainText(value);
    if (plainValue !== value) yield plainValue;
  }
}

/**
 * Yields the records of which a field has one of the values, in any status.
 *
 * @param parameters  further parameters of the list
 */
export async function* withAny<R extends Resource>(
  client: Client,
  resource: R,
  path: string,
  values: Iterable<string>,
  bounds: LookupBounds,
  parameters: Readonly<Record<string, string>> = {},
): AsyncGenerator<Shape<R>> {
  for (const group of groupWithinBounds(
    withNormalised(values),
    bounds,
    encodeURIComponent(`${path}=="" OR `).length,
  )) {
    const where = anyOf(group.map((value) => compare(resource.fields, path, "==", value)));
    yield* client.list(resource, { where, parameters: { includeArchived: "true", ...parameters } });
  }
}

/**
 * Yields the invoices and bills with one of the numbers, in any status.
 *
 * @param query  further options of the list
 */
export async function* numbered(
  client: Client,
  numbers: Iterable<string>,
  bounds: LookupBounds,
  query: Pick<ListQuery, "parameters" | "unitDecimals">,
): AsyncGenerator<Invoice> {
  // The parameter is comma-separated; numbers with a comma are queried by a filter.
  const { plain = [], odd = [] } = Object.groupBy(withNormalised(numbers), (number) =>
    number.includes(",") ? "odd" : "plain",
  );
  for (const group of groupWithinBounds(plain, bounds, 1)) {
    const names = { InvoiceNumbers: group.join(","), includeArchived: "true" };
    yield* client.list(invoice, { ...query, parameters: { ...names, ...query.parameters } });
  }
  yield* withAny(client, invoice, "InvoiceNumber", odd, bounds, query.parameters);
}

/**
 * Whether a record of the book has all values that the file gives. Values missing in the file are
 * ignored. List elements are compared by index.
 */
export function isEqual(given: unknown, held: unknown): boolean {
  if (given === undefined || given === null || given === "") return true;
  if (typeof given !== "object") return given === (held ?? (typeof given === "number" ? 0 : false));
  if (Array.isArray(given)) {
    if (!Array.isArray(held)) return given.length === 0;
    return given.every((element, index) => doesElementAgree(element, held, index));
  }
  // The cost of moved goods is shown on request alone, and does not identify records.
  return Object.entries(given).every(
    ([name, value]) =>
      name === "StockCost" || isEqual(value, (held as Record<string, unknown> | undefined)?.[name]),
  );
}

/** Compares a list element: addresses and phones by type, others by index. */
function doesElementAgree(element: unknown, stored: readonly unknown[], index: number): boolean {
  const type = Object.keys(element as object).find((name) => /^(Address|Phone)Type$/.test(name));
  if (type === undefined) return isEqual(element, stored[index]);
  const typeValue = (element as Record<string, unknown>)[type];
  return isEqual(
    element,
    stored.find((value) => (value as Record<string, unknown>)[type] === typeValue),
  );
}
