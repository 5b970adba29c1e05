/** States and transitions. */
import { expect } from "vitest";
import { type Heading, type Row, row } from "../row.ts";

type Desk = Parameters<Row["check"]>[0];

/** The rows of the table: from a state, by an update to a status. */
const transitions: readonly [from: string, to: string][] = [
  ["DRAFT", "DRAFT"],
  ["DRAFT", "SUBMITTED"],
  ["DRAFT", "AUTHORISED"],
  ["DRAFT", "DELETED"],
  ["SUBMITTED", "SUBMITTED"],
  ["SUBMITTED", "AUTHORISED"],
  ["SUBMITTED", "DRAFT"],
  ["SUBMITTED", "DELETED"],
  ["AUTHORISED", "AUTHORISED"],
  ["AUTHORISED", "VOIDED"],
];
const states = ["DRAFT", "SUBMITTED", "AUTHORISED", "DELETED", "VOIDED", "PAID"];
// Where the document is silent, a record that is read and sent back is taken as it is.
const isAllowed = new Set([...transitions.map((each) => each.join()), "PAID,PAID"]);
const absent = states.flatMap((from) =>
  states.filter((to) => !isAllowed.has(`${from},${to}`)).map((to) => [from, to] as const),
);

/** An invoice in a state, and how it came there. */
async function inState(desk: Desk, state: string) {
  const isLive = !["DELETED", "VOIDED", "PAID"].includes(state);
  const made = await desk.invoice({
    Status: isLive ? state : state === "DELETED" ? "DRAFT" : "AUTHORISED",
  });
  const path = `/Invoices/${made.InvoiceID}`;
  if (state === "PAID") await desk.pay(made);
  else if (!isLive) await desk.post(path, { Status: state });
  expect((await desk.one(path)).Status).toBe(state);
  return { made, path };
}

export const invoiceStates: Heading = {
  heading: "States and transitions: Invoice",
  rows: [
    ...["DRAFT", "SUBMITTED", "AUTHORISED"].map((Status) =>
      row(`created with ${Status} it is ${Status}`, async (desk) => {
        expect((await desk.invoice({ Status })).Status).toBe(Status);
      }),
    ),
    ...["DELETED", "VOIDED", "PAID"].map((Status) =>
      row(`it is not created with ${Status}`, async (desk) => {
        await desk.refused("PUT", "/Invoices", await desk.sale({ Status }));
      }),
    ),
    ...transitions.map(([from, to]) =>
      row(`${from} becomes ${to} by an update`, async (desk) => {
        const { path } = await inState(desk, from);
        expect((await desk.post(path, { Status: to })).Status).toBe(to);
        expect((await desk.one(path)).Status).toBe(to);
      }),
    ),
    row("AUTHORISED becomes PAID when payments cover the amount", async (desk) => {
      const { made, path } = await inState(desk, "AUTHORISED");
      await desk.pay(made, { Amount: 100 });
      expect((await desk.one(path)).Status).toBe("AUTHORISED");
      await desk.pay(made, { Amount: 15 });
      const read = await desk.one(path);
      expect(read).toMatchObject({ Status: "PAID", FullyPaidOnDate: "2026-03-10" });
    }),
    ...absent.map(([from, to]) =>
      row(`${from} does not become ${to} by an update`, async (desk) => {
        const { path } = await inState(desk, from);
        const before = await desk.one(path);
        await desk.refused("POST", path, { Status: to });
        expect(await desk.one(path)).toEqual(before);
      }),
    ),
    row("rule 1: an approved invoice is voided, not deleted", async (desk) => {
      const { path } = await inState(desk, "AUTHORISED");
      await desk.refused("POST", path, { Status: "DELETED" });
      expect((await desk.post(path, { Status: "VOIDED" })).Status).toBe("VOIDED");
    }),
    row("rule 2: a paid invoice is an approved one with payments", async (desk) => {
      await desk.refused("PUT", "/Invoices", await desk.sale({ Status: "PAID" }));
      await inState(desk, "PAID");
    }),
    row("rule 5: SentToContact is set on approved invoices alone", async (desk) => {
      for (const [state, status] of [
        ["DRAFT", 400],
        ["SUBMITTED", 400],
        ["AUTHORISED", 200],
      ] as const) {
        const { path } = await inState(desk, state);
        const said = await desk.ask("POST", path, { SentToContact: "true" });
        expect([state, said.status]).toEqual([state, status]);
      }
    }),
    row("rule 6: sales that are submitted, approved or paid can be emailed", async (desk) => {
      const Contact = await desk.contact({ EmailAddress: "a@x.example" });
      for (const [fields, status] of [
        [{}, 400],
        [{ Status: "SUBMITTED" }, 204],
        [{ Status: "AUTHORISED" }, 204],
        [{ Status: "AUTHORISED", Type: "ACCPAY" }, 400],
      ] as const) {
        const made = await desk.invoice({ ...fields, Contact });
        const said = await desk.ask("POST", `/Invoices/${made.InvoiceID}/Email`, "");
        expect([fields, said.status]).toEqual([fields, status]);
      }
      const paid = await desk.approved({ Contact });
      await desk.pay(paid);
      const { status } = await desk.ask("POST", `/Invoices/${paid.InvoiceID}/Email`, "");
      expect(status).toBe(204);
      const voided = await desk.approved({ Contact });
      await desk.post(`/Invoices/${voided.InvoiceID}`, { Status: "VOIDED" });
      await desk.refused("POST", `/Invoices/${voided.InvoiceID}/Email`, "");
    }),
    row("rule 7: the online address is of sales that are no drafts", async (desk) => {
      const draft = await desk.invoice();
      const bill = await desk.put("/Invoices", await desk.bill({ Status: "AUTHORISED" }));
      for (const { InvoiceID } of [draft, bill]) {
        const { status } = await desk.ask("GET", `/Invoices/${InvoiceID}/OnlineInvoice`);
        expect([400, 404]).toContain(status);
      }
      const { InvoiceID } = await desk.approved();
      const found = await desk.one(`/Invoices/${InvoiceID}/OnlineInvoice`);
      expect(found.OnlineInvoiceUrl).toMatch(/^https?:/);
    }),
  ],
};

export const otherStates: Heading = {
  heading: "States and transitions: other resources",
  rows: [
    row("a draft PurchaseOrder is deleted by an update", async (desk) => {
      const { PurchaseOrderID } = await desk.order();
      const gone = await desk.post(`/PurchaseOrders/${PurchaseOrderID}`, { Status: "DELETED" });
      expect(gone.Status).toBe("DELETED");
    }),
    row("a TaxRate is deleted by an update", async (desk) => {
      const rate = { Name: "L", ReportTaxType: "OUTPUT", TaxComponents: [{ Name: "L", Rate: 3 }] };
      const { TaxType } = await desk.put("/TaxRates", rate);
      const gone = await desk.post("/TaxRates", { ...rate, TaxType, Status: "DELETED" });
      expect(gone.Status).toBe("DELETED");
    }),
    row("a Payment is reversed by POST to its own address, and never modified", async (desk) => {
      const invoice = await desk.approved();
      const made = await desk.pay(invoice);
      const path = `/Payments/${made.PaymentID}`;
      const said = await desk.ask("POST", path, { Amount: 5 });
      expect(said.status).toBe(400);
      expect((await desk.one(path)).Amount).toBe("115");
      expect((await desk.post(path, { Status: "DELETED" })).Status).toBe("DELETED");
      const read = await desk.one(`/Invoices/${invoice.InvoiceID}`);
      expect(read).toMatchObject({ Status: "AUTHORISED", AmountDue: "115" });
    }),
    row("an Item is removed by DELETE", async (desk) => {
      const { ItemID } = await desk.put("/Items", { Code: "A" });
      await desk.well("DELETE", `/Items/${ItemID}`);
      expect((await desk.ask("GET", `/Items/${ItemID}`)).status).toBe(404);
      expect(await desk.read("/Items")).toEqual([]);
    }),
  ],
};
