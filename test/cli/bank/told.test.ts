/** Contacts that are made by the way, and lines that are left to people, are told. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct, home } = newDesk();

beforeAll(async () => {
  await acct("init --name Heron --country NZ --no-input");
  await acct(
    "account create --code 090 --name Cheque --type BANK --bank-account-number 01-0902-0068389-00",
  );
  await acct("contact create --name Kea");
  const rows = [
    "2026-03-02,-900.00,WAGES,march",
    "2026-03-03,-20.00,Kea,march",
    "2026-03-04,-8.00,Tui,tea",
  ];
  writeFileSync(join(home, "bank.csv"), `Date,Amount,Payee,Details\n${rows.join("\n")}\n`);
  await acct(`bank import ${join(home, "bank.csv")} --account 090`);
});

const lineOf = async (payee: string) => {
  const { stdout } = await acct("bank lines 090 -o json");
  const lines = JSON.parse(stdout) as { Payee: string; BankStatementLineID: string }[];
  return lines.find(({ Payee }) => Payee === payee)?.BankStatementLineID;
};

test("a contact made by a match is named on stderr; automatic reconciling makes none, and leaves what was unmatched until it is released", async () => {
  const tea = await acct(`bank match ${await lineOf("Tui")} --account 429`);
  expect([tea.code, tea.stderr]).toEqual([0, "1 contact made: Tui.\n"]);
  const named = await acct("bank rule add Wages --when 'text contains march' --to 477");
  expect(named.code).toBe(0);
  const wages = await lineOf("WAGES");
  const auto = await acct("bank reconcile 090 --auto");
  expect([auto.code, auto.stderr]).toEqual([7, "acct: 1 line reconciled, 1 left.\n"]);
  await acct("contact create --name WAGES");
  expect((await acct("bank reconcile --auto")).stderr).toBe("1 line reconciled, 0 left.\n");
  const back = await acct(`bank unmatch ${wages}`);
  expect([back.code, back.stderr]).toEqual([
    0,
    "What was unmatched is left to people: reconcile --auto does not decide it again; acct bank match or reconcile by hand does. acct bank release gives it back.\n",
  ]);
  const again = await acct("bank reconcile 090 --auto");
  expect([again.code, again.stderr]).toEqual([7, "acct: 0 of 1 line decided.\n"]);
  expect((await acct(`bank release ${wages}`)).code).toBe(0);
  expect((await acct("bank reconcile 090 --auto")).code).toBe(0);
  const done = await acct("bank reconcile 090 --auto");
  expect([done.code, done.stderr.split("\n")[0]]).toEqual([0, "No lines wait at 090."]);
});

test("a bank file with a line more than a year ahead is refused, and nothing of it is added", async () => {
  for (const [name, text] of [
    ["ahead.csv", "Date,Amount,Payee\n16/03/62,-5.00,Cafe\n17/03/62,-6.00,Cafe\n"],
    ["ahead.qif", "!Type:Bank\nD2062-03-16\nT-5.00\nPCafe\n^\n"],
  ] as const) {
    writeFileSync(join(home, name), text);
    const before = (await acct("bank lines 090 -o json")).stdout;
    const { code, stderr } = await acct(`bank import ${join(home, name)} --account 090 --yes`);
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(
        /a line of 16 Mar 2062, more than a year after today: the day is wrong/,
      ),
    ]);
    expect((await acct("bank lines 090 -o json")).stdout).toBe(before);
  }
});

test("contacts created by opening balances are named on stderr", async () => {
  await acct("item create --code OAK --inventory-asset-account-code 630 --cogs-account 310");
  const file = (name: string, ...rows: string[]) => {
    writeFileSync(join(home, name), `${rows.join("\n")}\n`);
    return join(home, name);
  };
  const documents = file(
    "open.csv",
    "Type,Number,Contact,Date,Amount",
    "invoice,A-1,Moa,2026-01-15,50.00",
    "invoice,A-2,kea,2026-01-15,50.00",
  );
  const stock = file("stock.csv", "Item,Quantity,Cost", "OAK,2,10");
  const balances = file("tb.csv", "Account,Debit,Credit", "610,100,", "630,10,", "200,,110");
  const set = `opening set ${balances} --date 2026-01-31 --documents ${documents} --stock ${stock}`;
  const made = await acct(`${set} -o id`);
  expect([made.code, made.stderr]).toEqual([0, "2 contacts made: Moa, Opening balances.\n"]);
  expect((await acct(`${set} -o id`)).stderr).toBe("");
});

test.each([
  ["RECEIVE", "610", /: 8\d\d [^,]+, for example\.\n$/],
  ["SPEND", "090", /: 620 Prepayments, for example\.\n$/],
])(
  "a prepayment (%s) to an account that it cannot use is refused with accounts that it can use",
  async (type, code, example) => {
    const { stderr, code: exit } = await acct(
      `bank-transaction create --type ${type}-PREPAYMENT --contact Kea --bank-account 090 --date 2026-03-01 --line description=x,unit-amount=5,account=${code}`,
    );
    expect(exit).toBe(5);
    expect(stderr).toContain(
      "is not a valid code for this document. A prepayment is coded to an active account",
    );
    expect(stderr).toMatch(example);
  },
);

test("the saved CSV mapping of an account is announced with the day on which it was saved", async () => {
  const file = (name: string, day: string) => {
    writeFileSync(join(home, name), `Day of it,What,Sum of it\n${day},Cafe,5.00\n`);
    return join(home, name);
  };
  const map = "--map 'amount=Sum of it' --map 'date=Day of it' --map text=What --date-order dmy";
  await acct(`bank import ${file("a.csv", "08/07/2026")} --account 090 ${map}`);
  const { stderr } = await acct(`bank import ${file("b.csv", "09/07/2026")} --account 090`);
  expect(stderr).toMatch(/b\.csv: Columns and signs as on \d+ \w+ \d{4}\.$/m);
});
