/** Search page over all books: by name, number, reference, amount and code. */
import type { ListQuery } from "../../client/client.ts";
import { columnsShown, isNumeric } from "../../output/columns.ts";
import { labelOf } from "../../output/field-labels.ts";
import { html } from "../../output/markup.ts";
import { AuthError } from "../../resources/errors.ts";
import { idOf, type Resource } from "../../resources/field.ts";
import { allOf } from "../../wire/query/condition.ts";
import { addressWith, linkFrom, withTrailOf } from "../frame/breadcrumbs.ts";
import { type Content, filterForm, isolated, link, pagePart, table } from "../frame/components.ts";
import type { PageResponse } from "../frame/page-context.ts";
import { onlyOf, type RecordList, recordLists } from "./catalogue.ts";
import type { BooksContext } from "./context.ts";
import { accountsOf, titleOf } from "./ledger/account-ledger.ts";
import { cellsOf } from "./records/list.ts";
import { countText } from "./records/list-parts.ts";
import { isNumbered, isSearched, termCondition } from "./records/term.ts";
import { isOf, reportPages } from "./reports/report-catalogue.ts";
import { accountAddress } from "./shown-values.ts";

/** Maximum number of records shown per list. */
const shownMax = 8;
const termMax = 255;

export async function showSearch(ctx: BooksContext): Promise<PageResponse> {
  const term = (ctx.query.get("q") ?? "").trim().slice(0, termMax);
  const form = filterForm(ctx, "/search", [{ kind: "search", name: "q", label: "Search for" }], {
    q: term,
  });
  if (term === "") {
    return {
      title: "Search",
      body: html`${form}<p class="soft">A name, a number, a reference, an amount, the code or name of an account, or a report.</p>`,
    };
  }
  const contents: Content[] = [...(await placesOf(ctx, term))];
  const numbered: string[] = [];
  for (const list of recordLists) {
    if (!ctx.allows("GET", list.asked)) continue;
    const found = await foundIn(ctx, list, term);
    if (found.count > 0) contents.push(resultsOf(ctx, list, found, term));
    for (const row of found.rows.filter((row) => isNumbered(row, term))) {
      numbered.push(`${list.path}/${encodeURIComponent(idOf(list.resource, row))}`);
    }
  }
  const [only, ...others] = numbered;
  const isAll = ctx.query.get("all") === "1";
  if (!isAll && only !== undefined && others.length === 0)
    return { seeOther: withTrailOf(ctx, only) };
  return {
    title: `Search for ${term}`,
    heading: html`Search for ${isolated(term)}`,
    body: html`${form}${
      contents.length === 0 ? html`<p role="status">Nothing in the books fits.</p>` : contents
    }`,
  };
}

/** Accounts and reports found by any part of their name; there are few enough to test all. */
async function placesOf(ctx: BooksContext, term: string): Promise<readonly Content[]> {
  const lowerTerm = term.toLowerCase();
  const isMatch = (text: string) => text.toLowerCase().includes(lowerTerm);
  const { allows } = ctx;
  const accounts = allows("GET", "/Accounts")
    ? (await accountsOf(ctx)).filter((each) => each.Status !== "DELETED" && isMatch(titleOf(each)))
    : [];
  const reports = reportPages.filter(
    (reportPage) =>
      isMatch(reportPage.title) &&
      allows("GET", `/Reports/${reportPage.name}`) &&
      isOf(ctx.organisation.CountryCode, reportPage),
  );
  const links = (items: readonly Content[]) =>
    html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
  return [
    ...(accounts.length === 0
      ? []
      : [
          pagePart(
            "found-accounts",
            "Accounts",
            links(
              accounts
                .slice(0, shownMax)
                .map((account) =>
                  link(
                    linkFrom(ctx, accountAddress(account.Code ?? account.AccountID) ?? "/accounts"),
                    titleOf(account),
                  ),
                ),
            ),
          ),
        ]),
    ...(reports.length === 0
      ? []
      : [
          pagePart(
            "found-reports",
            "Reports",
            links(reports.map(({ slug, title }) => link(linkFrom(ctx, `/reports/${slug}`), title))),
          ),
        ]),
  ];
}

interface Found {
  readonly rows: readonly object[];
  /** Number of all records that match. */
  readonly count: number;
}

/** First records of one list that match the search. */
async function foundIn({ client }: BooksContext, list: RecordList, term: string): Promise<Found> {
  const { resource } = list;
  const rows: object[] = [];
  if (!isSearched(resource) || isShort(resource)) return { rows, count: 0 };
  const query: ListQuery = {
    limit: shownMax + 1,
    count: true,
    order: resource.order === true ? resource.listOrder : undefined,
    fields: fieldsOf(list),
    where: allOf([onlyOf(list), termCondition(resource, term)]),
  };
  const records = client.list(resource, query);
  try {
    for await (const record of records) rows.push(record);
  } catch (error) {
    if (!(error instanceof AuthError && error.status === 403)) throw error;
  }
  return { rows, count: records.itemCount ?? rows.length };
}

/** Whether the search of accounts and reports covers the resource already. */
const isShort = ({ name }: Resource) => name === "Account";

const fieldsOf = ({ resource, columns }: RecordList) => [
  ...new Set(
    [
      resource.id,
      "Handle",
      ...columns.map((column) => column.split(".")[0] ?? ""),
      "CurrencyCode",
      "Type",
      "AmountDue",
    ].filter((name) => resource.fields[name] !== undefined),
  ),
];

function resultsOf(
  ctx: BooksContext,
  list: RecordList,
  { rows, count }: Found,
  term: string,
): Content {
  const { path, title, resource } = list;
  const columns = columnsShown(resource, undefined, list.columns);
  return pagePart(
    `found${path.replaceAll("/", "-")}`,
    html`${title} <span class="soft">${countText(count)}</span>`,
    table({
      caption: title,
      columns: columns.map((column) => ({
        heading: labelOf(column.path),
        figures: isNumeric[column.field.kind],
      })),
      rows: rows.slice(0, shownMax).map((record) => cellsOf(ctx, list, columns, record)),
    }),
    count > shownMax
      ? html`<p>${link(linkFrom(ctx, addressWith(path, [["q", term]])), `All ${countText(count)} ${title.toLowerCase()}`)}</p>`
      : "",
  );
}
