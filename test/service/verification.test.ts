/** What somebody might change in a book behind the program's back, and whether it is found. */
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { verifyAll } from "../../src/service/verification.ts";
import { opened, simulate } from "./business.ts";
import { isOnPostgres, openedWorld, type World } from "./fixture.ts";

let given: World;

beforeAll(async () => {
  given = await openedWorld("NZ", {});
  const business = await opened(given);
  const span = { from: "2026-01-05", to: "2026-06-30" };
  await simulate(business, { ...span, count: 400, seed: 11 });
  return () => given.book.close();
}, 120_000);

/** Faults of the book once `statement` was run in it, of which nothing is kept. */
async function faultsAfter(statement: string): Promise<readonly string[]> {
  return given.book.store.write(
    given.book.org,
    async (tx) => {
      const changed = await sql.raw(statement).execute(tx.db);
      expect(changed.numAffectedRows, "rows changed").toBeGreaterThan(0n);
      return (await verifyAll(tx)).faults;
    },
    { dryRun: true },
  );
}

/** The first record of a table for which a condition holds. */
const first = (table: string, condition = "1 = 1") =>
  `id = (select min(id) from ${table} where ${condition})`;
const approved = "kind = 'Invoice' and status in ('AUTHORISED', 'PAID') and total > 0";
const line = (condition = "1 = 1") =>
  `id = (select min(l.id) from document_line as l join document as d on d.org = l.org
    and d.id = l.document_id where d.${approved.replaceAll(" and ", " and d.")}
    and l.item_id is null and l.line_amount > 100 and ${condition})`;
const otherAccount =
  "(select min(id) from account where status = 'ACTIVE' and class = 'EXPENSE' and code is not null)";

/** Each contradicts something else that the book holds. */
const contradictions: readonly (readonly [what: string, statement: string, fault: RegExp])[] = [
  [
    "the day of an invoice",
    `update document set date = '2026-05-31' where ${first("document", approved)}`,
    /posted on/,
  ],
  [
    "the subtotal",
    `update document set sub_total = sub_total + 1 where ${first("document", approved)}`,
    /the total|SubTotal/,
  ],
  [
    "the tax",
    `update document set total_tax = total_tax + 1 where ${first("document", approved)}`,
    /the tax of|TotalTax/,
  ],
  [
    "the total",
    `update document set total = total + 1 where ${first("document", approved)}`,
    /the total/,
  ],
  [
    "the discount",
    `update document set total_discount = 77 where ${first("document", approved)}`,
    /TotalDiscount/,
  ],
  [
    "what is due",
    `update document set amount_due = amount_due + 1 where ${first("document", approved)}`,
    /is due/,
  ],
  [
    "what is paid",
    `update document set amount_paid = amount_paid + 1 where ${first("document", approved)}`,
    /is paid/,
  ],
  [
    "what is credited",
    `update document set amount_credited = amount_credited + 1 where ${first("document", approved)}`,
    /is credited/,
  ],
  [
    "what is open in the base currency",
    `update document set base_due = base_due + 1 where ${first("document", `${approved} and status = 'AUTHORISED'`)}`,
    /open documents at/,
  ],
  [
    "the status to paid",
    `update document set status = 'PAID' where ${first("document", `${approved} and status = 'AUTHORISED'`)}`,
    /is PAID/,
  ],
  [
    "the status to open",
    `update document set status = 'AUTHORISED' where ${first("document", `${approved} and status = 'PAID'`)}`,
    /AUTHORISED/,
  ],
  [
    "the status to draft",
    `update document set status = 'DRAFT' where ${first("document", approved)}`,
    /is DRAFT, but stands in the ledger/,
  ],
  [
    "the status to none",
    `update document set status = 'SETTLED' where ${first("document", approved)}`,
    /Status of the invoice .* cannot be/,
  ],
  [
    "the day of the last payment",
    `update document set fully_paid_on_date = null where ${first("document", `${approved} and status = 'PAID'`)}`,
    /last payment/,
  ],
  [
    "a day to none",
    `update document set due_date = '2026-02-30' where ${first("document", approved)}`,
    /DueDate of the invoice .* cannot be/,
  ],
  [
    "the exchange rate",
    "update document set currency_rate = 2000000 where id = (select min(id) from document where kind = 'Invoice' and status in ('AUTHORISED', 'PAID') and total > 100 and last_settled is not null)",
    /not what is posted/,
  ],
  [
    "the contact",
    `update document set contact_id = 'x' where ${first("document", approved)}`,
    /names x, which does not exist/,
  ],
  [
    "the type",
    `update document set type = 'ACCPAY' where ${first("document", `${approved} and type = 'ACCREC'`)}`,
    /not what is posted|stands at/,
  ],
  [
    "an account of a line",
    `update document_line set account_id = ${otherAccount} where ${line(`l.account_id <> ${otherAccount}`)}`,
    /is not what is posted of it/,
  ],
  [
    "a quantity",
    `update document_line set quantity = quantity * 3 where ${line("l.unit_amount is not null")}`,
    /do not make its amount/,
  ],
  [
    "a price",
    `update document_line set unit_amount = unit_amount * 3 where ${line("l.unit_amount is not null")}`,
    /do not make its amount/,
  ],
  [
    "the amount of a line",
    `update document_line set line_amount = line_amount + 1 where ${line()}`,
    /do not add up/,
  ],
  [
    "the tax of a line",
    `update document_line set tax_amount = tax_amount + 1 where ${line("l.tax_amount is not null")}`,
    /do not add up/,
  ],
  [
    "the tax rate of a line",
    `update document_line set tax_type = 'NONE' where ${line("l.tax_type <> 'NONE'")}`,
    /is not what is posted of it/,
  ],
  ["a line removed", `delete from document_line where ${line()}`, /do not add up/],
  [
    "the day of a payment",
    `update payment set date = '2026-12-24' where ${first("payment", "status = 'AUTHORISED'")}`,
    /but posted on/,
  ],
  [
    "the amount of a payment",
    `update payment set amount = amount + 1 where ${first("payment", "status = 'AUTHORISED'")}`,
    /its payments are/,
  ],
  [
    "the account of a payment",
    `update payment set account_id = ${otherAccount} where ${first("payment", "status = 'AUTHORISED'")}`,
    /not what is posted of it/,
  ],
  [
    "a payment removed",
    `delete from payment where ${first("payment", "status = 'AUTHORISED'")}`,
    /is paid, but its payments/,
  ],
  [
    "the amount of an allocation",
    `update allocation set amount = amount + 1 where ${first("allocation", "status = 'AUTHORISED'")}`,
    /its allocations are/,
  ],
  [
    "the day of a transfer",
    `update bank_transfer set date = '2026-12-24' where ${first("bank_transfer", "status = 'AUTHORISED'")}`,
    /but posted on/,
  ],
  [
    "the amount of a transfer",
    `update bank_transfer set amount = amount + 1 where ${first("bank_transfer", "status = 'AUTHORISED' and currency_rate = 1000000")}`,
    /not what is posted of it/,
  ],
  [
    "the day of a manual journal",
    `update manual_journal set date = '2026-12-24' where ${first("manual_journal", "status = 'POSTED'")}`,
    /but posted on/,
  ],
  [
    "the amount of a posting",
    "update posting set amount = amount + 1, debit = debit + 1 where number = 1 and ord = 0 and basis = 0",
    /out of balance/,
  ],
  [
    "the account of a posting",
    `update posting set account_id = ${otherAccount} where number = 1 and ord = 0 and basis = 0`,
    /differs from its postings/,
  ],
  [
    "the tax of a posting",
    "update posting set tax_amount = tax_amount + 1 where basis = 0 and tax_amount <> 0 and number * 1000 + ord = (select min(number * 1000 + ord) from posting where basis = 0 and tax_amount <> 0)",
    /turnover|not what is posted/,
  ],
  [
    "the day of a journal",
    "update journal set date = '2026-12-24' where number = 1 and basis = 0",
    /does not agree with its journal/,
  ],
  ["a journal removed", "delete from journal where number = 2 and basis = 0", /but there are/],
  [
    "a balance",
    "update balance set debit = debit + 1 where month = (select min(month) from balance)",
    /differs from its postings/,
  ],
  [
    "a counter",
    "update sequence set last = last - 1 where name = 'journal.accrual'",
    /the counter stands at/,
  ],
  [
    "a quantity on hand",
    "update item set quantity_on_hand = quantity_on_hand + 10000 where is_tracked_as_inventory = 1",
    /quantity and cost on hand/,
  ],
  [
    "a cost pool",
    "update item set total_cost_pool = total_cost_pool + 1 where is_tracked_as_inventory = 1",
    /quantity and cost on hand/,
  ],
  [
    "a move of stock",
    `update inventory_move set cost = cost + 1 where ${first("inventory_move")}`,
    /quantity and cost on hand/,
  ],
  [
    "a move of no document",
    `update inventory_move set document_id = 'x' where ${first("inventory_move")}`,
    /names x/,
  ],
  [
    "a tracking option of a line",
    `update document_line set option1 = 'x' where ${line()}`,
    /option1 of a document line names x, which does not exist/,
  ],
  [
    "a tax rate of a line to none",
    `update document_line set tax_type = 'X' where ${line()}`,
    /tax_type of a document line names X, which does not exist/,
  ],
  [
    "a history of no record",
    `update history set record_id = 'x' where ${first("history", "resource = 'Invoice'")}`,
    /history of the invoice x, which does not exist/,
  ],
  [
    "a history of no kind of record",
    `update history set resource = 'Payslip' where ${first("history")}`,
    /history of Payslip, which this book does not keep/,
  ],
  [
    "an online page of no document",
    "insert into online_document (org, record_id, generation) select min(org), 'x', 1 from organisation",
    /record_id of an online document names x/,
  ],
  [
    "the name of a contact",
    `update contact set name = 'Somebody' where ${first("contact")}`,
    /not the one by which it is found/,
  ],
  [
    "an address to nonsense",
    `update contact set addresses = '{' where ${first("contact")}`,
    /Addresses of the contact .* cannot be/,
  ],
  [
    "the type of an account",
    `update account set type = 'NONSENSE' where ${first("account")}`,
    /Type of the account .* cannot be/,
  ],
  [
    "a tax rate to nonsense",
    "update tax_rate set tax_components = 'x' where id = (select min(id) from tax_rate)",
    /cannot be/,
  ],
];

/** Nothing else in the book tells what stood there before. */
const consistent: readonly (readonly [what: string, statement: string])[] = [
  ["the description of a line", `update document_line set description = 'Other' where ${line()}`],
  [
    "the day when a document falls due",
    `update document set due_date = '2026-12-24' where ${first("document", approved)}`,
  ],
  ["a text of the history", `update history set details = 'Other' where ${first("history")}`],
  ["a line of the history removed", `delete from history where ${first("history")}`],
  [
    "the bank details of a contact",
    `update contact set bank_account_details = '01-2' where ${first("contact")}`,
  ],
];

// On SQLite alone: what is run here names no organisation, and so nothing that the service would.
describe.skipIf(isOnPostgres)("a book that was changed from outside", () => {
  test("is verified without a fault before it is", async () => {
    expect((await given.book.store.read(given.book.org, verifyAll)).faults).toEqual([]);
  });

  test.each(contradictions)("is refused: %s", async (_what, statement, fault) => {
    const faults = await faultsAfter(statement);
    expect(
      faults.some((each) => fault.test(each)),
      faults.slice(0, 9).join("\n"),
    ).toBe(true);
  });

  test.each(consistent)("is not contradicted by itself: %s", async (_what, statement) => {
    expect(await faultsAfter(statement)).toEqual([]);
  });
});
