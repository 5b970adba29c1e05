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

const otherOf = (around: LineContext, { values }: LineAt): Account | undefined =>
  otherBanks(around).find(({ AccountID }) => AccountID === said(values, "other"));

export async function transferTab(around: LineContext, at: LineAt): Promise<Markup> {
  const { ctx, bank } = around;
  const { line, values } = at;
  const banks = otherBanks(around);
  if (banks.length === 0) {
    return html`<p class="soft">There is no other bank account. One is made with <code>acct account create</code>.</p>`;
  }
  const other = otherOf(around, at);
  const isForeign = other !== undefined && other.CurrencyCode !== bank.CurrencyCode;
  const lines = other === undefined ? [] : await linesOf(around, at, other);
  const chosen = said(values, "otherLine");
  const place = line.Amount > 0 ? "From" : "To";
  const lineText = (each: BankStatementLine) =>
    html`${day(each.Date)} ${money(ctx, each.Amount, other?.CurrencyCode)} ${each.Payee ?? each.Description ?? ""}`;
  return tabForm(around, at, "transfer", {
    fields: html`<div class="row">${choiceInput(
      {
        name: "other",
        label: `${place} which own account`,
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
  other: Account,
): Promise<readonly BankStatementLine[]> {
  const isSame = other.CurrencyCode === bank.CurrencyCode;
  return (await linesWaiting(ctx, other))
    .filter(({ Amount }) => (isSame ? Amount === -line.Amount : Amount > 0 !== line.Amount > 0))
    .filter(({ Date: date }) => Math.abs(daysBetween(date, line.Date)) <= daysMax)
    .slice(0, 8);
}

/** The match that the tab says, and the line of the other account. @throws RefusedError */
export function transferFrom(
  around: LineContext,
  at: LineAt,
): { readonly input: BankMatchInput; readonly otherLine: string | undefined } {
  const other = otherOf(around, at);
  if (other === undefined) throw refusal("Form", "Choose the other account.");
  const isForeign = other.CurrencyCode !== around.bank.CurrencyCode;
  const TransferAmount = isForeign ? amountIn(at.values, "amount") : undefined;
  return {
    input: {
      TransferAccount: { AccountID: other.AccountID },
      ...(TransferAmount === undefined ? {} : { TransferAmount }),
    },
    otherLine: said(at.values, "otherLine") || undefined,
  };
}
