/**
 * The posting batch of a German company: DATEV's accounts, tax keys and automatic accounts, read
 * back with the tax that DATEV posts by them.
 */
import { expect, test } from "vitest";
import {
  datevPostings,
  readDatev,
  type TaxKey,
  type Told,
  unquoted,
} from "../../cli/export/audit.ts";
import { contact, type Json, type World, world } from "../fixture.ts";
import { document, type Line } from "../reports/tax/returns.ts";
import { auditBytes } from "./audit-bytes.ts";

/** What DATEV posts by a key, with accounts of SKR04. */
const keys: Readonly<Record<string, TaxKey>> = {
  1: { rate: 0, account: "" },
  2: { rate: 7, account: "3801" },
  3: { rate: 19, account: "3806" },
  8: { rate: 7, account: "1401" },
  9: { rate: 19, account: "1406" },
  11: { rate: 0, account: "" },
  13: { rate: 19, account: "3809", deducted: "line" },
  18: { rate: 7, account: "3802", deducted: "1402" },
  19: { rate: 19, account: "3804", deducted: "1404" },
  46: { rate: 0, account: "" },
  47: { rate: 0, account: "" },
  91: { rate: 7, account: "3835", deducted: "1408" },
  94: { rate: 19, account: "3837", deducted: "1407" },
  95: { rate: 19, account: "3837", deducted: "line" },
};

/** Automatic accounts of SKR04, with the key that does the same. */
const automatic = {
  ...{ 4120: "1", 4125: "11", 4130: "11", 4300: "2", 4336: "47", 4337: "46", 4400: "3", 4845: "3" },
  ...{ 5300: "8", 5400: "9", 5425: "19", 5923: "94", 5925: "94" },
};

type Traded = readonly [what: "sale" | "bill", lines: readonly Line[], fields?: object];

const day = { Date: "2026-03-05", DueDate: "2026-12-31" };

/** Makes the documents, numbered from `D-1`. */
async function traded(given: World, party: Json, documents: readonly Traded[]): Promise<void> {
  for (const [at, [what, lines, fields]] of documents.entries()) {
    const type = what === "bill" ? { Type: "ACCPAY" } : {};
    const numbered = { ...day, ...type, InvoiceNumber: `D-${at + 1}`, ...fields };
    await document(given, party, numbered, lines);
  }
}

async function german(): Promise<{ given: World; party: Json }> {
  const given = await world("DE");
  const party = await contact(given, { Name: "Atelier Lefèvre", TaxNumber: "FR44732829320" });
  return { given, party };
}

async function batch(given: World, more: Readonly<Record<string, string>> = {}) {
  const parameters = { consultant: "29098", client: "55003", ...more };
  const file = readDatev(await auditBytes(given, "datev", parameters));
  expect(file.faults).toEqual([]);
  const places = [7, 8, 9, 1, 2] as const;
  const rows = file.rows.map((row) => places.map((at) => unquoted(row[at - 1] ?? "")).join(" "));
  return { file, rows };
}

/** Cents by account, without those that have not moved. */
function sums(told: readonly Told[]): Record<string, number> {
  const all = new Map<string, number>();
  for (const { account, amount } of told) all.set(account, (all.get(account) ?? 0) + amount);
  return Object.fromEntries([...all].filter(([account, sum]) => account !== "" && sum !== 0));
}

test.each<[what: string, documents: readonly Traded[], rows: readonly string[]]>([
  [
    "a line on an automatic account of its own tax goes gross without a key",
    [
      ["sale", [["4400", 1000, "OUTPUT19"]]],
      ["bill", [["5300", 100, "INPUT7"]]],
    ],
    ["1200 4400  1190,00 S", "3300 5300  107,00 H"],
  ],
  [
    "a line on another account goes gross with the key of its tax",
    [
      ["sale", [["4830", 100, "OUTPUT7"]]],
      ["bill", [["6815", 50, "INPUT19"]]],
    ],
    ["1200 4830 2 107,00 S", "3300 6815 9 59,50 H"],
  ],
  [
    "a line on an automatic account of another tax goes net, and its tax by itself",
    [["bill", [["5400", 100, "INPUT7"]]]],
    ["5400 3300 40 100,00 S", "1401 3300  7,00 S"],
  ],
  [
    "lines of both signs go against the one owed, each with its key",
    [
      [
        "sale",
        [
          ["4400", 100, "OUTPUT19"],
          ["4830", -20, "OUTPUT7"],
          ["4830", 10, "OUTPUT0"],
        ],
      ],
    ],
    ["1200 4400  119,00 S", "1200 4830 2 21,40 H", "1200 4830  10,00 S"],
  ],
  [
    "sales within the EU, exports and sales on which the customer owes the tax",
    [
      ["sale", [["4125", 100, "ECOUTPUT"]]],
      ["sale", [["4830", 100, "ECOUTPUTSERVICES"]]],
      ["sale", [["4130", 100, "ECTRIANGULAR"]]],
      ["sale", [["4120", 100, "EXPORT"]]],
      ["sale", [["4830", 100, "DRCHARGE"]]],
    ],
    [
      "1200 4125  100,00 S",
      "1200 4830 47 100,00 S",
      "1200 4130  100,00 S",
      "1200 4120  100,00 S",
      "1200 4830 46 100,00 S",
    ],
  ],
  [
    "a reverse charge goes net without its tax, on automatic accounts without a key",
    [
      ["bill", [["5425", 1000.55, "ECACQUISITIONS19"]]],
      ["bill", [["6815", 200, "ECACQUISITIONS7"]]],
      ["bill", [["5923", 450, "REVERSEEU19"]]],
      ["bill", [["6837", 1250.75, "REVERSECHARGE19"]]],
    ],
    [
      "3300 5425  1000,55 H",
      "3300 6815 18 200,00 H",
      "3300 5923  450,00 H",
      "3300 6837 94 1250,75 H",
    ],
  ],
  [
    "a reverse charge that is not reclaimed goes net too",
    [
      ["bill", [["6837", 100, "REVERSEEU19N"]]],
      ["bill", [["6815", 100, "ECACQUISITIONS19N"]]],
    ],
    ["3300 6837 95 100,00 H", "3300 6815 13 100,00 H"],
  ],
  [
    "tax on imports, and tax that is not deducted, stay in their amounts",
    [
      ["bill", [["1433", 380, "GSTONIMPORTS"]]],
      ["bill", [["6620", 100, "INPUTBLOCKED19"]]],
    ],
    ["1433 3300  380,00 S", "6620 3300  119,00 S"],
  ],
])("in the DATEV export of a German company %s", async (_, documents, rows) => {
  const { given, party } = await german();
  await traded(given, party, documents);
  expect((await batch(given)).rows).toEqual(rows);
});

const busy: readonly Traded[] = [
  [
    "sale",
    [
      ["4400", 333.33, "OUTPUT19"],
      ["4300", 45.5, "OUTPUT7"],
      ["4400", 66.67, "OUTPUT7"],
    ],
  ],
  [
    "sale",
    [
      ["4125", 2500.4, "ECOUTPUT"],
      ["4400", 12.34, "NONE"],
    ],
    { DeliveryDate: "2026-02-27" },
  ],
  ["sale", [["4400", 149.99, "OUTPUT19"]], { LineAmountTypes: "Inclusive" }],
  [
    "bill",
    [
      ["6815", 119.99, "INPUT19"],
      ["5400", 20.01, "INPUT7"],
      ["6620", 33.33, "INPUTBLOCKED19"],
    ],
  ],
  [
    "bill",
    [
      ["5425", 1000.55, "ECACQUISITIONS19"],
      ["5923", 10.03, "REVERSEEU19"],
    ],
  ],
  [
    "bill",
    [
      ["5400", 77.77, "REVERSECHARGE7"],
      ["6837", 10.03, "REVERSEEU19N"],
    ],
  ],
  [
    "bill",
    [
      ["5400", 10.01, "ECACQUISITIONS19N"],
      ["6815", 0.03, "INPUT19"],
    ],
  ],
];

/** The tax that the lines of those documents bear, in cents by account of SKR04. */
const taxes = {
  ...{ 3806: -(6333 + 2395), 3801: -(319 + 467), 1406: 2280 + 1, 1401: 140 },
  ...{
    3804: -19010,
    1404: 19010,
    1407: 191,
    3837: -(191 + 191),
    3835: -544,
    1408: 544,
    3809: -190,
  },
};

test("what DATEV posts by the batch of a German company is the trial balance, with tax by account", async () => {
  const { given, party } = await german();
  await traded(given, party, busy);
  await given.ok("PUT", "/Payments", {
    ...{ Invoice: { InvoiceNumber: "D-1" }, Account: { Code: "1800" } },
    ...{ Date: "2026-04-01", Amount: 100 },
  });
  const { file } = await batch(given);
  const { 3800: tax = 0, ...others } = await balances(given);
  const told = sums(datevPostings(file, keys, automatic));
  expect(told).toEqual({ ...others, ...taxes });
  expect(Object.values(taxes).reduce((total, each) => total + each)).toBe(tax);

  const { file: other, rows } = await batch(given, { chart: "03" });
  expect(other.header[26]).toBe('"03"');
  expect(rows.slice(0, 3)).toEqual([
    "1400 8400  396,66 S",
    "1400 8300  48,69 S",
    "1400 8400 40 66,67 S",
  ]);
  expect(rows.at(-1)).toBe("1200 1400  100,00 S");
});

/** Cents by code in the trial balance, debit positive. */
async function balances(given: World): Promise<Record<string, number>> {
  const query = { date: "2026-12-31" };
  const report = await given.ok("GET", "/Reports/TrialBalance", undefined, { query });
  const rows: Json[] = report.Reports[0].Rows.flatMap((section: Json) => section.Rows ?? []);
  const found = rows.flatMap(({ Cells }): [string, number][] => {
    const code = /\((\w+)\)$/.exec(Cells[0].Value)?.[1];
    const value = Math.round(Number(Cells[3].Value || 0) * 100 - Number(Cells[4].Value || 0) * 100);
    return code === undefined || value === 0 ? [] : [[code, value]];
  });
  return Object.fromEntries(found);
}

test("the DATEV export names the customer's VAT number, the day of supply, and whether all is final", async () => {
  const { given, party } = await german();
  await traded(given, party, [
    ["sale", [["4125", 100, "ECOUTPUT"]], { DeliveryDate: "2026-02-27" }],
    ["sale", [["4400", 100, "OUTPUT19"]]],
  ]);
  const shown = async () => {
    const { file } = await batch(given, { accountLength: "6" });
    return file.rows.map((row) => [8, 40, 114, 115, 116].map((at) => unquoted(row[at - 1] ?? "")));
  };
  expect(await shown()).toEqual([
    ["412500", "FR44732829320", "0", "27022026", "05032026"],
    ["440000", "", "0", "", ""],
  ]);
});

test("an account of a German book that SKR03 has no number for is named, and a map adds it", async () => {
  const { given, party } = await german();
  const own = { Code: "4410", Name: "Erlöse Werkstatt", Type: "REVENUE", TaxType: "OUTPUT19" };
  await given.ok("PUT", "/Accounts", own);
  await traded(given, party, [["sale", [["4410", 100, "OUTPUT19"]]]]);
  const chart = { ...{ fromDate: "2026-01-01", toDate: "2026-12-31", chart: "03" } };
  const query = { ...chart, consultant: "29098", client: "55003" };
  const refused = await given.ask("GET", "/Extensions/AuditFiles/datev", undefined, { query });
  expect(JSON.stringify(refused.json)).toContain("has no number of DATEV with 4 digits");
  const map = { chart: "03", accountMap: "Code,Number\n4410,8410\n" };
  expect((await batch(given, map)).rows).toEqual(["1400 8410 3 119,00 S"]);
});
