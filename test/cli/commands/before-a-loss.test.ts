/** Questions before something is taken back: each says the amount and the effect. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct, home } = newDesk();

beforeAll(async () => {
  expect((await acct("init --demo --country NZ --no-input")).code).toBe(0);
});

test.each([
  [
    "payment reverse INV-0203",
    /Reverse payment P-\d+ of 282\.33 NZD for INV-0203 of Island Bay Florist on .*\? 282\.33 more is due of INV-0203, and Business Account holds 282\.33 less\./,
  ],
  [
    "payment reverse S-1104",
    /Reverse payment P-\d+ of 573\.85 NZD for S-1104 .*573\.85 more is due of S-1104, and Business Account holds 573\.85 more\./,
  ],
  [
    "batch-payment reverse BP-1",
    /Reverse batch BP-1 of 1 payment, 400\.00, on .*\? What they paid is due again, and Business Account holds 400\.00 more\./,
  ],
  [
    "bank-transfer void TR-1",
    /Void TR-1, 2000\.00 NZD from Business Account to Savings\? What it posted/,
  ],
  ["bank-transaction void T-1", /Void T-1 of .*Purchases −40\.00, tax −6\.00 in /],
  ["manual-journal void MJ-1", /Void MJ-1, Power of the shop of .*, 120\.00\? What it posted is /],
  [
    "credit-note unallocate CN-0003 --invoice INV-0155",
    /Take 40\.00 of the credit note back from INV-0155\? 40\.00 more is due of it, and left to apply\./,
  ],
  ["asset remove FA-0001", /Remove the asset FA-0001 Electric kiln, 2086\.96\? .*ledger stays/],
  [
    "contact erase 'Harbour Lights Cafe'",
    /Erase Harbour Lights Cafe\? Documents keep their amounts/,
  ],
] as const)(
  "`acct %s` asks with the amount and the effect, and changes nothing without an answer",
  async (line, question) => {
    const { code, stderr } = await acct(`${line} --no-input`);
    expect([code, stderr]).toEqual([2, expect.stringMatching(question)]);
    expect(stderr).toContain("Give --yes: nobody can be asked here.");
  },
);

test("taking opening balances back asks with their sum and the documents", async () => {
  const book = `--book ${join(home, "opening.acct")}`;
  const file = (name: string, text: string) => {
    writeFileSync(join(home, name), text);
    return join(home, name);
  };
  await acct(`init --name Heron --country NZ --no-input ${book}`);
  const tb = file("tb.csv", "Account,Debit,Credit\n610,1150.00,\n970,,1150.00\n");
  const head = "Type,Number,Contact,Date,Amount,Tax,Account,Tax Type";
  const open = file(
    "open.csv",
    `${head}\ninvoice,A-1,Kowhai,2026-01-15,1150.00,150.00,200,OUTPUT2\n`,
  );
  const flags = `--date 2026-01-31 --documents ${open} ${book}`;
  expect(await acct(`opening set ${tb} ${flags}`)).toMatchObject({ code: 0 });
  expect((await acct(`opening remove --no-input ${book}`)).stderr).toContain(
    "2 balances with debits of 1150.00 are posted once more with every sign turned, and 1 document voided.",
  );
});
