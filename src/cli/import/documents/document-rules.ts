/**
 * Rules of invoices and bills: rows that share a number are one document, wherever in the file they
 * are.
 *
 * A document is imported as a whole or not at all: one invalid row refuses all its rows, since
 * users expect an invoice in the book to be complete. `--partial` omits invalid rows instead.
 */
import { amountText } from "../../../resources/common.ts";
import type { Invoice } from "../../../resources/invoice.ts";
import type { DescribedOptions, LocalRules } from "../described/local-rules.ts";
import { ContactBook, type KnownContact } from "../records/contact-book.ts";
import { type ImportRecord, type Refuse, refuseAll, refuseRows } from "../records/import-record.ts";
import { ItemList, type KnownItem } from "../records/item-list.ts";
import { fold, numbered } from "../records/lookup.ts";
import { rawText } from "../records/row-records.ts";
import { agreesWithFile, difference, linesTotal } from "./document-difference.ts";
import {
  contactOf,
  type DocumentRecord,
  type ImportedType,
  type Line,
  linesOf,
} from "./document-record.ts";
import { amountOfRow, headMerger, isComplete, lineRules, rowFaults } from "./document-rows.ts";
import { documentStored } from "./expected-document.ts";

/** The fault of a document, or of its lines by index from 0. */
type DocumentFault = string | ReadonlyMap<number, string>;

/** Statuses in which a document can be created. */
const firstStatuses = new Set(["DRAFT", "SUBMITTED", "AUTHORISED"]);

const nouns = {
  ACCREC: { one: "invoice", withArticle: "an invoice" },
  ACCPAY: { one: "bill", withArticle: "a bill" },
} as const;

export function documentRules(type: ImportedType, options: DescribedOptions): LocalRules {
  const { client, bounds, chart, mapping } = options;
  const lines = lineRules(type, options);
  const number = mapping.fields.find(({ target: { path } }) => path === "InvoiceNumber");
  const contacts = new ContactBook(client, bounds, options.contacts);
  const items = new ItemList(client, bounds);
  const settler = new Settler(type, options, contacts, items);
  return {
    label: ({ InvoiceNumber }) => String(InvoiceNumber),
    faults: (row) => rowFaults(row, lines),
    amountOf: (row) => amountOfRow(row, lines),
    merge: headMerger,
    rowOf: ({ InvoiceNumber, CurrencyCode }, cells) => ({
      label: String(InvoiceNumber ?? rawText(number, cells)),
      currency: String(CurrencyCode ?? chart.organisation.BaseCurrency),
    }),
    looseFault: (label) =>
      label
        ? undefined
        : `The row has no number of ${nouns[type].withArticle}, by which it would be known again.`,
    recordFault: (record) => documentFault(record, type, options),
    examine: (candidates, refuse) => settler.examine(candidates, refuse),
    made: () => ({ related: [contacts.related(), items.related()], notes: contacts.notes() }),
    finish: (candidate) => requestBody(candidate, type, contacts, items),
    need(candidate) {
      for (const each of relatedOf(candidate, contacts, items)) if (each) each.isNeeded = true;
    },
    // The service can try a document whose contact and items the book has.
    isWhole: (candidate) =>
      relatedOf(candidate, contacts, items).every((each) => each && each.input === undefined),
    // The message of the service names the line: `LineItem 3: …`, or `… (line 3)`.
    rowAtFault(message) {
      const line = /^LineItem (\d+): |\(line (\d+)\)/.exec(message);
      return line === null ? undefined : Number(line[1] ?? line[2]) - 1;
    },
  };
}

/** Returns why a document with valid rows cannot be imported; undefined when it can. */
function documentFault(
  candidate: ImportRecord,
  type: ImportedType,
  { chart, allowZero }: DescribedOptions,
): string | undefined {
  const { label } = candidate;
  const { one, withArticle } = nouns[type];
  const record = candidate.input as Partial<Invoice>;
  if (record.Type !== undefined && record.Type !== type) {
    return type === "ACCREC"
      ? "It is a bill, which acct import bills takes."
      : "It is a sales invoice, which acct import invoices takes.";
  }
  const capital = `${one[0]?.toUpperCase()}${one.slice(1)}`;
  const { ContactID, ContactNumber, Name } = contactOf(candidate);
  if ((ContactID ?? ContactNumber ?? Name) === undefined) {
    return `${capital} ${label} names no contact.`;
  }
  if (record.Date === undefined) return `${capital} ${label} has no date.`;
  if (record.Status !== undefined && !firstStatuses.has(record.Status)) {
    return `A new ${one} cannot be ${record.Status}; set the status with --status.`;
  }
  const cents = linesTotal(record.LineItems ?? []);
  if (cents !== undefined && cents < 0) {
    return `${label} comes to ${amountText(cents, record.CurrencyCode)}: it is a credit, not ${withArticle}, and needs a credit note.`;
  }
  if (cents === 0 && !allowZero) {
    return `${label} charges nothing; --allow-zero takes such ${one}s too.`;
  }
  const currencyFault =
    record.CurrencyCode === undefined ? undefined : chart.currencyFault(record.CurrencyCode);
  return currencyFault ?? chart.lockFault(record.Date);
}

/**
 * Returns the request body with the ids of created contacts and items; a text where one was
 * refused.
 */
function requestBody(
  candidate: DocumentRecord,
  type: ImportedType,
  contacts: ContactBook,
  items: ItemList,
): Record<string, unknown> | string {
  const contact = contacts.at(candidate.contactAt ?? -1);
  if (contact === undefined) return "Its contact is not known.";
  if (contact.error !== undefined) {
    return `Its contact ${contact.name} was refused: ${contact.error}`;
  }
  const LineItems: Line[] = [];
  for (const { Item: _, ...line } of linesOf(candidate)) {
    const item = line.ItemCode === undefined ? undefined : items.find(line.ItemCode);
    if (item?.error !== undefined) return `The item ${item.code} was refused: ${item.error}`;
    LineItems.push(item === undefined ? line : { ...line, ItemCode: item.code });
  }
  const Contact = { ContactID: contact.id };
  const input = { ...candidate.input, Type: type, LineItems, Contact };
  const { updates } = candidate;
  if (updates === undefined) return input;
  const updated: Record<string, unknown> = { ...input, InvoiceID: updates.InvoiceID };
  // A document that was paid meanwhile is past every status that a file can give.
  if (updates.Status === "PAID") delete updated.Status;
  return updated;
}

/** Returns the contact and the items of a document; undefined for those that are not known. */
function relatedOf(candidate: DocumentRecord, contacts: ContactBook, items: ItemList) {
  const codes = linesOf(candidate).flatMap(({ ItemCode }) => ItemCode ?? []);
  return [contacts.at(candidate.contactAt ?? -1), ...codes.map((code) => items.find(code))];
}

/** Decides verdicts of documents by comparison with the book. */
class Settler {
  readonly #type: ImportedType;
  readonly #options: DescribedOptions;
  readonly #contacts: ContactBook;
  readonly #items: ItemList;

  constructor(
    type: ImportedType,
    options: DescribedOptions,
    contacts: ContactBook,
    items: ItemList,
  ) {
    this.#type = type;
    this.#options = options;
    this.#contacts = contacts;
    this.#items = items;
  }

  async examine(candidates: readonly DocumentRecord[], refuse: Refuse): Promise<void> {
    await this.#contacts.lookUp(candidates.map(contactOf));
    await this.#items.lookUp(
      candidates.flatMap((candidate) =>
        linesOf(candidate).flatMap(({ ItemCode }) => ItemCode ?? []),
      ),
    );
    const invoicesByNumber = await this.#numbered(candidates);
    for (const candidate of candidates) {
      const fault = this.#settle(candidate, invoicesByNumber.get(fold(candidate.label)) ?? []);
      if (fault === undefined) continue;
      if (typeof fault === "string") refuseAll(candidate, fault, refuse);
      else {
        candidate.verdict = "refused";
        const reasons = [...fault].map(
          ([at, reason]) => [candidate.rows[at] ?? 0, reason] as const,
        );
        refuseRows(candidate, new Map(reasons), nouns[this.#type].one, refuse);
      }
    }
  }

  /** Returns the book's documents that have the numbers of the candidates, by case-folded number. */
  async #numbered(candidates: readonly DocumentRecord[]): Promise<Map<string, Invoice[]>> {
    const { client, bounds, onDuplicate } = this.#options;
    const invoicesByNumber = new Map<string, Invoice[]>();
    const takeInvoice = (invoice: Invoice) => {
      if (invoice.Type !== this.#type || invoice.InvoiceNumber === undefined) return;
      const key = fold(invoice.InvoiceNumber);
      const invoices = invoicesByNumber.get(key);
      if (invoices === undefined) invoicesByNumber.set(key, [invoice]);
      else invoices.push(invoice);
    };
    // Lines are requested only where they are compared.
    const parameters: Record<string, string> =
      onDuplicate === "update" ? {} : { summaryOnly: "true" };
    const numbers = candidates.map(({ label }) => label);
    const query = { parameters, unitDecimals: 4 } as const;
    for await (const invoice of numbered(client, numbers, bounds, query)) takeInvoice(invoice);
    return invoicesByNumber;
  }

  /**
   * Decides the verdict of a document.
   *
   * @returns the reason of a refusal, if any
   */
  #settle(candidate: DocumentRecord, numbered: readonly Invoice[]): DocumentFault | undefined {
    const { onDuplicate, recreate } = this.#options;
    const contact = this.#contacts.find(contactOf(candidate));
    if (typeof contact === "string") return contact;
    const namesakes =
      this.#type === "ACCREC"
        ? numbered
        : numbered.filter((invoice) => invoice.Contact?.ContactID === contact?.id);
    const liveInvoice = namesakes.find(isLive);
    if (liveInvoice !== undefined) return this.#settleExisting(candidate, liveInvoice, contact);
    const gone = namesakes.find((invoice) => difference(candidate, invoice, contact) === undefined);
    if (gone !== undefined && !recreate) {
      candidate.verdict = "existing";
      if (onDuplicate !== "error") return undefined;
      return `${candidate.label} exists already, ${gone.Status}; --recreate makes it again.`;
    }
    return this.#settleNew(candidate, contact);
  }

  #settleExisting(
    candidate: DocumentRecord,
    liveInvoice: Invoice,
    contact: KnownContact | undefined,
  ): DocumentFault | undefined {
    const { onDuplicate } = this.#options;
    if (onDuplicate === "error") return `${candidate.label} exists already.`;
    if (onDuplicate === "skip") {
      candidate.verdict = "existing";
      const differing = difference(candidate, liveInvoice, contact);
      return differing === undefined
        ? undefined
        : `Another ${nouns[this.#type].one} ${candidate.label} exists already, ${differing}.`;
    }
    if (agreesWithFile(candidate, liveInvoice, contact)) {
      candidate.verdict = "existing";
      return undefined;
    }
    candidate.verdict = "update";
    candidate.updates = { InvoiceID: liveInvoice.InvoiceID, Status: liveInvoice.Status };
    return this.#obtain(candidate);
  }

  #settleNew(
    candidate: DocumentRecord,
    contact: KnownContact | undefined,
  ): DocumentFault | undefined {
    candidate.verdict = "create";
    const { DueDate, Status } = candidate.input;
    if (DueDate === undefined && isComplete(Status) && !this.#hasTerms(contact)) {
      return `${candidate.label} has no due date, and no payment terms say when it is due; map one, with --map DueDate=InvoiceDate for example.`;
    }
    return this.#obtain(candidate);
  }

  #hasTerms(contact: KnownContact | undefined): boolean {
    const { chart } = this.#options;
    const side = this.#type === "ACCREC" ? "Sales" : "Bills";
    // The lookup omits the payment terms of existing contacts, so they are assumed to have some.
    return contact?.id !== undefined || chart.organisation.PaymentTerms?.[side]?.Type !== undefined;
  }

  /** Resolves contact and items, or marks them for creation, if the document has no fault. */
  #obtain(candidate: DocumentRecord): DocumentFault | undefined {
    const lines = linesOf(candidate);
    const complete = isComplete(candidate.input.Status);
    const contactFault = this.#contacts.fault(contactOf(candidate));
    const faultByIndex = new Map<number, string>();
    for (const [at, line] of lines.entries()) {
      const fault = this.#itemFault(line, complete);
      if (fault !== undefined) faultByIndex.set(at, joinedTexts(contactFault, fault));
    }
    if (faultByIndex.size > 0) return faultByIndex;
    const contact = contactFault ?? this.#contacts.obtain(contactOf(candidate));
    if (typeof contact === "string") return contact;
    candidate.contactAt = contact.at;
    for (const { ItemCode, Description, Item } of lines) {
      if (ItemCode !== undefined) this.#items.obtain(ItemCode, Description, Item);
    }
    candidate.stored = documentStored(candidate, contact, {
      chart: this.#options.chart,
      type: this.#type,
      items: this.#items,
    });
    return undefined;
  }

  #itemFault(line: Line, complete: boolean): string | undefined {
    if (line.ItemCode === undefined) return undefined;
    const knownItem = this.#items.find(line.ItemCode);
    if (knownItem === undefined && !this.#options.createItems) {
      return `There is no item ${line.ItemCode}; make it first, or give --create-items.`;
    }
    return itemFault(line, knownItem, this.#type, complete);
  }
}

function joinedTexts(firstText: string | undefined, second: string): string {
  return firstText === undefined ? second : `${firstText} ${second}`;
}

function isLive({ Status }: Invoice): boolean {
  return Status !== "VOIDED" && Status !== "DELETED";
}

/** Returns the required field that neither the line nor its item has; undefined when complete. */
function itemFault(
  line: Line,
  knownItem: KnownItem | undefined,
  type: ImportedType,
  complete: boolean,
): string | undefined {
  const item = knownItem?.found;
  const isSale = type === "ACCREC";
  const details = isSale ? item?.SalesDetails : item?.PurchaseDetails;
  if (item !== undefined && !(isSale ? item.IsSold : item.IsPurchased)) {
    return `The item ${item.Code} is not ${isSale ? "sold" : "purchased"}.`;
  }
  const isPriced = line.UnitAmount !== undefined || line.LineAmount !== undefined;
  if (!isPriced && details?.UnitPrice === undefined) {
    return `The row has no price, nor has the item ${line.ItemCode}.`;
  }
  if (!complete) return undefined;
  const account = line.AccountCode ?? details?.AccountCode ?? item?.InventoryAssetAccountCode;
  if (account === undefined)
    return `The row has no AccountCode, nor has the item ${line.ItemCode}.`;
  const text = line.Description ?? item?.Description ?? item?.PurchaseDescription ?? item?.Name;
  return text === undefined
    ? `The row has no description, nor has the item ${line.ItemCode}.`
    : undefined;
}
