/** Opening balances at the terminal: files of a trial balance, of open documents and of stock. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct, home } = newDesk();

const file = (name: string, ...rows: readonly string[]) => {
  const path = join(home, name);
  writeFileSync(path, `${rows.join("\n")}\n`);
  return path;
};
const balances = (...rows: readonly string[]) => file("tb.csv", "Account,Debit,Credit", ...rows);
const documents = (...rows: readonly string[]) =>
  file("open.csv", "Type,Number,Contact,Date,Amount,Tax,Account,Tax Type", ...rows);
const open = "invoice,A-1,Kowhai Ltd,15/03/2026,1150.00,150.00,200,OUTPUT2";
const set = (flags: string) => acct(`opening set ${flags}`);

beforeAll(async () => {
  await acct("init --name Heron --country NZ --no-input");
});

test("opening balances are imported from an exported trial balance, shown, imported again and undone", async () => {
  const tb = balances(
    "Revenue,,",
    'Sales (200),,"9,000.00"',
    'Accounts Receivable,"1,150.00",',
    "429,7851.00,0.00",
    'Total,"9,001.00","9,000.00"',
  );
  const flags = `${tb} --date 2026-03-31 --documents ${documents(open)} --date-format DD/MM/YYYY`;
  const tried = await set(`${flags} --dry-run -o json`);
  expect(tried.code).toBe(0);
  expect((await acct("opening show")).code).toBe(3);
  const made = await set(`${flags} -o json`);
  expect(made.stderr).toContain(
    "The debits are 1.00 more than the credits; Historical Adjustment has that.",
  );
  expect(JSON.parse(made.stdout)).toMatchObject({
    Accounts: [
      { AccountCode: "200", Credit: 9000 },
      { AccountCode: "610", Debit: 1150 },
      { AccountCode: "429", Debit: 7851 },
    ],
    Documents: [{ Type: "ACCREC", Number: "A-1", Date: "2026-03-15" }],
    HistoricalAdjustment: -1,
  });
  const again = await set(balances("200,,1150.00", "610,1150.00,"));
  expect(again.code).toBe(0);
  expect(again.stderr).toBe("");
  expect((await acct("invoice list -o id")).stdout.trim().split("\n")).toHaveLength(1);
  expect((await acct("opening remove --no-input")).code).toBe(2);
  expect((await acct("opening remove --yes")).code).toBe(0);
  expect((await acct("invoice list -o id")).stdout).toBe("");
});

test.each([
  [
    "Account Code,Account,Account Type,Debit - Year to date,Credit - Year to date",
    ["200,Sales,Revenue,,90.00", "429,General Expenses,Expense,90.00,", "Total,,,90.00,90.00"],
    "",
    "Account Type",
  ],
  [
    "Account No.,Account Name,Debit,Credit,YTD Debit,YTD Credit",
    ["200,Sales,,1.00,,90.00", ",General Expenses,1.00,,90.00,"],
    "",
    "Debit, Credit",
  ],
  ["N/C,Name,Dr,Cr", ["200,Sales,,90.00", "429,General,90.00,"], "", ""],
  ["Name,Closing Balance", ["Sales,-$90.00", "General Expenses,$90.00"], "", ""],
  [
    "Konto,Soll,Haben",
    ["200,,90.00", "429,90.00,"],
    "--map Account=Konto --map debit=Soll --map Credit=Haben",
    "",
  ],
])(
  "a trial balance of another program is imported by its known headings or by flags: %s",
  async (heading, rows, map, unread) => {
    const flags = `--date 2026-03-31 ${map} -o json`;
    const path = file("other.csv", heading, ...rows);
    const made = await set(`${path} ${flags}`);
    const told = unread === "" ? "" : `${path}: Not read: ${unread}.\n`;
    expect([made.code, made.stderr]).toEqual([0, told]);
    const { Accounts, HistoricalAdjustment } = JSON.parse(made.stdout);
    expect(HistoricalAdjustment).toBe(0);
    expect(Accounts).toMatchObject([
      { AccountCode: "200", Credit: 90 },
      { AccountCode: "429", Debit: 90 },
    ]);
    expect((await acct("opening remove --yes")).code).toBe(0);
  },
);

describe("refused opening balances", () => {
  const refusals: [string, () => string, number, string][] = [
    ["the first import without a date", () => balances("200,1,"), 2, "need --date and a FILE"],
    ["a missing file", () => "nothing.csv --date 2026-03-31", 2, "There is no file"],
    [
      "an unknown account",
      () => `${balances("Nope,1,", "7,2,")} --date 2026-03-31`,
      5,
      "row 2: There is no account Nope; acct account create adds it. (and 1 more)",
    ],
    [
      "an invalid amount",
      () => `${balances("200,1.005,")} --date 2026-03-31`,
      5,
      "row 2: Debit may have at most 2 decimals",
    ],
    [
      "a file without an account",
      () => `${file("x.csv", "Konto,Soll", "1,2")} --date 2026-03-31`,
      5,
      "has no column Account or Name, but Konto, Soll. Say which it is, with --map Account=COLUMN.",
    ],
    [
      "a file without amounts",
      () => `${file("x.csv", "Code,Soll", "200,2")} --date 2026-03-31`,
      5,
      "has no column Debit or Credit or Balance, but Code, Soll. Say which it is, with --map Debit=COLUMN.",
    ],
    [
      "a file without a column for credits",
      () => `${file("x.csv", "Code,Debit,Haben", "200,2,")} --date 2026-03-31`,
      5,
      "has no column Credit, but Code, Debit, Haben. Say which it is, with --map Credit=COLUMN.",
    ],
    [
      "a mapped column that the file lacks",
      () => `${balances("200,1,")} --date 2026-03-31 --map Debit=Soll`,
      5,
      "has no column Soll, but Account, Debit, Credit.",
    ],
    [
      "an unknown field in the mapping",
      () => `${balances("200,1,")} --date 2026-03-31 --map Soll=Debit`,
      2,
      '--map is FIELD=COLUMN, not "Soll=Debit"; the fields are Account, Name, Debit,',
    ],
    [
      "an amount of another currency",
      () => `${balances("200,€1.00,")} --date 2026-03-31`,
      5,
      "Debit '€1.00' is not in NZD.",
    ],
    [
      "a row without an account",
      () => `${balances(",1,")} --date 2026-03-31`,
      5,
      "It names no account.",
    ],
    [
      "a date in another form",
      () => `${balances("200,1,")} --date 2026-03-31 --documents ${documents(open)}`,
      5,
      "row 2: Date '15/03/2026' is no date written as YYYY-MM-DD",
    ],
    [
      "an unknown kind of document",
      () =>
        `${balances("200,1,")} --date 2026-03-31 --documents ${documents(open.replace("invoice", "quote"))}`,
      5,
      "row 2: Type must be one of ACCREC, ACCPAY, ACCRECCREDIT, ACCPAYCREDIT",
    ],
    [
      "stock without a cost",
      () =>
        `${balances("200,1,")} --date 2026-03-31 --stock ${file("s.csv", "Item,Quantity", "PEN,2")}`,
      5,
      "row 2: Cost is empty, and there is no UnitCost.",
    ],
  ];
  test.each(refusals)("opening balances are refused: %s", async (_name, flags, code, sentence) => {
    const answer = await set(flags());
    expect(answer.stderr).toContain(sentence);
    expect(answer.code).toBe(code);
  });
});

test("a trial balance with rows in another currency than the books is refused, and names the column for both amounts", async () => {
  const path = file("kwd.csv", "Account,Currency,Debit,Credit", "200,KWD,,9.000", "429,NZD,9.00,");
  const refused = await set(`${path} --date 2026-03-31`);
  expect(refused.code).toBe(5);
  expect(refused.stderr).toContain(
    "row 2: It is in KWD, and a trial balance in NZD; give both, the amount in KWD in a column CurrencyBalance.",
  );
  expect(refused.stderr).not.toContain("row 3");
  expect((await acct("opening show")).code).toBe(3);
});

test("a row whose code and name are of two accounts is refused with both", async () => {
  const tb = file("two.csv", "Code,Account,Debit,Credit", "610,Sales,10.00,", "200,Main,,10.00");
  const { code, stderr } = await set(`${tb} --date 2026-03-31`);
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining(
      "Its code 610 is of Accounts Receivable, its name Sales of 200; correct one.",
    ),
  ]);
});
