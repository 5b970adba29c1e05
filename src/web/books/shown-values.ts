/** Formats values of records as HTML, with a function for each kind of field. */
import { daysBetween, mediumDate } from "../../ledger/dates/calendar.ts";
import { localMinute } from "../../ledger/dates/timezones.ts";
import { choiceText } from "../../output/field-labels.ts";
import { amount, formatPercent, formatRate, price, quantity } from "../../output/figures.ts";
import { currencyOfAmount } from "../../output/list-table.ts";
import { html, type Markup } from "../../output/markup.ts";
import { account } from "../../resources/account.ts";
import type { Cents, Rate } from "../../resources/decimal.ts";
import type { Field, FieldOf, Kind } from "../../resources/field.ts";
import type { Invoice } from "../../resources/invoice.ts";
import { taxRate } from "../../resources/tax-rate.ts";
import { linkFrom } from "../frame/breadcrumbs.ts";
import { badge, breakable, type Content, isolated, link, type Tone } from "../frame/components.ts";
import { recordAddress } from "./catalogue.ts";
import type { BooksContext } from "./context.ts";

/** Context of a value: the record it belongs to. */
export interface Around {
  readonly ctx: BooksContext;
  /** Currency of the amounts in the record. */
  readonly currency: string;
  /** Name of the field, the last segment of its path. */
  readonly name: string;
  readonly record: object;
  /** Names of accounts and tax rates; their codes are shown when not given. */
  readonly names?: CodeNames | undefined;
}

/** Names by code: `200 Sales` of an account, `15% GST on Income` of a tax rate. */
export interface CodeNames {
  readonly AccountCode: ReadonlyMap<string, string>;
  readonly TaxType: ReadonlyMap<string, string>;
}

export async function codeNames({ client }: BooksContext): Promise<CodeNames> {
  const accounts = await Array.fromAsync(
    client.list(account, { fields: ["AccountID", "Code", "Name"] }),
  );
  const rates = await Array.fromAsync(client.list(taxRate));
  return {
    AccountCode: new Map(accounts.map(({ Code = "", Name }) => [Code, `${Code} ${Name}`])),
    TaxType: new Map(rates.map(({ TaxType = "", Name }) => [TaxType, Name])),
  };
}

type Show<K extends Kind> = (value: never, field: FieldOf<K>, valueContext: Around) => Content;

const plainText = (value: string | number) => isolated(String(value));

const shows = {
  id: plainText,
  text: (value: string) => html`<bdi class="text">${breakable(value)}</bdi>`,
  choice: (value: string, _field, { name, record }) =>
    /Status$/.test(name) ? statusBadge(value, record) : choiceText(name, value),
  boolean: (value: boolean) => (value ? "Yes" : "No"),
  integer: plainText,
  date: (value: string) => day(value),
  timestamp: (value: number, _field, { ctx }) => timeText(value, ctx.numberMarks.timezone),
  money: (value: Cents, field, { ctx, currency, record }) => {
    const books = { BaseCurrency: ctx.organisation.BaseCurrency, ...record };
    return money(ctx, value, currencyOfAmount(field, books, currency));
  },
  unitAmount: (value: number, _field, { ctx, currency }) => price(value, currency, ctx.numberMarks),
  quantity: (value: number | bigint, _field, { ctx }) => quantity(value, ctx.numberMarks),
  percent: (value: number, _field, { ctx }) => formatPercent(value, ctx.numberMarks),
  rate: (value: Rate, _field, { ctx }) => formatRate(value, ctx.numberMarks),
  ref: (value: object, field, valueContext) => referenceLink(field, value, valueContext.ctx),
  one: (value: object, field, valueContext) => joinAll(field.fields, value, valueContext),
  many: (value: readonly object[], field, valueContext) => {
    const elements = value.map((element) => joinAll(field.fields, element, valueContext));
    return html`${elements.map((content, at) => html`${at === 0 ? "" : ", "}${content}`)}`;
  },
  texts: (value: readonly string[]) => isolated(value.join(", ")),
} satisfies { [K in Kind]: Show<K> };

/** Markup of a value; empty where there is none. */
export function shownValue(field: Field, value: unknown, valueContext: Around): Content {
  if (value === undefined || value === null || value === "") return "";
  const nameOfCode =
    valueContext.name === "AccountCode" || valueContext.name === "TaxType"
      ? valueContext.names?.[valueContext.name].get(String(value))
      : undefined;
  if (nameOfCode !== undefined) return isolated(nameOfCode);
  const show = shows[field.kind] as unknown as (
    value: unknown,
    field: Field,
    valueContext: Around,
  ) => Content;
  return show(value, field, valueContext);
}

export const day = (date: string): Markup =>
  html`<time datetime="${date}">${mediumDate(date)}</time>`;

/**
 * A time in the time zone of the organisation, to the minute; where there is none, in UTC, marked
 * so.
 */
export function timeText(ms: number, timezone?: string): Markup {
  const [date = "", time = ""] = localMinute(ms, timezone).split(" ");
  const iso = new Date(ms).toISOString();
  return html`<time datetime="${iso}" title="${timezone ?? "UTC"}">${mediumDate(date)}, ${time}${timezone === undefined ? " UTC" : ""}</time>`;
}

/** An amount; its currency is shown if it is not the base currency. */
export function money(
  { numberMarks: marks, organisation }: BooksContext,
  cents: Cents,
  currency: string = organisation.BaseCurrency,
): Content {
  const text = amount(cents, currency, marks);
  return cents < 0 ? html`<span class="less">${text}</span>` : text;
}

/** Balance or movement of an account: its amount, marked as debit or credit. */
export function sideMarkup(ctx: BooksContext, cents: Cents): Content {
  if (cents === 0) return money(ctx, cents);
  const direction = cents < 0 ? "credit" : "debit";
  return html`${money(ctx, Math.abs(cents) as Cents)} <span class="soft">${direction}</span>`;
}

const tones: Readonly<Record<string, Tone>> = {
  DRAFT: "void",
  SUBMITTED: "open",
  AUTHORISED: "open",
  SENT: "open",
  BILLED: "done",
  INVOICED: "done",
  ACCEPTED: "done",
  PAID: "done",
  POSTED: "done",
  ACTIVE: "done",
  RECONCILED: "done",
  UNRECONCILED: "open",
  REGISTERED: "done",
};

/** Whether a record can have an amount due: drafts, and voided or deleted records, cannot. */
export function isOwed(record: object): boolean {
  const { Status } = record as { readonly Status?: string };
  return Status === undefined || Status === "AUTHORISED" || Status === "PAID";
}

/** Whether a record of a list of both ways is a payment that was made. */
export function isMoneyOut(record: object): boolean {
  return (record as { readonly Direction?: string }).Direction === "PAID";
}

function statusBadge(status: string, record: object): Markup {
  const { AmountDue } = record as { readonly AmountDue?: number };
  const isDue = status === "AUTHORISED" && AmountDue !== undefined && AmountDue > 0;
  const text = isDue ? "Awaiting payment" : choiceText("Status", status);
  return badge(text, tones[status] ?? "void");
}

/** How late an unpaid document is: ` 20 days late`; empty where it is not. */
export function lateBy({ today }: BooksContext, record: object): Content {
  const { AmountDue, DueDate, Status } = record as Partial<Invoice>;
  const isDue = Status === "AUTHORISED" && DueDate !== undefined && (AmountDue ?? 0) > 0;
  const dayCount = isDue ? daysBetween(DueDate, today) : 0;
  if (dayCount <= 0) return "";
  return html` <strong class="late">${dayCount} ${dayCount === 1 ? "day" : "days"} late</strong>`;
}

/** Name of another record, with a link to its page. */
function referenceLink(field: FieldOf<"ref">, value: object, ctx: BooksContext): Content {
  const fields = value as Readonly<Record<string, string | undefined>>;
  const knownKeys = [...field.by, "Name", "Code"].filter((key) => (fields[key] ?? "") !== "");
  const name = knownKeys.findLast((key) => !/ID$/.test(key)) ?? knownKeys[0];
  if (name === undefined) return "";
  const text = field.to === "Account" ? accountText(fields) : (fields[name] ?? "");
  const id = field.to === "Account" ? (fields.Code ?? fields.AccountID) : fields[`${field.to}ID`];
  const address = field.to === "Account" ? accountAddress(id) : recordAddress(field.to, id, value);
  return address === undefined ? isolated(text) : link(linkFrom(ctx, address), text);
}

const accountText = ({ Code, Name, AccountID }: Readonly<Record<string, string | undefined>>) =>
  [Code, Name].filter((text) => text !== undefined && text !== "").join(" ") || (AccountID ?? "");

/** Address of the ledger page of an account. @param key  code or id of the account */
export function accountAddress(key: string | undefined): string | undefined {
  return key === undefined || key === "" ? undefined : `/accounts/${encodeURIComponent(key)}`;
}

function joinAll(fields: Readonly<Record<string, Field>>, value: object, context: Around): Content {
  const parts = Object.entries(fields).flatMap(([name, field]) => {
    const innerValue = (value as Readonly<Record<string, unknown>>)[name];
    if (innerValue === undefined || innerValue === "" || field.kind === "id") return [];
    return [shownValue(field, innerValue, { ...context, name, record: value })];
  });
  return html`${parts.map((content, at) => html`${at === 0 ? "" : " "}${content}`)}`;
}

/** Currency of the amounts of a record. */
export function currencyOf(ctx: BooksContext, record: object): string {
  const { CurrencyCode } = record as { readonly CurrencyCode?: string };
  return CurrencyCode ?? ctx.organisation.BaseCurrency;
}
