/** Values that come in where they should not, and bodies of records that are right in parts. */
import { fc } from "../support/properties.ts";
import type { Json } from "./fixture.ts";

/** Texts that have broken programs. */
export const nasty = fc.constantFrom(
  "",
  " ",
  "\u0000",
  "'",
  '"',
  "\\",
  "--",
  "%00",
  "%",
  "../../etc/passwd",
  "__proto__",
  "constructor",
  "null",
  "undefined",
  "NaN",
  "-0",
  "1e309",
  "-1e-400",
  "9".repeat(400),
  "0.".padEnd(60, "1"),
  "9007199254740993",
  "99999999999.99",
  "2026-02-30",
  "0000-00-00",
  "9999-12-31",
  "/Date(99999999999999999)/",
  "\ud800",
  "\u202e",
  "x".repeat(5000),
  "ﬀİß",
  "]]>",
  "<!DOCTYPE x>",
  "&amp;&#0;",
  "00000000-0000-0000-0000-000000000000",
);

/** Ids, numbers and codes of what is there: filled in when a run begins. */
export const known = [
  "090",
  "200",
  "429",
  "610",
  "630",
  "LAMP",
  "MUG",
  "INV-0001",
  "INV-0002",
  "Region",
  "OUTPUT2",
  "TAX001",
];
export const ids = Array.from(
  { length: 160 },
  (_, n) => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`,
);
export const key = fc.oneof(fc.constantFrom(...known), fc.constantFrom(...ids), nasty, fc.string());

const scalar = fc.oneof(
  nasty,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom<Json>([], {}, [[]], [null], { a: 1 }),
);
/** Mostly the value that belongs there. */
const mostly = (value: fc.Arbitrary<Json>) =>
  fc.oneof({ weight: 40, arbitrary: value }, { weight: 1, arbitrary: scalar });
const day = mostly(
  fc.integer({ min: 1, max: 28 }).map((n) => `2026-03-${String(n).padStart(2, "0")}`),
);
const amount = mostly(
  fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 0, max: 50 }) },
    { weight: 1, arbitrary: fc.integer({ min: -50, max: 0 }) },
    { weight: 1, arbitrary: fc.double({ min: -1e12, max: 1e12, noNaN: true }) },
  ),
);
const absent = fc.constant(undefined);
/** A value that is there now and then. */
const seldom = (value: fc.Arbitrary<Json>) =>
  fc.oneof({ weight: 15, arbitrary: absent }, { weight: 1, arbitrary: value });
/** An object that lacks a field now and then. */
const fields = (shape: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<Json> =>
  fc.record(
    Object.fromEntries(
      Object.entries(shape).map(([name, value]) => [
        name,
        fc.oneof({ weight: 15, arbitrary: value }, { weight: 1, arbitrary: absent }),
      ]),
    ),
  );

const line = fields({
  LineItemID: seldom(fc.constantFrom(...ids)),
  Description: mostly(fc.string()),
  Quantity: amount,
  UnitAmount: amount,
  LineAmount: seldom(amount),
  TaxAmount: seldom(amount),
  DiscountRate: seldom(amount),
  DiscountAmount: seldom(amount),
  AccountCode: mostly(fc.constantFrom("404", "404", "404", "200", "429", "630", "610")),
  TaxType: seldom(fc.constantFrom("OUTPUT2", "INPUT2", "NONE", "TAX001")),
  ItemCode: seldom(fc.constantFrom("LAMP", "MUG")),
  Tracking: seldom(
    fc.array(fields({ Name: fc.constant("Region"), Option: fc.constantFrom("North", "Nil") }), {
      maxLength: 3,
    }),
  ),
});
/** Sales and bills that are there. */
const invoices = [
  { InvoiceNumber: "INV-0001" },
  { InvoiceNumber: "INV-0002" },
  { InvoiceID: ids[1] },
];

/** What documents with lines have in common, and what one kind has besides. */
const document = (shape: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<Json> =>
  fields({
    Contact: mostly(fc.constantFrom({ Name: "Party" }, { ContactNumber: "P" }, { Name: "Nobody" })),
    Date: day,
    LineAmountTypes: seldom(fc.constantFrom("Exclusive", "Inclusive", "NoTax")),
    LineItems: mostly(fc.array(line, { minLength: 1, maxLength: 3 })),
    Reference: seldom(fc.string()),
    CurrencyCode: seldom(fc.constantFrom("NZD", "USD")),
    ...shape,
  });

const journalLine = (LineAmount: number): fc.Arbitrary<Json> =>
  fields({
    LineAmount: mostly(fc.constant(LineAmount)),
    AccountCode: mostly(fc.constantFrom("429", "404", "200")),
    TaxType: seldom(fc.constantFrom("NONE", "INPUT2")),
    Description: mostly(fc.string()),
  });

/** By the name of their resource. */
export const records: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  Invoice: fields({
    InvoiceID: seldom(fc.constantFrom(...ids)),
    Type: mostly(fc.constantFrom("ACCREC", "ACCPAY")),
    Contact: mostly(
      fc.constantFrom(
        { Name: "Party" },
        { ContactNumber: "P" },
        { Name: "Other" },
        { Name: "Nobody" },
      ),
    ),
    Date: day,
    DueDate: day,
    Status: mostly(
      fc.constantFrom(
        "DRAFT",
        "AUTHORISED",
        "AUTHORISED",
        "SUBMITTED",
        "DELETED",
        "VOIDED",
        "PAID",
      ),
    ),
    LineAmountTypes: mostly(fc.constantFrom("Exclusive", "Inclusive", "NoTax")),
    InvoiceNumber: mostly(
      fc.constantFrom(undefined, undefined, "INV-0001", "INV-0002", "X-1", "INV-999999999"),
    ),
    LineItems: mostly(fc.array(line, { maxLength: 4 })),
    CurrencyCode: mostly(fc.constant("NZD")),
    CurrencyRate: seldom(amount),
    SentToContact: seldom(mostly(fc.boolean())),
    Reference: mostly(fc.string()),
  }),
  Payment: fields({
    PaymentID: seldom(fc.constantFrom(...ids)),
    Invoice: mostly(
      fc.constantFrom(
        { InvoiceNumber: "INV-0001" },
        { InvoiceNumber: "INV-0002" },
        { InvoiceID: ids[1] },
      ),
    ),
    Account: mostly(fc.constantFrom({ Code: "090" }, { Code: "970" }, { Code: "610" })),
    Date: day,
    Amount: amount,
    Status: mostly(fc.constantFrom("AUTHORISED", "DELETED")),
  }),
  Item: fields({
    Code: mostly(fc.constantFrom("LAMP", "MUG", "NEW", "NEWER")),
    Name: mostly(fc.string()),
    IsSold: mostly(fc.boolean()),
    IsPurchased: mostly(fc.boolean()),
    InventoryAssetAccountCode: seldom(fc.constantFrom("630", "200", null)),
    SalesDetails: mostly(
      fields({
        UnitPrice: amount,
        AccountCode: mostly(fc.constant("200")),
        TaxType: mostly(fc.constant("OUTPUT2")),
      }),
    ),
    PurchaseDetails: mostly(
      fields({ UnitPrice: amount, COGSAccountCode: seldom(fc.constant("310")) }),
    ),
  }),
  Contact: fields({
    Name: mostly(fc.constantFrom("Party", "New", "Newer")),
    ContactNumber: seldom(fc.constantFrom("P", "N")),
    ContactStatus: seldom(fc.constantFrom("ACTIVE", "ARCHIVED")),
    EmailAddress: mostly(fc.constant("a@x.example")),
    Addresses: mostly(
      fc.array(
        fields({
          AddressType: mostly(fc.constantFrom("STREET", "POBOX")),
          City: mostly(fc.string()),
        }),
      ),
    ),
    PaymentTerms: mostly(
      fields({
        Sales: mostly(
          fields({ Day: mostly(fc.nat(31)), Type: mostly(fc.constant("OFCURRENTMONTH")) }),
        ),
      }),
    ),
  }),
  Account: fields({
    Code: mostly(fc.constantFrom("490", "491", "200", "630")),
    Name: mostly(fc.string()),
    Type: mostly(fc.constantFrom("EXPENSE", "INVENTORY", "BANK", "REVENUE", "CURRENT")),
    Status: seldom(fc.constantFrom("ACTIVE", "ARCHIVED", "DELETED")),
    BankAccountNumber: seldom(fc.string()),
    EnablePaymentsToAccount: mostly(fc.boolean()),
    TaxType: mostly(fc.constantFrom("NONE", "OUTPUT2")),
  }),
  TaxRate: fields({
    Name: mostly(fc.string()),
    TaxType: seldom(fc.constantFrom("TAX001", "NONE", "OUTPUT2")),
    ReportTaxType: mostly(fc.constantFrom("INPUT", "OUTPUT")),
    Status: mostly(fc.constantFrom("ACTIVE", "DELETED")),
    TaxComponents: mostly(
      fc.array(
        fields({ Name: mostly(fc.string()), Rate: amount, IsCompound: mostly(fc.boolean()) }),
        { maxLength: 3 },
      ),
    ),
  }),
  TrackingCategory: fields({
    Name: mostly(fc.constantFrom("Region", "Team")),
    Status: mostly(fc.constantFrom("ACTIVE", "ARCHIVED")),
  }),
  Option: fields({
    Name: mostly(fc.constantFrom("North", "South", "East")),
    Status: mostly(fc.constantFrom("ACTIVE", "ARCHIVED")),
  }),
  HistoryRecord: fields({ Details: mostly(fc.string()) }),
  CreditNote: document({
    Type: mostly(fc.constantFrom("ACCRECCREDIT", "ACCPAYCREDIT")),
    Status: mostly(fc.constantFrom("DRAFT", "AUTHORISED", "AUTHORISED", "VOIDED", "PAID")),
    CreditNoteNumber: mostly(fc.constantFrom(undefined, "CN-0001", "X-1")),
  }),
  PurchaseOrder: document({
    Status: mostly(fc.constantFrom("DRAFT", "AUTHORISED", "BILLED", "DELETED")),
    PurchaseOrderNumber: seldom(fc.constantFrom("PO-0001", "X-1")),
    DeliveryDate: day,
  }),
  Quote: document({
    Status: mostly(fc.constantFrom("DRAFT", "SENT", "ACCEPTED", "INVOICED", "DELETED")),
    ExpiryDate: day,
    Title: mostly(fc.string()),
  }),
  Receipt: document({
    User: mostly(fc.constantFrom(...ids).map((UserID) => ({ UserID }))),
    Status: mostly(fc.constantFrom("DRAFT", "SUBMITTED", "AUTHORISED", "DECLINED", "VOIDED")),
    Url: seldom(fc.constant("https://till.example/1")),
  }),
  ExpenseClaim: fields({
    User: mostly(fc.constantFrom(...ids).map((UserID) => ({ UserID }))),
    Status: mostly(fc.constantFrom("SUBMITTED", "AUTHORISED", "PAID", "VOIDED", "DELETED")),
    Receipts: mostly(fc.array(fc.record({ ReceiptID: fc.constantFrom(...ids) }), { maxLength: 3 })),
    ReportingDate: day,
    PaymentDueDate: day,
  }),
  BankTransaction: document({
    Type: mostly(fc.constantFrom("RECEIVE", "SPEND", "RECEIVE-PREPAYMENT", "SPEND-OVERPAYMENT")),
    BankAccount: mostly(fc.constantFrom({ Code: "090" }, { Code: "091" }, { Code: "200" })),
    Status: seldom(fc.constantFrom("AUTHORISED", "DELETED")),
    IsReconciled: mostly(fc.boolean()),
  }),
  BankTransfer: fields({
    FromBankAccount: mostly(fc.constantFrom({ Code: "090" }, { Code: "091" })),
    ToBankAccount: mostly(fc.constantFrom({ Code: "091" }, { Code: "090" })),
    Amount: amount,
    Date: day,
    Status: seldom(fc.constantFrom("DELETED", "AUTHORISED")),
  }),
  BatchPayment: fields({
    Account: mostly(fc.constantFrom({ Code: "090" }, { Code: "970" })),
    Date: day,
    Payments: mostly(
      fc.array(fields({ Invoice: mostly(fc.constantFrom(...invoices)), Amount: amount }), {
        maxLength: 3,
      }),
    ),
    Status: seldom(fc.constant("DELETED")),
  }),
  ManualJournal: fields({
    Narration: mostly(fc.string()),
    Date: day,
    Status: mostly(fc.constantFrom("DRAFT", "POSTED", "VOIDED", "DELETED")),
    JournalLines: mostly(
      fc
        .integer({ min: 1, max: 50 })
        .chain((size) =>
          fc.tuple(journalLine(size), journalLine(-size)).map((both) => both as Json),
        ),
    ),
  }),
  RepeatingInvoice: document({
    Type: mostly(fc.constant("ACCREC")),
    Status: mostly(fc.constantFrom("DRAFT", "AUTHORISED", "DELETED")),
    Schedule: mostly(
      fields({
        Period: mostly(fc.integer({ min: 1, max: 3 })),
        Unit: mostly(fc.constantFrom("MONTHLY", "WEEKLY")),
        DueDate: mostly(fc.integer({ min: 0, max: 31 })),
        DueDateType: mostly(fc.constantFrom("DAYSAFTERBILLDATE", "OFFOLLOWINGMONTH")),
        StartDate: day,
        EndDate: seldom(day),
      }),
    ),
  }),
  LinkedTransaction: fields({
    SourceTransactionID: mostly(fc.constantFrom(...ids)),
    SourceLineItemID: mostly(fc.constantFrom(...ids)),
    ContactID: seldom(fc.constantFrom(...ids)),
    TargetTransactionID: seldom(fc.constantFrom(...ids)),
  }),
  Allocation: fields({
    Invoice: mostly(fc.constantFrom(...invoices)),
    AppliedAmount: amount,
    Date: day,
  }),
  ContactGroup: fields({
    Name: mostly(fc.constantFrom("Group", "Others")),
    Status: mostly(fc.constantFrom("ACTIVE", "DELETED")),
  }),
  Employee: fields({
    EmployeeID: seldom(fc.constantFrom(...ids)),
    Status: mostly(fc.constantFrom("ACTIVE", "ARCHIVED", "DELETED")),
    FirstName: mostly(fc.string()),
    LastName: mostly(fc.string()),
    ExternalLink: seldom(fc.record({ Url: fc.string() })),
  }),
  BankStatement: fields({
    BankAccount: mostly(fc.constantFrom({ Code: "090" }, { Code: "200" })),
    Source: seldom(fc.string()),
    FromDate: day,
    ToDate: day,
    OpeningBalance: seldom(amount),
    ClosingBalance: seldom(amount),
    StatementLines: mostly(
      fc.array(
        fields({
          Key: mostly(fc.constantFrom("a", "b", "c", "d")),
          Date: day,
          Amount: amount,
          Payee: seldom(fc.string()),
          Description: mostly(fc.constantFrom("INV-0001", "rent", "Kowhai")),
          References: seldom(fc.array(fc.string(), { maxLength: 2 })),
          Parts: seldom(fc.array(fields({ Amount: amount }), { maxLength: 2 })),
        }),
        { maxLength: 3 },
      ),
    ),
  }),
  BankRule: fields({
    Name: mostly(fc.constantFrom("Rent", "Fees")),
    Position: seldom(fc.integer({ min: 0, max: 3 })),
    Conditions: mostly(
      fc.array(
        fields({
          Field: mostly(fc.constantFrom("text", "payee", "amount", "direction", "account")),
          Test: seldom(fc.constantFrom("contains", "equals", "startsWith")),
          Value: mostly(fc.constantFrom("rent", "in", "090")),
          From: seldom(amount),
        }),
        { maxLength: 2 },
      ),
    ),
    Contact: seldom(fc.constant({ Name: "Kowhai" })),
    Lines: mostly(
      fc.array(
        fields({ AccountCode: mostly(fc.constantFrom("200", "429")), Percent: seldom(amount) }),
        { maxLength: 2 },
      ),
    ),
    TransferAccount: seldom(fc.constant({ Code: "090" })),
  }),
  OpeningBalance: fields({
    Date: mostly(fc.constantFrom("2025-12-31", "2026-02-28")),
    Accounts: mostly(
      fc.array(
        fields({
          AccountCode: mostly(fc.constantFrom("200", "090", "610", "630", "nope")),
          Debit: seldom(amount),
          Credit: seldom(amount),
          CurrencyBalance: seldom(amount),
        }),
        { maxLength: 3 },
      ),
    ),
    Documents: seldom(
      fc.array(
        fields({
          Type: mostly(fc.constantFrom("ACCREC", "ACCPAYCREDIT")),
          Number: mostly(fc.constantFrom("OLD-1", "OLD-2")),
          ContactName: mostly(fc.constantFrom("Kowhai", "Old")),
          Date: mostly(fc.constantFrom("2025-11-30", "2026-02-01")),
          CurrencyCode: seldom(fc.constantFrom("USD", "XXX")),
          AmountDue: seldom(amount),
          Lines: mostly(
            fc.array(
              fields({
                Amount: mostly(amount),
                AccountCode: seldom(fc.constantFrom("200", "610")),
                TaxType: seldom(fc.constantFrom("OUTPUT2", "NONE")),
              }),
              { maxLength: 2 },
            ),
          ),
        }),
        { maxLength: 2 },
      ),
    ),
    Stock: seldom(
      fc.array(
        fields({
          ItemCode: mostly(fc.constantFrom("LAMP", "MUG")),
          Quantity: mostly(amount),
          Cost: mostly(amount),
        }),
        { maxLength: 2 },
      ),
    ),
  }),
  Asset: fields({
    AssetNumber: seldom(fc.constantFrom("FA-0001", "PC1", "")),
    Name: mostly(fc.constantFrom("Laptop", "Van")),
    Status: seldom(fc.constantFrom("REGISTERED", "DISPOSED", "DELETED")),
    PurchaseDate: day,
    Cost: amount,
    Method: seldom(fc.constantFrom("DiminishingValue200", "NoDepreciation")),
    Averaging: seldom(fc.constant("ActualDays")),
    Rate: seldom(amount),
    Life: mostly(fc.constantFrom(3, 2.5, 0)),
    DepreciationStartDate: seldom(day),
    ResidualValue: seldom(amount),
    CostLimit: seldom(amount),
    OpeningAccumulated: seldom(amount),
    OpeningDate: seldom(day),
    AssetAccount: mostly(fc.constantFrom({ Code: "720" }, { Code: "200" })),
    ExpenseAccount: seldom(fc.constant({ Code: "429" })),
  }),
  Currency: fields({ Code: mostly(fc.constantFrom("USD", "EUR", "NZD", "XXX")) }),
  PaymentService: fields({
    PaymentServiceName: mostly(fc.constantFrom("Pay", "Other")),
    PaymentServiceUrl: mostly(fc.constant("https://pay.example")),
    PayNowText: mostly(fc.string()),
  }),
  Budget: fields({
    Type: mostly(fc.constantFrom("OVERALL", "TRACKING")),
    Description: mostly(fc.string()),
    BudgetLines: mostly(
      fc.array(
        fields({
          AccountCode: mostly(fc.constantFrom("200", "429")),
          BudgetBalances: mostly(
            fc.array(fields({ Period: mostly(fc.constant("2026-03")), Amount: amount })),
          ),
        }),
        { maxLength: 2 },
      ),
    ),
  }),
};
export function xmlOf(name: string, value: Json): string {
  if (Array.isArray(value))
    return `<${name}>${value.map((each) => xmlOf(name.replace(/s$/, ""), each)).join("")}</${name}>`;
  if (value === null || value === undefined) return `<${name} />`;
  if (typeof value === "object")
    return `<${name}>${Object.entries(value)
      .map(([inner, each]) => xmlOf(inner, each))
      .join("")}</${name}>`;
  return `<${name}>${String(value).replace(/&/g, "&amp;").replace(/</g, "&lt;")}</${name}>`;
}
