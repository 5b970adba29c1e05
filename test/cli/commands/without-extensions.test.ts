/** A service of the public API alone: whatever is more than that is told of in a sentence. */

import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiRoot, type Book, createBook } from "../../../src/service/books/book.ts";
import { newDesk } from "../real.ts";
import { walk, wholeTree } from "../tree.ts";

const { acct, home } = newDesk();

/** Reports that the public API has. */
const publicReports =
  /^\/Reports\/(?:ProfitAndLoss|BalanceSheet|TrialBalance|BankSummary|BudgetSummary|ExecutiveSummary|Aged(?:Receivables|Payables)ByContact|TenNinetyNine|BASReport|GSTReport)$|^\/Reports\/?$/;
const isExtension = (method: string, path: string) =>
  path.startsWith("/Extensions/") ||
  (path.startsWith("/Reports/") && !publicReports.test(path)) ||
  /\/(?:Restore|Rates|Run|Bill)$|^\/Quotes\/[^/]+\/Invoice$/.test(path) ||
  (path.startsWith("/Budgets") && method !== "GET");

let book: Book;
let server: Server;
const asked: string[] = [];

beforeAll(async () => {
  book = await createBook(join(home, "public.acct"), { name: "Public", country: "NZ", demo: true });
  server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://service");
    const path = url.pathname.replace(apiRoot, "");
    const method = request.method ?? "GET";
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (!url.pathname.startsWith(apiRoot) || isExtension(method, path)) {
      asked.push(`${method} ${path}`);
      response.writeHead(404, { "content-type": "text/html" });
      response.end("The resource you're looking for cannot be found");
      return;
    }
    const { authorization: _, ...headers } = request.headers;
    const answer = await book.transport({
      method,
      path,
      query: [...url.searchParams],
      headers: headers as Record<string, string>,
      body: Buffer.concat(chunks),
    });
    response.writeHead(answer.status, answer.headers);
    response.end(
      typeof answer.body === "string" ? answer.body : Buffer.from(answer.body as Uint8Array),
    );
  });
  const put = async (path: string, body: object) => {
    const answer = await book.transport({
      method: "PUT",
      path,
      query: [],
      headers: { accept: "application/json", "content-type": "application/json" },
      body: new TextEncoder().encode(JSON.stringify(body)),
    });
    expect(answer.status).toBe(200);
  };
  const Contact = { Name: "Acme", EmailAddress: "ada@acme.example" };
  await put("/Contacts", Contact);
  await put("/Invoices", {
    Type: "ACCREC",
    Contact,
    Date: "2026-01-05",
    DueDate: "2026-01-25",
    Status: "AUTHORISED",
    LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 10, AccountCode: "200" }],
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  server.close();
  await book.close();
});

async function there(line: string) {
  const { port } = server.address() as AddressInfo;
  const env = {
    ACCT_BOOK: "",
    ACCT_BASE_URL: `http://127.0.0.1:${port}${apiRoot}`,
    ACCT_TOKEN: "t",
  };
  asked.length = 0;
  return acct(`${line} --no-input --max-wait 1`, { env });
}

const id = "1c5d2a60-8c63-4f1b-9a3e-5f2f6f0e7d11";
const file = (name: string, text: string) => {
  const path = join(home, name);
  writeFileSync(path, text);
  return path;
};

/** Arguments of commands whose first example names what is not there. */
const lines: readonly string[] = [
  "asset list",
  "asset show FA-1",
  "asset add --name Van --cost 1 --purchase-date 2026-01-01 --life 3",
  "asset depreciate --yes",
  "asset rollback --to 2026-01 --yes",
  "bank lines 090",
  "bank suggest 090",
  "bank reconcile 090 --auto",
  `bank match ${id} --invoice INV-0001`,
  `bank unmatch ${id}`,
  `bank ignore ${id}`,
  `bank show ${id}`,
  "bank rule list",
  "bank rule add Rent --when 'text contains rent' --to 469",
  "bank rule test 090",
  "bank statement list",
  "opening show",
  "opening remove --yes",
  "close 2025-12",
  "close 2025-03 --year",
  "manual-journal create --narration x --date 2026-03-01 --reverse-on 2026-04-01 --line account=445,debit=1 --line account=835,credit=1",
  "manual-journal create --narration x --date 2026-03-01 --over '3 months' --line account=445,amount=9",
  "export assets",
  "export bank-rules",
  "export bank-statements",
  "status",
  "report aged-receivables",
  "report aged-payables",
  "report cash-flow",
  "report equity",
  "report sales",
  "report purchases",
  "report budget-variance",
  "report general-ledger",
  "report account-transactions 200",
  "report journal",
  "report bank-reconciliation 090",
  "report fixed-assets",
  "report tax-summary",
  "report tax-reconciliation",
  "report ec-sales",
  "report statement Acme",
  "report statement Acme --pdf",
  "report statement --all --email --yes",
  "report vat",
  "report gst-hst",
  "report gst-f5",
  "report vat201",
  "report ust-va",
  "report ca3",
];

describe("a service that has only the public API", () => {
  test.each(lines)(
    "acct %s is refused as an extension that the service does not have",
    async (line) => {
      const { code, stdout, stderr } = await there(line);
      expect(asked).not.toEqual([]);
      expect(stderr).toMatch(/an extension of acct's own service/);
      expect([5, 3]).toContain(code);
      expect(stdout).toBe("");
    },
  );

  test("imports of records unknown to the public API are refused before any request", async () => {
    const ofx = file("a.csv", "Date,Amount,Payee\n2026-03-05,10.00,Moa\n");
    const { stderr } = await there(`bank import ${ofx} --account 090`);
    expect(stderr).toMatch(/an extension of acct's own service/);
  });

  test("every report command is either tested here as an extension, or part of the public API", async () => {
    const tree = await wholeTree();
    const reports = [...walk(tree)]
      .map(({ path }) => path.join(" "))
      .filter((path) => path.startsWith("report "));
    const told = reports.filter((path) => !lines.some((line) => `${line} `.startsWith(`${path} `)));
    expect(told.sort()).toEqual([
      "report 1099",
      "report 1099-boxes",
      "report balance-sheet",
      "report bank-summary",
      "report bas",
      "report budget-summary",
      "report executive-summary",
      "report gst",
      "report list",
      "report pl",
      "report show",
      "report trial-balance",
    ]);
  });
});
