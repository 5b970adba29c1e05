/** Components of pages: links, tables, facts, forms. */

import { widthOf } from "../../output/html/html-table.ts";
import { html, Markup } from "../../output/markup.ts";
import { addressWith, linkBeside, trailFields } from "./breadcrumbs.ts";
import type { PageContext } from "./page-context.ts";

export type Content = Markup | string;

/** Isolates text of users, so that its direction does not affect the text around it. */
export const isolated = (text: string): Markup => html`<bdi>${breakable(text)}</bdi>`;

/** Text whose long words may be broken if there is no room. */
export const breakable = (text: string): Markup =>
  html`${text.split(longPart).map((part, at) => html`${at === 0 ? "" : html`<wbr>`}${part}`)}`;

/** Part of a long Latin word or number, after which a line may break if there is no room. */
const longPart = /(\S{16})(?=[\p{Script=Latin}\p{N}])/u;

/** Link with content; only the content where there is no address. */
export function link(href: string | undefined, content: Content): Markup {
  const shownContent = typeof content === "string" ? isolated(content) : content;
  return href === undefined ? shownContent : html`<a href="${href}">${shownContent}</a>`;
}

/** Tones of a status; its meaning is always also in the text. */
export type Tone = "open" | "late" | "done" | "void";

export const badge = (text: string, tone: Tone): Markup =>
  html`<span class="badge ${tone}">${text}</span>`;

// --- tables ------------------------------------------------------------------------------------

export interface Column {
  readonly heading: Content;
  /** Whether the column holds figures, which are right-aligned and not wrapped. */
  readonly figures?: boolean;
  readonly sorted?: "ascending" | "descending" | undefined;
  /** Label of its values on cards, which have no headings. */
  readonly label?: string;
}

export interface TableRow {
  readonly cells: readonly Content[];
  /** Kind of the row: a heading over all columns, or a total; a plain row when not given. */
  readonly kind?: "section" | "total" | undefined;
}

export interface TableOptions {
  /** Caption for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (TableRow | readonly Content[])[];
  /** Text shown in place of the rows of an empty table. */
  readonly empty?: Content;
  /** Whether rows are cards where the screen is narrow, each with its own facts. */
  readonly isCards?: boolean;
}

/**
 * Table of cells with links and badges; tables of plain data are rendered by `tableMarkup`, in the
 * same style.
 */
export function table({ caption, columns, rows, empty, isCards }: TableOptions): Markup {
  if (rows.length === 0) return html`<p class="soft">${empty ?? "There is nothing here."}</p>`;
  const heads = columns.map(({ heading, figures, sorted }) => {
    const order = sorted === undefined ? "" : new Markup(` aria-sort="${sorted}"`);
    if (heading === "") return html`<td></td>`;
    return html`<th scope="col"${className(figures)}${order}>${heading}</th>`;
  });
  return html`<div class="table" role="region" aria-label="${caption}" tabindex="0">
<table${isCards ? html` role="table"` : ""} class="${widthOf(columns.length)}${isCards ? " cards" : ""}">
<caption>${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>
${rows.map((row) => rowMarkup(columns, "cells" in row ? row : { cells: row }, isCards))}</tbody>
</table>
</div>
`;
}

/** Table whose rows are cards where the screen is narrow, each value below the label of its heading. */
export function cardTable(options: TableOptions): Markup {
  const columns = options.columns.map((column, at) =>
    at === 0 || typeof column.heading !== "string" || column.heading === ""
      ? column
      : { label: column.heading, ...column },
  );
  return table({ ...options, columns, isCards: true });
}

const className = (hasFigures: boolean | undefined) =>
  hasFigures === true ? new Markup(' class="figure"') : "";

function rowMarkup(columns: readonly Column[], { cells, kind }: TableRow, isCards = false): Markup {
  if (kind === "section") {
    return html`<tr class="section"><th colspan="${columns.length}" scope="rowgroup">${cells[0] ?? ""}</th></tr>
`;
  }
  const ownClass = kind === undefined ? "" : html` class="${kind}"`;
  // Cards have no headings: each figure and day says what it is.
  const role = (name: string) => (isCards ? html` role="${name}"` : "");
  return html`<tr${ownClass}${role("row")}>${columns.map(({ figures, label }, at) => {
    const content = cells[at] ?? "";
    const labelled = isCards && label !== undefined ? html` data-label="${label}"` : "";
    return at === 0 && content !== ""
      ? html`<th scope="row"${role("rowheader")}${className(figures)}>${content}</th>`
      : html`<td${role("cell")}${className(figures)}${labelled}>${content}</td>`;
  })}</tr>
`;
}

// --- facts -------------------------------------------------------------------------------------

export type Fact = readonly [label: Content, value: Content];

export function facts(list: readonly Fact[]): Markup | "" {
  if (list.length === 0) return "";
  return html`<dl class="facts">${list.map(
    ([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>
`;
}

/** Section of a page with a heading. */
export function pagePart(id: string, heading: Content, ...content: readonly Content[]): Markup {
  return html`<section><h2 id="${id}">${heading}</h2>
${content}</section>
`;
}

export function alert(text: string): Markup {
  return html`<p class="wrong" role="alert">${text}</p>
`;
}

// --- forms -------------------------------------------------------------------------------------

/** Field of a filter form. */
export type FilterField =
  | {
      readonly kind: "text" | "search" | "date" | "amount" | "number";
      readonly name: string;
      readonly label: string;
      /** Values to choose from, besides any other. */
      readonly offered?: readonly string[];
    }
  | {
      readonly kind: "choice";
      readonly name: string;
      readonly label: string;
      /** Selectable values with their labels. */
      readonly values: readonly (readonly [value: string, text: string])[];
      /** Label of the empty choice; undefined where a value must be chosen. */
      readonly none?: string | undefined;
    }
  | {
      readonly kind: "check";
      readonly name: string;
      readonly label: string;
      readonly value: string;
    };

/**
 * Form that shows the same page with other filters.
 *
 * @param path    path of the page
 * @param values  present values of the fields
 */
export function filterForm(
  ctx: PageContext,
  path: string,
  fields: readonly FilterField[],
  values: Readonly<Record<string, string | undefined>>,
): Markup {
  const isAny = fields.some(({ name }) => (values[name] ?? "") !== "");
  return html`<form class="filters" method="get" action="${ctx.base}${path}" aria-label="Filters">
${trailFields(ctx).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${fields.map((field) => fieldMarkup(field, values[field.name] ?? ""))}
<div class="acts"><button class="act">Show</button>${
    isAny ? html`<a class="act other" href="${linkBeside(ctx, path)}">Clear</a>` : ""
  }</div>
</form>
`;
}

function fieldMarkup(field: FilterField, value: string): Markup {
  const { name, label } = field;
  const id = `filter-${name}`;
  if (field.kind === "check") {
    const checked = value === field.value ? new Markup(" checked") : "";
    return html`<div class="field check"><input type="checkbox" id="${id}" name="${name}" value="${field.value}"${checked}><label for="${id}">${label}</label></div>
`;
  }
  if (field.kind === "choice") {
    const options = [
      ...(field.none === undefined ? [] : [["", field.none] as const]),
      ...field.values,
    ];
    return html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}">${options.map(
      ([each, text]) =>
        html`<option value="${each}"${each === value ? new Markup(" selected") : ""}>${text}</option>`,
    )}</select></div>
`;
  }
  const { offered = [] } = field;
  const options =
    offered.length === 0
      ? ""
      : html`<datalist id="${id}-list">${offered.map((text) => html`<option value="${text}"></option>`)}</datalist>`;
  return html`<div class="field"><label for="${id}">${label}</label><input id="${id}" name="${name}" ${inputs[field.kind]}${options === "" ? "" : html` list="${id}-list"`} value="${value}">${options}</div>
`;
}

const inputs = {
  text: new Markup('type="text" maxlength="255" autocomplete="off"'),
  search: new Markup('type="search" maxlength="255"'),
  date: new Markup('type="date" min="1900-01-01" max="2999-12-31"'),
  amount: new Markup('type="text" inputmode="decimal" maxlength="20" size="9"'),
  number: new Markup('type="number" min="1" max="366"'),
} as const;

const pageMax = 100_000;

/** Page number of a list in an address, from 1. */
export function pageIn({ query }: Pick<PageContext, "query">): number {
  const page = Number(query.get("page") ?? "1");
  return page >= 1 && page <= pageMax ? Math.floor(page) : 1;
}

/** Links to the pages of a list: first, previous, a box for any, next and last. */
export function numberedPager(
  ctx: PageContext,
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  { page, last }: { readonly page: number; readonly last: number },
): Markup | "" {
  if (last <= 1) return "";
  const others = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  const to = (number: number, text: string, rel = "") =>
    html`<a class="act other"${rel === "" ? "" : html` rel="${rel}"`} href="${linkBeside(ctx, addressWith(path, [...others, ["page", number === 1 ? undefined : String(number)]]))}">${text}</a>`;
  return html`<nav class="pager" aria-label="Pages">
${page > 1 ? html`${to(1, "First")}${to(page - 1, "Previous page", "prev")}` : ""}
<form class="page-box" method="get" action="${ctx.base}${path}">${[
    ...trailFields(ctx),
    ...others,
  ].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<label>Page <input type="number" name="page" min="1" max="${last}" value="${page}"></label> of ${last} <button class="act other">Go</button></form>
${page < last ? html`${to(page + 1, "Next page", "next")}${to(last, "Last")}` : ""}
</nav>
`;
}

/** Links to the pages of a list before and after this one. */
export function pagerLinks(
  ctx: PageContext,
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  { page, isLast }: { readonly page: number; readonly isLast: boolean },
): Markup | "" {
  if (page === 1 && isLast) return "";
  const to = (number: number) =>
    linkBeside(
      ctx,
      addressWith(
        path,
        Object.entries({ ...query, page: number === 1 ? undefined : String(number) }),
      ),
    );
  return html`<nav class="pager" aria-label="Pages">
${page > 1 ? html`<a class="act other" rel="prev" href="${to(page - 1)}">Previous page</a>` : ""}
<span class="soft">Page ${page}</span>
${isLast ? "" : html`<a class="act other" rel="next" href="${to(page + 1)}">Next page</a>`}
</nav>
`;
}

/** Size of a file in words: `12 kB`. */
export function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, "kB"] : [bytes / 1_000_000, "MB"];
  return `${size.toFixed(size < 10 ? 1 : 0)} ${unit}`;
}
