/**
 * Maps the accounts of the book to the numbers of another chart: the French plan, DATEV's SKR.
 *
 * The map is a table that the user maintains, with a row for each account by its code or name.
 * Without a map the codes of the book are used if they are numbers of the other chart already.
 */

import { UsageError } from "../resources/errors.ts";
import { text } from "../resources/field.ts";
import { counted } from "../resources/scalar.ts";
import { CsvSplitter, csvSyntaxOf } from "../wire/csv.ts";
import { LackError, type Wording } from "./lack.ts";
import { isMoved, type Ledger, type LedgerAccount } from "./ledger/read-ledger.ts";

/** Columns of the account map, each with the headings accepted for it. */
export const accountMapColumns = {
  code: { names: ["Code", "AccountCode", "Account"], field: text() },
  name: { names: ["Name", "AccountName"], field: text() },
  number: { names: ["Number", "AccountNumber", "Compte", "Konto"], field: text() },
  label: { names: ["Label", "Description"], field: text() },
  automatic: { names: ["Automatic", "TaxKey"], field: text() },
} as const;

export interface MappedAccount {
  readonly number: string;
  /** Name of the account in the other chart. */
  readonly label: string | undefined;
  /**
   * Tax key or TaxType of an automatic account, which computes its tax by itself; undefined for
   * other accounts.
   */
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

/**
 * Builds an account map from rows already read.
 *
 * @param path  path of the file, for error messages
 */
export function accountMapOf(path: string, rows: readonly MapRow[]): AccountMap {
  return {
    path,
    // A row without a number is treated as an account that is missing from the map.
    rows: rows.flatMap(({ row, code, name, number, label, automatic }) =>
      number === undefined ? [] : [{ row, code, name, number, label, automatic }],
    ),
  };
}

/**
 * Parses an account map from the text of its CSV table.
 *
 * @throws RefusedError for a quote that is not closed
 */
export function accountMapIn(path: string, table: string): AccountMap {
  const splitter = new CsvSplitter(csvSyntaxOf(table, false));
  const [heading, ...rows] = [...splitter.push(table), ...splitter.end()];
  const headings = heading?.cells.map(plainHeading) ?? [];
  const columns = Object.entries(accountMapColumns).map(([column, { names }]) => {
    const columnIndexes = names.map((name) => headings.indexOf(plainHeading(name)));
    return [column, columnIndexes.find((at) => at >= 0) ?? -1] as const;
  });
  const valuesOf = (cells: readonly string[]) =>
    Object.fromEntries(columns.map(([column, at]) => [column, cells[at]?.trim() || undefined]));
  const mapped = rows.map(({ row, cells }) => ({ row, ...valuesOf(cells) }));
  return accountMapOf(path, mapped);
}

const plainHeading = (text: string) => text.toLowerCase().replace(/[^a-z]/g, "");

export interface NumberRule {
  /** Name of the other chart for error messages: `of the plan comptable`. */
  readonly chart: string;
  readonly pattern: RegExp;
  /** Format of a number, in words for error messages. */
  readonly form: string;
  /** Whether a number is plausible for an account that the map does not list. */
  readonly fits?: (number: string, account: LedgerAccount) => boolean;
  /** The account of the other chart that a code of the book stands for, beside those in the map. */
  readonly usual?: ((code: string) => MappedAccount | undefined) | undefined;
}

/**
 * Number of every account with a balance or postings, by AccountID.
 *
 * @throws UsageError `NoAccountNumber`, `BadAccountMap` with all that is wrong
 */
export function numbersOf(
  { accounts }: Ledger,
  map: AccountMap | undefined,
  rule: NumberRule,
): ReadonlyMap<string, MappedAccount> {
  const all = [...accounts.values()];
  const own = map === undefined || rule.usual !== undefined ? ownNumbers(all, rule) : [];
  const numbers = new Map([...own, ...(map === undefined ? [] : mappedAccounts(all, map, rule))]);
  const missing = all.filter((account) => isMoved(account) && !numbers.has(account.id));
  if (missing.length > 0) throw noNumber(missing, map, rule);
  return numbers;
}

function ownNumbers(
  accounts: readonly LedgerAccount[],
  { pattern, fits = () => true, usual = unchanged }: NumberRule,
): Map<string, MappedAccount> {
  return new Map(
    accounts.flatMap((account) => {
      const mapped = usual(account.code ?? "");
      if (!mapped || !pattern.test(mapped.number) || !fits(mapped.number, account)) return [];
      return [[account.id, mapped]];
    }),
  );
}

const unchanged = (number: string) => ({ number, label: undefined, automatic: undefined });

function mappedAccounts(
  accounts: readonly LedgerAccount[],
  { path, rows }: AccountMap,
  { chart, pattern, form }: NumberRule,
): Map<string, MappedAccount> {
  const mapped = new Map<string, MappedAccount>();
  const rowError = (row: number, problem: string) =>
    new UsageError("BadAccountMap", `${path}: row ${row}: ${problem}`);
  for (const { row, code, name, number, label, automatic } of rows) {
    const account = accounts.find((account) =>
      code === undefined ? account.name === name : account.code === code,
    );
    if (account === undefined) {
      throw rowError(row, `the book has no account ${code ?? name ?? "without code and name"}.`);
    }
    if (!pattern.test(number)) throw rowError(row, `${number} is no number ${chart}: ${form}.`);
    if (mapped.has(account.id)) throw rowError(row, `${titleOf(account)} has a number already.`);
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
  const whereToSay = ({ option, bookField: kept }: Wording) =>
    map === undefined
      ? `Give each one in a CSV with the columns Code and Number, as ${option("accountMap", "FILE")}; ${kept("export accounts --columns Code,Name", "GET /Accounts")} writes its first column`
      : `Add ${many ? "them" : "it"} to ${map.path}`;
  return new LackError(
    "NoAccountNumber",
    (wording) =>
      `${counted(missing.length, "account")} ${many ? "have" : "has"} no number ${chart} (${form}): ` +
      `${missing.map(titleOf).join(", ")}. ${whereToSay(wording)}.`,
  );
}

function titleOf({ code, name }: LedgerAccount): string {
  return code === undefined ? name : `${code} ${name}`;
}
