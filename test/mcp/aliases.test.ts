/** Tools by the names and arguments of the public server: each is called with what that one takes. */
import { expect, test } from "vitest";
import { aliases } from "../../src/mcp/aliases.ts";
import { call, connected, line } from "./agent.ts";

const client = await connected(true);

/** Runs a line that must succeed. */
async function ok(words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await line(words);
  expect([words, code, stderr]).toEqual([words, 0, expect.any(String)]);
  return stdout;
}

/** The id of a record of the sample company. */
async function idOf(noun: string, key: string, field: string): Promise<string> {
  return JSON.parse(await ok([noun, "show", key, "-o", "json"]))[field];
}

const sold = ["--line", "description=Tea,unit-amount=5,account=200"];
await ok(["quote", "create", "--contact", "Kauri Hotel", "--quote-number", "QU-9", ...sold]);
await ok(["invoice", "create", "--contact", "Kauri Hotel", "--invoice-number", "INV-9", ...sold]);
const credit = ["--type", "ACCRECCREDIT", "--credit-note-number", "CN-9", ...sold];
await ok(["credit-note", "create", "--contact", "Kauri Hotel", ...credit]);
const entries = ["--line", "account=404,amount=5", "--line", "account=200,amount=-5"];
const manualJournalID = (
  await ok(["manual-journal", "create", "--narration", "Nine", ...entries, "-o", "id"])
).trim();
const spent = await ok([
  ...["bank-transaction", "create", "-o", "id", "--type", "SPEND", "--bank-account", "090"],
  ...["--contact", "Kauri Hotel", "--line", "description=Tea,unit-amount=5,account=404"],
]);

const contactId = await idOf("contact", "Kauri Hotel", "ContactID");
const studio = JSON.parse(await ok(["tracking", "show", "Studio", "-o", "json"]));
const trackingCategoryId = studio.TrackingCategoryID as string;
const [option] = studio.Options as { TrackingOptionID: string }[];
const lineItems = [
  { description: "Mug", quantity: 2, unitAmount: 10, accountCode: "200", taxType: "OUTPUT2" },
];
const manualJournalLines = [
  { lineAmount: 10, accountCode: "404" },
  { lineAmount: -10, accountCode: "200", description: "Moved" },
];
const aged = { contactId, reportDate: "2026-10-31" };

/** Calls of aliases that read, with a part of their answers. */
const reads: Readonly<Record<string, readonly [given: Record<string, unknown>, part: string]>> = {
  "list-accounts": [{}, '"handle":"account:090"'],
  "list-aged-payables-by-contact": [aged, "rows"],
  "list-aged-receivables-by-contact": [aged, "rows"],
  "list-bank-transactions": [{ page: 1, bankAccountId: "account:090" }, '"count":'],
  "list-contact-groups": [{}, "contact-group:Wholesalers"],
  "list-contacts": [{ searchTerm: "kauri" }, "contact:Kauri Hotel"],
  "list-credit-notes": [{ page: 1, contactId }, "credit-note:CN-9"],
  "list-invoices": [{ page: 1, contactIds: [contactId] }, '"handle":"invoice:'],
  "list-items": [{ page: 1 }, '"handle":"item:'],
  "list-manual-journals": [{ manualJournalId: manualJournalID }, "Nine"],
  "list-organisation-details": [{}, '"BaseCurrency":"NZD"'],
  "list-payments": [{ page: 2, invoiceNumber: "INV-0042" }, '"count":1'],
  "list-profit-and-loss": [
    { fromDate: "2026-03-01", toDate: "2026-03-31", periods: 1, timeframe: "MONTH" },
    "Gross Profit",
  ],
  "list-quotes": [{ page: 1, quoteNumber: "QU-9" }, "quote:QU-9"],
  "list-report-balance-sheet": [{ date: "2026-03-31", standardLayout: true }, "Net Assets"],
  "list-tax-rates": [{}, "15% GST on Income"],
  "list-tracking-categories": [{ includeArchived: false }, "tracking:Studio"],
  "list-trial-balance": [{ date: "2026-03-31", paymentsOnly: false }, "Accounts Receivable"],
};

/** Calls of aliases that write, with the record that their plan makes or changes. */
const writes: Readonly<Record<string, readonly [given: Record<string, unknown>, part: string]>> = {
  "create-bank-transaction": [
    { type: "SPEND", bankAccountId: "account:090", contactId, lineItems },
    "CREATED BankTransaction",
  ],
  "create-contact": [
    { name: "Te Aro Tiles", email: "a@tiles.example", phone: "04 123" },
    "CREATED Contact",
  ],
  "create-credit-note": [{ contactId, lineItems }, "CREATED CreditNote"],
  "create-invoice": [
    { contactId, lineItems, type: "ACCPAY", date: "2026-10-01" },
    "CREATED Invoice",
  ],
  "create-item": [
    { code: "TILE", name: "Tile", salesDetails: { unitPrice: 9.5, accountCode: "200" } },
    "CREATED Item",
  ],
  "create-manual-journal": [
    { narration: "Ten", manualJournalLines, lineAmountTypes: "NO_TAX" },
    "CREATED ManualJournal",
  ],
  "create-payment": [
    { invoiceId: "invoice:INV-0216", accountId: "account:090", amount: 5 },
    "CREATED Payment",
  ],
  "create-quote": [{ contactId: "contact:Kauri Hotel", lineItems, title: "Mugs" }, "CREATED Quote"],
  "create-tracking-category": [{ name: "Region" }, "CREATED TrackingCategory"],
  "create-tracking-options": [
    { trackingCategoryId, optionNames: ["Far", "Near"] },
    "CHANGED TrackingCategory",
  ],
  "update-bank-transaction": [
    { bankTransactionId: spent.trim(), reference: "R" },
    "CHANGED BankTransaction",
  ],
  "update-contact": [
    { contactId, name: "Kauri Hotel", address: { addressLine1: "1 Quay", city: "Nelson" } },
    "CHANGED Contact",
  ],
  "update-credit-note": [{ creditNoteId: "credit-note:CN-9", lineItems }, "CHANGED CreditNote"],
  "update-invoice": [{ invoiceId: "invoice:INV-9", reference: "PO 9" }, "CHANGED Invoice"],
  "update-item": [{ itemId: "item:MUG", code: "MUG", name: "Large mug" }, "CHANGED Item"],
  "update-manual-journal": [
    { manualJournalID, narration: "Nine", manualJournalLines },
    "CHANGED ManualJournal",
  ],
  "update-quote": [{ quoteId: "quote:QU-9", title: "Other" }, "CHANGED Quote"],
  "update-tracking-category": [
    { trackingCategoryId, name: "Workshop" },
    "CHANGED TrackingCategory",
  ],
  "update-tracking-options": [
    {
      trackingCategoryId,
      options: [{ trackingOptionId: option?.TrackingOptionID, name: "Elsewhere" }],
    },
    "CHANGED TrackingCategory",
  ],
};

test("every alias is called, and those that read say so", async () => {
  const named = [...Object.keys(reads), ...Object.keys(writes)].toSorted();
  expect(aliases.map(({ name }) => name).toSorted()).toEqual(named);
  const { tools } = await client.listTools();
  const reading = tools
    .filter(({ annotations }) => annotations?.readOnlyHint)
    .map((tool) => tool.name);
  expect(reading.filter((name) => name.startsWith("list-")).toSorted()).toEqual(
    Object.keys(reads).toSorted(),
  );
});

test.each(Object.entries(reads))(
  "%s answers with what is asked for",
  async (name, [given, part]) => {
    const { text, isError } = await call(name, given, client);
    expect([isError, text]).toEqual([false, expect.stringContaining(part)]);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
  },
);

test.each(Object.entries(writes))("%s becomes a plan that waits", async (name, [given, part]) => {
  const before = (await line(["log", "list", "--limit", "1", "-o", "json"])).stdout;
  const { answer, text, isError } = await call(name, given, client);
  expect([isError, text]).toEqual([false, expect.stringContaining("WAITING")]);
  const made = answer.records.map(([change, kind]: string[]) => `${change} ${kind}`);
  expect(made).toContain(part);
  expect((await line(["log", "list", "--limit", "1", "-o", "json"])).stdout).toBe(before);
});
