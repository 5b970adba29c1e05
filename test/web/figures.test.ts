/**
 * Each figure of each report leads to rows that come to it: to the postings of accounts, or to the
 * page that takes it apart.
 */
import { expect, test } from "vitest";
import type { ReportName } from "../../src/resources/report.ts";
import { nameIn } from "../../src/web/books/reports/parameters-form.ts";
import { reportPages, slugOf } from "../../src/web/books/reports/report-catalogue.ts";
import { opened, step, take } from "../service/business.ts";
import { furnished, questionsOf, usualReports } from "../service/explain/figures.ts";
import { world } from "../service/fixture.ts";
import { fc, isEveryCase } from "../support/properties.ts";
import { type Browsing, browsing, factsIn, figureOf, textOf, unescaped } from "./browsing.ts";

interface Shown {
  readonly text: string;
  readonly address: string | undefined;
}

const figurePattern = /^-?\d+(?:\.\d{1,4})?%?$/;
/** Columns of text that may look like figures. */
const texts = new Set(["Account", "Number", "Reference", "Rate", "Name", "Box", "What"]);

/** The figures of the tables of a page, with where each leads. */
function figuresIn(html: string): Shown[] {
  return [...html.matchAll(/<table.*?<\/table>/gs)].flatMap(([table]) => {
    const headings = [...(/<thead>.*?<\/thead>/s.exec(table)?.[0] ?? "").matchAll(cells)].map(
      ([, cell = ""]) => textOf(cell),
    );
    const rows = [...table.replace(/<thead>.*?<\/thead>/s, "").matchAll(/<tr.*?<\/tr>/gs)];
    return rows.flatMap(([row]) =>
      [...row.matchAll(cells)].flatMap(([, cell = ""], column) => {
        const text = figureOf(textOf(cell));
        if (column === 0 || texts.has(headings[column] ?? "") || !figurePattern.test(text))
          return [];
        const href = / href="([^"]*)"/.exec(cell)?.[1];
        return [{ text, address: href === undefined ? undefined : unescaped(href) }];
      }),
    );
  });
}

const cells = /<t[dh][^>]*>(.*?)<\/t[dh]>/gs;

const whole = (text: string): number => Math.round(Number(text.replace("%", "")) * 10_000);

/** What the page of a figure comes to: the sums of its rows, and what its last row says. */
function told(html: string) {
  const rows = [...html.matchAll(/<tr( class="[^"]*")?>(.*?)<\/tr>/gs)].map(
    ([, kind, row = ""]) => ({
      isTotal: kind !== undefined && /total|result/.test(kind),
      texts: [...row.matchAll(cells)].map(([, cell = ""]) => figureOf(textOf(cell))),
    }),
  );
  const last = rows.at(-1);
  const parts = rows.filter(({ isTotal, texts }) => !isTotal && texts.length > 1).slice(1);
  return {
    label: last?.texts[0],
    result: last?.texts.at(-1) ?? "",
    sum: parts.reduce((all, { texts }) => all + whole(texts.at(-1) ?? "0"), 0),
  };
}

/** @returns what is wrong with where a figure leads, if anything is */
async function faultOf(pages: Browsing, { text, address }: Shown): Promise<string | undefined> {
  if (address === undefined) return `${text} leads nowhere`;
  const { status, headers, html } = await pages.see(address);
  // A row that is a document leads to it.
  if (status === 303) {
    const { status: found } = await pages.see(String(headers.location));
    return found === 200 ? undefined : `${text} leads to ${headers.location}`;
  }
  if (status !== 200) return `${text} leads to ${address}, which answers ${status}`;
  if (address.startsWith("/figures/")) {
    const { label, result, sum } = told(html);
    if (whole(result) !== whole(text)) return `${text} leads to ${address}: ${result}`;
    return label === "Quotient" || sum === whole(text) ? undefined : `${address} adds up to ${sum}`;
  }
  const facts = address.startsWith("/accounts/")
    ? Object.values(factsIn(html))
    : figuresIn(html).map((each) => each.text);
  const amounts = facts.map((each) => Math.abs(whole(figureOf(each.split(" ")[0] ?? ""))));
  return amounts.includes(Math.abs(whole(text))) ? undefined : `${text} is not on ${address}`;
}

/** What names a page, its tables and their columns, sections, filters and boxes. */
function namesIn(html: string): string[] {
  const main = /<h1>.*<\/main>/s.exec(html)?.[0] ?? "";
  // The boxes of a return and what stands at its head are words of its form.
  if (main.includes("<caption>Boxes</caption>")) return [textOf(main)];
  const named = /<(h1|h2|th|label|option|dt|caption|p class="titles")\b[^>]*>(.*?)<\/[a-z0-9]+>/gs;
  const rows = /<(?:tr class="section"|thead)>.*?<\/(?:tr|thead)>/gs;
  return [
    ...[...main.replace(/<tbody>.*?<\/tbody>/gs, "").matchAll(named)].map(([, , text = ""]) =>
      textOf(text),
    ),
    ...[...main.matchAll(rows)].map(([text]) => textOf(text)),
  ];
}

const isOfPrograms = (text: string): boolean =>
  /\d{4}-\d\d-\d\d|[a-z][A-Z]{2,}|[a-z][A-Z][a-z]|\b[A-Z]{7,}\b|[0-9a-f]{8}-[0-9a-f]{4}-/.test(
    text.replaceAll("KiwiSaver", ""),
  );

/** At most so many figures of a page are followed. */
const followedMax = isEveryCase ? 24 : 4;

test("every figure of every report links to rows that sum to it, with readable headings", {
  timeout: 600_000,
}, async () => {
  const given = await world();
  const business = await opened(given);
  for (const [at, each] of fc.sample(step, { numRuns: 60, seed: 23 }).entries()) {
    await take(business, each, `2026-0${2 + (at % 4)}-28`);
  }
  await given.ok("PUT", "/Currencies/EUR/Rates", { Date: "2026-03-15", Rate: 0.7 });
  await furnished(given);
  const pages = browsing(given);
  const questions = (await questionsOf(given, { from: "2026-02-10", to: "2026-05-31" })).map(
    ([name, query]): [string, Record<string, string>] => [name, query],
  );
  const range = { fromDate: "2026-02-01", toDate: "2026-03-31" };
  const returns = reportPages.filter(({ countries }) => countries?.includes("NZ"));
  for (const { name } of returns)
    questions.push([name, range], [name, { ...range, detail: "true" }]);
  const faults: string[] = [];
  const followed = new Map<string, number>();
  for (const [name, query] of questions) {
    const own = Object.entries(query).map(([key, value]) => [
      nameIn(key),
      key === "paymentsOnly" ? "cash" : value,
    ]);
    const address = `/reports/${slugOf(name)}?${new URLSearchParams(own as [string, string][])}`;
    const { status, html } = await pages.see(address);
    expect(status, address).toBe(200);
    faults.push(
      ...namesIn(html)
        .filter(isOfPrograms)
        .map((each) => `${address}: “${each}”`),
    );
    const figures = figuresIn(html);
    const stride = Math.max(1, Math.ceil(figures.length / followedMax));
    for (const figure of figures.filter(
      (each, at) => at % stride === 0 || each.address === undefined,
    )) {
      const fault = await faultOf(pages, figure);
      if (fault !== undefined) faults.push(`${address}: ${fault}`);
    }
    followed.set(name, (followed.get(name) ?? 0) + figures.length);
  }
  expect(faults).toEqual([]);
  expect(pages.bugs).toEqual([]);
  const unseen = [...usualReports, ...returns.map(({ name }) => name)].filter(
    (name) => (followed.get(name) ?? 0) === 0,
  );
  expect(unseen).toEqual([]);
});

test.each<[ReportName, string]>([
  ["AgedReceivables", "ACCREC"],
  ["AgedPayables", "ACCPAY"],
])(
  "in %s, an ageing column of a contact links to documents of that age which add up to it",
  async (name, type) => {
    const given = await world();
    const business = await opened(given);
    for (const [at, each] of fc.sample(step, { numRuns: 50, seed: 5 }).entries()) {
      await take(business, each, `2026-0${1 + (at % 4)}-15`);
    }
    const pages = browsing(given);
    const { html } = await pages.see(`/reports/${slugOf(name)}?date=2026-04-30&buckets=20,40`);
    const figures = figuresIn(html).filter(({ text }) => whole(text) !== 0);
    const seen: string[] = [];
    for (const figure of figures) {
      expect(await faultOf(pages, figure)).toBeUndefined();
      const { html: shown } = await pages.see(figure.address ?? "");
      seen.push(...[...shown.matchAll(/ href="(\/documents\/[^"?]*)/g)].map(([, to = ""]) => to));
    }
    expect(figures.length).toBeGreaterThan(4);
    expect(seen.length).toBeGreaterThan(2);
    for (const address of new Set(seen)) {
      expect((await pages.see(address)).status, `${type} ${address}`).toBe(303);
    }
  },
);
