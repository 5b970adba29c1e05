/**
 * A year of the company as it was: what is entered when, what the bank shows, and what tax it comes to.
 *
 * Nothing here asks the program. Numbers of invoices, totals, taxes and balances of the bank are
 * computed from the year itself, so that what the program says can be held against them.
 */
import { addDays, addMonths, endOfMonth, startOfMonth } from "../../src/ledger/dates/calendar.ts";
import { cli, type Words } from "./bookkeeper.ts";
import type { AccountRole, Country } from "./country.ts";
import { type Sums, type SumsOf, type TaxName, vatForms } from "./vat-forms.ts";

export type BankCode = "current" | "savings" | "dollars";

/** Who explains a line: a rule, `--auto`, or a person with these flags of `acct bank match`. */
export type By = "rule" | "auto" | Words;

/** A line of a bank statement; amounts in cents of the account's currency, in positive. */
export interface Line {
  readonly account: BankCode;
  readonly date: string;
  readonly amount: number;
  readonly payee: string;
  readonly text: string;
  readonly reference?: string;
  readonly original?: { readonly amount: number; readonly currency: string };
  /** Kept by the bank, in the amount already; only some formats tell it. */
  readonly charge?: number;
  readonly by: By;
}

type Said = Omit<Line, "account" | "date" | "amount">;
/** A month from 0, and a day of it. */
export type At = readonly [month: number, day: number];

/** A command line of a day. */
export interface Deed {
  readonly date: string;
  readonly words: Words;
  /** What the program is to call what is made. */
  readonly number?: string;
  /** What it is to print, to the letter. */
  readonly prints?: string;
}

/** A taxed amount: of a line of a document, of the bank, or of a claim. */
interface TaxEntry {
  readonly date: string;
  /** The month in which it is entered. */
  readonly month: number;
  /** Entered after the return of its month was published. */
  readonly isLate?: boolean;
  readonly side: "sales" | "purchases";
  /** What it is taxed as; that of its side when left out. */
  readonly name?: TaxName;
  /** In base currency, less than zero where it takes back. */
  readonly net: number;
  readonly tax: number;
  /** The document by whose payments it counts, where it counts by these. */
  readonly document?: Doc;
  /** Of the books before, whose returns have what they invoiced. */
  readonly isOpening?: true;
}

/** What comes in or goes out of an item in stock; at average cost where none is given. */
interface Movement {
  readonly date: string;
  readonly item: string;
  readonly quantity: number;
  readonly cost?: number;
}

/** How much of an item is on hand, and what it cost in cents. */
export interface OnHand {
  readonly quantity: number;
  readonly cost: number;
}

export interface Item {
  readonly text: string;
  /** In cents, without tax, of one. */
  readonly net: number;
  readonly account?: AccountRole;
  /** Of an account that only some charts have. */
  readonly code?: string;
  readonly tax?: TaxName;
  readonly quantity?: number;
  /** As the supplier has it, where that is not the rate of the net amount. */
  readonly taxAmount?: number;
  /** Code of an item in stock, in place of the account. */
  readonly item?: string;
}

interface Terms {
  readonly due?: string;
  readonly currency?: string;
  readonly rate?: number;
  /** When it is entered, if not on its day. */
  readonly when?: When;
  /** The month in which it is entered, if not its own. */
  readonly month?: number;
}

/** Once the return of the month is published, or withdrawn; or where a closed month is corrected. */
type When = "late" | "withdrawn" | "correction";

export interface Doc {
  readonly number: string;
  readonly date: string;
  readonly total: number;
  /** What was paid of it on a day, or set against it. */
  readonly paid: { readonly date: string; readonly amount: number }[];
}

/** What is taxed at the usual rate on the document itself. */
const charged: readonly TaxName[] = [
  ...(["sales", "purchases", "capital", "blocked", "services", "servicesBought", "fuel"] as const),
];

export const inUnits = (cents: number) => (cents / 100).toFixed(2);

/** What counts when it is paid, of a company that is taxed by its receipts. */
const onPayment: readonly TaxName[] = ["sales", "reduced", "exports"];

/** Which part of a document was paid until the end of a day. */
function paidUntil({ paid, total }: Doc, day: string): number {
  const until = paid.filter(({ date }) => date <= day);
  return until.reduce((sum, { amount }) => sum + amount, 0) / total;
}

export class Plan {
  readonly country: Country;
  /** Whether there are templates of invoices, which a server makes up to its own today. */
  readonly hasTemplates: boolean;
  readonly lines: Line[] = [];
  /** By month. */
  readonly deeds: Deed[][] = Array.from({ length: 12 }, () => []);
  readonly unusual: Readonly<Record<When, Deed[][]>> = {
    late: Array.from({ length: 12 }, () => []),
    withdrawn: Array.from({ length: 12 }, () => []),
    correction: Array.from({ length: 12 }, () => []),
  };
  readonly taxes: TaxEntry[] = [];
  readonly movements: Movement[] = [];
  /** The invoice that is corrected. */
  wrong: Doc | undefined;
  #invoices = 896;
  #creditNotes = 31;

  constructor(country: Country, { hasTemplates = true } = {}) {
    this.country = country;
    this.hasTemplates = hasTemplates;
  }

  /** A day of a month of the year, from 0; the last one where it has fewer. */
  day(month: number, day: number): string {
    const first = addMonths(startOfMonth(addDays(this.country.conversion, 1)), month);
    const last = endOfMonth(first);
    const wanted = addDays(first, day - 1);
    return wanted < last ? wanted : last;
  }

  lastDay(month: number): string {
    return this.day(month, 31);
  }

  /** Foreign units for one of the base currency, in a month. */
  rate(currency: string, month: number): number {
    const first = this.country.rates[currency] ?? 1;
    return Math.round(first * (1 + (((month + 1) * 7) % 5) / 100) * 10_000) / 10_000;
  }

  /** The same, of the last day of a month. */
  closingRate(currency: string, month: number): number {
    return Math.round(this.rate(currency, month) * (995 + ((month * 3) % 11)) * 10) / 10_000;
  }

  inBase(amount: number, rate: number): number {
    return Math.round(amount / rate);
  }

  taxOf(net: number, percent: number = this.country.tax.percent): number {
    return Math.round((net * percent) / 100);
  }

  /** The percentage that a document has; none where the buyer owes the tax. */
  #charged(name: TaxName): number {
    const { tax, inUnion } = this.country;
    if (name === "reduced") return inUnion?.reducedPercent ?? 0;
    return charged.includes(name) ? tax.percent : 0;
  }

  total(net: number): number {
    return net + this.taxOf(net);
  }

  // --- documents -------------------------------------------------------------------------------

  invoice(month: number, day: number, contact: string, items: readonly Item[], terms: Terms = {}) {
    const number = this.#nextInvoice();
    const words = cli`invoice create --contact ${contact}`;
    return this.#document("sales", words, number, month, day, items, terms, 1);
  }

  /** The next invoice of a template, which is made on its day. */
  repeated(month: number, day: number, net: number): Doc {
    const number = this.#nextInvoice();
    const date = this.day(month, day);
    const document: Doc = { number, date, total: this.total(net), paid: [] };
    const name = this.country.tax.services === undefined ? "sales" : "services";
    this.tax({ date, month, side: "sales", name, net, tax: this.taxOf(net), document });
    this.deed(month, { date, words: cli`repeating-invoice run`, number });
    return document;
  }

  #nextInvoice(): string {
    this.#invoices += 1;
    return `INV-${String(this.#invoices).padStart(4, "0")}`;
  }

  bill(
    month: number,
    day: number,
    contact: string,
    number: string,
    items: readonly Item[],
    terms: Terms = {},
  ) {
    const words = cli`bill create --contact ${contact} --invoice-number ${number}`;
    return this.#document("purchases", words, number, month, day, items, terms, 1);
  }

  creditNote(month: number, day: number, contact: string, items: readonly Item[]) {
    this.#creditNotes += 1;
    const number = `CN-00${this.#creditNotes}`;
    const words = cli`credit-note create --type ACCRECCREDIT --contact ${contact}`;
    return this.#document("sales", words, number, month, day, items, {}, -1);
  }

  supplierCredit(
    month: number,
    day: number,
    contact: string,
    number: string,
    items: readonly Item[],
  ) {
    const words = cli`credit-note create --type ACCPAYCREDIT --contact ${contact} --credit-note-number ${number}`;
    return this.#document("purchases", words, number, month, day, items, {}, -1);
  }

  #document(
    side: "sales" | "purchases",
    head: Words,
    number: string,
    month: number,
    day: number,
    items: readonly Item[],
    terms: Terms,
    sign: 1 | -1,
  ): Doc {
    const { tax, accounts } = this.country;
    const date = this.day(month, day);
    const { currency, rate, when } = terms;
    const isLate = when === "late";
    const entered = terms.month ?? month;
    const usual = side === "sales" ? "sales" : "purchases";
    const document: Doc = { number, date, total: 0, paid: [] };
    const exchange = currency === undefined ? 1 : (rate ?? this.rate(currency, month));
    let total = 0;
    const lines = items.flatMap(({ text, net, account = "sales", quantity = 1, item, ...each }) => {
      const name = each.tax ?? usual;
      const own = net * quantity;
      const ownTax = each.taxAmount ?? this.taxOf(own, this.#charged(name));
      total += own + ownTax;
      const isAllTax = name === "imports" && tax.imports === "GSTONIMPORTS";
      const part = name === "blocked" ? 0 : name === "fuel" ? 0.8 : 1;
      const reclaimed = isAllTax ? own : Math.round(ownTax * part);
      const inBase = { net: sign * this.inBase(own, exchange), tax: sign * reclaimed };
      this.tax({ date, month: entered, isLate, side, name, ...inBase, document });
      if (item !== undefined) {
        const isIn = side === "purchases";
        const cost = isIn ? { cost: own } : {};
        this.movements.push({ date, item, quantity: isIn ? quantity : -quantity, ...cost });
      }
      const where =
        item === undefined ? `account=${each.code ?? accounts[account]}` : `item=${item}`;
      const what = `description=${text},quantity=${quantity},unit-amount=${inUnits(net)}`;
      const given = each.taxAmount === undefined ? "" : `,tax-amount=${inUnits(each.taxAmount)}`;
      return ["--line", `${what},${where},tax-type=${tax[name]}${given}`];
    });
    const due = terms.due ?? this.day(month + 1, 20);
    const isCredit = head[0] === "credit-note";
    const words = [
      ...head,
      ...cli`--date ${date}`,
      ...(isCredit ? [] : cli`--due-date ${due}`),
      ...(currency === undefined ? [] : cli`--currency-code ${currency}`),
      ...(rate === undefined ? [] : cli`--currency-rate ${String(rate)}`),
      ...lines,
      ...cli`--status AUTHORISED`,
    ];
    this.deed(entered, { date, words, number }, when);
    return Object.assign(document, { total });
  }

  tax(entry: TaxEntry): void {
    this.taxes.push(entry);
  }

  /** A document is paid, or set against another. */
  settle({ paid }: Doc, [month, day]: At, amount: number): void {
    paid.push({ date: this.day(month, day), amount });
  }

  /** What is on hand of each item at the end of a day, at average cost. */
  stockAt(day: string): ReadonlyMap<string, OnHand> {
    const found = new Map<string, OnHand>();
    const until = this.movements.filter(({ date }) => date <= day);
    for (const { item, quantity, cost } of until.toSorted((a, b) =>
      a.date < b.date ? -1 : a.date > b.date ? 1 : 0,
    )) {
      const held = found.get(item) ?? { quantity: 0, cost: 0 };
      const value = cost ?? Math.round((held.cost * quantity) / held.quantity);
      found.set(item, { quantity: held.quantity + quantity, cost: held.cost + value });
    }
    return found;
  }

  deed(month: number, deed: Deed, when?: When): void {
    (when === undefined ? this.deeds : this.unusual[when])[month]?.push(deed);
  }

  // --- the bank --------------------------------------------------------------------------------

  /** Puts a line on a statement, where its day is in the year. */
  bank(account: BankCode, [month, day]: At, amount: number, said: Said): void {
    if (month >= 12) return;
    this.lines.push({ account, date: this.day(month, day), amount, ...said });
  }

  /** Lines of a month on an account, as the bank lists them. */
  linesOf(account: BankCode, month: number): Line[] {
    const [from, to] = [this.day(month, 1), this.lastDay(month)];
    return this.lines
      .filter((line) => line.account === account && line.date >= from && line.date <= to)
      .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  }

  /** What the office is owed by the return that a month ends, in cents. */
  owed(month: number): number {
    const due = vatForms[this.country.taxReturn.command]?.due;
    if (due !== undefined) return this.boxes(month)?.get(due) ?? 0;
    const side = (own: TaxEntry["side"]) => {
      const all = this.#sums(month, (each) => each.side === own).tax;
      return this.country.taxReturn.whole ? Math.trunc(all / 100) * 100 : all;
    };
    return side("sales") - side("purchases");
  }

  /** What the return of a month declares: without what it carries over. */
  declared(month: number): number {
    const boxes = this.boxes(month);
    if (boxes === undefined) return this.owed(month);
    return boxes.get("83") ?? (boxes.get("16") ?? 0) - (boxes.get("23-22") ?? 0);
  }

  /** The boxes of the return of a month, where it is worked out box by box. */
  boxes(month: number): ReadonlyMap<string, number> | undefined {
    const form = vatForms[this.country.taxReturn.command];
    if (form === undefined) return undefined;
    const { credit } = form;
    const last = credit === undefined || month === 0 ? undefined : this.boxes(month - 1);
    const sums: SumsOf = (...names) =>
      this.#sums(month, ({ name, side }) => names.includes(name ?? side));
    return new Map(Object.entries(form.boxes(sums, last?.get(credit ?? "") ?? 0)));
  }

  /** Whether it counts by payments: what is sold, or services alone, and services bought always. */
  #isOnPayment({ side, name, document }: TaxEntry): boolean {
    const { tax, taxReturn } = this.country;
    if (document === undefined) return false;
    if (name === "servicesBought") return true;
    const isByBasis =
      tax.services === undefined ? onPayment.includes(name ?? side) : name === "services";
    return taxReturn.onPayment === true && isByBasis;
  }

  /**
   * Taxed amounts of the return that a month ends: all that was entered until it was published, and
   * what is late of those before.
   */
  #sums(month: number, fits: (entry: TaxEntry) => boolean): Sums {
    const { months } = this.country.taxReturn;
    const [before, end] = [month - months, this.lastDay(month)];
    const isIn = ({ date, month: entered, isLate = false }: TaxEntry) => {
      const carried = entered <= month && !(isLate && entered === month);
      const filed = entered <= before && !(isLate && entered === before);
      return carried && !filed && date <= end;
    };
    const sum = { net: 0, tax: 0, owed: 0 };
    const add = (net: number, tax: number) => {
      sum.net += net;
      sum.tax += tax;
      sum.owed += this.taxOf(net);
    };
    for (const entry of this.taxes.filter(fits)) {
      const { net, tax, document } = entry;
      if (document !== undefined && this.#isOnPayment(entry)) {
        const [first, last] = [this.lastDay(before), end].map((day) =>
          paidUntil(document, day),
        ) as [number, number];
        const share = (all: number) => Math.round(all * last) - Math.round(all * first);
        add(share(net), share(tax));
      } else if (isIn(entry) && entry.isOpening !== true) add(net, tax);
    }
    return sum;
  }

  isReturnDue(month: number): boolean {
    return (month + 1) % this.country.taxReturn.months === 0;
  }
}
