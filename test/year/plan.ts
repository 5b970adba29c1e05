/**
 * A year of the company as it was: what is entered when, what the bank shows, and what tax it comes to.
 *
 * Nothing here asks the program. Numbers of invoices, totals, taxes and balances of the bank are
 * computed from the year itself, so that what the program says can be held against them.
 */
import { addDays, addMonths, endOfMonth, startOfMonth } from "../../src/ledger/dates/calendar.ts";
import { cli, type Words } from "./bookkeeper.ts";
import type { Country } from "./country.ts";

export type BankCode = "090" | "091" | "092";

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

/** Tax of a document; on sales or on purchases. */
interface TaxEntry {
  readonly date: string;
  /** The month in which it is entered. */
  readonly month: number;
  /** Entered after the return of its month was published. */
  readonly isLate: boolean;
  readonly side: "sales" | "purchases";
  readonly amount: number;
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

type TaxName = keyof Country["tax"] & string;

interface Item {
  readonly text: string;
  /** In cents, without tax, of one. */
  readonly net: number;
  readonly account?: string;
  readonly tax?: Exclude<TaxName, "percent">;
  readonly quantity?: number;
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
}

export const inUnits = (cents: number) => (cents / 100).toFixed(2);

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
  /** The number of the invoice that is corrected. */
  wrong = "";
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

  taxOf(net: number): number {
    return Math.round((net * this.country.tax.percent) / 100);
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
    this.tax({ date, month, isLate: false, side: "sales", amount: this.taxOf(net) });
    this.deed(month, { date, words: cli`repeating-invoice run`, number });
    return { number, date, total: this.total(net) };
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
    const { tax } = this.country;
    const date = this.day(month, day);
    const { currency, rate, when } = terms;
    const isLate = when === "late";
    const entered = terms.month ?? month;
    const usual = side === "sales" ? "sales" : "purchases";
    let total = 0;
    const lines = items.flatMap(({ text, net, account, quantity = 1, item, ...each }) => {
      const name = each.tax ?? usual;
      const own = net * quantity;
      const ownTax = name === usual || name === "capital" ? this.taxOf(own) : 0;
      total += own + ownTax;
      if (ownTax !== 0) this.tax({ date, month: entered, isLate, side, amount: sign * ownTax });
      if (name === "imports") {
        this.tax({ date, month: entered, isLate, side, amount: sign * own });
      }
      if (item !== undefined) {
        const isIn = side === "purchases";
        const cost = isIn ? { cost: own } : {};
        this.movements.push({ date, item, quantity: isIn ? quantity : -quantity, ...cost });
      }
      const where = item === undefined ? `account=${account ?? "200"}` : `item=${item}`;
      const what = `description=${text},quantity=${quantity},unit-amount=${inUnits(net)}`;
      return ["--line", `${what},${where},tax-type=${tax[name]}`];
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
    return { number, date, total };
  }

  tax(entry: TaxEntry): void {
    this.taxes.push(entry);
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

  /**
   * What the office is owed by the return that a month ends, in cents: all that was entered until it
   * was published, and what is late of those before.
   */
  owed(month: number): number {
    const { months, whole } = this.country.taxReturn;
    const isIn = ({ date, month: entered, isLate }: TaxEntry) => {
      const carried = entered <= month && !(isLate && entered === month);
      const before = month - months;
      const filed = entered <= before && !(isLate && entered === before);
      return carried && !filed && date <= this.lastDay(month);
    };
    const side = (name: TaxEntry["side"]) => {
      const own = this.taxes.filter((each) => each.side === name && isIn(each));
      const all = own.reduce((sum, { amount }) => sum + amount, 0);
      return whole ? Math.trunc(all / 100) * 100 : all;
    };
    return side("sales") - side("purchases");
  }

  isReturnDue(month: number): boolean {
    return (month + 1) % this.country.taxReturn.months === 0;
  }
}
