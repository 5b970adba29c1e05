/**
 * Payments: one row each, against an invoice or a bill that the book has.
 *
 * The service gives a payment no number, so one that exists is known by its invoice, date, amount
 * and reference. Rows that are equal in all of these are as many payments as there are rows: a file
 * that holds two, imported into a book that holds one, makes one.
 */
import type { Client } from "../../../client/client.ts";
import { writeDecimal } from "../../../resources/decimal.ts";
import { type Invoice, invoice } from "../../../resources/invoice.ts";
import { type Payment, payment } from "../../../resources/payment.ts";
import type { CsvRow } from "../../../wire/csv.ts";
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
import { fold, inBounds, type LookupBounds, numbered, withAny } from "./lookup.ts";
import { bytesOf, rawText, readRecord } from "./row-records.ts";

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
  input: Record<string, unknown> & Partial<Payment>;
}

export class PaymentImporter implements Importer {
  readonly resource = payment;
  readonly one = "payment";
  readonly several = "payments";
  readonly related: readonly Related[] = [];
  readonly #options: PaymentOptions;
  readonly #number: Mapped | undefined;
  readonly #id: Mapped | undefined;

  constructor(options: PaymentOptions) {
    this.#options = options;
    const named = (name: string) =>
      options.mapping.fields.find(({ target }) => target.name === name);
    this.#number = named("Invoice.InvoiceNumber");
    this.#id = named("Invoice.InvoiceID");
  }

  notes(): readonly string[] {
    return [];
  }

  keyOf(cells: readonly string[]): string {
    return fold(rawText(this.#id, cells) || rawText(this.#number, cells));
  }

  build(rows: readonly CsvRow[], refuse: Refuse): PaymentRecord[] {
    return rows.flatMap((row) => {
      const { input, faults } = readRecord(this.#options.mapping.fields, row);
      const said = input as PaymentRecord["input"];
      const amount: ExactDecimal | undefined =
        said.Amount === undefined ? undefined : { value: BigInt(said.Amount), scale: 2 };
      const { BaseCurrency: currency } = this.#options.chart.organisation;
      const label = said.Invoice?.InvoiceNumber ?? said.Invoice?.InvoiceID ?? "";
      const all = [...faults, ...(faults.length === 0 ? this.#faultsOf(said) : [])];
      const candidate = { label, rows: [row.row], amounts: [amount], currency };
      if (all.length > 0) {
        refuseRows(candidate, new Map([[row.row, all.join(" ")]]), this.one, refuse);
        return [];
      }
      const verdict = "create" as const;
      return [{ ...candidate, verdict, bytes: bytesOf(row.cells), input: said }];
    });
  }

  #faultsOf(said: PaymentRecord["input"]): string[] {
    const { chart } = this.#options;
    const faults: string[] = [];
    if (!said.Invoice?.InvoiceID && !said.Invoice?.InvoiceNumber) {
      faults.push("The row names no invoice.");
    }
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
    const { byNumber, byId } = await this.#documents(candidates);
    const due = new Map<string, number>();
    const targets = new Map<PaymentRecord, Invoice>();
    for (const candidate of candidates) {
      const { InvoiceID, InvoiceNumber = "" } = candidate.input.Invoice ?? {};
      const numbered = InvoiceID
        ? [byId.get(InvoiceID)].filter((each) => each !== undefined)
        : meant(byNumber.get(fold(InvoiceNumber)) ?? []);
      const [document] = numbered;
      if (document === undefined) {
        refuseAll(candidate, `There is no invoice ${candidate.label}.`, refuse);
      } else if (numbered.length > 1) {
        refuseAll(
          candidate,
          `${numbered.length} bills bear the number ${candidate.label}; map Invoice.InvoiceID.`,
          refuse,
        );
      } else {
        targets.set(candidate, document);
        candidate.currency = document.CurrencyCode;
        due.set(document.InvoiceID, document.AmountDue);
      }
    }
    const held = await this.#held([...due.keys()]);
    for (const [candidate, document] of targets) {
      const reason = this.#settle(candidate, document, held, due);
      if (reason !== undefined) refuseAll(candidate, reason, refuse);
    }
  }

  #settle(
    candidate: PaymentRecord,
    document: Invoice,
    held: Map<string, number>,
    due: Map<string, number>,
  ): string | undefined {
    const { Amount = 0 } = candidate.input;
    const key = keyOfPayment(document.InvoiceID, candidate.input);
    const before = held.get(key) ?? 0;
    if (before > 0) {
      held.set(key, before - 1);
      candidate.verdict = "existing";
      return this.#options.onDuplicate === "error" ? "This payment exists already." : undefined;
    }
    if (document.Status !== "AUTHORISED" && document.Status !== "PAID") {
      return `${candidate.label} is ${document.Status}; only what is approved can be paid.`;
    }
    const open = due.get(document.InvoiceID) ?? 0;
    if (Amount > open) {
      return `The payment of ${writeDecimal(Amount, 2)} is more than the ${writeDecimal(open, 2)} that are due on ${candidate.label}.`;
    }
    due.set(document.InvoiceID, open - Amount);
    candidate.input = {
      ...candidate.input,
      Invoice: { InvoiceID: document.InvoiceID },
    } as typeof candidate.input;
    return undefined;
  }

  /** The documents that payments name. */
  async #documents(candidates: readonly PaymentRecord[]) {
    const { client, bounds } = this.#options;
    const byNumber = new Map<string, Invoice[]>();
    const byId = new Map<string, Invoice>();
    const more = { includeArchived: "true", summaryOnly: "true" };
    const take = (each: Invoice) => {
      if (byId.has(each.InvoiceID)) return;
      byId.set(each.InvoiceID, each);
      const key = fold(each.InvoiceNumber ?? "");
      byNumber.set(key, [...(byNumber.get(key) ?? []), each]);
    };
    const named = candidates.map(({ input }) => input.Invoice ?? {});
    const ids = new Set(named.flatMap(({ InvoiceID }) => InvoiceID ?? []));
    const numbers = new Set(
      named.flatMap(({ InvoiceID, InvoiceNumber }) => (InvoiceID ? [] : (InvoiceNumber ?? []))),
    );
    for (const group of inBounds(ids, bounds, 1)) {
      const parameters = { IDs: group.join(","), ...more };
      for await (const each of client.list(invoice, { parameters })) take(each);
    }
    for await (const each of numbered(client, numbers, bounds, { parameters: more })) take(each);
    return { byNumber, byId };
  }

  /** How many payments the book has of each kind, on these documents. */
  async #held(ids: readonly string[]): Promise<Map<string, number>> {
    const { client, bounds, recreate } = this.#options;
    const held = new Map<string, number>();
    for await (const each of withAny(client, payment, "Invoice.InvoiceID", ids, bounds)) {
      if (recreate && each.Status === "DELETED") continue;
      const key = keyOfPayment(each.Invoice?.InvoiceID ?? "", each);
      held.set(key, (held.get(key) ?? 0) + 1);
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

/** Of documents with one number those that a payment means: sales go first, and what is live. */
function meant(numbered: readonly Invoice[]): readonly Invoice[] {
  const live = numbered.filter(({ Status }) => Status !== "VOIDED" && Status !== "DELETED");
  const sales = live.filter(({ Type }) => Type === "ACCREC");
  if (sales.length > 0) return sales;
  return live.length > 0 ? live : numbered.slice(-1);
}
