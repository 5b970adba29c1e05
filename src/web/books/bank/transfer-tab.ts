/**
 * Tab that says that a bank statement line is a transfer between own accounts: which other account,
 * how much in its currency, and which line of its own statement it is.
 */
import { daysBetween } from "../../../ledger/dates/calendar.ts";
import { html, type Markup } from "../../../output/markup.ts";
import type { Account } from "../../../resources/account.ts";
import type { BankMatchInput } from "../../../resources/bank-match.ts";
import type { BankStatementLine } from "../../../resources/bank-statement.ts";
import { refusal } from "../../../resources/errors.ts";
import { titleOf } from "../ledger/account-ledger.ts";
import { day, money } from "../shown-values.ts";
import {
  amountIn,
  choiceInput,
  type LineAt,
  type LineContext,
  optionOf,
  otherBanks,
  said,
  tabForm,
  textInput,
} from "./line-context.ts";
import { linesWaiting } from "./waiting-lines.ts";

/** Days between the two lines of a transfer. */
const daysMax = 5;

const otherOf = (context: LineContext, { values }: LineAt): Account | undefined =>
  otherBanks(context).find(({ AccountID }) => AccountID === said(values, "other"));

export async function transferTab(context: LineContext, at: LineAt): Promise<Markup> {
  const { ctx, bank } = context;
  const { line, values } = at;
  const banks = otherBanks(context);
  if (banks.length === 0) {
    return html`<p class="soft">There is no other bank account. One is made with <code>acct account create</code>.</p>`;
  }
  const other = otherOf(context, at);
  const isForeign = other !== undefined && other.CurrencyCode !== bank.CurrencyCode;
  const lines = other === undefined ? [] : await linesOf(context, at, other);
  const chosen = said(values, "otherLine");
  const fromOrTo = line.Amount > 0 ? "From" : "To";
  const lineText = (each: BankStatementLine) =>
    html`${day(each.Date)} ${money(ctx, each.Amount, other?.CurrencyCode)} ${each.Payee ?? each.Description ?? ""}`;
  return tabForm(context, at, "transfer", {
    fields: html`<div class="row">${choiceInput(
      {
        name: "other",
        label: `${fromOrTo} which own account`,
        value: other?.AccountID ?? "",
        isNeeded: true,
      },
      "Choose one",
      html`${banks.map((bank) => optionOf([bank.AccountID, titleOf(bank)], other?.AccountID ?? ""))}`,
    )}${
      isForeign
        ? textInput(
            {
              name: "amount",
              label: `Amount there, in ${other.CurrencyCode ?? ""} (empty: at the day's rate)`,
              value: said(values, "amount"),
            },
            "amount",
          )
        : ""
    }</div>${
      lines.length === 0
        ? ""
        : html`<fieldset><legend>Its line on the other account</legend>${[
            ...lines.map((each) => [each.BankStatementLineID, lineText(each)] as const),
            ["", "None of these"] as const,
          ].map(
            ([id, text]) =>
              html`<div class="check"><input type="radio" id="tab-line-${id}" name="otherLine" value="${id}"${id === chosen ? html` checked` : ""}><label for="tab-line-${id}">${text}</label></div>`,
          )}</fieldset>`
    }`,
    sum: "Look for its line",
    sends: "Reconcile as a transfer",
  });
}

/** Waiting lines of the other account that may be the other side. */
async function linesOf(
  { ctx, bank }: LineContext,
  { line }: LineAt,
  otherAccount: Account,
): Promise<readonly BankStatementLine[]> {
  const inOneCode = otherAccount.CurrencyCode === bank.CurrencyCode;
  return (await linesWaiting(ctx, otherAccount))
    .filter(({ Amount }) => (inOneCode ? Amount === -line.Amount : Amount > 0 !== line.Amount > 0))
    .filter(({ Date: date }) => Math.abs(daysBetween(date, line.Date)) <= daysMax)
    .slice(0, 8);
}

/** The match that the tab says, and the line of the other account. @throws RefusedError */
export function transferFrom(
  context: LineContext,
  at: LineAt,
): { readonly input: BankMatchInput; readonly otherLine: string | undefined } {
  const otherAccount = otherOf(context, at);
  if (otherAccount === undefined) throw refusal("Form", "Choose the other account.");
  const isForeign = otherAccount.CurrencyCode !== context.bank.CurrencyCode;
  const TransferAmount = isForeign ? amountIn(at.values, "amount") : undefined;
  return {
    input: {
      TransferAccount: { AccountID: otherAccount.AccountID },
      ...(TransferAmount === undefined ? {} : { TransferAmount }),
    },
    otherLine: said(at.values, "otherLine") || undefined,
  };
}
