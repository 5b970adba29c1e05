/**
 * Page of bank accounts: balance in the books, last balance from the bank, and unreconciled lines.
 */
import { html } from "../../../output/markup.ts";
import { type Account, account } from "../../../resources/account.ts";
import { bankStatementLine } from "../../../resources/bank-statement.ts";
import { linkFrom } from "../../frame/breadcrumbs.ts";
import { type Content, cardTable, link } from "../../frame/components.ts";
import type { Page } from "../../frame/page-context.ts";
import type { BooksContext } from "../context.ts";
import { titleOf } from "../ledger/account-ledger.ts";
import { ignoreForbidden } from "../ledger/postings.ts";
import { accountAddress, day, money } from "../shown-values.ts";
import { noBankAccounts } from "./no-bank-accounts.ts";
import { balancesOf, lastStatement } from "./standing.ts";
import { statementUploadPath } from "./statement-preview.ts";
import { importMessage, statementsPath } from "./statement-upload.ts";
import { ofBank } from "./waiting-lines.ts";

export async function showBank(ctx: BooksContext): Promise<Page> {
  const { client } = ctx;
  const banks: Account[] = [];
  for await (const record of client.list(account, { where: 'Type=="BANK"', order: "Code ASC" })) {
    if (record.Status === "ACTIVE") banks.push(record);
  }
  const balanceById = await balancesOf(ctx);
  const rows: Content[][] = [];
  for (const bank of banks) {
    const { AccountID, Code } = bank;
    const lastBalance = await lastStatement(ctx, bank);
    const waitingCount = await waitingAt(ctx, AccountID);
    const inBooks = balanceById.get(AccountID);
    rows.push([
      link(linkFrom(ctx, accountAddress(Code ?? AccountID) ?? "/accounts"), titleOf(bank)),
      bank.CurrencyCode ?? "",
      inBooks === undefined ? "" : money(ctx, inBooks),
      lastBalance?.balance === undefined ? "" : money(ctx, lastBalance.balance, bank.CurrencyCode),
      lastBalance?.day === undefined ? "" : day(lastBalance.day),
      waitingCount === undefined ? "" : reconcileLink(ctx, bank, waitingCount),
    ]);
  }
  return {
    title: "Bank accounts",
    body: html`${importMessage(ctx)}${ctx.allows("POST", statementsPath) ? html`<p>${link(linkFrom(ctx, statementUploadPath), "Upload a statement")}</p>` : ""}
${cardTable({
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
  empty: noBankAccounts,
})}
${rows.length === 0 ? "" : html`<p class="soft">Balances in the books are in ${ctx.organisation.BaseCurrency}.</p>`}`,
  };
}

function reconcileLink(ctx: BooksContext, { Code, AccountID }: Account, waiting: number): Content {
  const to = `/bank/${encodeURIComponent(Code ?? AccountID)}/reconcile`;
  const words = waiting === 0 ? "Nothing waits" : `Reconcile ${waiting}`;
  return link(linkFrom(ctx, to), words);
}

/** Number of unreconciled statement lines; undefined where the service does not provide it. */
export async function waitingAt(
  { client }: BooksContext,
  accountId: string,
): Promise<number | undefined> {
  const condition = `${ofBank({ AccountID: accountId })} AND Status=="UNRECONCILED"`;
  const read = async () => {
    const lines = client.list(bankStatementLine, { where: condition, limit: 1, count: true });
    for await (const _ of lines) break;
    return lines.itemCount ?? 0;
  };
  return read().catch(ignoreForbidden);
}
