/** The documents and the stock of the opening balances, which are ordinary records. */
import { isDeepStrictEqual } from "node:util";
import { outstandingLines } from "../../ledger/reports/opening-postings.ts";
import type { Cents, UnitAmount } from "../../resources/decimal.ts";
import { type DocumentResource, idOf, type Resource } from "../../resources/field.ts";
import { contact, creditNote, type DocumentName, invoice } from "../../resources/index.ts";
import type { LineItem } from "../../resources/line-item.ts";
import {
  type OpeningBalance,
  type OpeningDocument,
  openingBalance,
  stockContact,
} from "../../resources/opening-balance.ts";
import { validate } from "../../resources/validate.ts";
import { fetch } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { fold } from "../../wire/fold.ts";
import { loadContacts } from "../documents/load-references.ts";
import { isLive, type StoredDocument } from "../documents/stored-documents.ts";
import { loadChart } from "../lookups/chart-of-accounts.ts";
import { documentEndpointOf, invoices } from "../records/documents.ts";
import { contacts } from "../records/masters/contact.ts";
import type { OrganisationContext, RequestContext } from "../request/context.ts";
import type { Endpoint } from "../request/endpoint.ts";
import { Faults } from "../request/faults.ts";
import { enter } from "../request/history.ts";
import { writeAll } from "../request/write.ts";

export interface OpeningRequest extends OrganisationContext {
  readonly call: RequestContext;
  readonly tx: Tx;
}

const owed: readonly DocumentResource[] = [invoice, creditNote];

/** A document to create, change or remove. */
interface DocumentChange<S extends object> {
  /** Name of the document in messages. */
  readonly name: string;
  readonly input: object;
  readonly existing?: S | undefined;
}

type OpeningDocuments = Pick<OpeningBalance, "Date" | "Documents" | "Stock" | "StockDocumentID">;

/**
 * Creates, changes and removes documents until those of the opening balances match the record;
 * equal ones stay untouched.
 *
 * @returns the documents with their ids
 * @throws RefusedError with the faults of any of them
 */
export async function keepDocuments(
  request: OpeningRequest,
  { Date: day, Documents = [] }: OpeningDocuments,
  before: OpeningDocuments | undefined,
): Promise<OpeningDocument[]> {
  const { tx, organisation } = request;
  const historical = (await loadChart(tx)).system("HISTORICAL").Code;
  const keyOf = keyIn(organisation.BaseCurrency);
  const byKey = new Map((before?.Documents ?? []).map((document) => [keyOf(document), document]));
  const faults = new Faults();
  const wantedByKey = new Map<string, OpeningDocument>();
  for (const document of Documents) {
    const key = keyOf(document);
    if (wantedByKey.has(key)) faults.add("Unique", `${nameOf(document)} is named twice.`);
    if (document.Date > day)
      faults.add("Form", `${nameOf(document)} is of ${document.Date}, after the opening.`);
    if (document.CurrencyCode === undefined) {
      const fields = openingBalance.fields.Documents.fields;
      const ownFaults = validate(
        fields,
        { ...document, CurrencyCode: organisation.BaseCurrency },
        { creating: true },
      );
      faults.addAll(
        ownFaults.map((fault) => ({ ...fault, message: `${nameOf(document)}: ${fault.message}` })),
      );
    }
    wantedByKey.set(key, document);
  }
  faults.check();
  await addContacts(
    request,
    Documents.map(({ ContactName }) => ContactName),
  );
  const documentById = await storedDocuments(tx, [...byKey.values()]);
  const liveOf = (record: OpeningDocument | undefined) => {
    const document = documentById.get(record?.DocumentID ?? "");
    return document !== undefined && isLive(document) ? document : undefined;
  };
  const idByKey = new Map<string, string>();
  for (const resource of owed) {
    const isOfKind = (record: OpeningDocument) => resourceOf(record) === resource;
    const removals = [...byKey].flatMap(([key, each]) => {
      const liveDocument = liveOf(each);
      if (!isOfKind(each) || wantedByKey.has(key) || liveDocument === undefined) return [];
      return [{ key, name: nameOf(each), input: { Status: "VOIDED" }, existing: liveDocument }];
    });
    const changes = [...wantedByKey].flatMap(([key, each]) => {
      if (!isOfKind(each)) return [];
      const earlierDocument = byKey.get(key);
      const liveDocument = liveOf(earlierDocument);
      if (liveDocument !== undefined && isUnchanged(each, earlierDocument)) {
        idByKey.set(key, idOf(resource, liveDocument));
        return [];
      }
      const name = nameOf(each);
      const input = faults.collect(() => inputOf(each, organisation.BaseCurrency, historical));
      return input === undefined ? [] : [{ key, name, input, existing: liveDocument }];
    });
    faults.check();
    const endpoint = documentEndpointOf(resource.name as DocumentName);
    await write(request, resource, endpoint, removals);
    const writtenKeys = await write(request, resource, endpoint, changes);
    for (const [at, { key }] of changes.entries()) idByKey.set(key, writtenKeys[at] ?? "");
  }
  return Documents.map((document) => ({ ...document, DocumentID: idByKey.get(keyOf(document)) }));
}

/** Creates contacts for unknown names. */
async function addContacts({ call, tx }: OpeningRequest, names: readonly string[]): Promise<void> {
  const contactNames = [...new Map(names.map((Name) => [fold(Name), { Name }])).values()];
  const knownContacts = await loadContacts(tx, contactNames);
  const missing = contactNames.filter((each) => knownContacts.find(each) === undefined);
  if (missing.length === 0) return;
  await write(
    { call, tx },
    contact,
    contacts,
    missing.map((input) => ({ name: input.Name, input })),
  );
}

const resourceOf = ({ Type }: OpeningDocument): DocumentResource =>
  Type === "ACCREC" || Type === "ACCPAY" ? invoice : creditNote;

/** Returns the identifying fields of a document, which an approved one cannot change. */
const keyIn =
  (baseCurrency: string) =>
  ({ Type, Number: number, ContactName, CurrencyCode = baseCurrency }: OpeningDocument) =>
    [Type, fold(number), fold(ContactName), CurrencyCode].join("\n");

const nameOf = ({ Number: number, ContactName }: OpeningDocument) => `${number} of ${ContactName}`;

const isUnchanged = (first: OpeningDocument, earlier: OpeningDocument | undefined) =>
  isDeepStrictEqual(
    JSON.stringify({ ...first, DocumentID: undefined }),
    JSON.stringify({ ...earlier, DocumentID: undefined }),
  );

async function storedDocuments(
  tx: Tx,
  documents: readonly OpeningDocument[],
): Promise<ReadonlyMap<string, StoredDocument>> {
  const byKey = new Map<string, StoredDocument>();
  for (const resource of owed) {
    const ids = documents.flatMap(({ DocumentID }) => DocumentID ?? []);
    for (const record of await fetch(tx, resource, resource.id, ids)) {
      byKey.set(idOf(resource, record), record as unknown as StoredDocument);
    }
  }
  return byKey;
}

/** Returns the input for a document, scaled to its outstanding share. */
function inputOf(document: OpeningDocument, base: string, historical: string | undefined): object {
  const { Type, Number: number, ContactName, Date: date, AmountDue, Lines = [] } = document;
  const { DueDate, Reference, CurrencyCode = base, CurrencyRate } = document;
  const total = Lines.reduce((sum, { Amount }) => sum + Amount, 0) as Cents;
  const lines = outstandingLines(Lines, AmountDue ?? total, CurrencyCode);
  const isInvoice = resourceOf(document) === invoice;
  return {
    Type,
    Status: "AUTHORISED",
    [isInvoice ? "InvoiceNumber" : "CreditNoteNumber"]: number,
    Contact: { Name: ContactName },
    Date: date,
    ...(DueDate === undefined ? {} : { DueDate }),
    ...(Reference === undefined ? {} : { Reference }),
    CurrencyCode,
    ...(CurrencyRate === undefined ? {} : { CurrencyRate }),
    LineAmountTypes: "Inclusive",
    LineItems: lines.map(({ Description, Amount, TaxAmount, AccountCode, TaxType, Tracking }) => ({
      Description: Description ?? `Outstanding of ${number}`,
      Quantity: 10_000,
      UnitAmount: (Amount * 100) as UnitAmount,
      AccountCode: AccountCode ?? historical,
      ...((TaxType ?? AccountCode) === undefined ? { TaxType: "NONE" } : {}),
      ...(TaxType === undefined ? {} : { TaxType }),
      ...(TaxAmount === undefined ? {} : { TaxAmount }),
      ...(Tracking === undefined ? {} : { Tracking }),
    })),
  };
}

/**
 * @returns the ids of the written documents.
 * @throws RefusedError with the faults of all, each with its document's name
 */
async function write<S extends object, W>(
  { call, tx }: Pick<OpeningRequest, "call" | "tx">,
  resource: Resource,
  endpoint: Endpoint<S, W>,
  changes: readonly DocumentChange<S>[],
): Promise<string[]> {
  if (changes.length === 0) return [];
  const entries = await writeAll({ call, tx }, endpoint, changes);
  const faults = new Faults();
  for (const [at, { errors }] of entries.entries()) {
    const { name } = changes[at] ?? {};
    faults.addAll(errors.map((error) => ({ ...error, message: `${name}: ${error.message}` })));
  }
  faults.check();
  const ids: string[] = [];
  for (const { record, history } of entries) {
    const id = idOf(resource, record ?? {});
    await enter(call, tx, resource, id, ...history);
    ids.push(id);
  }
  return ids;
}

// --- stock ------------------------------------------------------------------------------------

const stockNumber = "Opening stock";

/**
 * Brings items to their quantities and costs by a bill with a total of zero: the cost is balanced
 * on Historical Adjustment, which the journal of the balances clears.
 *
 * @returns the id of the bill, where there is stock
 */
export async function keepStock(
  request: OpeningRequest,
  { Date: date, Stock = [] }: OpeningDocuments,
  stored: OpeningDocuments | undefined,
): Promise<string | undefined> {
  const { tx } = request;
  const earlierId = stored?.StockDocumentID;
  const [stock] = earlierId === undefined ? [] : await fetch(tx, invoice, "InvoiceID", [earlierId]);
  const existing = stock as unknown as StoredDocument | undefined;
  const isUnchanged = stored?.Date === date && isDeepStrictEqual(stored.Stock ?? [], Stock);
  if (existing !== undefined && isUnchanged) return earlierId;
  if (Stock.length === 0) {
    if (existing === undefined) return undefined;
    const cancellation = { name: stockNumber, input: { Status: "VOIDED" }, existing };
    await write(request, invoice, invoices, [cancellation]);
    return undefined;
  }
  const historical = (await loadChart(tx)).system("HISTORICAL").Code;
  const cost = Stock.reduce((sum, { Cost }) => sum + Cost, 0) as Cents;
  const input = {
    Type: "ACCPAY",
    Status: "AUTHORISED",
    InvoiceNumber: stockNumber,
    Contact: { Name: stockContact },
    Date: date,
    DueDate: date,
    LineAmountTypes: "NoTax",
    LineItems: [
      ...Stock.map(stockLine),
      {
        Description: "Cost of the stock that the books begin with",
        Quantity: 10_000,
        UnitAmount: (-cost * 100) as UnitAmount,
        AccountCode: historical,
      },
    ],
  };
  await addContacts(request, [stockContact]);
  const [id] = await write(request, invoice, invoices, [{ name: stockNumber, input, existing }]);
  return id;
}

/** Returns a line of an item, with the price that gives its cost. */
const stockLine = ({
  ItemCode,
  Quantity,
  Cost,
}: NonNullable<OpeningBalance["Stock"]>[number]): Partial<LineItem> => ({
  ItemCode,
  Description: `${ItemCode} on hand`,
  Quantity,
  LineAmount: Cost,
});
