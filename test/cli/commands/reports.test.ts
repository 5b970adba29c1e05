/** `acct report`: what it asks for, and how the answers of the service are shown. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { lineOf, records } from "../../client/service.ts";
import { acct } from "../line.ts";

const id = "7c1e0b2a-5d7e-4f1c-9a51-3f0f6f1f2a10";

/** The answers of a service, as it gave them in a test of its own. */
const kept = (name: string) =>
  `{"Reports":${readFileSync(new URL(`../../golden/reports/${name}.json`, import.meta.url), "utf8")}}`;

const service = {
  "GET /Contacts": records("Contacts", [{ ContactID: id, Name: "Moa Coffee" }]),
  [`GET /Contacts/${id}`]: records("Contacts", [{ ContactID: id, Name: "Moa Coffee" }]),
  "GET /Reports/AgedReceivablesByContact": kept("AgedReceivablesByContact"),
  "GET /Reports/AgedPayablesByContact": kept("AgedPayablesByContact"),
  "GET /Reports/BankSummary": kept("BankSummary"),
  "GET /Reports/BudgetSummary": kept("BudgetSummary"),
  "GET /Reports/ExecutiveSummary": kept("ExecutiveSummary"),
  "GET /Reports/GSTReturn": kept("GSTReturn"),
  "GET /Reports/SalesTaxReturn": kept("SalesTaxReturn"),
  "GET /Reports/VATReturn": kept("VATReturn"),
  "GET /Reports/TaxSummary": kept("TaxSummary"),
  "GET /Reports/GSTHSTReturn": kept("GSTReturn"),
  "GET /Reports/GSTF5": kept("GSTReturn"),
  "GET /Reports/VAT201": kept("GSTReturn"),
  "GET /Reports/UStVA": kept("GSTReturn"),
  "GET /Reports/CA3": kept("GSTReturn"),
  "GET /Reports/TenNinetyNine": kept("TenNinetyNine"),
  "GET /Reports": kept("Reports").replaceAll(/guid-\d/g, id),
  "PUT /Reports": kept("GSTReturn").replace('"ReportID": "GSTReturn"', `"ReportID": "${id}"`),
  [`GET /Reports/${id}`]: kept("GSTReturn"),
  "GET /Reports/TenNinetyNine/Boxes": records("Boxes", [
    { AccountID: id, AccountCode: "612", Name: "Consulting", Form: "NEC", Box: 1 },
  ]),
  "PUT /Reports/TenNinetyNine/Boxes": records("Boxes", []),
};

const asked = async (words: readonly string[]) => {
  const { code, stderr, asked: requests } = await acct(["report", ...words], service);
  expect([code, stderr]).toEqual([0, ""]);
  return requests.map((request) => `${lineOf(request)} ${request.body ?? ""}`.trim());
};

describe("the requests of report commands", () => {
  test.each<[string[], string]>([
    [["aged-receivables", id], `AgedReceivablesByContact?contactID=${id}`],
    [
      ["aged-payables", "Moa Coffee", "--date", "2026-03-31", "--from", "2026-01-01"],
      `AgedPayablesByContact?contactID=${id}&date=2026-03-31&fromDate=2026-01-01`,
    ],
    [
      ["aged-receivables", id, "--period", "2026-Q1"],
      `AgedReceivablesByContact?contactID=${id}&fromDate=2026-01-01&toDate=2026-03-31`,
    ],
    [["bank-summary"], "BankSummary"],
    [["bank", "--period", "2026-02"], "BankSummary?fromDate=2026-02-01&toDate=2026-02-28"],
    [["budget-summary"], "BudgetSummary"],
    [
      ["budget", "--date", "2026-04-01", "--periods", "4", "--timeframe", "quarter"],
      "BudgetSummary?date=2026-04-01&periods=4&timeframe=3",
    ],
    [["executive-summary", "--date", "yesterday"], "ExecutiveSummary?date=2026-03-04"],
    [["summary", "--period", "last-month"], "ExecutiveSummary?date=2026-02-28"],
    [["1099", "--year", "2025"], "TenNinetyNine?reportYear=2025"],
    [["1099"], "TenNinetyNine"],
    [
      ["gst", "--period", "2026-02", "--field", "9=1,000.50", "--field", "13=2"],
      "GSTReturn?9=1000.50&13=2.00&fromDate=2026-02-01&toDate=2026-02-28",
    ],
    [["bas", "--from", "2026-01-01"], "SalesTaxReturn?fromDate=2026-01-01"],
    [["vat", "--field", "4=10", "--detail"], "VATReturn?4=10.00&detail=true"],
    [["gst-hst"], "GSTHSTReturn"],
    [["tax-summary", "--detail"], "TaxSummary?detail=true"],
    [
      ["tax", "--period", "2026-02", "--payments-only"],
      "TaxSummary?fromDate=2026-02-01&toDate=2026-02-28&paymentsOnly=true",
    ],
    [["gst-f5", "--to", "2026-03-31"], "GSTF5?toDate=2026-03-31"],
    [["vat201"], "VAT201"],
    [["ust-va"], "UStVA"],
    [["ca3"], "CA3"],
    [["list"], "?handles=true"],
    [["show", id], id],
  ])("acct report %j requests the report with its parameters", async (words, path) => {
    const line = (await asked(words)).at(-1) ?? "";
    const [, address = "", query = ""] = /^GET \/Reports\/?([^?]*)\??(.*)$/.exec(line) ?? [];
    const [wanted = "", wantedQuery = ""] = path.split("?");
    expect(address).toBe(wanted);
    const isPlain = wanted === "";
    const sent = ["described=true", "layout=accountant"];
    const given = query.split("&").filter((each) => isPlain || !sent.includes(each));
    expect(given.sort()).toEqual(
      wantedQuery === "" && !isPlain ? [] : wantedQuery.split("&").sort(),
    );
    if (!isPlain) expect(query).toContain("described=true");
  });

  test("publishing a tax return sends its days and adjustments, and prints the stored return", async () => {
    const words = ["gst", "--period", "2026-03", "--field", "9=10", "--publish", "--yes"];
    const { code, stderr, asked: requests } = await acct(["report", ...words], service);
    expect([code, stderr]).toEqual([
      0,
      `It runs until 31 March 2026: what is booked later goes into the next return.\nPublished GST 1 Mar to 31 Mar 2026 as ${id}.\n`,
    ]);
    expect(requests.map((each) => `${lineOf(each)} ${each.body ?? ""}`.trim())).toEqual([
      "GET /Reports/GSTReturn?9=10.00&fromDate=2026-03-01&toDate=2026-03-31",
      "GET /Organisation",
      'PUT /Reports?handles=true {"Reports":[{"ReportType":"GSTReturn","FromDate":"2026-03-01","ToDate":"2026-03-31","OnlyPeriod":true,"Fields":[{"FieldID":"9","Value":"10.00"}]}]}',
      `GET /Reports/${id}?described=true&layout=accountant`,
    ]);
  });

  test("a dry run publishes no tax return, and shows the return", async () => {
    const words = ["report", "gst", "--period", "2026-03", "--publish", "--dry-run"];
    const { asked: requests } = await acct(words, service);
    expect(requests.map(lineOf)).toEqual([
      "GET /Reports/GSTReturn?fromDate=2026-03-01&toDate=2026-03-31",
      "GET /Organisation",
      "PUT /Reports?handles=true",
      "GET /Reports/GSTReturn?fromDate=2026-03-01&toDate=2026-03-31&described=true&layout=accountant",
    ]);
    expect(requests[2]?.headers["x-dry-run"]).toBe("true");
    const { asked: remote } = await acct(words, service, { remote: true });
    expect(remote.map(lineOf)).toEqual([
      "GET /Reports/GSTReturn?fromDate=2026-03-01&toDate=2026-03-31",
      "GET /Organisation",
      "GET /openapi.json",
      "GET /Reports/GSTReturn?fromDate=2026-03-01&toDate=2026-03-31&described=true&layout=accountant",
    ]);
  });

  test("the 1099 boxes of several accounts are set by one request, then listed", async () => {
    expect(await asked(["1099-boxes", "--map", "612=nec:1", "--unmap", "660"])).toEqual([
      'PUT /Reports/TenNinetyNine/Boxes {"Boxes":[{"AccountCode":"612","Form":"NEC","Box":1},{"AccountCode":"660","Form":"NONE"}]}',
      "GET /Reports/TenNinetyNine/Boxes",
    ]);
    expect(await asked(["1099-boxes"])).toEqual(["GET /Reports/TenNinetyNine/Boxes"]);
  });
});

test.each<[string[], string]>([
  [["aged-receivables", "--from", "2026-01-01"], "Aged Receivables takes no --from."],
  [["aged-payables", "Acme", "--by", "due"], "Aged Payables By Contact takes no --by."],
  [["gst", "--withdraw"], "Say why it is withdrawn: --reason TEXT."],
  [["gst", "--own-days"], "--own-days is of --publish"],
  [["vat", "--period", "2026-03", "--detail", "--publish"], "--detail"],
  [["gst", "--field", "9"], "BOX=AMOUNT"],
  [["bas", "--field", "W1=much"], "--field"],
  [["1099-boxes", "--map", "612=K:1"], "612=NEC:1"],
  [["budget-summary", "--periods", "13"], "--periods"],
  [["1099", "--year", "99"], "--year"],
  [["show"], "RETURN"],
])("acct report %j is refused before any request", async (words, part) => {
  const { code, stderr, asked: requests } = await acct(["report", ...words], service);
  expect(code).toBe(2);
  expect(stderr).toContain(part);
  expect(requests).toEqual([]);
});

describe("the output of reports", () => {
  test.each<[string, string[]]>([
    ["aged-receivables", [id]],
    ["aged-payables", [id]],
    ["bank-summary", []],
    ["budget-summary", []],
    ["executive-summary", []],
    ["gst", []],
    ["bas", []],
    ["vat", ["--detail"]],
    ["tax-summary", []],
    ["1099", []],
    ["1099-boxes", []],
    ["list", []],
  ])("the output of acct report %s matches the golden file", async (verb, words) => {
    const run = (...more: string[]) => acct(["report", verb, ...words, ...more], service);
    const shown = [(await run()).stdout, (await run("-o", "csv")).stdout].join("\n");
    await expect(shown).toMatchFileSnapshot(`../../golden/reports/${verb}.txt`);
    expect(JSON.parse((await run("-o", "json")).stdout)).toBeTruthy();
  });

  test("a tax return in XML is printed as the service sent it", async () => {
    const { stdout } = await acct(["report", "gst", "-o", "xml"], service);
    expect(stdout).toContain("<ReportField><FieldID>5</FieldID>");
    expect(stdout).toContain("<Value>1350.00</Value>");
  });
});
