/** What somebody might change in a book behind the program's back, and whether it is found. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { copyBook } from "../../../src/service/books/copy-book.ts";
import { verifyAll } from "../../../src/service/verification/verification.ts";
import { tester } from "../../support/audit.ts";
import { firstOf } from "../../support/properties.ts";
import { opened, simulate } from "../business.ts";
import { contact, openedWorld, paid, sale, type World } from "../fixture.ts";

let given: World;

beforeAll(async () => {
  given = await openedWorld("NZ", {}, "alone");
  const business = await opened(given);
  const span = { from: "2026-01-05", to: "2026-06-30" };
  await simulate(business, { ...span, count: 400, seed: 11 });
  // A rate of its own, on an invoice of which half is paid.
  const TaxComponents = [{ Name: "Levy", Rate: 7.5 }];
  const levy = { Name: "Levy", ReportTaxType: "OUTPUT", TaxComponents };
  const { TaxRates } = await given.ok("PUT", "/TaxRates", { TaxRates: [levy] });
  const line = { Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" };
  const { Invoices } = await given.ok("PUT", "/Invoices", {
    ...sale(await contact(given), { Status: "AUTHORISED" }),
    LineItems: [{ ...line, TaxType: TaxRates[0].TaxType }],
  });
  await paid(given, Invoices[0], { Amount: 50 });
  await given.ok("PUT", "/Contacts", { Name: "Nobody" });
  const file = {
    method: "PUT",
    path: `/Invoices/${Invoices[0].InvoiceID}/Attachments/receipt.txt`,
    query: [],
    headers: { accept: "application/json", "content-type": "text/plain" },
    body: new TextEncoder().encode("Paid"),
  } as const;
  expect(await given.book.transport(file)).toMatchObject({ status: 200 });
  return () => given.book.close();
});

/** Faults of the book once `statements` were run in it, of which nothing is kept. */
async function faultsAfter(...statements: readonly string[]): Promise<readonly string[]> {
  return given.book.store.write(
    given.book.org,
    async (tx) => {
      for (const each of statements) {
        const text = each.replaceAll("$bytes", tx.dialect.columnTypes.bytes);
        const { numAffectedRows } = await sql.raw(text).execute(tx.db);
        expect(numAffectedRows, `rows changed by ${text}`).toBeGreaterThan(0n);
      }
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
/** Of a journal `j` that neither undoes one nor was undone. */
const live = `j.reverses is null and not exists (
  select 1 from journal as u where u.basis = j.basis and u.reverses = j.number)`;
/** The first posting that stands in a ledger, of those for which a condition holds. */
const posting = (basis: "accrual" | "cash", condition: string) => {
  const code = basis === "cash" ? 1 : 0;
  return `basis = ${code} and number * 1000 + ord = (
    select min(p.number * 1000 + p.ord) from posting as p
    join journal as j on j.org = p.org and j.basis = p.basis and j.number = p.number
    where p.basis = ${code} and ${condition} and ${live})`;
};
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
    /what is posted of it on accrual basis is not/,
  ],
  [
    "a payment removed",
    `delete from payment where ${first("payment", "status = 'AUTHORISED'")}`,
    /is paid, but its payments/,
  ],
  [
    "what a payment takes off in the base currency",
    `update payment set base_amount = base_amount + 1 where ${first("payment", "status = 'AUTHORISED'")}`,
    /Payment .* the base amount is .*, but must be/,
  ],
  [
    "the rate of a payment",
    `update payment set currency_rate = currency_rate * 2 where ${first("payment", "status = 'AUTHORISED' and currency_rate <> 1000000 and amount > 100")}`,
    /Payment .* is not what it comes to|Payment .* must be/,
  ],
  [
    "what a payment moves on the bank account",
    `update payment set bank_amount = bank_amount + 1 where ${first("payment", "status = 'AUTHORISED' and bank_amount is not null")}`,
    /Payment .* the bank amount is .*, but must be/,
  ],
  [
    "the type of a payment",
    `update payment set payment_type = 'APOVERPAYMENTPAYMENT' where ${first("payment", "status = 'AUTHORISED' and batch_payment_id is null")}`,
    /Payment .* is no APOVERPAYMENTPAYMENT/,
  ],
  [
    "the day of an allocation",
    `update allocation set date = '2026-12-24' where ${first("allocation", "status = 'AUTHORISED'")}`,
    /Allocation .* is of 2026-12-24, but posted on/,
  ],
  [
    "what an allocation takes off a credit in the base currency",
    `update allocation set credit_base = credit_base + 1 where ${first("allocation", "status = 'AUTHORISED'")}`,
    /Allocation .* the base amount of the credit is .*, but must be/,
  ],
  [
    "what an allocation takes off an invoice in the base currency",
    `update allocation set invoice_base = invoice_base + 1 where ${first("allocation", "status = 'AUTHORISED'")}`,
    /Allocation .* the base amount of the invoice is .*, but must be/,
  ],
  [
    "an allocation removed by its status",
    `update allocation set status = 'DELETED' where ${first("allocation", "status = 'AUTHORISED'")}`,
    /its allocations are/,
  ],
  [
    "what two documents owe in the base currency",
    `update document set base_due = base_due + case when ${first("document", `${approved} and status = 'AUTHORISED' and type = 'ACCREC'`)} then 1 else -1 end
      where id in (select min(id) from document where ${approved} and status = 'AUTHORISED' and type = 'ACCREC'
        union select max(id) from document where ${approved} and status = 'AUTHORISED' and type = 'ACCREC')`,
    /is open in the base currency, but its settlements leave/,
  ],
  [
    "what is credited on cash basis",
    `update document set cash_credited = cash_credited + 1 where ${first("document", `${approved} and amount_credited > 0`)}`,
    /credited of it on cash basis/,
  ],
  [
    "the day of the last payment to another",
    `update document set fully_paid_on_date = '2026-12-24' where ${first("document", `${approved} and status = 'PAID'`)}`,
    /is kept as paid on 2026-12-24/,
  ],
  [
    "the day after which nothing was settled",
    `update document set last_settled = '2025-12-24' where ${first("document", "kind = 'Invoice' and last_settled is not null and status = 'PAID'")}`,
    /after the day that is kept as the last/,
  ],
  [
    "the currency",
    `update document set currency_code = 'USD' where ${first("document", `${approved} and last_settled is null`)}`,
    /is in USD, which is not as it was settled/,
  ],
  [
    "the currency of a bank transaction",
    `update document set currency_code = 'USD' where ${first("document", "kind = 'BankTransaction' and last_settled is not null")}`,
    /not the currency of its bank account/,
  ],
  [
    "one of the statuses of a prepayment",
    `update document set bank_status = 'VOIDED' where ${first("document", "type = 'RECEIVE-PREPAYMENT' and status in ('AUTHORISED', 'PAID')")}`,
    /is VOIDED as a bank transaction, but/,
  ],
  [
    "the status of a prepayment to paid",
    `update document set status = 'PAID' where ${first("document", "type = 'RECEIVE-PREPAYMENT' and status = 'AUTHORISED'")}`,
    /is PAID, and what is left of it says otherwise|is PAID, but an amount is due/,
  ],
  [
    "the tax of a bank transaction",
    `update document_line set tax_amount = tax_amount + 1 where id = (
      select min(l.id) from document_line as l join document as d on d.org = l.org and d.id = l.document_id
      where d.type = 'SPEND' and d.status = 'PAID' and l.tax_amount > 0)`,
    /the tax of line \d+ is not what its rate makes/,
  ],
  [
    "an account of a payment in the cash ledger",
    `update posting set account_id = ${otherAccount} where ${posting("cash", "j.source_type = 'ACCRECPAYMENT' and p.line is not null")}`,
    /Payment .* on cash basis is not what it comes to/,
  ],
  [
    "a tax of a payment in the cash ledger",
    `update posting set tax_amount = tax_amount + 1 where ${posting("cash", "j.source_type = 'ACCRECPAYMENT' and p.tax_amount <> 0")}`,
    /Payment .* on cash basis is not what it comes to/,
  ],
  [
    "an account of an allocation in the cash ledger",
    `update posting set account_id = ${otherAccount} where ${posting("cash", "p.line is not null and j.source_id in (select id from allocation where status = 'AUTHORISED')")}`,
    /Allocation .* on cash basis is not what it comes to/,
  ],
  [
    "an account of a bank transaction in the cash ledger",
    `update posting set account_id = ${otherAccount} where ${posting("cash", "j.source_type = 'CASHPAID' and p.line is not null")}`,
    /Document .* on cash basis is not what it comes to/,
  ],
  [
    "a tracking option of a manual journal in the ledger",
    `update posting set option1 = (select min(id) from tracking_option) where ${posting("accrual", "j.source_type = 'MANJOURNAL' and p.option1 = ''")}`,
    /Manual journal .* on accrual basis is not what it comes to/,
  ],
  [
    "the tax of a posting at a rate of one's own",
    `update posting set tax_amount = tax_amount + 1 where ${posting("accrual", "p.tax_type = 'TAX001' and j.source_type = 'ACCREC'")}`,
    /line 1 is not what is posted of it/,
  ],
  [
    "the cost of goods in the ledger",
    `update posting set amount = amount + 1, debit = debit + 1 where ${posting("accrual", "j.source_type = 'ACCREC' and p.line is not null and p.tax_type is null and p.amount > 0")}`,
    /the cost of its goods is not what is posted/,
  ],
  [
    "the type of a journal",
    `update journal set source_type = 'ACCPAY' where basis = 0 and number = (
      select min(j.number) from journal as j where j.basis = 0 and j.source_type = 'ACCREC' and ${live})`,
    /its journal is not of it/,
  ],
  [
    "whose journal it is",
    `update journal set source_id = 'x' where basis = 0 and number = (
      select min(j.number) from journal as j where j.basis = 0 and j.source_type = 'ACCREC' and ${live})`,
    /source_id of a journal names x, which does not exist/,
  ],
  [
    "the counter of invoices",
    "update sequence set last = last - 1 where name = 'invoice'",
    /The counter invoice stands at \d+, but the number INV-\d+ is in use/,
  ],
  [
    "the counter of credit notes",
    "update sequence set last = 0 where name = 'credit-note'",
    /The counter credit-note stands at 0, but the number CN-\d+ is in use/,
  ],
  [
    "the counter of tax rates",
    "update sequence set last = 0 where name = 'tax-rate'",
    /The counter tax-rate stands at 0, but the number TAX001 is in use/,
  ],
  [
    "a counter removed",
    "delete from sequence where name = 'invoice'",
    /counter invoice stands at 0/,
  ],
  [
    "what a tax rate charges",
    "update tax_rate set effective_rate = effective_rate + 1 where id = 'TAX001'",
    /tax rate Levy \(TAX001\) charges 7\.5001 % and shows 7\.5000 %/,
  ],
  [
    "what a tax rate of the country shows",
    "update tax_rate set display_tax_rate = 1 where id = 'OUTPUT2'",
    /tax rate .* \(OUTPUT2\) charges 15\.0000 % and shows 0\.0001 %/,
  ],
  [
    "the components of a tax rate",
    'update tax_rate set tax_components = \'[{"Name":"Levy","Rate":80000}]\' where id = \'TAX001\'',
    /is not what its components come to/,
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
    /what is posted of it on cash basis is not/,
  ],
  [
    "what came by a transfer",
    `update bank_transfer set to_amount = to_amount + 1 where ${first("bank_transfer", "status = 'AUTHORISED'")}`,
    /what came to the other account is not what left one/,
  ],
  [
    "the account of a transfer",
    `update bank_transfer set to_bank_account_id = ${otherAccount} where ${first("bank_transfer", "status = 'AUTHORISED'")}`,
    /Bank transfer .* what is posted of it on accrual basis is not/,
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
    "the quantity of a move of stock",
    `update inventory_move set quantity = quantity + 10000 where ${first("inventory_move", "document_id in (select id from document where status in ('AUTHORISED', 'PAID'))")}`,
    /the goods of line \d+ are not those that have moved/,
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

const shift = (table: string, columns: string, condition: string) =>
  `update ${table} set ${columns} where ${condition}`;
const firstApproved = `(select min(id) from document where ${approved} and type = 'ACCREC')`;
const firstPayment = "(select min(id) from payment where status = 'AUTHORISED')";

/**
 * Nothing else in the book tells what stood there before: where sums follow from what is changed,
 * they are changed with it. The chain finds it.
 */
const consistent: readonly (readonly [
  what: string,
  statements: string | string[],
  fault: RegExp,
])[] = [
  [
    "the description of a line",
    `update document_line set description = 'Other' where ${line()}`,
    /^The lines of the \w+ \S+ \(\S+\): changed outside of the program since link \d+/,
  ],
  [
    "the day when a document falls due",
    `update document set due_date = '2026-12-24' where ${first("document", approved)}`,
    /^\w+ \S+ \(\S+\): changed/,
  ],
  [
    "the day of an invoice with its journal",
    ["document set date", "journal set date", "posting set date"].map((set) =>
      set.startsWith("document")
        ? `update ${set} = '2026-01-31' where id = ${firstApproved}`
        : `update ${set} = '2026-01-31' where basis = 0 and number in (select number from journal
              where basis = 0 and source_id = ${firstApproved})`,
    ),
    /^Invoice \S+ \(\S+\): changed/,
  ],
  [
    "a text of the history",
    `update history set details = 'Other' where ${first("history")}`,
    /^An entry in the history of the .+: changed/,
  ],
  [
    "a line of the history removed",
    `delete from history where ${first("history")}`,
    /^An entry in the history of the .+: removed/,
  ],
  [
    "a line of the history added",
    `insert into history (org, resource, record_id, id, at, "user", changes, details)
        select org, resource, record_id, 'x', at, "user", changes, 'Other' from history
        where ${first("history")}`,
    /^An entry in the history of the .+: added/,
  ],
  [
    "the bank details of a contact",
    `update contact set bank_account_details = '01-2' where ${first("contact")}`,
    /^Contact .+ \(\S+\): changed/,
  ],
  [
    "the address of a contact",
    `update contact set email_address = 'x@example.com' where ${first("contact")}`,
    /^Contact .+ \(\S+\): changed/,
  ],
  [
    "a contact removed with its history",
    [
      "delete from history where record_id in (select id from contact where name = 'Nobody')",
      "delete from contact where name = 'Nobody'",
    ],
    /^Contact \S+: removed/,
  ],
  [
    "the lock date",
    "update organisation set period_lock_date = '2020-12-31'",
    /^The settings of the organisation .+: changed/,
  ],
  [
    "the number of an account",
    `update account set bank_account_number = '01-1' where ${first("account", "type = 'BANK'")}`,
    /^Account .+ \(\S+\): changed/,
  ],
  [
    "the reference of a payment",
    `update payment set reference = 'x', reference_key = 'x' where id = ${firstPayment}`,
    /^Payment of \S+ on \S+ \(\S+\): changed/,
  ],
  [
    "whether a payment is reconciled",
    `update payment set is_reconciled = 1 - coalesce(is_reconciled, 0) where id = ${firstPayment}`,
    /^Payment of \S+ on \S+ \(\S+\): changed/,
  ],
  [
    "the references of two invoices, swapped",
    shift(
      "document",
      `reference = case when id = ${firstApproved} then 'B' else 'A' end`,
      `id in (select id from document where ${approved} and type = 'ACCREC' order by id limit 2)`,
    ),
    /^Invoice \S+ \(\S+\): changed/,
  ],
  [
    "the counter of invoices, raised",
    "update sequence set last = last + 10 where name = 'invoice'",
    /^Counter invoice: changed/,
  ],
  [
    "the role of a user",
    "update user_account set organisation_role = 'READONLY'",
    /^User \S+ \(\S+\): changed/,
  ],
  [
    "the text of a posting",
    `update posting set description = 'Other' where ${posting("accrual", "p.line is not null")}`,
    /^The postings of journal \d+ \(accrual\): changed/,
  ],
  [
    "the moment of a journal",
    "update journal set created_at = created_at - 1000 where basis = 0 and number = 3",
    /^Journal 3 \(accrual\): changed/,
  ],
  [
    "a draft removed with its lines and its history",
    ["document_line where document_id", "history where record_id", "document where id"].map(
      (from) => `delete from ${from} in (select id from document where status = 'DRAFT')`,
    ),
    /^\w+( \w+)* \S+: removed/,
  ],
  [
    "the tax of a line, its document, its journal and all sums",
    [
      `update document_line set tax_type = 'NONE' where document_id = ${firstApproved}`,
      `update posting set tax_type = 'NONE' where basis = 0 and tax_type is not null
          and number in (select number from journal where source_id = ${firstApproved})`,
    ],
    /^The lines of the invoice \S+ \(\S+\): changed/,
  ],
  [
    "the bytes of a file with its hash",
    [
      "update attachment_chunk set bytes = cast('other' as $bytes)",
      "update attachment set size = 5, sha256 = 'd9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa'",
    ],
    /^File receipt\.txt \(\S+\): changed/,
  ],
];

/** A kind of record, and which one of them. */
const named = /^[A-Z].* \S+.*: (changed|added|removed) outside of the program/;

describe("a book file changed by SQL", () => {
  test("the book passes verification before it is changed by SQL", async () => {
    expect((await given.book.store.read(given.book.org, verifyAll)).faults).toEqual([]);
  });

  test.each(firstOf(contradictions, 16))(
    "verification reports the value changed by SQL: %s",
    async (_what, statement, fault) => {
      const faults = await faultsAfter(statement);
      expect(
        faults.some((each) => fault.test(each)),
        faults.slice(0, 9).join("\n"),
      ).toBe(true);
      // The chain names the record as well, but for balances, which follow from what it has.
      const isDerived = statement.startsWith("update balance");
      expect(faults.some((each) => named.test(each))).toBe(!isDerived);
    },
  );

  test.each(firstOf(consistent, 6))(
    "verification reports by the hash chain a change that keeps all sums consistent: %s",
    async (_what, statements, fault) => {
      const faults = await faultsAfter(...[statements].flat());
      expect(
        faults.some((each) => fault.test(each)),
        faults.slice(0, 9).join("\n"),
      ).toBe(true);
    },
  );

  test("a book that fails verification is not copied until it is corrected", async () => {
    const folder = mkdtempSync(join(tmpdir(), "acct-copied-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { store, org, path } = given.book;
    const raise = (cents: number) =>
      store.write(org, (tx) =>
        sql
          .raw(
            `update payment set base_amount = base_amount + ${cents}
              where ${first("payment", "status = 'AUTHORISED'")}`,
          )
          .execute(tx.db),
      );
    await raise(1);
    const copying = { kind: "book.copied", by: tester, at: given.now } as const;
    await expect(copyBook(path, join(folder, "refused.acct"), copying)).rejects.toMatchObject({
      code: "DoesNotAddUp",
      details: expect.arrayContaining([
        { message: expect.stringMatching(/Payment .* the base amount is/) },
      ]),
    });
    await raise(-1);
    const { checks } = await copyBook(path, join(folder, "copied.acct"), copying);
    expect(checks.map(({ name }) => name)).toContain("documents worked out again");
  });
});
