/** Balances of bank accounts: in the books, and on the last statement of the bank. */
import { startOfMonth } from "../../../ledger/dates/calendar.ts";
import type { Account } from "../../../resources/account.ts";
import { bankStatement } from "../../../resources/bank-statement.ts";
import { type Cents, readDecimal, scaleOf } from "../../../resources/decimal.ts";
import { overview, overviewPath } from "../../../resources/overview.ts";
import type { Report } from "../../../wire/report.ts";
import type { BooksContext } from "../context.ts";
import { ignoreForbidden } from "../ledger/postings.ts";
import { ofBank } from "./waiting-lines.ts";

/** Balance of each bank account today in base currency, in cents, by AccountID. */
export async function balancesOf(ctx: BooksContext): Promise<ReadonlyMap<string, Cents>> {
  const { client, allows, today } = ctx;
  if (!allows("GET", "/Reports/BankSummary")) return new Map();
  const period = { fromDate: startOfMonth(today), toDate: today };
  const report = await client.report("BankSummary", period).catch(ignoreForbidden);
  return new Map<string, Cents>(report === undefined ? [] : balancesIn(report));
}

function balancesIn({ Rows }: Report): [string, Cents][] {
  return Rows.flatMap(({ Rows: rows = [] }) => rows).flatMap(({ Cells = [] }) => {
    const id = Cells[0]?.Attributes?.find(({ Id }) => Id === "accountID")?.Value;
    const cents = readDecimal(Cells.at(-1)?.Value ?? "", scaleOf.money);
    return id === undefined || cents === undefined ? [] : [[id, cents as Cents]];
  });
}

/** Balance of one account in the books today, in its own currency; undefined where it is hidden. */
export async function loadBookBalance(
  ctx: BooksContext,
  { AccountID, CurrencyCode }: Account,
): Promise<Cents | undefined> {
  const { client, organisation } = ctx;
  if (CurrencyCode === undefined || CurrencyCode === organisation.BaseCurrency) {
    return (await balancesOf(ctx)).get(AccountID);
  }
  const [now] = (await client.at(overview, overviewPath).catch(ignoreForbidden)) ?? [];
  const ownBank = now?.BankAccounts?.find((bankAccount) => bankAccount.AccountID === AccountID);
  return ownBank?.BalanceInCurrency;
}

/** Balance at the end of the last statement of an account. */
export interface StatementBalance {
  readonly day: string | undefined;
  readonly balance: Cents | undefined;
  /** Whether it is counted on from another balance, as the statement itself tells none. */
  readonly isCounted: boolean;
}

/** The bank statement of the account with the latest end date; undefined where there is none. */
export async function lastStatement(
  { client }: BooksContext,
  bank: Pick<Account, "AccountID">,
): Promise<StatementBalance | undefined> {
  const query = { where: ofBank(bank), order: "ToDate DESC", limit: 1, count: false };
  const read = async () => {
    for await (const record of client.list(bankStatement, query)) {
      const { ToDate: day, ClosingBalance: told } = record;
      if (told !== undefined) return { day, balance: told, isCounted: false };
      // What is counted on is part of the answer for one statement alone.
      const { CountedClosing } = await client.find(bankStatement, record.BankStatementID);
      return { day, balance: CountedClosing, isCounted: true };
    }
    return undefined;
  };
  return read().catch(ignoreForbidden);
}
