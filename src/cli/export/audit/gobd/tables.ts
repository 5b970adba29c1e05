/**
 * The tables that German tax auditors are given: the ledger, its accounts and contacts, the
 * documents.
 *
 * Each is a list of columns with what they hold, from which both the data and their description
 * follow. Headings are German, for those who read them are.
 */

import type { ScratchLines } from "../../../../platform/scratch-file.ts";
import { bankTransaction } from "../../../../resources/bank-transaction.ts";
import { type CreditNote, creditNote } from "../../../../resources/credit-note.ts";
import { writeDecimal } from "../../../../resources/decimal.ts";
import type { Resource } from "../../../../resources/field.ts";
import { type Invoice, invoice } from "../../../../resources/invoice.ts";
import type { LineItem } from "../../../../resources/line-item.ts";
import type { Payment } from "../../../../resources/payment.ts";
import type { TaxRate } from "../../../../resources/tax-rate.ts";
import { oneLine } from "../../format.ts";
import type { Entry, EntryLine } from "../ledger/entry.ts";
import {
  closingOf,
  type Ledger,
  type LedgerAccount,
  type Party,
  standsOn,
} from "../ledger/ledger.ts";
import type { BankTransaction, Master, PartyDetails } from "../ledger/master.ts";

export type ColumnKind = "text" | "date" | "count" | "money" | "quantity" | "percent" | "rate";

/** What a column holds, and how its value comes about: scaled integers, `YYYY-MM-DD`, text. */
export interface Column<Row> {
  readonly kind: ColumnKind;
  /** Together with the others of the kind it is the key of a row. */
  readonly key?: true;
  /** The table whose key it is, of those that have one column for a key. */
  readonly of?: string;
  readonly value: (row: Row) => string | number | bigint | undefined;
}

export interface Table {
  /** `buchungen.csv` */
  readonly file: string;
  readonly name: string;
  readonly description: string;
  readonly columns: Readonly<Record<string, Omit<Column<never>, "value">>>;
  /** Rows of cells, without the heading. */
  rows(): AsyncGenerator<readonly string[]>;
}

const scales = { money: 2, quantity: 4, percent: 4, rate: 6 } as const;

/** Digits after the point; undefined where it is no number. */
export function placesOf(kind: ColumnKind): number | undefined {
  if (kind === "text" || kind === "date") return undefined;
  return kind === "count" ? 0 : scales[kind];
}

function cellText(kind: ColumnKind, value: string | number | bigint | undefined): string {
  if (value === undefined || value === "") return "";
  if (kind === "text" || kind === "date" || kind === "count") return oneLine(String(value));
  return writeDecimal(value as number | bigint, scales[kind]).replace(".", ",");
}

function table<Row>(
  file: string,
  name: string,
  description: string,
  columns: Readonly<Record<string, Column<Row>>>,
  rows: () => Iterable<Row> | AsyncIterable<Row>,
): Table {
  const all = Object.values(columns);
  return {
    file,
    name,
    description,
    columns: columns as never,
    async *rows() {
      for await (const row of rows())
        yield all.map(({ kind, value }) => cellText(kind, value(row)));
    },
  };
}

const debit = (amount: number) => Math.max(amount, 0);
const credit = (amount: number) => Math.max(-amount, 0);

interface Posting {
  readonly entry: Entry;
  readonly line: EntryLine;
  readonly at: number;
}

type Document = Invoice | CreditNote;

/** As it waits in a temporary file, while its document is written. */
interface DocumentLine {
  readonly documentId: string;
  readonly types: Document["LineAmountTypes"];
  readonly line: LineItem;
  readonly at: number;
}

/** A document that has files. */
export interface WithFiles {
  readonly resource: Resource;
  readonly id: string;
  readonly number: string | undefined;
}

const accountTypes = {
  assets: "Aktiva",
  liabilities: "Verbindlichkeiten",
  equity: "Eigenkapital",
  revenues: "Erträge",
  expenses: "Aufwendungen",
} as const satisfies Record<LedgerAccount["root"], string>;

const documentTypes = {
  ACCREC: "Ausgangsrechnung",
  ACCPAY: "Eingangsrechnung",
  ACCRECCREDIT: "Gutschrift an Kunden",
  ACCPAYCREDIT: "Gutschrift von Lieferanten",
} as const satisfies Record<Document["Type"], string>;

export interface TableFacts {
  readonly ledger: Ledger;
  readonly master: Master;
  /** By ContactID. */
  readonly details: ReadonlyMap<string, PartyDetails>;
  readonly taxRates: readonly TaxRate[];
  /** Where lines of documents wait. */
  readonly lines: ScratchLines;
  /** Told of documents that have files, as the tables are written. */
  readonly withFiles: (document: WithFiles) => void;
}

/** To be written in their order: the documents are read once, and their lines after them. */
export function tablesOf(facts: TableFacts): Table[] {
  const { ledger, master, details, taxRates } = facts;
  const accountOf = (id: string) => ledger.accounts.get(id);
  const numberOf = (id: string) => accountOf(id)?.code ?? id;
  const partyOf = (id: string | undefined) => ledger.parties.get(id ?? "");
  const codeOf = ({ AccountID, AccountCode }: LineItem) =>
    AccountCode ?? (AccountID === undefined ? undefined : numberOf(AccountID));
  const option = (line: EntryLine, at: number) => {
    const found = line.tracking[at];
    return found === undefined ? undefined : `${found.category}: ${found.option}`;
  };
  async function* documents(): AsyncGenerator<Document> {
    for await (const document of documentsOf(master)) {
      const { LineItems, LineAmountTypes: types, HasAttachments } = document;
      const id = idOf(document);
      if (HasAttachments) {
        const resource = "InvoiceID" in document ? invoice : creditNote;
        facts.withFiles({ resource, id, number: documentNumber(document) });
      }
      for (const [at, line] of LineItems.entries()) {
        const row: DocumentLine = { documentId: id, types, line, at };
        facts.lines.add(JSON.stringify(row));
      }
      yield document;
    }
  }
  async function* bankTransactions(): AsyncGenerator<BankTransaction> {
    for await (const each of master.bankTransactions()) {
      const { BankTransactionID: id, Reference: number, HasAttachments } = each;
      if (HasAttachments) facts.withFiles({ resource: bankTransaction, id, number });
      yield each;
    }
  }
  const { period } = ledger;
  return [
    table<LedgerAccount>(
      "sachkonten.csv",
      "Sachkonten",
      `Summen und Salden der Konten vom ${period.from} bis ${period.to}`,
      {
        Konto: { kind: "text", key: true, value: ({ code, id }) => code ?? id },
        Bezeichnung: { kind: "text", value: ({ name }) => name },
        Art: { kind: "text", value: ({ root }) => accountTypes[root] },
        Anfangssaldo: { kind: "money", value: ({ opening }) => opening },
        Soll: { kind: "money", value: (account) => account.debit },
        Haben: { kind: "money", value: (account) => account.credit },
        Endsaldo: { kind: "money", value: closingOf },
      },
      () => ledger.accounts.values(),
    ),
    table<Party>(
      "geschaeftspartner.csv",
      "Geschäftspartner",
      "Kunden und Lieferanten mit ihren offenen Salden",
      {
        Nummer: { kind: "text", key: true, value: ({ number }) => number },
        Name: { kind: "text", value: ({ name }) => name },
        Strasse: { kind: "text", value: ({ id }) => details.get(id)?.address?.street },
        PLZ: { kind: "text", value: ({ id }) => details.get(id)?.address?.postalCode },
        Ort: { kind: "text", value: ({ id }) => details.get(id)?.address?.city },
        Land: { kind: "text", value: ({ id }) => details.get(id)?.address?.country },
        Steuernummer: { kind: "text", value: ({ id }) => details.get(id)?.taxNumber },
        "Forderungen Anfang": {
          kind: "money",
          value: ({ movements }) => movements.customer.opening,
        },
        "Forderungen Ende": {
          kind: "money",
          value: ({ movements }) => closingOf(movements.customer),
        },
        "Verbindlichkeiten Anfang": {
          kind: "money",
          value: ({ movements }) => movements.supplier.opening,
        },
        "Verbindlichkeiten Ende": {
          kind: "money",
          value: ({ movements }) => closingOf(movements.supplier),
        },
      },
      () => ledger.parties.values().filter(isTold),
    ),
    table<TaxRate>(
      "steuersaetze.csv",
      "Steuersätze",
      "Steuerschlüssel der Buchungen",
      {
        Steuerschlüssel: { kind: "text", key: true, value: ({ TaxType }) => TaxType },
        Bezeichnung: { kind: "text", value: ({ Name }) => Name },
        Satz: { kind: "percent", value: ({ EffectiveRate }) => EffectiveRate },
      },
      () => taxRates,
    ),
    table<Posting>(
      "buchungen.csv",
      "Buchungen",
      "Journal in der Reihenfolge der Erfassung, eine Zeile je Konto",
      {
        Buchungsnummer: { kind: "count", key: true, value: ({ entry }) => entry.number },
        Zeile: { kind: "count", key: true, value: ({ at }) => at + 1 },
        Buchungsdatum: { kind: "date", value: ({ entry }) => entry.date },
        Erfassungsdatum: { kind: "date", value: ({ entry }) => entry.posted },
        Belegart: { kind: "text", value: ({ entry }) => entry.sourceType ?? "CONVERSION" },
        Belegnummer: { kind: "text", value: ({ entry }) => entry.document.number },
        Belegdatum: { kind: "date", value: ({ entry }) => entry.document.date },
        Konto: { kind: "text", of: "Sachkonten", value: ({ line }) => numberOf(line.account) },
        Kontobezeichnung: { kind: "text", value: ({ line }) => accountOf(line.account)?.name },
        Soll: { kind: "money", value: ({ line }) => debit(line.amount) },
        Haben: { kind: "money", value: ({ line }) => credit(line.amount) },
        Steuerschlüssel: { kind: "text", of: "Steuersätze", value: ({ line }) => line.taxType },
        Steuerbetrag: { kind: "money", value: ({ line }) => line.taxAmount },
        Buchungstext: { kind: "text", value: ({ entry, line }) => line.description || entry.text },
        Geschäftspartner: {
          kind: "text",
          of: "Geschäftspartner",
          value: ({ entry }) => partyOf(entry.contact)?.number,
        },
        "Kostenstelle 1": { kind: "text", value: ({ line }) => option(line, 0) },
        "Kostenstelle 2": { kind: "text", value: ({ line }) => option(line, 1) },
        Währung: { kind: "text", value: ({ line }) => line.foreign?.currency },
        Währungsbetrag: { kind: "money", value: ({ line }) => line.foreign?.amount },
      },
      function* () {
        for (const entry of ledger.entries()) {
          for (const [at, line] of entry.lines.entries()) yield { entry, line, at };
        }
      },
    ),
    table<Document>(
      "rechnungen.csv",
      "Rechnungen",
      "Rechnungen und Gutschriften des Zeitraums, in ihrer Währung",
      {
        "Beleg-ID": { kind: "text", key: true, value: idOf },
        Belegart: { kind: "text", value: ({ Type }) => documentTypes[Type] },
        Belegnummer: { kind: "text", value: documentNumber },
        Belegdatum: { kind: "date", value: ({ Date: date }) => date },
        Fälligkeit: { kind: "date", value: ({ DueDate }) => DueDate },
        Geschäftspartner: {
          kind: "text",
          of: "Geschäftspartner",
          value: ({ Contact }) => partyOf(Contact?.ContactID)?.number,
        },
        Name: { kind: "text", value: ({ Contact }) => Contact?.Name },
        Netto: { kind: "money", value: ({ SubTotal }) => SubTotal },
        Steuer: { kind: "money", value: ({ TotalTax }) => TotalTax },
        Brutto: { kind: "money", value: ({ Total }) => Total },
        Währung: { kind: "text", value: ({ CurrencyCode }) => CurrencyCode },
        Kurs: { kind: "rate", value: ({ CurrencyRate }) => CurrencyRate },
        Referenz: { kind: "text", value: ({ Reference }) => Reference },
      },
      documents,
    ),
    table<DocumentLine>(
      "rechnungspositionen.csv",
      "Rechnungspositionen",
      "Positionen der Rechnungen und Gutschriften, in ihrer Währung",
      {
        "Beleg-ID": { kind: "text", key: true, value: ({ documentId }) => documentId },
        Position: { kind: "count", key: true, value: ({ at }) => at + 1 },
        Artikel: { kind: "text", value: ({ line }) => line.ItemCode },
        Bezeichnung: { kind: "text", value: ({ line }) => line.Description },
        Menge: { kind: "quantity", value: ({ line }) => line.Quantity },
        Einzelpreis: { kind: "quantity", value: ({ line }) => line.UnitAmount },
        Betrag: { kind: "money", value: ({ line }) => line.LineAmount },
        Preisangabe: {
          kind: "text",
          value: ({ types }) => (types === "Inclusive" ? "brutto" : "netto"),
        },
        Konto: { kind: "text", of: "Sachkonten", value: ({ line }) => codeOf(line) },
        Steuerschlüssel: { kind: "text", of: "Steuersätze", value: ({ line }) => line.TaxType },
        Steuer: { kind: "money", value: ({ line }) => line.TaxAmount },
      },
      function* () {
        for (const line of facts.lines.read()) yield JSON.parse(line) as DocumentLine;
      },
    ),
    table<Payment>(
      "zahlungen.csv",
      "Zahlungen",
      "Zahlungen auf Rechnungen und Gutschriften, in deren Währung",
      {
        "Zahlungs-ID": { kind: "text", key: true, value: ({ PaymentID }) => PaymentID },
        Datum: { kind: "date", value: ({ Date: date }) => date },
        Art: { kind: "text", value: ({ PaymentType }) => PaymentType },
        "Beleg-ID": { kind: "text", value: paidId },
        Konto: {
          kind: "text",
          of: "Sachkonten",
          value: ({ Account }) => numberOf(Account.AccountID ?? ""),
        },
        Betrag: { kind: "money", value: ({ Amount }) => Amount },
        Währung: { kind: "text", value: ({ CurrencyCode }) => CurrencyCode },
        Kurs: { kind: "rate", value: ({ CurrencyRate }) => CurrencyRate },
        Referenz: { kind: "text", value: ({ Reference }) => Reference },
      },
      () => master.payments(),
    ),
    table<BankTransaction>(
      "bankbelege.csv",
      "Bankbelege",
      "Einnahmen und Ausgaben ohne Rechnung, in der Währung des Bankkontos",
      {
        "Beleg-ID": { kind: "text", key: true, value: (each) => each.BankTransactionID },
        Datum: { kind: "date", value: ({ Date: date }) => date },
        Art: { kind: "text", value: ({ Type }) => Type },
        Geschäftspartner: {
          kind: "text",
          of: "Geschäftspartner",
          value: ({ Contact }) => partyOf(Contact?.ContactID)?.number,
        },
        Konto: {
          kind: "text",
          of: "Sachkonten",
          value: ({ BankAccount }) => numberOf(BankAccount.AccountID ?? ""),
        },
        Netto: { kind: "money", value: ({ SubTotal }) => SubTotal },
        Steuer: { kind: "money", value: ({ TotalTax }) => TotalTax },
        Brutto: { kind: "money", value: ({ Total }) => Total },
        Währung: { kind: "text", value: ({ CurrencyCode }) => CurrencyCode },
        Kurs: { kind: "rate", value: ({ CurrencyRate }) => CurrencyRate },
        Referenz: { kind: "text", value: ({ Reference }) => Reference },
      },
      bankTransactions,
    ),
  ];
}

async function* documentsOf(master: Master): AsyncGenerator<Document> {
  yield* master.invoices("ACCREC");
  yield* master.creditNotes("ACCRECCREDIT");
  yield* master.invoices("ACCPAY");
  yield* master.creditNotes("ACCPAYCREDIT");
}

/** A file of a document, as it stands in the archive. */
export interface Kept {
  readonly documentId: string;
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  readonly sha256: string;
}

export function attachmentTable(kept: () => readonly Kept[]): Table {
  return table<Kept>(
    "anlagen.csv",
    "Anlagen",
    "Dateien der Belege, wie sie empfangen oder versandt wurden",
    {
      Pfad: { kind: "text", key: true, value: ({ path }) => path },
      "Beleg-ID": { kind: "text", value: ({ documentId }) => documentId },
      Dateiname: { kind: "text", value: ({ name }) => name },
      Dateityp: { kind: "text", value: ({ type }) => type },
      Bytes: { kind: "count", value: ({ bytes }) => bytes },
      "SHA-256": { kind: "text", value: ({ sha256 }) => sha256 },
    },
    kept,
  );
}

function isTold(party: Party): boolean {
  return standsOn(party, "customer") || standsOn(party, "supplier");
}

function idOf(document: Document): string {
  return "InvoiceID" in document ? document.InvoiceID : document.CreditNoteID;
}

function documentNumber(document: Document): string | undefined {
  return "InvoiceID" in document ? document.InvoiceNumber : document.CreditNoteNumber;
}

function paidId({ Invoice, CreditNote, Prepayment, Overpayment }: Payment): string | undefined {
  return (
    Invoice?.InvoiceID ??
    CreditNote?.CreditNoteID ??
    Prepayment?.PrepaymentID ??
    Overpayment?.OverpaymentID
  );
}
