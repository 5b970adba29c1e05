/**
 * Decides the role of each column, by these sources in order: the user, stored interpretations,
 * known forms of banks, cells, headings.
 */

import { hasFormOfIban } from "../../../resources/common.ts";
import { type AccountFacts, BankFileError, dateOrders } from "../../bank-statement.ts";
import { markOf } from "../../bank-values.ts";
import { isDayLike, readDay } from "../../days.ts";
import { isDash, type Row } from "../cells.ts";
import type { Form } from "./bank-forms.ts";
import { type Booking, bookingOf, directionsOf } from "./cell-words.ts";
import {
  type ColumnRole,
  type FoundRole,
  headingMeaning,
  isOwnHeading,
  type KnownHeading,
  plainHeading,
  plainWords,
  roles,
} from "./headings.ts";

export interface Column {
  readonly place: number;
  readonly heading: string;
  readonly meaning: KnownHeading | undefined;
  role: FoundRole | undefined;
  because: string;
}

/** Roles that only one column can have. */
const single: ReadonlySet<string> = new Set<FoundRole>([
  "date",
  "valueDate",
  "debit",
  "credit",
  "fee",
  "balance",
  "currency",
  "payee",
  "payer",
  "account",
  "id",
  "status",
  "originalAmount",
  "originalCurrency",
]);
const numeric: ReadonlySet<string> = new Set<FoundRole>([
  "amount",
  "gross",
  "debit",
  "credit",
  "fee",
  "balance",
]);

export const isDay = (text: string): boolean =>
  dateOrders.some((order) => readDay(text, order) !== undefined);

const yes = /^(?:y|yes|true|x|1|j|ja|oui|o|si|s|sim|tak|ano|igen|kylla)$/;
const no = /^(?:n|no|false|0|nein|nee|non|nao|nie|ne|nem|nej|nei|ei)$/;

/** Columns that the user named, by role; an empty list removes the role. */
export type RoleChoices = ReadonlyMap<ColumnRole, readonly number[]>;

/**
 * Resolves the user's columns by role.
 *
 * @throws BankFileError `BadFile` for a role that does not exist, `NotStatement` for an unknown
 * column
 */
export function resolveRoles(
  columns: Readonly<Record<string, string>> | undefined,
  headings: readonly string[],
  width: number,
): RoleChoices {
  const columnsByRole = new Map<ColumnRole, readonly number[]>();
  const plainHeadings = headings.map(plainHeading);
  for (const [role, written] of Object.entries(columns ?? {})) {
    if (!roles.includes(role as ColumnRole)) {
      throw new BankFileError("BadFile", `A column is none of ${roles.join(", ")}: "${role}".`);
    }
    const names = written.split("|").filter((name) => name.trim() !== "");
    const columnIndexes = names.map((name) => {
      const exact = headings.findIndex((each) => each.toLowerCase() === name.trim().toLowerCase());
      const columnIndex = exact >= 0 ? exact : plainHeadings.indexOf(plainHeading(name));
      if (columnIndex >= 0 && (exact >= 0 || plainHeading(name) !== "")) return columnIndex;
      const number = /^\s*\d{1,3}\s*$/.test(name) ? Number(name) : 0;
      if (number >= 1 && number <= width) return number - 1;
      const known = headings.filter((heading) => heading !== "").join(", ");
      throw new BankFileError(
        "NotStatement",
        `No row of the file has all the columns that were named: "${name.trim()}" is none of ${known || `1 to ${width}`}.`,
      );
    });
    columnsByRole.set(role as ColumnRole, columnIndexes);
  }
  return columnsByRole;
}

/** Sources that decide the roles of the columns of a table. */
export interface RoleSources {
  readonly choicesByRole: RoleChoices;
  /** Reason of a role from user or stored interpretation: `--map`, `as on 2 Apr 2026`. */
  readonly saidBecause: (role: ColumnRole) => string;
  readonly form: Form | undefined;
}

export class Roles {
  readonly columns: readonly Column[];
  readonly #rows: readonly Row[];
  readonly #said: RoleChoices;
  /** Column such as `Cancelled` that says yes or no. */
  #answer: number | undefined;

  constructor(
    headings: readonly string[],
    rows: readonly Row[],
    width: number,
    sources: RoleSources,
  ) {
    this.#rows = rows;
    this.#said = sources.choicesByRole;
    this.columns = Array.from({ length: width }, (_, columnIndex) => {
      const heading = headings[columnIndex] ?? "";
      return {
        place: columnIndex,
        heading,
        meaning: headingMeaning(heading),
        role: undefined,
        because: "not read",
      };
    });
    for (const [role, places] of sources.choicesByRole) {
      for (const columnIndex of places) this.#set(columnIndex, role, sources.saidBecause(role));
    }
    const { form } = sources;
    for (const { role, heading } of form?.columns ?? []) {
      const column = this.columns.find(
        (column) => column.role === undefined && plainHeading(column.heading) === heading,
      );
      if (column === undefined || this.isChosen(role) || !this.#fits(column.place, role)) continue;
      this.#set(column.place, role, `form ${form?.name}`);
    }
  }

  isChosen(role: FoundRole): boolean {
    return this.#said.has(role as ColumnRole);
  }

  /** Columns of a role, in the order in which the user named them, or of the file. */
  places(role: FoundRole): readonly number[] {
    const choice = this.#said.get(role as ColumnRole);
    if (choice !== undefined) return choice;
    return this.columns.filter((column) => column.role === role).map(({ place }) => place);
  }

  place(role: FoundRole): number | undefined {
    return this.places(role)[0];
  }

  text(row: Row, role: FoundRole): string {
    const cellTexts = this.places(role).map((columnIndex) => row.texts[columnIndex] ?? "");
    return cellTexts.filter((text) => text !== "").join(" ");
  }

  cells(columnIndex: number, rows: readonly Row[] = this.#rows): readonly string[] {
    return rows.map(({ texts }) => texts[columnIndex] ?? "");
  }

  set(columnIndex: number, role: FoundRole | undefined, source: string): void {
    this.#set(columnIndex, role, source);
  }

  #set(columnIndex: number, role: FoundRole | undefined, source: string): void {
    const column = this.columns[columnIndex];
    if (column !== undefined) Object.assign(column, { role, because: source });
  }

  /** Whether the cells of a column are possible for a role. */
  #fits(columnIndex: number, role: FoundRole, rows: readonly Row[] = this.#rows): boolean {
    const cells = this.cells(columnIndex, rows).filter((text) => text !== "");
    if (role === "date" || role === "valueDate") return cells.length === 0 || cells.some(isDay);
    if (role === "currency" || role === "originalCurrency") {
      return cells.every((text) => /^[A-Z]{3}$/i.test(text));
    }
    if (role === "flag") return directionsOf(cells) !== undefined;
    if (role === "status") {
      const words = new Set(cells.filter((text) => /\p{L}/u.test(text)));
      return (
        (words.size > 1 && words.size <= 6) || cells.some((text) => bookingOf(text) !== undefined)
      );
    }
    if (role === "debit" || role === "credit")
      return cells.every((text) => isDash(text) || (markOf(text) !== "none" && !isDayLike(text)));
    if (role === "payee" || role === "payer")
      return cells.length === 0 || !cells.every(hasFormOfIban);
    if (numeric.has(role)) return cells.some((text) => markOf(text) !== "none" && !isDayLike(text));
    return true;
  }

  #isEmpty(columnIndex: number, rows?: readonly Row[]): boolean {
    return this.cells(columnIndex, rows).every((text) => text === "");
  }

  /**
   * Takes columns of account numbers for the counterparty where their heading names a holder or own
   * account.
   */
  #takeOthersNumbers(lines: readonly Row[]): void {
    const column = this.columns.find(({ place, role, meaning, because, heading }) => {
      const cells = this.cells(place, lines).filter((text) => text !== "");
      const isUnassigned = role === undefined || because === "heading";
      if (!isUnassigned || cells.length === 0 || !cells.every(hasFormOfIban)) return false;
      return (
        meaning?.role === "payee" ||
        (role === "ownAccount" && !isOwnHeading(heading) && !hasRepeats(lines, place))
      );
    });
    const isTaken = this.place("account") !== undefined || this.isChosen("account");
    if (column !== undefined && !isTaken) this.#set(column.place, "account", "cells");
  }

  /**
   * Columns whose headings indicate a role, the most certain first, that have no role yet and
   * possible cells.
   */
  #named(role: FoundRole, rows?: readonly Row[], cells: FoundRole = role): readonly Column[] {
    return this.columns
      .filter(
        (column) =>
          column.role === undefined &&
          column.meaning?.role === role &&
          this.#fits(column.place, cells, rows),
      )
      .sort(
        (a, b) =>
          Number(this.#isEmpty(a.place, rows)) - Number(this.#isEmpty(b.place, rows)) ||
          (a.meaning?.rank ?? 0) - (b.meaning?.rank ?? 0),
      );
  }

  /** Finds the column of booking status by its heading, or by words in all its cells. */
  findStatus(): void {
    const answer = this.columns.find((column) => this.#isAnswer(column));
    this.#answer = answer?.place;
    if (this.isChosen("status") || this.place("status") !== undefined) return;
    const statusColumn = this.#named("status")[0] ?? answer;
    if (statusColumn !== undefined) {
      this.#set(statusColumn.place, "status", "heading");
      return;
    }
    const column = this.columns.find(({ place, role, meaning }) => {
      if (role !== undefined || /^(?:text|payee|reference)$/.test(meaning?.role ?? ""))
        return false;
      const cells = this.cells(place).filter((text) => text !== "");
      const distinct = new Set(cells);
      return (
        distinct.size > 0 &&
        distinct.size <= 6 &&
        cells.length > 1 &&
        cells.length >= this.#rows.length / 2 &&
        [...distinct].every((text) => !/\d/.test(text) && bookingOf(text) !== undefined)
      );
    });
    if (column !== undefined) this.#set(column.place, "status", "cells");
  }

  booking(row: Row): Booking | undefined {
    const column = this.columns[this.place("status") ?? -1];
    if (column === undefined) return undefined;
    const text = row.texts[column.place] ?? "";
    if (column.place !== this.#answer) return bookingOf(text);
    const stated = bookingOf(column.heading);
    if (yes.test(plainWords(text))) return stated;
    return stated === "booked" ? "pending" : "booked";
  }

  /** Whether a column such as `Cancelled` says yes or no. */
  #isAnswer({ place, heading, role }: Column): boolean {
    const askedStatus = bookingOf(heading);
    const cells = this.cells(place).map(plainWords);
    const isUnassigned = role === undefined || role === "status";
    // A heading such as `Paid in` is of amounts, of which each may be zero.
    const isOneWord = /^(?:is )?\p{L}+$/u.test(plainWords(heading)) && !cells.includes("0");
    return (
      isUnassigned &&
      askedStatus !== undefined &&
      (askedStatus !== "booked" || isOneWord) &&
      cells.some((text) => yes.test(text) || no.test(text)) &&
      cells.every((text) => text === "" || yes.test(text) || no.test(text))
    );
  }

  /** Columns that may be the booking date: one, unless several are equally likely. */
  findDate(): readonly Column[] {
    const dateColumn = this.place("date");
    if (dateColumn !== undefined || this.isChosen("date"))
      return this.columns.filter(({ place }) => place === dateColumn);
    const [named] = this.#named("date");
    if (named !== undefined) {
      this.#set(named.place, "date", "heading");
      return [named];
    }
    const likely = this.columns.filter(({ place, role, meaning }) => {
      const cells = this.cells(place).filter((text) => text !== "");
      const isUnassigned = role === undefined && meaning?.role !== "valueDate";
      return isUnassigned && cells.length > 0 && cells.filter(isDayLike).length * 2 > cells.length;
    });
    const values = this.#named("valueDate");
    const columns = likely.length > 0 ? likely : values.slice(0, 1);
    const [only] = columns;
    if (only === undefined) return columns;
    const columnText = this.cells(only.place).join("\n");
    if (columns.some(({ place }) => this.cells(place).join("\n") !== columnText)) return columns;
    this.#set(only.place, "date", "cells");
    return [only];
  }

  /**
   * Assigns roles to remaining columns by their headings, unless the cells of the lines contradict.
   */
  assignByHeadings(lines: readonly Row[], accountFacts: AccountFacts): void {
    const order: readonly FoundRole[] = [
      "valueDate",
      "flag",
      "amount",
      "gross",
      "debit",
      "credit",
      "fee",
      "balance",
      "currency",
      "originalAmount",
      "originalCurrency",
      "payer",
      "payee",
      "account",
      "ownAccount",
      "own",
      "id",
      "reference",
      "type",
      "text",
      "ignored",
    ];
    this.#takeOwnCurrency(lines, accountFacts);
    for (const role of order) {
      const isTaken = this.isChosen(role) || (single.has(role) && this.place(role) !== undefined);
      if (isTaken) continue;
      let columns = this.#named(role, lines);
      if (role === "amount") {
        columns = this.#ofCurrency(columns, accountFacts.currency);
        // Headings such as `Soll/Haben` or `Debit/Credit` may be above signed amounts.
        if (columns.length === 0) columns = this.#named("flag", lines, "amount");
      }
      if (role === "currency") columns = this.#besideAmount(columns);
      if (role === "amount" && this.place("amount") !== undefined) columns = [];
      for (const column of single.has(role) ? columns.slice(0, 1) : columns) {
        this.#set(column.place, role, "heading");
      }
    }
    for (const column of this.columns) {
      if (column.role !== undefined || column.meaning?.role !== "currency") continue;
      if (
        this.#fits(column.place, "valueDate", lines) &&
        this.cells(column.place, lines).some(isDayLike) &&
        this.place("valueDate") === undefined
      ) {
        this.#set(column.place, "valueDate", "cells");
      }
    }
  }

  /**
   * Puts amounts in the account's currency first; a column in a foreign currency is the original
   * amount.
   */
  #ofCurrency(columns: readonly Column[], currency: string | undefined): readonly Column[] {
    if (columns.length < 2 || currency === undefined) return columns;
    const ownColumns = columns.filter(({ meaning }) => meaning?.currency === currency);
    const others = columns.filter(
      ({ meaning }) => meaning?.currency !== undefined && meaning.currency !== currency,
    );
    for (const { place } of ownColumns.length + others.length > 0 && others.length < columns.length
      ? others
      : []) {
      this.#set(place, "originalAmount", "heading");
    }
    return ownColumns.length > 0 ? ownColumns : columns.filter(({ role }) => role === undefined);
  }

  /** Of two pairs of amount and currency, takes the one in the account's currency. */
  #takeOwnCurrency(lines: readonly Row[], { currency }: AccountFacts): void {
    const free = this.columns.filter(({ role }) => role === undefined);
    const codesOf = ({ place }: Column) =>
      [...new Set(this.cells(place, lines))].filter((text) => text !== "");
    const pairs = free.filter((column) => {
      const isByHeading = /currency/i.test(column.meaning?.role ?? "currency");
      const codes = codesOf(column);
      return isByHeading && codes.length > 0 && codes.every((code) => /^[A-Z]{3}$/.test(code));
    });
    const [own, ...more] = pairs.filter((pair) => codesOf(pair).join() === currency);
    const otherPair = pairs.find((pair) => pair !== own);
    const amounts = free.filter(({ meaning }) => /amount/i.test(meaning?.role ?? ""));
    const isTwo = own !== undefined && otherPair !== undefined && more.length === 0;
    const isChosen = this.isChosen("amount") || this.isChosen("currency");
    if (!isTwo || pairs.length > 2 || amounts.length !== 2 || isChosen) return;
    // A pair has the first word of its headings in common, or stands together.
    const wordOf = ({ heading }: Column) => plainHeading(heading).split(" ")[0];
    const far = (column: Column) =>
      (wordOf(column) === wordOf(own) ? 0 : 1000) +
      (column.meaning?.role === "originalAmount" ? 500 : 0) +
      Math.abs(column.place - own.place - 0.1);
    const [amount, original] = amounts.toSorted((a, b) => far(a) - far(b)) as [Column, Column];
    this.#set(own.place, "currency", "cells");
    this.#set(amount.place, "amount", "cells");
    this.#set(otherPair.place, "originalCurrency", "cells");
    this.#set(original.place, "originalAmount", "cells");
  }

  /** Of several currency columns, keeps the one nearest to the amount. */
  #besideAmount(columns: readonly Column[]): readonly Column[] {
    const amount = this.place("amount") ?? this.place("credit");
    if (columns.length < 2 || amount === undefined) return columns;
    return [...columns].sort(
      (a, b) => Math.abs(a.place - amount - 0.1) - Math.abs(b.place - amount - 0.1),
    );
  }

  /** Assigns roles to remaining columns by their cells alone. */
  assignByCells(lines: readonly Row[], accountFacts: AccountFacts): void {
    this.#takeOthersNumbers(lines);
    for (const column of this.columns) {
      const cells = this.cells(column.place, lines);
      const filledCells = cells.filter((text) => text !== "");
      const distinct = new Set(filledCells);
      if (filledCells.length === 0) continue;
      const isUnassigned = column.role === undefined;
      if (
        isUnassigned &&
        !this.isChosen("currency") &&
        this.place("currency") === undefined &&
        filledCells.length === lines.length &&
        filledCells.every((text) => /^[A-Z]{3}$/.test(text)) &&
        distinct.size <= 12 &&
        this.#isCurrency(distinct, accountFacts)
      ) {
        this.#set(column.place, "currency", "cells");
      } else if (this.#isOwnSide(column, distinct, lines.length, accountFacts)) {
        this.#set(column.place, "own", "cells");
      } else if (isUnassigned && this.#isContact(filledCells, accountFacts)) {
        const role = filledCells.every((text) => /\d/.test(text)) ? "account" : "payee";
        if (this.place(role) === undefined && !this.isChosen(role))
          this.#set(column.place, role, "cells");
      }
    }
    if (this.isChosen("text")) return;
    for (const column of this.columns) {
      if (column.role !== undefined || column.meaning?.role === "status") continue;
      const filledCells = this.cells(column.place, lines).filter((text) => text !== "");
      const isWords =
        filledCells.filter(
          (text) => /\p{L}{2}/u.test(text) && markOf(text) === "none" && !isDayLike(text),
        ).length *
          2 >
        filledCells.length;
      if (
        isWords &&
        (new Set(filledCells).size > 1 || (lines.length === 1 && column.meaning === undefined))
      )
        this.#set(column.place, "text", "cells");
    }
  }

  #isCurrency(currencyCodes: ReadonlySet<string>, { currency }: AccountFacts): boolean {
    const usualCodes =
      /^(?:EUR|USD|GBP|NZD|AUD|CAD|CHF|SEK|NOK|DKK|PLN|CZK|HUF|JPY|SGD|HKD|ZAR|INR|BRL|MXN|RON|BGN|ISK|CNY|THB|TRY)$/;
    return [...currencyCodes].every((code) => code === currency || usualCodes.test(code));
  }

  /** Whether a column contains the holder's own number or name, and so not the counterparty. */
  #isOwnSide(
    column: Column,
    distinct: ReadonlySet<string>,
    lines: number,
    { names = [], numbers = [] }: AccountFacts,
  ): boolean {
    const { role, because, meaning } = column;
    if (because === "--map" || !["payee", "account", undefined].includes(role)) return false;
    const [only] = distinct;
    if (distinct.size !== 1 || only === undefined) return false;
    if (numbers.some((number) => isSameNumber(only, number))) return true;
    const isVague = /^(?:name|naam|nombre|nome|number|konto|kontonummer|iban)$/.test(
      plainHeading(column.heading),
    );
    // Under a counterparty heading, the holder's own name marks a transfer.
    const isTransfer = role === "payee" && because === "heading" && !isVague;
    if (names.some((name) => plainHeading(name) === plainHeading(only))) return !isTransfer;
    return (
      lines > 1 && role !== undefined && isVague && meaning !== undefined && because === "heading"
    );
  }

  #isContact(filledCells: readonly string[], { contacts }: AccountFacts): boolean {
    return (
      contacts !== undefined &&
      filledCells.length > 0 &&
      filledCells.filter((text) => contacts.has(text)).length * 2 > filledCells.length
    );
  }
}

/**
 * Whether every line fills the column and at most half of the values are distinct, as with account
 * numbers.
 */
export function hasRepeats(body: readonly Row[], columnIndex: number): boolean {
  const lines = body.filter(({ texts }) => texts.some(isDayLike));
  const filled = lines.map(({ texts }) => texts[columnIndex] ?? "").filter((text) => text !== "");
  return (
    filled.length === lines.length &&
    filled.length > 0 &&
    new Set(filled).size <= Math.max(1, filled.length / 2)
  );
}

const bareNumber = (text: string) =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "")
    .replace(/^0+/, "");

/**
 * Whether two account numbers are the same. Banks omit their bank code or pad with zeros, so the
 * end decides; four characters suffice.
 */
export function isSameNumber(stated: string, ownNumber: string): boolean {
  const [a, b] = [bareNumber(stated), bareNumber(ownNumber)];
  return a.length >= 4 && b.length >= 4 && (a === b || a.endsWith(b) || b.endsWith(a));
}
