/** Each rule of the registry is one by which something is refused, and the answer names it. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  type RuleName,
  refusalRules,
  ruleOfRefusal,
} from "../../../src/resources/refusal-rules.ts";
import {
  type Answer,
  contact,
  invoiced,
  type Json,
  paid,
  sale,
  stocked,
  type World,
  world,
} from "../fixture.ts";

const line = { Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" };
const costs = { ...line, AccountCode: "400" };

async function invoice(given: World, fields: object = {}): Promise<Answer> {
  return given.ask("PUT", "/Invoices", sale(await contact(given), fields));
}

async function creditNote(given: World, party: Json, fields: object = {}): Promise<Json> {
  const { CreditNotes } = await given.ok("PUT", "/CreditNotes", {
    Type: "ACCRECCREDIT",
    Status: "AUTHORISED",
    Contact: { ContactID: party.ContactID },
    Date: "2026-03-01",
    LineItems: [line],
    ...fields,
  });
  return CreditNotes[0];
}

const payment = (given: World, InvoiceID: string, fields: object = {}) =>
  given.ask("PUT", "/Payments", {
    Invoice: { InvoiceID },
    Account: { Code: "090" },
    Date: "2026-03-10",
    Amount: 1,
    ...fields,
  });

/** The id of a batch that pays an invoice, or a bill. */
async function batchOf(given: World, fields: object): Promise<string> {
  const made = { Status: "AUTHORISED", InvoiceNumber: "B-1", LineItems: [costs], ...fields };
  const { InvoiceID, AmountDue: Amount } = await invoiced(given, made);
  const Payments = [{ Invoice: { InvoiceID }, Amount }];
  const { BatchPayments } = await given.ok("PUT", "/BatchPayments", {
    Account: { Code: "090" },
    Date: "2026-03-10",
    Payments,
  });
  return BatchPayments[0].BatchPaymentID;
}

const paymentFile = (given: World, id: string) =>
  given.ask("POST", `/Extensions/PaymentFiles/${id}`, {});

const authorised = { Status: "AUTHORISED" };

/** What is refused by each rule of which the API is asked. */
const refusedBy = {
  LockDate: async (given) => {
    await given.ok("POST", "/Organisation/Settings", { PeriodLockDate: "2026-03-31" });
    return invoice(given, authorised);
  },
  TaxOnAccount: (given) => invoice(given, { LineItems: [{ ...line, TaxType: "INPUT2" }] }),
  TaxAmount: async (given) =>
    given.ask("PUT", "/BankTransactions", {
      Type: "SPEND",
      Contact: { ContactID: (await contact(given)).ContactID },
      BankAccount: { Code: "090" },
      LineItems: [{ ...line, AccountCode: "400", TaxAmount: 99 }],
    }),
  LineAmount: (given) => invoice(given, { LineItems: [{ ...line, LineAmount: 12 }] }),
  Discount: (given) =>
    invoice(given, {
      Type: "ACCPAY",
      InvoiceNumber: "B-1",
      LineItems: [{ ...line, AccountCode: "400", DiscountRate: 10 }],
    }),
  AmountOutstanding: async (given) => {
    const { InvoiceID } = await invoiced(given, authorised);
    return payment(given, InvoiceID, { Amount: 999 });
  },
  AuthorisedOnly: async (given) => payment(given, (await invoiced(given)).InvoiceID),
  Applied: async (given) => {
    const made = await invoiced(given, authorised);
    await paid(given, made);
    return given.ask("POST", `/Invoices/${made.InvoiceID}`, { Status: "VOIDED" });
  },
  Status: async (given) => {
    const { InvoiceID } = await invoiced(given, authorised);
    return given.ask("POST", `/Invoices/${InvoiceID}`, { Status: "DRAFT" });
  },
  ApprovedFields: (given) => given.ask("POST", "/Accounts/200", { Type: "BANK" }),
  Unique: async (given) => {
    await invoiced(given, { InvoiceNumber: "INV-1" });
    return invoice(given, { InvoiceNumber: "INV-1" });
  },
  ContactName: async (given) => {
    await contact(given, { Name: "Discount Ltd" });
    return given.ask("PUT", "/Contacts", { Name: "Discount Ltd" });
  },
  Balanced: (given) =>
    given.ask("PUT", "/ManualJournals", {
      Narration: "Off",
      JournalLines: [
        { LineAmount: 10, AccountCode: "400" },
        { LineAmount: -12, AccountCode: "404" },
      ],
    }),
  SettlementDay: async (given) => {
    const party = await contact(given);
    const { CreditNoteID } = await creditNote(given, party, { Date: "2026-03-20" });
    const { Invoices } = await given.ok("PUT", "/Invoices", sale(party, authorised));
    return given.ask("PUT", `/CreditNotes/${CreditNoteID}/Allocations`, {
      Invoice: { InvoiceID: Invoices[0].InvoiceID },
      Amount: 1,
      Date: "2026-03-02",
    });
  },
  NegativeTotal: (given) =>
    invoice(given, { ...authorised, LineItems: [{ ...line, UnitAmount: -1 }] }),
  Currency: (given) => invoice(given, { CurrencyCode: "CHF" }),
  OneContact: async (given) => {
    const { CreditNoteID } = await creditNote(given, await contact(given));
    const { InvoiceID } = await invoiced(given, authorised);
    return given.ask("PUT", `/CreditNotes/${CreditNoteID}/Allocations`, {
      Invoice: { InvoiceID },
      Amount: 1,
    });
  },
  SystemAccount: (given) => invoice(given, { LineItems: [{ ...line, AccountCode: "610" }] }),
  HasTransactions: async (given) => {
    await invoiced(given, authorised);
    return given.ask("DELETE", "/Accounts/200");
  },
  Country: (given) =>
    given.ask("POST", "/Organisation/Settings", { EmployerIdentificationNumber: "12-3456789" }),
  Transfer: (given) =>
    given.ask("PUT", "/BankTransfers", {
      FromBankAccount: { Code: "090" },
      ToBankAccount: { Code: "090" },
      Amount: 1,
    }),
  Plan: (given) => given.ask("POST", "/Extensions/Plans", { Requests: [] }),
  IdempotencyKey: async (given) => {
    const headers = { "idempotency-key": "one" };
    await given.ask("PUT", "/Contacts", { Name: "A" }, { headers });
    return given.ask("PUT", "/Contacts", { Name: "B" }, { headers });
  },
  Parameter: (given) => given.ask("GET", "/Invoices", undefined, { query: { where: "Total >" } }),
  NotFound: (given) =>
    given.ask("PUT", "/Invoices", sale({ ContactID: "00000000-0000-4000-8000-000000000009" })),
  Required: (given) => invoice(given, { LineItems: [] }),
  Limit: (given) =>
    given.ask("PUT", "/Contacts", {
      Contacts: Array.from({ length: 5000 }, () => ({ Name: "A" })),
    }),
  Depreciation: (given) =>
    given.ask("PUT", "/Extensions/Assets", {
      Name: "Van",
      Cost: 100,
      PurchaseDate: "2026-01-01",
      Method: "StraightLine",
      Rate: 10,
      Life: 5,
    }),
  Form: (given) => given.ask("PUT", "/Contacts", { Name: "A", EmailAddress: "nobody" }),
  Body: (given) => given.ask("PUT", "/Contacts", "{"),
  Reconciled: async (given) => {
    await given.ok("PUT", "/Extensions/BankStatements", {
      BankAccount: { Code: "090" },
      StatementLines: [{ Key: "1", Date: "2026-03-10", Amount: 5, Payee: "Heron" }],
    });
    const lines = "/Extensions/BankStatementLines";
    const [line] = (await given.ok("GET", lines)).BankStatementLines;
    return given.ask("POST", `${lines}/${line.BankStatementLineID}/Unmatch`);
  },
  Ambiguous: async (given) => {
    for (const Name of ["A", "B"]) {
      const bill = { ...authorised, Type: "ACCPAY", InvoiceNumber: "B-1", LineItems: [costs] };
      await given.ok("PUT", "/Invoices", sale(await contact(given, { Name }), bill));
    }
    return given.ask("PUT", "/Payments", {
      Invoice: { InvoiceNumber: "B-1" },
      Account: { Code: "090" },
      Date: "2026-03-10",
      Amount: 1,
    });
  },
  Stock: async (given) => {
    await stocked(given, "LAMP", 1, 5);
    const lamp = { ...costs, ItemCode: "LAMP" };
    return invoice(given, { Type: "ACCPAY", InvoiceNumber: "B-2", LineItems: [lamp] });
  },
  ReturnOrder: (given) =>
    given.ask("PUT", "/Reports", {
      ReportType: "GSTReturn",
      FromDate: "2026-02-01",
      ToDate: "2026-03-31",
      Withdraw: "None was published",
    }),
  Deposit: async (given) =>
    given.ask("PUT", "/BankTransactions", {
      Type: "RECEIVE-OVERPAYMENT",
      Contact: { ContactID: (await contact(given)).ContactID },
      BankAccount: { Code: "090" },
      LineItems: [line, line].map(({ AccountCode: _, ...each }) => each),
    }),
  Series: (given) =>
    given.ask("POST", "/Extensions/JournalSeries", {
      Narration: "Backwards",
      Date: "2026-03-10",
      ReverseOn: "2026-03-01",
      JournalLines: [
        { LineAmount: 10, AccountCode: "400" },
        { LineAmount: -10, AccountCode: "404" },
      ],
    }),
  Opening: (given) =>
    given.ask("POST", "/Setup", {
      ConversionDate: { Month: 1, Year: 2026 },
      ConversionBalances: [{ AccountCode: "610", Balance: 10 }],
    }),
  EInvoice: async (given) => {
    const { InvoiceID } = await invoiced(given);
    const query = { format: "ubl" };
    return given.ask("GET", `/Extensions/EInvoices/Invoices/${InvoiceID}`, undefined, { query });
  },
  PayeeAccount: async (given) => paymentFile(given, await batchOf(given, { Type: "ACCPAY" })),
  PaymentFile: async (given) => paymentFile(given, await batchOf(given, {})),
  PaidOnce: async (given) => {
    const Contact = await contact(given, { BankAccountDetails: "01-0902-0068389-00" });
    const batch = await batchOf(given, { Type: "ACCPAY", Contact });
    expect((await paymentFile(given, batch)).status).toBe(200);
    return paymentFile(given, batch);
  },
  NotOffered: (given) => given.ask("PUT", "/Extensions/JournalSeries", { Narration: "Again" }),
  Undo: async (given) => {
    await paid(given, await invoiced(given, authorised));
    return given.ask("POST", "/Extensions/Operations/2/Undo");
  },
} as const satisfies Partial<Record<RuleName, (given: World) => Promise<Answer>>>;

test.each(Object.entries(refusedBy))(
  "a request that breaks the rule %s is refused with the name of that rule",
  async (rule, ask) => {
    const { status, text } = await ask(await world());
    expect(status, text).toBeGreaterThanOrEqual(400);
    expect(text).toContain(`"Rule":"${rule}"`);
  },
);

test("each refusal rule is used by some refusal in the source code", () => {
  const sources = globSync("src/**/*.ts").map((file) => readFileSync(file, "utf8"));
  const named = new Set(
    sources.flatMap((text) =>
      [
        ...text.matchAll(
          /(?:[Ff]ault|refused\w*|add|refusal|RefusedError|Error)\(\s*"(\w+)"|rule: "(\w+)"/g,
        ),
      ].map(([, first, second]) => ruleOfRefusal(first ?? second ?? "")),
    ),
  );
  const unnamed = (Object.keys(refusalRules) as RuleName[]).filter((rule) => !named.has(rule));
  expect(unnamed).toEqual([]);
});
