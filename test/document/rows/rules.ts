/** Endpoints: common request rules. Authentication. Errors. Limits. */
import { expect } from "vitest";
import { AuthError, UnavailableError } from "../../../src/resources/errors.ts";
import { usualLimits } from "../../../src/service/limits/limits.ts";
import { memoryLimits } from "../../../src/service/limits/memory-limits.ts";
import { type Desk, nowhere } from "../desk.ts";
import { otherCaller } from "../other.ts";
import { type Heading, row } from "../row.ts";

type Maker = (desk: Desk) => Promise<unknown>;

/** One record of each resource that knows since when it was changed. */
const changing: Readonly<Record<string, Maker>> = {
  Invoices: (desk) => desk.invoice(),
  Prepayments: (desk) => desk.prepaid(),
  PurchaseOrders: (desk) => desk.order(),
  Payments: async (desk) => desk.pay(await desk.approved()),
  Items: (desk) => desk.put("/Items", { Code: `I${desk.given.now}` }),
};

export const commonRules: Heading = {
  heading: "Endpoints: common request rules",
  rows: [
    ...Object.entries(changing).map(([name, make]) =>
      row(`If-Modified-Since on ${name}: only what was changed since`, async (desk) => {
        await make(desk);
        desk.given.now += 60_000;
        const since = new Date(desk.given.now).toISOString().slice(0, 19);
        const headers = { "if-modified-since": since };
        const list = async () =>
          (await desk.well("GET", `/${name}`, undefined, { headers })).records.length;
        expect(await list()).toBe(0);
        await make(desk);
        expect(await list()).toBe(1);
        expect(await desk.read(`/${name}`)).toHaveLength(2);
      }),
    ),
    row("where: equality, OR, AND on top-level elements", async (desk) => {
      await desk.invoice({ Reference: "a" });
      await desk.invoice({ Reference: "b", Status: "SUBMITTED" });
      const count = async (where: string) => (await desk.read("/Invoices", { where })).length;
      expect(await count('Reference=="a"')).toBe(1);
      expect(await count('Reference=="a" OR Status=="SUBMITTED"')).toBe(2);
      expect(await count('Reference=="a" AND Status=="SUBMITTED"')).toBe(0);
    }),
    row("order: by any element that is returned", async (desk) => {
      const lines = (UnitAmount: number) => ({ LineItems: [desk.line({ UnitAmount })] });
      await desk.invoice({ ...lines(2), DueDate: "2026-05-01", Url: "https://b.example" });
      await desk.invoice({ ...lines(1), DueDate: "2026-06-01", Url: "https://a.example" });
      for (const [order, first] of [
        ["DueDate", "INV-0001"],
        ["DueDate DESC", "INV-0002"],
        ["Total", "INV-0002"],
        ["SubTotal DESC", "INV-0001"],
        ["Url", "INV-0002"],
        ["Contact.Name DESC", "INV-0002"],
        ["InvoiceNumber DESC", "INV-0002"],
        ["SentToContact, CurrencyCode, AmountDue DESC", "INV-0001"],
      ] as const) {
        const [found] = await desk.read("/Invoices", { order });
        expect([order, found.InvoiceNumber]).toEqual([order, first]);
      }
    }),
    row("page: from 1, up to 100 records, with their lines", async (desk) => {
      const one = await desk.sale();
      await desk.well(
        "PUT",
        "/Invoices",
        Array.from({ length: 101 }, () => one),
      );
      const first = await desk.read("/Invoices", { page: "1" });
      expect(first).toHaveLength(100);
      expect(first[0].LineItems).toHaveLength(1);
      expect(await desk.read("/Invoices", { page: "2" })).toHaveLength(1);
      expect(await desk.read("/Invoices", { page: "3" })).toEqual([]);
      expect(await desk.read("/Invoices", { page: "0" })).toEqual(first);
      await desk.refused("GET", "/Invoices", undefined, { query: { page: "-1" } });
    }),
    row("unitdp=4: four decimals on Invoices, Prepayments and Items", async (desk) => {
      const query = { unitdp: "4" };
      const UnitAmount = "1.2345";
      const LineItems = [desk.line({ UnitAmount })];
      const { InvoiceID } = await desk.put("/Invoices", await desk.sale({ LineItems }), query);
      const [line] = (await desk.one(`/Invoices/${InvoiceID}`, query)).LineItems;
      expect(line.UnitAmount).toBe(UnitAmount);
      const [paged] = await desk.read("/Invoices", { ...query, page: "1" });
      expect(paged.LineItems[0].UnitAmount).toBe(UnitAmount);
      const SalesDetails = { UnitPrice: UnitAmount };
      await desk.put("/Items", { Code: "A", SalesDetails }, query);
      expect((await desk.one("/Items/A", query)).SalesDetails.UnitPrice).toBe(UnitAmount);
      const Contact = { ContactID: (await desk.contact()).ContactID };
      const made = await desk.put(
        "/BankTransactions",
        { Type: "RECEIVE-PREPAYMENT", Contact, BankAccount: { Code: "090" }, LineItems },
        query,
      );
      const prepaid = await desk.one(`/Prepayments/${made.PrepaymentID}`, query);
      expect(prepaid.LineItems[0].UnitAmount).toBe(UnitAmount);
    }),
    ...["Invoices", "PurchaseOrders"].flatMap((name) =>
      ["PUT", "POST"].map((method) =>
        row(`SummarizeErrors=false on ${method} of ${name}: results per record`, async (desk) => {
          const { ContactID } = await desk.contact();
          const LineItems = [desk.line({ AccountCode: "429" })];
          const good = { Type: "ACCPAY", Contact: { ContactID }, LineItems };
          const bad = { ...good, Contact: { ContactNumber: "nobody" } };
          const query = { SummarizeErrors: "false" };
          const { records } = await desk.well(method, `/${name}`, [good, bad, good], { query });
          expect(records.map((each) => each.StatusAttributeString)).toEqual(["OK", "ERROR", "OK"]);
          expect(records[1].ValidationErrors[0].Message).toMatch(/./);
          expect(await desk.read(`/${name}`)).toHaveLength(2);
        }),
      ),
    ),
  ],
};

export const authentication: Heading = {
  heading: "Authentication",
  rows: [
    row("invalid credentials are 401", async (desk) => {
      const ask = otherCaller(desk, { who: new AuthError("AuthenticationUnsuccessful", "no") });
      expect((await ask("/Invoices")).status).toBe(401);
    }),
    row("emails go out in the name of the user who connected the app", async (desk) => {
      const Contact = await desk.contact({ EmailAddress: "a@x.example" });
      const { InvoiceID } = await desk.approved({ Contact });
      await desk.ask("POST", `/Invoices/${InvoiceID}/Email`, "");
      expect(JSON.stringify(desk.given.mail)).toMatch(/tess@heron\.example/);
    }),
    row("a user without the reports role has no Reports and no Journals: 403", async (desk) => {
      const ask = otherCaller(desk, { who: { reports: false } });
      for (const path of ["/Reports", "/Reports/ProfitAndLoss", "/Journals", "/Journals/1"]) {
        expect([path, (await ask(path)).status]).toEqual([path, 403]);
      }
      expect((await ask("/Invoices")).status).toBe(200);
    }),
    row("what is permitted is told by Actions", async (desk) => {
      const ask = otherCaller(desk, { who: { role: "READONLY" } });
      const { body } = await ask("/Organisation/Actions");
      const status = Object.fromEntries(
        body.Actions.map((each: Record<string, string>) => [each.Name, each.Status]),
      );
      expect(status.CreateApprovedInvoice).toBe("NOT-ALLOWED");
    }),
  ],
};

export const errors: Heading = {
  heading: "Errors",
  rows: [
    row("200: a call that went well", async (desk) => {
      expect((await desk.ask("GET", "/Invoices")).status).toBe(200);
    }),
    // 201 stands in the document's list, and one client takes it for an error: it is never used.
    row("200 where a resource was created", async (desk) => {
      const said = await desk.ask("PUT", "/Items", { Code: "A" });
      expect(said.status).toBe(200);
    }),
    row("204: success without content", async (desk) => {
      const { ItemID } = await desk.put("/Items", { Code: "A" });
      const said = await desk.ask("DELETE", `/Items/${ItemID}`);
      expect([said.status, said.text]).toEqual([204, ""]);
    }),
    row("400: a bad request, or a validation error", async (desk) => {
      const bad = await desk.ask("PUT", "/Invoices", desk.format === "XML" ? "<a" : "{");
      expect([bad.status, bad.body.Type]).toEqual([400, "PostDataInvalidException"]);
      const invalid = await desk.ask("PUT", "/Invoices", await desk.sale({ Type: "X" }));
      expect([invalid.status, invalid.body.Type]).toEqual([400, "ValidationException"]);
    }),
    row("401: invalid credentials", async (desk) => {
      const ask = otherCaller(desk, { who: new AuthError("AuthenticationUnsuccessful", "no") });
      expect((await ask("/Items")).status).toBe(401);
    }),
    row("403: Reports and Journals without the reports role", async (desk) => {
      const ask = otherCaller(desk, { who: { reports: false } });
      expect((await ask("/Journals")).status).toBe(403);
    }),
    row("404: no such record, and no such address", async (desk) => {
      for (const path of [`/Invoices/${nowhere}`, `/Payments/${nowhere}`, "/Items/X", "/Nothing"]) {
        expect([path, (await desk.ask("GET", path)).status]).toEqual([path, 404]);
      }
    }),
    row("500: a failure of the service, which tells nothing", async (desk) => {
      const read = () => Promise.reject(new Error("secret"));
      const said = await otherCaller(desk, { read })("/Items");
      expect(said.status).toBe(500);
      expect(said.text).not.toMatch(/secret/);
    }),
    row("501: a method that is not implemented", async (desk) => {
      for (const method of ["DELETE", "PATCH"]) {
        expect((await desk.ask(method, "/Invoices")).status).toBe(501);
      }
    }),
    row("503: the rate limit of an organisation and an app", async (desk) => {
      const limits = memoryLimits({ ...usualLimits, minute: 2 }, () => desk.given.now);
      const limiter = limits.of({ org: 1, OrganisationID: "1" });
      const ask = otherCaller(desk, { limiter });
      const said = [await ask("/Items"), await ask("/Items"), await ask("/Items")];
      expect(said.map((each) => each.status)).toEqual([200, 200, 503]);
      expect(said[2]?.headers["retry-after"]).toMatch(/^\d+$/);
      // An immediate retry does not succeed.
      expect((await ask("/Items")).status).toBe(503);
    }),
    row("503: the service is unavailable", async (desk) => {
      const read = () => Promise.reject(new UnavailableError("Unavailable", "busy"));
      expect((await otherCaller(desk, { read })("/Items")).status).toBe(503);
    }),
    row("rule 2: 4xx answers tell type, title and detail", async (desk) => {
      const ask = otherCaller(desk, { who: new AuthError("AuthenticationUnsuccessful", "no") });
      const problem = JSON.parse((await ask("/Items")).text);
      expect(problem).toMatchObject({
        title: expect.any(String),
        detail: expect.any(String),
        type: expect.any(String),
      });
    }),
    row("rule 3: without SummarizeErrors=false, errors are summarised", async (desk) => {
      const two = [await desk.sale(), await desk.sale({ Type: "X" })];
      const said = await desk.ask("PUT", "/Invoices", two);
      expect(said.status).toBe(400);
      expect(said.body).toMatchObject({ ErrorNumber: "10", Type: "ValidationException" });
      expect(said.body.Elements).toHaveLength(1);
      expect(await desk.read("/Invoices")).toEqual([]);
    }),
    row("rule 4: tax type and account that do not go together are named", async (desk) => {
      const LineItems = [desk.line({ AccountCode: "429", TaxType: "OUTPUT2" })];
      expect(await desk.refused("PUT", "/Invoices", await desk.bill({ LineItems }))).toContain(
        "The TaxType code 'OUTPUT2' cannot be used with account code '429'",
      );
    }),
  ],
};

export const limits: Heading = {
  heading: "Limits",
  rows: [
    ...["Invoices", "Payments"].map((name) =>
      row(`${name}: 100 records in a page`, async (desk) => {
        const { InvoiceID } = await desk.approved();
        const sale = await desk.sale();
        const payment = {
          Invoice: { InvoiceID },
          Account: { Code: "090" },
          Date: "2026-03-02",
          Amount: "0.01",
        };
        const one = name === "Invoices" ? sale : payment;
        await desk.well(
          "PUT",
          `/${name}`,
          Array.from({ length: 101 }, () => one),
        );
        expect(await desk.read(`/${name}`, { page: "1" })).toHaveLength(100);
      }),
    ),
    row("Prepayments: 100 records in a page", async (desk) => {
      const { ContactID } = await desk.contact();
      const one = {
        Type: "RECEIVE-PREPAYMENT",
        Contact: { ContactID },
        BankAccount: { Code: "090" },
        LineItems: [desk.line()],
      };
      await desk.well(
        "PUT",
        "/BankTransactions",
        Array.from({ length: 101 }, () => one),
      );
      expect(await desk.read("/Prepayments", { page: "1" })).toHaveLength(100);
      expect(await desk.read("/Prepayments", { page: "2" })).toHaveLength(1);
    }),
    row("10 attachments of a document", async (desk) => {
      const path = `/Invoices/${(await desk.invoice()).InvoiceID}/Attachments`;
      const headers = { "content-type": "text/plain" };
      for (let n = 1; n <= 10; n += 1) {
        await desk.well("PUT", `${path}/${n}.txt`, "x", { headers });
      }
      await desk.refused("PUT", `${path}/11.txt`, "x", { headers });
    }),
    row("500 items in a request", async (desk) => {
      const codes = (count: number) => Array.from({ length: count }, (_, n) => ({ Code: `C${n}` }));
      await desk.refused("PUT", "/Items", codes(501));
      expect((await desk.well("PUT", "/Items", codes(500))).records).toHaveLength(500);
    }),
    row("1 tax rate in a request", async (desk) => {
      const rate = { Name: "L", ReportTaxType: "OUTPUT", TaxComponents: [{ Name: "L", Rate: 3 }] };
      await desk.refused("PUT", "/TaxRates", [rate, { ...rate, Name: "M" }]);
    }),
    ...(
      [
        ["BalanceSheet", 11],
        ["ProfitAndLoss", 11],
        ["BudgetSummary", 12],
      ] as const
    ).map(([name, most]) =>
      row(`${name}: periods from 1 to ${most}`, async (desk) => {
        for (const periods of [1, most]) {
          await desk.one(`/Reports/${name}`, { periods: String(periods) });
        }
        for (const periods of ["0", String(most + 1), "-1", "1.5", "x"]) {
          await desk.refused("GET", `/Reports/${name}`, undefined, { query: { periods } });
        }
      }),
    ),
    row("invoice emails of an organisation in a day are limited", async (desk) => {
      const Contact = await desk.contact({ EmailAddress: "a@x.example" });
      const { InvoiceID } = await desk.approved({ Contact });
      let sent = 0;
      for (; sent < 1001; sent += 1) {
        const { status } = await desk.ask("POST", `/Invoices/${InvoiceID}/Email`, "");
        if (status !== 204) break;
      }
      expect(sent).toBeLessThan(1001);
    }),
  ],
};
