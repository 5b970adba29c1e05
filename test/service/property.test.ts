/**
 * Any run of business leaves the books in balance.
 *
 * Random operations, allowed and not, go through the service; whatever is refused must have changed
 * nothing, and whatever is done must leave every journal at zero, the trial balance at zero, the
 * control accounts equal to their documents, and the sums equal to the postings.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { contact, faultsIn, type Json, reportRows, type World, world } from "./fixture.ts";

type Step =
  | {
      do: "invoice";
      sales: boolean;
      status: string;
      types: string;
      lines: [number, number, string][];
      lamps: number;
    }
  | { do: "pay"; which: number; part: number }
  | { do: "unpay"; which: number }
  | { do: "move"; which: number; status: string }
  | { do: "edit"; which: number; amount: number; day: number };

const day = (n: number) =>
  `2026-0${1 + Math.floor(n / 28)}-${String(1 + (n % 28)).padStart(2, "0")}`;

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("invoice" as const),
      sales: fc.boolean(),
      status: fc.constantFrom("DRAFT", "SUBMITTED", "AUTHORISED", "AUTHORISED"),
      types: fc.constantFrom("Exclusive", "Inclusive", "NoTax"),
      lines: fc.array(
        fc.tuple(
          fc.integer({ min: -20_000, max: 90_000 }),
          fc.integer({ min: 0, max: 83 }),
          fc.constantFrom("North", "South", ""),
        ),
        { minLength: 1, maxLength: 4 },
      ),
      lamps: fc.integer({ min: 0, max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("pay" as const),
      which: fc.nat(20),
      part: fc.integer({ min: 1, max: 120 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("unpay" as const), which: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("move" as const),
      which: fc.nat(20),
      status: fc.constantFrom("DRAFT", "SUBMITTED", "AUTHORISED", "DELETED", "VOIDED"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("edit" as const),
      which: fc.nat(20),
      amount: fc.integer({ min: 1, max: 50_000 }),
      day: fc.nat(83),
    }),
  },
);

async function prepared(): Promise<{ given: World; party: Json }> {
  const given = await world();
  await given.ok("PUT", "/TrackingCategories", { Name: "Region" });
  for (const Name of ["North", "South"]) {
    await given.ok("PUT", "/TrackingCategories/Region/Options", { Name });
  }
  await given.ok("PUT", "/Items", {
    Code: "LAMP",
    InventoryAssetAccountCode: "630",
    SalesDetails: { UnitPrice: 50, AccountCode: "200" },
    PurchaseDetails: { UnitPrice: 20, COGSAccountCode: "310" },
  });
  return { given, party: await contact(given) };
}

/** Statuses and 404 are all that a step may be answered with. */
const statuses = new Set([200, 400, 404]);

async function take(given: World, party: Json, step: Step, made: string[], paid: string[]) {
  const invoice = (which: number) => made[which % Math.max(1, made.length)] ?? "none";
  switch (step.do) {
    case "invoice": {
      const answer = await given.ask("PUT", "/Invoices", {
        Type: step.sales ? "ACCREC" : "ACCPAY",
        Contact: { ContactID: party.ContactID },
        Status: step.status,
        Date: day(step.lines[0]?.[1] ?? 0),
        DueDate: "2026-05-01",
        LineAmountTypes: step.types,
        LineItems: [
          ...step.lines.map(([cents, , region]) => ({
            Description: "Work",
            Quantity: 1,
            UnitAmount: cents / 100,
            AccountCode: step.sales ? "200" : "429",
            ...(region === "" ? {} : { Tracking: [{ Name: "Region", Option: region }] }),
          })),
          ...(step.lamps > 0
            ? [{ ItemCode: "LAMP", Description: "Lamp", Quantity: step.lamps }]
            : []),
        ],
      });
      if (answer.status === 200) made.push(answer.json.Invoices[0].InvoiceID);
      return answer;
    }
    case "pay": {
      const id = invoice(step.which);
      const found = await given.ask("GET", `/Invoices/${id}`);
      if (found.status !== 200) return found;
      const due = found.json.Invoices[0].AmountDue;
      const answer = await given.ask("PUT", "/Payments", {
        Invoice: { InvoiceID: id },
        Account: { Code: "090" },
        Date: "2026-04-02",
        Amount: Math.round(due * step.part) / 100,
      });
      if (answer.status === 200) paid.push(answer.json.Payments[0].PaymentID);
      return answer;
    }
    case "unpay":
      return given.ask(
        "POST",
        `/Payments/${paid[step.which % Math.max(1, paid.length)] ?? "none"}`,
        {
          Status: "DELETED",
        },
      );
    case "move":
      return given.ask("POST", `/Invoices/${invoice(step.which)}`, { Status: step.status });
    case "edit":
      return given.ask("POST", `/Invoices/${invoice(step.which)}`, {
        Date: day(step.day),
        LineItems: [
          {
            Description: "Edited",
            Quantity: 1,
            UnitAmount: step.amount / 100,
            AccountCode: "404",
            TaxType: "NONE",
          },
        ],
      });
  }
}

test("any run of operations leaves the books in balance", { timeout: 120_000 }, async () => {
  let done = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const { given, party } = await prepared();
      const made: string[] = [];
      const paid: string[] = [];
      for (const each of steps) {
        const answer = await take(given, party, each, made, paid);
        expect(statuses, answer.text).toContain(answer.status);
        if (answer.status === 200) done += 1;
        else refused += 1;
      }
      expect(await faultsIn(given)).toEqual([]);
      for (const paymentsOnly of ["false", "true"]) {
        const total = (
          await reportRows(given, "TrialBalance", { date: "2026-06-30", paymentsOnly })
        ).Total;
        expect(total?.[0]).toBe(total?.[1]);
        expect(total?.[2]).toBe(total?.[3]);
        const sheet = await reportRows(given, "BalanceSheet", { date: "2026-06-30", paymentsOnly });
        expect(sheet["Net Assets"]).toEqual(sheet["Total Equity"] ?? sheet["Net Assets"]);
      }
      await given.book.close();
    }),
    { numRuns: 40 },
  );
  // A run in which everything is refused, or nothing, would show nothing.
  expect(done).toBeGreaterThan(refused / 4);
  expect(refused).toBeGreaterThan(10);
});
