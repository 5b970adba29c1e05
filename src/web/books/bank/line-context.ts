/** What the parts of the reconciling page share: addresses, forms and accounts to choose from. */
import { html, type Markup } from "../../../output/markup.ts";
import type { Account } from "../../../resources/account.ts";
import type { BankSuggestion } from "../../../resources/bank-match.ts";
import type { BankStatementLine } from "../../../resources/bank-statement.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { refusal } from "../../../resources/errors.ts";
import { readScalar } from "../../../resources/scalar.ts";
import { addressWith, linkBeside, trailFields } from "../../frame/breadcrumbs.ts";
import type { Content } from "../../frame/components.ts";
import type { BooksContext } from "../context.ts";
import { titleOf } from "../ledger/account-ledger.ts";
import { money } from "../shown-values.ts";

export interface LineContext {
  readonly ctx: BooksContext;
  readonly bank: Account;
  readonly accounts: readonly Account[];
  /** Lock date: the last day on which nothing can be posted. */
  readonly locked: string | undefined;
  readonly mayChange: boolean;
  /** Path of the page. */
  readonly path: string;
  /** Parameters that the page keeps: its filters and its number. */
  readonly hiddenFields: readonly (readonly [name: string, value: string | undefined])[];
}

/** A line with what the matcher suggests for it, and what was entered about it. */
export interface LineAt {
  readonly line: BankStatementLine;
  readonly suggestions: readonly BankSuggestion[];
  /** Fields of the open tab: as they stand in the address, or as they were sent and refused. */
  readonly values: URLSearchParams;
}

/** Ways to say what a line is, besides taking a suggestion. */
export const tabs = {
  match: { title: "Match", key: "m" },
  new: { title: "New", key: undefined },
  transfer: { title: "Transfer", key: "t" },
  rule: { title: "Rule", key: "r" },
} as const;
export type TabName = keyof typeof tabs;
export const tabNames = Object.keys(tabs) as TabName[];

export const anchorOf = (id: string): string => `line-${id}`;
/** Id of the open tab; one line of the page has one. */
const tabId = "tab";

type Field = readonly [name: string, value: string | undefined];

/** Address of the page with a tab of a line open. @param presets  fields of the tab */
export function tabLink(
  { ctx, path, hiddenFields: kept }: LineContext,
  line: string,
  tab: TabName,
  presets: readonly Field[] = [],
): string {
  const address = addressWith(path, [...kept, ["open", line], ["tab", tab], ...presets]);
  return `${linkBeside(ctx, address)}#${tabId}`;
}

const hidden = (fields: readonly Field[]) =>
  fields.map(([name, value = ""]) => html`<input type="hidden" name="${name}" value="${value}">`);

/** Address to which forms about a line are sent; after a refusal the page is shown at the line. */
function actionOf({ ctx, path, hiddenFields: kept }: LineContext, line: string): string {
  return `${ctx.base}${addressWith(path, kept)}#${anchorOf(line)}`;
}

/** Form about a line. @param actName  the act */
export function lineForm(
  around: LineContext,
  line: string,
  actName: string,
  content: Content,
): Markup {
  const { ctx } = around;
  const fields = [
    ["token", ctx.formToken],
    ["line", line],
    ["do", actName],
    ...trailFields(ctx),
  ] as const;
  return html`<form class="one" method="post" action="${actionOf(around, line)}">${hidden(fields)}${content}</form>`;
}

/**
 * Form of a tab: its fields are shown anew with what they come to whenever they change, or by a
 * button without script, and sent by another. The token is a part of that other button, so that it
 * stands in no address.
 *
 * @param sends  text of the button that carries it out; undefined while something is missing
 */
export function tabForm(
  around: LineContext,
  { line }: LineAt,
  tab: TabName,
  parts: { readonly fields: Content; readonly sum: string; readonly sends: string | undefined },
): Markup {
  const { ctx, path, hiddenFields: kept } = around;
  const id = line.BankStatementLineID;
  const own = [
    ...kept.filter(([, value]) => value !== undefined),
    ["open", id],
    ["tab", tab],
    ...trailFields(ctx),
  ] as const;
  const send =
    parts.sends === undefined
      ? ""
      : html`<button class="act" formmethod="post" formaction="${actionOf(around, id)}" name="token" value="${ctx.formToken}">${parts.sends}</button>`;
  return html`<form class="entry" data-live method="get" action="${ctx.base}${path}#${tabId}">${hidden(own)}
${parts.fields}
<div class="acts"><button class="act other" formnovalidate>${parts.sum}</button>${send}</div>
</form>`;
}

/** Part of the page for the open tab of a line. */
export const tabPart = (title: string, content: Content): Markup =>
  html`<div class="tab" id="${tabId}" tabindex="-1" role="group" aria-label="${title}">${content}</div>`;

// --- fields ------------------------------------------------------------------------------------------

export const said = (values: URLSearchParams, name: string): string =>
  values.getAll(name).at(-1)?.trim() ?? "";

/** Amount in a field, in cents; undefined where it is empty. @throws RefusedError */
export function amountIn(values: URLSearchParams, name: string): Cents | undefined {
  const text = said(values, name).replaceAll(",", "");
  if (text === "") return undefined;
  const read = readScalar.money(undefined, text);
  if ("fault" in read) throw refusal("Form", `The amount ${read.fault}.`);
  return read.value as Cents;
}

interface FieldOptions {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly isNeeded?: boolean;
}

export function textInput(
  { name, label, value, isNeeded = false }: FieldOptions,
  kind: "text" | "amount" = "text",
): Markup {
  const id = `tab-${name}`;
  const more =
    kind === "amount"
      ? html` inputmode="decimal" size="10" maxlength="20"`
      : html` maxlength="255"`;
  return html`<div class="field"><label for="${id}">${label}</label><input id="${id}" name="${name}" value="${value}" autocomplete="off"${more}${isNeeded ? html` required` : ""}></div>`;
}

/** @param emptyChoice  label of the empty choice; undefined where one of the values must be chosen */
export function choiceInput(
  { name, label, value, isNeeded = false }: FieldOptions,
  emptyChoice: string | undefined,
  options: Content,
): Markup {
  const id = `tab-${name}`;
  const empty = emptyChoice === undefined ? "" : optionOf(["", emptyChoice], value);
  return html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}"${isNeeded ? html` required` : ""}>${empty}${options}</select></div>`;
}

export const optionOf = (
  [value, text]: readonly [value: string, text: string],
  chosenValue: string,
): Markup =>
  html`<option value="${value}"${value === chosenValue ? html` selected` : ""}>${text}</option>`;

// --- accounts ----------------------------------------------------------------------------------------

const isActive = ({ Status, Code }: Account): boolean => Status === "ACTIVE" && Code !== undefined;

/** Own bank accounts that money may have come from or gone to. */
export const otherBanks = ({ accounts, bank }: LineContext): readonly Account[] =>
  accounts.filter(
    (each) => isActive(each) && each.Type === "BANK" && each.AccountID !== bank.AccountID,
  );

const classes = ["EXPENSE", "ASSET", "LIABILITY", "EQUITY", "REVENUE"] as const;
const classWords = {
  EXPENSE: "Expenses",
  ASSET: "Assets",
  LIABILITY: "Liabilities",
  EQUITY: "Equity",
  REVENUE: "Income",
} as const satisfies Record<(typeof classes)[number], string>;

/**
 * Accounts that money of a line may be posted to, the likely ones first, then by class: expenses
 * first for money out, income for money in.
 */
export function accountOptions(
  { accounts }: LineContext,
  { line, suggestions }: Pick<LineAt, "line" | "suggestions">,
  chosenCode: string,
): Content {
  const choosable = accounts.filter(
    (account) => isActive(account) && account.Type !== "BANK" && !account.SystemAccount,
  );
  const likelyCodes = new Set(
    suggestions.flatMap(({ Lines = [] }) => Lines.map(({ AccountCode }) => AccountCode)),
  );
  const order = line.Amount < 0 ? classes : classes.toReversed();
  const groups = [
    { label: "Likely", some: choosable.filter(({ Code }) => likelyCodes.has(Code)) },
    ...order.map((name) => ({
      label: classWords[name],
      some: choosable.filter(({ Class }) => Class === name),
    })),
  ];
  const shownGroups = groups.filter(({ some }) => some.length > 0);
  return html`${shownGroups.map(
    ({ label, some }) =>
      html`<optgroup label="${label}">${some.map((account) =>
        optionOf([account.Code ?? "", titleOf(account)], chosenCode),
      )}</optgroup>`,
  )}`;
}

/** An amount in the currency of the bank account, without its sign. */
export const inBank = ({ ctx, bank }: LineContext, cents: number): Content =>
  money(ctx, Math.abs(cents) as Cents, bank.CurrencyCode);
