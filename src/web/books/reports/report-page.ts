/** Pages of reports: the list of reports, and a report with its period, comparison and basis. */

import { chartOf } from "../../../output/chart/report-chart.ts";
import { chartSvg } from "../../../output/chart/svg.ts";
import { quantity } from "../../../output/figures.ts";
import { html, type Markup } from "../../../output/markup.ts";
import { isInteger, returnParts } from "../../../output/tax-return.ts";
import { type Cents, readDecimal, scaleOf } from "../../../resources/decimal.ts";
import { NotFoundError } from "../../../resources/errors.ts";
import { reportGroups } from "../../../resources/report.ts";
import type { Report, ReportField } from "../../../wire/report.ts";
import { addressWith, linkBeside, linkFrom } from "../../frame/breadcrumbs.ts";
import {
  alert,
  type Content,
  facts,
  filterForm,
  isolated,
  link,
  pagePart,
  table,
} from "../../frame/components.ts";
import type { Page, PageResponse } from "../../frame/page-context.ts";
import { noBankAccounts } from "../bank/no-bank-accounts.ts";
import type { BooksContext } from "../context.ts";
import { exportBar, formatAsked, reportFile } from "../filtered-files.ts";
import { contactName } from "../records/list-query.ts";
import { money } from "../shown-values.ts";
import { type DrillQuery, type FigurePlace, figureAddress } from "./drill.ts";
import { areExplained } from "./figure.ts";
import { reportTable } from "./linked-table.ts";
import { namedDays, namedPeriods, type ReportQuery, reportQuery } from "./parameters-form.ts";
import { isOf, type ReportPage, reportAt, reportPages } from "./report-catalogue.ts";

export async function showReports(ctx: BooksContext): Promise<Page> {
  const shownPages = reportPages.filter(
    (reportPage) =>
      isOf(ctx.organisation.CountryCode, reportPage) &&
      ctx.allows("GET", `/Reports/${reportPage.name}`),
  );
  const parts = Object.entries(reportGroups).flatMap(([group, heading]) => {
    const ownPages = shownPages.filter((reportPage) => reportPage.group === group);
    if (ownPages.length === 0) return [];
    const items = ownPages.map(
      ({ slug, title, summary }) =>
        html`<li>${link(linkFrom(ctx, `/reports/${slug}`), title)}<br><span class="soft">${sentence(summary)}</span></li>`,
    );
    return [pagePart(`group-${group}`, heading, html`<ul class="cards">${items}</ul>`)];
  });
  return { title: "Reports", body: html`<div class="columns">${parts}</div>` };
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export async function showReport(ctx: BooksContext, slug = ""): Promise<PageResponse> {
  const page = reportAt(slug);
  if (page === undefined || !isOf(ctx.organisation.CountryCode, page)) {
    throw new NotFoundError("NotFound", "There is no such report.");
  }
  const query = await reportQuery(ctx, page);
  const { parameters } = query;
  const reports = parameters === undefined ? [] : await ctx.client.reports(page.name, parameters);
  const format = formatAsked(ctx);
  if (format !== undefined && parameters !== undefined) {
    return reportFile(ctx, page.title, reports, format);
  }
  const dayOf = (attribute: string) =>
    reports[0]?.Attributes?.find(({ Name }) => Name === attribute)?.Value;
  const namedValues = {
    ...query.values,
    from: query.values.from ?? dayOf("fromDate"),
    to: query.values.to ?? dayOf("dateTo"),
    contact: await contactName(ctx, query.values.contact),
  };
  const form = filterForm(ctx, `/reports/${slug}`, query.fields, namedValues);
  const title =
    isAgedOfOne(page) && namedValues.contact
      ? `${page.title.replace(/ By Contact$/, "")}: ${namedValues.contact}`
      : page.title;
  return {
    title,
    body: html`${query.faults.map(alert)}${periodsOf(ctx, page, query)}${form}
${
  parameters === undefined
    ? query.faults.length > 0
      ? ""
      : html`<p class="soft">${missingInput(page, query)}</p>`
    : html`${await Promise.all(reports.map((report) => reportBody(ctx, report, query, parameters)))}${exportBar(ctx, `/reports/${slug}`, query.values)}`
}`,
  };
}

const isAgedOfOne = ({ name }: ReportPage) => name.endsWith("ByContact");

const missingInput = ({ parameters }: ReportPage, { accounts }: ReportQuery): Content => {
  if (parameters.accountID === undefined) return "Name a contact, and the report is here.";
  const hasBank = accounts.some(({ Type, Status }) => Type === "BANK" && Status === "ACTIVE");
  return hasBank ? "Choose a bank account, and the report is here." : noBankAccounts;
};

async function reportBody(
  ctx: BooksContext,
  report: Report,
  { accounts, tracking, values, page }: ReportQuery,
  parameters: Readonly<Record<string, string>>,
): Promise<Markup> {
  const isExplained = await areExplained(ctx, page.name);
  const explained = isExplained
    ? (at: FigurePlace) => figureAddress(page.slug, values, at)
    : undefined;
  const query = { ctx, parameters, explained, accounts, tracking };
  const [, ...titles] = report.ReportTitles;
  return html`<p class="titles">${titles.map((each, at) => html`${at === 0 ? "" : html`<br>`}${isolated(each)}`)}</p>
${report.Fields === undefined ? "" : returnBoxes(ctx, report.Fields, explained)}
${chartMarkup(ctx, report)}
${report.Rows.length === 0 ? "" : await reportTable(ctx, report, query)}`;
}

/** Width of the drawing of a chart, in points. */
const chartWidth = 460;

/** Chart of a report; empty where its description has none, or there are fewer than two points. */
function chartMarkup({ organisation, numberMarks: marks }: BooksContext, report: Report): Content {
  const chart = chartOf(report, organisation.BaseCurrency);
  if (chart === undefined || chart.points.length < 2) return "";
  return chartSvg(chart, { id: "report-chart", width: chartWidth, marks });
}

/** Header and boxes of a tax return. */
function returnBoxes(
  ctx: BooksContext,
  fields: readonly ReportField[],
  explained: DrillQuery["explained"],
): Markup {
  const { head, boxes: filled } = returnParts(fields);
  const amountOf = ({ FieldID, Value }: ReportField) => {
    const shownValue = isInteger(Value)
      ? quantity(readDecimal(Value, scaleOf.quantity) ?? 0, ctx.numberMarks)
      : money(ctx, (readDecimal(Value, scaleOf.money) ?? 0) as Cents);
    const address = explained?.({ row: FieldID });
    return address === undefined ? shownValue : link(linkFrom(ctx, address), shownValue);
  };
  return html`${facts(head.map(([description, value]) => [isolated(description), isolated(value)]))}
${table({
  caption: "Boxes",
  columns: [{ heading: "Box" }, { heading: "What" }, { heading: "Amount", figures: true }],
  rows: filled.map((box) => [isolated(box.box), isolated(box.Description), amountOf(box)]),
})}`;
}

/** Links to frequently used periods. */
function periodsOf(ctx: BooksContext, page: ReportPage, { values }: ReportQuery): Content {
  const { parameters, slug } = page;
  const isRanged = parameters.fromDate !== undefined;
  const isDated = parameters.date !== undefined && !isRanged;
  if (!isRanged && !isDated) return "";
  const namedSpans = isRanged ? namedPeriods(ctx) : namedDays(ctx);
  const links = namedSpans.map(({ name, ...own }) => {
    const parameters: Readonly<Record<string, string | undefined>> = { ...values, ...own };
    const isHere = Object.keys(own).every((key) => values[key] === parameters[key]);
    const href = linkBeside(ctx, addressWith(`/reports/${slug}`, Object.entries(parameters)));
    return html`<li>${isHere ? html`<a href="${href}" aria-current="true">${name}</a>` : link(href, name)}</li>`;
  });
  return html`<nav aria-label="Periods"><ul class="strip minor">${links}</ul></nav>
`;
}
