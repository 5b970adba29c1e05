/**
 * Page that explains a figure of a report: the rows that add up to it, down to documents, and its
 * rule.
 */
import { html } from "../../../output/markup.ts";
import { NotFoundError } from "../../../resources/errors.ts";
import { explainRoot } from "../../../resources/explained-figures.ts";
import { taxReturns } from "../../../resources/tax-report.ts";
import { addressWith, linkBeside } from "../../frame/breadcrumbs.ts";
import { alert, type Content, isolated, link } from "../../frame/components.ts";
import type { Page } from "../../frame/page-context.ts";
import type { BooksContext } from "../context.ts";
import { reportTable } from "./linked-table.ts";
import { reportQuery } from "./parameters-form.ts";
import { isOf, reportAt } from "./report-catalogue.ts";

/** Whether the service explains figures of a report; only the service of acct does. */
export function areExplained({ client }: BooksContext, name: string): Promise<boolean> {
  return client.offers("GET", `${explainRoot}/Reports/${name}`);
}

const placeNames = ["line", "column", "row", "all"] as const;

export async function showFigure(ctx: BooksContext, slug = ""): Promise<Page> {
  const page = reportAt(slug);
  if (page === undefined || !isOf(ctx.organisation.CountryCode, page)) throw noFigure();
  const parsed = await reportQuery(ctx, page);
  if (parsed.parameters === undefined) throw noFigure();
  const { query } = ctx;
  const cellPlace = Object.fromEntries(
    placeNames.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? ""]] : [])),
  );
  const report = await ctx.client.reportAt(`${explainRoot}/Reports/${page.name}`, {
    ...parsed.parameters,
    ...(Object.hasOwn(taxReturns, page.name) ? { draft: "true" } : {}),
    ...cellPlace,
  });
  const fieldValue = (id: string) => report.Fields?.find(({ FieldID }) => FieldID === id)?.Value;
  const [figure = "", , of = ""] = report.ReportTitles;
  const difference = fieldValue("Difference");
  const { accounts, tracking } = parsed;
  const source = fieldValue("Source") ?? "";
  // Sources of the kind "service document" are written for programs and not shown.
  const from = source === "" || source.startsWith("service document") ? "" : ` (${source})`;
  return {
    title: figure,
    heading: isolated(figure),
    body: html`<p class="titles">${isolated(of)}</p>
${difference === undefined ? "" : alert(`${difference} of it is not explained by the books.`)}
${await reportTable(ctx, report, { ctx, parameters: parsed.parameters, explained: undefined, accounts, tracking })}
${detailLink(ctx, slug)}<p class="soft">Rule: ${isolated(fieldValue("Rule") ?? "")}${from}</p>`,
  };
}

/** Link that switches between the component figures and the postings and documents. */
function detailLink(ctx: BooksContext, slug: string): Content {
  const isAll = ctx.query.get("all") === "true";
  const others = [...ctx.query].filter(([name]) => name !== "via" && name !== "all");
  const address = addressWith(`/figures/${slug}`, [...others, ["all", isAll ? undefined : "true"]]);
  const words = isAll ? "By the figures it is made of" : "Down to postings and documents";
  return html`<p>${link(linkBeside(ctx, address), words)}</p>`;
}

const noFigure = () => new NotFoundError("NotFound", "There is no such figure.");

/** Breadcrumb title of a figure page. */
export const figureTitle = (slug = ""): string => `Figure: ${reportAt(slug)?.title ?? ""}`;
