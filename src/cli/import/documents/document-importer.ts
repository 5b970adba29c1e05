/**
 * Invoices and bills: rows that share a number are one document, wherever in the file they stand.
 *
 * A document is all or nothing: if one of its rows is bad, the others are refused with it, because a
 * bookkeeper who finds an invoice in the books takes it for the whole of it. `--partial` leaves bad
 * rows out instead.
 */
import type { Client } from "../../../client/client.ts";
import { amountText } from "../../../resources/common.ts";
import { type Invoice, invoice } from "../../../resources/invoice.ts";
import type { CsvRow } from "../../../wire/csv.ts";
import type { LookupBounds } from "../../../wire/query/lookup-bounds.ts";
import type { Mapped, Mapping } from "../mapping/mapping.ts";
import { ContactBook, type ContactOptions, type KnownContact } from "../records/contact-book.ts";
import type { ImportChart } from "../records/import-chart.ts";
import {
  type Importer,
  type Refuse,
  type Related,
  refuseAll,
  refuseRows,
} from "../records/import-record.ts";
import { ItemList, type KnownItem } from "../records/item-list.ts";
import { fold, numbered } from "../records/lookup.ts";
import { rawText } from "../records/row-records.ts";
import { difference, isAsSaid, linesTotal } from "./document-difference.ts";
import {
  DocumentInProgress,
  type DocumentRecord,
  isComplete,
  type Line,
  linesOf,
} from "./document-record.ts";
import { documentStored } from "./expected-document.ts";
import { DocumentFields, RowReader } from "./row-reader.ts";

export interface DocumentOptions {
  readonly type: "ACCREC" | "ACCPAY";
  readonly client: Client;
  readonly bounds: LookupBounds;
  readonly chart: ImportChart;
  readonly mapping: Mapping;
  readonly decimal: "comma" | "point" | undefined;
  readonly contacts: ContactOptions;
  readonly createItems: boolean;
  readonly onDuplicate: "skip" | "update" | "error";
  readonly partial: boolean;
  readonly allowZero: boolean;
  readonly recreate: boolean;
}

/** What is wrong with a document, or with some of its lines, which are counted from 0. */
type DocumentFault = string | ReadonlyMap<number, string>;

/** Statuses in which a document may be made. */
const firstStatuses = new Set(["DRAFT", "SUBMITTED", "AUTHORISED"]);

export class DocumentImporter implements Importer {
  readonly resource = invoice;
  readonly one: string;
  readonly several: string;
  readonly #options: DocumentOptions;
  readonly #contacts: ContactBook;
  readonly #items: ItemList;
  readonly #fields: DocumentFields;
  readonly #rows: RowReader;
  readonly #number: Mapped | undefined;

  constructor(options: DocumentOptions) {
    const { mapping, client, bounds } = options;
    this.#options = options;
    this.one = options.type === "ACCREC" ? "invoice" : "bill";
    this.several = `${this.one}s`;
    this.#contacts = new ContactBook(client, bounds, options.contacts);
    this.#items = new ItemList(client, bounds);
    this.#fields = new DocumentFields(mapping);
    this.#rows = new RowReader(options, this.#fields);
    this.#number = this.#fields.named("record", "InvoiceNumber");
  }

  /** One of them, with its article. */
  get #a(): string {
    return this.#options.type === "ACCREC" ? "an invoice" : "a bill";
  }

  get related(): readonly Related[] {
    return [this.#contacts.related(), this.#items.related()];
  }

  notes(): readonly string[] {
    return this.#contacts.notes();
  }

  /** The number as the service compares it; a bill's number is its supplier's own. */
  keyOf(cells: readonly string[]): string {
    const number = fold(rawText(this.#number, cells));
    if (this.#options.type === "ACCREC" || number === "") return number;
    const keys = ["ContactID", "ContactNumber", "Name"].map((name) =>
      this.#fields.named("contact", name),
    );
    const contact = keys.map((key) => rawText(key, cells)).find((text) => text !== "");
    return `${number}\u0000${fold(contact ?? "")}`;
  }

  // --- from rows to a document ---------------------------------------------------------------

  build(rows: readonly CsvRow[], refuse: Refuse): DocumentRecord[] {
    const document = new DocumentInProgress();
    for (const row of rows) this.#rows.gather(document, row);
    const number = String(
      document.record.InvoiceNumber ?? rawText(this.#number, rows[0]?.cells ?? []),
    );
    const currency = String(
      document.record.CurrencyCode ?? this.#options.chart.organisation.BaseCurrency,
    );
    const said = { label: number, rows: document.rows, amounts: document.amounts, currency };
    const { reasons } = document;
    if (number === "") {
      // These rows have nothing in common, so what is wrong between them says nothing.
      const none = `The row has no number of ${this.#a}, by which it would be known again.`;
      const own = rows.map(({ row, fault }) => [row, fault ? `The row ${fault}.` : none] as const);
      refuseRows(said, new Map(own), this.one, refuse);
      return [];
    }
    const isWhole = reasons.size === 0 || (this.#options.partial && reasons.size < rows.length);
    if (!isWhole) {
      refuseRows(said, reasons, this.one, refuse);
      return [];
    }
    refuseSome(said, reasons, refuse);
    const kept = reasons.size === 0 ? document : document.without(reasons);
    const candidate = this.#drafted(kept, number, currency);
    const fault = this.#typeFault(kept.record.Type) ?? this.#documentFault(candidate);
    if (fault === undefined) return [candidate];
    refuseAll(candidate, fault, refuse);
    return [];
  }

  #drafted(kept: DocumentInProgress, number: string, currency: string): DocumentRecord {
    return {
      label: number,
      number,
      rows: kept.rows,
      amounts: kept.amounts,
      currency,
      verdict: "create",
      bytes: kept.bytes,
      input: { ...kept.record, Type: this.#options.type, LineItems: kept.lines },
      contact: kept.contact,
      items: kept.items,
      updates: undefined,
      contactAt: undefined,
    };
  }

  #typeFault(said: unknown): string | undefined {
    if (said === undefined || said === this.#options.type) return undefined;
    const [is, command] = said === "ACCPAY" ? ["a bill", "bills"] : ["a sales invoice", "invoices"];
    return `It is ${is}, which acct import ${command} takes.`;
  }

  /** Why a document cannot be taken that has no bad row; undefined when it can. */
  #documentFault(candidate: DocumentRecord): string | undefined {
    const { chart, allowZero } = this.#options;
    const { number, contact } = candidate;
    const record = candidate.input as Partial<Invoice>;
    const capital = `${this.one[0]?.toUpperCase()}${this.one.slice(1)}`;
    const key = contact.ContactID ?? contact.ContactNumber ?? contact.Name;
    if (key === undefined) return `${capital} ${number} names no contact.`;
    if (record.Date === undefined) return `${capital} ${number} has no date.`;
    if (record.Status !== undefined && !firstStatuses.has(record.Status)) {
      return `A new ${this.one} cannot be ${record.Status}; set the status with --status.`;
    }
    const cents = linesTotal(record.LineItems ?? []);
    if (cents !== undefined && cents < 0) {
      return `${number} comes to ${amountText(cents, record.CurrencyCode)}: it is a credit, not ${this.#a}, and needs a credit note.`;
    }
    if (cents === 0 && !allowZero) {
      return `${number} charges nothing; --allow-zero takes such ${this.several} too.`;
    }
    return chart.lockFault(record.Date);
  }

  // --- against the book ----------------------------------------------------------------------

  async examine(candidates: readonly DocumentRecord[], refuse: Refuse): Promise<void> {
    await this.#contacts.lookUp(candidates.map(({ contact }) => contact));
    await this.#items.lookUp(
      candidates.flatMap((candidate) =>
        linesOf(candidate).flatMap(({ ItemCode }) => ItemCode ?? []),
      ),
    );
    const held = await this.#numbered(candidates);
    for (const candidate of candidates) {
      const fault = this.#settle(candidate, held.get(fold(candidate.number)) ?? []);
      if (fault === undefined) continue;
      if (typeof fault === "string") refuseAll(candidate, fault, refuse);
      else {
        candidate.verdict = "refused";
        const reasons = [...fault].map(
          ([at, reason]) => [candidate.rows[at] ?? 0, reason] as const,
        );
        refuseRows(candidate, new Map(reasons), this.one, refuse);
      }
    }
  }

  /** What the book has under the numbers of these documents, by folded number. */
  async #numbered(candidates: readonly DocumentRecord[]): Promise<Map<string, Invoice[]>> {
    const { client, bounds, type, onDuplicate } = this.#options;
    const found = new Map<string, Invoice[]>();
    const take = (each: Invoice) => {
      if (each.Type !== type || each.InvoiceNumber === undefined) return;
      const key = fold(each.InvoiceNumber);
      const held = found.get(key);
      if (held === undefined) found.set(key, [each]);
      else held.push(each);
    };
    // Lines are only needed where they are to be compared.
    const parameters: Record<string, string> =
      onDuplicate === "update" ? {} : { summaryOnly: "true" };
    const numbers = candidates.map(({ number }) => number);
    const query = { parameters, unitDecimals: 4 } as const;
    for await (const each of numbered(client, numbers, bounds, query)) take(each);
    return found;
  }

  /** Settles what becomes of a document. @returns why it is refused, if it is */
  #settle(candidate: DocumentRecord, numbered: readonly Invoice[]): DocumentFault | undefined {
    const { onDuplicate, recreate, type } = this.#options;
    const contact = this.#contacts.find(candidate.contact);
    if (typeof contact === "string") return contact;
    const same =
      type === "ACCREC"
        ? numbered
        : numbered.filter((each) => each.Contact?.ContactID === contact?.id);
    const live = same.find(isLive);
    if (live !== undefined) return this.#settleExisting(candidate, live, contact);
    const gone = same.find((each) => difference(candidate, each, contact) === undefined);
    if (gone !== undefined && !recreate) {
      candidate.verdict = "existing";
      if (onDuplicate !== "error") return undefined;
      return `${candidate.number} exists already, ${gone.Status}; --recreate makes it again.`;
    }
    return this.#settleNew(candidate, contact);
  }

  #settleExisting(
    candidate: DocumentRecord,
    live: Invoice,
    contact: KnownContact | undefined,
  ): DocumentFault | undefined {
    const { onDuplicate } = this.#options;
    if (onDuplicate === "error") return `${candidate.number} exists already.`;
    if (onDuplicate === "skip") {
      candidate.verdict = "existing";
      const other = difference(candidate, live, contact);
      return other === undefined
        ? undefined
        : `Another ${this.one} ${candidate.number} exists already, ${other}.`;
    }
    if (isAsSaid(candidate, live, contact)) {
      candidate.verdict = "existing";
      return undefined;
    }
    candidate.verdict = "update";
    candidate.updates = { InvoiceID: live.InvoiceID, Status: live.Status };
    return this.#obtain(candidate);
  }

  #settleNew(
    candidate: DocumentRecord,
    found: KnownContact | undefined,
  ): DocumentFault | undefined {
    candidate.verdict = "create";
    const { DueDate, Status } = candidate.input;
    if (DueDate === undefined && isComplete(Status) && !this.#hasTerms(found)) {
      return `${candidate.number} has no due date, and no payment terms say when it is due; map one, with --map DueDate=InvoiceDate for example.`;
    }
    return this.#obtain(candidate);
  }

  #hasTerms(contact: KnownContact | undefined): boolean {
    const { chart, type } = this.#options;
    const side = type === "ACCREC" ? "Sales" : "Bills";
    // The lookup does not show the terms of a contact of the book, which may have some.
    return contact?.id !== undefined || chart.organisation.PaymentTerms?.[side]?.Type !== undefined;
  }

  /** Finds its contact and its items, or has them made, if nothing stands against the document. */
  #obtain(candidate: DocumentRecord): DocumentFault | undefined {
    const lines = linesOf(candidate);
    const complete = isComplete(candidate.input.Status);
    const contactFault = this.#contacts.fault(candidate.contact);
    const faults = new Map<number, string>();
    for (const [at, line] of lines.entries()) {
      const fault = this.#itemFault(line, complete);
      if (fault !== undefined) faults.set(at, joined(contactFault, fault));
    }
    if (faults.size > 0) return faults;
    const contact = contactFault ?? this.#contacts.obtain(candidate.contact);
    if (typeof contact === "string") return contact;
    candidate.contactAt = contact.at;
    const { chart, type } = this.#options;
    for (const [at, { ItemCode, Description }] of lines.entries()) {
      if (ItemCode !== undefined) this.#items.obtain(ItemCode, Description, candidate.items[at]);
    }
    candidate.stored = documentStored(candidate, contact, { chart, type, items: this.#items });
    return undefined;
  }

  #itemFault(line: Line, complete: boolean): string | undefined {
    const { type, createItems } = this.#options;
    if (line.ItemCode === undefined) return undefined;
    const known = this.#items.find(line.ItemCode);
    if (known === undefined && !createItems) {
      return `There is no item ${line.ItemCode}; make it first, or give --create-items.`;
    }
    return itemFault(line, known, type, complete);
  }

  finish(candidate: DocumentRecord): Record<string, unknown> | string {
    const contact = this.#contacts.at(candidate.contactAt ?? -1);
    if (contact === undefined) return "Its contact is not known.";
    if (contact.error !== undefined) {
      return `Its contact ${contact.name} was refused: ${contact.error}`;
    }
    for (const { ItemCode } of linesOf(candidate)) {
      const item = ItemCode === undefined ? undefined : this.#items.find(ItemCode);
      if (item?.error !== undefined) return `The item ${item.code} was refused: ${item.error}`;
    }
    const LineItems = linesOf(candidate).map((line) =>
      line.ItemCode === undefined
        ? line
        : { ...line, ItemCode: this.#items.find(line.ItemCode)?.code ?? line.ItemCode },
    );
    const input = { ...candidate.input, LineItems, Contact: { ContactID: contact.id } };
    const { updates } = candidate;
    if (updates === undefined) return input;
    const updated: Record<string, unknown> = { ...input, InvoiceID: updates.InvoiceID };
    // One that was paid since is past every status that a file can give it.
    if (updates.Status === "PAID") delete updated.Status;
    return updated;
  }

  /** The service names the line: `LineItem 3: …`, or `… (line 3)`. */
  rowAtFault(message: string): number | undefined {
    const line = /^LineItem (\d+): |\(line (\d+)\)/.exec(message);
    return line === null ? undefined : Number(line[1] ?? line[2]) - 1;
  }
}

/** Refuses those rows of a document that have a reason, without which it is taken. */
function refuseSome(
  { label: record, rows, amounts, currency }: Parameters<typeof refuseRows>[0],
  reasons: ReadonlyMap<number, string>,
  refuse: Refuse,
): void {
  for (const [at, row] of rows.entries()) {
    const reason = reasons.get(row);
    if (reason === undefined) continue;
    refuse({ row, record, reason, amount: amounts[at], currency, counts: false });
  }
}

function joined(first: string | undefined, second: string): string {
  return first === undefined ? second : `${first} ${second}`;
}

function isLive({ Status }: Invoice): boolean {
  return Status !== "VOIDED" && Status !== "DELETED";
}

/** What a line lacks that its item does not give it; undefined when nothing is. */
function itemFault(
  line: Line,
  known: KnownItem | undefined,
  type: DocumentOptions["type"],
  complete: boolean,
): string | undefined {
  const found = known?.found;
  const isSale = type === "ACCREC";
  const details = isSale ? found?.SalesDetails : found?.PurchaseDetails;
  if (found !== undefined && !(isSale ? found.IsSold : found.IsPurchased)) {
    return `The item ${found.Code} is not ${isSale ? "sold" : "purchased"}.`;
  }
  const isPriced = line.UnitAmount !== undefined || line.LineAmount !== undefined;
  if (!isPriced && details?.UnitPrice === undefined) {
    return `The row has no price, nor has the item ${line.ItemCode}.`;
  }
  if (!complete) return undefined;
  const account = line.AccountCode ?? details?.AccountCode ?? found?.InventoryAssetAccountCode;
  if (account === undefined)
    return `The row has no AccountCode, nor has the item ${line.ItemCode}.`;
  const text = line.Description ?? found?.Description ?? found?.PurchaseDescription ?? found?.Name;
  return text === undefined
    ? `The row has no description, nor has the item ${line.ItemCode}.`
    : undefined;
}
