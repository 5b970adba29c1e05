/** What each command asks of the service. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Answers, lineOf, records } from "../client/service.ts";
import { acct, type LineOptions } from "./line.ts";

const id = "1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11";
const contactId = "5f0c7a86-58a7-4e0f-8f39-2a9c6f6f1d01";
const acme = {
  ContactID: contactId,
  Name: "Acme",
  ContactStatus: "ACTIVE",
  EmailAddress: "a@acme.example",
};
const invoice = {
  Type: "ACCREC",
  InvoiceID: id,
  InvoiceNumber: "INV-0042",
  Contact: { ContactID: contactId, Name: "Acme", EmailAddress: "a@acme.example" },
  Date: "2026-03-01",
  Status: "AUTHORISED",
  Total: 115,
  AmountDue: 92.5,
  LineItems: [
    { LineItemID: contactId, Description: "Mug", Quantity: 2, UnitAmount: 50, LineAmount: 100 },
  ],
};
const lamp = {
  ItemID: id,
  Code: "LAMP",
  SalesDetails: { UnitPrice: 50, AccountCode: "200" },
  PurchaseDetails: { UnitPrice: 20 },
};
const account = { AccountID: id, Code: "260", Name: "Sundry", Type: "REVENUE", Status: "ACTIVE" };
const levy = { TaxType: "TAX001", Name: "Levy", TaxComponents: [{ Name: "Levy", Rate: 2.5 }] };
const region = {
  TrackingCategoryID: id,
  Name: "Region",
  Status: "ACTIVE",
  Options: [{ TrackingOptionID: contactId, Name: "North", Status: "ACTIVE" }],
};
const own = { OrganisationID: id, Name: "Blue Kiln", Timezone: "NEWZEALANDSTANDARDTIME" };

/** A service that has one of each, and takes whatever it is sent. */
const service: Answers = {
  "GET /Invoices": ({ query }) => {
    const where = query.find(([name]) => name === "where")?.[1] ?? "";
    const isHere = /INV-0042/.test(where) && !/ACCPAY/.test(where);
    return records("Invoices", isHere ? [invoice] : []);
  },
  [`GET /Invoices/${id}`]: records("Invoices", [invoice]),
  "PUT /Invoices": records("Invoices", [invoice]),
  [`POST /Invoices/${id}`]: records("Invoices", [invoice]),
  [`POST /Invoices/${id}/Email`]: { status: 204 },
  [`GET /Invoices/${id}/History`]: records("HistoryRecords", [{ Details: "Made" }]),
  [`PUT /Invoices/${id}/History`]: records("HistoryRecords", [{ Details: "Rang" }]),
  "GET /Contacts": records("Contacts", [acme]),
  [`GET /Contacts/${contactId}`]: records("Contacts", [acme]),
  "PUT /Contacts": records("Contacts", [acme]),
  [`POST /Contacts/${contactId}`]: records("Contacts", [acme]),
  "GET /CreditNotes": records("CreditNotes", []),
  "GET /Payments": records("Payments", []),
  "PUT /Payments": records("Payments", [{ PaymentID: id, Amount: 92.5 }]),
  [`GET /Payments/${id}`]: records("Payments", [{ PaymentID: id, Date: "2026-03-01" }]),
  [`POST /Payments/${id}`]: records("Payments", [{ PaymentID: id, Status: "DELETED" }]),
  "GET /Items": records("Items", [lamp]),
  "GET /Items/LAMP": records("Items", [lamp]),
  [`GET /Items/${id}`]: records("Items", [lamp]),
  "PUT /Items": records("Items", [lamp]),
  [`POST /Items/${id}`]: records("Items", [lamp]),
  [`DELETE /Items/${id}`]: { status: 204 },
  "GET /Accounts": records("Accounts", [account]),
  [`GET /Accounts/${id}`]: records("Accounts", [account]),
  "PUT /Accounts": records("Accounts", [account]),
  [`POST /Accounts/${id}`]: records("Accounts", [account]),
  [`DELETE /Accounts/${id}`]: records("Accounts", [{ ...account, Status: "DELETED" }]),
  "GET /TaxRates/TAX001": records("TaxRates", [levy]),
  "GET /TaxRates": records("TaxRates", [levy]),
  "PUT /TaxRates": records("TaxRates", [levy]),
  "POST /TaxRates": records("TaxRates", [levy]),
  "GET /TrackingCategories": records("TrackingCategories", [region]),
  [`GET /TrackingCategories/${id}`]: records("TrackingCategories", [region]),
  "PUT /TrackingCategories": records("TrackingCategories", [region]),
  [`PUT /TrackingCategories/${id}/Options`]: records("Options", region.Options),
  [`DELETE /TrackingCategories/${id}/Options/${contactId}`]: { status: 204 },
  "GET /Organisation": records("Organisations", [own]),
  "GET /Currencies": records("Currencies", [{ Code: "NZD" }]),
  "GET /Reports/ProfitAndLoss": JSON.stringify({
    Reports: [{ ReportID: "ProfitAndLoss", Rows: [] }],
  }),
  "GET /Reports/BalanceSheet": JSON.stringify({
    Reports: [{ ReportID: "BalanceSheet", Rows: [] }],
  }),
  "GET /Reports/TrialBalance": JSON.stringify({
    Reports: [{ ReportID: "TrialBalance", Rows: [] }],
  }),
};

/** The requests of a command that succeeds, bodies included. */
async function asked(words: readonly string[], options?: LineOptions): Promise<string[]> {
  const { code, stderr, asked: requests } = await acct(words, service, options);
  expect(stderr.replace(/^(Noted|Emailed|No ).*\n/, "")).toBe("");
  expect(code).toBe(0);
  return requests.map((request) => `${lineOf(request)} ${request.body ?? ""}`.trim());
}

const last = async (words: readonly string[]) =>
  // The currency of what is shown may be asked for after it.
  (await asked(words)).filter((line) => line !== "GET /Organisation").at(-1);

describe("list commands", () => {
  const page = "&page=1";
  test.each([
    ["invoice", [], 'where=Type=="ACCREC"&order=Date DESC'],
    ["bill", [], 'where=Type=="ACCPAY"&order=Date DESC'],
    ["invoice", ["--status", "authorised,Paid"], 'Statuses=AUTHORISED,PAID&where=Type=="ACCREC"'],
    ["invoice", ["--invoice-number", "A,B"], 'InvoiceNumbers=A,B&where=Type=="ACCREC"'],
    ["invoice", ["--reference", 'x "y"'], 'where=Type=="ACCREC" AND Reference=="x \\"y\\""'],
    ["invoice", ["--due-date", "..today"], "AND DueDate<=DateTime(2026,03,05)"],
    [
      "invoice",
      ["--due-date", "-7d..+7d"],
      "AND DueDate>=DateTime(2026,02,26) AND DueDate<=DateTime(2026,03,12)",
    ],
    ["invoice", ["--due-date", "2026-03-01"], "AND DueDate==DateTime(2026,03,01)"],
    ["invoice", ["--amount-due", "0.01.."], "AND AmountDue>=0.01"],
    [
      "invoice",
      ["--from", "2026-01-01", "--to", "today"],
      "AND Date>=DateTime(2026,01,01) AND Date<=DateTime(2026,03,05)",
    ],
    [
      "invoice",
      ["--period", "2026-Q1"],
      "AND Date>=DateTime(2026,01,01) AND Date<=DateTime(2026,03,31)",
    ],
    ["invoice", ["--where", "Total>1 OR Total<0"], 'where=(Total>1 OR Total<0) AND Type=="ACCREC"'],
    ["invoice", ["--search", "kiln", "--order", "Total"], "order=Total&searchTerm=kiln"],
    ["invoice", ["--currency-code", "nzd"], 'AND CurrencyCode=="NZD"'],
    ["contact", ["--status", "archived"], 'includeArchived=true&where=ContactStatus=="ARCHIVED"'],
    [
      "contact",
      ["--contact-status", "archived"],
      'includeArchived=true&where=ContactStatus=="ARCHIVED"',
    ],
    ["contact", ["--name", "A,B"], '(Name=="A" OR Name=="B")'],
    ["item", ["--no-is-sold"], "where=IsSold==false&order=Code ASC"],
    ["payment", ["--invoice", "INV-0042"], 'where=Invoice.InvoiceNumber=="INV-0042"'],
    ["payment", ["--account", id], `where=Account.AccountID==Guid("${id}")`],
    ["account", ["--type", "bank,current"], '(Type=="BANK" OR Type=="CURRENT")'],
    ["tax-rate", ["--tax-type", "OUTPUT"], "TaxType=OUTPUT&order=Name ASC"],
    ["tracking", [], "order=Name ASC"],
  ])("acct %s list %j sends the filters as a query", async (noun, flags, query) => {
    const line = await last([noun, "list", ...flags]);
    expect(line).toContain(query);
    expect(line?.includes(page)).toBe(["invoice", "bill", "contact", "payment"].includes(noun));
  });

  test("the contact of a filter is looked up first, and an unknown contact is refused", async () => {
    expect(await last(["invoice", "list", "--contact", "acme"])).toContain(
      `ContactIDs=${contactId}&`,
    );
    expect(await asked(["invoice", "list", "--contact", contactId, "-o", "csv"])).toHaveLength(1);
    const none = { ...service, "GET /Contacts": records("Contacts", []) };
    expect(await acct(["invoice", "list", "--contact", "Acem"], none)).toMatchObject({
      code: 3,
      stderr:
        "acct: There is no contact Acem. acct contact list --all shows them, acct contact create makes one.\n",
    });
  });

  test("a list filtered by financial year uses the year end of the organisation", async () => {
    const answers = {
      ...service,
      "GET /Organisation": records("Organisations", [
        { ...own, FinancialYearEndDay: 31, FinancialYearEndMonth: 3 },
      ]),
    };
    const { lines } = await acct(["bill", "list", "--period", "this-fy"], answers);
    expect(lines.at(-1)).toContain("Date>=DateTime(2025,04,01) AND Date<=DateTime(2026,03,31)");
  });

  const heading = async (words: readonly string[], answers: Answers) =>
    (await acct(["invoice", "list", ...words], { ...service, ...answers })).stdout.split("\n")[0];

  test.each<[string, object[], boolean]>([
    ["only the base currency", [{}, {}], false],
    ["two currencies", [{}, { CurrencyCode: "USD" }], true],
    ["only one foreign currency", [{ CurrencyCode: "USD", CurrencyRate: 0.61 }], true],
  ])("the currency is shown in a list only where it is needed: %s", async (_, changes, isShown) => {
    const each = { ...invoice, CurrencyCode: "NZD", CurrencyRate: 1 };
    const invoices = changes.map((change) => ({ ...each, ...change }));
    const columns = await heading([], { "GET /Invoices": records("Invoices", invoices) });
    expect(columns?.includes("CurrencyCode")).toBe(isShown);
  });

  test("a streamed list reads first whether the book has a second currency, if it may show the column", async () => {
    const currencies = async (...words: string[]) =>
      (await asked(words)).filter((line) => line.startsWith("GET /Currencies"));
    expect(await currencies("invoice", "list")).toEqual([]);
    expect(await currencies("invoice", "list", "--all")).toEqual(["GET /Currencies"]);
    expect(await currencies("invoice", "list", "--all", "-o", "json")).toEqual([]);
    expect(await currencies("invoice", "list", "--all", "--columns", "Total")).toEqual([]);
    expect(await currencies("invoice", "list", "--count")).toEqual([]);
    expect(await currencies("item", "list", "--all")).toEqual([]);
  });

  test("a streamed list shows the currency column to a user who is not permitted to read currencies", async () => {
    const one = { "GET /Invoices": records("Invoices", [invoice]) };
    expect(await heading(["--all"], one)).not.toContain("CurrencyCode");
    const refused = { status: 403, body: '{"Title":"Forbidden","Detail":"insufficient_scope"}' };
    expect(await heading(["--all"], { ...one, "GET /Currencies": refused })).toContain(
      "CurrencyCode",
    );
  });

  const live = "Statuses=DRAFT,SUBMITTED,AUTHORISED,PAID";
  test.each([
    ["invoice list", `GET /Invoices?${live}&where=Type=="ACCREC"&`],
    ["bill list --contact Acme", `&${live}&`],
    ["credit-note list", 'where=Status!="DELETED" AND Status!="VOIDED"&'],
    ["bank-transaction list", 'where=Status!="DELETED" AND Status!="VOIDED"&'],
    ["payment list", 'where=Status!="DELETED"&'],
    ["prepayment list", 'where=Status!="VOIDED"&'],
    ["manual-journal list", 'where=Status!="DELETED" AND Status!="VOIDED"&'],
    ["purchase-order list", "?Status=DRAFT,SUBMITTED,AUTHORISED,BILLED&"],
    ["quote list", "?Status=DRAFT,SENT,DECLINED,ACCEPTED,INVOICED&"],
  ])("acct %s leaves out deleted and void records by default", async (line, asks) => {
    const lists = async (...more: string[]) =>
      (await acct([...line.split(" "), ...more], service)).lines.at(-1);
    expect(await lists()).toContain(asks);
    expect(await lists("--any-status")).not.toContain("Status");
    expect(await lists("--status", line.startsWith("prep") ? "VOIDED" : "DELETED")).toMatch(
      /(Status(es)?=|Status==")(DELETED|VOIDED)/,
    );
  });

  test("a record shown by its number is shown whatever its status", async () => {
    const { lines } = await acct(["invoice", "list", "--invoice-number", "INV-0042"], service);
    expect(lines.at(-1)).not.toContain("Statuses");
  });

  test("--modified-since is sent as the header If-Modified-Since", async () => {
    const { asked: requests } = await acct(["item", "list", "--modified-since", "-1d"], service);
    expect(requests[0]?.headers["if-modified-since"]).toBe("2026-03-04T00:00:00");
  });
});

describe("the verbs of invoices and bills", () => {
  test("invoice create sends the lines, with the contact by its id", async () => {
    const words = [
      "invoice",
      "create",
      "--contact",
      "acme",
      "--due-date",
      "+20d",
      "--status",
      "authorised",
    ];
    const lines = [
      "--line",
      'description="Mug, blue",quantity=2,unit-amount=49.1234,account=200',
      "--line",
      "item=LAMP",
    ];
    expect(await last([...words, ...lines])).toBe(
      `PUT /Invoices?unitdp=4&handles=true {"Invoices":[{"Contact":{"ContactID":"${contactId}"},"DueDate":"2026-03-25",` +
        '"Status":"AUTHORISED","Type":"ACCREC","LineItems":[{"Description":"Mug, blue","Quantity":2,' +
        '"UnitAmount":49.1234,"AccountCode":"200"},{"ItemCode":"LAMP"}]}]}',
    );
  });

  test.each([
    ["the date given", ["create", "--date", "2026-01-10"], "2026-01-30"],
    ["today, where no date is given", ["create"], "2026-03-25"],
    ["the existing date of the document", ["update", "INV-0042"], "2026-03-21"],
    ["the date that it gets", ["update", "INV-0042", "--date", "2026-01-10"], "2026-01-30"],
  ])(
    "a due date given as a number of days counts from %s",
    async (_name, [verb = "", ...words], due) => {
      const created = verb === "create" ? ["--contact", contactId, "--line", "item=LAMP"] : [];
      const line = await last(["invoice", verb, ...words, "--due-date", "+20d", ...created]);
      expect(line).toContain(`"DueDate":"${due}"`);
    },
  );

  test("a due date given as tomorrow is counted from today, whatever the date of the document", async () => {
    const words = ["invoice", "update", "INV-0042", "--due-date", "tomorrow"];
    expect(await last(words)).toContain('"DueDate":"2026-03-06"');
  });

  test("a due date given as an invalid number of days is refused before any request", async () => {
    const { code, lines } = await acct(["invoice", "update", "INV-0042", "--due-date", "+20x"]);
    expect([code, lines]).toEqual([2, []]);
  });

  test.each([
    ["quote", "--expiry-date", "ExpiryDate"],
    ["purchase-order", "--delivery-date", "DeliveryDate"],
    ["bill", "--planned-payment-date", "PlannedPaymentDate"],
    ["invoice", "--expected-payment-date", "ExpectedPaymentDate"],
  ])(
    "the flag of a %s, %s, given as a number of days, counts from the date of the document",
    async (noun, flag, name) => {
      const line = ["--contact", contactId, "--line", "description=Mug,unit-amount=5"];
      const words = [noun, "create", ...line, "--date", "2026-01-10", flag, "+2w"];
      words.push("--allow-duplicate"); // None is there to be alike.
      const { asked: requests } = await acct(words, service);
      expect(requests.at(-1)?.body).toContain(`"${name}":"2026-01-24"`);
    },
  );

  test("a contact given by its name is read by one request", async () => {
    const words = ["invoice", "create", "--contact", "Acme", "--line", "item=LAMP"];
    const requests = await asked([...words, "--allow-duplicate"]);
    expect(requests.filter((line) => line.startsWith("GET /Contacts"))).toHaveLength(1);
  });

  test("bill create sends an invoice of type ACCPAY", async () => {
    const words = ["bill", "create", "--contact", contactId, "--line", "item=LAMP"];
    expect(await last(words)).toContain('"Type":"ACCPAY"');
  });

  test.each([
    [
      "JSON",
      `{"Invoices":[{"Contact":{"ContactID":"${contactId}"},"Reference":"x","LineItems":[{"Description":"Mug"}]}]}`,
    ],
    [
      "XML",
      `<Invoice><Contact><ContactID>${contactId}</ContactID></Contact><Reference>x</Reference><LineItems><LineItem><Description>Mug</Description></LineItem></LineItems></Invoice>`,
    ],
  ])(
    "invoice create takes a whole record as %s, and flags replace its fields",
    async (_name, text) => {
      const file = join(mkdtempSync(join(tmpdir(), "acct-")), "invoice");
      writeFileSync(file, text);
      const line = await last(["invoice", "create", "--file", file, "--reference", "PO 7"]);
      expect(line).toMatch(/^PUT \/Invoices\?unitdp=4&handles=true /);
      expect(JSON.parse(line?.replace(/^\S+ \S+ /, "") ?? "")).toEqual({
        Invoices: [
          {
            Type: "ACCREC",
            Contact: { ContactID: contactId },
            Reference: "PO 7",
            LineItems: [{ Description: "Mug" }],
          },
        ],
      });
    },
  );

  test("where a service has no trials, a file of several records is sent as one batch, and refused records are listed", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "acct-")), "items.json");
    writeFileSync(file, '{"Items":[{"Code":"A"},{"Code":"B"}]}');
    const refusal = {
      StatusAttributeString: "ERROR",
      ValidationErrors: [{ Message: "It is taken." }],
    };
    const answers = (second: object) => ({
      "PUT /Items": records("Items", [
        { ItemID: id, Code: "A", ...second },
        { Code: "B", ...refusal },
      ]),
    });
    const words = ["item", "create", "-f", file, "-o", "id"];
    const partly = await acct(words, answers({}), { remote: true });
    expect(partly).toMatchObject({
      code: 7,
      stdout: `${id}\n`,
      lines: ["GET /openapi.json", "PUT /Items?SummarizeErrors=false&unitdp=4"],
    });
    expect(partly.stderr).toBe("acct: 1 done, 1 item refused.\n  B: It is taken.\n");
    const none = await acct(words, answers(refusal), { remote: true });
    expect(none).toMatchObject({ code: 5, stdout: "" });
  });

  test.each([
    [["invoice", "create"], "A new invoice needs --contact, or --file with the whole record."],
    [["bill", "create", "--contact", "acme"], "A new bill needs at least one --line."],
    [["invoice", "create", "--interactive"], "--interactive needs a terminal"],
    [["invoice", "create", "--file", "/nowhere.json"], "There is no file /nowhere.json."],
    [["invoice", "create", "--status", "PAID"], "--status"],
    [["invoice", "update", "INV-0042"], "Nothing to change was given"],
    [["item", "create"], "A new item needs --code"],
    [["account", "create", "--code", "1"], "A new account needs --name and --type"],
    [["tax-rate", "create", "--name", "x"], "needs at least one --component"],
  ])("the command line %j is refused for a missing flag", async (words, message) => {
    const { code, stderr } = await acct(words, service);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test("invoice update sends only the given fields", async () => {
    expect(await last(["invoice", "update", "INV-0042", "--reference", ""])).toBe(
      `POST /Invoices/${id}?unitdp=4&handles=true {"Invoices":[{"Reference":""}]}`,
    );
    expect(await last(["invoice", "update", id, "--line", "description=Cup"])).toContain(
      '{"LineItems":[{"Description":"Cup"}]}',
    );
    const added = await last(["invoice", "update", id, "--add-line", "description=Cup"]);
    expect(added).toContain(`"LineItemID":"${contactId}","Description":"Mug"`);
    expect(added).toContain(',{"Description":"Cup"}]');
  });

  test.each([
    ["submit", "SUBMITTED"],
    ["approve", "AUTHORISED"],
    ["void", "VOIDED"],
    ["delete", "DELETED"],
  ])("the invoice verb %s sends the status %s", async (verb, status) => {
    expect(await last(["invoice", verb, "INV-0042", "--yes"])).toBe(
      `POST /Invoices/${id}?unitdp=4&handles=true {"Invoices":[{"Status":"${status}"}]}`,
    );
  });

  test.each([
    ["invoice", "void", "INV-0042"],
    ["invoice", "delete", "INV-0042"],
    ["payment", "reverse", id],
    ["item", "delete", "LAMP"],
    ["account", "delete", "260"],
    ["tax-rate", "delete", "TAX001"],
    ["tracking", "option", "remove", "Region", "North"],
  ])("acct %s %s needs a confirmation", async (...words) => {
    const { code, stderr, asked: requests } = await acct(words, service);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--yes")]);
    expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("where a service has no trials, a refused record does not stop the other records of the command", async () => {
    const other = "2f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11";
    const refused = JSON.stringify({ Message: "It is paid.", Type: "ValidationException" });
    const answers = {
      ...service,
      [`GET /Invoices/${other}`]: records("Invoices", [{ ...invoice, InvoiceID: other }]),
      [`POST /Invoices/${other}`]: { status: 400, body: refused },
    };
    const words = ["invoice", "approve", id, other, "-o", "id"];
    const ran = await acct(words, answers, { remote: true });
    expect(ran).toMatchObject({ code: 7, stdout: `${id}\n` });
    expect(ran.stderr).toBe(`acct: 1 done, 1 invoice refused.\n  ${other}: It is paid.\n`);
  });

  test("an invoice number given to acct bill is refused as not found, and the message names acct invoice", async () => {
    const answers = { ...service, "GET /Invoices/INV-0042": records("Invoices", [invoice]) };
    const { code, stderr } = await acct(["bill", "show", "INV-0042"], answers);
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining("it is an invoice: use acct invoice."),
    ]);
  });

  test("a number of two live documents is refused as ambiguous, and deleted documents do not count", async () => {
    const two = (status: string) => ({
      ...service,
      "GET /Invoices": records("Invoices", [
        { ...invoice, InvoiceID: contactId, Status: status },
        invoice,
      ]),
    });
    const ambiguous = await acct(["invoice", "show", "INV-0042"], two("DRAFT"));
    expect(ambiguous).toMatchObject({
      code: 5,
      stderr: expect.stringContaining(`${contactId} (invoice of Acme)`),
    });
    expect(await acct(["invoice", "show", "INV-0042", "-o", "id"], two("VOIDED"))).toMatchObject({
      code: 0,
      stdout: `${id}\n`,
    });
  });

  test("email, note and history commands send the request for their invoice", async () => {
    expect(await last(["invoice", "email", "INV-0042"])).toBe(
      `POST /Invoices/${id}/Email?handles=true {}`,
    );
    expect(await last(["invoice", "note", "INV-0042", "Rang"])).toBe(
      `PUT /Invoices/${id}/History {"HistoryRecords":[{"Details":"Rang"}]}`,
    );
    expect(await last(["invoice", "history", "INV-0042"])).toBe(`GET /Invoices/${id}/History`);
    expect(await last(["history", "list", "--on", "invoice:INV-0042"])).toBe(
      `GET /Invoices/${id}/History`,
    );
    expect(await last(["history", "add", "Rang", "--on", "invoice:INV-0042"])).toContain('"Rang"');
  });
});

test.each([
  [["--limit", "1", "--limit", "2"], "--limit"],
  [["--order", "Date", "--order=Total"], "--order"],
  [["-o", "table", "--output", "csv"], "--output"],
])("a flag given twice is refused with its name: %j", async (flags, name) => {
  const ran = await acct(["invoice", "list", ...flags], service);
  expect([ran.code, ran.stderr, ran.asked]).toEqual([
    2,
    `acct: ${name} is given several times; give it once.\n`,
    [],
  ]);
});

describe("an email with a message text", () => {
  const line = ["invoice", "email", "INV-0042", "--to", "ann@acme.example, b@acme.example"];
  const words = [...line, "--subject", "Your order"];

  test("an email with a message is sent unchanged to acct serve", async () => {
    const { asked, stderr } = await acct(words, service);
    expect(asked.at(-1)?.body).toBe(
      '{"Emails":[{"To":["ann@acme.example","b@acme.example"],"Subject":"Your order"}]}',
    );
    expect(stderr).toBe("Emailed INV-0042 to ann@acme.example, b@acme.example.\n");
  });

  test("an email with a message is not requested from another service, which would send its own text", async () => {
    const paths = { "/Invoices/{InvoiceID}/Email": { post: { requestBody: {} } } };
    for (const description of [{ status: 404 }, JSON.stringify({ paths })]) {
      const answers = { ...service, "GET /openapi.json": description };
      const ran = await acct(words, answers, { remote: true });
      expect([ran.code, ran.stderr]).toEqual([
        5,
        "acct: Choosing recipients or words is an extension of acct's own service, which this service does not have.\n",
      ]);
      expect(ran.lines.filter((each) => each.startsWith("POST"))).toEqual([]);
    }
  });

  test("an email written to the outbox, since the service has no mail server, is reported as not sent", async () => {
    const kept = { Status: "OUTBOX", To: ["ann@acme.example"], Cc: [], File: "x.eml" };
    const path = `POST /Invoices/${id}/Email`;
    const answers = { ...service, [path]: records("Emails", [kept]) };
    expect((await acct(["invoice", "email", "INV-0042"], answers)).stderr).toBe(
      "Written to the outbox, not sent: INV-0042 to ann@acme.example, as x.eml. " +
        "There is no mail server; ACCT_SMTP_URL names one.\n",
    );
  });

  test("an email with a message to an invalid address is refused before any request", async () => {
    const ran = await acct(["invoice", "email", "INV-0042", "--cc", "Ann"], service);
    expect([ran.code, ran.stderr, ran.asked]).toEqual([
      2,
      'acct: --cc takes email addresses; "Ann" is none.\n',
      [],
    ]);
  });
});

describe("a quote on a service without a link from quote to invoice", () => {
  const quoted = {
    QuoteID: id,
    QuoteNumber: "QU-1",
    Status: "ACCEPTED",
    Contact: { ContactID: contactId },
    CurrencyCode: "NZD",
    LineAmountTypes: "EXCLUSIVE",
    LineItems: [
      { LineItemID: id, Description: "Table", Quantity: 2, UnitAmount: 5, LineAmount: 10 },
      { LineItemID: contactId, Description: "Chair", Quantity: 4, UnitAmount: 5, LineAmount: 20 },
    ],
  };
  const answers: Answers = {
    ...service,
    "GET /Quotes/QU-1": records("Quotes", [quoted]),
    [`GET /Quotes/${id}`]: records("Quotes", [quoted]),
    [`POST /Quotes/${id}`]: records("Quotes", [{ ...quoted, Status: "INVOICED" }]),
  };
  const ran = (...words: string[]) =>
    acct(["quote", "invoice", "QU-1", ...words], answers, { remote: true });

  test("a quote is invoiced by one request and marked by a second one, with a note", async () => {
    const { code, asked, stderr } = await ran("--due-date", "2026-04-01");
    const writes = asked.filter(({ method }) => method !== "GET");
    expect(writes.map((each) => lineOf(each))).toEqual([
      "PUT /Invoices?unitdp=4&handles=true",
      `POST /Quotes/${id}?unitdp=4`,
    ]);
    expect(JSON.parse(writes[0]?.body ?? "").Invoices[0]).toMatchObject({
      Type: "ACCREC",
      Contact: { ContactID: contactId },
      Reference: "QU-1",
      DueDate: "2026-04-01",
      LineItems: [{ Description: "Table" }, { Description: "Chair" }],
    });
    expect(writes[1]?.body).toContain('"Status":"INVOICED"');
    expect([code, stderr]).toEqual([
      0,
      "This service does not link the two, nor remember what is billed: it was made by itself, and QU-1 marked as INVOICED.\n",
    ]);
  });

  test("a quote keeps its status when a part is invoiced", async () => {
    const { asked, stderr } = await ran("--line", "2=1");
    const writes = asked.filter(({ method }) => method !== "GET");
    expect(writes.map((each) => lineOf(each))).toEqual(["PUT /Invoices?unitdp=4&handles=true"]);
    expect(JSON.parse(writes[0]?.body ?? "").Invoices[0].LineItems).toEqual([
      { Description: "Chair", Quantity: 1, UnitAmount: 5 },
    ]);
    expect(stderr).toContain("QU-1 stays as it is.");
  });

  test("a dry run of invoicing a quote sends no write", async () => {
    const { asked, stderr } = await ran("--dry-run");
    expect(asked.every(({ method }) => method === "GET")).toBe(true);
    expect(stderr).toContain("it would be made by itself, and QU-1 marked as INVOICED.");
  });
});

describe("payments", () => {
  test("a payment without flags is of the amount due, and the service sets its date", async () => {
    // The service knows what day it is where the organisation is.
    expect(await last(["payment", "apply", "INV-0042", "--account", "090"])).toBe(
      `PUT /Payments?handles=true {"Payments":[{"Amount":92.50,"Account":{"Code":"090"},"Invoice":{"InvoiceID":"${id}"}}]}`,
    );
    const words = [
      "payment",
      "apply",
      id,
      "--account",
      id,
      "--amount",
      "0.1",
      "--date",
      "yesterday",
    ];
    expect(await last(words)).toBe(
      `PUT /Payments?handles=true {"Payments":[{"Amount":0.10,"Account":{"AccountID":"${id}"},"Date":"2026-03-04","Invoice":{"InvoiceID":"${id}"}}]}`,
    );
  });

  test.each(["1.005", "1,5", "ten", ""])(
    "a payment amount of %j is refused, and not rounded",
    async (amount) => {
      const { code, stderr } = await acct([
        "payment",
        "apply",
        "X",
        "--account",
        "090",
        "--amount",
        amount,
      ]);
      expect([code, stderr]).toEqual([2, expect.stringContaining("--amount")]);
    },
  );

  test("the reversal of a payment is sent as a POST of its status", async () => {
    expect(await last(["payment", "reverse", id, "--yes"])).toBe(
      `POST /Payments/${id}?handles=true {"Payments":[{"Status":"DELETED"}]}`,
    );
  });
});

describe("the verbs of the other nouns", () => {
  test.each([
    [
      [
        "item",
        "create",
        "--code",
        "A",
        "--unit-price",
        "9.99",
        "--sales-account",
        "200",
        "--cogs-account",
        "310",
        "--no-is-purchased",
      ],
      'PUT /Items?unitdp=4 {"Items":[{"Code":"A","IsPurchased":false,"SalesDetails":{"UnitPrice":9.99,"AccountCode":"200"},"PurchaseDetails":{"COGSAccountCode":"310"}}]}',
    ],
    [
      ["item", "update", "LAMP", "--unit-price", "55"],
      `POST /Items/${id}?unitdp=4 {"Items":[{"Code":"LAMP","SalesDetails":{"UnitPrice":55.00,"AccountCode":"200"}}]}`,
    ],
    [["item", "delete", "LAMP", "--yes"], `DELETE /Items/${id}?unitdp=4`],
    [
      [
        "contact",
        "create",
        "--name",
        "B",
        "--phone",
        "5550199",
        "--address",
        'street=1 Quay St,city="Hull, North"',
        "--sales-terms",
        "20 days",
        "--person",
        "first-name=Jo,email=jo@b.example,include=yes",
      ],
      'PUT /Contacts {"Contacts":[{"Name":"B","Phones":[{"PhoneType":"DEFAULT","PhoneNumber":"5550199"}],"Addresses":[{"AddressType":"STREET","AddressLine1":"1 Quay St","City":"Hull, North"}],"ContactPersons":[{"FirstName":"Jo","EmailAddress":"jo@b.example","IncludeInEmails":true}],"PaymentTerms":{"Sales":{"Day":20,"Type":"DAYSAFTERBILLDATE"}}}]}',
    ],
    [
      ["contact", "update", "Acme", "--email-address", ""],
      `POST /Contacts/${contactId} {"Contacts":[{"EmailAddress":""}]}`,
    ],
    [
      ["contact", "archive", "Acme"],
      `POST /Contacts/${contactId} {"Contacts":[{"ContactStatus":"ARCHIVED"}]}`,
    ],
    [
      [
        "account",
        "create",
        "--code",
        "091",
        "--name",
        "Savings",
        "--type",
        "bank",
        "--enable-payments-to-account",
      ],
      'PUT /Accounts {"Accounts":[{"Code":"091","Name":"Savings","Type":"BANK","EnablePaymentsToAccount":true}]}',
    ],
    [
      ["account", "update", "260", "--name", "Other"],
      `POST /Accounts/${id} {"Accounts":[{"Name":"Other"}]}`,
    ],
    [["account", "archive", "260"], `POST /Accounts/${id} {"Accounts":[{"Status":"ARCHIVED"}]}`],
    [["account", "delete", "260", "--yes"], `DELETE /Accounts/${id}`],
    [
      [
        "tax-rate",
        "create",
        "--name",
        "Eco",
        "--component",
        "name=Levy,rate=2.5%",
        "--component",
        'name="A, b",rate=1,compound=true',
      ],
      'PUT /TaxRates {"TaxRates":[{"Name":"Eco","TaxComponents":[{"Name":"Levy","Rate":2.5},{"Name":"A, b","Rate":1,"IsCompound":true}]}]}',
    ],
    [
      ["tax-rate", "update", "tax001", "--name", "Eco"],
      'POST /TaxRates {"TaxRates":[{"Name":"Eco","TaxComponents":[{"Name":"Levy","Rate":2.5}],"TaxType":"TAX001"}]}',
    ],
    [
      ["tax-rate", "delete", "TAX001", "--yes"],
      'POST /TaxRates {"TaxRates":[{"Name":"Levy","TaxComponents":[{"Name":"Levy","Rate":2.5}],"Status":"DELETED","TaxType":"TAX001"}]}',
    ],
    [
      ["tracking", "create", "--name", "Region", "--option", "North"],
      `PUT /TrackingCategories/${id}/Options {"Options":[{"Name":"North"}]}`,
    ],
    [
      ["tracking", "option", "add", "Region", "East"],
      `PUT /TrackingCategories/${id}/Options {"Options":[{"Name":"East"}]}`,
    ],
    [
      ["tracking", "option", "remove", "Region", "north", "--yes"],
      `DELETE /TrackingCategories/${id}/Options/${contactId}`,
    ],
    [["org", "show"], "GET /Organisation"],
  ])("the command %j sends its request", async (words, request) => {
    const { code, stderr, asked: requests } = await acct(words, service);
    expect([code, stderr.replace(/^(Deleted|North).*\n/, "")]).toEqual([0, ""]);
    const sent = requests.findLast(({ method }) => method !== "GET") ?? requests.at(-1);
    expect(`${sent && lineOf(sent)} ${sent?.body ?? ""}`.trim()).toBe(request);
  });

  test.each([
    [["pl"], "ProfitAndLoss"],
    [
      ["pl", "--period", "2026-02", "--periods", "2", "--timeframe", "quarter"],
      "ProfitAndLoss?fromDate=2026-02-01&toDate=2026-02-28&periods=2&timeframe=QUARTER",
    ],
    [
      ["pl", "--from", "2026-01-01", "--payments-only", "--standard-layout"],
      "ProfitAndLoss?fromDate=2026-01-01&toDate=2026-03-05&standardLayout=true&paymentsOnly=true",
    ],
    [["pl", "--tracking-category", "region"], `ProfitAndLoss?trackingCategoryID=${id}`],
    [
      ["pl", "--tracking-option", "north"],
      `ProfitAndLoss?trackingCategoryID=${id}&trackingOptionID=${contactId}`,
    ],
    [["balance-sheet", "--date", "2026-03-31"], "BalanceSheet?date=2026-03-31"],
    [
      ["bs", "--period", "2025", "--tracking-option", "North"],
      `BalanceSheet?date=2025-12-31&trackingOptionID1=${contactId}`,
    ],
    [["tb", "--date", "yesterday"], "TrialBalance?date=2026-03-04"],
  ])("acct report %j sends its parameters as a query", async (words, request) => {
    const exact = request.startsWith("BalanceSheet") ? "&exactDate=true" : "";
    const asked = request.includes("?") ? `${request}${exact}&` : `${request}?`;
    expect(await last(["report", ...words])).toBe(
      `GET /Reports/${asked}described=true&layout=accountant`,
    );
  });
});

describe("the --dry-run flag", () => {
  test("a dry run is sent to a service that can roll it back, and the result shows what would change", async () => {
    const answers = {
      ...service,
      [`POST /Invoices/${id}`]: records("Invoices", [
        { ...invoice, Status: "VOIDED", AmountDue: 0 },
      ]),
    };
    const ran = await acct(["invoice", "void", "INV-0042", "--dry-run"], answers);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toBe(
      "INV-0042 would change: Status AUTHORISED → VOIDED, AmountDue 92.50 → 0.00.\nDry run: nothing was changed.\n",
    );
    expect(ran.asked.at(-1)?.headers["x-dry-run"]).toBe("true");
  });

  test("a dry run sends only reads to a service that cannot roll it back", async () => {
    const words = ["item", "update", "LAMP", "--name", "Lamp", "--dry-run"];
    const ran = await acct(words, service, { remote: true });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("Name nothing → Lamp") });
    expect(ran.asked.every(({ method }) => method === "GET")).toBe(true);
  });
});

describe("an idempotency key", () => {
  const keysOf = async (words: readonly string[]) => {
    const { code, asked: requests } = await acct(words, service);
    expect(code).toBe(0);
    return requests.flatMap(({ method, headers }) =>
      method === "GET" ? [] : [[method, headers["idempotency-key"]]],
    );
  };

  test.each([
    ["payment apply INV-0042 --account 090", [["PUT", "k"]]],
    [
      "tracking create --name Region --option North --option South",
      [
        ["PUT", "k"],
        ["PUT", "k-1"],
        ["PUT", "k-2"],
      ],
    ],
    ["item delete LAMP --yes", [["DELETE", "k"]]],
    ["api POST /Items", [["POST", "k"]]],
  ])(
    "acct %s sends the given idempotency key, numbered for further requests",
    async (line, keys) => {
      const answers = { ...service, "POST /Items": records("Items", [lamp]) };
      const { asked: requests } = await acct(
        [...line.split(" "), "--idempotency-key", "k"],
        answers,
      );
      const sent = requests.filter(({ method }) => method !== "GET");
      expect(sent.map(({ method, headers }) => [method, headers["idempotency-key"]])).toEqual(keys);
    },
  );

  test.each(["with space", "é", "x".repeat(129)])(
    "the idempotency key %j is refused before any request",
    async (key) => {
      const words = ["contact", "create", "--name", "Acme", "--idempotency-key", key];
      const { code, stderr, lines } = await acct(words, service);
      expect([code, lines]).toEqual([2, []]);
      expect(stderr).toContain("--idempotency-key takes 1 to 128 letters, digits and signs");
    },
  );

  test("an idempotency key of 128 characters is sent", async () => {
    const key = "x".repeat(128);
    const words = ["contact", "create", "--name", "Acme", "--idempotency-key", key];
    expect(await keysOf(words)).toEqual([["PUT", key]]);
  });

  test.each([
    ["invoice list", "acct invoice list has no flag --idempotency-key"],
    ["api GET /Items", "A GET changes nothing"],
  ])("acct %s, which writes nothing, refuses an idempotency key", async (line, said) => {
    const ran = await acct([...line.split(" "), "--idempotency-key", "k"], service);
    expect([ran.code, ran.lines]).toEqual([2, []]);
    expect(ran.stderr).toContain(said);
  });
});

describe("acct api", () => {
  const page = (number: number) =>
    `{"pagination":{"page":${number},"pageSize":1,"pageCount":2,"itemCount":2},"Invoices":[{"InvoiceID":"${number}"}]}`;
  const answers: Answers = {
    ...service,
    "GET /Invoices": ({ query }) => ({
      body: page(Number(query.find(([name]) => name === "page")?.[1])),
      headers: { "content-type": "application/json" },
    }),
  };

  test("acct api sends any request, and prints the answer unchanged", async () => {
    const ran = await acct(
      ["api", "get", "Invoices?page=2", "-q", "where=A=B", "-H", "X-Y: z: 1"],
      answers,
    );
    expect(ran.stdout).toBe(`${page(2)}\n`);
    expect(ran.lines).toEqual(["GET /Invoices?page=2&where=A=B"]);
    expect(ran.asked[0]?.headers).toEqual({ accept: "application/json", "x-y": "z: 1" });
  });

  test("acct api percent-encodes characters that a URL cannot have, and nothing twice", async () => {
    const ran = await acct(["api", "GET", "/Items/A é%2F"], answers);
    expect(ran.lines).toEqual(["GET /Items/A%20%C3%A9%2F"]);
  });

  test("acct api reads all pages, one answer after the other", async () => {
    const ran = await acct(["api", "GET", "/Invoices", "--paginate"], answers);
    expect(ran.stdout).toBe(`${page(1)}\n${page(2)}\n`);
  });

  test("acct api sends one request for a list without pages", async () => {
    const ran = await acct(["api", "GET", "/Items", "--paginate"], answers);
    expect(ran.lines).toEqual(["GET /Items?page=1"]);
  });

  test("acct api sends the content type XML or JSON by the text of the body", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "acct-")), "body");
    writeFileSync(file, "\n<Item/>");
    const xml = await acct(["api", "PUT", "/Items", "--input", file, "-o", "xml"], answers);
    expect(xml.asked[0]?.headers).toEqual({
      accept: "application/xml",
      "content-type": "application/xml",
    });
  });

  test("acct api prints the service's refusal, and ends with the exit code of the refusal", async () => {
    const refusal = {
      status: 400,
      body: '{"Message":"No."}',
      headers: { "content-type": "application/json" },
    };
    const ran = await acct(["api", "PUT", "/Items", "-i"], { "PUT /Items": refusal });
    expect(ran).toMatchObject({
      code: 5,
      stdout: '400\ncontent-type: application/json\n\n{"Message":"No."}\n',
    });
    expect(ran.stderr).toContain("No.");
  });

  test("acct api --dry-run sends no write to a service without dry runs", async () => {
    const env = { ACCT_BASE_URL: "http://127.0.0.1:9/api" };
    const ran = await acct(["api", "DELETE", "/Items/LAMP", "--dry-run"], answers, {
      env,
      remote: true,
    });
    expect(ran).toMatchObject({
      code: 0,
      lines: ["GET /openapi.json"],
      stderr: "DELETE /Items/LAMP would be sent.\nDry run: nothing was changed.\n",
    });
  });
});

describe("a command with --base-url names the organisation", () => {
  const env = { ACCT_BASE_URL: "http://127.0.0.1:9/api" };
  test("a change on a service given by --base-url names the organisation and the address", async () => {
    const { stderr } = await acct(["contact", "archive", "Acme"], service, { env });
    expect(stderr).toBe("Changed Blue Kiln, at http://127.0.0.1:9/api.\n");
  });

  test("a read or dry run on a service given by --base-url does not name the organisation", async () => {
    expect((await acct(["contact", "show", "Acme"], service, { env })).stderr).toBe("");
    const dry = await acct(["contact", "archive", "Acme", "--dry-run"], service, { env });
    expect(dry.stderr).not.toContain("Blue Kiln");
  });
});
