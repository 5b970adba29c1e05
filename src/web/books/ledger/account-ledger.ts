/**
 * Ledger of one or several accounts: opening balance, postings, closing balance.
 *
 * Every figure of a report links here with its period, basis and tracking, so that the page shows
 * the same amount: a movement as the net, a balance as the closing balance.
 */
import { addDays, financialYear } from "../../../ledger/dates/calendar.ts";
import { choiceText } from "../../../output/field-labels.ts";
import { html, type Markup } from "../../../output/markup.ts";
import { type Account, account as accountResource } from "../../../resources/account.ts";
import {
  type AccountTransaction,
  accountTransaction,
} from "../../../resources/account-transaction.ts";
import { type Cents, readDecimal, scaleOf } from "../../../resources/decimal.ts";
import { NotFoundError, refusal } from "../../../resources/errors.ts";
import { counted, isDay, readId } from "../../../resources/scalar.ts";
import { trackingCategory } from "../../../resources/tracking-category.ts";
import type { Report, Row } from "../../../wire/report.ts";
import { addressWith, linkBeside, linkFrom } from "../../frame/breadcrumbs.ts";
import {
  alert,
  type Content,
  type FilterField,
  facts,
  filterForm,
  isolated,
  link,
  table,
} from "../../frame/components.ts";
import type { PageResponse } from "../../frame/page-context.ts";
import type { BooksContext } from "../context.ts";
import { exportBar, formatAsked, recordsFile } from "../filtered-files.ts";
import { day, money, sideMarkup } from "../shown-values.ts";
import { accountChart } from "./account-chart.ts";
import { amountOrNothing, type Basis, journalLink, ledgerPath, sourceOf } from "./postings.ts";

/** Approximate number of postings per page. */
const rowsMax = 200;

/** Query of the ledger: period, basis and tracking. */
export interface LedgerQuery {
  readonly from: string;
  readonly to: string;
  readonly basis: Basis;
  /** TrackingOptionIDs that the postings are filtered by, at most two. */
  readonly options: readonly string[];
}

export async function showAccount(ctx: BooksContext, codes = ""): Promise<PageResponse> {
  const { client } = ctx;
  const allAccounts = await accountsOf(ctx);
  const accounts = codes.split(",").map((key) => accountNamed(allAccounts, key.trim()));
  const path = `/accounts/${encodeURIComponent(codes)}`;
  const { asked, faults } = ledgerQuery(ctx);
  const after = ctx.query.get("after") ?? undefined;
  const keys = accounts.map(({ AccountID }) => AccountID).join(",");
  const parameters = { ...parametersOf(asked), accounts: keys };
  const filter = filterOf(ctx, faults);
  const format = formatAsked(ctx);
  if (format !== undefined) {
    const allRows = filter.isNone
      ? allPostings(client, parameters)
      : (await filterPostings(client, parameters, filter)).rows;
    const title = accounts.map(titleOf).join(", ");
    return recordsFile(ctx, { resource: accountTransaction, title }, allRows, format);
  }
  const found = filter.isNone ? undefined : await filterPostings(client, parameters, filter);
  const rows =
    found?.rows.slice(0, filteredMax) ??
    (await client.at(accountTransaction, ledgerPath, {
      ...parameters,
      pageSize: String(rowsMax),
      ...(after === undefined ? {} : { after }),
    }));
  const movement = await movementOf(ctx, accounts, asked);
  const [first] = accounts;
  const isOne = accounts.length === 1 && first !== undefined;
  const title = isOne ? titleOf(first) : `${accounts.length} accounts`;
  return {
    title,
    heading: isOne ? isolated(title) : title,
    body: html`${isOne ? aboutOf(first) : listOf(ctx, accounts)}
${faults.map(alert)}
${filterForm(ctx, path, await fieldsOf(ctx), { ...valuesOf(asked), ...filter.values })}
${summarise(ctx, movement, asked)}
${found === undefined ? "" : foundText(found)}
${isOne && found === undefined && after === undefined && asked.options.length === 0 ? await accountChart(ctx, first, path, asked) : ""}
${postingsTable(ctx, rows, asked, isOne)}
${exportBar(ctx, path, { ...valuesOf(asked), ...filter.values })}${onwardLink(ctx, path, rows)}`,
  };
}

export const titleOf = ({ Code, Name }: Pick<Account, "Code" | "Name">) =>
  Code === undefined ? Name : `${Code} ${Name}`;

export async function accountsOf({ client }: BooksContext): Promise<Account[]> {
  const allAccounts: Account[] = [];
  for await (const record of client.list(accountResource)) allAccounts.push(record);
  return allAccounts;
}

function accountNamed(accounts: readonly Account[], key: string): Account {
  const id = readId(key);
  const account = accounts.find(({ Code, AccountID }) => Code === key || AccountID === id);
  if (account !== undefined) return account;
  throw new NotFoundError("NotFound", `There is no account ${key.slice(0, 60)}.`);
}

function aboutOf(account: Account): Content {
  const { Type, Description, BankAccountNumber, Status, CurrencyCode } = account;
  const accountFacts = [
    choiceText("Type", Type),
    BankAccountNumber,
    CurrencyCode,
    Status === "ACTIVE" ? undefined : choiceText("Status", Status),
  ].filter((text) => text !== undefined && text !== "");
  const text = Description === undefined ? "" : html`<br>${isolated(Description)}`;
  return html`<p class="soft">${isolated(accountFacts.join(" · "))}${text}</p>`;
}

function listOf(ctx: BooksContext, accounts: readonly Account[]): Markup {
  const links = accounts.map((account) => {
    const to = addressWith(
      `/accounts/${encodeURIComponent(account.Code ?? account.AccountID)}`,
      [...ctx.query].filter(([name]) => name !== "via" && name !== "after"),
    );
    return link(linkFrom(ctx, to), titleOf(account));
  });
  return html`<p>${links.map((link, at) => html`${at === 0 ? "" : " · "}${link}`)}</p>`;
}

// --- filtered, or the newest first ---------------------------------------------------------------

/** Maximum number of postings that a filter looks through, and that it shows. */
const searchedMax = 20_000;
const filteredMax = 400;

interface PostingFilter {
  readonly values: Readonly<Record<string, string>>;
  /** Whether all postings fit, in the order of the ledger. */
  readonly isNone: boolean;
  readonly fits: (row: AccountTransaction) => boolean;
}

/** Filter of postings by text and amount, and their order, from the address. */
function filterOf({ query }: BooksContext, faults: string[]): PostingFilter {
  const values = Object.fromEntries(
    ["q", "amount", "order"].flatMap((name) => {
      const value = query.get(name)?.trim() ?? "";
      return value === "" ? [] : [[name, value]];
    }),
  );
  const term = values.q?.toLowerCase();
  const cents = readDecimal(values.amount?.replaceAll(",", "") ?? "", scaleOf.money);
  if (values.amount !== undefined && cents === undefined) {
    faults.push(`“${values.amount.slice(0, 40)}” is no amount such as 120.50.`);
  }
  const textsOf = ({
    Number: number,
    Contact,
    Description,
    Reference,
    Tracking,
  }: AccountTransaction) =>
    [number, Contact, Description, Reference, Tracking].join("\n").toLowerCase();
  return {
    values,
    isNone: term === undefined && cents === undefined && values.order !== "newest",
    fits: (row) =>
      (term === undefined || (!worked.has(row.Source) && textsOf(row).includes(term))) &&
      (cents === undefined ||
        (!worked.has(row.Source) && [row.Debit, row.Credit].includes(cents as Cents))),
  };
}

async function* allPostings(
  client: BooksContext["client"],
  parameters: Readonly<Record<string, string>>,
): AsyncGenerator<AccountTransaction> {
  let cursor: string | undefined;
  do {
    const page = await client.at(accountTransaction, ledgerPath, {
      ...parameters,
      ...(cursor === undefined ? {} : { after: cursor }),
    });
    yield* page;
    cursor = page.at(-1)?.Next;
  } while (cursor !== undefined);
}

interface FoundPostings {
  readonly rows: readonly AccountTransaction[];
  /** Whether there are postings that were not looked through. */
  readonly isCut: boolean;
}

async function filterPostings(
  client: BooksContext["client"],
  parameters: Readonly<Record<string, string>>,
  { fits, values }: PostingFilter,
): Promise<FoundPostings> {
  const rows: AccountTransaction[] = [];
  let searchedCount = 0;
  for await (const { Next: _, ...row } of allPostings(client, parameters)) {
    if (searchedCount === searchedMax) return { rows: orderedRows(rows, values), isCut: true };
    searchedCount += 1;
    if (fits(row)) rows.push(row);
  }
  return { rows: orderedRows(rows, values), isCut: false };
}

const orderedRows = (rows: AccountTransaction[], { order }: PostingFilter["values"]) =>
  order === "newest" ? rows.reverse() : rows;

function foundText({ rows, isCut }: FoundPostings): Markup {
  const shownNote = rows.length > filteredMax ? `, the first ${filteredMax} of which are here` : "";
  const cut = isCut
    ? ` Only the first ${searchedMax} postings were looked through; choose fewer days.`
    : "";
  return html`<p class="soft" role="status">${counted(rows.length, "row")}${shownNote}.${cut}</p>`;
}

// --- what is asked -----------------------------------------------------------------------------

function ledgerQuery({ query, organisation, today }: BooksContext): {
  asked: LedgerQuery;
  faults: string[];
} {
  const { FinancialYearEndDay: last, FinancialYearEndMonth: month } = organisation;
  const faults: string[] = [];
  const dayOf = (name: string): string | undefined => {
    const text = query.get(name)?.trim() ?? "";
    if (text === "" || isDay(text)) return text === "" ? undefined : text;
    faults.push(`“${text.slice(0, 40)}” is no day such as 2026-03-31.`);
    return undefined;
  };
  const to = dayOf("to") ?? today;
  const from = dayOf("from") ?? financialYear(to, last, month).from;
  if (from > to) faults.push("The first day is after the last one.");
  const options = query.getAll("tracking").flatMap((text) => readId(text) ?? []);
  return {
    asked: {
      from: from > to ? to : from,
      to,
      basis: query.get("basis") === "cash" ? "cash" : "accrual",
      options: options.slice(0, 2),
    },
    faults,
  };
}

function parametersOf({ from, to, basis, options }: LedgerQuery): Record<string, string> {
  const [first, second] = options;
  return {
    fromDate: from,
    toDate: to,
    ...(basis === "cash" ? { paymentsOnly: "true" } : {}),
    ...(first === undefined ? {} : { trackingOptionID1: first }),
    ...(second === undefined ? {} : { trackingOptionID2: second }),
  };
}

const valuesOf = ({ from, to, basis, options }: LedgerQuery) => ({
  from,
  to,
  basis,
  tracking: options[0],
});

async function fieldsOf(ctx: BooksContext): Promise<FilterField[]> {
  const options: (readonly [string, string])[] = [];
  for await (const { Name, Options = [] } of ctx.client.list(trackingCategory)) {
    for (const option of Options) {
      options.push([option.TrackingOptionID ?? "", `${Name}: ${option.Name}`]);
    }
  }
  return [
    { kind: "date", name: "from", label: "From" },
    { kind: "date", name: "to", label: "To" },
    { kind: "search", name: "q", label: "Text" },
    { kind: "amount", name: "amount", label: "Amount" },
    {
      kind: "choice",
      name: "order",
      label: "Order",
      values: [["newest", "Newest first"]],
      none: "Oldest first",
    },
    basisField,
    ...(options.length === 0
      ? []
      : [
          {
            kind: "choice",
            name: "tracking",
            label: "Tracking",
            values: options,
            none: "All",
          } as const,
        ]),
  ];
}

export const basisField: FilterField = {
  kind: "choice",
  name: "basis",
  label: "Basis",
  values: [
    ["accrual", "Accrual"],
    ["cash", "Cash"],
  ],
};

// --- what it comes to ----------------------------------------------------------------------------

export interface Movement {
  readonly opening: Cents;
  /** Debits in cents, without the year-end transfer of profit and loss, which is no posting. */
  readonly debit: Cents;
  readonly credit: Cents;
  readonly closing: Cents;
}

/**
 * Opening balance, movement and closing balance of accounts, from the general ledger report.
 *
 * Profit and loss accounts start from zero in each financial year. A range over several years is
 * therefore queried year by year, so that the movement equals the sum of the postings.
 */
export async function movementOf(
  { client, organisation }: BooksContext,
  accounts: readonly Account[],
  query: LedgerQuery,
): Promise<Movement> {
  const { FinancialYearEndDay: last, FinancialYearEndMonth: month } = organisation;
  const accountIds = new Set(accounts.map(({ AccountID }) => AccountID));
  let wholeMovement: Movement | undefined;
  for (let from = query.from; from <= query.to; ) {
    const yearEnd = financialYear(from, last, month).to;
    const to = yearEnd < query.to ? yearEnd : query.to;
    const report = await client.report("GeneralLedger", parametersOf({ ...query, from, to }));
    const year = movementIn(report, accountIds);
    wholeMovement =
      wholeMovement === undefined
        ? year
        : {
            opening: wholeMovement.opening,
            debit: (wholeMovement.debit + year.debit) as Cents,
            credit: (wholeMovement.credit + year.credit) as Cents,
            closing: year.closing,
          };
    from = addDays(to, 1);
    if (from <= query.to && daysTooMany(query.from, from)) throw tooLong();
  }
  return wholeMovement ?? noMovement;
}

const yearsMax = 30;
const daysTooMany = (from: string, to: string) =>
  Number(to.slice(0, 4)) - Number(from.slice(0, 4)) > yearsMax;
const tooLong = () => refusal("Limit", `A ledger is shown for at most ${yearsMax} years.`);

const noMovement: Movement = {
  opening: 0 as Cents,
  debit: 0 as Cents,
  credit: 0 as Cents,
  closing: 0 as Cents,
};

function movementIn(report: Report, accountIds: ReadonlySet<string>): Movement {
  let sum = noMovement;
  for (const [id, { opening, debit, credit, closing }] of movementsIn(report)) {
    if (!accountIds.has(id)) continue;
    sum = {
      opening: (sum.opening + opening) as Cents,
      debit: (sum.debit + debit) as Cents,
      credit: (sum.credit + credit) as Cents,
      closing: (sum.closing + closing) as Cents,
    };
  }
  return sum;
}

/** Balances and movements of all accounts within a financial year, by AccountID. */
export async function movementsOf(
  { client }: BooksContext,
  query: LedgerQuery,
): Promise<ReadonlyMap<string, Movement>> {
  return new Map(movementsIn(await client.report("GeneralLedger", parametersOf(query))));
}

function movementsIn(report: Report): [account: string, Movement][] {
  return rowsOf(report.Rows).flatMap((row): [string, Movement][] => {
    const [code, , opening, debit, credit, , closing] = row.Cells ?? [];
    const id = code?.Attributes?.find(({ Id }) => Id === "account")?.Value;
    const cents = (cell: typeof code) =>
      (readDecimal(cell?.Value ?? "0", scaleOf.money) ?? 0) as Cents;
    if (id === undefined) return [];
    return [
      [
        id,
        {
          opening: cents(opening),
          debit: cents(debit),
          credit: cents(credit),
          closing: cents(closing),
        },
      ],
    ];
  });
}

function rowsOf(rows: readonly Row[]): Row[] {
  return rows.flatMap((row) => (row.RowType === "Section" ? rowsOf(row.Rows ?? []) : [row]));
}

function summarise(ctx: BooksContext, movement: Movement, { from, to }: LedgerQuery): Content {
  const { opening, debit, credit, closing } = movement;
  const net = (debit - credit) as Cents;
  return facts([
    [html`Balance before ${day(from)}`, sideMarkup(ctx, opening)],
    ["Debits", money(ctx, debit)],
    ["Credits", money(ctx, credit)],
    ["Net movement", html`<strong>${sideMarkup(ctx, net)}</strong>`],
    [html`Balance after ${day(to)}`, html`<strong>${sideMarkup(ctx, closing)}</strong>`],
  ]);
}

// --- postings ----------------------------------------------------------------------------------

/** Sources of rows that no journal made. */
const worked: ReadonlySet<string> = new Set(["OPENING", "CLOSING", "REVALUATION", "YEAREND"]);

function postingsTable(
  ctx: BooksContext,
  rows: readonly AccountTransaction[],
  { basis }: LedgerQuery,
  isSingle: boolean,
): Markup {
  const tableRows = rows.flatMap((row) => {
    const { Source, AccountCode, AccountName, Description = "", Balance } = row;
    const isWorked = worked.has(Source);
    const cells: Content[] = [
      day(row.Date),
      isWorked ? html`<em>${Description}</em>` : sourceOf(ctx, row),
      isolated(row.Contact ?? ""),
      isWorked ? "" : isolated(Description === row.Contact ? (row.Reference ?? "") : Description),
      journalLink(ctx, row.JournalNumber, basis),
      amountOrNothing(ctx, row.Debit),
      amountOrNothing(ctx, row.Credit),
      Balance === undefined ? "" : sideMarkup(ctx, Balance),
    ];
    const kind = Source === "CLOSING" ? ("total" as const) : undefined;
    const heading = {
      kind: "section" as const,
      cells: [isolated([AccountCode, AccountName].filter(Boolean).join(" "))],
    };
    return [...(isSingle || Source !== "OPENING" ? [] : [heading]), { cells, kind }];
  });
  return table({
    caption: "Postings",
    columns: [
      { heading: "Date" },
      { heading: "What" },
      { heading: "Contact" },
      { heading: "Description" },
      { heading: "Journal" },
      { heading: "Debit", figures: true },
      { heading: "Credit", figures: true },
      { heading: "Balance", figures: true },
    ],
    rows: tableRows,
  });
}

function onwardLink(ctx: BooksContext, path: string, rows: readonly AccountTransaction[]): Content {
  const next = rows.at(-1)?.Next;
  const isFurther = ctx.query.has("after");
  if (next === undefined && !isFurther) return "";
  const query = [...ctx.query].filter(([name]) => name !== "via" && name !== "after");
  const at = (cursor: string | undefined) =>
    linkBeside(ctx, addressWith(path, [...query, ["after", cursor]]));
  return html`<nav class="pager" aria-label="Pages">
${isFurther ? html`<a class="act other" rel="first" href="${at(undefined)}">First page</a>` : ""}
${next === undefined ? "" : html`<a class="act other" rel="next" href="${at(next)}">Next page</a>`}
</nav>`;
}
