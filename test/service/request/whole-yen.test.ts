/** Parts of a unit in a book whose currency has none: every amount that a caller can send is refused. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { allocation } from "../../../src/resources/allocation.ts";
import { assetDisposal } from "../../../src/resources/asset.ts";
import { bankMatch } from "../../../src/resources/bank-match.ts";
import type { Fields, Resource } from "../../../src/resources/field.ts";
import { resources } from "../../../src/resources/index.ts";
import { journalSeries } from "../../../src/resources/journal-series.ts";
import { createBook } from "../../../src/service/books/book.ts";
import { asking, faultsIn, isOnPostgres, isOverPort, type Json, type World } from "../fixture.ts";

/** Bodies of requests beside the records that have a collection. */
const bodies: readonly Resource[] = [allocation, assetDisposal, bankMatch, journalSeries];

/** Amounts and prices that a caller may send, by their paths. */
function moneyIn(fields: Fields, path: string): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.readOnly === true) return [];
    if (field.kind === "money" || field.kind === "unitAmount") return [`${path}.${name}`];
    return field.kind === "one" || field.kind === "many"
      ? moneyIn(field.fields, `${path}.${name}`)
      : [];
  });
}

const isWritten = ({ collection, record }: Resource) =>
  [...collection, ...record].some((method) => method === "PUT" || method === "POST");

const part = 1000.55;
const day = "2026-03-02";

interface Known {
  readonly invoice: Json;
  readonly credit: Json;
  readonly bankLine: Json;
  readonly asset: Json;
}

type Request = readonly [method: "PUT" | "POST", path: string, body: object];
type Case = (known: Known) => Request;

const line = (fields: object) => ({
  Description: "Tea",
  Quantity: 1,
  AccountCode: "400",
  ...fields,
});

/** Documents with lines, by what else they need. */
const documents: Readonly<Record<string, readonly [path: string, fields: object]>> = {
  Invoice: ["/Invoices", { Type: "ACCREC", DueDate: day }],
  CreditNote: ["/CreditNotes", { Type: "ACCRECCREDIT" }],
  PurchaseOrder: ["/PurchaseOrders", {}],
  Quote: ["/Quotes", { Date: day }],
  Receipt: ["/Receipts", { User: { UserID: "" } }],
  BankTransaction: ["/BankTransactions", { Type: "SPEND", BankAccount: { Code: "090" } }],
  RepeatingInvoice: [
    "/RepeatingInvoices",
    {
      Type: "ACCREC",
      Schedule: {
        Period: 1,
        Unit: "MONTHLY",
        DueDate: 20,
        DueDateType: "OFFOLLOWINGMONTH",
        StartDate: day,
      },
    },
  ],
};

/** Records that others make, and a discount where none is given. */
const elsewhere =
  /^(?:Prepayment|Overpayment|BankStatementLine|Journal)\.|^(?:CreditNote|BankTransaction).*Discount/;

const lineCases = Object.entries(documents).flatMap(([name, [path, fields]]) => {
  const sent = (LineItem: object): Case => {
    return () => [
      "PUT",
      path,
      { Contact: { Name: "Kai" }, Date: day, ...fields, LineItems: [line(LineItem)] },
    ];
  };
  const cases = [
    [`${name}.LineItems.UnitAmount`, sent({ UnitAmount: part })],
    [`${name}.LineItems.TaxAmount`, sent({ UnitAmount: 1000, TaxAmount: part })],
    [`${name}.LineItems.LineAmount`, sent({ LineAmount: part })],
    [`${name}.LineItems.DiscountAmount`, sent({ UnitAmount: 2000, DiscountAmount: part })],
    [`${name}.LineItems.StockCost`, sent({ UnitAmount: 1000, StockCost: part })],
  ] as const;
  return cases.filter(([path]) => !elsewhere.test(path));
});

const journalLines = (field: string) => [
  { AccountCode: "400", LineAmount: 1000, ...{ [field]: part } },
  { AccountCode: "470", LineAmount: -1000 },
];
const asset = (fields: object): Case => {
  return () => [
    "PUT",
    "/Extensions/Assets",
    {
      Name: "Kiln",
      PurchaseDate: day,
      Cost: 90_000,
      Life: 5,
      AssetAccount: { Code: "150" },
      ...fields,
    },
  ];
};
const statement = (fields: object, first: object = {}): Case => {
  const StatementLines = [{ Date: day, Amount: 1000, Key: "k", Description: "x", ...first }];
  return () => [
    "PUT",
    "/Extensions/BankStatements",
    { BankAccount: { Code: "090" }, StatementLines, ...fields },
  ];
};
const rule = (Conditions: object, Lines: object): Case => {
  const text = { Field: "text", Test: "contains", Value: "tea" };
  return () => [
    "PUT",
    "/Extensions/BankRules",
    { Name: "Tea", Conditions: [text, Conditions], Lines: [Lines, { AccountCode: "470" }] },
  ];
};
const within = { Field: "amount" };
const opening = (fields: object): Case => {
  const Accounts = [{ AccountCode: "400", Credit: 1000 }];
  return () => ["PUT", "/Extensions/OpeningBalances", { Date: "2025-12-31", Accounts, ...fields }];
};
const open = (Line: object, fields: object = {}) => ({
  Documents: [
    {
      Type: "ACCREC",
      Number: "O-1",
      ContactName: "Kai",
      Date: "2025-12-01",
      Lines: [{ Amount: 1000, ...Line }],
      ...fields,
    },
  ],
});
const match = (body: object): Case => {
  return ({ bankLine }) => [
    "POST",
    `/Extensions/BankStatementLines/${bankLine.BankStatementLineID}/Match`,
    body,
  ];
};
const repeated = (field: string): Case => {
  return () => [
    "POST",
    "/Extensions/JournalSeries",
    { Narration: "x", Date: day, JournalLines: journalLines(field), Every: "MONTH", Times: 2 },
  ];
};

const cases: Readonly<Record<string, Case>> = {
  ...Object.fromEntries(lineCases),
  "Invoice.CISDeduction": () => [
    "PUT",
    "/Invoices",
    {
      Type: "ACCPAY",
      Contact: { Name: "Kai" },
      Date: day,
      DueDate: day,
      CISDeduction: part,
      CurrencyCode: "JPY",
      LineItems: [line({ UnitAmount: 9000 })],
    },
  ],
  "CreditNote.CISDeduction": () => [
    "PUT",
    "/CreditNotes",
    {
      Type: "ACCPAYCREDIT",
      Contact: { Name: "Kai" },
      Date: day,
      CISDeduction: part,
      CurrencyCode: "JPY",
      LineItems: [line({ UnitAmount: 9000 })],
    },
  ],
  "Item.PurchaseDetails.UnitPrice": () => [
    "PUT",
    "/Items",
    { Code: "T", PurchaseDetails: { UnitPrice: part } },
  ],
  "Item.SalesDetails.UnitPrice": () => [
    "PUT",
    "/Items",
    { Code: "T", SalesDetails: { UnitPrice: part } },
  ],
  "BankTransfer.Amount": () => [
    "PUT",
    "/BankTransfers",
    { FromBankAccount: { Code: "090" }, ToBankAccount: { Code: "091" }, Amount: part, Date: day },
  ],
  "Payment.Amount": ({ invoice }) => [
    "PUT",
    "/Payments",
    {
      Invoice: { InvoiceID: invoice.InvoiceID },
      Account: { Code: "090" },
      Date: day,
      Amount: part,
    },
  ],
  "BatchPayment.Payments.Amount": ({ invoice }) => [
    "PUT",
    "/BatchPayments",
    {
      Account: { Code: "090" },
      Date: day,
      Payments: [{ Invoice: { InvoiceID: invoice.InvoiceID }, Amount: part }],
    },
  ],
  "Allocation.AppliedAmount": ({ invoice, credit }) => [
    "PUT",
    `/CreditNotes/${credit.CreditNoteID}/Allocations`,
    { Invoice: { InvoiceID: invoice.InvoiceID }, AppliedAmount: part },
  ],
  "Budget.BudgetLines.BudgetBalances.Amount": () => [
    "PUT",
    "/Budgets",
    {
      Description: "2026",
      BudgetLines: [{ AccountCode: "400", BudgetBalances: [{ Period: "2026-03", Amount: part }] }],
    },
  ],
  "ManualJournal.JournalLines.LineAmount": () => [
    "PUT",
    "/ManualJournals",
    { Narration: "x", Date: day, JournalLines: journalLines("LineAmount") },
  ],
  "ManualJournal.JournalLines.TaxAmount": () => [
    "PUT",
    "/ManualJournals",
    { Narration: "x", Date: day, JournalLines: journalLines("TaxAmount") },
  ],
  "JournalSeries.JournalLines.LineAmount": repeated("LineAmount"),
  "JournalSeries.JournalLines.TaxAmount": repeated("TaxAmount"),
  "BankStatement.OpeningBalance": statement({ OpeningBalance: part }),
  "BankStatement.ClosingBalance": statement({ ClosingBalance: part }),
  "BankStatement.Gap": statement({ Gap: part }),
  "BankStatement.StatementLines.Amount": statement({}, { Amount: part }),
  "BankStatement.StatementLines.Charges": statement({}, { Charges: part }),
  "BankStatement.StatementLines.Balance": statement({}, { Balance: part }),
  "BankStatement.StatementLines.OriginalAmount": statement(
    {},
    { OriginalAmount: part, OriginalCurrency: "KRW" },
  ),
  "BankStatement.StatementLines.Parts.Amount": statement({}, { Parts: [{ Amount: part }] }),
  "BankRule.Conditions.From": rule({ ...within, From: part }, { AccountCode: "400", Percent: 50 }),
  "BankRule.Conditions.To": rule({ ...within, To: part }, { AccountCode: "400", Percent: 50 }),
  "BankRule.Lines.Amount": rule({ ...within, From: 1 }, { AccountCode: "400", Amount: part }),
  "OpeningBalance.Accounts.Debit": opening({ Accounts: [{ AccountCode: "400", Debit: part }] }),
  "OpeningBalance.Accounts.Credit": opening({ Accounts: [{ AccountCode: "400", Credit: part }] }),
  "OpeningBalance.Accounts.CurrencyBalance": opening({
    Accounts: [{ AccountCode: "092", Debit: 1000, CurrencyBalance: part }],
  }),
  "OpeningBalance.Documents.AmountDue": opening(open({}, { AmountDue: 100.55 })),
  "OpeningBalance.Documents.Lines.Amount": opening(open({ Amount: part })),
  "OpeningBalance.Documents.Lines.TaxAmount": opening(
    open({ TaxAmount: 10.55, AccountCode: "400" }),
  ),
  "OpeningBalance.Stock.Cost": opening({ Stock: [{ ItemCode: "LAMP", Quantity: 3, Cost: part }] }),
  "Asset.Cost": asset({ Cost: part }),
  "Asset.ResidualValue": asset({ ResidualValue: part }),
  "Asset.CostLimit": asset({ CostLimit: part }),
  "Asset.OpeningAccumulated": asset({ OpeningAccumulated: part }),
  "Disposal.Proceeds": ({ asset: { AssetID } }) => [
    "POST",
    `/Extensions/Assets/${AssetID}/Dispose`,
    { Date: day, Proceeds: part },
  ],
  "BankMatch.Documents.Amount": ({ bankLine, invoice }) =>
    match({ Documents: [{ DocumentID: invoice.InvoiceID, Amount: part }] })({ bankLine } as Known),
  "BankMatch.Lines.Amount": match({
    Contact: { Name: "Kai" },
    Lines: [{ AccountCode: "400", Amount: part }],
  }),
  "BankMatch.TransferAmount": match({ TransferAccount: { Code: "092" }, TransferAmount: part }),
};

const fields = [...resources.filter(isWritten), ...bodies]
  .flatMap((each) => moneyIn(each.fields, each.name))
  .filter((path) => !elsewhere.test(path));

test("each amount field of a request has a test case for fractions of a yen", () => {
  expect(Object.keys(cases).toSorted()).toEqual([...new Set(fields)].toSorted());
});

describe.skipIf(isOnPostgres || isOverPort)("fractions of a yen in a book in yen", () => {
  const folder = mkdtempSync(join(tmpdir(), "acct-test-yen-"));
  const made = (async () => {
    const book = await createBook(
      join(folder, "yen.acct"),
      { name: "Tsuru", country: "GLOBAL", currency: "JPY" },
      { clock: () => Date.parse("2026-03-10T00:00:00Z"), user: "Tess", email: "t@heron.example" },
    );
    const given = asking({ now: 0, mail: [], bugs: [], book } as unknown as World);
    await given.ok("PUT", "/Contacts", { Name: "Kai" });
    await given.ok("PUT", "/Currencies", { Code: "KRW" });
    for (const [Code, CurrencyCode] of [["090"], ["091"], ["092", "KRW"]]) {
      const account = { Code, Name: `Bank ${Code}`, Type: "BANK", BankAccountNumber: Code };
      await given.ok("PUT", "/Accounts", { ...account, ...(CurrencyCode && { CurrencyCode }) });
    }
    const document = {
      Contact: { Name: "Kai" },
      Date: day,
      Status: "AUTHORISED",
      LineItems: [line({ UnitAmount: 9000 })],
    };
    const [invoice] = (
      await given.ok("PUT", "/Invoices", { ...document, Type: "ACCREC", DueDate: day })
    ).Invoices;
    const [credit] = (await given.ok("PUT", "/CreditNotes", { ...document, Type: "ACCRECCREDIT" }))
      .CreditNotes;
    const { Users } = await given.ok("GET", "/Users");
    Object.assign(documents.Receipt?.[1] ?? {}, { User: { UserID: Users[0].UserID } });
    const sent = statement({})({} as Known);
    await given.ok(...sent);
    const [bankLine] = (await given.ok("GET", "/Extensions/BankStatementLines")).BankStatementLines;
    const [kept] = (await given.ok(...asset({})({} as Known))).Assets;
    return { given, known: { invoice, credit, bankLine, asset: kept } };
  })();
  afterAll(async () => {
    await (await made).given.book.close();
    rmSync(folder, { recursive: true });
  });

  test.each(Object.entries(cases))(
    "the field %s refuses a fraction of a yen, with the currency and the remedy in the message",
    async (path, request) => {
      const { given, known } = await made;
      const said = await given.refused(...request(known));
      const name = path.split(".").at(-1) ?? "";
      const sentence = new RegExp(
        `(?:${name}|Amount) .*has decimal places, which (?:JPY|KRW) has not; give a whole amount`,
      );
      expect(said).toEqual(expect.arrayContaining([expect.stringMatching(sentence)]));
    },
  );

  test("a tax return box with a fraction of a yen is refused", async () => {
    const book = await createBook(
      join(folder, "nz.acct"),
      { name: "Tui", country: "NZ", currency: "JPY" },
      { clock: () => Date.parse("2026-03-10T00:00:00Z"), user: "Tess", email: "t@heron.example" },
    );
    const given = asking({ now: 0, mail: [], bugs: [], book } as unknown as World);
    const filed = (Value: string) =>
      given.refused("PUT", "/Reports", {
        ReportType: "GSTReturn",
        FromDate: "2026-01-01",
        ToDate: "2026-02-28",
        Fields: [{ FieldID: "13", Value }],
      });
    expect(await filed("1000.55")).toEqual([
      "Box 13 1000.55 has decimal places, which JPY has not; give a whole amount.",
    ]);
    expect(await filed("1000.555")).toEqual([
      "Box 13 has more than two decimal places: '1000.555'.",
    ]);
    await book.close();
  });

  test("opening stock with a fractional unit cost, and journals spread over months, are posted in whole yen", async () => {
    const { given } = await made;
    const details = {
      InventoryAssetAccountCode: "140",
      PurchaseDetails: { COGSAccountCode: "500" },
    };
    await given.ok("PUT", "/Items", { Code: "LAMP", Name: "Lamp", ...details });
    const Accounts = [
      { AccountCode: "140", Debit: 1000 },
      { AccountCode: "310", Credit: 1000 },
    ];
    const Stock = [{ ItemCode: "LAMP", Quantity: 3, Cost: 1000 }];
    await given.ok(...opening({ Accounts, Stock })({} as Known));
    const [{ TotalCostPool }] = (await given.ok("GET", "/Items/LAMP")).Items;
    expect(TotalCostPool).toBe(1000);
    const { ManualJournals } = await given.ok("POST", "/Extensions/JournalSeries", {
      Narration: "Rent",
      Date: day,
      Months: 3,
      JournalLines: [{ AccountCode: "660", LineAmount: 1000 }],
    });
    const amounts = ManualJournals.map((each: Json) => each.JournalLines[0].LineAmount);
    expect(amounts).toEqual([-1000, 333, 334, 333]);
    expect(await faultsIn(given)).toEqual([]);
  });
});
