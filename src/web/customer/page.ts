/**
 * Page of a document as its customer sees it, in a browser of any size or in print.
 *
 * It works without script, loads nothing but its own style, follows the system's light or dark
 * mode, and prints like a letter.
 */

import { baseStyle, type Frame, framePage } from "../../output/html/frame.ts";
import { qrPicture } from "../../output/html/qr-picture.ts";
import { html, Markup } from "../../output/markup.ts";
import type { PaperColumn } from "../../output/pdf/paper-table.ts";
import type { Fact, Note, Party, PrintedDocument, TotalLine } from "../../output/pdf/printed.ts";
import { english, type PaperLanguage } from "../../output/words/words.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { sizeOf } from "../frame/components.ts";
import { pageHeaders } from "../frame/headers.ts";

const style = `${baseStyle}
.bar{display:flex;flex-wrap:wrap;gap:.75rem 1.5rem;align-items:center;justify-content:space-between;
max-width:54rem;margin:0 auto;padding:1.25rem 1rem .75rem}
.standing{margin:0;font-size:1.15rem;font-weight:600;border-left:.35rem solid;padding-left:.75rem}
.open{color:var(--open)}.late{color:var(--late)}.done{color:var(--done)}.void{color:var(--void)}
.acts{display:flex;flex-wrap:wrap;gap:.75rem}
.act{display:inline-block;padding:.6rem 1.15rem;border:1px solid var(--act);border-radius:.4rem;
font:inherit;font-weight:600;text-decoration:none;cursor:pointer;background:var(--act);color:var(--act-ink)}
.act.other{background:transparent;color:var(--act)}
main{max-width:54rem;margin:0 auto 1.5rem;background:var(--card);padding:2.5rem;border-radius:.75rem;
box-shadow:0 1px 4px #0003}
header{display:grid;grid-template-columns:minmax(0,1fr) fit-content(22rem);gap:1.5rem;margin-bottom:2rem}header>*{min-width:0;overflow-wrap:anywhere}
h1{margin:0;font-size:1.75rem;line-height:1.2}
h2{margin:0 0 .35rem;font-size:1rem}
p{margin:0 0 .5rem}
.mark{display:inline-block;margin-left:.75rem;padding:.05rem .6rem;border:2px solid var(--late);
border-radius:.3rem;color:var(--late);font-size:1rem;font-weight:700;vertical-align:middle}
.seller{text-align:right;max-width:22rem}.seller img{width:auto;height:auto;max-width:12rem;max-height:5rem;margin-bottom:.5rem}
.name{font-weight:600}
.ends{display:flex;flex-wrap:wrap;gap:1.5rem 3rem;margin-bottom:2rem}
.ends>*{flex:1 1 14rem}
dl{margin:0;display:grid;grid-template-columns:auto 1fr;gap:.15rem 1.25rem;align-content:start}
dt{color:var(--soft)}dd{margin:0}
.text{white-space:pre-line}
table{width:100%;border-collapse:collapse;margin-bottom:1rem}
th{font-weight:600;text-align:left;color:var(--soft);border-bottom:1px solid var(--edge);padding:.4rem .5rem}
td{padding:.55rem .5rem;border-bottom:1px solid var(--line);vertical-align:top}
th:first-child,td:first-child{padding-left:0}th:last-child,td:last-child{padding-right:0}
td.text{width:50%}
.sums{margin:0 0 1.5rem auto;max-width:26rem;gap:0}
.sums dt,.sums dd{padding:.25rem 0;color:var(--ink)}.sums dt{padding-right:2rem}.sums dd{text-align:right}
.pay{border:1px solid var(--edge);border-radius:.5rem;padding:1rem 1.25rem;margin:0 0 2rem}
.pay dd{font-weight:600;user-select:all}.pay .sum{white-space:nowrap}
.code{display:flex;flex-wrap:wrap;gap:1rem;align-items:center;margin:1rem 0 0}.code svg{flex:none}
.code figcaption{flex:1 1 12rem}
.fold,.fold+label{display:none}
.sums .total{font-weight:600;border-top:1px solid var(--edge)}
.sums .due{font-weight:700;font-size:1.2rem;border-top:1px solid var(--edge)}
section{margin-top:1.75rem;padding-top:1.25rem;border-top:1px solid var(--line)}
ul{margin:0;padding-left:1.2rem}a{color:var(--act)}
form{max-width:30rem}label{font-weight:600;display:block;margin-top:.75rem}
input,textarea{display:block;width:100%;margin-top:.25rem;padding:.6rem .7rem;font:inherit;color:inherit;
background:transparent;border:1px solid var(--edge);border-radius:.4rem}
form .acts{margin-top:1rem}
.wrong{border:1px solid var(--late);border-left-width:.35rem;border-radius:.4rem;padding:.75rem 1rem;margin:0 0 1rem}
footer{max-width:54rem;margin:0 auto;padding:0 1rem 2.5rem;color:var(--soft);font-size:.9rem}
@media screen and (prefers-color-scheme:dark){.seller img{background:#fff;padding:.5rem;border-radius:.3rem}}
@media screen and (max-width:40rem){
.fold{display:inline-block;width:auto;margin:0}.fold+label{display:inline;margin-left:.5rem}
.fold:not(:checked)~table tbody tr:nth-child(n+21){display:none}
main{padding:1.25rem;border-radius:0}.seller{text-align:left}header{display:flex;flex-direction:column-reverse}
.acts,.act{width:100%;text-align:center}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table,tbody,tr,td{display:block}td{border:0;padding:.1rem 0}td.text{width:auto;font-weight:600}
tr{border-bottom:1px solid var(--line);padding:.6rem 0}
td.figure{display:flex;justify-content:space-between;gap:1rem}
td.figure::before{content:attr(data-label);color:var(--soft)}
.sums{max-width:none}}
@media print{body{background:none}.bar,.skip,form{display:none}main{box-shadow:none;padding:0;max-width:none}
footer{padding:0}tr,.sums,section{break-inside:avoid}@page{margin:18mm}}
`;

/** Style of the page, with the colour of the branding theme if it has one: `#1d4f91`. */
function styleWith(color: string | undefined): string {
  return color === undefined ? style : `${style}main{border-top:.4rem solid ${color}}`;
}

/** A document as its customer sees it. */
export interface CustomerDocument {
  readonly printed: PrintedDocument;
  /** Parts of it, of a statement one for each currency; undefined where there are not several. */
  readonly parts?: readonly PrintedDocument[] | undefined;
  /** Name of the PDF file: `INV-0042.pdf`. */
  readonly name: string;
  /** Status of the document in a sentence, with the tone that shows its urgency. */
  readonly standing: DocumentStatus;
  readonly files: readonly {
    readonly id: string;
    readonly name: string;
    /** Size of the file in bytes. */
    readonly size: number;
  }[];
  /** Addresses of the documents in its lines, by their numbers. */
  readonly links?: ReadonlyMap<string, string>;
  /** Whether the document is a quote that awaits an answer. */
  readonly isAnswerable: boolean;
}

export interface DocumentStatus {
  readonly text: string;
  readonly tone: "open" | "late" | "done" | "void";
}

/** Values of the answer form of a quote, and the fault in them. */
export interface AnswerForm {
  readonly name: string;
  readonly reason: string;
  readonly fault: string | undefined;
}

/** Page of a document. @param base  path of the page; its PDF and attachments are below it */
export function documentPage(
  document: CustomerDocument,
  base: string,
  form?: AnswerForm,
): ServiceResponse {
  const { printed, parts, standing, files, name } = document;
  const { title, number, organisation, language, brand, words = english } = printed;
  const { say } = words;
  const heading = [title, number].filter((headingPart) => headingPart !== undefined).join(" ");
  const pdf = html`<a class="act other" href="${base}/pdf" type="application/pdf">${say("Save as PDF")}</a>`;
  const fault = form?.fault === undefined ? "" : "Error: ";
  return answerOf(
    form === undefined ? 200 : 400,
    {
      title: `${fault}${say("% from %", heading, organisation.name)}`,
      language,
      style: styleWith(brand.color),
    },
    html`<a class="skip" href="#document">${say("Go to the document")}</a>
<div class="bar">
<p class="standing ${standing.tone}" role="status">${standing.text}</p>
<nav class="acts" aria-label="${say("What you can do")}">
${(printed.pay?.links ?? []).map(({ text, url }) => html`<a class="act" href="${url}" rel="noreferrer">${text}</a>`)}
${document.isAnswerable ? html`<a class="act" href="#answer">${say("Answer this quote")}</a>` : ""}
${pdf}
</nav>
</div>
<main id="document">
${parts === undefined ? howToPay(printed) : ""}
<header>
<div><h1>${heading}${markOf(printed)}</h1></div>
<div class="seller">${logoOf(printed, base)}${partyLines(organisation)}</div>
</header>
<div class="ends">
${printed.parties.map(
  (party) => html`<div><p class="soft">${party.label}</p>${partyLines(party)}</div>`,
)}
${factList(printed.facts)}
</div>
${noteParagraphs(printed.intro)}
${parts === undefined ? lineTable(printed, document.links) : parts.map((currencyPart) => partSection(currencyPart, document.links))}
${printed.remarks.map((remark) => html`<p class="soft">${remark}</p>`)}
${noteParagraphs(printed.notes)}
${fileList(files, base, name, words)}
${document.isAnswerable ? answerForm(base, words, form) : ""}
</main>
<footer>${printed.imprint}</footer>`,
  );
}

/** The part of one currency, with how to pay in it. */
function partSection(part: PrintedDocument, linkByNumber: CustomerDocument["links"]): Markup {
  const { currency = "" } = part;
  return html`<section aria-labelledby="in-${currency}">
<h2 id="in-${currency}">${currency}</h2>
${howToPay(part, currency)}
${lineTable(part, linkByNumber, currency)}
</section>`;
}

function markOf({ mark, words = english }: PrintedDocument): Markup | string {
  return mark === undefined ? "" : html` <span class="mark">${words.say(mark)}</span>`;
}

function logoOf({ brand: { logo }, organisation }: PrintedDocument, base: string): Markup | string {
  if (logo === undefined) return "";
  const { width, height } = logo;
  return html`<img src="${base}/logo" alt="${organisation.name}" width="${width}" height="${height}">
`;
}

function partyLines({ name, lines }: Party): Markup {
  return html`<p class="name">${name}</p>
${lines.map((line) => html`<div class="soft">${line}</div>`)}`;
}

function factList(facts: readonly Fact[]): Markup | string {
  if (facts.length === 0) return "";
  return html`<dl>${facts.map(({ label, value }) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`;
}

function noteParagraphs(list: readonly Note[]): readonly Markup[] {
  return list.map(
    ({ heading, text }) =>
      html`${heading === undefined ? "" : html`<h2>${heading}</h2>`}<p class="text">${text}</p>`,
  );
}

// The ARIA roles are explicit, as CSS lays rows out as blocks on narrow screens, which removes
// implicit roles.
/** Count of lines above which a narrow screen folds the others. */
const shownLines = 20;

/** Lines and their sums. @param currency  where the page has parts in several */
function lineTable(
  { columns, rows, sums, words = english }: PrintedDocument,
  linkByNumber: CustomerDocument["links"],
  currency = "",
): Markup {
  const fold =
    rows.length <= shownLines
      ? ""
      : html`<input type="checkbox" class="fold" id="all${currency}"><label for="all${currency}">${words.say("Show all % lines", String(rows.length))}</label>
`;
  return html`${fold}<table role="table">
<thead role="rowgroup"><tr role="row">${columns.map(
    ({ heading, figures }) =>
      html`<th role="columnheader" scope="col" class="${figures ? "figure" : "text"}">${heading}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => lineRow(columns, row, linkByNumber))}</tbody>
</table>
<dl class="sums">${sums.map(sumLine)}</dl>`;
}

function lineRow(
  columns: readonly PaperColumn[],
  row: readonly string[],
  linkByNumber?: CustomerDocument["links"],
): Markup {
  const shown = (text = "") => {
    const address = linkByNumber?.get(text);
    return address === undefined ? text : html`<a href="${address}">${text}</a>`;
  };
  if (row.length === 1) {
    return html`<tr role="row"><td role="cell" class="text" colspan="${columns.length}">${row[0] ?? ""}</td></tr>`;
  }
  return html`<tr role="row">${columns.map(
    ({ heading, figures }, at) =>
      html`<td role="cell" class="${figures ? "figure" : "text"}" data-label="${heading}">${shown(row[at])}</td>`,
  )}</tr>`;
}

function sumLine({ label, amount, weight }: TotalLine): Markup {
  const emphasis = weight ?? "";
  return html`<dt class="${emphasis}">${label}</dt><dd class="${emphasis}">${amount}</dd>`;
}

/** What is due and where it is paid to; each value is selected whole by a click. */
function howToPay({ pay, sums, words = english }: PrintedDocument, currency = ""): Markup | string {
  if (pay === undefined) return "";
  const { say } = words;
  const { reference, bankDetails, advice, code } = pay;
  const totals: (readonly [string, string, "sum" | "text"])[] = [
    ...sums
      .filter(({ weight }) => weight === "due")
      .map(({ label, amount }) => [label, amount, "sum"] as const),
    ...(bankDetails.length === 0 ? [] : [[say("Pay to"), bankDetails.join("\n"), "text"] as const]),
    ...(reference === undefined ? [] : [[say("Reference"), reference, "text"] as const]),
  ];
  return html`<section class="pay" aria-labelledby="pay${currency}">
<h2 id="pay${currency}">${`${say("How to pay")} ${currency}`.trim()}</h2>
<dl>${totals.map(([label, value, kind]) => html`<dt>${label}</dt><dd class="${kind}">${value}</dd>`)}</dl>
${code === undefined ? "" : codeFigure(code, words)}
${advice.length === 0 ? "" : html`<p class="text">${advice.join("\n")}</p>`}
</section>`;
}

const codeWidth = 152;

function codeFigure(text: string, { say }: PaperLanguage): Markup {
  return html`<figure class="code">${qrPicture(text, say("QR code of the payment"), codeWidth)}
<figcaption class="soft">${say("Scan it with the app of your bank: it has account, amount and reference.")}</figcaption></figure>`;
}

function fileList(
  files: CustomerDocument["files"],
  base: string,
  name: string,
  { say }: PaperLanguage,
): Markup | string {
  if (files.length === 0) return "";
  return html`<section aria-labelledby="files">
<h2 id="files">${say("Files with %", name.replace(/\.pdf$/, ""))}</h2>
<ul>${files.map(
    (file) =>
      html`<li><a href="${base}/files/${file.id}" download>${file.name}</a> <span class="soft">${sizeOf(file.size)}</span></li>`,
  )}</ul>
</section>`;
}

function answerForm(basePath: string, { say }: PaperLanguage, form?: AnswerForm): Markup {
  const { name = "", reason = "", fault } = form ?? {};
  const wrong =
    fault === undefined
      ? ""
      : new Markup(' aria-invalid="true" aria-describedby="fault" autofocus');
  return html`<section aria-labelledby="answer">
<h2 id="answer" tabindex="-1">${say("Your answer")}</h2>
${fault === undefined ? "" : html`<div class="wrong" role="alert" id="fault"><a href="#name">${fault}</a></div>`}
<form method="post" action="${basePath}">
<label for="name">${say("Your name")}</label>
<input id="name" name="name" required maxlength="${answerNameMax}" autocomplete="name" value="${name}"${wrong}>
<label for="reason">${say("Anything you want to say (optional)")}</label>
<textarea id="reason" name="reason" rows="3" maxlength="${answerReasonMax}">${reason}</textarea>
<div class="acts">
<button class="act" name="answer" value="accept">${say("Accept this quote")}</button>
<button class="act other" name="answer" value="decline">${say("Decline")}</button>
</div>
</form>
</section>`;
}

export const answerNameMax = 255;
export const answerReasonMax = 2_000;

/** The same "not found" page for every unknown address, so that it reveals no reason. */
export function nowherePage(): ServiceResponse {
  return answerOf(
    404,
    { title: "Nothing here", language: "en", style },
    html`<main id="document">
<h1>There is nothing at this address</h1>
<p>It may have been replaced or taken back. Ask whoever sent it to you for a new one.</p>
</main>`,
  );
}

function answerOf(status: number, page: Frame, body: Markup): ServiceResponse {
  const headers = pageHeaders({ style: page.style, hasLogo: true, isSecret: true });
  return { status, headers, body: framePage(page, body).text };
}
