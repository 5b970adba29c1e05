/** Rows of the business that settle several documents at once, and take settlements back. */
import { fc } from "../support/properties.ts";
import { type Business, type Kind, kind, one } from "./business-parts.ts";
import type { Json } from "./fixture.ts";

/** Approved sales or bills in the currency of the books, of which something is due. */
async function open({ given }: Business, type: string): Promise<Json[]> {
  const { BaseCurrency } = (await given.ok("GET", "/Organisation")).Organisations[0];
  const where = `Status=="AUTHORISED" AND Type=="${type}" AND CurrencyCode=="${BaseCurrency}"`;
  return (await given.ok("GET", "/Invoices", undefined, { query: { where, page: "1" } })).Invoices;
}

export const settlingKinds: readonly Kind[] = [
  kind(
    "pay several at once",
    2,
    fc.record({
      type: fc.constantFrom("ACCREC", "ACCPAY"),
      which: fc.array(fc.nat(999), { minLength: 1, maxLength: 3 }),
      part: fc.constantFrom(100, 100, 40, 130),
    }),
    async (business, { type, which, part }, on) => {
      const due = await open(business, type);
      const chosen = new Set(which.flatMap((each) => one<Json>(due, each) ?? []));
      if (chosen.size === 0) return undefined;
      return business.given.ask("PUT", "/BatchPayments", {
        Account: { Code: business.accounts.banks[0] },
        Date: on,
        Payments: [...chosen].map(({ InvoiceID, AmountDue }) => ({
          Invoice: { InvoiceID },
          Amount: Math.round(AmountDue * part) / 100,
        })),
      });
    },
  ),
  kind("take a batch back", 1, fc.nat(999), async ({ given }, which) => {
    const batches = (await given.ok("GET", "/BatchPayments")).BatchPayments;
    const batch = one<Json>(batches, which);
    if (batch === undefined) return undefined;
    return given.ask("POST", `/BatchPayments/${batch.BatchPaymentID}`, { Status: "DELETED" });
  }),
  kind("take an allocation back", 2, fc.nat(999), async ({ given, credits }, which) => {
    const id = one(credits, which);
    if (id === undefined) return undefined;
    const [credit] = (await given.ok("GET", `/CreditNotes/${id}`)).CreditNotes;
    const allocation = one<Json>(credit.Allocations, which);
    if (allocation === undefined) return undefined;
    return given.ask("DELETE", `/CreditNotes/${id}/Allocations/${allocation.AllocationID}`);
  }),
];
