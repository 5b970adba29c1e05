/**
 * The accounts of the book in the numbers of another chart: the French plan, DATEV's SKR.
 *
 * The map is a table that a person keeps: a row for each account, by its code or its name. Without
 * one the codes of the book itself are taken, where they are numbers of such a chart: those of a book
 * that is kept in it.
 */

import { UsageError } from "../resources/errors.ts";
import { text } from "../resources/field.ts";
import { counted } from "../resources/scalar.ts";
import { CsvSplitter, csvSyntaxOf } from "../wire/csv.ts";
import { LackError, type Wording } from "./lack.ts";
import { isMoved, type Ledger, type LedgerAccount } from "./ledger/read-ledger.ts";

/** Columns of the table that a person keeps, by the names that a file may give them. */
export const accountMapColumns = {
  code: { names: ["Code", "AccountCode", "Account"], field: text() },
  name: { names: ["Name", "AccountName"], field: text() },
  number: { names: ["Number", "AccountNumber", "Compte", "Konto"], field: text() },
  label: { names: ["Label", "Description"], field: text() },
  automatic: { names: ["Automatic", "TaxKey"], field: text() },
} as const;

export interface MappedAccount {
  readonly number: string;
  /** Its name in the other chart. */
  readonly label: string | undefined;
  /** The tax key that the account brings with it, where it computes tax by itself. */
  readonly automatic: string | undefined;
}

export interface AccountMap {
  readonly path: string;
  readonly rows: readonly (MappedAccount & {
    readonly row: number;
    readonly code: string | undefined;
    readonly name: string | undefined;
  })[];
}

type MapRow = { readonly row: number } & {
  readonly [K in keyof typeof accountMapColumns]?: string | undefined;
};

/** @param path  of the file, for sentences */
export function accountMapOf(path: string, rows: readonly MapRow[]): AccountMap {
  return {
    path,
    // An account that has no number yet is one that the map does not know.
    rows: rows.flatMap(({ row, code, name, number, label, automatic }) =>
      number === undefined ? [] : [{ row, code, name, number, label, automatic }],
    ),
  };
}

/** A map that is given as the text of its table. @throws RefusedError of a quote that is not closed */
export function accountMapIn(path: string, table: string): AccountMap {
  const splitter = new CsvSplitter(csvSyntaxOf(table, false));
  const [heading, ...rows] = [...splitter.push(table), ...splitter.end()];
  const headings = heading?.cells.map(plainHeading) ?? [];
  const columns = Object.entries(accountMapColumns).map(([column, { names }]) => {
    const places = names.map((name) => headings.indexOf(plainHeading(name)));
    return [column, places.find((at) => at >= 0) ?? -1] as const;
  });
  const valuesOf = (cells: readonly string[]) =>
    Object.fromEntries(columns.map(([column, at]) => [column, cells[at]?.trim() || undefined]));
  const mapped = rows.map(({ row, cells }) => ({ row, ...valuesOf(cells) }));
  return accountMapOf(path, mapped);
}

const plainHeading = (text: string) => text.toLowerCase().replace(/[^a-z]/g, "");

export interface NumberRule {
  /** What the numbers are, for sentences: `of the plan comptable`. */
  readonly chart: string;
  readonly pattern: RegExp;
  /** What a number looks like. */
  readonly form: string;
  /** Whether a number may be of that account, where a person has not said so. */
  readonly fits?: (number: string, account: LedgerAccount) => boolean;
}

/**
 * The number of every account on which anything stood or moved, by AccountID.
 *
 * @throws UsageError `NoAccountNumber`, `BadAccountMap` with all that is wrong
 */
export function numbersOf(
  { accounts }: Ledger,
  map: AccountMap | undefined,
  rule: NumberRule,
): ReadonlyMap<string, MappedAccount> {
  const all = [...accounts.values()];
  const numbers = map === undefined ? ownNumbers(all, rule) : mappedIn(all, map, rule);
  const missing = all.filter((each) => isMoved(each) && !numbers.has(each.id));
  if (missing.length > 0) throw noNumber(missing, map, rule);
  return numbers;
}

function ownNumbers(
  accounts: readonly LedgerAccount[],
  { pattern, fits = () => true }: NumberRule,
): Map<string, MappedAccount> {
  return new Map(
    accounts.flatMap((account) => {
      const { id, code: number = "" } = account;
      if (!pattern.test(number) || !fits(number, account)) return [];
      return [[id, { number, label: undefined, automatic: undefined }]];
    }),
  );
}

function mappedIn(
  accounts: readonly LedgerAccount[],
  { path, rows }: AccountMap,
  { chart, pattern, form }: NumberRule,
): Map<string, MappedAccount> {
  const mapped = new Map<string, MappedAccount>();
  const bad = (row: number, why: string) =>
    new UsageError("BadAccountMap", `${path}: row ${row}: ${why}`);
  for (const { row, code, name, number, label, automatic } of rows) {
    const account = accounts.find((each) =>
      code === undefined ? each.name === name : each.code === code,
    );
    if (account === undefined) {
      throw bad(row, `the book has no account ${code ?? name ?? "without code and name"}.`);
    }
    if (!pattern.test(number)) throw bad(row, `${number} is no number ${chart}: ${form}.`);
    if (mapped.has(account.id)) throw bad(row, `${titleOf(account)} has a number already.`);
    mapped.set(account.id, { number, label, automatic });
  }
  return mapped;
}

function noNumber(
  missing: readonly LedgerAccount[],
  map: AccountMap | undefined,
  { chart, form }: NumberRule,
): UsageError {
  const many = missing.length > 1;
  const where = ({ option, kept }: Wording) =>
    map === undefined
      ? `Give each one in a CSV with the columns Code and Number, as ${option("accountMap", "FILE")}; ${kept("export accounts --columns Code,Name", "GET /Accounts")} writes its first column`
      : `Add ${many ? "them" : "it"} to ${map.path}`;
  return new LackError(
    "NoAccountNumber",
    (wording) =>
      `${counted(missing.length, "account")} ${many ? "have" : "has"} no number ${chart} (${form}): ` +
      `${missing.map(titleOf).join(", ")}. ${where(wording)}.`,
  );
}

function titleOf({ code, name }: LedgerAccount): string {
  return code === undefined ? name : `${code} ${name}`;
}
