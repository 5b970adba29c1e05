/** Bank statements at the terminal: files of banks, and what their lines are. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct, home } = newDesk();

const ofx = (
  lines: readonly (readonly [day: string, amount: string, id: string, text: string])[],
) =>
  `OFXHEADER:100
DATA:OFXSGML
VERSION:102

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>NZD<BANKACCTFROM><BANKID>12<ACCTID>3456-7654321-00<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20260301<DTEND>20260331
${lines
  .map(
    ([day, amount, id, text]) =>
      `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${day}<TRNAMT>${amount}<FITID>${id}<NAME>Moa Coffee<MEMO>${text}</STMTTRN>`,
  )
  .join("\n")}
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
`;

interface ReadStatement {
  readonly BankAccount: { readonly Code: string };
  readonly StatementLines: readonly { readonly Amount: number }[];
}

const file = (name: string, text: string) => {
  const path = join(home, name);
  writeFileSync(path, text);
  return path;
};

const march = () =>
  file(
    "march.ofx",
    ofx([
      ["20260310", "115.00", "1", "INV-0001"],
      ["20260312", "227.50", "2", "thanks"],
      ["20260313", "-23.00", "3", "stamps"],
    ]),
  );

beforeAll(async () => {
  await acct("init --name Heron --country NZ --no-input");
  await acct(
    "account create --code 090 --name Cheque --type BANK --bank-account-number 12-3456-7654321-00",
  );
  await acct(
    "account create --code 091 --name Savings --type BANK --bank-account-number 12-9999-1",
  );
  await acct("account create --code 092 --name Card --type BANK --bank-account-number 12-8888-1");
  await acct("contact create --name 'Moa Coffee'");
  for (const [day, amount] of [
    [1, 100],
    [2, 200],
  ]) {
    await acct(
      `invoice create --contact 'Moa Coffee' --date 2026-03-0${day} --due-date 2026-03-20 ` +
        `--line 'description=Work,quantity=1,unit-amount=${amount},account=200' --status AUTHORISED`,
    );
  }
});

const lines = async (line = "") =>
  JSON.parse((await acct(`bank lines 090 ${line} -o json`)).stdout) as Record<string, unknown>[];
const idOf = async (text: string) =>
  String((await lines()).find(({ Description }) => Description === text)?.BankStatementLineID);

describe("importing a bank file", () => {
  test("an imported bank file goes to the account with its number, and each line is added once", async () => {
    const first = await acct(`bank import ${march()}`);
    expect([first.code, first.stderr]).toEqual([0, "3 lines added, 0 known already.\n"]);
    const again = await acct(`bank import ${march()}`);
    expect(again.stderr).toBe("0 lines added, 3 known already.\n");
    expect(await lines()).toHaveLength(3);
  });

  test("an import of a bank file reports in JSON too the date order and the lines left out", async () => {
    const path = file(
      "pending.csv",
      "Date,Details,Amount,Status\n03/04/2026,Rent,-50.00,COMPLETED\n04/04/2026,Sale,20.00,PENDING\n",
    );
    const { stdout, stderr } = await acct(`bank import ${path} --account 091 --dry-run -o json`);
    const notices = [
      "Days are read day first, as in NZ: 03/04/2026 is 3 April 2026; --date-order mdy reads them otherwise.",
      "1 pending row of 20.00 is left out; it comes again when it is booked.",
    ];
    expect(JSON.parse(stdout)[0].Notices).toEqual(notices);
    for (const notice of notices) expect(stderr).toContain(`${path}: ${notice}\n`);
  });

  test("an imported bank file without a last day gets the given one", async () => {
    const path = file("february.qif", "!Type:Bank\nD05/02/2026\nT5.00\nPMoa Coffee\n^\n");
    const line = `bank import ${path} --account 091 --date-order dmy --to 2026-02-28 --dry-run -o json`;
    expect(JSON.parse((await acct(line)).stdout)).toMatchObject([
      { FromDate: "2026-02-05", ToDate: "2026-02-28", LinesAdded: 1 },
    ]);
  });

  test("an import of two bank files, one of them broken, stores no line of either", async () => {
    const april = file("good.ofx", ofx([["20260401", "5.00", "4", "April"]]));
    const broken = file("broken.ofx", ofx([["20260402", "5.00", "5", "April"]]).slice(0, -90));
    const refused = await acct(`bank import ${april} ${broken}`);
    expect([refused.code, refused.stdout]).toEqual([5, ""]);
    expect(refused.stderr).toMatch(/broken\.ofx: The file ends before/);
    expect(await lines()).toHaveLength(3);
  });

  test("an import of a card file in several currencies takes only the rows in the account's currency", async () => {
    const rows = "Date,Amount,Currency,Payee\n2026-02-03,-7.00,NZD,Tui\n2026-02-03,-9.00,USD,Kea\n";
    const answer = await acct(`bank import ${file("mixed.csv", rows)} --account 092`);
    expect(answer.stderr).toMatch(/mixed.csv: 1 line in USD of -9.00 is left out.\n1 line added/);
    const kept = JSON.parse((await acct("bank lines 092 -o json")).stdout);
    expect(kept).toMatchObject([
      { Amount: -7, Payee: "Tui", SourceText: expect.stringContaining("Tui") },
    ]);
  });

  test.each([
    [
      "CSV",
      "Date,Description,Amount,Account Name\n2026-02-03,Tui,-7.00,Daily\n2026-02-03,Kea,-9.00,Savings\n2026-02-04,Tui,-8.00,Daily\n2026-02-04,Kea,-6.00,Savings\n",
      " --map ownAccount= takes them all for one account.",
    ],
    [
      "QIF",
      "!Account\nNDaily\nTBank\n^\n!Type:Bank\nD15/02/2026\nT-7.00\nPTui\n^\nD16/02/2026\nT-8.00\nPTui\n^\n!Account\nNSavings\nTBank\n^\n!Type:Bank\nD16/02/2026\nT-9.00\nPKea\n^\n",
      "",
    ],
  ])(
    "a %s file of two accounts is not taken for one, and each is found by its name",
    async (kind, text, more) => {
      const path = file(`two.${kind.toLowerCase()}`, text);
      const refused = await acct(`bank import ${path} --account 092`);
      expect([refused.code, refused.stdout]).toEqual([5, ""]);
      expect(refused.stderr).toBe(
        `acct: ${path}: It has lines of several accounts, Daily, Savings; leave --account out, and each is found by its number or name.${more}\n`,
      );
      const unknown = await acct(`bank import ${path} --dry-run`);
      expect(unknown.stderr).toContain('It is of "Daily", the name of no bank account here;');
      await acct(
        "account create --code 093 --name daily --type BANK --bank-account-number 12-7777-1",
      );
      const found = await acct(`bank import ${path} --dry-run -o json`);
      const statements = JSON.parse(found.stdout).map(
        ({ BankAccount, StatementLines }: ReadStatement) => [
          BankAccount.Code,
          StatementLines.map(({ Amount }) => Amount),
        ],
      );
      expect(statements).toEqual([
        ["093", [-7, -8]],
        ["091", expect.arrayContaining([-9])],
      ]);
      await acct("account delete 093 --yes");
    },
  );

  test("an import of the same bank lines in another file format adds no line", async () => {
    const qif =
      "!Type:Bank\nD10/03/2026\nT115.00\nPMOA\n^\nD12/03/2026\nT227.50\n^\nD13/03/2026\nT-23.00\n^\n";
    const answer = await acct(
      `bank import ${file("march.qif", qif)} --account 090 --date-order dmy`,
    );
    expect(answer.stderr).toMatch(/0 lines added, 3 known already\.\n$/);
    expect(await lines()).toHaveLength(3);
  });

  test("a bank statement without an opening balance is still compared with the statement before it", async () => {
    const closed = (text: string, day: string, balance: string) =>
      text
        .replace("20260331", day)
        .replace(
          "</BANKTRANLIST>",
          `</BANKTRANLIST><LEDGERBAL><BALAMT>${balance}<DTASOF>${day}</LEDGERBAL>`,
        )
        .replace("<BANKID>12<ACCTID>3456-7654321-00", "<ACCTID>12-8888-1");
    const may = closed(ofx([["20260503", "5.00", "m", "May"]]), "20260531", "105.00");
    const june = closed(ofx([["20260603", "5.00", "j", "June"]]), "20260630", "120.00");
    const first = await acct(`bank import ${file("may.ofx", may.replace("20260301", "20260501"))}`);
    expect(first.stderr).toBe("1 line added, 0 known already.\n");
    const next = await acct(
      `bank import ${file("june.ofx", june.replace("20260301", "20260601"))}`,
    );
    expect(next.stderr).toContain(
      "The statement begins at 115.00, but on 31 May 2026 the account had 105.00: lines between are missing.",
    );
  });

  test("an import of a bank file in a dry run stores nothing", async () => {
    const april = file("april.ofx", ofx([["20260401", "5.00", "4", "April"]]));
    const dry = await acct(`bank import ${april} --dry-run`);
    expect(dry.stderr).toContain("1 line would be added, 0 known already.");
    expect(await lines()).toHaveLength(3);
  });

  test.each([
    [
      "of another account",
      () => `${march()} --account 091`,
      /is of the account 123456765432100, not of 091 Savings/,
      5,
    ],
    [
      "of an account that is no bank account",
      () => `${march()} --account 200`,
      /200 Sales is no bank account/,
      2,
    ],
    ["that is not there", () => "nowhere.ofx", /There is no file nowhere.ofx/, 2],
    ["that is no statement", () => file("x.json", "{}"), /no statement/, 5],
    [
      "that goes on after the day said with --to",
      () => `${march()} --to 2026-03-12`,
      /has a line of 2026-03-13, which is after --to 2026-03-12/,
      2,
    ],
    [
      "in another currency",
      () => file("usd.ofx", ofx([["20260401", "5.00", "4", "x"]]).replace("NZD", "USD")),
      /is in USD, but 090 Cheque is in NZD/,
      5,
    ],
    [
      "that ends too early",
      () => file("cut.ofx", ofx([["20260401", "5.00", "4", "x"]]).slice(0, -90)),
      /\.\n$/,
      5,
    ],
  ])(
    "the import of a bank file %s is refused, and no line is stored",
    async (_what, words, said, code) => {
      const refused = await acct(`bank import ${words()}`);
      expect(refused.stderr).toMatch(said);
      expect(refused.code).toBe(code);
      expect(await lines()).toHaveLength(3);
    },
  );
});

describe("reconciling bank lines", () => {
  test("bank reconcile --auto matches the certain lines, and exits with 7 while lines are left", async () => {
    const dry = await acct("bank reconcile 090 --auto --dry-run");
    expect([dry.code, dry.stderr]).toEqual([
      7,
      expect.stringContaining("1 line would be reconciled, 2 left."),
    ]);
    const done = await acct("bank reconcile 090 --auto -o id");
    expect([done.code, done.stderr]).toEqual([7, "acct: 1 line reconciled, 2 left.\n"]);
    const [line] = await lines("--status RECONCILED");
    expect(line).toMatchObject({ Description: "INV-0001", Matches: [{ Number: "INV-0001" }] });
    const paid = JSON.parse((await acct("invoice show INV-0001 -o json")).stdout);
    expect(paid).toMatchObject({ Status: "PAID" });
  });

  test("a bank line is matched with an invoice less a bank fee, and unmatched again", async () => {
    const id = await idOf("thanks");
    const short = await acct(`bank match ${id} --invoice INV-0002=230`);
    expect([short.code, short.stderr]).toEqual([
      5,
      expect.stringContaining("The line comes to 227.50, but what it is matched with to 230.00."),
    ]);
    const matched = await acct(`bank match ${id} --invoice INV-0002=230 --fee 2.50=404`);
    expect([matched.code, matched.stderr]).toEqual([0, ""]);
    expect((await acct("invoice list --status PAID -o id")).stdout.split("\n")).toHaveLength(3);
    await acct(`bank unmatch ${id}`);
    expect((await acct("invoice list --status PAID -o id")).stdout.split("\n")).toHaveLength(2);
  });

  test("a bank rule can be tested, reconciles its lines automatically, and has no effect once removed", async () => {
    await acct("bank rule add Stamps --when 'text contains STAMPS' --to 425");
    const tested = JSON.parse((await acct("bank rule test 090 -o json")).stdout);
    expect(tested).toMatchObject([{ Evidence: "rule Stamps", IsCertain: true }]);
    expect((await acct("bank rule remove Stamps --yes")).code).toBe(0);
    expect(JSON.parse((await acct("bank rule test 090 -o json")).stdout)).toEqual([]);
    await acct("bank rule add Stamps --when 'text contains STAMPS' --to 425");
    await acct("bank reconcile 090 --auto");
    const [spent] = JSON.parse((await acct("bank-transaction list -o json")).stdout);
    expect(spent).toMatchObject({ Contact: { Name: "Moa Coffee" }, Total: 23, Type: "SPEND" });
  });

  test("transactions created by a bank rule get the tracking of the rule", async () => {
    await acct("tracking create --name Region --option North");
    const alone = await acct(
      "bank rule add Tracked --when 'text contains zzz' --tracking Region:North",
    );
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining("give --to too")]);
    const line =
      "bank rule add Tracked --when 'text contains zzz' --to 404=40% --to 429 --tracking Region:North";
    expect((await acct(line)).code).toBe(0);
    const { Lines } = JSON.parse((await acct("bank rule show Tracked -o json")).stdout);
    expect(Lines).toMatchObject([
      { AccountCode: "404", Tracking: [{ Name: "Region", Option: "North" }] },
      { AccountCode: "429", Tracking: [{ Name: "Region", Option: "North" }] },
    ]);
    await acct("bank rule remove Tracked --yes");
  });

  test("a condition with a misspelt comparison is refused with the one that is meant", async () => {
    const { code, stderr } = await acct("bank rule add Odd --when 'payee contians paper' --to 404");
    expect([code, stderr]).toEqual([
      2,
      'acct: --when: "contians" is no comparison; did you mean "payee contains paper"? As a text: "payee contains contians paper".\n',
    ]);
  });

  test("a bank line is ignored, and returned to unreconciled", async () => {
    const id = await idOf("thanks");
    expect((await acct(`bank ignore ${id} L-9999`)).code).toBe(3);
    expect(await lines("--status UNRECONCILED")).toHaveLength(1);
    await acct(`bank ignore ${id}`);
    expect(await lines("--status UNRECONCILED")).toEqual([]);
    await acct(`bank unmatch ${id}`);
    expect(await lines("--status UNRECONCILED")).toHaveLength(1);
  });

  test("a bank line is matched with an existing batch payment or transfer", async () => {
    await acct(
      "bill create --contact 'Moa Coffee' --invoice-number M-1 --date 2026-03-02 --due-date 2026-03-20 --line description=Milk,unit-amount=10,account=429,tax-type=NONE --status AUTHORISED",
    );
    const [batch] = (
      await acct("batch-payment create --account 090 --date 2026-03-20 --pay M-1 -o id")
    ).stdout.split("\n");
    const [transfer] = (
      await acct("bank-transfer create --from 090 --to 091 --amount 20 --date 2026-03-21 -o id")
    ).stdout.split("\n");
    const rows = [
      ["20260320", "-10.00", "7", "batch"],
      ["20260321", "-20.00", "8", "moved"],
    ] as const;
    await acct(`bank import ${file("own.ofx", ofx(rows))}`);
    const paid = await acct(`bank match ${await idOf("batch")} --payment ${batch}`);
    expect([paid.code, paid.stderr]).toEqual([0, ""]);
    const other = await acct(`bank match ${await idOf("moved")} --transaction ${batch}`);
    expect([other.code, other.stderr]).toEqual([
      5,
      `acct: There is no payment, bank transaction or transfer ${batch} on the account that is not reconciled yet.\n`,
    ]);
    const moved = await acct(`bank match ${await idOf("moved")} --transaction ${transfer}`);
    expect([moved.code, moved.stderr]).toEqual([0, ""]);
  });

  test("a bank line is split over several accounts, with a tax rate each", async () => {
    const rows = [["20260322", "-650.00", "9", "loan"]] as const;
    await acct(`bank import ${file("loan.ofx", ofx(rows))}`);
    const line = await idOf("loan");
    const short = await acct(`bank match ${line} --account 900=600 --account 437=40`);
    expect([short.code, short.stderr]).toEqual([
      5,
      "acct: The line comes to -650.00, but what it is matched with to -640.00.\n",
    ]);
    const done = await acct(`bank match ${line} --account 900:NONE --account 437:NONE=50`);
    expect([done.code, done.stderr]).toEqual([0, ""]);
    const [spent] = JSON.parse(
      (await acct("bank-transaction list --date 2026-03-22 -o json")).stdout,
    );
    const { LineItems } = JSON.parse(
      (await acct(`bank-transaction show ${spent.BankTransactionID} -o json`)).stdout,
    );
    expect(
      LineItems.map(({ AccountCode, LineAmount, TaxType }: Record<string, unknown>) => [
        AccountCode,
        LineAmount,
        TaxType,
      ]),
    ).toEqual([
      ["900", 600, "NONE"],
      ["437", 50, "NONE"],
    ]);
  });

  test.each([
    ["bank match 1 --fee 3", "--fee takes AMOUNT=ACCOUNT"],
    ["bank match 1", "Say what the line is"],
    ["bank rule add X --when 'colour is red' --to 404", "--when begins with one of"],
    ["bank reconcile 200 --auto", "200 Sales is no bank account"],
  ])("the bank command %s is refused as a usage error", async (line, said) => {
    const { code, stderr } = await acct(line);
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  });

  test("bank reconcile without a terminal is refused without --auto", async () => {
    const { code, stderr } = await acct("bank reconcile 090 --no-input");
    expect([code, stderr]).toEqual([2, expect.stringContaining("--auto does what is certain")]);
  });
});

describe("a saved mapping of CSV columns", () => {
  const csv = (name: string, rows: readonly string[]) =>
    file(name, ["Tag;Wert;Wer", ...rows].join("\n"));

  test("a saved mapping of CSV columns is used for the next file", async () => {
    const kept = join(home, "giro.json");
    const first = csv("giro.csv", ["01.02.2026;-10,00;Post"]);
    const map = "--map date=Tag --map amount=Wert --map payee=Wer";
    const line = `bank import ${first} --account 091 ${map} --save-mapping ${kept}`;
    expect((await acct(`${line} --dry-run`)).code).toBe(0);
    expect(existsSync(kept)).toBe(false);
    expect((await acct(line)).code).toBe(0);
    expect(JSON.parse(readFileSync(kept, "utf8"))).toEqual({
      records: "bank-statements",
      columns: { date: "Tag", amount: "Wert", payee: "Wer" },
    });
    const next = csv("giro2.csv", ["03.02.2026;20,00;Moa Coffee"]);
    const again = await acct(`bank import ${next} --account 091 --mapping ${kept}`);
    expect(again.stderr).toMatch(/^1 line added, 0 known already\.$/m);
    const found = JSON.parse((await acct("bank lines 091 -o json")).stdout);
    expect(found).toMatchObject([{ Amount: 20, Payee: "Moa Coffee" }, { Amount: -10 }]);
  });

  test.each([
    ['{"records":"invoices"}', "is for invoices, not for bank-statements"],
    ['{"columns":{"date":1}}', 'has a value of "columns" that cannot be read'],
    ['{"colums":{}}', 'says "colums", which means nothing'],
    ['{"dateOrder":"dym"}', "has a date order, a decimal sign or a delimiter that is none"],
    ["[]", "is no object"],
    ["{", "is no JSON"],
  ])("the invalid mapping of CSV columns %s is refused", async (text, why) => {
    const mapping = file("bad.json", text);
    const { code, stderr } = await acct(`bank import ${march()} --mapping ${mapping}`);
    expect(code).toBe(2);
    expect(stderr).toContain(why);
  });

  test("--save-mapping is refused if it names the statement file", async () => {
    const statement = march();
    const { code, stderr } = await acct(`bank import ${statement} --save-mapping ${statement}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining("would write over")]);
  });
});
