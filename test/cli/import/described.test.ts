/** Records that are imported as their description has them: what a person's own file may be, and what is refused. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct, home } = newDesk();

const folder = process.cwd();
afterAll(() => process.chdir(folder));
beforeAll(async () => {
  // Refused rows are kept in the folder of the moment.
  process.chdir(home);
  await acct("init --name Heron --country NZ --no-input");
  await acct("account create --code 090 --name Cheque --type BANK --bank-account-number 12-1-1");
  await acct("contact create --name Moa");
});

let count = 0;
const file = (rows: readonly string[]) => {
  const path = join(home, `${count++}.csv`);
  writeFileSync(path, rows.map((row) => `${row}\n`).join(""));
  return path;
};
const listed = async (line: string) => JSON.parse((await acct(`${line} -o json`)).stdout);
const imported = async (noun: string, rows: readonly string[], flags = "--yes") => {
  const { code, stdout, stderr } = await acct(`import ${noun} ${file(rows)} ${flags} -o json`);
  return { code, stderr, told: stdout === "" ? undefined : JSON.parse(stdout) };
};

describe("importing a chart of accounts", () => {
  const chart = [
    "Code,Name,Type,Tax Type,Description",
    "899,Visa,CURRLIAB,,",
    "481,Snacks,EXPENSE,15% GST on Expenses,",
    "200,Sales,REVENUE,,",
  ];

  test("a chart of accounts is imported with tax rates by name, and existing accounts stay unchanged", async () => {
    const tried = await imported("accounts", chart, "--dry-run");
    expect(tried.told.accounts).toMatchObject({ imported: 2, existing: 1 });
    expect(await listed("account list --where 'Code==\"481\"'")).toEqual([]);
    const { code, told } = await imported("accounts", chart);
    expect([code, told.accounts.imported, told.accounts.existing]).toEqual([0, 2, 1]);
    expect(await listed("account show 481")).toMatchObject({ Name: "Snacks", TaxType: "INPUT2" });
  });

  test("an import with --on-duplicate update changes existing accounts, and only where they differ", async () => {
    const rows = ["Code,Name,Type", "481,Snacks & tea,EXPENSE", "899,Visa,CURRLIAB"];
    const { told } = await imported("accounts", rows, "--on-duplicate update --yes");
    expect(told.accounts).toMatchObject({ updated: 1, existing: 1 });
    expect(await listed("account show 481")).toMatchObject({
      Name: "Snacks & tea",
      TaxType: "INPUT2",
    });
  });

  test("a chart of accounts with a refused row changes nothing, and the reason is reported", async () => {
    const rows = ["Code,Name,Type", "482,Tea,EXPENSE", "483,Cash,BANK"];
    const { code, told } = await imported("accounts", rows);
    expect(code).toBe(5);
    expect(told.refused).toEqual([
      { row: 3, record: "483", reason: expect.stringMatching(/BankAccountNumber is required/) },
    ]);
    expect(await listed("account list --where 'Code==\"482\"'")).toEqual([]);
  });
});

describe("an import of which the service refuses a row", () => {
  test.each([
    [
      "contacts",
      ["Name,EmailAddress", "Good,a@b.co", "Bad,nope"],
      "contact list --where 'Name==\"Good\"'",
    ],
    ["items", ["Code,Name,InventoryAssetAccountCode", "G1,Mug,", "G2,Bowl,200"], "item list"],
    [
      "invoices",
      [
        "InvoiceNumber,ContactName,InvoiceDate,DueDate,Description,UnitAmount,AccountCode,TaxType,Status",
        "I1,Moa,2026-02-02,2026-02-20,Cups,10,200,,AUTHORISED",
        "I2,Moa,2026-02-02,2026-02-20,Pots,10,200,INPUT2,AUTHORISED",
      ],
      "invoice list",
    ],
    [
      "bank-transfers",
      [
        "FromBankAccount.Code,ToBankAccount.Code,Date,Amount",
        "090,091,2026-02-02,5",
        "090,200,2026-02-02,5",
      ],
      "bank-transfer list",
    ],
  ])(
    "%s are refused beforehand by a dry run, and nothing of the file is imported",
    async (noun, rows, list) => {
      await acct("account create --code 091 --name Till --type BANK --bank-account-number 12-1-2");
      for (const flags of ["--dry-run", "--yes"]) {
        const { code, told } = await imported(noun, rows, flags);
        expect([code, told.refused.map(({ row }: { row: number }) => row)]).toEqual([5, [3]]);
      }
      expect(await listed(list)).toEqual([]);
    },
  );
});

describe("rows of one imported record", () => {
  const head = "QuoteNumber,Contact.Name,Date,Status,Description,UnitAmount,AccountCode";

  test("scattered rows of one quote become its lines, and its status is reached step by step", async () => {
    const { code } = await imported("quotes", [
      head,
      "Q1,Moa,2026-02-01,ACCEPTED,Pots,10,200",
      "Q2,Moa,2026-02-01,DRAFT,Cups,1,200",
      "Q1,Moa,2026-02-01,ACCEPTED,Pans,20,200",
    ]);
    expect(code).toBe(0);
    const quote = await listed("quote show Q1");
    expect(quote).toMatchObject({ Status: "ACCEPTED", SubTotal: 30 });
    expect(quote.LineItems.map((each: { Description: string }) => each.Description)).toEqual([
      "Pots",
      "Pans",
    ]);
  });

  test("rows of one quote that contradict each other are refused, with their row numbers", async () => {
    const { code, told } = await imported("quotes", [
      head,
      "Q3,Moa,2026-02-01,DRAFT,Pots,10,200",
      "Q3,Moa,2026-02-02,DRAFT,Pans,20,200",
    ]);
    expect(code).toBe(5);
    expect(
      told.refused.map(({ row, reason }: { row: number; reason: string }) => [row, reason]),
    ).toEqual([
      [2, "Row 3 of the same quote is refused."],
      [3, "Row 2 is the same quote, but Date is '2026-02-02' here and '2026-02-01' there."],
    ]);
  });
});

test("imported bank transactions without a number are matched with equal existing ones, one by one", async () => {
  const head =
    "BankTransactionID,Type,BankAccount.Code,Contact.Name,Date,Description,LineAmount,AccountCode";
  const fee = (group: string) => `${group},SPEND,090,Moa,2026-02-01,Fee,2,404`;
  const { told } = await imported("bank-transactions", [head, fee("a"), fee("b")]);
  expect(told["bank transactions"]).toMatchObject({ imported: 2 });
  const other = head
    .replace("Contact.Name", "ContactName")
    .replace("BankAccount.Code", "BankAccountCode");
  const again = await imported("bank-transactions", [other, fee("x"), fee("y"), fee("z")]);
  expect(again.told["bank transactions"]).toMatchObject({ imported: 1, existing: 2 });
  expect(await listed("bank-transaction list")).toHaveLength(3);
});

test("two equal rows of bank transactions without an id are two payments, also the next time", async () => {
  const head = "Type,BankAccount.Code,Contact.Name,Date,Description,LineAmount,AccountCode";
  const coffee = "SPEND,090,Moa,2026-02-01,Coffee,4.50,404";
  const rows = [head, coffee, coffee, "SPEND,090,Moa,2026-02-02,Milk,4.50,404"];
  const { told } = await imported("bank-transactions", rows);
  expect(told["bank transactions"]).toMatchObject({ imported: 3 });
  const again = await imported("bank-transactions", [...rows, coffee]);
  expect(again.told["bank transactions"]).toMatchObject({ imported: 1, existing: 3 });
});

test("imported credit notes without an id are matched by number, those of suppliers also by supplier", async () => {
  await acct("contact create --name Kea");
  const head =
    "CreditNoteID,CreditNoteNumber,Type,Contact.Name,Date,Description,LineAmount,AccountCode";
  const of = (id: string, number: string, type: string, name: string, text: string) =>
    `${id},${number},${type},${name},2026-02-02,${text},5,200`;
  const { code, told } = await imported("credit-notes", [
    head,
    of("", "R-7", "ACCPAYCREDIT", "Moa", "tiles"),
    of("", "R-7", "accpaycredit", "Kea", "nails"),
    of("", "R-8", "ACCRECCREDIT", "Moa", "pots"),
    of("", "R-7", "ACCPAYCREDIT", "Moa", "slate"),
    of("a", "R-9", "ACCPAYCREDIT", "Moa", "sand"),
    of("b", "R-9", "ACCPAYCREDIT", "Moa", "lime"),
  ]);
  expect([code, told.refused]).toEqual([0, []]);
  const lines = async (where: string) => {
    const found = await listed(`credit-note list --where '${where}'`);
    return Promise.all(
      found.map(async ({ CreditNoteID }: { CreditNoteID: string }) => {
        const { Contact, LineItems } = await listed(`credit-note show ${CreditNoteID}`);
        const texts = LineItems.map(({ Description }: { Description: string }) => Description);
        return [Contact.Name, ...texts].join(" ");
      }),
    ).then((texts) => texts.sort());
  };
  expect(await lines('CreditNoteNumber=="R-7"')).toEqual(["Kea nails", "Moa tiles slate"]);
  expect(await lines('CreditNoteNumber=="R-8"')).toEqual(["Moa pots"]);
  expect(await lines('CreditNoteNumber=="R-9"')).toEqual(["Moa lime", "Moa sand"]);
});

test("rows of one sales credit note without an id that name two contacts are refused", async () => {
  const { code, told } = await imported("credit-notes", [
    "CreditNoteNumber,Type,Contact.Name,Date,Description,LineAmount,AccountCode",
    "S-1,ACCRECCREDIT,Moa,2026-02-02,pots,5,200",
    "S-1,ACCRECCREDIT,Kea,2026-02-02,pans,5,200",
  ]);
  expect(code).toBe(5);
  expect(told.refused.map(({ reason }: { reason: string }) => reason)).toEqual([
    "Row 3 of the same credit note is refused.",
    "Row 2 is the same credit note, but Contact is another.",
  ]);
});

test.each([
  ["tracking", ["Name,Options", "Region,nothing"], 5, /Options is no list as JSON/],
  ["tracking", ["Name,Optoins", "Region,x"], 0, /unused/],
  [
    "manual-journals",
    ["Narration,Date", "x,2026-02-01"],
    2,
    /No column gives JournalLines.LineAmount/,
  ],
  [
    "manual-journals",
    ["Narration,Date,AccountCode,Debit,Credit", "x,2026-02-01,477,5,5", "x,2026-02-01,814,,5"],
    5,
    /The row has a debit and a credit; give each a row\./,
  ],
  [
    "manual-journals",
    ["Narration,Date,AccountCode,Amount,Debit", "x,2026-02-01,477,5,5", "x,2026-02-01,814,-5,"],
    5,
    /The row has a LineAmount besides a debit or credit\./,
  ],
  [
    "credit-notes",
    [
      "CreditNoteNumber,Type,Contact.Name,Date,Description,LineAmount,AccountCode,Allocations",
      'C1,ACCRECCREDIT,Moa,2026-02-01,x,5,200,"[{""AppliedAmount"":5,""Invoice"":{""InvoiceNumber"":""none""}}]"',
    ],
    7,
    /there is no invoice none of its contact/,
  ],
  [
    "bank-rules",
    [
      "Name,Conditions,Lines",
      'Fees,"[{""Field"":""text"",""Value"":""fee""}]","[{""AccountCode"":""9999""}]"',
    ],
    5,
    /9999/,
  ],
])(
  "a faulty import file of %s (rows %j) ends with exit code %i and one sentence",
  async (noun, rows, code, sentence) => {
    const { code: ended, stderr } = await acct(`import ${noun} ${file(rows)} --yes`);
    expect(stderr).toMatch(sentence);
    expect(ended).toBe(code);
  },
);

test("a misspelt field of a record in a file is refused, with the field that was meant", async () => {
  const path = join(home, "typo.json");
  const line = { Description: "x", UnitAmount: 10, AcountCode: "200" };
  writeFileSync(
    path,
    JSON.stringify({ Contact: { Name: "Moa" }, Sttus: "DRAFT", LineItems: [line] }),
  );
  const { code, stderr } = await acct(`invoice create --file ${path}`);
  expect(code).toBe(5);
  expect(stderr).toContain("Sttus is no field; did you mean Status?");
  expect(stderr).toContain("AcountCode is no field; did you mean AccountCode?");
});

test("a record as the API answers it can be given as a file", async () => {
  const path = join(home, "answered.json");
  await acct("contact create --name Answered");
  writeFileSync(path, (await acct("api GET /Contacts -q 'where=Name==\"Answered\"'")).stdout);
  const { code, stdout } = await acct(`contact update Answered --file ${path} --name Answered2`);
  expect([code, stdout]).toEqual([0, expect.stringContaining("Answered2")]);
});
