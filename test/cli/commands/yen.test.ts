/** Amounts in a currency without decimal places, in every format that a person or a program reads. */
import { readFileSync, writeFileSync } from "node:fs";
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
  expect((await acct("invoice void Y-2 --no-input")).stderr).toContain(
    "Void Y-2 of Kai, 3450 JPY (Awaiting payment)? What it posted is posted once more with every sign turned, on the same date: Income \u22123000 JPY, tax \u2212450 JPY in ",
  );
  expect((await acct("invoice void Y-2 --dry-run")).stderr).toContain("AmountDue 3450 → 0.");
  expect(await ok("invoice list")).toMatch(/^Y-1 .*JPY +3450 +3000$/m);
  expect(await ok("invoice list -o csv --columns InvoiceNumber,Total")).toBe(
    "InvoiceNumber,Total\nY-2,3450\nY-1,3450\n",
  );
  const shown = await ok("invoice show Y-2");
  expect(shown).toMatch(/^Tea +3 +1000 +3000\n {2}200 Sales · 15% GST on Income 450$/m);
  expect(shown).toMatch(/^ +Total JPY +3450$/m);
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
  expect(paid).toMatch(/^BankAmount +704$/m);
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

test("in a book in yen, bank lines, suggestions, refusals, plans, workings and the log show whole yen", async () => {
  const book = `--book ${join(home, "bank.acct")}`;
  const of = (line: string) => ok(`${line} ${book}`);
  const file = (name: string, text: string) => {
    writeFileSync(join(home, name), text);
    return join(home, name);
  };
  await of("init --name Tsuru --country GLOBAL --currency JPY --no-input");
  await of("currency add USD");
  await of("contact create --name Kai");
  await of("account create --name Bank --type BANK --code 095 --bank-account-number 1");
  await of(
    "account create --name Dollars --type BANK --code 096 --bank-account-number 2 --currency-code USD",
  );
  const create =
    "invoice create --contact Kai --invoice-number U-1 --line 'description=Tea,quantity=3,unit-amount=400,account=400,discount-rate=25' --status AUTHORISED";
  const plan = join(home, "tea.plan");
  await of(`${create} --plan ${plan}`);
  const shown = await of(`plan show ${plan}`);
  expect(shown).toMatch(/^ +LineItems 1.UnitAmount: 400$/m);
  expect(shown).toMatch(/^ +Total: 900$/m);
  expect(shown).toMatch(/^Sales \(400\) +-900$/m);
  expect(shown).not.toMatch(/\d\.00/);
  await of(create);
  const yen = file(
    "yen.csv",
    "Date,Description,Amount,Balance\n2026-11-02,Kai U-1,1000,11000\n2026-11-03,Fee,-50,10950\n",
  );
  await of(`bank import ${yen} --account 095 --no-input`);
  await of(
    `bank import ${file("usd.csv", "Date,Description,Amount\n2026-11-02,Kai,7.00\n")} --account 096 --no-input`,
  );
  for (const format of ["table", "csv", "html"]) {
    const lines = await of(`bank lines 095 -o ${format}`);
    expect(lines).toMatch(/\b1,?000\b/);
    expect(lines).not.toMatch(/\d\.00/);
  }
  expect(await of("bank lines 096")).toMatch(/ 7\.00 /);
  expect(await of("bank lines 096 -o json")).toContain('"CurrencyCode":"USD"');
  expect(await of("bank statement list")).toMatch(/ 10000 +10950 +FILE /);
  expect(await of("bank suggest 095")).toContain("100 more than is due");
  const line = (await of("bank lines 095 -o id")).trim().split("\n").at(-1);
  expect(await of(`bank show ${line}`)).toMatch(/^Balance +11000$/m);
  const { code, stderr } = await acct(`bank match ${line} --invoice U-1=300 ${book}`);
  expect([code, stderr]).toEqual([
    5,
    "acct: The line comes to 1000, but what it is matched with to 300.\n",
  ]);
  await of(`bank match ${line} --invoice U-1=900 --account 400=100`);
  const log = await of("log");
  expect(log).toContain(
    "payment P-1 of 900 for U-1 on 2026-11-02, bank transaction T-1 of 100 with Kai",
  );
  expect(log).toContain("bank statement line L-1 Kai U-1 of 1000 on 2026-11-02");
  expect(log).toContain("bank statement line L-3 Kai of 7.00 on 2026-11-02");
  expect(log).not.toMatch(/\d00\.00/);
  expect(await of("undo last --dry-run")).not.toMatch(/\d\.00/);
  expect(await of("explain document U-1 total")).toContain("3 x 400 less 25 %");
});

test("in a book in yen, workings of tax returns, questions, refusals of bank files and payments from other accounts are in whole yen", async () => {
  const book = `--book ${join(home, "return.acct")}`;
  const of = (line: string) => ok(`${line} ${book}`);
  const refused = async (line: string) => (await acct(`${line} ${book} --no-input`)).stderr;
  await of("init --name Tsuru --country NZ --currency JPY --no-input");
  await of("currency add USD");
  await of("contact create --name Kai");
  await of("account create --name Bank --type BANK --code 095 --bank-account-number 1");
  const sale = "--line 'description=Tea,quantity=1,unit-amount=1000,account=200' --date 2026-01-05";
  await of(
    `invoice create --contact Kai --invoice-number Y-1 ${sale} --due-date 2026-01-20 --status AUTHORISED`,
  );
  const days = "--from 2025-12-01 --to 2026-01-31";
  expect(await of(`explain tax-return 8 ${days}`)).toMatch(/ 1150 x 3 \/ 23 = 150 +150$/m);
  expect(await refused(`report gst ${days} --publish`)).toContain("to pay 150?");
  await of("payment apply Y-1 --account 095 --amount 450 --date 2026-01-06");
  expect(await refused("account archive 095")).toContain("has a balance of 450.");
  const sold =
    "--line 'description=Tea,quantity=1,unit-amount=10,account=200' --date 2026-01-05 --due-date 2026-01-20";
  await of(
    `invoice create --contact Kai --currency-code USD --currency-rate 0.0067 --invoice-number U-1 ${sold} --status AUTHORISED`,
  );
  const paid = await of(
    "payment apply U-1 --account 095 --amount 5 --currency-rate 0.0071 --date 2026-01-06 -o html",
  );
  expect(paid).toMatch(/704</);
  expect(paid).not.toMatch(/704\.00/);
  const file = join(home, "gap.csv");
  const rows = "2026-01-06,Kai,450,10450\n2026-01-07,Fee,-50,10300\n2026-01-08,Kai,20,10320\n";
  writeFileSync(file, `Date,Description,Amount,Balance\n${rows}`);
  expect(await refused(`bank import ${file} --account 095`)).toContain(
    "10450 and -50 make 10400, but the balance is 10300: 100 are missing.",
  );
});
