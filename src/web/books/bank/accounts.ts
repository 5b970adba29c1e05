/**
 * Page of bank accounts: balance in the books, last balance from the bank, and unreconciled lines.
 */
import { startOfMonth } from "../../../ledger/dates/calendar.ts";
import { html } from "../../../output/markup.ts";
import { type Account, account } from "../../../resources/account.ts";
import { bankStatement, bankStatementLine } from "../../../resources/bank-statement.ts";
import { type Cents, readDecimal, scaleOf } from "../../../resources/decimal.ts";
import type { Report } from "../../../wire/report.ts";
import { linkFrom } from "../../frame/breadcrumbs.ts";
import { type Content, link, table } from "../../frame/components.ts";
import type { Page } from "../../frame/page-context.ts";
import type { BooksContext } from "../context.ts";
import { titleOf } from "../ledger/account-ledger.ts";
import { ignoreForbidden } from "../ledger/postings.ts";
import { accountAddress, day, money } from "../shown-values.ts";

export async function showBank(ctx: BooksContext): Promise<Page> {
  const { client } = ctx;
  const banks: Account[] = [];
  for await (const each of client.list(account, { where: 'Type=="BANK"', order: "Code ASC" })) {
    if (each.Status === "ACTIVE") banks.push(each);
  }
  const balances = await balancesOf(ctx);
  const rows: Content[][] = [];
  for (const each of banks) {
    const { AccountID, Code } = each;
    const last = await lastStatement(ctx, AccountID);
    const waiting = await waitingAt(ctx, AccountID);
    const inBooks = balances.get(AccountID);
    rows.push([
      link(linkFrom(ctx, accountAddress(Code ?? AccountID) ?? "/accounts"), titleOf(each)),
      each.CurrencyCode ?? "",
      inBooks === undefined ? "" : money(ctx, inBooks),
      last?.ClosingBalance === undefined ? "" : money(ctx, last.ClosingBalance, each.CurrencyCode),
      last?.ToDate === undefined ? "" : day(last.ToDate),
      waiting === undefined ? "" : reconcileLink(ctx, each, waiting),
    ]);
  }
  return {
    title: "Bank accounts",
    body: html`${table({
      caption: "Bank accounts",
      columns: [
        { heading: "Account" },
        { heading: "Currency" },
        { heading: "In the books", figures: true },
        { heading: "On the last statement", figures: true },
        { heading: "of" },
        { heading: "To reconcile" },
      ],
      rows,
      empty: "There are no bank accounts.",
    })}
<p class="soft">Statements are imported with <code>acct bank import</code>. Balances in the books are in ${ctx.organisation.BaseCurrency}.</p>`,
  };
}

function reconcileLink(ctx: BooksContext, { Code, AccountID }: Account, waiting: number): Content {
  const to = `/bank/${encodeURIComponent(Code ?? AccountID)}/reconcile`;
  const words = waiting === 0 ? "Nothing waits" : `Reconcile ${waiting}`;
  return link(linkFrom(ctx, to), words);
}

/** Balance of each bank account today in cents, by AccountID. */
async function balancesOf(ctx: BooksContext): Promise<ReadonlyMap<string, Cents>> {
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

const ofAccount = (id: string) => `BankAccount.AccountID==guid("${id}")`;

/** The bank statement of the account with the latest end date. */
async function lastStatement({ client }: BooksContext, accountId: string) {
  const query = { where: ofAccount(accountId), order: "ToDate DESC", limit: 1, count: false };
  const read = async () => {
    for await (const each of client.list(bankStatement, query)) return each;
    return undefined;
  };
  return read().catch(ignoreForbidden);
}

/** Number of unreconciled statement lines; undefined where the service does not provide it. */
export async function waitingAt(
  { client }: BooksContext,
  accountId: string,
): Promise<number | undefined> {
  const where = `${ofAccount(accountId)} AND Status=="UNRECONCILED"`;
  const read = async () => {
    const lines = client.list(bankStatementLine, { where, limit: 1, count: true });
    for await (const _ of lines) break;
    return lines.itemCount ?? 0;
  };
  return read().catch(ignoreForbidden);
}
