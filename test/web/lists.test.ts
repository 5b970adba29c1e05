/** Pages with lists: tabs, sums, what is late, order, pages, what is marked, and empty lists. */
import { beforeEach, expect, test } from "vitest";
import { type Json, type World, world } from "../service/fixture.ts";
import { type Browsing, browsing, formToken, textOf } from "./browsing.ts";

let given: World;
let pages: Browsing;
beforeEach(async () => {
  given = await world();
  pages = browsing(given);
});

async function invoiced(own: object = {}, name = "Kowhai Ltd"): Promise<Json> {
  const { Contacts } = await given.ok("POST", "/Contacts", { Name: name });
  const { Invoices } = await given.ok("PUT", "/Invoices", {
    ...{ Type: "ACCREC", Date: "2026-02-01", DueDate: "2026-03-20", Status: "AUTHORISED" },
    Contact: Contacts[0],
    LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" }],
    ...own,
  });
  return Invoices[0];
}

const seen = async (address: string) => textOf((await pages.see(address)).html);
const numbersOn = async (address: string) =>
  [...(await pages.see(address)).html.matchAll(/<th scope="row".*?>([A-Z]-\d+)</gs)].map(
    ([, number]) => number,
  );

test("tabs of a list count what waits, and name the amount that is overdue", async () => {
  await invoiced({ Status: "DRAFT" });
  await invoiced({ Status: "SUBMITTED" });
  await invoiced();
  await invoiced({ DueDate: "2026-02-20" });
  expect(await seen("/invoices")).toContain(
    "All Draft 1 Awaiting approval 1 Awaiting payment 2 Overdue 115.00 Paid",
  );
  expect(await seen("/invoices?due=overdue")).toContain("1 to 1 of 1");
});

test("an overdue document says how late it is, and a draft owes nothing", async () => {
  const late = await invoiced({ DueDate: "2026-02-20", InvoiceNumber: "K-1" });
  await invoiced({ Status: "DRAFT", InvoiceNumber: "K-2", DueDate: "2026-02-20" });
  const list = await seen("/invoices");
  expect(list).toMatch(/K-1 .* Awaiting payment 9 days late 115\.00 115\.00/);
  expect(list).toMatch(/K-2 .* Draft 115\.00 \u2013/);
  expect(await seen(`/invoices/${late.InvoiceID}`)).toContain("K-1 Awaiting payment 9 days late");
});

test("a list is ordered by contact, due date and total from its headings", async () => {
  await invoiced({ InvoiceNumber: "K-1", DueDate: "2026-03-30" }, "Zebra Ltd");
  await invoiced({ InvoiceNumber: "K-2", DueDate: "2026-03-10" }, "Moa Ltd");
  await invoiced(
    {
      ...{ InvoiceNumber: "K-3", DueDate: "2026-03-20" },
      LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 5, AccountCode: "200" }],
    },
    "Awa Ltd",
  );
  expect(await numbersOn("/invoices?order=Contact.Name ASC")).toEqual(["K-3", "K-2", "K-1"]);
  expect(await numbersOn("/invoices?order=DueDate ASC")).toEqual(["K-2", "K-3", "K-1"]);
  expect((await numbersOn("/invoices?order=Total ASC"))[0]).toBe("K-3");
  const { html } = await pages.see("/invoices?order=DueDate ASC");
  expect(html).toMatch(/<th scope="col" aria-sort="ascending"><a class="sort"[^>]*>Due/);
});

test("a long list says which of how many are shown, their sum, and leads to any page", async () => {
  const line = { Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" };
  const one = await invoiced();
  await given.ok(
    "PUT",
    "/Invoices",
    Array.from({ length: 119 }, () => ({
      ...{ Type: "ACCREC", Contact: one.Contact, Date: "2026-02-02", DueDate: "2026-03-20" },
      ...{ Status: "AUTHORISED", LineItems: [line] },
    })),
  );
  const { html } = await pages.see("/invoices?page=2&least=1");
  expect(textOf(html)).toContain("51 to 100 of 120 \u00b7 total 13,800.00 \u00b7 owed 13,800.00");
  expect(html).toContain('<input type="hidden" name="least" value="1">');
  expect(html).toMatch(/name="page" min="1" max="3" value="2"/);
  expect(await seen("/invoices?page=99")).toContain("101 to 120 of 120");
});

test("marked drafts are approved as one operation, and a refusal stands at its row", async () => {
  const drafts = [
    await invoiced({ Status: "DRAFT", InvoiceNumber: "K-1" }),
    await invoiced({ Status: "DRAFT", InvoiceNumber: "K-2" }),
    await invoiced({ Status: "DRAFT", InvoiceNumber: "K-3" }),
  ];
  const [first, second, third] = drafts.map(({ InvoiceID }) => InvoiceID);
  const mark = (ids: string[]) => {
    const form = new URLSearchParams({ do: "approve", token: formToken });
    for (const id of ids) form.append("id", id);
    return pages.send("/invoices?status=DRAFT", form);
  };
  const { headers, status } = await mark([first, second]);
  expect(status).toBe(303);
  const to = String(headers.location);
  expect(to).toContain("/invoices?status=DRAFT&done=approved&count=2");
  expect(await seen(to.split("#")[0] ?? "")).toContain("2 records approved. Undo");
  const { Operations } = await given.ok("GET", "/Extensions/Operations");
  expect(Operations[0].Requests).toBe(2);

  await given.ok("POST", `/Invoices/${first}`, { Status: "VOIDED" });
  const partly = await mark([first, third]);
  expect(partly.status).toBe(400);
  expect(textOf(partly.html)).toContain("1 record approved, 1 refused, as their rows say.");
  const { Invoices } = await given.ok("GET", `/Invoices/${third}`);
  expect(Invoices[0].Status).toBe("AUTHORISED");
});

test("nothing can be marked by a reader who may not approve", async () => {
  await invoiced({ Status: "DRAFT" });
  expect((await pages.see("/invoices")).html).toContain('class="mark"');
  const reader = browsing(given, { allows: (method) => method === "GET" });
  expect((await reader.see("/invoices")).html).not.toContain('class="mark"');
  const sent = await reader.send("/invoices", { do: "approve", token: formToken });
  expect(sent.status).toBe(403);
});

test("contacts stand beside what they owe, what of it is overdue, and what they are owed", async () => {
  await invoiced({ DueDate: "2026-02-20" });
  await invoiced();
  await invoiced({
    Type: "ACCPAY",
    InvoiceNumber: "B-1",
    LineItems: [{ Description: "Rent", Quantity: 1, UnitAmount: 20, AccountCode: "469" }],
  });
  expect(await seen("/contacts?q=Kowhai")).toMatch(/Kowhai Ltd Active 230\.00 115\.00 2[03]\.00/);
});

test("archived contacts have a tab of their own", async () => {
  const { Contact } = await invoiced({ Status: "DRAFT" });
  await given.ok("POST", `/Contacts/${Contact.ContactID}`, { ContactStatus: "ARCHIVED" });
  expect(await seen("/contacts")).not.toContain("Kowhai Ltd");
  expect(await seen("/contacts?status=ARCHIVED")).toContain("Kowhai Ltd Archived");
});

test("a list of payments on several pages sums up what was received and what was paid", async () => {
  for (const Type of ["ACCREC", "ACCPAY"]) {
    const LineItems = [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" }];
    const { InvoiceID } = await invoiced({ Type, InvoiceNumber: `P-${Type}`, LineItems });
    await given.ok("PUT", "/Payments", {
      Payments: Array.from({ length: Type === "ACCREC" ? 50 : 3 }, () => ({
        ...{ Invoice: { InvoiceID }, Account: { Code: "090" }, Date: "2026-02-03", Amount: 2 },
      })),
    });
  }
  expect(await seen("/payments")).toContain(
    "1 to 50 of 53 \u00b7 received 100.00 \u00b7 paid 6.00",
  );
});

test("payments made are below zero, and each leads to its document", async () => {
  const bill = await invoiced({ Type: "ACCPAY", InvoiceNumber: "B-1" });
  const { InvoiceID } = await invoiced();
  for (const id of [bill.InvoiceID, InvoiceID]) {
    const payment = { Invoice: { InvoiceID: id }, Account: { Code: "090" }, Amount: 40 };
    await given.ok("PUT", "/Payments", { ...payment, Date: "2026-02-10" });
  }
  const { html } = await pages.see("/payments");
  expect(textOf(html)).toContain("\u221240.00");
  expect(html).toContain(`href="/documents/${bill.InvoiceID}`);
});

test("the filter by contact offers the names to choose from", async () => {
  const { Contact } = await invoiced();
  const { html } = await pages.see(`/invoices?contact=${Contact.ContactID}`);
  expect(html).toContain('<option value="Kowhai Ltd">');
  expect(html).toMatch(/name="contact"[^>]* value="Kowhai Ltd"/);
});
