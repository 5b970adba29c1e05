/** Records that look as if they were there already, at the terminal and in scripts. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { records } from "../../client/service.ts";
import { acct as asked } from "../line.ts";
import { newDesk } from "../real.ts";

const { home, acct } = newDesk();

async function done(line: string, said: string | RegExp = ""): Promise<string> {
  const { code, stdout, stderr } = await acct(line);
  expect({ line, code, stderr }).toEqual({
    line,
    code: 0,
    stderr: said === "" ? "" : expect.stringMatching(said),
  });
  return stdout.trim();
}

async function refused(line: string): Promise<string> {
  const { code, stdout, stderr } = await acct(line);
  expect({ line, code, stdout }).toEqual({ line, code: 5, stdout: "" });
  return stderr.trim();
}

const count = async (noun: string) =>
  (await done(`${noun} list -o id --all`)).split("\n").filter((each) => each !== "").length;

const line = (amount = 100, more = "") =>
  `--line description=Mug,unit-amount=${amount},account=200,tax=NONE${more}`;
const cost = "--line description=Clay,unit-amount=80,account=429,tax=NONE";
let invoiceId: string;

beforeAll(async () => {
  await done("init --name Kiln --country NZ", /./);
  for (const code of ["090", "091"]) {
    const numbered = `--bank-account-number 12-${code}`;
    await done(`account create --code ${code} --name Bank${code} --type BANK ${numbered}`);
  }
  await done("contact create --name Acme");
  await done("contact create --name Heron");
  await done("item create --code MUG --name Mug --unit-price 28 --sales-account 200");
  invoiceId = await done(
    `invoice create --contact Acme --status AUTHORISED --date 2026-01-31 ${line(500)} -o id`,
  );
});

describe("a repeated create command", () => {
  const bank = "bank-transaction create --type SPEND --bank-account 090 --contact Acme";
  const journal = "--line account=477,debit=90 --line account=814,credit=90";
  test.each<[noun: string, line: () => string, told: RegExp]>([
    [
      "invoice",
      () => `invoice create --contact Acme --reference R-1 ${line()}`,
      /^acct: The invoice INV-\d+ of Acme \(6 Mar 2026, 100\.00, Draft\) looks the same: nothing was made; --allow-duplicate makes another\.$/,
    ],
    [
      "invoice",
      () => "invoice create --contact Acme --line item=MUG,quantity=3",
      /The invoice INV-\d+ of Acme \(6 Mar 2026, 96\.60, Draft\) looks the same/,
    ],
    [
      "bill",
      () => `bill create --contact Acme ${cost}`,
      /The bill [A-Z]{1,2}-\d+ of Acme \(.* looks the same/,
    ],
    [
      "credit-note",
      () => `credit-note create --type ACCRECCREDIT --contact Acme ${line()}`,
      /The credit note CN-\d+ of Acme \(.* looks the same/,
    ],
    ["quote", () => `quote create --contact Acme ${line()}`, /The quote QU-\d+ of Acme \(/],
    [
      "purchase-order",
      () => `purchase-order create --contact Acme ${cost}`,
      /The purchase order PO-\d+ of Acme \(/,
    ],
    [
      "bank-transaction",
      () => `${bank} ${cost}`,
      /The bank transaction [A-Z]{1,2}-\d+ of Acme \(.*80\.00/,
    ],
    [
      "bank-transaction",
      () => `${bank} --reference P-1 ${cost}`.replace("SPEND", "SPEND-PREPAYMENT"),
      /The bank transaction [A-Z]{1,2}-\d+ of Acme \(.*80\.00/,
    ],
    [
      "bank-transfer",
      () => "bank-transfer create --from 090 --to 091 --amount 250",
      /The bank transfer [A-Z]{1,2}-\d+ \(6 Mar 2026, 250\.00\) looks the same/,
    ],
    [
      "manual-journal",
      () => `manual-journal create --narration Wages ${journal}`,
      /The manual journal [A-Z]{1,2}-\d+ \(6 Mar 2026, Draft\) looks the same/,
    ],
    [
      "payment",
      () => `payment apply ${invoiceId} --account 090 --amount 10`,
      /The payment [A-Z]{1,2}-\d+ of INV-\d+ \(6 Mar 2026, 10\.00\) looks the same/,
    ],
    [
      "batch-payment",
      () => `batch-payment create --account 091 --pay ${invoiceId}=20`,
      /The batch payment [A-Z]{1,2}-\d+ \(6 Mar 2026, 20\.00\) looks the same/,
    ],
  ])(
    "a repeated create of a record of kind %s is refused as a duplicate before any write",
    async (noun, made, told) => {
      await done(made());
      const held = await count(noun);
      expect(await refused(made())).toMatch(told);
      expect(await count(noun)).toBe(held);
      await done(`${made()} --dry-run`, /looks the same\.\nDry run/);
      await done(`${made()} --yes`, /looks the same\.\n$/);
      await done(`${made()} --allow-duplicate`);
      expect(await count(noun)).toBe(held + 2);
    },
  );

  test.each([
    ["another contact", `--contact Heron --reference S ${line()}`],
    ["another reference", `--contact Acme --reference T ${line()}`],
    ["no reference", `--contact Acme ${line()}`],
    ["another day", `--contact Acme --reference S --date 2026-03-04 ${line()}`],
    ["another amount", `--contact Acme --reference S ${line(101)}`],
    ["another quantity", `--contact Acme --reference S ${line(100, ",quantity=2")}`],
    ["another tax", `--contact Acme --reference S ${line().replace("NONE", "OUTPUT2")}`],
    [
      "tax included in the amounts",
      `--contact Acme --reference S --line-amount-types Inclusive ${line()}`,
    ],
  ])("a create is not refused as a duplicate of a record with %s", async (_what, words) => {
    const one = `invoice create --contact Acme --reference S ${line()} --allow-duplicate`;
    const id = await done(`${one} -o id`);
    await done(`invoice create ${words}`);
    await done(`invoice delete ${id} --yes`);
    for (const each of (await done("invoice list -o id")).split("\n")) {
      if (each !== invoiceId) await done(`invoice delete ${each} --yes`);
    }
  });

  test("an invoice with other line texts but the same amounts is refused as a duplicate", async () => {
    await done(`invoice create --contact Acme --reference U ${line()}`);
    const halves = `${line(60)} --line description=Cup,quantity=2,unit-amount=20,account=200,tax=NONE`;
    expect(await refused(`invoice create --contact Acme --reference U ${halves}`)).toContain(
      "looks the same",
    );
  });

  test("a create is not refused as a duplicate of a void or deleted record", async () => {
    const one = `invoice create --contact Acme --reference V ${line()} -o id`;
    await done(`invoice delete ${await done(one)} --yes`);
    await done(one);
  });

  test("a refused duplicate is printed as a JSON error with the existing record", async () => {
    const one = `bill create --contact Heron --invoice-number J-1 ${cost}`;
    await done(one);
    expect(JSON.parse(await refused(`${one} -o json`))).toEqual({
      error: {
        code: "Duplicate",
        message: expect.stringContaining("The bill J-1 of Heron"),
        details: [{ message: expect.any(String), record: "J-1" }],
      },
    });
  });
});

describe("a bill with a supplier's number", () => {
  const bill = (number: string, more: string) =>
    `bill create --contact Acme --invoice-number ${number} --date 2026-02-01 ${more}`;

  test("a bill with the number of another bill of the same contact is refused as a duplicate", async () => {
    await done(bill("B-17", cost));
    const told = await refused(bill("B-17", line(33)).replace("02-01", "02-20"));
    expect(told).toBe(
      "acct: The bill B-17 of Acme (1 Feb 2026, 80.00, Draft) bears that number already: nothing " +
        "was made; --allow-duplicate makes another.",
    );
    await done(bill("B-18", cost));
    await done(bill("B-17", cost).replace("Acme", "Heron"));
  });

  test("an invoice with a number in use is refused by the service", async () => {
    const one = `invoice create --contact Acme --invoice-number X-1 ${line()}`;
    await done(one);
    expect(await refused(one)).toContain("Invoice # must be unique");
  });

  test("several duplicates in a file are reported together, and no record of the file is created", async () => {
    const path = join(home, "bills.json");
    const of = (InvoiceNumber: string) => ({
      Type: "ACCPAY",
      Contact: { Name: "Acme" },
      InvoiceNumber,
      LineItems: [{ Description: "Clay", UnitAmount: 5, AccountCode: "429" }],
    });
    const numbers = Array.from({ length: 12 }, (_, at) => `F-${at}`);
    writeFileSync(path, JSON.stringify({ Invoices: [of("F-0"), of("F-11")] }));
    await done(`bill create --file ${path}`);
    const held = await count("bill");
    writeFileSync(path, JSON.stringify({ Invoices: numbers.map(of) }));
    const told = await refused(`bill create --file ${path}`);
    expect(told).toMatch(
      /^acct: Of 12 bills 2 look as if there already: nothing was made; --allow-duplicate makes them all the same\.\n.*F-0 of Acme.*\n.*F-11 of Acme/,
    );
    expect(await count("bill")).toBe(held);
    await done(`bill create --file ${path} --allow-duplicate`);
    expect(await count("bill")).toBe(held + 12);
  });
});

describe("a create under an idempotency key", () => {
  test("a repeated create under the same idempotency key is no duplicate, under another key it is refused", async () => {
    const one = `invoice create --contact Heron --reference K ${line()} -o id`;
    const id = await done(`${one} --idempotency-key a`);
    expect(await done(`${one} --idempotency-key a`)).toBe(id);
    expect(await refused(`${one} --idempotency-key b`)).toContain("looks the same");
    expect(await refused(one)).toContain("looks the same");
  });

  const contactId = "5f0c7a86-58a7-4e0f-8f39-2a9c6f6f1d01";
  const id = "1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11";
  const answersAt = (UpdatedDateUTC: string) => {
    const made = {
      Type: "ACCPAY",
      InvoiceID: id,
      InvoiceNumber: "B-1",
      Contact: { ContactID: contactId, Name: "Acme" },
      Date: "2026-03-05",
      Status: "DRAFT",
      UpdatedDateUTC,
    };
    return {
      "GET /Contacts": records("Contacts", [
        { ContactID: contactId, Name: "Acme", ContactStatus: "ACTIVE" },
      ]),
      [`GET /Contacts/${contactId}`]: records("Contacts", [{ ContactID: contactId, Name: "Acme" }]),
      "GET /Invoices": records("Invoices", [made]),
      "PUT /Invoices": records("Invoices", [made]),
    };
  };
  const words = "bill create --contact Acme --invoice-number B-1 --line description=x";

  test.each([
    ["2026-03-05T11:55:00", 0],
    ["2026-03-05T11:53:00", 5],
  ])(
    "a service without dry runs is sent a repeated create within six minutes (first at %s), with exit code %i",
    async (at, code) => {
      const line = [...words.split(" "), "--idempotency-key", "k"];
      const ran = await asked(line, answersAt(at), { remote: true });
      expect(ran.code).toBe(code);
    },
  );

  test("the duplicate check sends one read, and none with --allow-duplicate", async () => {
    const answers = {
      ...answersAt("2026-03-05T11:55:00"),
      "GET /Invoices": records("Invoices", []),
    };
    const reads = (await asked(words.split(" "), answers)).lines;
    expect(reads.slice(-2)).toEqual([
      `GET /Invoices?where=Type=="ACCPAY" AND Contact.ContactID==Guid("${contactId}") AND InvoiceNumber=="B-1"&unitdp=4&handles=true&page=1&count=false`,
      "PUT /Invoices?unitdp=4&handles=true",
    ]);
    const without = await asked([...words.split(" "), "--allow-duplicate"], answers);
    expect(without.lines).toEqual([...reads.slice(0, -2), ...reads.slice(-1)]);
  });
});
