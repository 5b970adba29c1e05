/**
 * Renders lists, reports and records as an HTML file, to be read on any screen, printed or sent.
 */
import { longDate } from "../../ledger/dates/calendar.ts";
import { chartStyle, chartSvg } from "../chart/svg.ts";
import type { Marks } from "../figures.ts";
import { type Letterhead, type Logo, marksOn, type PaperContext } from "../letterhead.ts";
import { html, Markup } from "../markup.ts";
import type { Table, Tables } from "../table.ts";
import { baseStyle, framePage, policyOf } from "./frame.ts";
import { tableMarkup, tableStyle } from "./html-table.ts";

const style = `${baseStyle}
main{width:fit-content;min-width:min(60rem,100%);max-width:min(110rem,100%);margin:1.5rem auto;background:var(--card);padding:2.25rem 2.5rem;border-radius:.75rem;
box-shadow:0 1px 4px #0003}
header{display:grid;grid-template-columns:minmax(0,1fr) fit-content(22rem);gap:1rem 2rem;margin-bottom:1.75rem}header>*{min-width:0;overflow-wrap:anywhere}
h1{margin:0 0 .25rem;font-size:1.75rem;line-height:1.2}
h2{margin:1.5rem 0 .5rem;font-size:1.1rem}
header p{margin:0}.own{text-align:right;font-weight:600}
.own img{display:block;margin:0 0 .5rem auto;width:auto;height:auto;max-width:12rem;max-height:4.5rem}
footer{display:flex;flex-wrap:wrap;gap:.25rem 2rem;justify-content:space-between;color:var(--soft);font-size:.85rem}
${tableStyle}
${chartStyle}
.charts{margin:0 0 1.75rem}figure{margin:0 0 1.25rem}figcaption{font-weight:600;margin:0 0 .5rem}
@media screen and (max-width:40rem){main{width:auto;margin:0;padding:1.25rem 1rem;border-radius:0}
header{display:flex;flex-direction:column-reverse}.own{text-align:left}.own img{margin-left:0}}
@media print{body{background:none}main{box-shadow:none;padding:0;margin:0;width:auto;min-width:0;max-width:none}
h1{font-size:18pt}footer{break-before:avoid}}
`;

/** Names of the paper sizes in the CSS rule `@page`. */
const sizes = { A4: "A4", LETTER: "letter" } as const satisfies Record<Letterhead["paper"], string>;

/** Style of the page, with page numbers in print and the colour of the organisation. */
function styleOf({ paper, brand: { color } }: Letterhead): string {
  const page = `@page{size:${sizes[paper]};margin:16mm 14mm 18mm;@bottom-right{content:counter(page) " / " counter(pages);font:8pt system-ui,sans-serif}}\n`;
  const accent = color === undefined ? "" : `main{border-top:.4rem solid ${color}}\n`;
  return `${style}${page}${accent}`;
}

/** Renders tables as a page. @returns pieces of the page, as rows arrive */
export async function* paperPage(
  tables: Tables,
  { letterhead, day }: PaperContext,
): AsyncGenerator<string> {
  const [{ titles }] = tables;
  const [title = "", ...below] = titles;
  const { name, brand, language, imprint } = letterhead;
  const numberMarks = marksOn(letterhead);
  const pageStyle = styleOf(letterhead);
  const isNamed = below.includes(name) || name === "";
  const wholePage = framePage(
    {
      title: isNamed ? title : `${title} \u2013 ${name}`,
      language,
      style: pageStyle,
      policy: `${policyOf(pageStyle)}; img-src data:; base-uri 'none'; form-action 'none'`,
    },
    html`<main>
<header>
<div><h1>${title}</h1>${below.map((line) => html`<p class="soft">${line}</p>`)}</div>
<div class="own">${brand.logo === undefined ? "" : logoMarkup(brand.logo, name)}${isNamed ? "" : html`<p>${name}</p>`}</div>
</header>
${placeOfTables}<footer><span>${imprint}</span><span>Made ${longDate(day)}</span></footer>
</main>`,
  );
  const [before = "", after = ""] = wholePage.text.split(placeOfTables.text);
  yield before;
  for (const [index, table] of tables.entries()) {
    const caption = index === 0 ? titles.join(", ") : table.titles.join(", ");
    if (index > 0 && caption !== "") yield html`<h2>${caption}</h2>\n`.text;
    yield chartsMarkup(table, index, numberMarks).text;
    for await (const piece of tableMarkup(table, { marks: numberMarks, caption })) yield piece.text;
  }
  yield after;
}

/** Charts of a table, each with its title if there are several. */
function chartsMarkup({ charts = [] }: Table, tableIndex: number, marks: Marks): Markup {
  if (charts.length === 0) return new Markup("");
  const figures = charts.map((chart, at) => {
    const caption = charts.length < 2 ? "" : html`<figcaption>${chart.title}</figcaption>`;
    return html`<figure>${caption}${chartSvg(chart, { id: `c${tableIndex}-${at}`, marks })}</figure>
`;
  });
  return html`<div class="charts">
${figures}</div>
`;
}

const placeOfTables = new Markup("<!--tables-->");

function logoMarkup({ mimeType, bytes, width, height }: Logo, name: string): Markup {
  const data = Buffer.from(bytes).toString("base64");
  return html`<img src="data:${mimeType};base64,${data}" alt="${name}" width="${width}" height="${height}">`;
}
