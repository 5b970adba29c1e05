import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { verify } from "../../../src/store/maintenance/verify.ts";
import type { Store } from "../../../src/store/store.ts";
import { firstOf } from "../../support/properties.ts";
import { enter, ids } from "../books.ts";
import { guid, newId } from "../samples.ts";
import { storeIn, worlds } from "../worlds.ts";

/** What somebody might do to a book behind the program's back, and what is said of it. */
const damages: [what: string, statement: string, fault: RegExp][] = [
  [
    "the counter of handles is behind a handle that was given",
    "update sequence set last = 0 where name = 'handle.B'",
    /The handle B-1 was given, but their counter stands at 0\./,
  ],
  [
    "a bill loses its handle",
    `update document set handle = null where id = '${ids.bill}'`,
    /The document \S+ has no handle\./,
  ],
  [
    "a posting is changed",
    "update posting set amount = 12, debit = 12 where amount = 4000",
    /Journal 2 \(accrual\) is out of balance by -39\.88/,
  ],
  [
    "a posting is moved to another month",
    "update posting set date = '2026-03-01' where number = 1 and ord = 0",
    /does not agree with its journal/,
  ],
  [
    "a posting is left without its journal",
    "update posting set number = 9 where number = 3",
    /Posting 1 of journal 9/,
  ],
  [
    "a journal is removed",
    "delete from journal where number = 2",
    /numbered 1 to 3, but there are 2/,
  ],
  [
    "the last journal is removed",
    "delete from journal where number = 3",
    /The last accrual journal is 2, but the counter stands at 3/,
  ],
  [
    "a balance is changed",
    `update balance set debit = debit + 1 where account_id = '${ids.cost}'`,
    /balance of account \S+ in 2026-02 differs from its postings by 0\.01 of debits and 0\.00/,
  ],
  [
    "the tax of a balance is changed",
    `update balance set tax = tax - 15 where account_id = '${ids.cost}'`,
    /differs from its postings by 0\.00 of debits and 0\.00 of credits, and by -0\.15 of tax/,
  ],
  [
    "a balance is added",
    `insert into balance (org, basis, month, account_id, option1, option2, debit, credit, tax) values (1, 1, '2020-01', '${guid(1)}', '', '', 5, 5, 0)`,
    /The cash balance of account/,
  ],
  [
    "a balance is removed",
    `delete from balance where account_id = '${ids.debtors}'`,
    /DEBTORS stands at 0\.00, but its open documents at 65\.00/,
  ],
  [
    "an open amount is changed",
    `update document set base_due = 1 where id = '${ids.bill}'`,
    /CREDITORS stands at 115\.00, but its open documents at 0\.01/,
  ],
  [
    "a total is changed",
    `update document set total = 1, amount_due = 1 where id = '${ids.bill}'`,
    /Document B \(\S+\): the total 0\.01 is not 100\.00 and the tax of 15\.00/,
  ],
  [
    "what is due is changed",
    `update document set amount_due = 0 where id = '${ids.invoice}'`,
    /Document INV-1 \(\S+\): the total 115\.00 is not what is due \(0\.00\), paid \(50\.00\)/,
  ],
  [
    "a document is closed that is open",
    `update document set status = 'PAID' where id = '${ids.invoice}'`,
    /INV-1 \(\S+\) is PAID, but an amount is due/,
  ],
  [
    "a line is changed",
    `update document_line set line_amount = 3 where document_id = '${ids.bill}'`,
    /Document B \(\S+\): its lines do not add up/,
  ],
  [
    "the tax of a line is changed",
    `update document_line set tax_amount = null where document_id = '${ids.bill}'`,
    /Document B \(\S+\): its lines do not add up/,
  ],
  [
    "lines are left without their document",
    `update document_line set document_id = 'x' where document_id = '${ids.bill}'`,
    /lines of a document x, which does not exist/,
  ],
  [
    "a payment is changed",
    "update payment set amount = 4999",
    /INV-1 \(\S+\): 50\.00 is paid, but its payments are 49\.99/,
  ],
  [
    "a payment is reversed by its status alone",
    "update payment set status = 'DELETED'",
    /Payment \S+ is reversed, but -?50\.00 of it is still posted/,
  ],
  [
    "a payment is left without its document",
    `update payment set invoice_id = 'x'`,
    /Payment \S+ is of a document that does not exist/,
  ],
  [
    "a document is voided by its status alone",
    `update document set status = 'VOIDED' where id = '${ids.bill}'`,
    /Document \S+ is void, but -?\d+\.00 of it is still posted/,
  ],
  [
    "a quantity is changed",
    "update item set quantity_on_hand = 1",
    /Item mug: quantity and cost on hand differ/,
  ],
  [
    "a cost pool is changed",
    "update item set total_cost_pool = 6001",
    /inventory account 630 stands at 60\.00, but the items on it at 60\.01/,
  ],
  [
    "the bytes of a file are removed",
    "delete from attachment_chunk",
    /The bytes of the file slip\.txt \(\S+\) are not those it had/,
  ],
  [
    "the size of a file is changed",
    "update attachment set size = 8",
    /The bytes of the file slip\.txt/,
  ],
  [
    "bytes are left without their file",
    "delete from attachment",
    /bytes of a file \S+, which does not exist/,
  ],
  [
    "a file is left without its record",
    "update attachment set record_id = 'x'",
    /slip\.txt \(\S+\) is on a record that does not exist/,
  ],
  [
    "a record forgets its files",
    "update document set has_attachments = 0",
    /slip\.txt \(\S+\) is on a record that says it has none/,
  ],
];

describe.each(worlds.map((make) => make()))("$name", (world) => {
  afterAll(() => world.close());

  async function book(): Promise<Store> {
    const store = await storeIn(await world.empty());
    await store.write(1, (tx) => enter(tx, newId));
    return store;
  }

  test("verification of a consistent book reports nothing, and runs every check", async () => {
    const store = await book();
    expect(await store.read(1, verify)).toEqual({
      checks: [
        { name: "journals", count: 3 },
        { name: "postings", count: 10 },
        { name: "journal numbers", count: 1 },
        { name: "balances", count: 7 },
        { name: "control accounts", count: 2 },
        { name: "records", count: 21 },
        { name: "documents", count: 2 },
        { name: "document lines", count: 2 },
        { name: "payments", count: 1 },
        { name: "allocations", count: 0 },
        { name: "tracked items", count: 1 },
        { name: "kinds of references", count: 62 },
        { name: "batch payments", count: 0 },
        { name: "manual journals", count: 0 },
        { name: "reversed records", count: 0 },
        { name: "attachments", count: 1 },
        { name: "bank statement lines", count: 0 },
        { name: "fixed assets", count: 0 },
        { name: "handles", count: 3 },
        { name: "links of the chain", count: 2 },
        { name: "records in the chain", count: 48 },
        { name: "entries of the audit log", count: 0 },
      ],
      faults: [],
    });
    await store.close();
  });

  test("verification of an empty book reports nothing", async () => {
    const store = await storeIn(await world.empty());
    expect((await store.read(1, verify)).faults).toEqual([]);
    await store.close();
  });

  test.each(firstOf(damages, 12))(
    "verification of a book reports that %s",
    async (_what, statement, fault) => {
      const store = await book();
      const { faults } = await store.write(1, async (tx) => {
        await sql.raw(statement).execute(tx.db);
        return verify(tx);
      });
      expect(
        faults.some((each) => fault.test(each)),
        faults.join("\n"),
      ).toBe(true);
      await store.close();
    },
  );

  test("verification reports a changed byte of an attached file", async () => {
    const store = await book();
    const { faults } = await store.write(1, async (tx) => {
      await sql`update attachment_chunk set bytes = ${Buffer.from("Thank yov")}`.execute(tx.db);
      return verify(tx);
    });
    expect(faults).toEqual([
      `The bytes of the file slip.txt (${ids.attachment}) are not those it had.`,
    ]);
    await store.close();
  });

  test("verification reports errors of one kind only up to a limit", async () => {
    const store = await book();
    const { faults } = await store.write(1, async (tx) => {
      for (let i = 0; i < 40; i += 1) {
        await sql`insert into balance (org, basis, month, account_id, option1, option2, debit, credit, tax)
          values (1, 0, '2020-01', ${guid(i)}, '', '', 5, 0, 0)`.execute(tx.db);
      }
      return verify(tx);
    });
    expect(faults).toHaveLength(21);
    expect(faults.at(-1)).toBe("… and more of the same kind.");
    await store.close();
  });
});
