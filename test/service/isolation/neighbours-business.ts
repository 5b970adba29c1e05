/** Random business, and one of everything besides, so that hardly a table is empty. */

import type { Percent } from "../../../src/resources/decimal.ts";
import { changeBook } from "../../../src/service/books/book.ts";
import { addWebhook } from "../../../src/store/outbox/webhooks.ts";
import { saveLogo } from "../../../src/store/records/branding.ts";
import { acted } from "../../support/audit.ts";
import { type Business, opened, simulate } from "../business.ts";
import { goods } from "../business-parts.ts";
import type { Json } from "../fixture.ts";
import type { Neighbour } from "./neighbours.ts";

export interface Doing {
  readonly seed: number;
  /** Steps of random business. */
  readonly count: number;
}

/** Does it all; two that are given the same do the same. */
export async function doBusiness(neighbour: Neighbour, { seed, count }: Doing): Promise<void> {
  const business = await opened(neighbour.given);
  await simulate(business, { from: "2026-03-02", to: "2026-03-30", count, seed });
  const { contact, document } = await masters(neighbour, business);
  await documents(neighbour, business, document);
  await settled(neighbour, business, document);
  await besides(neighbour, business, contact);
}

/** Of lines, what one of each document has. */
type Document = (side: "sales" | "purchases") => Json;

async function masters({ given, mark }: Neighbour, { accounts }: Business) {
  const [contact, other] = (
    await given.ok("PUT", "/Contacts", [
      {
        Name: mark(),
        FirstName: mark(),
        ContactNumber: mark(),
        AccountNumber: mark(),
        EmailAddress: `${mark()}@x.example`,
        BankAccountDetails: mark(),
        TaxNumber: mark(),
        Addresses: [{ AddressType: "POBOX", AddressLine1: mark(), City: mark() }],
        Phones: [{ PhoneType: "DEFAULT", PhoneNumber: mark() }],
        ContactPersons: [{ FirstName: mark(), EmailAddress: `${mark()}@x.example` }],
      },
      { Name: mark() },
    ])
  ).Contacts;
  // There may be two categories, which the random business has made.
  const [known] = (await given.ok("GET", "/TrackingCategories")).TrackingCategories;
  const [category] = (
    await given.ok("POST", `/TrackingCategories/${known.TrackingCategoryID}`, { Name: mark() })
  ).TrackingCategories;
  const { Options } = await given.ok(
    "PUT",
    `/TrackingCategories/${category.TrackingCategoryID}/Options`,
    { Name: mark() },
  );
  const [account] = (
    await given.ok("PUT", "/Accounts", { Code: mark(), Name: mark(), Type: "REVENUE" })
  ).Accounts;
  const [spent] = (
    await given.ok("PUT", "/Accounts", { Code: mark(), Name: mark(), Type: "EXPENSE" })
  ).Accounts;
  await given.ok("PUT", "/Accounts", {
    Code: mark(),
    Name: mark(),
    Type: "BANK",
    BankAccountNumber: mark(),
  });
  const [item] = (
    await given.ok("PUT", "/Items", {
      Code: mark(),
      Name: mark(),
      SalesDetails: { UnitPrice: 5, AccountCode: account.Code },
      PurchaseDetails: { UnitPrice: 3, AccountCode: spent.Code },
    })
  ).Items;
  await given.ask("PUT", "/TaxRates", {
    Name: mark(),
    ReportTaxType: "OUTPUT",
    TaxComponents: [{ Name: mark(), Rate: 3 }],
  });
  await given.ok("PUT", "/Employees", {
    FirstName: mark(),
    LastName: mark(),
    ExternalLink: { Url: `https://${mark()}.example` },
  });
  const [group] = (await given.ok("PUT", "/ContactGroups", { Name: mark() })).ContactGroups;
  await given.ok("PUT", `/ContactGroups/${group.ContactGroupID}/Contacts`, {
    Contacts: [{ ContactID: contact.ContactID }, { ContactID: other.ContactID }],
  });
  const [service] = (
    await given.ok("PUT", "/PaymentServices", {
      PaymentServiceName: mark(),
      PaymentServiceUrl: `https://${mark()}.example/pay?id=[INVOICENUMBER]`,
      PayNowText: mark(),
    })
  ).PaymentServices;
  const [theme] = (await given.ok("GET", "/BrandingThemes")).BrandingThemes;
  await given.ok("POST", `/BrandingThemes/${theme.BrandingThemeID}/PaymentServices`, {
    PaymentServices: [{ PaymentServiceID: service.PaymentServiceID }],
  });
  const { book } = given;
  await given.ok("POST", `/BrandingThemes/${theme.BrandingThemeID}/Settings`, {
    BankDetails: mark(),
    Terms: mark(),
  });
  const logo = { mimeType: "image/png", width: 1, height: 1, bytes: Buffer.from(mark()) } as const;
  await book.store.write(book.org, (tx) => saveLogo(acted(tx), theme.BrandingThemeID, logo));
  await given.ok("PUT", "/Currencies/EUR/Rates", { Rates: [{ Date: "2026-03-01", Rate: 0.61 }] });
  const document: Document = (side) => ({
    Contact: { ContactID: contact.ContactID },
    Date: "2026-03-30",
    DueDate: "2026-04-20",
    Reference: mark(),
    Status: "AUTHORISED",
    BrandingThemeID: side === "sales" ? theme.BrandingThemeID : undefined,
    LineItems: [
      {
        Description: mark(),
        Quantity: 1,
        UnitAmount: 1000,
        TaxType: "NONE",
        ItemCode: item.Code,
        AccountCode: side === "sales" ? account.Code : spent.Code,
        Tracking: [
          {
            TrackingCategoryID: category.TrackingCategoryID,
            Name: category.Name,
            TrackingOptionID: Options[0].TrackingOptionID,
            Option: Options.at(-1).Name,
          },
        ],
      },
    ],
  });
  await given.ok("PUT", "/Budgets", {
    Type: "OVERALL",
    Description: mark(),
    BudgetLines: [
      { AccountCode: account.Code, BudgetBalances: [{ Period: "2026-03", Amount: 5 }] },
      { AccountCode: accounts.sales[0], BudgetBalances: [{ Period: "2026-03", Amount: 7 }] },
    ],
  });
  return { contact, document };
}

const monthly = {
  Period: 1,
  Unit: "MONTHLY",
  DueDate: 20,
  DueDateType: "OFFOLLOWINGMONTH",
  StartDate: "2026-03-05",
};

async function documents(
  { given, mark }: Neighbour,
  { accounts }: Business,
  document: Document,
): Promise<void> {
  const draft = { Status: "DRAFT" };
  await given.ok("PUT", "/PurchaseOrders", {
    ...document("purchases"),
    PurchaseOrderNumber: mark(),
    AttentionTo: mark(),
    DeliveryAddress: mark(),
  });
  await given.ok("PUT", "/Quotes", {
    ...document("sales"),
    ...draft,
    QuoteNumber: mark(),
    Title: mark(),
    Summary: mark(),
    Terms: mark(),
  });
  const { UserID } = (await given.ok("GET", "/Users")).Users[0];
  await given.ok("PUT", "/Receipts", { ...document("purchases"), ...draft, User: { UserID } });
  await given.ok("PUT", "/RepeatingInvoices", {
    ...document("sales"),
    Date: undefined,
    DueDate: undefined,
    Type: "ACCREC",
    Schedule: monthly,
  });
  const [sales = "", other = ""] = accounts.purchases;
  await given.ok("PUT", "/ManualJournals", {
    Narration: mark(),
    Date: "2026-03-30",
    Status: "POSTED",
    JournalLines: [
      { LineAmount: 7, AccountCode: sales, Description: mark() },
      { LineAmount: -7, AccountCode: other, Description: mark() },
    ],
  });
  const [from, to] = accounts.banks;
  await given.ok("PUT", "/BankTransfers", {
    FromBankAccount: { Code: from },
    ToBankAccount: { Code: to },
    Amount: 3,
    Date: "2026-03-30",
    Reference: mark(),
  });
}

async function settled(
  { given, mark }: Neighbour,
  { accounts }: Business,
  document: Document,
): Promise<void> {
  const Account = { Code: accounts.banks[0] };
  const on = "2026-03-30";
  const sale = async () =>
    (
      await given.ok("PUT", "/Invoices", {
        ...document("sales"),
        Type: "ACCREC",
        InvoiceNumber: mark(),
      })
    ).Invoices[0];
  const [first, second, third] = [await sale(), await sale(), await sale()];
  const bill = (
    await given.ok("PUT", "/Invoices", {
      ...document("purchases"),
      Type: "ACCPAY",
      InvoiceNumber: mark(),
    })
  ).Invoices[0];
  await given.ok("PUT", "/Invoices", {
    ...document("purchases"),
    Type: "ACCPAY",
    InvoiceNumber: mark(),
    LineItems: [{ ItemCode: goods[0], Description: mark(), Quantity: 5, UnitAmount: 2 }],
  });
  await given.ok("PUT", "/LinkedTransactions", {
    SourceTransactionID: bill.InvoiceID,
    SourceLineItemID: bill.LineItems[0].LineItemID,
    ContactID: first.Contact.ContactID,
  });
  await given.ok("PUT", "/Payments", {
    Invoice: { InvoiceID: first.InvoiceID },
    Account,
    Date: on,
    Amount: 10,
    Reference: mark(),
  });
  await given.ok("PUT", "/BatchPayments", {
    Account,
    Date: on,
    Reference: mark(),
    Payments: [first, second].map(({ InvoiceID }) => ({ Invoice: { InvoiceID }, Amount: 20 })),
  });
  const credit = (
    await given.ok("PUT", "/CreditNotes", {
      ...document("sales"),
      DueDate: undefined,
      Type: "ACCRECCREDIT",
      CreditNoteNumber: mark(),
    })
  ).CreditNotes[0];
  for (const type of ["RECEIVE", "RECEIVE-PREPAYMENT", "RECEIVE-OVERPAYMENT"]) {
    const asked = document("sales");
    const [{ Description, ...line }] = asked.LineItems;
    await given.ok("PUT", "/BankTransactions", {
      Type: type,
      Contact: asked.Contact,
      BankAccount: Account,
      Date: on,
      Reference: mark(),
      LineItems: type.endsWith("OVERPAYMENT")
        ? [{ Description, Quantity: 1, UnitAmount: 500 }]
        : [{ ...line, Description, ItemCode: undefined }],
    });
  }
  const prepayments = (await given.ok("GET", "/Prepayments")).Prepayments as Json[];
  const overpayments = (await given.ok("GET", "/Overpayments")).Overpayments as Json[];
  const open = (each: Json) =>
    each.Type.startsWith("RECEIVE") && each.Contact.ContactID === first.Contact.ContactID;
  const allocated = [
    `/CreditNotes/${credit.CreditNoteID}`,
    `/Prepayments/${prepayments.find(open)?.PrepaymentID}`,
    `/Overpayments/${overpayments.find(open)?.OverpaymentID}`,
  ];
  for (const path of allocated) {
    await given.ok("PUT", `${path}/Allocations`, {
      Allocations: [{ Invoice: { InvoiceID: third.InvoiceID }, AppliedAmount: 5, Date: on }],
    });
  }
}

/** Notes, files, reports, boxes, listeners: what stands beside records. */
async function besides(
  { given, mark }: Neighbour,
  { accounts }: Business,
  contact: Json,
): Promise<void> {
  const { Invoices } = await given.ok("GET", "/Invoices", undefined, {
    query: { ContactIDs: contact.ContactID, where: 'Type=="ACCREC"' },
  });
  const invoice = `/Invoices/${Invoices[0].InvoiceID}`;
  for (const path of [invoice, `/Contacts/${contact.ContactID}`]) {
    await given.ok("PUT", `${path}/History`, { HistoryRecords: [{ Details: mark() }] });
    await given.ok("PUT", `${path}/Attachments/${mark()}.txt`, mark(), {
      headers: { "content-type": "text/plain" },
    });
  }
  const line = { Date: "2026-03-03", Amount: -7, Payee: mark(), Description: mark() };
  await given.ok("PUT", "/Extensions/BankStatements", {
    BankAccount: { Code: accounts.banks[0] },
    Source: mark(),
    StatementLines: [{ ...line, Key: mark(), OtherAccount: mark() }],
  });
  await given.ok("PUT", "/Extensions/BankRules", {
    Name: mark(),
    Conditions: [{ Field: "text", Value: line.Description }],
    Contact: { ContactID: contact.ContactID },
    Lines: [{ AccountCode: accounts.purchases[0] }],
  });
  const lines = "/Extensions/BankStatementLines";
  await given.ok("POST", `${lines}/Reconcile`, undefined, {
    query: { account: String(accounts.banks[0]) },
  });
  const where = 'Type=="FIXED"';
  const [cost, accumulated] = (await given.ok("GET", "/Accounts", undefined, { query: { where } }))
    .Accounts;
  await given.ok("PUT", "/Extensions/Assets", {
    AssetNumber: mark(),
    Name: mark(),
    Description: mark(),
    PurchaseDate: "2026-01-10",
    Cost: 2400,
    Life: 3,
    AssetAccount: { Code: cost.Code },
    AccumulatedAccount: { Code: accumulated.Code },
    ExpenseAccount: { Code: accounts.purchases[0] },
  });
  await given.ok("POST", "/Extensions/Assets/Depreciate", undefined, {
    query: { to: "2026-02-28" },
  });
  const planned = { Method: "PUT", Path: "/Contacts", MediaType: "application/json" };
  const [plan] = (
    await given.ok("POST", "/Extensions/Plans", {
      Command: mark(),
      Requests: [{ ...planned, Body: JSON.stringify({ Name: mark() }) }],
    })
  ).Plans;
  await given.ok("POST", "/Extensions/Plans/Apply", { ...plan, Answers: undefined });
  await given.ok("POST", `${invoice}/Email`);
  await given.ok("GET", `${invoice}/OnlineInvoice`);
  await given.ok("DELETE", `${invoice}/OnlineInvoice`);
  const { book } = given;
  const [{ Version, OrganisationID }] = (await given.ok("GET", "/Organisation")).Organisations;
  if (Version === "UK") {
    const cis = { contractor: true, subContractor: true, rate: 200_000 as Percent };
    const own = { clock: () => given.now, newId: book.dependencies.newId };
    await changeBook(book, { cis, TaxNumber: mark(), RegistrationNumber: mark() }, own);
    await given.ok("POST", `/Contacts/${contact.ContactID}/CISSettings`, {
      CISEnabled: true,
      Rate: 20,
    });
    await given.ok("GET", `/Organisation/${OrganisationID}/CISSettings`);
  }
  if (Version === "US") {
    await given.ok("PUT", "/Reports/TenNinetyNine/Boxes", {
      Boxes: [{ AccountCode: accounts.purchases[0], Form: "NEC", Box: 1 }],
    });
  }
  if (Version === "NZ") {
    const period = { FromDate: "2026-03-01", ToDate: "2026-03-31" };
    await given.ok("PUT", "/Reports", { ReportType: "GSTReturn", ...period });
  }
  await given.ok("POST", "/Setup", {
    ConversionDate: { Month: 1, Year: 2026 },
    ConversionBalances: [{ AccountCode: accounts.banks[0], Balance: 11 }],
  });
  const isReceivable = 'SystemAccount=="DEBTORS"';
  const [receivable] = (
    await given.ok("GET", "/Accounts", undefined, { query: { where: isReceivable } })
  ).Accounts;
  await given.ok("POST", "/Extensions/OpeningBalances", {
    Date: "2025-12-31",
    Accounts: [{ AccountCode: receivable.Code, Debit: 20 }],
    Documents: [
      {
        Type: "ACCREC",
        Number: mark(),
        ContactName: mark(),
        Date: "2025-12-01",
        Lines: [{ Amount: 20, Description: mark() }],
      },
    ],
  });
  await book.store.write(book.org, (tx) =>
    addWebhook(acted(tx), {
      id: book.dependencies.newId(),
      name: mark(),
      url: `https://${mark()}.example/hook`,
      categories: ["INVOICE", "CONTACT"],
      app: undefined,
      signingKey: mark(),
      status: "OK",
      reason: undefined,
      createdAt: given.now,
      lastSequence: 0,
      expiresAt: undefined,
    }),
  );
  const { WebhookListeners } = await given.ok("POST", "/WebhookListeners");
  await given.ok("PUT", "/Contacts", { Name: mark() });
  await given.ok("POST", `/WebhookListeners/${WebhookListeners[0].ListenerID}/Next`);
  await given.ok("POST", "/RepeatingInvoices/Run", {});
}
