/** Amounts in a currency without decimal places, in every format that a person or a program reads. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct, home } = newDesk();

const ok = async (line: string) => {
  const { code, stdout, stderr } = await acct(line);
  expect([line, code, stderr]).toEqual([line, 0, expect.anything()]);
  return stdout;
};

test("amounts in yen have no decimal places in lists, records, totals and files", async () => {
  await ok("init --name Heron --country NZ --no-input");
  await ok("currency add JPY");
  await ok("contact create --name Kai");
  for (const number of ["Y-1", "Y-2"]) {
    const line =
      "--line 'description=Tea,quantity=3,unit-amount=1000,account=200,tax-type=OUTPUT2'";
    const of = `--contact Kai --currency-code JPY --currency-rate 90 --invoice-number ${number}`;
    await ok(`invoice create ${of} ${line} --status AUTHORISED`);
  }
  await ok("bank-transaction list");
  await ok(
    "account create --name Tokyo --type BANK --code 092 --currency-code JPY --bank-account-number 1",
  );
  await ok("payment apply Y-1 --account 092 --amount 450");
  expect(await ok("invoice history Y-1")).toContain("Payment of 450 was received on");
  expect((await acct("invoice void Y-2 --no-input")).stderr).toContain(", 3450 JPY (AUTHORISED)");
  expect(await ok("invoice list")).toMatch(/^Y-1 .*JPY +3450 +3000$/m);
  expect(await ok("invoice list -o csv --columns InvoiceNumber,Total")).toBe(
    "InvoiceNumber,Total\nY-2,3450\nY-1,3450\n",
  );
  const shown = await ok("invoice show Y-2");
  expect(shown).toMatch(/^Tea +3 +1000 +200 +OUTPUT2 +450 +3000$/m);
  expect(shown).toMatch(/^Total +3450$/m);
  const file = join(home, "list.html");
  await ok(`invoice list -o html --output-file ${file}`);
  expect(readFileSync(file, "utf8")).not.toMatch(/[34],?[04]50\.00/);
});

test("a book in yen posts whole yen for a foreign invoice, its payments and its gains, on both bases", async () => {
  const book = `--book ${join(home, "yen.acct")}`;
  const of = (line: string) => ok(`${line} ${book}`);
  await of("init --name Tsuru --country GLOBAL --currency JPY --no-input");
  await of("currency add USD");
  await of("contact create --name Kai");
  await of("account create --name Bank --type BANK --code 095 --bank-account-number 1");
  await of(
    "account create --name Dollars --type BANK --code 096 --bank-account-number 2 --currency-code USD",
  );
  const lines =
    "--line 'description=Tea,quantity=1,unit-amount=10.01,account=400' --line 'description=Cup,quantity=1,unit-amount=3.33,account=470'";
  await of(
    `invoice create --contact Kai --currency-code USD --currency-rate 0.0067 --invoice-number U-1 ${lines} --status AUTHORISED`,
  );
  // 5.00 / 0.0071 is 704.23, and 5.00 / 0.0067 is 746.27.
  const paid = await of("payment apply U-1 --account 095 --amount 5 --currency-rate 0.0071");
  expect(paid).toMatch(/^BankAmount +704\.00$/m);
  await of("payment apply U-1 --account 096 --amount 2 --currency-rate 0.0073");
  const balances = await of("report trial-balance -o csv");
  expect(balances).toContain("Realized Currency Gains (820),67,");
  expect(balances).toContain("Accounts Receivable (120),946,");
  const cash = await of("report trial-balance --payments-only -o csv");
  expect(cash).toContain("Sales (400),,784,");
  for (const report of [balances, cash, await of("report balance-sheet -o csv")]) {
    expect(report).not.toMatch(/\.\d\d/);
  }
  // What is in dollars keeps its cents, beside yen.
  expect(await of("report bank-summary")).toMatch(/^Dollars .* 274 +USD +2\.00$/m);
  expect(await of("report journal")).not.toMatch(/\d\.\d\d/);
  expect(await of("explain pl Sales")).toMatch(/^= 1\d+, as the report shows/m);
  await of(
    "asset create --name Kiln --purchase-date 2026-11-01 --cost 90000 --life 5 --asset-account 150",
  );
  expect(await of("asset list")).toMatch(/ 90000 +0 +90000$/m);
  expect(await of("asset list -o csv")).toContain(",90000,0,90000");
  expect(await of("asset list -o json")).toContain('"Cost":90000.00');
  expect(await of("contact show Kai")).toMatch(/AccountsReceivable.Outstanding +946$/m);
  expect(await of("report trial-balance -o html")).not.toMatch(/\d\.00</);
  expect(await of("book verify")).toContain("Everything adds up.");
});
