/** What programs that speak to services of this shape rely on, beyond what the document says. */
import { expect } from "vitest";
import { AuthError } from "../../../src/resources/errors.ts";
import { usualLimits } from "../../../src/service/limits/limits.ts";
import { memoryLimits } from "../../../src/service/limits/memory-limits.ts";
import type { Json } from "../../service/fixture.ts";
import { otherCaller } from "../other.ts";
import { type Heading, row } from "../row.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };

/** Every value in a body of JSON, with its key. */
function valuesIn(value: Json, key = ""): [string, Json][] {
  if (typeof value !== "object" || value === null) return [[key, value]];
  return Object.entries(value).flatMap(([name, each]) =>
    valuesIn(each, Array.isArray(value) ? key : name),
  );
}

export const clients: Heading = {
  heading: "What clients rely on",
  rows: [
    row("creates are 200, deletes 200 or 204", async (desk) => {
      const made = await desk.ask("PUT", "/Items", { Code: "A" });
      const gone = await desk.ask("DELETE", `/Items/${made.records[0].ItemID}`);
      expect([made.status, gone.status]).toEqual([200, 204]);
    }),
    row("a form with the field xml is a body", async (desk) => {
      const body = `xml=${encodeURIComponent("<Item><Code>A &amp; B</Code></Item>")}`;
      const said = await desk.well("PUT", "/Items", body, { headers: form });
      expect(said.records[0].Code).toBe("A & B");
    }),
    row("a body of one format is answered in the other", async (desk) => {
      const body = "<Item><Code>A</Code></Item>";
      const said = await desk.well("PUT", "/Items", body, {
        headers: { "content-type": "text/xml" },
      });
      expect(said.headers["content-type"]).toContain(desk.type);
    }),
    row("Status of an answer is OK", async (desk) => {
      expect((await desk.ask("GET", "/Invoices")).body.Status).toBe("OK");
    }),
    row("401 and 403 are JSON with Detail", async (desk) => {
      const expired = new AuthError("TokenExpired", "token expired at 03/02/2026 21:14:07");
      const said = await otherCaller(desk, { who: expired })("/Items");
      expect(JSON.parse(said.text).Detail).toMatch(/^TokenExpired: /);
      const refused = await otherCaller(desk, { who: { reports: false } })("/Journals");
      expect(JSON.parse(refused.text).Detail).toMatch(/reporting role/);
    }),
    row("503 of a rate limit is form text, with advice and headers", async (desk) => {
      const limits = memoryLimits({ ...usualLimits, minute: 0 }, () => desk.given.now);
      const limiter = limits.of({ org: 1, OrganisationID: "1" });
      const said = await otherCaller(desk, { limiter })("/Items");
      const fields = new URLSearchParams(said.text);
      expect(fields.get("oauth_problem")).toBe("rate limit exceeded");
      expect(fields.get("oauth_problem_advice")).toMatch(/./);
      for (const name of ["x-minlimit-remaining", "x-daylimit-remaining"]) {
        expect(said.headers[name]).toMatch(/^\d+$/);
      }
    }),
    row("JSON has dates as /Date()/, no null, no empty id and no quoted number", async (desk) => {
      const { InvoiceID } = await desk.approved();
      const headers = { accept: "application/json" };
      const { text } = await desk.ask("GET", `/Invoices/${InvoiceID}`, undefined, { headers });
      for (const [key, value] of valuesIn(JSON.parse(text))) {
        expect([key, value]).not.toEqual([key, null]);
        if (/ID$|^Id$/.test(key)) expect([key, value]).toEqual([key, expect.stringMatching(/./)]);
        if (/Date$|DateUTC$/.test(key)) expect(value).toMatch(/^\/Date\(-?\d+\+0000\)\/$/);
        if (/^(Total|SubTotal|Amount|Quantity|UnitAmount)/.test(key))
          expect(value).toBeTypeOf("number");
      }
    }),
    row("keys are written as the schema has them, pagination alone in lower case", async (desk) => {
      const headers = { accept: "application/json" };
      const query = { page: "1" };
      const { text } = await desk.ask("GET", "/Invoices", undefined, { headers, query });
      const lower = Object.keys(JSON.parse(text)).filter((key) => /^[a-z]/.test(key));
      expect(lower).toEqual(["pagination"]);
    }),
    row("a rejected record has the zero id, HasErrors and its errors", async (desk) => {
      const query = { SummarizeErrors: "false" };
      const bad = await desk.sale({ LineItems: [] });
      const headers = { accept: "application/json" };
      const { text } = await desk.ask("PUT", "/Invoices", bad, { query, headers });
      expect(JSON.parse(text).Invoices[0]).toMatchObject({
        InvoiceID: "00000000-0000-0000-0000-000000000000",
        HasErrors: true,
        StatusAttributeString: "ERROR",
        ValidationErrors: [{ Message: expect.any(String), Rule: expect.any(String) }],
      });
    }),
    row("the root has no children but the header, pagination and the list", async (desk) => {
      const { body } = await desk.ask("GET", "/Accounts", undefined, { query: { page: "1" } });
      const known = ["Id", "Status", "ProviderName", "DateTimeUTC", "pagination", "Accounts"];
      expect(known).toEqual(expect.arrayContaining(Object.keys(body)));
    }),
    row("paths in any letter case, with a slash at the end, with /pdf", async (desk) => {
      const { InvoiceID } = await desk.approved();
      for (const path of [`/invoices/${InvoiceID}/`, `/INVOICES/${InvoiceID.toUpperCase()}`]) {
        expect((await desk.one(path)).InvoiceID).toBe(InvoiceID);
      }
      const said = await desk.ask("GET", `/Invoices/${InvoiceID}/pdf`);
      expect(said.headers["content-type"]).toBe("application/pdf");
    }),
    row("the tenant header may be empty, in any letter case", async (desk) => {
      const headers = { "xero-tenant-id": "" };
      expect((await desk.ask("GET", "/Items", undefined, { headers })).status).toBe(200);
    }),
    row("If-Modified-Since as ISO text, as RFC 1123 or in quotes", async (desk) => {
      await desk.invoice();
      for (const since of [
        "2026-02-01T00:00:00",
        "2026-02-01T00:00:00.000Z",
        "Sun, 01 Feb 2026 00:00:00 GMT",
        '"2026-02-01T00:00:00Z"',
      ]) {
        const headers = { "if-modified-since": since };
        const said = await desk.well("GET", "/Invoices", undefined, { headers });
        expect([since, said.records.length]).toEqual([since, 1]);
      }
    }),
    row("unitdp is 4 or means 2, whatever it is", async (desk) => {
      const query = { unitdp: "4" };
      const LineItems = [desk.line({ UnitAmount: "1.2345" })];
      const { InvoiceID } = await desk.put("/Invoices", await desk.sale({ LineItems }), query);
      for (const [unitdp, shown] of [
        ["0", "1.23"],
        ["1", "1.23"],
        ["3", "1.23"],
        ["four", "1.23"],
        ["4", "1.2345"],
      ] as const) {
        const [line] = (await desk.one(`/Invoices/${InvoiceID}`, { unitdp })).LineItems;
        expect([unitdp, line.UnitAmount]).toEqual([unitdp, shown]);
      }
    }),
    ...["PurchaseOrders", "Quotes", "Invoices"].map((name) =>
      row(`page 0 of ${name} is the first`, async (desk) => {
        const { body } = await desk.ask("GET", `/${name}`, undefined, { query: { page: "0" } });
        expect(body.pagination).toMatchObject({ page: "1", itemCount: "0" });
      }),
    ),
    row("a date of a query with one digit for the month or the day", async (desk) => {
      for (const day of ["2026-01-02", "2026-03-04"]) await desk.order({ Date: day });
      const orders = await desk.read("/PurchaseOrders", { DateFrom: "2026-1-3" });
      expect(orders.map((each) => each.Date)).toEqual(["2026-03-04"]);
      const queries: Readonly<Record<string, readonly string[]>> = {
        "/Quotes": ["DateFrom", "DateTo", "ExpiryDateFrom", "ExpiryDateTo"],
        "/Budgets": ["DateFrom", "DateTo"],
        "/Reports/ProfitAndLoss": ["fromDate", "toDate"],
        "/Reports/BalanceSheet": ["date"],
        "/Reports/TrialBalance": ["date"],
        "/Reports/BudgetSummary": ["date"],
        "/Reports/BankSummary": ["fromDate", "toDate"],
      };
      for (const [path, names] of Object.entries(queries)) {
        const query = Object.fromEntries(names.map((name) => [name, "2026-1-1"]));
        await desk.well("GET", path, undefined, { query });
        for (const name of names) {
          const said = await desk.refused("GET", path, undefined, {
            query: { [name]: "2026-2-30" },
          });
          expect([path, said]).toEqual([path, expect.stringContaining("'2026-2-30'")]);
        }
      }
    }),
    row("phones and addresses without a type are DEFAULT and POBOX", async (desk) => {
      const made = await desk.contact({
        Phones: [{ PhoneNumber: "5550101" }],
        Addresses: [{ City: "Nelson" }],
      });
      const { ContactID } = made;
      const of = async () => {
        const { Phones, Addresses } = await desk.one(`/Contacts/${ContactID}`);
        const filled = [...Addresses, ...Phones].filter((each) => Object.keys(each).length > 1);
        return filled.map((each: Json) => Object.values(each).join(" "));
      };
      expect(await of()).toEqual(["POBOX Nelson", "DEFAULT 5550101"]);
      const Phones = [{ PhoneAreaCode: "03" }, { PhoneType: "MOBILE", PhoneNumber: "5550102" }];
      await desk.post(`/Contacts/${ContactID}`, { Phones, Addresses: [{ Country: "NZ" }] });
      expect(await of()).toEqual(["POBOX Nelson NZ", "DEFAULT 5550101 03", "MOBILE 5550102"]);
      const two = [{ PhoneNumber: "5550103" }, { PhoneType: "DEFAULT", PhoneNumber: "5550104" }];
      const said = await desk.refused("POST", `/Contacts/${ContactID}`, { Phones: two });
      expect(said).toContain(
        "Phone 1: PhoneType is required where another Phone is the DEFAULT one.",
      );
    }),
    row("a supplier's credit note needs no number", async (desk) => {
      const made = await desk.put("/CreditNotes", {
        ...(await desk.bill({ Type: "ACCPAYCREDIT" })),
        Status: "AUTHORISED",
      });
      expect(made).toMatchObject({ Type: "ACCPAYCREDIT", Status: "AUTHORISED" });
      const answered = await desk.ask("GET", `/CreditNotes/${made.CreditNoteID}`);
      const number = desk.format === "JSON" ? '"CreditNoteNumber":""' : "<CreditNoteID>";
      expect(answered.text).toContain(number);
      expect(answered.text).not.toContain("<CreditNoteNumber");
    }),
    row("a bill without a number has an empty one in JSON", async (desk) => {
      await desk.put("/Invoices", await desk.bill());
      for (const query of [undefined, { page: "1" }]) {
        const { text } = await desk.well("GET", "/Invoices", undefined, query && { query });
        expect(text.includes('"InvoiceNumber":""')).toBe(desk.format === "JSON");
        expect(text).not.toContain("<InvoiceNumber");
      }
    }),
    row(
      "an allocation that is taken back is answered in a list, and in JSON beside it",
      async (desk) => {
        const invoice = await desk.approved();
        const { Contact } = invoice;
        const { PrepaymentID } = await desk.prepaid({ Contact: { ContactID: Contact.ContactID } });
        const path = `/Prepayments/${PrepaymentID}/Allocations`;
        const { InvoiceID } = invoice;
        const made = await desk.put(path, { AppliedAmount: "40", Invoice: { InvoiceID } });
        const { AllocationID } = made;
        const { body, records } = await desk.well("DELETE", `${path}/${AllocationID}`);
        const taken = {
          AllocationID,
          Invoice: expect.objectContaining({ InvoiceID }),
          Date: "2026-03-02",
          IsDeleted: "true",
        };
        expect(records).toEqual([expect.objectContaining({ ...taken, AppliedAmount: "40" })]);
        expect(body).toMatchObject({ Id: expect.any(String), Status: "OK" });
        const beside = expect.objectContaining({ ...taken, Amount: "40" });
        expect(body).toEqual(desk.format === "JSON" ? beside : expect.not.objectContaining(taken));
      },
    ),
    row("employees are read and written, and expense claims are listed", async (desk) => {
      const made = await desk.put("/Employees", { FirstName: "Ana", LastName: "Reid" });
      const { EmployeeID } = made;
      expect(made).toMatchObject({ EmployeeID: expect.any(String), Status: "ACTIVE" });
      expect(await desk.one(`/Employees/${EmployeeID}`)).toEqual(made);
      await desk.post("/Employees", { EmployeeID, ExternalLink: { Url: "https://hr.example" } });
      const [listed] = await desk.read("/Employees", { page: "1" });
      expect(listed).toMatchObject({ EmployeeID, ExternalLink: { Url: "https://hr.example" } });
      expect(await desk.read("/ExpenseClaims", { page: "1" })).toEqual([]);
    }),
    ...["User", "Overpayment", "Invoice", "Contact", "Account", "Item", "Payment", "Employee"].map(
      (name) =>
        row(`/${name} is /${name}s`, async (desk) => {
          const records = await desk.read(`/${name}s`);
          expect(await desk.read(`/${name}`)).toEqual(records);
        }),
    ),
    row("a note is added by POST as by PUT", async (desk) => {
      const { InvoiceID } = await desk.invoice();
      const path = `/Invoices/${InvoiceID}/History`;
      const noted = await desk.well("POST", path, { Details: "Rang" });
      expect(noted.records).toMatchObject([{ Details: "Rang" }]);
      const [latest] = await desk.read(path);
      expect(latest).toMatchObject({ Changes: "Note", Details: "Rang" });
    }),
    row("booleans of a query as true or True", async (desk) => {
      for (const summaryOnly of ["true", "True", "1"]) {
        await desk.read("/Invoices", { summaryOnly });
      }
    }),
  ],
};
