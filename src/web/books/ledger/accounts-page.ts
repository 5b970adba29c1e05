/** Chart of accounts as a tree by class and type, with balances and movements of the year. */
import { financialYear } from "../../../ledger/dates/calendar.ts";
import { choiceText } from "../../../output/field-labels.ts";
import { html, type Markup } from "../../../output/markup.ts";
import type { Account } from "../../../resources/account.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { addressWith, linkFrom } from "../../frame/breadcrumbs.ts";
import { type Content, isolated, link, type TableRow, table } from "../../frame/components.ts";
import type { Page } from "../../frame/page-context.ts";
import { lastStatement } from "../bank/standing.ts";
import type { BooksContext } from "../context.ts";
import { accountAddress, money, sideMarkup } from "../shown-values.ts";
import { accountsOf, movementsOf, titleOf } from "./account-ledger.ts";
import { ignoreForbidden } from "./postings.ts";

const classes = ["ASSET", "LIABILITY", "EQUITY", "REVENUE", "EXPENSE"] as const;

/** The address of the accounts as a list, with filters and downloads. */
const listAddress = "/accounts?order=Code%20ASC";

export async function showAccountTree(ctx: BooksContext): Promise<Page> {
  const { organisation, today } = ctx;
  const { FinancialYearEndDay: last, FinancialYearEndMonth: month } = organisation;
  const { from } = financialYear(today, last, month);
  const accounts = await accountsOf(ctx);
  const moved = await movementsOf(ctx, { from, to: today, basis: "accrual", options: [] }).catch(
    ignoreForbidden,
  );
  const rowOf = async (account: Account): Promise<Content[]> => {
    const { AccountID, Code, Type } = account;
    const { debit = 0, credit = 0, closing = 0 } = moved?.get(AccountID) ?? {};
    const to = addressWith(accountAddress(Code ?? AccountID) ?? "", [
      ["from", from],
      ["to", today],
    ]);
    const bank = Type === "BANK" ? await lastStatement(ctx, account) : undefined;
    const onStatement =
      bank?.balance === undefined
        ? ""
        : html`<br><span class="soft">Statement ${money(ctx, bank.balance, account.CurrencyCode)}</span>`;
    const figures = [closing, debit - credit].map((cents) =>
      cents === 0 ? "\u2013" : sideMarkup(ctx, cents as Cents),
    );
    return [
      html`${link(linkFrom(ctx, to), titleOf(account))}${onStatement}`,
      ...(moved === undefined ? [] : figures),
    ];
  };
  const isLive = ({ Status }: Account) => Status !== "ARCHIVED";
  const parts: Content[] = [];
  for (const category of classes) {
    const ofClass = accounts.filter((account) => account.Class === category && isLive(account));
    parts.push(await classPart(choiceText("Class", category), ofClass, rowOf, true));
  }
  parts.push(
    await classPart(
      "Archived",
      accounts.filter((account) => !isLive(account)),
      rowOf,
      false,
    ),
  );
  return {
    title: "Accounts",
    body: html`${parts}<p>${link(linkFrom(ctx, listAddress), "As a list, with filters and downloads")}</p>`,
  };
}

/** Accounts of a class under their types; empty where there are none. */
async function classPart(
  heading: string,
  accounts: readonly Account[],
  rowOf: (account: Account) => Promise<Content[]>,
  isOpen: boolean,
): Promise<Markup | ""> {
  if (accounts.length === 0) return "";
  const rows: TableRow[] = [];
  const byCode = accounts.toSorted((a, b) => ((a.Code ?? "") < (b.Code ?? "") ? -1 : 1));
  for (const [type, own] of Map.groupBy(byCode, ({ Type }) => Type)) {
    rows.push({ kind: "section", cells: [isolated(choiceText("Type", type))] });
    for (const account of own) rows.push({ cells: await rowOf(account) });
  }
  const hasFigures = rows.some(({ cells }) => cells.length > 1);
  return html`<details class="class"${isOpen ? html` open` : ""}><summary><h2>${heading}</h2> <span class="soft">${String(accounts.length)}</span></summary>
${table({
  caption: heading,
  columns: [
    { heading: "Account" },
    ...(hasFigures
      ? [
          { heading: "Balance", figures: true },
          { heading: "Year to date", figures: true },
        ]
      : []),
  ],
  rows,
})}</details>
`;
}
