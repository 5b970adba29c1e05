/** Whatever is exported can be imported: a company with something of everything, into an empty book. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { exported } from "../../../src/cli/export/exported.ts";
import { newDesk } from "../real.ts";

const { acct, home } = newDesk();
const [from, to] = [join(home, "from.acct"), join(home, "to.acct")];

async function done(line: string, book = from): Promise<string> {
  const { code, stdout, stderr } = await acct(line, { env: { ACCT_BOOK: book } });
  expect([code, line, code === 0 ? "" : stderr]).toEqual([0, line, ""]);
  return stdout.trim();
}

const idOf = (line: string) => done(`${line} -o id`);

/** The sample company, and what it has not of its own. */
async function company(): Promise<void> {
  await done("init --demo");
  await done("currency add USD");
  for (const [day, rate] of [
    ["01", "0.6"],
    ["15", "0.61"],
  ]) {
    await done(`currency rate USD ${rate} --date 2026-01-${day}`);
  }
  await done(
    "tax-rate create --name 'City levy' --report-tax-type OUTPUT --component 'name=Levy,rate=2.5' --component 'name=Extra,rate=1,is-compound=true'",
  );
  await done(
    "account create --code 092 --name Dollars --type BANK --bank-account-number 12-77-1 --currency-code USD",
  );
  await done("account create --code 093 --name Till --type BANK --bank-account-number 12-78-1");
  await done(
    "account create --code 299 --name 'Old income' --type REVENUE --description 'Not used, any more'",
  );
  await done("account archive 299 --yes");
  await done("tracking create --name Channel --option Shop --option 'By post'");
  await done("contact create --name 'Tasman, Bits & Co' --contact-number T-1");
  const line =
    "description='Clay, grey',quantity=1.5,unit-amount=20.1234,account=200,tracking=Channel:Shop";
  const to = "--contact 'Tasman, Bits & Co'";
  const sale =
    `${to} --date 2026-02-03 --line "${line}" --line description=Glaze,unit-amount=8,account=200`
      .replaceAll('"', "'")
      .replaceAll("'Clay, grey'", "Clay");
  for (const [status, number] of [
    ["DRAFT", 1],
    ["SENT", 2],
    ["ACCEPTED", 3],
    ["DECLINED", 4],
  ] as const) {
    await done(
      `quote create ${sale} --quote-number Q-${number} --title Pots --terms 'As agreed' --status ${number === 1 ? "DRAFT" : "SENT"}`,
    );
    if (number > 2) await done(`quote ${status === "ACCEPTED" ? "accept" : "decline"} Q-${number}`);
  }
  for (const number of [1, 2]) {
    await done(
      `purchase-order create ${to} --date 2026-02-0${number} --purchase-order-number O-${number} --line description=Clay,unit-amount=50,account=300 --delivery-address 'Quay 1' --status AUTHORISED`,
    );
  }
  await done("purchase-order bill O-2 --all-lines --invoice-number B-77");
  await done(
    `invoice create ${to} --invoice-number X-1 --date 2026-02-03 --due-date 2026-03-03 --line description=Pot,unit-amount=100,account=200 --status AUTHORISED`,
  );
  await done(
    `credit-note create --type ACCRECCREDIT ${to} --credit-note-number C-1 --date 2026-02-05 --line description=Chip,unit-amount=10,account=200 --status AUTHORISED`,
  );
  await done("credit-note allocate C-1 --invoice X-1 --amount 5 --date 2026-02-06");
  for (const amount of [3, 4]) {
    await done(
      `credit-note create --type ACCPAYCREDIT ${to} --date 2026-02-05 --line description=Back,unit-amount=${amount},account=300 --status AUTHORISED --allow-duplicate`,
    );
  }
  const bank = `${to} --bank-account 093 --date 2026-02-07`;
  await done(
    `bank-transaction create --type RECEIVE ${bank} --reference a --line description=Fair,unit-amount=30,account=200`,
  );
  // Two that are alike are two.
  for (const _ of [1, 2]) {
    await done(
      `bank-transaction create --type SPEND ${bank} --line description=Fee,unit-amount=1.5,account=404 --allow-duplicate`,
    );
  }
  const prepaid = await idOf(
    `bank-transaction create --type RECEIVE-PREPAYMENT ${bank} --line description=Ahead,unit-amount=25,account=200`,
  );
  await done(`prepayment allocate ${prepaid} --invoice X-1 --amount 20`);
  const over = await idOf(
    `bank-transaction create --type RECEIVE-OVERPAYMENT ${bank} --line description=Over,unit-amount=12`,
  );
  // One that is alike, of which nothing is given back.
  await done(
    `bank-transaction create --type RECEIVE-OVERPAYMENT ${bank} --line description=Over,unit-amount=12 --allow-duplicate`,
  );
  const refund = "--account 093 --date 2026-02-20 --amount";
  await done(`prepayment refund ${prepaid} ${refund} 3`);
  await done(`overpayment refund ${over} ${refund} 12`);
  await done(`credit-note refund C-1 ${refund} 2.5`);
  // The number of a bill may be that of an invoice, and of another supplier's bill.
  await done("contact create --name Rata");
  for (const [contact, amount] of [
    ["Rata", 11],
    ["'Tasman, Bits & Co'", 13],
  ]) {
    await done(
      `bill create --contact ${contact} --invoice-number X-1 --date 2026-02-03 --due-date 2026-03-03 --line description=Salt,unit-amount=${amount},account=300 --status AUTHORISED`,
    );
  }
  const bills = await done("bill list --where 'InvoiceNumber==\"X-1\"' -o id");
  for (const bill of bills.split("\n")) {
    await done(`payment apply ${bill} --account 093 --amount 5 --date 2026-02-21`);
  }
  await stockMoved();
  await done(
    `bank-transaction create --type RECEIVE ${to} --bank-account 092 --date 2026-02-07 --currency-rate 0.6 --line description=Abroad,unit-amount=60,account=200`,
  );
  await done("bank-transfer create --from 093 --to 090 --amount 5 --date 2026-02-09");
  await done(
    "bank-transfer create --from 093 --to 090 --amount 40 --date 2026-02-08 --reference Till",
  );
  await done(
    "manual-journal create --narration Power --date 2026-02-28 --line account=445,debit=80,description=Meter --line account=835,credit=80 --status POSTED",
  );
  await done(
    "manual-journal create --narration Later --date 2026-02-28 --line account=445,debit=8 --line account=835,credit=8 --status DRAFT",
  );
  await done(
    "asset add --name Kiln --asset-number FA-9 --purchase-date 2026-01-15 --cost 2400 --life 3 --asset-account 710 --accumulated-account 711 --expense-account 416",
  );
  await done(
    "asset add --name Wheel --asset-number FA-10 --purchase-date 2026-01-20 --cost 600 --residual-value 50 --method DiminishingValue100 --rate 20 --asset-account 710 --accumulated-account 711 --expense-account 416",
  );
  await done(
    `invoice create ${to} --invoice-number X-2 --date 2026-02-03 --due-date 2026-03-03 --line 'description=Pot,unit-amount=100,account=200,tax=City levy' --status AUTHORISED`,
  );
  writeFileSync(join(home, "budget.csv"), "Account,2026-02,2026-03\n200,100,110.50\n400,30,\n");
  await done(`budget import ${join(home, "budget.csv")}`);
  await done("bank rule add Fees --when 'text contains fee' --when 'amount 1..5' --to 404");
  await done(
    "bank rule add Split --when 'payee equals Tui' --to 404=40% --to 429 --contact 'Tasman, Bits & Co'",
  );
  await done("bank rule add Till --when 'text contains TILL' --transfer 090");
  writeFileSync(
    join(home, "bank.csv"),
    'Date,Amount,Payee,Details,Balance\n2026-02-10,5.00,Tui,one,5.00\n2026-02-11,-2.50,Kea,"two, three",2.50\n2026-02-11,-2.50,Kea,"two, three",0.00\n',
  );
  await done(`bank import ${join(home, "bank.csv")} --account 093`);
}

/** Purchases before, between and after sales and returns of both kinds, dated in another order. */
async function stockMoved(): Promise<void> {
  await done("item create --code BELL --inventory-asset-account-code 630 --cogs-account 310");
  const moved = (noun: string, number: string, day: string, quantity: number, price: number) => {
    const account = /^bill|ACCPAY/.test(noun) ? 630 : 200;
    return done(
      `${noun} --contact Rata ${number} --date 2026-03-${day} --line description=x,item=BELL,quantity=${quantity},unit-amount=${price},account=${account} --status AUTHORISED`,
    );
  };
  await moved("bill create --due-date 2026-04-01", "--invoice-number S-1", "02", 10, 5);
  await moved("invoice create --due-date 2026-04-01", "--invoice-number S-2", "09", 3, 20);
  await moved("bill create --due-date 2026-04-01", "--invoice-number S-3", "01", 10, 9.33);
  await moved("invoice create --due-date 2026-04-01", "--invoice-number S-4", "05", 4, 20);
  await moved("credit-note create --type ACCRECCREDIT", "--credit-note-number S-5", "06", 2, 20);
  await moved("credit-note create --type ACCPAYCREDIT", "--credit-note-number S-6", "07", 3, 9);
  await moved("invoice create --due-date 2026-04-01", "--invoice-number S-7", "03", 5, 20);
}

beforeAll(async () => {
  await company();
  await done("init --name Other --country NZ", to);
});

/** The rows of an export, without what is an id, or the number of a journal, of its own book. */
async function rowsOf(noun: string, book: string): Promise<string[]> {
  const { rows, head } = await table(noun, book);
  const own = head.flatMap((name, at) =>
    /^(?:\w+ID|Posted)$/.test(name) || (name === "TaxType" && noun === "tax-rates") ? [at] : [],
  );
  const cells = (row: readonly string[]) =>
    row.flatMap((cell, at) => (own.includes(at) ? [] : [cell.replace(/,"Posted":\d+/g, "")]));
  return rows.map((row) => JSON.stringify(cells(row))).sort();
}

async function table(noun: string, book: string) {
  const { parse } = await import("csv-parse/sync");
  const [head = [], ...rows] = parse(await done(`export ${noun}`, book)) as string[][];
  return { head, rows };
}

describe("records exported and imported kind by kind", () => {
  test.each(Object.keys(exported))(
    "exported %s are the same after import into another book, and a second import changes nothing",
    { timeout: 600_000 },
    async (noun) => {
      const file = join(home, `${noun}.csv`);
      await done(`export ${noun} --output-file ${file}`);
      const more = /^(?:bills|invoices)$/.test(noun) ? " --allow-zero" : "";
      await done(`import ${noun} ${file} --yes${more}`, to);
      const [before, after] = [await rowsOf(noun, from), await rowsOf(noun, to)];
      expect(before.length).toBeGreaterThan(1);
      expect(after).toEqual(before);
      const again = JSON.parse(await done(`import ${noun} ${file} --yes${more} -o json`, to));
      expect(again[again.records]).toMatchObject({
        imported: 0,
        updated: noun === "currencies" ? expect.any(Number) : 0,
        refused: 0,
      });
      expect(await rowsOf(noun, to)).toEqual(before);
      const back = JSON.parse(await done(`import ${noun} ${file} --yes${more} -o json`, from));
      expect(back[back.records]).toMatchObject({ imported: 0, refused: 0 });
    },
  );

  test("the book into which all records were imported has the same reports as the exported book", async () => {
    for (const day of ["2026-02-14", "2026-03-05", "2026-12-31"]) {
      for (const more of ["", " --payments-only"]) {
        const report = `report trial-balance --date ${day}${more} -o csv`;
        expect(await done(report, to)).toBe(await done(report, from));
      }
    }
    expect(await done("item list --columns Code,QuantityOnHand,TotalCostPool -o csv", to)).toBe(
      await done("item list --columns Code,QuantityOnHand,TotalCostPool -o csv", from),
    );
    expect(await done("book verify", to)).toContain("Everything adds up.");
  });
});
