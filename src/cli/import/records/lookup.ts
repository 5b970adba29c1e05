/** Finding what the book has of the file's numbers, names and codes, many at a time. */
import type { Client, ListQuery } from "../../../client/client.ts";
import type { Resource, Shape } from "../../../resources/field.ts";
import { type Invoice, invoice } from "../../../resources/invoice.ts";
import { fold as folded } from "../../../wire/fold.ts";
import { anyOf, compare } from "../../../wire/query/condition.ts";
import { inBounds, type LookupBounds } from "../../../wire/query/lookup-bounds.ts";

/** A text in its plain form: of one kind of letters and figures, with single blanks. */
const plainText = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[\s\u200b\ufeff]+/g, " ")
    .trim();

/**
 * Texts of files as they are compared: as the service does it, without regard to case and accents,
 * and without what a spreadsheet or a copied page adds, such as a blank that does not break.
 */
export const fold = (text: string): string => folded(plainText(text));

/** Also in their plain form, in which the book may have them. */
function* spelt(values: Iterable<string>): Generator<string> {
  for (const value of values) {
    yield value;
    const plain = plainText(value);
    if (plain !== value) yield plain;
  }
}

/**
 * The records whose field has one of the values, whatever their status.
 *
 * @param parameters  of the list, besides
 */
export async function* withAny<R extends Resource>(
  client: Client,
  resource: R,
  path: string,
  values: Iterable<string>,
  bounds: LookupBounds,
  parameters: Readonly<Record<string, string>> = {},
): AsyncGenerator<Shape<R>> {
  for (const group of inBounds(
    spelt(values),
    bounds,
    encodeURIComponent(`${path}=="" OR `).length,
  )) {
    const where = anyOf(group.map((value) => compare(resource.fields, path, "==", value)));
    yield* client.list(resource, { where, parameters: { includeArchived: "true", ...parameters } });
  }
}

/**
 * The invoices and bills that bear one of the numbers, whatever their status.
 *
 * @param query  what is asked of the list besides
 */
export async function* numbered(
  client: Client,
  numbers: Iterable<string>,
  bounds: LookupBounds,
  query: Pick<ListQuery, "parameters" | "unitDecimals">,
): AsyncGenerator<Invoice> {
  // The parameter is a list with commas; a number that has one itself is asked for otherwise.
  const { plain = [], odd = [] } = Object.groupBy(spelt(numbers), (number) =>
    number.includes(",") ? "odd" : "plain",
  );
  for (const group of inBounds(plain, bounds, 1)) {
    const names = { InvoiceNumbers: group.join(","), includeArchived: "true" };
    yield* client.list(invoice, { ...query, parameters: { ...names, ...query.parameters } });
  }
  yield* withAny(client, invoice, "InvoiceNumber", odd, bounds, query.parameters);
}

/**
 * Whether what the file says of a record is what the book has.
 *
 * What the file does not say is no difference. Elements of lists are compared by their place.
 */
export function agrees(said: unknown, held: unknown): boolean {
  if (said === undefined || said === null || said === "") return true;
  if (typeof said !== "object") return said === (held ?? (typeof said === "number" ? 0 : false));
  if (Array.isArray(said)) {
    if (!Array.isArray(held)) return said.length === 0;
    return said.every((element, index) => elementAgrees(element, held, index));
  }
  // At what cost goods have moved is shown only where it is asked for, and tells no records apart.
  return Object.entries(said).every(
    ([name, value]) =>
      name === "StockCost" || agrees(value, (held as Record<string, unknown> | undefined)?.[name]),
  );
}

/** Addresses and phones are told apart by their type, others by their place. */
function elementAgrees(element: unknown, held: readonly unknown[], index: number): boolean {
  const type = Object.keys(element as object).find((name) => /^(Address|Phone)Type$/.test(name));
  if (type === undefined) return agrees(element, held[index]);
  const wanted = (element as Record<string, unknown>)[type];
  return agrees(
    element,
    held.find((each) => (each as Record<string, unknown>)[type] === wanted),
  );
}
