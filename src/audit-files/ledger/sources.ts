/**
 * Finds the source documents of journals: their number, date and contact.
 *
 * A journal of the public API names its source only by id. Sources are read in batches as the
 * journals come, so that memory use does not grow with the book. An allocation cannot be queried by
 * id, so all allocations are read when the first one occurs.
 */
import { type Cents, type Rate, toBase } from "../../ledger/money.ts";
import { bankAmount, exchangeOf } from "../../ledger/postings/currency.ts";
import { bankTransaction } from "../../resources/bank-transaction.ts";
import { bankTransfer } from "../../resources/bank-transfer.ts";
import { creditNote } from "../../resources/credit-note.ts";
import { expenseClaim } from "../../resources/expense-claim.ts";
import type { Resource, Shape } from "../../resources/field.ts";
import { invoice } from "../../resources/invoice.ts";
import type { Journal, JournalLine } from "../../resources/journal.ts";
import { manualJournal } from "../../resources/manual-journal.ts";
import { payment } from "../../resources/payment.ts";
import { overpayment, prepayment } from "../../resources/prepayment.ts";
import { anyOf, compare } from "../../wire/query/condition.ts";
import { groupWithinBounds, type LookupBounds } from "../../wire/query/lookup-bounds.ts";
import type { AuditSource } from "../audit-source.ts";
import type { Foreign, SourceType } from "./entry.ts";

export interface JournalSource {
  readonly number?: string | undefined;
  readonly date?: string | undefined;
  /** Further text of the source: a reference or narration. */
  readonly text?: string | undefined;
  /** ContactID of the source document. */
  readonly contact?: string | undefined;
  /** Ids of the documents that it is or settles, such as the invoice of a payment. */
  readonly documents?: readonly string[] | undefined;
  /** Day of supply that it states. */
  readonly supplied?: string | undefined;
  /** Whether a credit is applied to a document, by which no money moves. */
  readonly isAllocation?: true;
  /** Foreign amount of a line of the journal; undefined for lines in base currency. */
  readonly foreign?: ((line: JournalLine) => Foreign | undefined) | undefined;
}

/** Facts of the book that are needed to read a source. */
export interface SourceBook {
  readonly records: AuditSource;
  readonly bounds: LookupBounds;
  readonly baseCurrency: string;
  /** Currency of an account by AccountID. */
  currencyOf(account: string): string;
  /** Whether an account is a control account. */
  isControl(account: string): boolean;
}

type SourceReader = (
  book: SourceBook,
  ids: readonly string[],
) => AsyncIterable<readonly [string, JournalSource]>;

const readers = {
  invoice: (book, ids) =>
    read(book, invoice, ids, documentFields, (record) => ({
      ...documentSource(record),
      number: record.InvoiceNumber,
      documents: [record.InvoiceID],
      foreign: owedInCurrency(book, record),
    })),
  creditNote: (book, ids) =>
    read(book, creditNote, ids, undefined, (record) => ({
      ...documentSource(record),
      number: record.CreditNoteNumber,
      documents: creditedBy(record.CreditNoteID, record),
      foreign: owedInCurrency(book, record),
    })),
  bankTransaction: (book, ids) =>
    read(book, bankTransaction, ids, undefined, (record) => ({
      ...documentSource(record),
      number: record.Reference,
      foreign: moneyInCurrency(book, record.CurrencyCode, record.Total),
    })),
  prepayment: (book, ids) =>
    read(book, prepayment, ids, undefined, (each) => advance(book, each, each.PrepaymentID)),
  overpayment: (book, ids) =>
    read(book, overpayment, ids, undefined, (each) => advance(book, each, each.OverpaymentID)),
  payment: (book, ids) => read(book, payment, ids, undefined, (each) => paymentSource(book, each)),
  bankTransfer: (book, ids) =>
    read(
      book,
      bankTransfer,
      ids,
      undefined,
      (record) => ({
        number: record.Reference,
        date: record.Date,
        foreign: transferForeignAmount(book, record),
      }),
      { includeDeleted: "true" },
    ),
  manualJournal: (book, ids) =>
    read(book, manualJournal, ids, undefined, ({ Narration, Date: date }) => ({
      text: Narration,
      date,
    })),
  expenseClaim: (book, ids) =>
    read(book, expenseClaim, ids, undefined, (record) => ({
      number: record.Handle,
      date: record.ReportingDate,
      contact: record.Contact?.ContactID,
    })),
} as const satisfies Readonly<Record<string, SourceReader>>;

type SourceKind = keyof typeof readers | "allocation";

/** Resources to query for a SourceID by source type, the most likely first. */
const triedFor = {
  ACCREC: ["invoice"],
  ACCPAY: ["invoice"],
  ACCRECCREDIT: ["creditNote", "allocation"],
  ACCPAYCREDIT: ["creditNote", "allocation"],
  ACCRECPAYMENT: ["payment"],
  ACCPAYPAYMENT: ["payment"],
  ARCREDITPAYMENT: ["payment"],
  APCREDITPAYMENT: ["payment"],
  CASHREC: ["bankTransaction"],
  CASHPAID: ["bankTransaction"],
  TRANSFER: ["bankTransfer"],
  ARPREPAYMENT: ["prepayment", "payment", "allocation"],
  APPREPAYMENT: ["prepayment", "payment", "allocation"],
  AROVERPAYMENT: ["overpayment", "payment", "allocation"],
  APOVERPAYMENT: ["overpayment", "payment", "allocation"],
  EXPCLAIM: ["expenseClaim"],
  EXPPAYMENT: ["payment"],
  MANJOURNAL: ["manualJournal"],
  PAYSLIP: [],
  WAGEPAYABLE: [],
  INTEGRATEDPAYROLLPE: [],
  INTEGRATEDPAYROLLPT: [],
  EXTERNALSPENDMONEY: [],
  INTEGRATEDPAYROLLPTPAYMENT: [],
  INTEGRATEDPAYROLLCN: [],
} as const satisfies Record<SourceType, readonly SourceKind[]>;

export class Sources {
  readonly #book: SourceBook;
  #allocations: Promise<ReadonlyMap<string, JournalSource>> | undefined;

  constructor(book: SourceBook) {
    this.#book = book;
  }

  /** Sources of journals by SourceID; sources that the service no longer has are left out. */
  async of(journals: readonly Journal[]): Promise<ReadonlyMap<string, JournalSource>> {
    const sourceById = new Map<string, JournalSource>();
    let openSources = journals.flatMap(({ SourceID: id, SourceType: type }) =>
      id === undefined || type === undefined
        ? []
        : [{ id, readers: [...triedFor[type]] as SourceKind[] }],
    );
    while (openSources.length > 0) {
      const pending = openSources.filter(({ readers: left }) => left.length > 0);
      for (const [reader, group] of Map.groupBy(
        pending,
        ({ readers: left }) => left[0] as SourceKind,
      )) {
        const ids = [...new Set(group.map(({ id }) => id))];
        for await (const [id, source] of this.#read(reader, ids)) sourceById.set(id, source);
      }
      openSources = pending
        .filter(({ id }) => !sourceById.has(id))
        .map(({ id, readers: left }) => ({ id, readers: left.slice(1) }));
    }
    return sourceById;
  }

  async *#read(
    reader: SourceKind,
    ids: readonly string[],
  ): AsyncGenerator<readonly [string, JournalSource]> {
    if (reader !== "allocation") return yield* readers[reader](this.#book, ids);
    this.#allocations ??= allocations(this.#book);
    const sourceByAllocation = await this.#allocations;
    for (const id of ids) {
      const source = sourceByAllocation.get(id);
      if (source !== undefined) yield [id, source];
    }
  }
}

/** Fields of a document that its source is read from. */
const documentFields = [
  "InvoiceID",
  "InvoiceNumber",
  "Reference",
  "Contact",
  "Date",
  "DeliveryDate",
  "CurrencyCode",
  "CurrencyRate",
  "Total",
] as const;

async function* read<R extends Resource>(
  { records, bounds }: SourceBook,
  resource: R,
  ids: readonly string[],
  fields: readonly string[] | undefined,
  sourceOf: (record: Shape<R>) => JournalSource,
  parameters: Readonly<Record<string, string>> = {},
): AsyncGenerator<readonly [string, JournalSource]> {
  const charactersEach = encodeURIComponent(`${resource.id}==Guid("") OR `).length;
  for (const group of groupWithinBounds(ids, bounds, charactersEach)) {
    const condition = anyOf(group.map((id) => compare(resource.fields, resource.id, "==", id)));
    const listing = records.list(resource, {
      where: condition,
      parameters: { includeArchived: "true", ...parameters },
      count: false,
      fields,
    });
    for await (const record of listing) {
      yield [(record as Readonly<Record<string, string>>)[resource.id] as string, sourceOf(record)];
    }
  }
}

interface SettledDocument {
  readonly Date: string;
  readonly DeliveryDate?: string | undefined;
  readonly Reference?: string | undefined;
  readonly Contact?: { readonly ContactID?: string | undefined } | undefined;
}

function documentSource(document: SettledDocument): JournalSource {
  const { Date: date, DeliveryDate, Reference, Contact } = document;
  return { date, text: Reference, contact: Contact?.ContactID, supplied: DeliveryDate };
}

/** A credit, and the documents that it is allocated to. */
const creditedBy = (
  id: string,
  { Allocations = [] }: Pick<Shape<typeof creditNote>, "Allocations">,
): string[] => [id, ...Allocations.flatMap(({ Invoice }) => Invoice?.InvoiceID ?? [])];

function advance(
  book: SourceBook,
  credit: Shape<typeof prepayment> | Shape<typeof overpayment>,
  id: string,
): JournalSource {
  return {
    ...documentSource(credit),
    documents: creditedBy(id, credit),
    number: credit.Reference,
    foreign: moneyInCurrency(book, credit.CurrencyCode, credit.Total),
  };
}

function paymentSource(book: SourceBook, record: Shape<typeof payment>): JournalSource {
  const { Invoice, CreditNote, Prepayment, Overpayment, Contact, Reference } = record;
  const paid = Invoice ?? CreditNote ?? Prepayment ?? Overpayment;
  const currency = record.CurrencyCode ?? paid?.CurrencyCode ?? book.baseCurrency;
  const { Account, Amount, BankAmount } = record;
  return {
    number: Invoice?.InvoiceNumber ?? CreditNote?.CreditNoteNumber ?? Reference,
    date: record.Date,
    text: Reference,
    contact: paid?.Contact?.ContactID ?? Contact?.ContactID,
    documents: [
      Invoice?.InvoiceID ??
        CreditNote?.CreditNoteID ??
        Prepayment?.PrepaymentID ??
        Overpayment?.OverpaymentID ??
        [],
    ].flat(),
    foreign: (line) => {
      if (book.isControl(line.AccountID)) return inCurrency(book, currency, Amount, line);
      if (line.AccountID !== Account.AccountID || BankAmount === undefined) return undefined;
      return inCurrency(book, book.currencyOf(line.AccountID), BankAmount, line);
    },
  };
}

/**
 * Foreign amount of a document on its control account. It applies only to a line whose base amount
 * equals the document's total: a journal from before an edit has another amount.
 */
function owedInCurrency(
  book: SourceBook,
  document: {
    readonly CurrencyCode: string;
    readonly CurrencyRate: Rate;
    readonly Total: Cents;
  },
): JournalSource["foreign"] {
  const { CurrencyCode, CurrencyRate, Total } = document;
  if (CurrencyCode === book.baseCurrency) return undefined;
  const worth = toBase(Total, exchangeOf(CurrencyRate, book.baseCurrency));
  return (line) =>
    book.isControl(line.AccountID) && Math.abs(line.NetAmount) === Math.abs(worth)
      ? inCurrency(book, CurrencyCode, Total, line)
      : undefined;
}

function moneyInCurrency(
  book: SourceBook,
  currency: string,
  total: Cents,
): JournalSource["foreign"] {
  if (currency === book.baseCurrency) return undefined;
  return (line) =>
    line.AccountType === "BANK" && book.currencyOf(line.AccountID) === currency
      ? inCurrency(book, currency, total, line)
      : undefined;
}

function transferForeignAmount(
  book: SourceBook,
  { FromBankAccount, ToBankAccount, Amount, CurrencyRate }: Shape<typeof bankTransfer>,
): JournalSource["foreign"] {
  const { baseCurrency: base } = book;
  const from = book.currencyOf(FromBankAccount.AccountID ?? "");
  const to = book.currencyOf(ToBankAccount.AccountID ?? "");
  if (from === base && to === base) return undefined;
  return (line) => {
    if (line.AccountID === FromBankAccount.AccountID) return inCurrency(book, from, Amount, line);
    const came = bankAmount(Amount, { document: from, bank: to, base }, CurrencyRate);
    return inCurrency(book, to, came, line);
  };
}

function inCurrency(
  { baseCurrency }: SourceBook,
  currency: string,
  amount: Cents,
  { NetAmount }: JournalLine,
): Foreign | undefined {
  if (currency === baseCurrency) return undefined;
  const size = Math.abs(amount);
  return { currency, amount: (NetAmount < 0 ? -size : size) as Cents };
}

/**
 * Reads the allocations of all credits, by AllocationID, with number and contact of their credit.
 */
async function allocations({ records }: SourceBook): Promise<ReadonlyMap<string, JournalSource>> {
  const sourceById = new Map<string, JournalSource>();
  const add = (
    id: string,
    number: string | undefined,
    { Contact, Allocations = [] }: Pick<Shape<typeof creditNote>, "Contact" | "Allocations">,
  ) => {
    for (const { AllocationID, Date: date, Invoice } of Allocations) {
      if (AllocationID === undefined) continue;
      sourceById.set(AllocationID, {
        isAllocation: true,
        number: number ?? Invoice?.InvoiceNumber,
        date,
        text: Invoice?.InvoiceNumber,
        contact: Contact?.ContactID,
        documents: [id, Invoice?.InvoiceID ?? []].flat(),
      });
    }
  };
  for await (const record of records.list(creditNote))
    add(record.CreditNoteID, record.CreditNoteNumber, record);
  for await (const record of records.list(prepayment))
    add(record.PrepaymentID, record.Reference, record);
  for await (const record of records.list(overpayment))
    add(record.OverpaymentID, record.Reference, record);
  return sourceById;
}
