/**
 * Payments: one row each, against an invoice, a bill or a credit that the book has.
 *
 * The service gives a payment no number, so one that exists is known by its document, date, amount
 * and reference. Rows that are equal in all of these are as many payments as there are rows: a file
 * that holds two, imported into a book that holds one, makes one.
 */
import type { Client } from "../../../client/client.ts";
import { writeDecimal } from "../../../resources/decimal.ts";
import { type Payment, payment } from "../../../resources/payment.ts";
import type { CsvRow } from "../../../wire/csv.ts";
import type { LookupBounds } from "../../../wire/query/lookup-bounds.ts";
import type { Mapped, Mapping } from "../mapping/mapping.ts";
import type { Chart } from "./chart.ts";
import type { ExactDecimal } from "./decimal-sum.ts";
import {
  type Importer,
  type ImportRecord,
  type Refuse,
  type Related,
  refuseAll,
  refuseRows,
} from "./import-record.ts";
import { fold, withAny } from "./lookup.ts";
import { type PaidDocument, type PaymentRow, paidAs, paidDocuments } from "./paid-documents.ts";
import { bytesOf, currencyFaults, rawText, readRecord } from "./row-records.ts";

export interface PaymentOptions {
  readonly client: Client;
  readonly bounds: LookupBounds;
  readonly chart: Chart;
  readonly mapping: Mapping;
  readonly onDuplicate: "skip" | "error";
  /** Whether payments that were reversed in the book are made again. */
  readonly recreate: boolean;
}

interface PaymentRecord extends ImportRecord {
  input: PaymentRow;
  readonly cells: readonly string[];
}

export class PaymentImporter implements Importer {
  readonly resource = payment;
  readonly one = "payment";
  readonly several = "payments";
  readonly related: readonly Related[] = [];
  readonly #options: PaymentOptions;
  readonly #keys: readonly (Mapped | undefined)[];

  constructor(options: PaymentOptions) {
    this.#options = options;
    const named = (name: string) =>
      options.mapping.fields.find(({ target }) => target.name === name);
    this.#keys = ["Invoice.InvoiceID", "Invoice.InvoiceNumber", "CreditNote.CreditNoteNumber"].map(
      named,
    );
  }

  notes(): readonly string[] {
    return [];
  }

  keyOf(cells: readonly string[]): string {
    return fold(this.#keys.map((key) => rawText(key, cells)).find((text) => text !== "") ?? "");
  }

  build(rows: readonly CsvRow[], refuse: Refuse): PaymentRecord[] {
    return rows.flatMap((row) => {
      const { input, faults } = readRecord(this.#options.mapping.fields, row);
      const said = input as PaymentRecord["input"];
      const amount: ExactDecimal | undefined =
        said.Amount === undefined ? undefined : { value: BigInt(said.Amount), scale: 2 };
      const { BaseCurrency: currency } = this.#options.chart.organisation;
      const label = labelOf(said);
      const all = [...faults, ...(faults.length === 0 ? this.#faultsOf(said) : [])];
      const candidate = { label, rows: [row.row], amounts: [amount], currency };
      if (all.length > 0) {
        refuseRows(candidate, new Map([[row.row, all.join(" ")]]), this.one, refuse);
        return [];
      }
      const verdict = "create" as const;
      const { cells } = row;
      return [{ ...candidate, verdict, bytes: bytesOf(cells), input: said, cells }];
    });
  }

  #faultsOf(said: PaymentRecord["input"]): string[] {
    const { chart } = this.#options;
    const faults: string[] = [];
    if (labelOf(said) === "") faults.push("The row names no invoice.");
    if (said.Date === undefined) faults.push("The row has no date.");
    else {
      const lock = chart.lockFault(said.Date);
      if (lock !== undefined) faults.push(lock);
    }
    if (said.Amount === undefined) faults.push("The row has no amount.");
    else if (said.Amount <= 0) {
      faults.push(`The amount must be above zero, not ${writeDecimal(said.Amount, 2)}.`);
    }
    const code = said.Account?.Code;
    if (code !== undefined) {
      const found = chart.account(code);
      const fault = chart.accountFault(code);
      if (fault !== undefined) faults.push(fault);
      else if (found?.Type !== "BANK" && found?.EnablePaymentsToAccount !== true) {
        faults.push(`The account ${code} takes no payments.`);
      }
    } else if (said.Account?.AccountID === undefined) faults.push("The row names no account.");
    return faults;
  }

  async examine(candidates: readonly PaymentRecord[], refuse: Refuse): Promise<void> {
    const { client, bounds } = this.#options;
    const documents = await paidDocuments(
      client,
      bounds,
      candidates.map(({ input }) => input),
    );
    const held = await this.#held(documents.flat());
    for (const [at, candidate] of candidates.entries()) {
      const reason = this.#settle(candidate, documents[at] ?? [], held);
      if (reason !== undefined) refuseAll(candidate, reason, refuse);
    }
  }

  /** @param documents  those that the row may mean; of several credits each will do */
  #settle(
    candidate: PaymentRecord,
    documents: readonly PaidDocument[],
    held: Map<string, number>,
  ): string | undefined {
    const { label, input } = candidate;
    const { Amount = 0 } = input;
    const [first] = documents;
    if (first === undefined) return `There is no ${noun(input)} ${label}.`;
    if (documents.length > 1 && paidAs(input) === "Invoice") {
      return `${documents.length} bills bear the number ${label}; map Contact.Name or Invoice.InvoiceID.`;
    }
    candidate.currency = first.currency;
    const { fields } = this.#options.mapping;
    const [other] = currencyFaults(fields, candidate.cells, first.currency);
    if (other !== undefined) return other;
    for (const { id } of documents) {
      const key = keyOfPayment(id, input);
      const before = held.get(key) ?? 0;
      if (before === 0) continue;
      held.set(key, before - 1);
      candidate.verdict = "existing";
      return this.#options.onDuplicate === "error" ? "This payment exists already." : undefined;
    }
    const meant = documents.find(({ open }) => open >= Amount) ?? first;
    if (meant.status !== "AUTHORISED" && meant.status !== "PAID") {
      return `${label} is ${meant.status}; only what is approved can be paid.`;
    }
    if (Amount > meant.open) {
      return `The payment of ${writeDecimal(Amount, 2)} is more than the ${writeDecimal(meant.open, 2)} that are due on ${label}.`;
    }
    meant.open -= Amount;
    const { Invoice, CreditNote, Credit, Contact, PaymentType, ...said } = input;
    candidate.input = { ...said, [paidAs(input)]: { [`${paidAs(input)}ID`]: meant.id } };
    return undefined;
  }

  /** How many payments the book has of each kind, on these documents. */
  async #held(documents: readonly PaidDocument[]): Promise<Map<string, number>> {
    const { client, bounds, recreate } = this.#options;
    const held = new Map<string, number>();
    for (const [name, some] of Map.groupBy(documents, (each) => each.paidAs)) {
      const ids = new Set(some.map(({ id }) => id));
      for await (const each of withAny(client, payment, `${name}.${name}ID`, ids, bounds)) {
        if (recreate && each.Status === "DELETED") continue;
        const paid = each[name] as Readonly<Record<string, unknown>> | undefined;
        const key = keyOfPayment(String(paid?.[`${name}ID`]), each);
        held.set(key, (held.get(key) ?? 0) + 1);
      }
    }
    return held;
  }

  finish({ input }: ImportRecord): Record<string, unknown> {
    return input;
  }
}

function keyOfPayment(id: string, said: Partial<Payment>): string {
  return JSON.stringify([id, said.Date, said.Amount, said.Reference ?? ""]);
}

const noun = (said: PaymentRow): string =>
  ({
    Invoice: "invoice",
    CreditNote: "credit note",
    Prepayment: "prepayment",
    Overpayment: "overpayment",
  })[paidAs(said)];

/** What a person knows the paid document by; the empty text where the row names none. */
function labelOf(said: PaymentRow): string {
  const { Invoice, CreditNote, Credit, Contact } = said;
  const number = Invoice?.InvoiceNumber ?? Invoice?.InvoiceID ?? CreditNote?.CreditNoteNumber;
  if (number !== undefined) return number;
  return Credit?.Date === undefined ? "" : `of ${Contact?.Name ?? "nobody"}, ${Credit.Date}`;
}
