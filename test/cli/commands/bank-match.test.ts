/** What a bank line is, said on one command line: documents, money that is kept, and flags that fit. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct, home } = newDesk();

const json = async (line: string) => JSON.parse((await acct(`${line} -o json`)).stdout);

/** A line of the bank that waits, of an amount that no other line has. */
async function lineOf(amount: string): Promise<string> {
  const path = join(home, `${amount}.csv`);
  writeFileSync(path, `Date,Details,Amount\n2026-03-20,Heron,${amount}\n`);
  await acct(`bank import ${path} --account 090 --no-reversed`);
  const lines: { Amount: number; Handle: string }[] = await json("bank lines 090 --all");
  return lines.find(({ Amount }) => Amount === Number(amount))?.Handle ?? "no such line";
}

beforeAll(async () => {
  await acct("init --name Heron --country NZ --no-input");
  await acct("account create --code 090 --name Cheque --type BANK --bank-account-number 12-1-1");
  await acct("contact create --name Moa");
  await acct("employee create --first-name Ana --last-name Reid");
  const line = (amount: number) =>
    `--contact Moa --date 2026-03-01 --line 'description=Work,quantity=1,unit-amount=${amount},account=200,tax-type=NONE' --status AUTHORISED`;
  for (const amount of [100, 200, 300]) await acct(`invoice create ${line(amount)}`);
  await acct(`credit-note create --type ACCRECCREDIT ${line(40)}`);
  await acct("expense 42.50 Taxi --by 'Ana Reid' --to 449 --date 2026-03-02 --no-input");
  await acct("expense submit 'Ana Reid' --date 2026-03-03");
  await acct("expense approve EC-1");
});

test.each([
  ["two invoices by their numbers", "301", "INV-0001 INV-0002 --account 200:NONE --contact Moa", 3],
  ["a part of an invoice", "50", "INV-0003=50", 1],
  ["an expense claim by its handle", "-42.50", "EC-1", 1],
  ["a credit note that is paid back", "-15", "--refund CN-0001=15", 1],
  ["a credit note among the documents", "-25", "CN-0001", 1],
  ["an overpayment of a contact", "61", "--overpayment --contact Moa", 1],
  ["an overpayment that is paid back", "-61", "--refund OP-1", 1],
  ["a deposit on an account", "71", "--prepayment 820:NONE --contact Moa", 1],
  ["a deposit that is paid back in part", "-70", "--refund PP-1=70", 1],
])("a bank line is reconciled with %s", async (_, amount, words, matches) => {
  const line = await lineOf(amount);
  const { code, stderr } = await acct(`bank match ${line} ${words}`);
  expect([code, stderr]).toEqual([0, ""]);
  const { Status, Matches } = await json(`bank show ${line}`);
  expect([Status, Matches.length]).toEqual(["RECONCILED", matches]);
});

test("money that the book has already is told where a line is booked anew, and not where it is matched", async () => {
  for (const at of ["20", "21"]) {
    await acct(`spend 88 Freight --from 090 --to 425 --contact Moa --date 2026-03-${at}`);
  }
  const line = await lineOf("-88");
  const { code, stderr } = await acct(`bank match ${line} --account 425 --contact Moa`);
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(
      /^The book has (T-\d+), T-\d+ of this amount too, .*: acct undo, then acct bank match L-\d+ --transaction \1\.$/m,
    ),
  ]);
  await acct("undo --yes");
  const held = /--transaction (T-\d+)/.exec(stderr)?.[1];
  expect(await acct(`bank match ${line} --transaction ${held}`)).toMatchObject({
    code: 0,
    stderr: "",
  });
});

test("what bank lines were reconciled with is paid by what was said, and the rest stays due", async () => {
  const due = async (what: string, field: string) => (await json(what))[field];
  expect([
    await due("invoice show INV-0001", "AmountDue"),
    await due("invoice show INV-0003", "AmountDue"),
    await due("expense show EC-1", "AmountDue"),
    await due("credit-note show CN-0001", "RemainingCredit"),
    await due("overpayment show OP-1", "RemainingCredit"),
    await due("prepayment show PP-1", "RemainingCredit"),
  ]).toEqual([0, 250, 0, 0, 0, 1]);
});

test.each([
  ["a tax without an account", "INV-0003 --tax OUTPUT2", "--tax is of an --account"],
  ["a tax beside one of the account", "--account 200:NONE --tax OUTPUT2", "that names no tax"],
  ["a description without an account", "--overpayment --description X", "--description is of"],
  ["a contact beside a document alone", "INV-0003 --contact Moa", "a document has its own"],
  ["two ways of keeping what is left", "--overpayment --prepayment 820", "is kept once"],
])("a match is refused that says %s", async (_, words, message) => {
  const line = await lineOf("81");
  const { code, stderr } = await acct(`bank match ${line} ${words}`);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect((await json(`bank show ${line}`)).Status).toBe("UNRECONCILED");
});

test("a line that was released is left to people again when that is undone", async () => {
  const line = await lineOf("91");
  await acct(`bank match ${line} --account 200 --contact Moa`);
  await acct(`bank unmatch ${line}`);
  const isLeft = async () => (await acct("bank lines 090")).stderr.includes(line);
  expect(await isLeft()).toBe(true);
  await acct(`bank release ${line}`);
  expect(await isLeft()).toBe(false);
  const { code, stderr } = await acct("undo --yes");
  expect([code, stderr, await isLeft()]).toEqual([0, "", true]);
});

test("several operations are undone by a range of their numbers, the last first", async () => {
  const first = await lineOf("92");
  const second = await lineOf("93");
  await acct(`bank ignore ${first}`);
  await acct(`bank ignore ${second}`);
  const [{ Number: last }] = await json("log --limit 1");
  const { code } = await acct(`undo ${last - 1}..${last} --yes`);
  const states = [await json(`bank show ${first}`), await json(`bank show ${second}`)];
  expect([code, ...states.map(({ Status }) => Status)]).toEqual([
    0,
    "UNRECONCILED",
    "UNRECONCILED",
  ]);
});

describe("a bank file", () => {
  const files = {
    csv: "Date,Details,Amount\n2026-04-03,Clay,-10.00\n2026-04-04,Wool,20.00\n",
    qif: "!Type:Bank\nD15/04/2026\nT-5.00\nPCafe\n^\n",
    ofx: "OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>NZD<BANKACCTFROM><ACCTID>12-1-1<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20260501<DTEND>20260531<STMTTRN><TRNTYPE>OTHER<DTPOSTED>20260502<TRNAMT>-5.00<FITID>1<NAME>Cafe</STMTTRN></BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>",
  };

  test.each([
    ["columns", "qif", "--map date=1", "--map is for CSV files"],
    ["a sign", "ofx", "--reversed", "--reversed is for CSV files"],
    ["a delimiter", "ofx", "--delimiter comma", "--delimiter is for CSV files"],
    ["another last day than its own", "ofx", "--to 2026-06-30", "It goes up to 2026-05-31"],
    ["a preview that nobody sees", "csv", "--preview", "Nobody is here to look"],
  ] as const)("is refused with %s that it does not take", async (_, format, flag, message) => {
    const path = join(home, `own.${format}`);
    writeFileSync(path, files[format]);
    const before = (await acct("bank statement list -o id")).stdout;
    const { code, stderr } = await acct(`bank import ${path} --account 090 ${flag}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect((await acct("bank statement list -o id")).stdout).toBe(before);
  });

  test("the report of a bank reconciliation says that its balance was typed, and of which day", async () => {
    await acct("account create --code 091 --name Savings --type BANK --bank-account-number 12-1-2");
    const path = join(home, "typed.csv");
    writeFileSync(path, files.csv);
    const wrong = await acct(
      `bank import ${path} --account 091 --opening-balance 100 --closing-balance 111`,
    );
    expect([wrong.code, wrong.stderr]).toEqual([5, expect.stringContaining("1.00 are missing")]);
    await acct(`bank import ${path} --account 091 --opening-balance 100 --closing-balance 110`);
    const report = async (day: string) =>
      (await acct(`report bank-reconciliation 091 --date ${day}`)).stdout;
    expect(await report("2026-04-04")).toContain("as typed for 4 April 2026");
    const later = join(home, "later.csv");
    writeFileSync(later, "Date,Details,Amount\n2026-04-10,Rope,-5.00\n");
    await acct(`bank import ${later} --account 091 --no-reversed`);
    expect(await report("2026-04-30")).toContain(
      "as typed for 4 April 2026, with the lines after it",
    );
  });
});
