/**
 * What people do with records beside documents and money: contacts, goods, accounts, rules, assets,
 * budgets, lines of the bank, settings. Rows of random business, for what takes operations back.
 */
import { fc } from "../../support/properties.ts";
import {
  type Business,
  goods,
  type Kind,
  kind,
  lineOf,
  lines,
  one,
  regions,
} from "../business-parts.ts";
import type { Answer, Json, World } from "../fixture.ts";

const which = fc.nat(999);
const word = fc.constantFrom("Amber", "Birch", "Cedar", "Delta", "Elm", "Fir");

async function oneOf(
  given: World,
  path: string,
  at: number,
  query: Record<string, string> = {},
): Promise<Json | undefined> {
  const answer = await given.ok("GET", path, undefined, { query });
  return one<Json>(answer[path.split("/").at(-1) as string] ?? [], at);
}

/** Changes one of the records of a path; undefined where there is none. */
async function change(
  { given }: Business,
  [path, id]: readonly [path: string, id: string],
  at: number,
  changes: (record: Json) => Json,
  query?: Record<string, string>,
): Promise<Answer | undefined> {
  const found = await oneOf(given, path, at, query);
  return found && given.ask("POST", `${path}/${found[id]}`, changes(found));
}

const contacts = ["/Contacts", "ContactID"] as const;
const accounts = ["/Accounts", "AccountID"] as const;
const quotes = ["/Quotes", "QuoteID"] as const;
const orders = ["/PurchaseOrders", "PurchaseOrderID"] as const;
const repeating = ["/RepeatingInvoices", "RepeatingInvoiceID"] as const;
const groups = ["/ContactGroups", "ContactGroupID"] as const;
const bankRules = ["/Extensions/BankRules", "BankRuleID"] as const;
const assets = ["/Extensions/Assets", "AssetID"] as const;
const bankLines = "/Extensions/BankStatementLines";

const masters: readonly Kind[] = [
  kind("add a contact", 2, fc.record({ word, at: fc.nat(9999) }), ({ given }, { word, at }) =>
    given.ask("PUT", "/Contacts", { Name: `${word} ${at}`, EmailAddress: `${at}@birch.example` }),
  ),
  kind("change a contact", 3, fc.record({ which, word, at: fc.nat(9999) }), (business, asked) =>
    change(business, contacts, asked.which, () => ({
      Name: `${asked.word} ${asked.at}`,
      TaxNumber: String(asked.at),
      PaymentTerms: {
        [asked.at % 2 === 0 ? "Sales" : "Bills"]: {
          ...{ Day: 1 + (asked.at % 28), Type: "DAYSAFTERBILLDATE" },
        },
      },
      ...(asked.at % 3 === 0
        ? { Addresses: [{ AddressType: "STREET", AddressLine1: asked.word, City: "Nelson" }] }
        : {}),
      ...(asked.at % 5 === 0 ? { Phones: [{ PhoneType: "MOBILE", PhoneNumber: "5" }] } : {}),
      ...(asked.at % 7 === 0 ? { ContactPersons: [{ FirstName: asked.word }] } : {}),
    })),
  ),
  kind("archive or restore a contact", 2, which, async (business, at) => {
    const query = { includeArchived: "true" };
    const found = await oneOf(business.given, contacts[0], at, query);
    if (found === undefined) return undefined;
    return found.ContactStatus === "ARCHIVED"
      ? business.given.ask("POST", `/Contacts/${found.ContactID}/Restore`, {})
      : business.given.ask("POST", `/Contacts/${found.ContactID}`, { ContactStatus: "ARCHIVED" });
  }),
  kind("change goods", 2, fc.record({ which, price: fc.nat(9999) }), ({ given }, asked) =>
    given.ask("POST", `/Items/${one(goods, asked.which)}`, {
      Code: one(goods, asked.which),
      Description: `At ${asked.price}`,
      SalesDetails: { UnitPrice: asked.price / 100 },
    }),
  ),
  kind("add or remove an item", 2, word, async ({ given }, Code) => {
    const { status } = await given.ask("GET", `/Items/${Code}`);
    return status === 200
      ? given.ask("DELETE", `/Items/${Code}`)
      : given.ask("PUT", "/Items", { Code, Name: Code, SalesDetails: { UnitPrice: 5 } });
  }),
  kind("add an account", 1, fc.record({ word, at: fc.nat(99) }), ({ given }, { word, at }) =>
    given.ask("PUT", "/Accounts", { Code: `9${at}`, Name: `${word} ${at}`, Type: "EXPENSE" }),
  ),
  kind("change an account", 2, fc.record({ which, word, at: fc.nat(99) }), (business, asked) =>
    change(business, accounts, asked.which, () => ({ Name: `${asked.word} ${asked.at}` })),
  ),
  kind("archive or restore an account", 1, which, (business, at) =>
    change(business, accounts, at, ({ Status }) => ({
      Status: Status === "ARCHIVED" ? "ACTIVE" : "ARCHIVED",
    })),
  ),
  kind("add an option", 1, fc.record({ word, at: fc.nat(99) }), ({ given }, { word, at }) =>
    given.ask("PUT", "/TrackingCategories/Region/Options", { Name: `${word} ${at}` }),
  ),
  kind("rename a category", 1, word, async ({ given }, Name) => {
    const found = await oneOf(given, "/TrackingCategories", 1);
    return found && given.ask("POST", `/TrackingCategories/${found.TrackingCategoryID}`, { Name });
  }),
  kind("change the terms", 1, fc.integer({ min: 1, max: 31 }), ({ given }, Day) =>
    given.ask("POST", "/Organisation/Settings", {
      PaymentTerms: { Bills: { Day, Type: "OFCURRENTMONTH" } },
    }),
  ),
  kind("lock the books", 1, fc.constantFrom("2026-02-03", "2026-02-09", ""), ({ given }, day) =>
    given.ask("POST", "/Organisation/Settings", { PeriodLockDate: day }),
  ),
  kind("group contacts", 2, fc.record({ which, word }), async (business, asked) => {
    const { given } = business;
    const group = await oneOf(given, groups[0], asked.which);
    if (group === undefined || asked.which % 4 === 0) {
      return given.ask("PUT", "/ContactGroups", { Name: `${asked.word} ${asked.which}` });
    }
    const { ContactID } = (await oneOf(given, contacts[0], asked.which)) as Json;
    const path = `/ContactGroups/${group.ContactGroupID}/Contacts`;
    const whole = (await given.ok("GET", `/ContactGroups/${group.ContactGroupID}`))
      .ContactGroups[0];
    return whole.Contacts?.some((each: Json) => each.ContactID === ContactID)
      ? given.ask("DELETE", `${path}/${ContactID}`)
      : given.ask("PUT", path, { Contacts: [{ ContactID }] });
  }),
];

const documents: readonly Kind[] = [
  kind("offer", 2, fc.record({ party: fc.nat(9), lines }), (business, { party, lines }, on) =>
    business.given.ask("PUT", "/Quotes", {
      Contact: { ContactID: one(business.parties, party).ContactID },
      Date: on,
      LineItems: lines.map((each) => lineOf(business, "sales", each)),
    }),
  ),
  kind(
    "go on with an offer",
    3,
    fc.record({ which, status: fc.constantFrom("SENT", "ACCEPTED", "DECLINED", "DELETED", "") }),
    (business, asked) =>
      change(business, quotes, asked.which, ({ QuoteID, Contact, DateString, Date: day }) => ({
        ...{ QuoteID, Contact: { ContactID: Contact.ContactID }, Date: DateString ?? day },
        ...(asked.status === "" ? { Reference: `R ${asked.which}` } : { Status: asked.status }),
      })),
  ),
  kind("order", 2, fc.record({ party: fc.nat(9), lines }), (business, { party, lines }, on) =>
    business.given.ask("PUT", "/PurchaseOrders", {
      Contact: { ContactID: one(business.parties, party).ContactID },
      Date: on,
      LineItems: lines.map((each) =>
        lineOf(business, "purchases", { ...each, discount: undefined }),
      ),
    }),
  ),
  kind(
    "go on with an order",
    3,
    fc.record({ which, status: fc.constantFrom("SUBMITTED", "AUTHORISED", "BILLED", "DELETED") }),
    (business, asked) => change(business, orders, asked.which, () => ({ Status: asked.status })),
  ),
  kind("repeat", 1, fc.record({ party: fc.nat(9), lines }), (business, { party, lines }) =>
    business.given.ask("PUT", "/RepeatingInvoices", {
      Type: "ACCREC",
      Contact: { ContactID: one(business.parties, party).ContactID },
      Schedule: {
        ...{ Period: 1, Unit: "MONTHLY", DueDate: 20, DueDateType: "OFFOLLOWINGMONTH" },
        StartDate: "2027-01-31",
      },
      LineItems: lines.map((each) => lineOf(business, "sales", each)),
    }),
  ),
  kind("repeat no more", 1, which, (business, at) =>
    change(business, repeating, at, () => ({ Status: "DELETED" })),
  ),
];

const accountsOfAssets = {
  ...{ AssetAccount: { Code: "710" }, AccumulatedAccount: { Code: "711" } },
  ExpenseAccount: { Code: "416" },
};

const things: readonly Kind[] = [
  kind(
    "register an asset",
    2,
    fc.record({ word, cents: fc.integer({ min: 1, max: 500_000 }) }),
    ({ given }, { word, cents }) =>
      given.ask("PUT", "/Extensions/Assets", {
        ...{ Name: word, PurchaseDate: "2026-01-10", Cost: cents / 100, ...accountsOfAssets },
        ...(cents % 2 === 0
          ? { Method: "StraightLine", Life: 3 }
          : { Method: "DiminishingValue150", Life: 4 }),
      }),
  ),
  kind("change an asset", 1, fc.record({ which, word }), (business, asked) =>
    change(business, assets, asked.which, () => ({ Name: `${asked.word} ${asked.which}` })),
  ),
  kind("depreciate", 2, fc.constantFrom("2026-01-31", "2026-02-28"), ({ given }, to) =>
    given.ask("POST", "/Extensions/Assets/Depreciate", undefined, { query: { to } }),
  ),
  kind("roll depreciation back", 1, fc.constantFrom("2025-12-31", "2026-01-31"), ({ given }, to) =>
    given.ask("POST", "/Extensions/Assets/Rollback", undefined, { query: { to } }),
  ),
  kind(
    "dispose of an asset",
    1,
    fc.record({ which, cents: fc.nat(600_000) }),
    async ({ given }, asked) => {
      const found = await oneOf(given, assets[0], asked.which);
      return (
        found &&
        given.ask("POST", `/Extensions/Assets/${found.AssetID}/Dispose`, {
          ...{ Date: "2026-03-20", Proceeds: asked.cents / 100 },
          ...{ ProceedsAccount: { Code: "260" }, GainAccount: { Code: "270" } },
          ...{ CapitalGainAccount: { Code: "200" }, LossAccount: { Code: "429" } },
        })
      );
    },
  ),
  kind(
    "plan",
    1,
    fc.record({ cents: fc.nat(90_000), month: fc.integer({ min: 1, max: 6 }) }),
    async ({ given }, { cents, month }) => {
      const budget = await oneOf(given, "/Budgets", 0);
      const BudgetLines = [
        { AccountCode: "200", BudgetBalances: [{ Period: `2026-0${month}`, Amount: cents / 100 }] },
      ];
      return budget === undefined
        ? given.ask("PUT", "/Budgets", { Description: "Plan", BudgetLines })
        : given.ask("POST", `/Budgets/${budget.BudgetID}`, { BudgetLines });
    },
  ),
];

const bank: readonly Kind[] = [
  kind("make a rule", 1, word, ({ given }, Name) =>
    given.ask("PUT", "/Extensions/BankRules", {
      Name,
      Conditions: [{ Field: "payee", Value: Name }],
      Lines: [{ AccountCode: "400", Percent: 100 }],
    }),
  ),
  kind("change a rule", 1, fc.record({ which, word }), (business, asked) =>
    change(business, bankRules, asked.which, () => ({ Name: `${asked.word} ${asked.which}` })),
  ),
  kind(
    "import a statement",
    3,
    fc.record({ which, cents: fc.integer({ min: -90_000, max: 90_000 }) }),
    async (business, { which, cents }, on) => {
      const { given } = business;
      const found = await oneOf(given, "/Payments", which, { where: 'Status=="AUTHORISED"' });
      const isPayment = found?.Account?.Code === "090" && found.Invoice?.CurrencyCode !== "EUR";
      const isOut = /ACCPAYPAYMENT|ARCREDIT|AROVER|ARPRE/.test(found?.PaymentType ?? "");
      const Amount = isPayment ? (isOut ? -found.Amount : found.Amount) : cents / 100;
      return given.ask("PUT", "/Extensions/BankStatements", {
        BankAccount: { Code: "090" },
        StatementLines: [
          { Key: `${which} ${cents} a`, Date: on, Amount, Payee: "Heron" },
          { Key: `${which} ${cents} b`, Date: on, Amount: cents / 100 + 1, Payee: "Amber" },
        ],
      });
    },
  ),
  kind(
    "reconcile",
    4,
    fc.record({
      which,
      account: fc.nat(99),
      as: fc.constantFrom("record", "record", "line", "document", "transfer", "ignored"),
    }),
    async (business, asked) => {
      const { given } = business;
      const line = await oneOf(given, bankLines, asked.which, { where: 'Status=="UNRECONCILED"' });
      if (line === undefined) return undefined;
      const path = `${bankLines}/${line.BankStatementLineID}`;
      if (asked.as === "ignored") return given.ask("POST", `${path}/Ignore`, {});
      const Amount = line.Amount;
      if (asked.as === "record") {
        const where = 'Status=="AUTHORISED" AND IsReconciled==false';
        const { Payments } = await given.ok("GET", "/Payments", undefined, { query: { where } });
        const found = Payments.find(
          (each: Json) => each.Amount === Math.abs(Amount) && each.Account?.Code === "090",
        );
        if (found === undefined) return undefined;
        return given.ask("POST", `${path}/Match`, { Records: [{ RecordID: found.PaymentID }] });
      }
      if (asked.as === "transfer") {
        return given.ask("POST", `${path}/Match`, { TransferAccount: { Code: "091" } });
      }
      if (asked.as === "document") {
        const Type = Amount > 0 ? "ACCREC" : "ACCPAY";
        const where = `Status=="AUTHORISED" AND Type=="${Type}" AND CurrencyCode=="NZD"`;
        const query = { where, page: "1" };
        const { Invoices } = await given.ok("GET", "/Invoices", undefined, { query });
        const found = Invoices.find((each: Json) => each.AmountDue >= Math.abs(Amount));
        if (found === undefined) return undefined;
        const Documents = [
          { DocumentID: found.InvoiceID, Kind: "Invoice", Amount: Math.abs(Amount) },
        ];
        return given.ask("POST", `${path}/Match`, { Documents });
      }
      return given.ask("POST", `${path}/Match`, {
        Contact: { ContactID: one(business.parties, asked.account).ContactID },
        Lines: [
          {
            Amount,
            AccountCode: one(business.accounts.purchases, asked.account),
            Description: one(regions, asked.account),
          },
        ],
      });
    },
  ),
  kind("reconcile no more", 2, which, async ({ given }, at) => {
    const line = await oneOf(given, bankLines, at, { where: 'Status!="UNRECONCILED"' });
    return line && given.ask("POST", `${bankLines}/${line.BankStatementLineID}/Unmatch`, {});
  }),
  kind("remove a statement", 1, which, async ({ given }, at) => {
    const found = await oneOf(given, "/Extensions/BankStatements", at);
    return found && given.ask("DELETE", `/Extensions/BankStatements/${found.BankStatementID}`);
  }),
];

export const recordKinds: readonly Kind[] = [...masters, ...documents, ...things, ...bank];
