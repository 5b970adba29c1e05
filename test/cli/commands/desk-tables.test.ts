/** What is looked at every day, on terminals of 60, 80 and 120 columns. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { displayWidth } from "../../../src/output/display-width.ts";
import { newDesk } from "../real.ts";

const desk = newDesk();
const books = {
  sample: { ACCT_BOOK: join(desk.home, "sample.acct") },
  currencies: { ACCT_BOOK: join(desk.home, "currencies.acct") },
};
/** 24 November 2026, when the sample company has just been looked after. */
const daysLater = 264;

type Book = keyof typeof books;
const done = async (book: Book, line: string, width?: number) => {
  const { code, stdout, stderr } = await desk.acct(`${line} --no-input`, {
    ...{ env: books[book], daysLater, width },
  });
  expect(code, `${line}: ${stderr}`).toBe(0);
  return stdout;
};

/** Two currencies, names of 40 characters, amounts of 1,234,567.89. */
beforeAll(async () => {
  await done("sample", "init --demo");
  const of = (line: string) => done("currencies", line);
  const buyer = "'Northland Museum of Ceramics and Pottery'";
  const seller = "'Canterbury Clay and Kiln Supplies Company'";
  await of("init --name 'Heron & Sons Stoneware Manufacturers Ltd' --country NZ");
  await of("currency add USD");
  await of("account create --code 090 --name Bank --type BANK --bank-account-number 12-3456");
  await of(`contact create --name ${buyer}`);
  await of(`contact create --name ${seller}`);
  const usd = "--currency-code USD --currency-rate 0.6";
  const line = "quantity=1,unit-amount=1234567.89,account=200,tax-type=NONE";
  const text =
    "description='A dinner service of stoneware for two hundred guests and glazed by hand'";
  const sold = `--contact ${buyer} --date 2026-09-20 --due-date 2026-10-20 --status AUTHORISED`;
  await of(`invoice create --invoice-number INV-1 ${sold} ${usd} --line ${text},${line}`);
  await of(`invoice create --invoice-number INV-2 ${sold} --line ${text},${line}`);
  await of(
    `bill create --invoice-number KCS-2026-09 --contact ${seller} --date 2026-10-01 --due-date 2026-12-01 --status AUTHORISED --line description=Clay,quantity=1234.5678,unit-amount=12.3456,account=300`,
  );
  await of(
    "payment apply INV-1 --account 090 --date 2026-10-25 --amount 1000000 --currency-rate 0.6",
  );
  await of("payment apply KCS-2026-09 --account 090 --date 2026-10-26 --amount 234.56");
  const rows = [
    "2026-11-14,Northland Museum of Ceramics and Pottery,INV-2 dinner service,1234567.89",
    "2026-11-15,Northland Museum of Ceramics and Pottery,thanks,1234500.00",
    "2026-11-16,Kiwibank Home Loans and Business Lending,loan,-390.00",
    "2025-11-02,Corner Coffee,card 4711,-5.50",
  ];
  const file = join(desk.home, "bank.csv");
  writeFileSync(file, ["Date,Payee,Text,Amount", ...rows].join("\n"));
  await of(`bank import ${file} --account 090 --date-order ymd`);
  await of(
    "bank rule add Loan --when 'payee contains Kiwibank' --when 'direction out' --to 437=142.50 --to 900",
  );
});

const shown: readonly (readonly [Book, string, string])[] = [
  ["sample", "invoice", "invoice show INV-0039"],
  ["sample", "credit-note", "credit-note show CN-0003"],
  ["sample", "purchase-order", "purchase-order show PO-0001"],
  ["sample", "deposit", "prepayment show PP-1"],
  ["sample", "journal", "manual-journal show MJ-1"],
  ["sample", "contact", "contact show 'Kauri Hotel'"],
  ["sample", "ageing", "report aged-receivables"],
  ["sample", "ageing-of-one", "report aged-receivables 'Kauri Hotel'"],
  ["sample", "ledger", "report account-transactions 200 --period 2026-10"],
  ["sample", "own-days", "report gst --from 2026-09-01 --to 2026-09-30"],
  ["sample", "close", "close 2026-08 --dry-run --yes"],
  ["sample", "tax-rates", "tax-rate list"],
  ["sample", "organisation", "organisation show"],
  ["sample", "fixed-assets", "report fixed-assets"],
  ["sample", "asset-note", "report fixed-assets --note"],
  ["sample", "payments", "payment list --limit 6"],
  ["sample", "log", "log --record INV-0195"],
  ["sample", "undo", "undo 87 --dry-run"],
  ["sample", "tax-detail", "report gst --detail"],
  ["sample", "summary", "report executive-summary"],
  ["sample", "rolling", "report pl --period FY2026 --periods 2 --timeframe MONTH"],
  ["currencies", "payments", "payment list"],
  ["sample", "profit", "report pl --period 2026-10"],
  ["sample", "bank-reconciliation", "report bank-reconciliation 091"],
  ["sample", "suggestions", "bank suggest 090"],
  ["sample", "rules", "bank rule list"],
  ["currencies", "suggestions", "bank suggest 090"],
  ["currencies", "rules", "bank rule list"],
  ["currencies", "rule-test", "bank rule test 090"],
  ["currencies", "ageing", "report aged-receivables"],
  ["currencies", "bank-reconciliation", "report bank-reconciliation 090"],
  ["currencies", "profit", "report pl --period 2026-10"],
  ["currencies", "invoice", "invoice show INV-1"],
  ["currencies", "bill", "bill show KCS-2026-09"],
];

describe.each([60, 80, 120])("on a terminal of %i columns", (width) => {
  test.each(shown)("of the %s book, %s: acct %s", async (book, name, line) => {
    const screen = (await done(book, line, width)).replace(
      /(, |\d\d )\d\d:\d\d(,? by)/,
      "$1HH:MM$2",
    );
    const widest = Math.max(...screen.split("\n").map(displayWidth));
    expect(widest).toBeLessThanOrEqual(width);
    await expect(screen).toMatchFileSnapshot(`../../golden/desk/${book}-${name}-${width}.txt`);
  });
});

test("fields of the API are shown with --columns, all that hold something with *; in a pipe amounts are exact", async () => {
  const all = await done("sample", "invoice show INV-0039 --columns *");
  expect(all).toMatch(/^InvoiceNumber +INV-0039$/m);
  expect(all).toMatch(/^AmountDue +77\.75$/m);
  const json = JSON.parse(await done("sample", "invoice show INV-0039 -o json"));
  expect(json.AmountDue).toBe(77.75);
  const plain = await done("currencies", "invoice show INV-1");
  expect(plain).not.toContain("AmountDue");
  expect(plain).toMatch(/^ +Amount due USD +234567\.89$/m);
});

test("a narrow terminal shows lists and reports with --wide as a broad one does", async () => {
  for (const line of ["payment list --limit 3", "report aged-receivables", "invoice list"]) {
    const shownAt = async (width: number, flag = "") =>
      (await done("sample", `${line}${flag}`, width)).replace(/, \d\d:\d\d,/, "");
    const wide = await shownAt(40, " --wide");
    expect(wide).toBe(await shownAt(400));
    expect(wide).not.toBe(await shownAt(40));
  }
});
