/** Repeating invoices: templates, and what they bring forth when it is due. */
import { describe, expect, test } from "vitest";
import { UnavailableError } from "../../../src/resources/errors.ts";
import { changeBook, openBook } from "../../../src/service/books/book.ts";
import { contact, faultsIn, type Json, movements, type World, world } from "../fixture.ts";

const line = { Description: "Rent of [Month]", Quantity: 1, UnitAmount: 400, AccountCode: "200" };

const monthly = {
  Period: 1,
  Unit: "MONTHLY",
  DueDate: 20,
  DueDateType: "OFFOLLOWINGMONTH",
  StartDate: "2026-03-31",
};

const dayMs = 24 * 60 * 60_000;

async function wanted(given: World, fields: object = {}): Promise<object> {
  const { ContactID } = await contact(given, { EmailAddress: "buyer@pipi.example" });
  return {
    Type: "ACCREC",
    Contact: { ContactID },
    Status: "AUTHORISED",
    Reference: "Rent [Month] [Year]",
    LineItems: [line],
    Schedule: monthly,
    ...fields,
  };
}

async function template(given: World, fields: object = {}): Promise<Json> {
  const answer = await given.ok("PUT", "/RepeatingInvoices", await wanted(given, fields));
  return answer.RepeatingInvoices[0];
}

const refusedTemplate = async (given: World, fields: object) =>
  given.refused("PUT", "/RepeatingInvoices", await wanted(given, fields));

async function read(given: World, { RepeatingInvoiceID }: Json): Promise<Json> {
  const answer = await given.ok("GET", `/RepeatingInvoices/${RepeatingInvoiceID}`);
  return answer.RepeatingInvoices[0];
}

const edited = async (given: World, { RepeatingInvoiceID }: Json, fields: object) =>
  (await given.ok("POST", `/RepeatingInvoices/${RepeatingInvoiceID}`, fields)).RepeatingInvoices[0];

async function run(given: World): Promise<Json[]> {
  return (await given.ok("POST", "/RepeatingInvoices/Run", {})).RepeatingInvoiceRuns;
}

/** Moves the clock to noon of a day in Auckland. */
function goTo(given: World, day: string): void {
  given.now = Date.parse(`${day}T00:00:00Z`);
}

/** The invoices of a template by their dates, whole. */
async function madeBy(given: World, { RepeatingInvoiceID }: Json): Promise<Json[]> {
  const query = {
    where: `RepeatingInvoiceID==guid("${RepeatingInvoiceID}")`,
    page: "1",
    order: "Date",
  };
  return (await given.ok("GET", "/Invoices", undefined, { query })).Invoices;
}

async function histories(given: World, path: string): Promise<string[]> {
  const { HistoryRecords } = await given.ok("GET", `${path}/History`);
  return HistoryRecords.map(({ Changes, Details }: Json) => `${Changes}: ${Details}`);
}

describe("templates of repeating invoices", () => {
  test("templates of repeating invoices are stored as sent, with totals, next date and id in two fields", async () => {
    const given = await world();
    const made = await template(given);
    expect(made).toMatchObject({
      Type: "ACCREC",
      Status: "AUTHORISED",
      Reference: "Rent [Month] [Year]",
      SubTotal: 400,
      TotalTax: 60,
      Total: 460,
      CurrencyCode: "NZD",
      HasAttachments: false,
      ApprovedForSending: false,
      Schedule: { Period: 1, Unit: "MONTHLY", DueDate: 20, DueDateType: "OFFOLLOWINGMONTH" },
    });
    expect(made.ID).toBe(made.RepeatingInvoiceID);
    expect(made.Schedule.NextScheduledDate).toBe(made.Schedule.StartDate);
    const held = await read(given, made);
    expect(held).toMatchObject({ ID: made.ID, Total: 460, Schedule: made.Schedule });
    expect(held.LineItems).toHaveLength(1);
    expect(held.Contact.EmailAddress).toBe("buyer@pipi.example");
  });

  test("templates of repeating invoices are listed with their lines, filtered by where and ordered", async () => {
    const given = await world();
    await template(given, { Reference: "B", Status: "DRAFT" });
    await template(given, { Reference: "A" });
    const all = await given.ok("GET", "/RepeatingInvoices", undefined, {
      query: { order: "Reference" },
    });
    expect(all.RepeatingInvoices.map((each: Json) => each.Reference)).toEqual(["A", "B"]);
    expect(all.RepeatingInvoices[0].LineItems).toHaveLength(1);
    const some = await given.ok("GET", "/RepeatingInvoices", undefined, {
      query: { where: 'Status=="DRAFT"' },
    });
    expect(some.RepeatingInvoices.map((each: Json) => each.Reference)).toEqual(["B"]);
  });

  test("templates of repeating invoices are read and written as XML", async () => {
    const given = await world();
    const made = await template(given);
    const answer = await given.ask("GET", `/RepeatingInvoices/${made.ID}`, undefined, {
      headers: { accept: "application/xml" },
    });
    expect(answer.text).toContain("<RepeatingInvoices><RepeatingInvoice>");
    expect(answer.text).toContain("<Schedule><Period>1</Period><Unit>MONTHLY</Unit>");
  });

  test.each<[string, object, string]>([
    [
      "the type of a bill",
      { Type: "ACCPAY" },
      "Only repeating invoices of type ACCREC can be created.",
    ],
    ["no schedule", { Schedule: undefined }, "A repeating invoice needs a Schedule."],
    ["an empty schedule", { Schedule: null }, "A repeating invoice needs a Schedule."],
    [
      "no contact",
      { Contact: undefined },
      "A Contact must be specified for this type of transaction",
    ],
    ["no lines", { LineItems: [] }, "One or more line items must be specified"],
    [
      "no account in what is to be approved",
      { LineItems: [{ Description: "x", UnitAmount: 1 }] },
      "Account code or ID must be specified",
    ],
    [
      "a status that a new one may not have",
      { Status: "DELETED" },
      "Repeating invoice not of valid status for creation",
    ],
    [
      "no day of a month",
      { Schedule: { ...monthly, DueDate: 32 } },
      "Schedule.DueDate must be a day of the month, 1 to 31, with OFFOLLOWINGMONTH.",
    ],
    [
      "an end before the start",
      { Schedule: { ...monthly, EndDate: "2026-03-30" } },
      "The schedule has no date: its EndDate is before the first one.",
    ],
    [
      "years of weeks to catch up",
      { Schedule: { ...monthly, Unit: "WEEKLY", StartDate: "2010-01-01" } },
      "More than 366 invoices would be due at once; let the schedule begin later.",
    ],
    ["no period", { Schedule: { ...monthly, Period: undefined } }, "Schedule.Period is required."],
    ["a period of zero", { Schedule: { ...monthly, Period: 0 } }, "Schedule.Period must"],
    [
      "no start",
      { Schedule: { ...monthly, StartDate: undefined } },
      "Schedule.StartDate is required.",
    ],
  ])("a template of repeating invoices is refused with %s", async (_, fields, sentence) => {
    const given = await world();
    expect((await refusedTemplate(given, fields)).join(" ")).toContain(sentence);
    expect((await given.ok("GET", "/RepeatingInvoices")).RepeatingInvoices).toEqual([]);
  });

  test("with SummarizeErrors=false the valid invoice templates of a batch are stored", async () => {
    const given = await world();
    const batch = [await wanted(given), await wanted(given, { Type: "ACCPAY" })];
    const { RepeatingInvoices } = await given.ok("PUT", "/RepeatingInvoices", batch, {
      query: { SummarizeErrors: "false" },
    });
    expect(RepeatingInvoices.map((each: Json) => each.StatusAttributeString)).toEqual([
      "OK",
      "ERROR",
    ]);
  });

  test("an edit of an invoice template keeps fields not sent, and the status DELETED deletes it", async () => {
    const given = await world();
    const made = await template(given);
    const after = await edited(given, made, { Schedule: { Period: 3 }, SendCopy: true });
    expect(after).toMatchObject({
      SendCopy: true,
      Total: 460,
      Schedule: { Period: 3, Unit: "MONTHLY", DueDate: 20 },
    });
    const gone = await edited(given, made, { Status: "DELETED" });
    expect(gone.Status).toBe("DELETED");
    const path = `/RepeatingInvoices/${made.ID}`;
    expect(await given.refused("POST", path, { Status: "DRAFT" })).toEqual([
      "Repeating invoice not of valid status for modification",
    ]);
    goTo(given, "2026-12-31");
    expect(await run(given)).toEqual([]);
    expect(await histories(given, path)).toEqual([
      "Deleted: Repeating invoice Rent [Month] [Year] was deleted.",
      "Edited: Repeating invoice Rent [Month] [Year] was edited. It makes approved invoices.",
      "Created: Repeating invoice Rent [Month] [Year] was created. It makes approved invoices.",
    ]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("an invoice template posts nothing, and no amount is due on it", async () => {
    const given = await world();
    await template(given);
    expect(await movements(given)).toEqual({ Total: 0 });
    expect(await faultsIn(given)).toEqual([]);
  });
});

describe("generation of due invoices", () => {
  test("for a year of due dates, each repeating invoice is generated once, dated its own day", async () => {
    const given = await world();
    const made = await template(given);
    let count = 0;
    const start = Date.parse("2026-03-01T00:00:00Z");
    for (let day = 0; day < 365; day += 5) {
      given.now = start + day * dayMs;
      count += (await run(given)).length;
      if (day % 25 === 0) expect(await run(given)).toEqual([]);
    }
    expect(count).toBe(11);
    const invoices = await madeBy(given, made);
    expect(invoices.map((each) => each.DateString.slice(0, 10))).toEqual([
      "2026-03-31",
      "2026-04-30",
      "2026-05-31",
      "2026-06-30",
      "2026-07-31",
      "2026-08-31",
      "2026-09-30",
      "2026-10-31",
      "2026-11-30",
      "2026-12-31",
      "2027-01-31",
    ]);
    expect(invoices[1]).toMatchObject({
      InvoiceNumber: "INV-0002",
      Reference: "Rent April 2026",
      Status: "AUTHORISED",
      Total: 460,
      AmountDue: 460,
      SentToContact: false,
      RepeatingInvoiceID: made.ID,
    });
    expect(invoices[1].DueDateString).toContain("2026-05-20");
    expect(invoices[1].LineItems[0]).toMatchObject({
      Description: "Rent of April",
      LineAmount: 400,
    });
    expect(await read(given, made)).toMatchObject({ Reference: "Rent [Month] [Year]" });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("missed repeating invoices are generated later, ordered by date over all templates", async () => {
    const given = await world();
    await template(given, { Reference: "M" });
    await template(given, {
      Reference: "W",
      Schedule: { ...monthly, Unit: "WEEKLY", Period: 3, StartDate: "2026-03-20" },
    });
    goTo(given, "2026-05-10");
    const runs = await run(given);
    expect(runs.map((each) => `${each.DateString?.slice(0, 10)} ${each.InvoiceNumber}`)).toEqual([
      "2026-03-20 INV-0001",
      "2026-03-31 INV-0002",
      "2026-04-10 INV-0003",
      "2026-04-30 INV-0004",
      "2026-05-01 INV-0005",
    ]);
    expect(await run(given)).toEqual([]);
  });

  test("a template with the status DRAFT generates drafts, which post nothing", async () => {
    const given = await world();
    const made = await template(given, { Status: "DRAFT" });
    goTo(given, "2026-03-31");
    expect(await run(given)).toMatchObject([{ Status: "DRAFT", RepeatingInvoiceID: made.ID }]);
    expect(await movements(given)).toEqual({ Total: 0 });
  });

  test("repeating invoices are generated on the day in the organisation's time zone", async () => {
    const given = await world();
    await template(given);
    // It is the 31st in Auckland from 11:00 of the 30th UTC.
    given.now = Date.parse("2026-03-30T10:59:00Z");
    expect(await run(given)).toEqual([]);
    given.now = Date.parse("2026-03-30T11:01:00Z");
    expect(await run(given)).toHaveLength(1);
  });

  test("no invoice is generated after the end date of a template", async () => {
    const given = await world();
    const made = await template(given, { Schedule: { ...monthly, EndDate: "2026-05-31" } });
    goTo(given, "2026-12-31");
    expect(await run(given)).toHaveLength(3);
    expect((await read(given, made)).Schedule.NextScheduledDate).toBeUndefined();
    // Made longer, it goes on where it ended.
    const longer = await edited(given, made, { Schedule: { EndDate: "2026-07-31" } });
    expect(longer.Schedule.NextScheduledDate).toContain(String(Date.parse("2026-06-30")));
    expect(await run(given)).toHaveLength(2);
  });

  test("a changed schedule of a template does not generate an invoice twice", async () => {
    const given = await world();
    const made = await template(given);
    goTo(given, "2026-04-30");
    expect(await run(given)).toHaveLength(2);
    await edited(given, made, { Schedule: { StartDate: "2026-03-01", Unit: "WEEKLY" } });
    goTo(given, "2026-05-10");
    const runs = await run(given);
    expect(runs.map((each) => each.DateString.slice(0, 10))).toEqual(["2026-05-03", "2026-05-10"]);
  });

  test("a generated invoice has the tax rate in force on the day of generation", async () => {
    const given = await world();
    const { TaxRates } = await given.ok("PUT", "/TaxRates", {
      Name: "City",
      ReportTaxType: "OUTPUT",
      TaxComponents: [{ Name: "City", Rate: 10 }],
    });
    const { TaxType } = TaxRates[0];
    const made = await template(given, { LineItems: [{ ...line, TaxType }] });
    expect(made.TotalTax).toBe(40);
    await given.ok("POST", "/TaxRates", {
      Name: "City",
      TaxType,
      TaxComponents: [{ Name: "City", Rate: 20 }],
    });
    goTo(given, "2026-03-31");
    await run(given);
    expect((await madeBy(given, made))[0].TotalTax).toBe(80);
  });

  test("simultaneous processes generate each repeating invoice once", async () => {
    const given = await world();
    const made = await template(given, { ApprovedForSending: true, IncludePDF: true });
    goTo(given, "2026-08-31");
    const clock = () => given.now;
    const others = await Promise.all(
      [1, 2].map(() =>
        openBook(given.book.path, { clock, mailer: async (m) => void given.mail.push(m) }),
      ),
    );
    const request = {
      method: "POST",
      path: "/RepeatingInvoices/Run",
      query: [],
      headers: { accept: "application/json" },
    } as const;
    const answers = await Promise.all([
      run(given),
      ...others.map((each) => each.transport(request)),
    ]);
    expect(answers.slice(1).map((each) => (each as { status: number }).status)).toEqual([200, 200]);
    for (const other of others) await other.close();
    const invoices = await madeBy(given, made);
    expect(invoices).toHaveLength(6);
    expect(new Set(invoices.map((each) => each.Date)).size).toBe(6);
    expect(given.mail).toHaveLength(6);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a dry run lists the repeating invoices that it would generate, and generates none", async () => {
    const given = await world();
    const made = await template(given, { ApprovedForSending: true });
    goTo(given, "2026-05-31");
    const headers = { "x-dry-run": "true" };
    const { RepeatingInvoiceRuns } = await given.ok(
      "POST",
      "/RepeatingInvoices/Run",
      {},
      { headers },
    );
    expect(RepeatingInvoiceRuns).toHaveLength(3);
    expect(await madeBy(given, made)).toEqual([]);
    expect(given.mail).toEqual([]);
    expect(await run(given)).toHaveLength(3);
  });

  test("a repeated request to generate invoices returns the first answer", async () => {
    const given = await world();
    await template(given, { ApprovedForSending: true });
    goTo(given, "2026-03-31");
    const headers = { "idempotency-key": "once" };
    const first = await given.ok("POST", "/RepeatingInvoices/Run", {}, { headers });
    await template(given);
    const second = await given.ok("POST", "/RepeatingInvoices/Run", {}, { headers });
    expect(first.RepeatingInvoiceRuns).toHaveLength(1);
    expect(second).toEqual(first);
    expect(given.mail).toHaveLength(1);
    // What is due since is made by the next that is none.
    expect(await run(given)).toHaveLength(1);
  });
});

describe("a generated invoice that is refused", () => {
  test("a generated invoice refused for lack of stock is stored as a draft with the reason", async () => {
    const given = await world();
    await given.ok("PUT", "/Items", {
      Code: "MUG",
      InventoryAssetAccountCode: "630",
      PurchaseDetails: { COGSAccountCode: "310" },
      SalesDetails: { UnitPrice: 9, AccountCode: "200" },
    });
    const made = await template(given, {
      LineItems: [{ ItemCode: "MUG", Description: "Mug", Quantity: 2 }],
    });
    goTo(given, "2026-03-31");
    const [only] = await run(given);
    expect(only).toMatchObject({ Status: "DRAFT" });
    expect(only.Message).toMatch(/MUG/);
    const [invoice] = await madeBy(given, made);
    expect(invoice).toMatchObject({ Status: "DRAFT", RepeatingInvoiceID: made.ID });
    expect((await histories(given, `/Invoices/${invoice.InvoiceID}`))[0]).toBe(
      `Kept as a draft: It was refused: ${only.Message}`,
    );
    expect(await run(given)).toEqual([]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a generated invoice on a locked date is stored as a draft dated today", async () => {
    const given = await world();
    const made = await template(given);
    await changeBook(given.book, { PeriodLockDate: "2026-04-30" });
    goTo(given, "2026-05-02");
    const runs = await run(given);
    expect(runs.map((each) => each.Status)).toEqual(["DRAFT", "DRAFT"]);
    expect(runs[0].Message).toContain("lock date");
    const invoices = await madeBy(given, made);
    expect(invoices.map((each) => each.DateString.slice(0, 10))).toEqual([
      "2026-05-02",
      "2026-05-02",
    ]);
    const [last] = await histories(given, `/Invoices/${invoices[0].InvoiceID}`);
    expect(last).toContain("It bears the date of today, since 2026-03-31 is closed.");
  });

  test("a template with an archived contact waits at its due date, and later generates every invoice missed", async () => {
    const given = await world();
    const made = await template(given);
    const { ContactID } = made.Contact;
    await given.ok("POST", `/Contacts/${ContactID}`, { ContactStatus: "ARCHIVED" });
    goTo(given, "2026-05-02");
    for (const _ of [1, 2]) {
      const runs = await run(given);
      expect(runs).toHaveLength(1);
      expect(runs[0].InvoiceID).toBeUndefined();
      expect(runs[0].Message).toMatch(/is archived/);
    }
    const path = `/RepeatingInvoices/${made.ID}`;
    const held = (await histories(given, path)).filter((each) => each.startsWith("Held"));
    expect(held).toHaveLength(1);
    // Somebody else takes the rooms over.
    const heir = await contact(given);
    await edited(given, made, { Contact: { ContactID: heir.ContactID } });
    expect((await run(given)).map((each) => each.Status)).toEqual(["AUTHORISED", "AUTHORISED"]);
    expect((await madeBy(given, made)).map((each) => each.DateString.slice(0, 10))).toEqual([
      "2026-03-31",
      "2026-04-30",
    ]);
  });

  test("a template that waits does not stop other templates from generating invoices", async () => {
    const given = await world();
    const held = await template(given);
    const free = await template(given);
    await given.ok("POST", `/Contacts/${held.Contact.ContactID}`, { ContactStatus: "ARCHIVED" });
    goTo(given, "2026-04-30");
    await run(given);
    expect(await madeBy(given, held)).toEqual([]);
    expect(await madeBy(given, free)).toHaveLength(2);
  });
});

describe("sending generated invoices", () => {
  test("each approved generated invoice is emailed once, with a PDF and a copy as its template says", async () => {
    const given = await world();
    const made = await template(given, {
      ApprovedForSending: true,
      IncludePDF: true,
      SendCopy: true,
    });
    goTo(given, "2026-04-30");
    const runs = await run(given);
    expect(runs.map((each) => each.SentToContact)).toEqual([true, true]);
    await run(given);
    expect(given.mail.map((each) => each.subject)).toEqual([
      "Invoice INV-0001 from Heron Lane Ltd",
      "Invoice INV-0002 from Heron Lane Ltd",
    ]);
    expect(given.mail[0]?.to).toEqual(["buyer@pipi.example", "tess@heron.example"]);
    expect(given.mail[0]?.attachments?.map((each) => each.type)).toEqual(["application/pdf"]);
    expect((await madeBy(given, made)).map((each) => each.SentToContact)).toEqual([true, true]);
  });

  test("PDF and copy of the email are left out if the template says so, and drafts are not emailed", async () => {
    const given = await world();
    await template(given, { ApprovedForSending: true });
    await template(given, { ApprovedForSending: true, Status: "DRAFT" });
    goTo(given, "2026-03-31");
    await run(given);
    expect(given.mail).toHaveLength(1);
    expect(given.mail[0]).toMatchObject({ to: ["buyer@pipi.example"], attachments: [] });
  });

  test("MarkAsSent marks a generated invoice as sent without emailing it", async () => {
    const given = await world();
    const made = await template(given, { MarkAsSent: true });
    goTo(given, "2026-03-31");
    await run(given);
    expect((await madeBy(given, made))[0].SentToContact).toBe(true);
    expect(given.mail).toEqual([]);
  });

  test("a generated invoice whose email fails stays approved and unsent, with the failure in its history", async () => {
    const mailer = async () => {
      throw new UnavailableError(
        "MailNotSent",
        "The mail server did not take the message; try again.",
      );
    };
    const given = await world("NZ", { mailer });
    const made = await template(given, { ApprovedForSending: true });
    goTo(given, "2026-03-31");
    const [only] = await run(given);
    expect(only).toMatchObject({ Status: "AUTHORISED", SentToContact: false });
    const [invoice] = await madeBy(given, made);
    expect(invoice).toMatchObject({ Status: "AUTHORISED", SentToContact: false });
    expect((await histories(given, `/Invoices/${invoice.InvoiceID}`))[0]).toBe(
      "Not sent: This invoice was to be emailed, but: The mail server did not take the message; try again.",
    );
    expect(await run(given)).toEqual([]);
  });

  test("an email left by a process killed while sending is sent by the next process", async () => {
    let isDown = true;
    const sent: string[] = [];
    const mailer = async ({ subject }: { subject: string }) => {
      if (isDown) throw new Error("killed");
      sent.push(subject);
    };
    const given = await world("NZ", { mailer });
    await template(given, { ApprovedForSending: true });
    goTo(given, "2026-03-31");
    expect((await given.ask("POST", "/RepeatingInvoices/Run", {})).status).toBe(500);
    isDown = false;
    // The other might still be at it; after its time is over it is not.
    await run(given);
    expect(sent).toEqual([]);
    given.now += 11 * 60_000;
    await run(given);
    await run(given);
    expect(sent).toEqual(["Invoice INV-0001 from Heron Lane Ltd"]);
  });
});
