/** Calls of tools on the sample company. */

/** Calls of each tool that reads. */
export const readCalls: readonly (readonly [string, Record<string, unknown>])[] = [
  ["books", {}],
  ["find", { words: "kauri" }],
  ["show", { handle: "invoice:INV-0042" }],
  ["list", { kind: "invoice" }],
  ["list", { kind: "bank-line", account: "090" }],
  ["report", { name: "pl", period: "2026-03", periods: 2 }],
  ["report", { name: "trial-balance", date: "2026-03-31", payments_only: false }],
  ["report", { name: "general-ledger", period: "this-fy" }],
  ["report", { name: "gst", period: "2026-Q1" }],
  ["explain", { of: "report:pl/2026-03#Sales" }],
  ["explain", { of: "invoice:INV-0042", figure: "tax" }],
  ["explain", { of: "contact:Kauri Hotel" }],
  ["explain", { of: "account:610", date: "2026-03-31" }],
  ["history", { handle: "invoice:INV-0042" }],
  ["history", { limit: 50 }],
  ["history", { log: "audit" }],
  ["history", { operation: "127" }],
  ["bank_suggest", { account: "090" }],
  ["close_check", { period: "2026-02" }],
  ["close_check", { period: "2025-03", year: true }],
  ["schema", { kind: "invoice" }],
];

const invoice = {
  Contact: { Name: "Kauri Hotel" },
  LineItems: [{ Description: "Mug", Quantity: 2, UnitAmount: 10.1234, AccountCode: "200" }],
};
export const base64 = (text: string) => Buffer.from(text).toString("base64");
const statement = "Date,Amount,Payee\n2026-11-20,12.50,KAURI HOTEL\n";

/** What each tool is asked, and the kinds of records that its plan makes or changes. */
export const planCalls: readonly (readonly [string, Record<string, unknown>, readonly string[]])[] =
  [
    [
      "create",
      { kind: "invoice", records: [invoice, invoice] },
      ["CREATED Invoice", "CREATED Invoice"],
    ],
    ["create", { kind: "contact", records: [{ Name: "Te Aro Tiles" }] }, ["CREATED Contact"]],
    [
      "create",
      { kind: "bill", records: [{ ...invoice, InvoiceNumber: "A1" }] },
      ["CREATED Invoice"],
    ],
    [
      "update",
      { handle: "contact:Kauri Hotel", fields: { FirstName: "Hana" } },
      ["CHANGED Contact"],
    ],
    ["update", { handle: "invoice:INV-0217", fields: { Reference: "PO 9" } }, ["CHANGED Invoice"]],
    ["transition", { handle: "bill:B-112", verb: "approve" }, ["CHANGED Invoice"]],
    ["transition", { handle: "contact:Kauri Hotel", verb: "archive" }, ["CHANGED Contact"]],
    [
      "transition",
      { handle: "asset", verb: "depreciate", flags: { to: "2025-09" } },
      ["CREATED ManualJournal"],
    ],
    ["pay", { handle: "invoice:INV-0216", account: "090" }, ["CHANGED Invoice", "CREATED Payment"]],
    [
      "attach",
      { handle: "bill:B-112", name: "bill.txt", content: base64("paid") },
      ["CHANGED Invoice"],
    ],
    [
      "bank_import",
      { account: "090", name: "s.csv", content: base64(statement) },
      ["CREATED BankStatement", "CREATED BankStatementLine"],
    ],
    [
      "bank_reconcile_plan",
      { lines: [{ line: "bank-line:L-8", flags: { account: "469" } }] },
      ["CHANGED BankStatementLine", "CREATED BankTransaction", "CREATED Contact"],
    ],
    ["close_plan", { period: "2025-01" }, ["CHANGED Organisation"]],
    ["close_plan", { period: "2025-02-01..2025-03-31", tax_return: "gst" }, []],
  ];
