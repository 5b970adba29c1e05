/**
 * Random business: a table of what people do with their books, each row with how often it is done.
 *
 * A property test draws steps from the table and shrinks what fails; a simulated year draws a long
 * run of them from a seed. Much of what is drawn is not allowed, as in life: a refusal is an answer.
 * A new kind of document is a row of its own in `kinds`.
 */
import { fc } from "../support/properties.ts";
import { bankKinds } from "./business-bank.ts";
import {
  amountTypes,
  type Business,
  firstStatus,
  goods,
  type Kind,
  kind,
  line,
  lineOf,
  lines,
  one,
  regions,
  stock,
  teams,
} from "./business-parts.ts";
import { settlingKinds } from "./business-settling.ts";
import { type Answer, contact, type Json, type World } from "./fixture.ts";

export type { Business } from "./business-parts.ts";

/** The code of the bank account abroad, whose currency is the business's `currency`. */
const abroad = "EUR";

/**
 * Rates that are given with documents and payments. No table of them is kept, so that nothing gains
 * by a report's own rate, and what reports say is what was posted.
 */
const foreignRate = fc.constantFrom(0.5, 0.6153, 0.999999, 1, 1.234567, 83.4);

/** The fields of a document in a foreign currency; none for one in that of the books. */
const inCurrency = ({ currency }: Business, rate: number | undefined) =>
  rate === undefined ? {} : { CurrencyCode: currency, CurrencyRate: rate };

async function invoiced(
  business: Business,
  type: "ACCREC" | "ACCPAY",
  asked: { party: number; status: string; types: string; rate?: number | undefined },
  on: string,
  LineItems: readonly Json[],
): Promise<Answer> {
  const { given, parties, invoices } = business;
  const answer = await given.ask("PUT", "/Invoices", {
    Type: type,
    Contact: { ContactID: one(parties, asked.party).ContactID },
    // A bill bears its supplier's number; an invoice is given one.
    ...(type === "ACCPAY" ? { InvoiceNumber: `B-${invoices.length + 1}` } : {}),
    Status: asked.status,
    Date: on,
    DueDate: "2027-12-31",
    LineAmountTypes: asked.types,
    ...inCurrency(business, asked.rate),
    LineItems,
  });
  if (answer.status === 200) invoices.push(answer.json.Invoices[0].InvoiceID);
  return answer;
}

const document = { party: fc.nat(9), status: firstStatus, types: amountTypes };

const manual = {
  cents: fc.integer({ min: -90_000, max: 90_000 }),
  accounts: fc.tuple(fc.nat(99), fc.nat(99)),
  types: fc.constantFrom("NoTax", "Inclusive", "Exclusive"),
  tax: fc.nat(99),
  cash: fc.boolean(),
};

interface Manual {
  readonly cents: number;
  readonly accounts: readonly [number, number];
  readonly types: string;
  readonly tax: number;
  readonly cash: boolean;
}

/** An amount from one account to another, with a tax on both where that is not refused. */
function manualOf(
  { accounts, taxes }: Business,
  { cents, accounts: [from, to], types, tax, cash }: Manual,
  on: string,
): Json {
  const TaxType = types === "NoTax" ? undefined : one(taxes.purchases, tax);
  const other = accounts[from > 49 ? "capital" : "purchases"];
  return {
    Narration: "Moved",
    Date: on,
    LineAmountTypes: types,
    ShowOnCashBasisReports: cash,
    JournalLines: [
      { LineAmount: cents / 100, AccountCode: one(accounts.purchases, to), TaxType },
      { LineAmount: -cents / 100, AccountCode: one(other, from), TaxType },
    ],
  };
}

/** The rate of a payment, where either its document or its bank account is foreign. */
const rateOf = (
  { currency }: Business,
  { CurrencyCode }: Json,
  bank: number,
  CurrencyRate: number,
) => (CurrencyCode === currency || bank === 2 ? { CurrencyRate } : {});

// --- the table -------------------------------------------------------------------------------

const kinds: readonly Kind[] = [
  kind("sell", 6, fc.record({ ...document, lines }), (business, asked, on) =>
    invoiced(
      business,
      "ACCREC",
      asked,
      on,
      asked.lines.map((each) => lineOf(business, "sales", each)),
    ),
  ),
  kind("buy", 5, fc.record({ ...document, lines }), (business, asked, on) =>
    invoiced(
      business,
      "ACCPAY",
      asked,
      on,
      asked.lines.map((each) => lineOf(business, "purchases", each)),
    ),
  ),
  kind(
    "trade abroad",
    4,
    fc.record({ ...document, lines, rate: foreignRate, sales: fc.boolean() }),
    (business, asked, on) => {
      const side = asked.sales ? "sales" : "purchases";
      const types = asked.sales ? "ACCREC" : "ACCPAY";
      const items = asked.lines.map((each) => lineOf(business, side, each));
      return invoiced(business, types, asked, on, items);
    },
  ),
  kind("sell goods", 3, fc.record({ ...document, stock, line }), (business, asked, on) =>
    invoiced(business, "ACCREC", asked, on, [
      { ItemCode: one(goods, asked.stock.which), Quantity: asked.stock.quantity },
      lineOf(business, "sales", asked.line),
    ]),
  ),
  kind(
    "buy goods",
    3,
    fc.record({ ...document, stock, cents: fc.integer({ min: 1, max: 5000 }) }),
    (business, asked, on) =>
      invoiced(business, "ACCPAY", asked, on, [
        {
          ItemCode: one(goods, asked.stock.which),
          Quantity: asked.stock.quantity,
          UnitAmount: asked.cents / 100,
        },
      ]),
  ),
  kind(
    "pay",
    8,
    fc.record({
      which: fc.nat(999),
      /** Mostly one of those that are open. */
      open: fc.constantFrom(true, true, true, true, false),
      // Of what is due, in percent; more than that is refused.
      part: fc.constantFrom(100, 100, 50, 33, 7, 1, 120),
      bank: fc.nat(2),
      rate: foreignRate,
    }),
    async (business, { which, open, part, bank, rate }, on) => {
      const { given, invoices, payments, accounts } = business;
      const path = open ? "/Invoices" : `/Invoices/${one(invoices, which) ?? "none"}`;
      const query = { where: 'Status=="AUTHORISED"', page: "1" };
      const found = await given.ask("GET", path, undefined, open ? { query } : {});
      const document = one<Json>(found.json.Invoices ?? [], which);
      if (document === undefined) return undefined;
      const answer = await given.ask("PUT", "/Payments", {
        Invoice: { InvoiceID: document.InvoiceID },
        Account: { Code: one([...accounts.banks, abroad], bank) },
        Date: on,
        Amount: Math.round(document.AmountDue * part) / 100,
        ...rateOf(business, document, bank, rate),
      });
      if (answer.status === 200) payments.push(answer.json.Payments[0].PaymentID);
      return answer;
    },
  ),
  kind("take a payment back", 1, fc.nat(999), async ({ given, payments }, which) => {
    const id = one(payments, which);
    return id === undefined
      ? undefined
      : given.ask("POST", `/Payments/${id}`, { Status: "DELETED" });
  }),
  kind(
    "change the status",
    3,
    fc.record({
      which: fc.nat(999),
      status: fc.constantFrom("DRAFT", "SUBMITTED", "AUTHORISED", "DELETED", "VOIDED"),
    }),
    async ({ given, invoices }, { which, status }) => {
      const id = one(invoices, which);
      return id === undefined
        ? undefined
        : given.ask("POST", `/Invoices/${id}`, { Status: status });
    },
  ),
  kind(
    "edit",
    2,
    fc.record({ which: fc.nat(999), types: amountTypes, lines }),
    async (business, { which, types, lines: asked }, on) => {
      const { given, invoices } = business;
      const id = one(invoices, which);
      if (id === undefined) return undefined;
      const { Type } = (await given.ok("GET", `/Invoices/${id}`)).Invoices[0];
      const side = Type === "ACCREC" ? "sales" : "purchases";
      return given.ask("POST", `/Invoices/${id}`, {
        Date: on,
        LineAmountTypes: types,
        LineItems: asked.map((each) => lineOf(business, side, each)),
      });
    },
  ),
  kind(
    "give credit",
    2,
    fc.record({
      ...document,
      lines,
      sales: fc.boolean(),
      rate: fc.oneof(fc.constant(undefined), foreignRate),
    }),
    async (business, { party, status, types, lines: asked, sales, rate }, on) => {
      const { given, parties, credits } = business;
      const answer = await given.ask("PUT", "/CreditNotes", {
        Type: sales ? "ACCRECCREDIT" : "ACCPAYCREDIT",
        Contact: { ContactID: one(parties, party).ContactID },
        // A supplier's bears the supplier's number; ours is given one.
        ...(sales ? {} : { CreditNoteNumber: `C-${credits.length + 1}` }),
        Status: status,
        Date: on,
        LineAmountTypes: types,
        ...inCurrency(business, rate),
        LineItems: asked.map((each) =>
          lineOf(business, sales ? "sales" : "purchases", { ...each, discount: undefined }),
        ),
      });
      if (answer.status === 200) credits.push(answer.json.CreditNotes[0].CreditNoteID);
      return answer;
    },
  ),
  kind(
    "refund",
    2,
    fc.record({
      which: fc.nat(999),
      part: fc.constantFrom(100, 50, 33, 120),
      bank: fc.nat(2),
      rate: foreignRate,
    }),
    async (business, { which, part, bank, rate }, on) => {
      const { given, credits, payments, accounts } = business;
      const id = one(credits, which);
      if (id === undefined) return undefined;
      const [credit] = (await given.ok("GET", `/CreditNotes/${id}`)).CreditNotes;
      const answer = await given.ask("PUT", "/Payments", {
        CreditNote: { CreditNoteID: id },
        Account: { Code: one([...accounts.banks, abroad], bank) },
        Date: on,
        Amount: Math.round(credit.RemainingCredit * part) / 100,
        ...rateOf(business, credit, bank, rate),
      });
      if (answer.status === 200) payments.push(answer.json.Payments[0].PaymentID);
      return answer;
    },
  ),
  kind(
    "allocate credit",
    3,
    fc.record({ which: fc.nat(999), to: fc.nat(999), part: fc.constantFrom(100, 50, 33, 120) }),
    async ({ given, credits }, { which, to, part }) => {
      const id = one(credits, which);
      if (id === undefined) return undefined;
      const [credit] = (await given.ok("GET", `/CreditNotes/${id}`)).CreditNotes;
      const { RemainingCredit, Contact, Type, CurrencyCode } = credit;
      const query = {
        where: `Status=="AUTHORISED" AND Type=="${Type.replace("CREDIT", "")}" AND CurrencyCode=="${CurrencyCode}"`,
        ContactIDs: Contact.ContactID,
        page: "1",
      };
      const { Invoices } = await given.ok("GET", "/Invoices", undefined, { query });
      const open = one<Json>(Invoices, to);
      if (open === undefined || RemainingCredit === 0) return undefined;
      const most = Math.min(RemainingCredit, open.AmountDue);
      return given.ask("PUT", `/CreditNotes/${id}/Allocations`, {
        Allocations: [
          {
            Invoice: { InvoiceID: open.InvoiceID },
            AppliedAmount: Math.round(most * part) / 100,
          },
        ],
      });
    },
  ),
  kind(
    "move money abroad",
    2,
    fc.record({
      lines,
      types: amountTypes,
      rate: foreignRate,
      party: fc.nat(9),
      sales: fc.boolean(),
    }),
    (business, { lines: asked, types, rate, party, sales }, on) =>
      business.given.ask("PUT", "/BankTransactions", {
        Type: sales ? "RECEIVE" : "SPEND",
        Contact: { ContactID: one(business.parties, party).ContactID },
        BankAccount: { Code: abroad },
        Date: on,
        LineAmountTypes: types,
        CurrencyRate: rate,
        LineItems: asked.map((each) =>
          lineOf(business, sales ? "sales" : "purchases", { ...each, discount: undefined }),
        ),
      }),
  ),
  kind(
    "change the status of a credit",
    1,
    fc.record({ which: fc.nat(999), status: fc.constantFrom("AUTHORISED", "DELETED", "VOIDED") }),
    async ({ given, credits }, { which, status }) => {
      const id = one(credits, which);
      return id === undefined
        ? undefined
        : given.ask("POST", `/CreditNotes/${id}`, { Status: status });
    },
  ),
  kind(
    "journalise",
    3,
    fc.record({ ...manual, status: fc.constantFrom("DRAFT", "POSTED", "POSTED") }),
    async (business, { status, ...asked }, on) => {
      const { given, manualJournals } = business;
      const answer = await given.ask("PUT", "/ManualJournals", {
        ...manualOf(business, asked, on),
        Status: status,
      });
      if (answer.status === 200) manualJournals.push(answer.json.ManualJournals[0].ManualJournalID);
      return answer;
    },
  ),
  kind(
    "change a manual journal",
    2,
    fc.record({
      ...manual,
      which: fc.nat(999),
      /** Mostly another status alone; otherwise all but that. */
      status: fc.constantFrom("POSTED", "DELETED", "VOIDED", "ARCHIVED", "DRAFT", undefined),
    }),
    async (business, { which, status, ...asked }, on) => {
      const { given, manualJournals } = business;
      const id = one(manualJournals, which);
      if (id === undefined) return undefined;
      const change = status === undefined ? manualOf(business, asked, on) : { Status: status };
      return given.ask("POST", `/ManualJournals/${id}`, change);
    },
  ),
  ...bankKinds,
  ...settlingKinds,
];

// --- steps -----------------------------------------------------------------------------------

export interface Step {
  readonly kind: string;
  readonly asked: unknown;
  /** How many days before the day that it is, 0 to 27: people are late with their books. */
  readonly late: number;
}

/** Steps of some kinds, and how they are taken. */
export interface Trade {
  readonly step: fc.Arbitrary<Step>;
  /** Does a step on a day, less what it is late. @returns undefined when there was nothing to do */
  take(business: Business, step: Step, today: string): Promise<Answer | undefined>;
}

const dayMs = 86_400_000;

function tradeOf(all: readonly Kind[]): Trade {
  const kindNamed = new Map(all.map((each) => [each.name, each]));
  return {
    step: fc.oneof(
      ...all.map(({ name, weight, asked }) => ({
        weight,
        arbitrary: fc.record({ kind: fc.constant(name), asked, late: fc.nat(27) }),
      })),
    ),
    take(business, { kind: name, asked, late }, today) {
      const on = new Date(Date.parse(today) - late * dayMs).toISOString().slice(0, 10);
      return (kindNamed.get(name) as Kind).take(business, asked, on);
    },
  };
}

export const { step, take } = tradeOf(kinds);

/** Business with kinds of steps beside the usual ones. */
export const tradeWith = (more: readonly Kind[]): Trade => tradeOf([...kinds, ...more]);

export interface Simulation {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly seed: number;
  readonly without?: readonly string[];
}

/** What became of the steps of a run, by kind. */
export type Outcomes = Record<string, { done: number; refused: number }>;

/**
 * Runs a business from one day to another, with the clock going along.
 *
 * @param count  steps in all, spread evenly
 * @param seed   the same seed does the same business
 * @param without  kinds that this business does not do
 */
export async function simulate(
  business: Business,
  { from, to, count, seed, without = [] }: Simulation,
): Promise<Outcomes> {
  const [drawn = []] = fc.sample(fc.array(step, { minLength: count, maxLength: count }), {
    seed,
    numRuns: 1,
  });
  const steps = drawn.filter((each) => !without.includes(each.kind));
  const outcomes: Outcomes = {};
  const [first, last] = [Date.parse(from), Date.parse(to)];
  for (const [at, each] of steps.entries()) {
    const today = new Date(first + ((last - first) * at) / count);
    business.given.now = Math.max(business.given.now, today.getTime());
    const answer = await take(business, each, today.toISOString().slice(0, 10));
    if (answer === undefined) continue;
    if (answer.status !== 200 && answer.status !== 400) {
      throw new Error(`${each.kind} was answered ${answer.status}: ${answer.text}`);
    }
    outcomes[each.kind] ??= { done: 0, refused: 0 };
    const outcome = outcomes[each.kind] as { done: number; refused: number };
    outcome[answer.status === 200 ? "done" : "refused"] += 1;
  }
  return outcomes;
}

/** Makes ready for business in another currency: the currency, and a bank account in it. */
export async function openAbroad(given: World, CurrencyCode = "EUR"): Promise<void> {
  await given.ok("PUT", "/Currencies", { Code: CurrencyCode });
  await given.ok("PUT", "/Accounts", {
    Code: abroad,
    Name: "Account abroad",
    Type: "BANK",
    BankAccountNumber: "99-EUR",
    CurrencyCode,
  });
}

/** Opens for business: tracking, goods, customers, and accounts and taxes as the country has them. */
export async function opened(given: World): Promise<Business> {
  for (const [Name, options] of [
    ["Region", regions],
    ["Team", teams],
  ] as const) {
    await given.ok("PUT", "/TrackingCategories", { Name });
    for (const option of options) {
      await given.ok("PUT", `/TrackingCategories/${Name}/Options`, { Name: option });
    }
  }
  const chart: Json[] = (await given.ok("GET", "/Accounts")).Accounts;
  const codes = (fits: (account: Json) => boolean): string[] =>
    chart.filter((each) => !each.SystemAccount && fits(each)).map((each) => each.Code);
  const accounts = {
    sales: codes(({ Class }) => Class === "REVENUE"),
    purchases: codes(({ Class }) => Class === "EXPENSE"),
    capital: codes(({ Type }) => ["FIXED", "TERMLIAB", "EQUITY", "CURRLIAB"].includes(Type)),
    banks: codes(({ Type }) => Type === "BANK"),
  };
  const stockAccount = codes(({ Type }) => Type === "INVENTORY")[0];
  const costs = codes(({ Type }) => Type === "DIRECTCOSTS")[0];
  for (const [at, Code] of goods.entries()) {
    await given.ok("PUT", "/Items", {
      Code,
      Name: Code,
      Description: Code,
      InventoryAssetAccountCode: stockAccount,
      SalesDetails: { UnitPrice: 50 + at, AccountCode: accounts.sales[0] },
      PurchaseDetails: { UnitPrice: 20 + at, COGSAccountCode: costs },
    });
  }
  const [{ BaseCurrency }] = (await given.ok("GET", "/Organisation")).Organisations;
  const isInUnion = BaseCurrency === "EUR";
  const currency = isInUnion ? "USD" : "EUR";
  await openAbroad(given, currency);
  const rates: Json[] = (await given.ok("GET", "/TaxRates")).TaxRates;
  const taxes = (flag: string): string[] =>
    rates
      .filter((each) => each[flag] === true && each.Status === "ACTIVE")
      .map((each) => each.TaxType);
  const parties: Json[] = [];
  const registered = isInUnion ? { TaxNumber: "ATU12345678" } : {};
  for (let count = 0; count < 5; count += 1) parties.push(await contact(given, registered));
  return {
    given,
    currency,
    parties,
    accounts,
    taxes: { sales: taxes("CanApplyToRevenue"), purchases: taxes("CanApplyToExpenses") },
    invoices: [],
    payments: [],
    credits: [],
    manualJournals: [],
    money: [],
    transfers: [],
  };
}
