/** Parts that pages are put together from: links, tables, facts, forms. */

import { widthOf } from "../../output/html/html-table.ts";
import { html, Markup } from "../../output/markup.ts";
import { addressWith, linkBeside, trailFields } from "./breadcrumbs.ts";
import type { PageContext } from "./page-context.ts";

export type Content = Markup | string;

/** Text of a person's, whose direction does not reach what stands beside it. */
export const isolated = (text: string): Markup => html`<bdi>${text}</bdi>`;

/** A link; its content alone where it leads nowhere. */
export function link(href: string | undefined, content: Content): Markup {
  const shown = typeof content === "string" ? isolated(content) : content;
  return href === undefined ? shown : html`<a href="${href}">${shown}</a>`;
}

/** Tones in which a state is shown; the words say it too. */
export type Tone = "open" | "late" | "done" | "void";

export const badge = (text: string, tone: Tone): Markup =>
  html`<span class="badge ${tone}">${text}</span>`;

// --- tables ------------------------------------------------------------------------------------

export interface Column {
  readonly heading: Content;
  /** Figures stand on the right and do not wrap. */
  readonly figures?: boolean;
  readonly sorted?: "ascending" | "descending" | undefined;
}

export interface TableRow {
  readonly cells: readonly Content[];
  /** A heading across the table, or a total; a plain row when not given. */
  readonly kind?: "section" | "total" | undefined;
}

export interface TableOptions {
  /** What is read to those who do not see the table. */
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (TableRow | readonly Content[])[];
  /** Stands in place of the rows where there are none. */
  readonly empty?: string;
}

/** A table of links and marks; what is data alone is written by `tableMarkup`, in the same style. */
export function table({ caption, columns, rows, empty }: TableOptions): Markup {
  if (rows.length === 0) return html`<p class="soft">${empty ?? "There is nothing here."}</p>`;
  const heads = columns.map(({ heading, figures, sorted }) => {
    const order = sorted === undefined ? "" : new Markup(` aria-sort="${sorted}"`);
    if (heading === "") return html`<td></td>`;
    return html`<th scope="col"${className(figures)}${order}>${heading}</th>`;
  });
  return html`<div class="table" role="region" aria-label="${caption}" tabindex="0">
<table class="${widthOf(columns.length)}">
<caption>${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>
${rows.map((row) => rowMarkup(columns, "cells" in row ? row : { cells: row }))}</tbody>
</table>
</div>
`;
}

const className = (figures: boolean | undefined) =>
  figures === true ? new Markup(' class="figure"') : "";

function rowMarkup(columns: readonly Column[], { cells, kind }: TableRow): Markup {
  if (kind === "section") {
    return html`<tr class="section"><th colspan="${columns.length}" scope="rowgroup">${cells[0] ?? ""}</th></tr>
`;
  }
  const own = kind === undefined ? "" : html` class="${kind}"`;
  return html`<tr${own}>${columns.map(({ figures }, at) => {
    const content = cells[at] ?? "";
    return at === 0 && content !== ""
      ? html`<th scope="row"${className(figures)}>${content}</th>`
      : html`<td${className(figures)}>${content}</td>`;
  })}</tr>
`;
}

// --- facts -------------------------------------------------------------------------------------

export type Fact = readonly [label: Content, value: Content];

export function facts(given: readonly Fact[]): Markup | "" {
  if (given.length === 0) return "";
  return html`<dl class="facts">${given.map(
    ([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>
`;
}

/** A part of a page under a heading of its own. */
export function part(id: string, heading: Content, ...content: readonly Content[]): Markup {
  return html`<section><h2 id="${id}">${heading}</h2>
${content}</section>
`;
}

export function alert(text: string): Markup {
  return html`<p class="wrong" role="alert">${text}</p>
`;
}

// --- forms -------------------------------------------------------------------------------------

/** A field of a form that filters what is shown. */
export type FilterField =
  | {
      readonly kind: "text" | "search" | "date" | "amount" | "number";
      readonly name: string;
      readonly label: string;
    }
  | {
      readonly kind: "choice";
      readonly name: string;
      readonly label: string;
      /** Values with their words. */
      readonly values: readonly (readonly [value: string, text: string])[];
      /** What nothing chosen means; undefined where something always is. */
      readonly none?: string | undefined;
    }
  | {
      readonly kind: "check";
      readonly name: string;
      readonly label: string;
      readonly value: string;
    };

/**
 * A form that shows the same page with other filters.
 *
 * @param path    of the page
 * @param values  of the fields as they are now
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
  return html`<div class="field"><label for="${id}">${label}</label><input id="${id}" name="${name}" ${inputs[field.kind]} value="${value}"></div>
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

/** The page of a list that an address asks for, from 1. */
export function pageIn({ query }: Pick<PageContext, "query">): number {
  const page = Number(query.get("page") ?? "1");
  return page >= 1 && page <= pageMax ? Math.floor(page) : 1;
}

/** Links to the pages of a list before and after this one. */
export function pager(
  ctx: PageContext,
  path: string,
  asked: Readonly<Record<string, string | undefined>>,
  { page, isLast }: { readonly page: number; readonly isLast: boolean },
): Markup | "" {
  if (page === 1 && isLast) return "";
  const to = (number: number) =>
    linkBeside(
      ctx,
      addressWith(
        path,
        Object.entries({ ...asked, page: number === 1 ? undefined : String(number) }),
      ),
    );
  return html`<nav class="pager" aria-label="Pages">
${page > 1 ? html`<a class="act other" rel="prev" href="${to(page - 1)}">Previous page</a>` : ""}
<span class="soft">Page ${page}</span>
${isLast ? "" : html`<a class="act other" rel="next" href="${to(page + 1)}">Next page</a>`}
</nav>
`;
}
