/**
 * Tab that posts a bank statement line to accounts: a row each, with tax, tracking, description and
 * amount, and the contact, whose deposit or overpayment the money may also be.
 */
import { html, type Markup } from "../../../output/markup.ts";
import type { BankMatchInput } from "../../../resources/bank-match.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { refusal } from "../../../resources/errors.ts";
import { taxRate } from "../../../resources/tax-rate.ts";
import { trackingCategory } from "../../../resources/tracking-category.ts";
import type { Content } from "../../frame/components.ts";
import type { BooksContext } from "../context.ts";
import { ignoreForbidden } from "../ledger/postings.ts";
import { contactFields, contactIn } from "./contact-choice.ts";
import {
  accountOptions,
  amountIn,
  choiceInput,
  inBank,
  type LineAt,
  type LineContext,
  optionOf,
  said,
  tabForm,
  textInput,
} from "./line-context.ts";

type Line = NonNullable<BankMatchInput["Lines"]>[number];

const rowsMax = 20;

/** What the money of a line is kept as, besides income or spending. */
const keeps = {
  Prepayment: "A deposit for a later document",
  Overpayment: "An overpayment",
} as const;

const keptIn = (values: URLSearchParams) =>
  (Object.keys(keeps) as (keyof typeof keeps)[]).find((key) => key === said(values, "kept"));

export async function newTab(context: LineContext, at: LineAt): Promise<Markup> {
  const { ctx } = context;
  const { line, values } = at;
  const isReceived = line.Amount > 0;
  const keptAs = said(values, "kept");
  const count = rowsIn(values);
  const tracking = await trackingOf(ctx);
  const taxes = await taxRatesOf(ctx);
  const rows = Array.from({ length: count }, (_, row) =>
    rowFields(context, at, { row, count, tracking, taxes }),
  );
  const more = html`<button class="act other" formnovalidate name="rows" value="${count + 1}">Add a row</button>`;
  return tabForm(context, at, "new", {
    fields: html`<input type="hidden" name="rows" value="${count}">
${await contactFields(ctx, values, isReceived ? "From" : "To", line.Payee ?? "")}
${choiceInput(
  { name: "kept", label: "It is", value: keptAs },
  isReceived ? "Money received" : "Money spent",
  html`${Object.entries(keeps).map((entry) => optionOf(entry, keptAs))}`,
)}
${rows}
<div class="acts">${count < rowsMax && keptAs !== "Overpayment" ? more : ""}</div>
${footOf(context, at, count)}`,
    sum: "Search and add up",
    sends: "Reconcile",
  });
}

function rowsIn(values: URLSearchParams): number {
  const count = Number(said(values, "rows")) || 1;
  return Math.min(rowsMax, Math.max(1, Math.floor(count)));
}

interface RowOptions {
  readonly row: number;
  readonly count: number;
  readonly tracking: Tracking;
  readonly taxes: TaxRates;
}

function rowFields(
  context: LineContext,
  at: LineAt,
  { row, count, tracking, taxes }: RowOptions,
): Markup {
  const { values, line } = at;
  const field = (name: string, label: string, preset = "") => ({
    name: `${name}-${row}`,
    label: count === 1 ? label : `${label} ${row + 1}`,
    value: values.has(`${name}-${row}`) ? said(values, `${name}-${row}`) : preset,
  });
  if (keptIn(values) === "Overpayment") return html``;
  const account = field("account", "Account");
  const tax = field("tax", "Tax");
  const text = [line.Payee, line.Description].filter(Boolean).join(" ");
  const tracked = tracking.map(({ Name, Options = [] }, index) => {
    const trackField = field(`track${index}`, Name);
    const names = Options.filter(({ Status }) => Status === "ACTIVE").map((option) => option.Name);
    return choiceInput(
      trackField,
      "None",
      html`${names.map((name) => optionOf([name, name], trackField.value))}`,
    );
  });
  return html`<div class="row">${choiceInput(
    { ...account, isNeeded: row === 0 },
    "Choose an account",
    accountOptions(context, at, account.value),
  )}${choiceInput(tax, "Tax of the account", taxChoices(taxes, tax.value))}${tracked}${textInput(
    field("description", "Description", text),
  )}${textInput(field("amount", count === 1 ? "Amount (empty: all)" : "Amount (empty: the rest)"), "amount")}</div>`;
}

function footOf(around: LineContext, at: LineAt, count: number): Content {
  if (count === 1) return "";
  const amounts = Array.from({ length: count }, (_, row) => said(at.values, `amount-${row}`));
  if (amounts.includes(""))
    return html`<p class="soft">One row without an amount takes the rest of ${inBank(around, at.line.Amount)}.</p>`;
  const sum = amounts.reduce((total, _, row) => total + amountOrZero(at.values, row), 0);
  const amountLeft = Math.abs(at.line.Amount) - sum;
  const gap =
    amountLeft === 0
      ? "nothing is left"
      : html`${inBank(around, amountLeft)} ${amountLeft > 0 ? "is left" : "too much"}`;
  return html`<p class="foot" role="status">rows ${inBank(around, sum)} of ${inBank(around, at.line.Amount)}, ${gap}</p>`;
}

function amountOrZero(values: URLSearchParams, row: number): number {
  try {
    return amountIn(values, `amount-${row}`) ?? 0;
  } catch {
    return 0;
  }
}

/** The match that the tab says. @throws RefusedError where it leaves something open */
export async function newFrom(
  { ctx }: LineContext,
  { line, values }: LineAt,
): Promise<BankMatchInput> {
  const sign = line.Amount < 0 ? -1 : 1;
  const Contact = await contactIn(ctx, values);
  const keptAs = keptIn(values);
  const tracking = await trackingOf(ctx);
  if (keptAs === "Overpayment") {
    return { Lines: [{ KeptAs: keptAs }], ...(Contact === undefined ? {} : { Contact }) };
  }
  const Lines = Array.from({ length: rowsIn(values) }, (_, row): Line | undefined => {
    const of = (name: string) => said(values, `${name}-${row}`);
    const amount = amountIn(values, `amount-${row}`);
    if (of("account") === "") {
      if (row > 0 && amount === undefined) return undefined;
      throw refusal("Form", "Choose an account for each row.");
    }
    const Tracking = tracking.flatMap(({ Name }, index) => {
      const Option = of(`track${index}`);
      return Option === "" ? [] : [{ Name, Option }];
    });
    return {
      AccountCode: of("account"),
      ...(amount === undefined ? {} : { Amount: (sign * amount) as Cents }),
      ...(of("tax") === "" ? {} : { TaxType: of("tax") }),
      ...(of("description") === "" ? {} : { Description: of("description") }),
      ...(Tracking.length === 0 ? {} : { Tracking }),
      ...(keptAs === undefined ? {} : { KeptAs: keptAs }),
    };
  }).filter((line) => line !== undefined);
  return { Lines, ...(Contact === undefined ? {} : { Contact }) };
}

// --- what is chosen from -----------------------------------------------------------------------------

async function readAll<T>(list: AsyncIterable<T>): Promise<readonly T[]> {
  return (await Array.fromAsync(list).catch(ignoreForbidden)) ?? [];
}

type Tracking = Awaited<ReturnType<typeof trackingOf>>;
const trackingOf = async ({ client }: BooksContext) =>
  (await readAll(client.list(trackingCategory))).filter(({ Status }) => Status === "ACTIVE");

export type TaxRates = Awaited<ReturnType<typeof taxRatesOf>>;
export const taxRatesOf = async ({ client }: BooksContext) =>
  (await readAll(client.list(taxRate))).filter(({ Status }) => Status === "ACTIVE");

/** Tax rates by their names, as options of a field. */
export const taxChoices = (taxes: TaxRates, chosenType: string): Content =>
  html`${taxes.map(({ TaxType = "", Name }) => optionOf([TaxType, Name], chosenType))}`;
