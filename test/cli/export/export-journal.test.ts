/** The exported ledger: valid in each form, whatever people called things. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { beancount } from "../../../src/audit-files/beancount.ts";
import { hledger } from "../../../src/audit-files/hledger.ts";
import type { JournalFormat, JournalHeader } from "../../../src/audit-files/journal-format.ts";
import { postingsFormat } from "../../../src/cli/export/export-postings.ts";
import type { Cents } from "../../../src/resources/decimal.ts";
import type { Journal, JournalLine } from "../../../src/resources/journal.ts";
import { hasBeancount } from "../../support/beancount.ts";
import { hasHledger, hledger as ran } from "../../support/hledger.ts";

const folder = mkdtempSync(join(tmpdir(), "acct-export-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

const guid = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`;

/** Names that mean something to one program or another, and pairs that differ in that alone. */
const names = [
  "Business Account",
  "Cash; petty  drawer",
  "Cash, petty drawer",
  "Assets:Sub:Account",
  "(virtual)",
  "[balanced]",
  "* not cleared ! 2026-01-01",
  "Tab\there\nand\r\nthere\u00a0\u3000end",
  'Quote " and \\ backslash',
  "=1+1",
  "Pūkeko Café — №1",
  "日本語",
  "100.00 NZD",
  "@ 5 USD = 3",
];

const accounts = names.map((name, at) => ({
  id: guid(at),
  code: at % 4 === 3 ? undefined : String(100 + at),
  name,
  type: at === 0 ? "BANK" : at % 2 === 0 ? "REVENUE" : "DIRECTCOSTS",
}));

const opening: JournalHeader = {
  organisation: "Heron\nLane; Ltd",
  currency: "NZD",
  basis: "accrual",
  accounts: accounts.slice(0, -1), // the last was made after the export began
};

function line(at: number, amount: number, more: Partial<JournalLine> = {}): JournalLine {
  const { id, code, name, type } = accounts[at]!;
  return {
    JournalLineID: guid(900 + at),
    AccountID: id,
    AccountCode: code,
    AccountName: name,
    AccountType: type as JournalLine["AccountType"],
    Description: "",
    NetAmount: amount as Cents,
    GrossAmount: amount as Cents,
    TaxAmount: 0 as Cents,
    TrackingCategories: [],
    ...more,
  };
}

const texts = [
  "",
  "Plain words, with a comma",
  "delivery date:2020-01-01 and date2:2020-01-02",
  "[2020-01-01=2020-02-02] [1/2]",
  "a ; comment | note  (code) = 5",
  'line\nbreaks\r\n    assets:evil  100 NZD "quoted" \\',
  "=HYPERLINK(1)",
  "@SUM(A1)",
];

const journals: Journal[] = texts.map((text, at) => ({
  JournalID: guid(500 + at),
  JournalDate: "2026-03-05",
  JournalNumber: at + 1,
  CreatedDateUTC: 0,
  Reference: text,
  ...(at === 0 ? {} : { SourceID: guid(700 + at), SourceType: "ACCREC" as const }),
  JournalLines: [
    line(0, 100 * names.length - 101),
    ...names.slice(1).map((_, next) =>
      line(next + 1, next === 0 ? -199 : -100, {
        Description: text,
        TaxType: "OUTPUT2",
        TaxAmount: -15 as Cents,
        TrackingCategories: [
          { Name: "date", Option: text, TrackingOptionID: guid(1) },
          { Name: "Cost; centre: two", Option: "a, b", TrackingOptionID: guid(2) },
        ],
      }),
    ),
    line(0, 100),
  ],
}));

function written(format: JournalFormat): string {
  return format.head + journals.map((each) => format.journal(each)).join("");
}

function inFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("the hledger export", () => {
  test("the hledger export matches the golden file", async () => {
    await expect(written(hledger(opening))).toMatchFileSnapshot("../../golden/export.hledger");
  });

  test.skipIf(!hasHledger)(
    "the hledger export passes hledger's strict checks, with every account, date and cent",
    () => {
      const path = inFile("x.journal", written(hledger(opening)));
      expect(ran(path, "check", "--strict")).toBe("");
      const declared = ran(path, "accounts", "--declared").trim().split("\n");
      expect(new Set(declared).size).toBe(names.length);
      expect(ran(path, "accounts", "--used").trim().split("\n").sort()).toEqual(declared.sort());
      expect(ran(path, "print", "-b", "2026-03-05", "-e", "2026-03-06")).toBe(ran(path, "print"));
      expect(ran(path, "print", "--date2")).toBe(ran(path, "print"));
      const cents = (100 * names.length - 1) * texts.length;
      expect(ran(path, "bal", "assets:bank", "-N").trim()).toBe(
        `${(cents / 100).toFixed(2)} NZD  assets:bank:100 Business Account`,
      );
      const codes = [...ran(path, "print").matchAll(/^2026-03-05 \((\d+)\)/gm)].map(
        ([, code]) => code,
      );
      expect(codes).toEqual(texts.map((_, at) => String(at + 1)));
      expect(ran(path, "tags").trim().split("\n").sort()).toEqual([
        "journal-id",
        "source-id",
        "tax",
        "tax-amount",
        "tracking-Cost-centre-two",
        "tracking-date",
        "type",
      ]);
    },
  );
});

describe("the beancount export", () => {
  test("the beancount export matches the golden file", async () => {
    await expect(written(beancount(opening))).toMatchFileSnapshot("../../golden/export.beancount");
  });

  test("the beancount export has valid and unique account names", () => {
    const opened = [...written(beancount(opening)).matchAll(/^1900-01-01 open (\S+) NZD$/gm)];
    expect(new Set(opened.map(([, name]) => name)).size).toBe(names.length);
    for (const [, name = ""] of opened) {
      expect(name).toMatch(
        /^(Assets|Liabilities|Equity|Income|Expenses)(:[\p{Lu}\p{Nd}][\p{L}\p{Nd}-]*)+$/u,
      );
    }
  });

  test.skipIf(!hasBeancount)("the beancount export passes bean-check", () => {
    const path = inFile("x.beancount", written(beancount(opening)));
    const { status, stdout, stderr } = spawnSync("bean-check", [path], { encoding: "utf8" });
    expect([status, stdout, stderr]).toEqual([0, "", ""]);
  });
});

describe("the CSV export", () => {
  test("the CSV export of the ledger has a row for each posting, and no cell is a formula", async () => {
    const { parse } = await import("csv-parse/sync");
    const rows: string[][] = parse(written(postingsFormat()));
    expect(rows).toHaveLength(1 + texts.length * (names.length + 1));
    for (const cell of rows.flat()) expect(cell).not.toMatch(/^[=+@\t\r]|^-(?!\d+\.\d\d$)/);
    const heading = rows[0] as string[];
    const sum = rows
      .slice(1)
      .reduce(
        (total, row) => total + Math.round(Number(row[heading.indexOf("NetAmount")]) * 100),
        0,
      );
    expect(sum).toBe(0);
    const guarded = rows.map((row) => row[heading.indexOf("Description")]);
    expect(guarded).toContain("'=HYPERLINK(1)");
    expect(guarded).toContain(texts[5]);
  });
});
