/**
 * Tables for German tax auditors: the ledger, its accounts and contacts, and the documents.
 *
 * Each table is a list of columns with their types; the data and their description are both
 * generated from it. Headings are German, as the readers are.
 */

import { regionAt } from "../../ledger/regions/index.ts";
import { mappingOf } from "../../ledger/reports/tax/returns/index.ts";
import type { ScratchLines } from "../../platform/scratch-file.ts";
import { bankTransaction } from "../../resources/bank-transaction.ts";
import { type CreditNote, creditNote } from "../../resources/credit-note.ts";
import type { Resource } from "../../resources/field.ts";
import { type Invoice, invoice } from "../../resources/invoice.ts";
import type { LineItem } from "../../resources/line-item.ts";
import type { Payment } from "../../resources/payment.ts";
import type { TaxRate } from "../../resources/tax-rate.ts";
import type { Entry, EntryLine } from "../ledger/entry.ts";
import type { BankTransaction, Master, PartyDetails } from "../ledger/master.ts";
import {
  closingOf,
  type Ledger,
  type LedgerAccount,
  type Party,
  standsOn,
} from "../ledger/read-ledger.ts";
import { type Column, type Table, table } from "./table-definition.ts";

const debit = (amount: number) => Math.max(amount, 0);
const credit = (amount: number) => Math.max(-amount, 0);

interface PostingRow {
  readonly entry: Entry;
  readonly line: EntryLine;
  readonly at: number;
}

type Document = Invoice | CreditNote;

/** A document line, as it is stored in a temporary file while the table of documents is written. */
interface DocumentLine {
  readonly documentId: string;
  readonly types: Document["LineAmountTypes"];
  readonly line: LineItem;
  readonly at: number;
}

/** A document that has attachments. */
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
  /** Details of contacts by ContactID. */
  readonly details: ReadonlyMap<string, PartyDetails>;
  readonly taxRates: readonly TaxRate[];
  /** Temporary file of document lines. */
  readonly lines: ScratchLines;
  /** Called for each document that has attachments, as the tables are written. */
  readonly withFiles: (document: WithFiles) => void;
}

/** A record that was entered: a document or a bank transaction. */
type EnteredRecord = Document | BankTransaction;

const partner: Column<EnteredRecord, TableFacts> = {
  kind: "text",
  of: "Geschäftspartner",
  value: ({ Contact }, context) => partyNumber(context, Contact?.ContactID),
};

const foreign = {
  Währung: { kind: "text", value: ({ CurrencyCode }) => CurrencyCode },
  Kurs: { kind: "rate", value: ({ CurrencyRate }) => CurrencyRate },
  Referenz: { kind: "text", value: ({ Reference }) => Reference },
} satisfies Record<string, Column<EnteredRecord | Payment, TableFacts>>;

const totals = {
  Netto: { kind: "money", value: ({ SubTotal }) => SubTotal },
  Steuer: { kind: "money", value: ({ TotalTax }) => TotalTax },
  Brutto: { kind: "money", value: ({ Total }) => Total },
  ...foreign,
} satisfies Record<string, Column<EnteredRecord, TableFacts>>;

const tables = [
  table<LedgerAccount, TableFacts>({
    file: "sachkonten.csv",
    name: "Sachkonten",
    description: ({ ledger: { period } }) =>
      `Summen und Salden der Konten vom ${period.from} bis ${period.to}`,
    columns: {
      Konto: { kind: "text", key: true, value: ({ code, id }) => code ?? id },
      Bezeichnung: { kind: "text", value: ({ name }) => name },
      Art: { kind: "text", value: ({ root }) => accountTypes[root] },
      Anfangssaldo: { kind: "money", value: ({ opening }) => opening },
      Soll: { kind: "money", value: (account) => account.debit },
      Haben: { kind: "money", value: (account) => account.credit },
      Endsaldo: { kind: "money", value: closingOf },
    },
    rows: ({ ledger }) => ledger.accounts.values(),
  }),
  table<Party, TableFacts>({
    file: "geschaeftspartner.csv",
    name: "Geschäftspartner",
    description: "Kunden und Lieferanten mit ihren offenen Salden",
    columns: {
      Nummer: { kind: "text", key: true, value: ({ number }) => number },
      Name: { kind: "text", value: ({ name }) => name },
      Strasse: { kind: "text", value: ({ id }, { details }) => details.get(id)?.address?.street },
      PLZ: { kind: "text", value: ({ id }, { details }) => details.get(id)?.address?.postalCode },
      Ort: { kind: "text", value: ({ id }, { details }) => details.get(id)?.address?.city },
      Land: { kind: "text", value: ({ id }, { details }) => details.get(id)?.address?.country },
      Steuernummer: { kind: "text", value: ({ id }, { details }) => details.get(id)?.taxNumber },
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
    rows: ({ ledger }) => ledger.parties.values().filter(isListed),
  }),
  table<TaxRate, TableFacts>({
    file: "steuersaetze.csv",
    name: "Steuersätze",
    description: "Steuerschlüssel der Buchungen, mit den Feldern der Steuererklärung",
    columns: {
      Steuerschlüssel: { kind: "text", key: true, value: ({ TaxType }) => TaxType },
      Bezeichnung: { kind: "text", value: ({ Name }) => Name },
      Satz: { kind: "percent", value: ({ EffectiveRate }) => EffectiveRate },
      Kennzahlen: {
        kind: "text",
        value: ({ TaxType = "" }, { ledger: { organisation } }) =>
          Object.keys(mappingOf(organisation.CountryCode).treatments[TaxType]?.boxes ?? {}).join(
            " ",
          ),
      },
      Steuerkonto: {
        kind: "text",
        value: (rate, { ledger }) => taxAccountsOf(rate, ledger)?.collected,
      },
      Vorsteuerkonto: {
        kind: "text",
        value: (rate, { ledger }) => taxAccountsOf(rate, ledger)?.deducted,
      },
    },
    rows: ({ taxRates }) => taxRates,
  }),
  table<PostingRow, TableFacts>({
    file: "buchungen.csv",
    name: "Buchungen",
    description: "Journal in der Reihenfolge der Erfassung, eine Zeile je Konto",
    columns: {
      Buchungsnummer: { kind: "count", key: true, value: ({ entry }) => entry.number },
      Zeile: { kind: "count", key: true, value: ({ at }) => at + 1 },
      Buchungsdatum: { kind: "date", value: ({ entry }) => entry.date },
      Erfassungsdatum: { kind: "date", value: ({ entry }) => entry.posted },
      Belegart: { kind: "text", value: ({ entry }) => entry.sourceType ?? "CONVERSION" },
      Belegnummer: { kind: "text", value: ({ entry }) => entry.document.number },
      Belegdatum: { kind: "date", value: ({ entry }) => entry.document.date },
      Konto: {
        kind: "text",
        of: "Sachkonten",
        value: ({ line }, context) => numberOf(context, line.account),
      },
      Kontobezeichnung: {
        kind: "text",
        value: ({ line }, { ledger }) => ledger.accounts.get(line.account)?.name,
      },
      Soll: { kind: "money", value: ({ line }) => debit(line.amount) },
      Haben: { kind: "money", value: ({ line }) => credit(line.amount) },
      Steuerschlüssel: { kind: "text", of: "Steuersätze", value: ({ line }) => line.taxType },
      Steuerbetrag: { kind: "money", value: ({ line }) => line.taxAmount },
      Buchungstext: { kind: "text", value: ({ entry, line }) => line.description || entry.text },
      Geschäftspartner: {
        kind: "text",
        of: "Geschäftspartner",
        value: ({ entry }, context) => partyNumber(context, entry.contact),
      },
      "Kostenstelle 1": { kind: "text", value: ({ line }) => optionAt(line, 0) },
      "Kostenstelle 2": { kind: "text", value: ({ line }) => optionAt(line, 1) },
      Währung: { kind: "text", value: ({ line }) => line.foreign?.currency },
      Währungsbetrag: { kind: "money", value: ({ line }) => line.foreign?.amount },
    },
    rows: function* ({ ledger }) {
      for (const entry of ledger.entries()) {
        for (const [at, line] of entry.lines.entries()) yield { entry, line, at };
      }
    },
  }),
  table<Document, TableFacts>({
    file: "rechnungen.csv",
    name: "Rechnungen",
    description: "Rechnungen und Gutschriften des Zeitraums, in ihrer Währung",
    columns: {
      "Beleg-ID": { kind: "text", key: true, value: idOf },
      Belegart: { kind: "text", value: ({ Type }) => documentTypes[Type] },
      Belegnummer: { kind: "text", value: documentNumber },
      Belegdatum: { kind: "date", value: ({ Date: date }) => date },
      Fälligkeit: { kind: "date", value: ({ DueDate }) => DueDate },
      Geschäftspartner: partner,
      Name: { kind: "text", value: ({ Contact }) => Contact?.Name },
      ...totals,
    },
    rows: readDocuments,
  }),
  table<DocumentLine, TableFacts>({
    file: "rechnungspositionen.csv",
    name: "Rechnungspositionen",
    description: "Positionen der Rechnungen und Gutschriften, in ihrer Währung",
    columns: {
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
      Konto: { kind: "text", of: "Sachkonten", value: ({ line }, facts) => codeOf(facts, line) },
      Steuerschlüssel: { kind: "text", of: "Steuersätze", value: ({ line }) => line.TaxType },
      Steuer: { kind: "money", value: ({ line }) => line.TaxAmount },
    },
    rows: function* ({ lines }) {
      for (const line of lines.read()) yield JSON.parse(line) as DocumentLine;
    },
  }),
  table<Payment, TableFacts>({
    file: "zahlungen.csv",
    name: "Zahlungen",
    description: "Zahlungen auf Rechnungen und Gutschriften, in deren Währung",
    columns: {
      "Zahlungs-ID": { kind: "text", key: true, value: ({ PaymentID }) => PaymentID },
      Datum: { kind: "date", value: ({ Date: date }) => date },
      Art: { kind: "text", value: ({ PaymentType }) => PaymentType },
      "Beleg-ID": { kind: "text", value: idOfPaid },
      Konto: {
        kind: "text",
        of: "Sachkonten",
        value: ({ Account }, context) => numberOf(context, Account.AccountID ?? ""),
      },
      Betrag: { kind: "money", value: ({ Amount }) => Amount },
      ...foreign,
    },
    rows: ({ master }) => master.payments(),
  }),
  table<BankTransaction, TableFacts>({
    file: "bankbelege.csv",
    name: "Bankbelege",
    description: "Einnahmen und Ausgaben ohne Rechnung, in der Währung des Bankkontos",
    columns: {
      "Beleg-ID": { kind: "text", key: true, value: (each) => each.BankTransactionID },
      Datum: { kind: "date", value: ({ Date: date }) => date },
      Art: { kind: "text", value: ({ Type }) => Type },
      Geschäftspartner: partner,
      Konto: {
        kind: "text",
        of: "Sachkonten",
        value: ({ BankAccount }, context) => numberOf(context, BankAccount.AccountID ?? ""),
      },
      ...totals,
    },
    rows: bankTransactions,
  }),
];

/**
 * Creates the tables, to be written in this order: the documents are read once, and their lines are
 * spooled for the table after it.
 */
export function tablesOf(context: TableFacts): Table[] {
  return tables.map((table) => table(context));
}

async function* readDocuments({ master, lines, withFiles }: TableFacts): AsyncGenerator<Document> {
  for await (const document of documentsOf(master)) {
    const { LineItems, LineAmountTypes: types, HasAttachments } = document;
    const id = idOf(document);
    if (HasAttachments) {
      const resource = "InvoiceID" in document ? invoice : creditNote;
      withFiles({ resource, id, number: documentNumber(document) });
    }
    for (const [at, line] of LineItems.entries()) {
      lines.add(JSON.stringify({ documentId: id, types, line, at } satisfies DocumentLine));
    }
    yield document;
  }
}

async function* bankTransactions(context: TableFacts): AsyncGenerator<BankTransaction> {
  for await (const transaction of context.master.bankTransactions()) {
    const { BankTransactionID: id, Reference: number, HasAttachments } = transaction;
    if (HasAttachments) context.withFiles({ resource: bankTransaction, id, number });
    yield transaction;
  }
}

async function* documentsOf(master: Master): AsyncGenerator<Document> {
  yield* master.invoices("ACCREC");
  yield* master.creditNotes("ACCRECCREDIT");
  yield* master.invoices("ACCPAY");
  yield* master.creditNotes("ACCPAYCREDIT");
}

/** An attachment of a document, as it is stored in the archive. */
export interface ArchivedFile {
  readonly documentId: string;
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  readonly sha256: string;
}

export const attachmentTable = table<ArchivedFile, readonly ArchivedFile[]>({
  file: "anlagen.csv",
  name: "Anlagen",
  description: "Dateien der Belege, wie sie empfangen oder versandt wurden",
  columns: {
    Pfad: { kind: "text", key: true, value: ({ path }) => path },
    "Beleg-ID": { kind: "text", value: ({ documentId }) => documentId },
    Dateiname: { kind: "text", value: ({ name }) => name },
    Dateityp: { kind: "text", value: ({ type }) => type },
    Bytes: { kind: "count", value: ({ bytes }) => bytes },
    "SHA-256": { kind: "text", value: ({ sha256 }) => sha256 },
  },
  rows: (files) => files,
});

function isListed(party: Party): boolean {
  return standsOn(party, "customer") || standsOn(party, "supplier");
}

function idOf(document: Document): string {
  return "InvoiceID" in document ? document.InvoiceID : document.CreditNoteID;
}

function documentNumber(document: Document): string | undefined {
  return "InvoiceID" in document ? document.InvoiceNumber : document.CreditNoteNumber;
}

function idOfPaid({ Invoice, CreditNote, Prepayment, Overpayment }: Payment): string | undefined {
  return (
    Invoice?.InvoiceID ??
    CreditNote?.CreditNoteID ??
    Prepayment?.PrepaymentID ??
    Overpayment?.OverpaymentID
  );
}

/** Numbers of the accounts that the chart of the country has for the tax of a rate. */
const taxAccountsOf = ({ TaxType }: TaxRate, { organisation }: Ledger) =>
  regionAt(organisation.CountryCode)
    .taxRates()
    .find(({ taxType }) => taxType === TaxType)?.taxAccounts;

function numberOf({ ledger }: TableFacts, id: string): string {
  return ledger.accounts.get(id)?.code ?? id;
}

function codeOf(context: TableFacts, { AccountID, AccountCode }: LineItem): string | undefined {
  return AccountCode ?? (AccountID === undefined ? undefined : numberOf(context, AccountID));
}

function partyNumber({ ledger }: TableFacts, id: string | undefined): string | undefined {
  return ledger.parties.get(id ?? "")?.number;
}

function optionAt(line: EntryLine, at: number): string | undefined {
  const tracking = line.tracking[at];
  return tracking === undefined ? undefined : `${tracking.category}: ${tracking.option}`;
}
