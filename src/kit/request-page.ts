/** The page of a server for tests: its last requests, why they were refused, and what they posted. */
import { baseStyle, framePage } from "../output/html/frame.ts";
import { tableStyle } from "../output/html/html-table.ts";
import { html, type Markup } from "../output/markup.ts";
import { table } from "../web/frame/components.ts";
import { pageHeaders } from "../web/frame/headers.ts";
import type { RequestRecord } from "./face.ts";
import type { Operations } from "./test-operations.ts";

const requestsMax = 100;
const charactersMax = 10_000;

const style = `${baseStyle}${tableStyle}
main{max-width:60rem;margin:0 auto;padding:1rem}
h1{font-size:1.4rem}h2{margin:0;font-size:1.05rem}
section{margin:0 0 1rem;padding:1rem;background:var(--card);border-radius:.5rem}
.table{margin:.5rem 0}.wrong{color:var(--late)}
pre{margin:.25rem 0 .75rem;white-space:pre-wrap;font-size:.85rem}
`;

interface Posting {
  readonly AccountCode?: string;
  readonly AccountName: string;
  readonly NetAmount: number;
}

/** Postings by `keyOf` their journal. */
type PostingsByJournal = ReadonlyMap<string, readonly Posting[]>;

const keyOf = (tenant: string | undefined, journal: number) => `${tenant} ${journal}`;

/** @returns the headers and the HTML of the page, newest request first */
export async function requestPage(operations: Operations) {
  const all = (await operations["GET /requests"]({ since: 0 })) as readonly RequestRecord[];
  const shown = all.slice(-requestsMax).reverse();
  const ledger = await ledgerOf(operations, shown);
  const left = all.length - shown.length;
  const title = "Requests of the test";
  const body = html`<main>
<h1>${title}</h1>
<p class="soft">${all.length === 0 ? "Nothing was asked since the last restore." : `The newest is first${left > 0 ? `; ${left} earlier ones are left out` : ""}.`}</p>
${shown.map((request) => requestPart(request, ledger))}</main>`;
  return {
    headers: pageHeaders({ style, isSecret: true }),
    html: framePage({ title, language: "en", style }, body).text,
  };
}

/** Reads the journals that some requests posted. */
async function ledgerOf(
  operations: Operations,
  requests: readonly RequestRecord[],
): Promise<PostingsByJournal> {
  const ledger = new Map<string, readonly Posting[]>();
  for (const [tenant, own] of Map.groupBy(requests, (each) => each.tenant)) {
    const posted = own.flatMap(({ journals }) => journals);
    if (posted.length === 0) continue;
    const since = Math.min(...posted) - 1;
    // biome-ignore lint/suspicious/noExplicitAny: journals as the API answers them.
    const journals = (await operations["GET /ledger/journals"]({ tenant, since })) as any[];
    for (const { JournalNumber, JournalLines } of journals) {
      ledger.set(keyOf(tenant, JournalNumber), JournalLines);
    }
  }
  return ledger;
}

function requestPart(request: RequestRecord, ledger: PostingsByJournal): Markup {
  const { number, at, app, person, tenant, method, path, query, status, ms, why, journals } =
    request;
  const asked = new URLSearchParams(query.map(([...pair]): [string, string] => pair)).toString();
  const rows = journals.flatMap((journal) =>
    (ledger.get(keyOf(tenant, journal)) ?? []).map(
      ({ AccountCode = "", AccountName, NetAmount }) => [
        String(journal),
        `${AccountCode} ${AccountName}`.trim(),
        NetAmount > 0 ? NetAmount.toFixed(2) : "",
        NetAmount < 0 ? (-NetAmount).toFixed(2) : "",
      ],
    ),
  );
  const columns = [
    { heading: "Journal" },
    { heading: "Account" },
    { heading: "Debit", figures: true },
    { heading: "Credit", figures: true },
  ];
  return html`<section><h2>${method} ${path}${asked === "" ? "" : `?${asked}`}: ${status === 0 ? "no answer" : status}</h2>
<p class="soft">${[`Request ${number}`, at, `${ms} ms`, ...[person, app].filter((name) => name !== undefined)].join(", ")}</p>
${why.map(
  ({
    rule,
    message,
  }) => html`<p class="wrong">${message}${rule === undefined ? "" : ` (${rule})`}</p>
`,
)}${rows.length === 0 ? "" : table({ caption: `Journals of request ${number}`, columns, rows })}${textPart("Sent", request.body)}${textPart("Answered", request.answer)}</section>
`;
}

function textPart(summary: string, text = ""): Markup | "" {
  if (text === "") return "";
  const left = text.length - charactersMax;
  return html`<details><summary>${summary}</summary><pre>${text.slice(0, charactersMax)}${left > 0 ? `… ${left} more characters` : ""}</pre></details>
`;
}
