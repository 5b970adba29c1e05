/**
 * Records of every kind for the sample company, so that the examples in the help find their
 * records.
 */
import { type Country, regionOf } from "../../ledger/regions/index.ts";
import { exampleIds as ids } from "../../resources/examples.ts";

/** The fields of answers that the sample reads. */
export interface DemoAnswer {
  readonly Accounts: readonly { Code: string; Name: string; Type: string }[];
  readonly Contacts: readonly { readonly ContactID: string; readonly Name: string }[];
  readonly Invoices: readonly {
    InvoiceID: string;
    InvoiceNumber: string;
    Status: string;
    Total: number;
    DueDateString: string;
    LineItems: readonly { LineItemID: string }[];
  }[];
}

/** Sends a request to the service. @param newIds  ids for the records it makes, in this order */
export type Ask = (
  method: string,
  resource: string,
  body?: object,
  newIds?: readonly string[],
) => Promise<DemoAnswer>;

/** Account codes of a chart, by those of the chart of New Zealand. */
export type Codes = Readonly<Record<string, string>>;

const american: Codes = {
  200: "400",
  300: "500",
  310: "500",
  412: "612",
  425: "624",
  445: "644",
  469: "660",
  489: "680",
  610: "120",
  630: "140",
};
const german: Codes = {
  "090": "1800",
  "091": "1810",
  200: "4400",
  300: "5400",
  310: "5400",
  412: "6825",
  425: "6300",
  445: "6325",
  469: "6310",
  489: "6805",
  610: "1200",
  630: "1140",
  710: "0690",
};
const french: Codes = {
  "090": "512100",
  "091": "512200",
  200: "707000",
  300: "607000",
  310: "607000",
  412: "622600",
  425: "624200",
  445: "606100",
  469: "613200",
  489: "626000",
  610: "411000",
  630: "370000",
  710: "218300",
};
export const codesOf: Readonly<Partial<Record<Country, Codes>>> = {
  CA: american,
  US: american,
  GLOBAL: american,
  DE: german,
  FR: french,
  GB: { 300: "325", 412: "401" },
};

/** An address in the town of the company. */
export function addressIn(country: Country, AddressLine1: string): object {
  const [City, PostalCode, Country] = regionOf(country).demoPlace;
  return { AddressType: "POBOX", AddressLine1, City, PostalCode, Country };
}

export function settingsOf(country: Country): object {
  const [, , , TaxNumber, RegistrationNumber] = regionOf(country).demoPlace;
  return {
    Addresses: [addressIn(country, "18 Wharf Street")],
    EmailAddress: "aroha@tern-and-tide.example",
    ContactPerson: "Aroha Sample",
    ...(TaxNumber === undefined ? {} : { TaxNumber }),
    ...(RegistrationNumber === undefined ? {} : { RegistrationNumber }),
  };
}

/** Accounts of a fixed asset: cost, accumulated depreciation, and depreciation expense. */
export interface AssetAccounts {
  readonly cost: string;
  readonly accumulated: string;
  readonly expense: string;
}

const hotel = { Name: "Kauri Hotel" };
const bank = { BankAccount: { Code: "090" } };
const late = { Invoice: { InvoiceNumber: "INV-0155" } };

/** Makes the records. All except the kilns post on the last day of the sample. */
export async function makeRecords(
  ask: Ask,
  { country, accounts, to }: { country: Country; accounts: AssetAccounts; to: string },
): Promise<void> {
  const foreign = regionOf(country).baseCurrency === "EUR" ? "USD" : "EUR";
  await ask("PUT", "/Currencies", { Code: foreign });
  await ask("PUT", `/Currencies/${foreign}/Rates`, { Date: "2026-03-01", Rate: 0.5153 });
  await ask("PUT", "/ContactGroups", { Name: "Wholesalers" }, [ids.contactGroup]);
  const { Contacts } = await ask("GET", "/Contacts");
  const Grouped = Contacts.filter(({ Name }) => Name === hotel.Name);
  await ask("PUT", `/ContactGroups/${ids.contactGroup}/Contacts`, { Contacts: Grouped });
  await ask("PUT", "/Contacts", { Name: "Harbour Lights Cafe", ContactStatus: "ARCHIVED" });
  await ask("PUT", "/TaxRates", {
    Name: "Tourist levy",
    ReportTaxType: /^(AU|NZ|GB)$/.test(country) ? "INPUT" : undefined,
    TaxComponents: [{ Name: "Levy", Rate: 2.5 }],
  });
  await ask("PUT", "/Employees", { FirstName: "Ana", LastName: "Reid" });
  await ask("PUT", "/Accounts", { Code: "269", Name: "Kiln Hire", Type: "REVENUE" });
  await ask("POST", "/Accounts/269", { Status: "ARCHIVED" });
  await makeCredits(ask, to);
  await makeMoney(ask, to, country);
  await makePlans(ask, to);
  await makeAssets(ask, accounts);
  await importStatements(ask, to);
}

/** Makes unallocated credits, and credits of the same kinds allocated to an invoice. */
async function makeCredits(ask: Ask, day: string): Promise<void> {
  const CreditNotes = [
    { amount: 80, text: "Vases, returned" },
    { amount: 40, text: "Mugs, chipped" },
  ].map(({ amount, text }) => ({
    Type: "ACCRECCREDIT",
    Contact: hotel,
    Date: day,
    Status: "AUTHORISED",
    LineAmountTypes: "Inclusive",
    LineItems: [line(text, "200", amount)],
  }));
  await ask("PUT", "/CreditNotes", { CreditNotes });
  const apply = (credit: string, AppliedAmount: number) =>
    ask("PUT", `/${credit}/Allocations`, { Allocations: [{ ...late, AppliedAmount, Date: day }] });
  await apply("CreditNotes/CN-0003", 40);
  for (const [Type, LineItems, free, applied] of [
    ["RECEIVE-PREPAYMENT", [line("Deposit", "200", 90)], ids.prepayment, ids.prepaymentApplied],
    [
      "RECEIVE-OVERPAYMENT",
      [line("Paid twice", "610", 60)],
      ids.overpayment,
      ids.overpaymentApplied,
    ],
  ] as const) {
    const received = { Type, Contact: hotel, ...bank, Date: day, LineItems };
    const resource = Type.endsWith("PREPAYMENT") ? "Prepayments" : "Overpayments";
    await ask("PUT", "/BankTransactions", received, [free]);
    await ask("PUT", "/BankTransactions", { ...received, Contact: hotel }, [applied]);
    await apply(`${resource}/${applied}`, Type.endsWith("PREPAYMENT") ? 90 : 60);
  }
}

/** Makes payments, bank transactions, transfers and journals. */
async function makeMoney(ask: Ask, day: string, country: Country): Promise<void> {
  const Account = { Code: "090" };
  const BankAccountNumber = country === "AU" ? "032-001 123456" : "01-0902-0068389-00";
  const paidTo = { Amount: 400, BankAccountNumber };
  await ask(
    "PUT",
    "/Payments",
    { Invoice: { InvoiceNumber: "INV-0039" }, Account, Date: day, Amount: 20 },
    [ids.payment],
  );
  await ask(
    "PUT",
    "/BatchPayments",
    { Account, Date: day, Payments: [{ ...paidTo, Invoice: { InvoiceNumber: "S-1108" } }] },
    [ids.paymentOfBatch, ids.batchPayment],
  );
  const postage = { Type: "SPEND", Contact: { Name: "Coastline Freight" }, ...bank, Date: day };
  await ask("PUT", "/BankTransactions", { ...postage, LineItems: [line("Parcels", "425", 46)] }, [
    ids.bankTransaction,
  ]);
  await ask(
    "PUT",
    "/BankTransfers",
    { FromBankAccount: Account, ToBankAccount: { Code: "091" }, Amount: 2000, Date: day },
    [ids.bankTransfer],
  );
  for (const [Status, id] of [
    ["POSTED", ids.manualJournal],
    ["DRAFT", ids.manualJournalDraft],
  ] as const) {
    const JournalLines = [
      { LineAmount: 120, AccountCode: "445", TaxType: "NONE" },
      { LineAmount: -120, AccountCode: "489", TaxType: "NONE" },
    ];
    const journal = { Narration: "Power of the shop", Date: day, Status, JournalLines };
    await ask("PUT", "/ManualJournals", journal, [id]);
  }
}

/** Makes plans for the future: a repeating invoice, a billable expense, a budget, a bank rule. */
async function makePlans(ask: Ask, day: string): Promise<void> {
  await ask("PUT", "/RepeatingInvoices", {
    Type: "ACCREC",
    Contact: { Name: "Lantern Design Store" },
    Reference: "Rent",
    Status: "AUTHORISED",
    Schedule: {
      Period: 1,
      Unit: "MONTHLY",
      StartDate: "2026-12-01",
      DueDate: 20,
      DueDateType: "DAYSAFTERBILLDATE",
    },
    LineItems: [line("Shelf in the shop", "200", 140)],
  });
  const {
    Invoices: [bill],
  } = await ask("PUT", "/Invoices", {
    Type: "ACCPAY",
    InvoiceNumber: "S-1112",
    Contact: { Name: "Kiln & Colour" },
    Date: day,
    DueDate: "2026-12-05",
    LineItems: [line("Glazes", "300", 88)],
  });
  const source = {
    SourceTransactionID: bill?.InvoiceID,
    SourceLineItemID: bill?.LineItems[0]?.LineItemID,
  };
  await ask("PUT", "/LinkedTransactions", source, [ids.linkedTransaction]);
  await ask("PUT", "/Budgets", {
    Type: "OVERALL",
    BudgetLines: [{ AccountCode: "200", BudgetBalances: [{ Period: "2026-03", Amount: 4500 }] }],
  });
  await ask("PUT", "/Extensions/BankRules", {
    Name: "Rent",
    Conditions: [{ Field: "text", Value: "rent" }],
    Contact: { Name: "Wharf Street Properties" },
    Lines: [{ AccountCode: "469" }],
  });
}

/** Makes a bill of three assets, two of which are in the register. */
async function makeAssets(ask: Ask, { cost, accumulated, expense }: AssetAccounts): Promise<void> {
  const names = ["Electric kiln", "Laptop", "Kick wheel"];
  const {
    Invoices: [bill],
  } = await ask("PUT", "/Invoices", {
    Type: "ACCPAY",
    InvoiceNumber: "K-2041",
    Contact: { Name: "Kiln & Colour" },
    Date: "2025-09-01",
    DueDate: "2025-09-21",
    Status: "AUTHORISED",
    LineAmountTypes: "Inclusive",
    LineItems: names.map((name, at) => line(name, cost, 2400 / (at + 1))),
  });
  const Account = { Code: "090" };
  const Invoice = { InvoiceNumber: "K-2041" };
  await ask("PUT", "/Payments", { Invoice, Account, Date: "2025-09-21", Amount: 4400 });
  await ask("PUT", "/Extensions/Assets", {
    Assets: bill?.LineItems.slice(0, 2).map(({ LineItemID }) => ({
      InvoiceID: bill.InvoiceID,
      LineItemID,
      Life: 4,
      AccumulatedAccount: { Code: accumulated },
      ExpenseAccount: { Code: expense },
    })),
  });
}

/** Lines of the bank that wait: by a number, by a name, of two invoices, a rule, and of none. */
const waitingLines = [
  [547.4, "MOA COFFEE", "INV-0218"],
  [290, "CUBA ST GIFTS"],
  [325.45, "KAURI HOTEL", "INV-0216 and INV-0214"],
  [-442.75, "SOUTHERN LINES ENERGY", "S-1109"],
  [-120, "RENT OF A STALL"],
  [-18.4, "PAPER CUP CO"],
  [99, "CASH PAID IN"],
] as const;

/** Imports bank lines: one reconciled, and those that wait. */
async function importStatements(ask: Ask, day: string): Promise<void> {
  const statementOf = (Code: string, paid: readonly (readonly [number, string, string?])[]) => ({
    BankAccount: { Code },
    FromDate: day,
    ToDate: day,
    StatementLines: paid.map(([Amount, Payee, Description]) => ({
      Key: Payee,
      Date: day,
      Amount,
      Payee,
      Description,
    })),
  });
  const savings = [
    [823.77, "Card takings"],
    [-46.9, "POST OFFICE"],
  ] as const;
  await ask("PUT", "/Extensions/BankStatements", statementOf("091", savings), [
    ids.bankStatement,
    ids.lineOfInvoices,
    ids.bankStatementLine,
  ]);
  await ask("PUT", "/Extensions/BankStatements", statementOf("090", [[-46, "COASTLINE FREIGHT"]]), [
    ids.statementReconciled,
    ids.lineReconciled,
  ]);
  const match = { Contact: { Name: "Coastline Freight" }, Lines: [{ AccountCode: "425" }] };
  await ask("POST", `/Extensions/BankStatementLines/${ids.lineReconciled}/Match`, match);
  await ask("PUT", "/Extensions/BankStatements", statementOf("090", waitingLines));
}

function line(Description: string, AccountCode: string, UnitAmount: number): object {
  return { Description, AccountCode, UnitAmount, Quantity: 1 };
}
