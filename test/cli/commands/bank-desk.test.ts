/** Statements that are removed or get a balance, lines in doubt, and numbers and currencies of files. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct, home } = newDesk();

const file = (name: string, text: string) => {
  const path = join(home, name);
  writeFileSync(path, text);
  return path;
};

const ofx = (number: string, [day, amount, text]: readonly [string, string, string]) =>
  `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>NZD<CCACCTFROM><ACCTID>${number}</CCACCTFROM><BANKTRANLIST><DTSTART>${day}<DTEND>${day}<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${day}<TRNAMT>${amount}<FITID>${text}<NAME>${text}</STMTTRN></BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>\n`;

const csv = (...rows: string[]) => ["Date,Details,Amount", ...rows, ""].join("\n");
const count = async (code: string) => (await acct(`bank lines ${code} --count`)).stdout.trim();
const lastStatement = async () =>
  (await acct("bank statement list --order CreatedDateUTC -o id")).stdout.trim().split("\n").at(-1);

beforeAll(async () => {
  await acct("init --name Heron --country NZ --no-input");
  for (const [code, number] of [
    ["091", "12-3405-0000001-00"],
    ["092", "4835111122221234"],
    ["093", "4835999922221234"],
    ["094", "5500111122229876"],
  ])
    await acct(
      `account create --code ${code} --name B${code} --type BANK --bank-account-number ${number}`,
    );
});

describe("an imported bank statement", () => {
  test("a bank statement is removed with its lines, and undo restores both", async () => {
    const path = file("a.csv", csv("2026-03-03,Timber,-10.00", "2026-03-04,Glass,20.00"));
    const made = await acct(`bank import ${path} --account 091`);
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining("takes this back")]);
    const id = await lastStatement();
    expect((await acct(`bank statement remove ${id} --no-input`)).code).not.toBe(0);
    expect(await count("091")).toBe("2");
    const gone = await acct(`bank statement remove ${id} --yes`);
    expect([gone.code, await count("091")]).toEqual([0, "0"]);
    const undone = await acct("undo --yes");
    expect([undone.code, await count("091")]).toEqual([0, "2"]);
  });

  test("a typed closing balance of a bank statement is stored, and refused if its lines do not add up to it", async () => {
    const path = file("b.csv", csv("2026-04-03,Clay,-10.00", "2026-04-04,Wool,20.00"));
    await acct(`bank import ${path} --account 091 --opening-balance 100 --closing-balance 110`);
    const id = await lastStatement();
    const wrong = await acct(`bank statement update ${id} --closing-balance 111`);
    expect([wrong.code, wrong.stderr]).toEqual([5, expect.stringContaining("1.00 are missing")]);
    const right = await acct(`bank statement update ${id} --closing-balance 110 -o json`);
    expect(JSON.parse(right.stdout)).toMatchObject({ ClosingBalance: 110, BalanceSource: "TYPED" });
  });

  test("the list of bank statements shows the origin of each balance, typed or computed", async () => {
    const path = file("uncounted.csv", csv("2026-04-10,Rope,-5.00"));
    const made = await acct(`bank import ${path} --account 091`);
    expect(made.stdout).toContain("COUNTED");
    const listed = await acct("bank statement list --from 2026-04-03 --to 2026-04-10 -o csv");
    const [headings = "", ...rows] = listed.stdout.trim().split("\n");
    const at = headings.split(",").indexOf("BalanceSource");
    expect(rows.map((row) => row.split(",")[at])).toEqual(["COUNTED", "TYPED"]);
    const range = "2026-04-03..2026-04-10";
    for (const flag of [`--period ${range}`, `--from ${range}`, `--from-date ${range}`]) {
      expect((await acct(`bank statement list ${flag} -o csv`)).stdout).toBe(listed.stdout);
    }
    const both = await acct(`bank statement list --from ${range} --to 2026-04-05`);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("says both ends")]);
  });
});

test("a bank line in doubt is left out with exit code 7, skipped with skip, and imported with add", async () => {
  await acct(
    `bank import ${file("c.ofx", ofx("12-3405-0000001-00", ["20260503", "-57.50", "NELSON"]))} --account 091`,
  );
  const before = Number(await count("091"));
  const path = file("c.csv", csv("2026-05-03,TIMBER,-57.50", "2026-05-04,Roof,-8.00"));
  const doubtful = await acct(`bank import ${path} --account 091`);
  expect([doubtful.code, Number(await count("091")) - before]).toEqual([7, 1]);
  expect(doubtful.stderr).toMatch(/Row 2, 3 May 2026, -57\.50, TIMBER: is it .+, NELSON\?/);
  const skipped = await acct(`bank import ${path} --account 091 --on-duplicate skip`);
  expect([skipped.code, Number(await count("091")) - before]).toEqual([0, 1]);
  const other = file("e.csv", csv("2026-05-03,GRAVEL,-57.50"));
  const added = await acct(`bank import ${other} --account 091 --on-duplicate add`);
  expect([added.code, Number(await count("091")) - before]).toEqual([0, 2]);
});

describe("a masked account number in a bank file", () => {
  const masked = (number: string) =>
    file(`${number.slice(-4)}.ofx`, ofx(number, ["20260601", "-5.00", "Cafe"]));

  test("a masked account number that fits one account selects that account, with a note", async () => {
    const { code, stderr } = await acct(`bank import ${masked("XXXXXXXXXXXX9876")}`);
    expect([code, stderr]).toEqual([0, expect.stringContaining("is taken for 094 B094")]);
  });

  test("a masked account number that fits two accounts is refused with the names of both", async () => {
    const { code, stderr } = await acct(`bank import ${masked("4835********1234")}`);
    expect([code, stderr]).toEqual([5, expect.stringMatching(/092 B092.+ or 093 B093.+--account/)]);
  });

  test("a masked account number is accepted for the given account unless its digits contradict", async () => {
    const path = masked("4835********1234");
    expect((await acct(`bank import ${path} --account 094`)).code).toBe(5);
    expect((await acct(`bank import ${path} --account 092`)).code).toBe(0);
    expect((await acct(`bank import ${masked("**************34")} --account 093`)).code).toBe(0);
  });
});

const three = (code: string) =>
  `${code} has three decimal places, which this service cannot keep exactly; book what it comes to in another currency.`;

/** @param original  currency of an amount of 1.234 that was paid */
const camt = (currency: string, amount: string, original?: string) =>
  `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId><CreDtTm>2026-07-02T00:00:00</CreDtTm></GrpHdr><Stmt><Id>1</Id><CreDtTm>2026-07-02T00:00:00</CreDtTm><Acct><Id><Othr><Id>5500111122229876</Id></Othr></Id><Ccy>${currency}</Ccy></Acct><Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-07-01</Dt></BookgDt>${original === undefined ? "" : `<NtryDtls><TxDtls><AmtDtls><InstdAmt><Amt Ccy="${original}">1.234</Amt></InstdAmt></AmtDtls></TxDtls></NtryDtls>`}</Ntry></Stmt></BkToCstmrStmt></Document>`;

test.each(["KWD", "BHD", "TND"])(
  "a bank file in %s, which has three decimal places, is refused with the name of the currency",
  async (currency) => {
    const text = ofx("5500111122229876", ["20260701", "-5.125", "Cafe"]).replace("NZD", currency);
    const { code, stderr } = await acct(`bank import ${file("d.ofx", text)} --account 094`);
    expect([code, stderr]).toEqual([5, expect.stringContaining(three(currency))]);
  },
);

test.each([
  [
    "csv",
    "Date,Description,Amount,Currency\n2026-07-01,Cafe,-5.125,KWD\n2026-07-02,Cafe,-7.000,KWD\n",
  ],
  ["csv", "Date,Description,Amount (KWD)\n2026-07-01,Cafe,-5.12\n2026-07-02,Cafe,-7.00\n"],
  [
    "sta",
    ":20:1\n:25:5500111122229876\n:28C:1/1\n:60F:C260701KWD10,00\n:61:2607010701D5,00NTRFX\n:62F:C260701KWD5,00\n-\n",
  ],
  ["xml", camt("KWD", "5.125")],
])("a statement of KWD as %s is refused by its currency, with what to do", async (type, text) => {
  const path = file(`kwd.${type}`, text);
  const { code, stderr } = await acct(`bank import ${path} --account 094 --no-input`);
  expect([code, stderr]).toEqual([5, expect.stringContaining(three("KWD"))]);
});

test.each([
  ["xml", camt("NZD", "5.12", "KWD")],
  [
    "csv",
    "Date,Description,Amount,Original amount,Original currency\n2026-07-01,Bar,-5.12,-1.234,KWD\n",
  ],
  ["csv", "Date,Description,Amount,Original amount\n2026-07-02,Bar,-5.12,KWD 1.234\n"],
])(
  "a statement as %s is imported without an original amount of three decimals, and says so",
  async (type, text) => {
    const path = file(`card.${type}`, text);
    const { code, stderr } = await acct(`bank import ${path} --account 094 --no-input`);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`original amounts in KWD left out: ${three("KWD")}`),
    ]);
  },
);
