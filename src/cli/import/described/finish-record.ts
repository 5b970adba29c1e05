/** Steps after the creation of a record that cannot be made in a single request. */
import { allocateOn } from "../../../client/allocate-on.ts";
import { recordPath } from "../../../client/client.ts";
import type { Client } from "../../../client/types.ts";
import type { Allocation } from "../../../resources/allocation.ts";
import { bankStatement } from "../../../resources/bank-statement.ts";
import { currency, exchangeRate } from "../../../resources/currency.ts";
import { NotFoundError } from "../../../resources/errors.ts";
import { type FieldValues, type Input, idOf, type Resource } from "../../../resources/field.ts";
import { invoice } from "../../../resources/invoice.ts";
import { overpayment, prepayment } from "../../../resources/prepayment.ts";
import { trackingCategory, trackingOption } from "../../../resources/tracking-category.ts";
import { allOf, compare } from "../../../wire/query/condition.ts";
import { fold } from "../records/lookup.ts";
import type { DescribedKind } from "./described-kinds.ts";

/** Maximum count of statement lines in one request. */
export const statementLinesMax = 2_000;

/** Fields that are sent after the creation of a record. */
const sentLater: Readonly<Record<string, readonly string[]>> = {
  TrackingCategory: ["Options"],
  Currency: ["Rates"],
  CreditNote: ["Allocations"],
  BankTransaction: ["Allocations"],
  // The service assigns the tax type.
  TaxRate: ["TaxType"],
};

/** Returns the request body that creates a record from the file's values. */
export function inputFor(kind: DescribedKind, fields: FieldValues): Record<string, unknown> {
  const { resource, statuses, groupedBy } = kind;
  const input: Record<string, unknown> = { ...fields };
  // An id of another book has no meaning here.
  if (resource.fields[groupedBy]?.kind === "id") delete input[groupedBy];
  for (const name of sentLater[resource.name] ?? []) delete input[name];
  const [first] = statuses?.[String(fields.Status)] ?? [];
  if (first !== undefined) input.Status = first;
  if (resource === bankStatement) {
    input.StatementLines = linesOf(fields).slice(0, statementLinesMax);
  }
  return input;
}

const linesOf = ({ StatementLines }: FieldValues) =>
  (StatementLines ?? []) as readonly FieldValues[];

/**
 * Runs the remaining steps of a created record.
 *
 * @throws RefusedError, NotFoundError
 */
export async function complete(
  client: Client,
  kind: DescribedKind,
  input: FieldValues,
  record: FieldValues,
): Promise<void> {
  const { resource } = kind;
  if (resource === trackingCategory) await addOptions(client, input, record);
  if (resource === currency) await addRates(client, input);
  if (resource === bankStatement) await addLines(client, input, record);
  await allocate(client, kind, input, record);
  await bringForward(client, kind, input, record);
}

async function bringForward(
  client: Client,
  { resource, statuses }: DescribedKind,
  input: FieldValues,
  record: FieldValues,
): Promise<void> {
  const path = statuses?.[String(input.Status)] ?? [];
  const statusesLeft = path.slice(path.indexOf(String(record.Status)) + 1);
  if (record.Status === input.Status) return;
  for (const Status of statusesLeft) {
    await client.update(resource, idOf(resource, record), { Status } as Input<Resource>);
  }
}

async function addOptions(client: Client, input: FieldValues, record: FieldValues): Promise<void> {
  const categoryPath = recordPath(trackingCategory, idOf(trackingCategory, record));
  for (const Name of findLackingOptions(input, record)) {
    await client.create(trackingOption, { Name }, { under: categoryPath });
  }
}

/** Takes the options of a tracking category out of use that the file has as archived. */
export async function removeOptions(client: Client, input: FieldValues, record: FieldValues) {
  const under = recordPath(trackingCategory, String(record.TrackingCategoryID));
  const optionsOf = ({ Options }: FieldValues) => (Options ?? []) as Option[];
  const archived = new Set(
    optionsOf(input).flatMap(({ Name, Status }) => (Status === "ARCHIVED" ? fold(Name) : [])),
  );
  for (const { Name, Status, TrackingOptionID = "" } of optionsOf(record)) {
    if (Status !== "ACTIVE" || !archived.has(fold(Name))) continue;
    await client.remove(trackingOption, TrackingOptionID, { under });
  }
}

type Option = {
  readonly Name: string;
  readonly Status?: string;
  readonly TrackingOptionID?: string;
};

/** Returns the options of the file that a tracking category lacks, without archived ones. */
export function findLackingOptions(input: FieldValues, stored: FieldValues): string[] {
  const own = new Set(((stored.Options ?? []) as Option[]).map(({ Name }) => Name.toLowerCase()));
  return ((input.Options ?? []) as Option[])
    .filter(({ Name, Status = "ACTIVE" }) => Status === "ACTIVE" && !own.has(Name.toLowerCase()))
    .map(({ Name }) => Name);
}

async function addRates(client: Client, input: FieldValues): Promise<void> {
  const rates = (input.Rates ?? []) as Input<typeof exchangeRate>[];
  const currencyPath = recordPath(currency, String(input.Code));
  for (let startIndex = 0; startIndex < rates.length; startIndex += exchangeRate.batchMax) {
    const some = rates.slice(startIndex, startIndex + exchangeRate.batchMax);
    await client.writeMany("PUT", exchangeRate, some, { under: currencyPath });
  }
}

async function addLines(client: Client, input: FieldValues, record: FieldValues): Promise<void> {
  const lines = linesOf(input);
  for (let startAt = statementLinesMax; startAt < lines.length; startAt += statementLinesMax) {
    const StatementLines = lines.slice(startAt, startAt + statementLinesMax) as never;
    await client.update(bankStatement, idOf(bankStatement, record), { StatementLines });
  }
}

/** Returns the kind of credit that a bank transaction creates. */
function creditOf({ resource }: DescribedKind, { Type = "" }: FieldValues): Resource {
  if (String(Type).endsWith("-PREPAYMENT")) return prepayment;
  return String(Type).endsWith("-OVERPAYMENT") ? overpayment : resource;
}

/**
 * Returns the allocations of a credit in the file that the book lacks; undefined where there are
 * none.
 */
export async function lackingAllocations(
  client: Client,
  kind: DescribedKind,
  input: FieldValues,
  stored: FieldValues,
): Promise<readonly Partial<Allocation>[] | undefined> {
  const wantedOnes = (input.Allocations ?? []) as readonly Partial<Allocation>[];
  if (wantedOnes.length === 0) return undefined;
  const id = idOf(kind.resource, stored);
  const { Allocations = [] } = (await client.find(creditOf(kind, input), id)) as FieldValues;
  const storedTexts = (Allocations as readonly Partial<Allocation>[]).map(textOf);
  const lackingOnes = wantedOnes.filter((allocation) => {
    const at = storedTexts.indexOf(textOf(allocation));
    if (at >= 0) storedTexts.splice(at, 1);
    return at < 0;
  });
  return lackingOnes.length === 0 ? undefined : lackingOnes;
}

const textOf = ({ AppliedAmount, Date: day, Invoice }: Partial<Allocation>): string =>
  [AppliedAmount, day, Invoice?.InvoiceNumber].join("|");

async function allocate(
  client: Client,
  kind: DescribedKind,
  fields: FieldValues,
  record: FieldValues,
): Promise<void> {
  const allocations = (fields.Allocations ?? []) as readonly Partial<Allocation>[];
  if (allocations.length === 0) return;
  const credit = creditOf(kind, fields);
  const creditPath = recordPath(credit, idOf(kind.resource, record));
  const { ContactID = "" } = record.Contact as { readonly ContactID?: string };
  const isSales = /^(?:ACCREC|RECEIVE)/.test(String(fields.Type));
  for (const { AppliedAmount, Date: day, Invoice } of allocations) {
    const number = Invoice?.InvoiceNumber ?? "";
    const condition = allOf([
      compare(invoice.fields, "InvoiceNumber", "==", number),
      compare(invoice.fields, "Type", "==", isSales ? "ACCREC" : "ACCPAY"),
      compare(invoice.fields, "Contact.ContactID", "==", ContactID),
      'Status!="VOIDED" AND Status!="DELETED"',
    ]);
    const [document] = await Array.fromAsync(client.list(invoice, { where: condition, limit: 1 }));
    if (document === undefined) {
      const message = `It is made, but there is no ${isSales ? "invoice" : "bill"} ${number} of its contact to apply it to.`;
      throw new NotFoundError("NotFound", message);
    }
    const datePart = day === undefined ? {} : { Date: day };
    const input = { AppliedAmount, Invoice: { InvoiceID: document.InvoiceID }, ...datePart };
    await allocateOn(client, credit, input, creditPath);
  }
}
