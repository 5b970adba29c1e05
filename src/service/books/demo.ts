/**
 * The sample company: two years of a small pottery and shop.
 *
 * Its records are made by requests to the service, with a fixed clock and a seeded random
 * generator, so that every copy is the same, except for random salts.
 */

import { addDays, addMonths, dayNumber, endOfMonth } from "../../ledger/dates/calendar.ts";
import type { Country } from "../../ledger/regions/index.ts";
import { closeAtBlockEnd } from "../../platform/disposal.ts";
import { UnavailableError } from "../../resources/errors.ts";
import { decodeError } from "../../wire/decode/failure.ts";
import { idsFrom } from "../lookups/ids.ts";
import { type Book, type BookOptions, createBook } from "./book.ts";
import { demoOrders, demoQuotes, draftCredit } from "./demo-plans.ts";
import {
  type Ask,
  addressIn,
  type Codes,
  codesOf,
  type DemoAnswer,
  makeRecords,
  settingsOf,
} from "./demo-records.ts";

/** First and last day of the sample. */
const demoFrom = "2024-12-01";
const demoTo = "2026-11-15";

const dayMs = 86_400_000;
/** Office hours in UTC, so that the local day is the intended one: New Zealand is a day ahead. */
const hoursMs = (country: Country) => (country === "NZ" ? -2 : 12) * 3_600_000;

/**
 * Returns a random generator from 0 to 1, the same for the same seed.
 *
 * @source mulberry32 (T. Ettinger)
 */
function chanceFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const customers = [
  "Ariki Homewares",
  "Bayside Gallery",
  "Cuba Street Gifts",
  "Dune Cafe",
  "Estuary Lodge",
  "Fern & Fold",
  "Gannet Restaurant",
  "Harakeke Trust",
  "Island Bay Florist",
  "Jetty Kitchen",
  "Kauri Hotel",
  "Lantern Design Store",
  "Moa Coffee Roasters",
  "Northland Museum Shop",
  "Old Post Office Cafe",
  "Pipi Beach House",
];
const suppliers = {
  landlord: "Wharf Street Properties",
  power: "Southern Lines Energy",
  phone: "Tui Telecom",
  clay: "Canterbury Clay Supplies",
  glaze: "Kiln & Colour",
  lamps: "Pacific Lamp Imports",
  freight: "Coastline Freight",
  accountant: "Ledger & Lamb Accountants",
} as const;

/** Goods as code, name and sales price; the last is bought in and tracked as inventory. */
const goods = [
  ["MUG", "Stoneware mug", 28],
  ["BOWL", "Serving bowl", 64],
  ["PLATE", "Dinner plate", 39.5],
  ["VASE", "Tall vase", 118],
  ["CLASS", "Wheel class, evening", 85],
] as const;
const lamp = { code: "LAMP", name: "Table lamp, ceramic base", price: 145, cost: 62 } as const;

interface Sale {
  readonly number: string;
  readonly due: string;
  readonly total: number;
}

/** Name of the sample company. */
export const demoName = "Tern & Tide Pottery";

/**
 * Makes the sample company in the new file `path`, and closes it. Every country has the same trade,
 * with the accounts and tax rates of its own chart.
 */
export async function createDemoBook(
  path: string,
  options: BookOptions = {},
  country: Country = "NZ",
): Promise<void> {
  let day = demoFrom;
  let tickMs = 0;
  const clock = () => dayNumber(day) * dayMs + hoursMs(country) + tickMs++;
  const idChance = chanceFrom(20_260_301);
  const nextId = idsFrom(clock, (bytes) => {
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = idChance() * 256;
  });
  /** Ids that the help refers to, for the records made next. */
  const namedIds: string[] = [];
  await using book = closeAtBlockEnd(
    await createBook(
      path,
      { name: demoName, country, demo: true },
      {
        ...options,
        clock,
        newId: () => namedIds.shift() ?? nextId(),
        user: "Aroha Sample",
        email: "aroha@tern-and-tide.example",
      },
    ),
  );
  const codes: Codes = codesOf[country] ?? {};
  const company = new Company((method, resource, body, ids = []) => {
    namedIds.push(...ids);
    return sendRequest(book, method, resource, body, codes);
  });
  await company.begin(country);
  for (const month of monthsOf(demoFrom, demoTo)) {
    day = month.end;
    await company.live(month);
  }
  // Runs last, so that earlier records keep the ids and numbers they always had.
  await company.plan();
  await company.keepRecords(country);
}

interface Month {
  readonly start: string;
  readonly end: string;
}

function monthsOf(from: string, to: string): Month[] {
  const months: Month[] = [];
  for (let start = from; start <= to; start = addMonths(start, 1)) {
    months.push({ start, end: endOfMonth(start) < to ? endOfMonth(start) : to });
  }
  return months;
}

/** Runs the company month by month: purchases, sales, payments. */
class Company {
  readonly #ask: Ask;
  readonly #chance = chanceFrom(20_241_201);
  /** Approved unpaid invoices and bills. */
  readonly #invoices: Sale[] = [];
  readonly #bills: Sale[] = [];
  #lamps = 0;
  #billNumber = 1000;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  async begin(country: Country): Promise<void> {
    await this.#ask("POST", "/Organisation/Settings", settingsOf(country));
    await this.#ask("PUT", "/Contacts", {
      Contacts: [...customers, ...Object.values(suppliers)].map((Name, index) => ({
        Name,
        ContactNumber: `C${String(index + 1).padStart(3, "0")}`,
        EmailAddress: `accounts@${Name.toLowerCase().replace(/[^a-z]+/g, "-")}.example`,
        Addresses: [addressIn(country, `${index + 1} Quay Street`)],
        ...(Name === "Kauri Hotel"
          ? { ElectronicAddress: "0088:9429000106078", BuyerReference: "Kitchen" }
          : {}),
      })),
    });
    await this.#ask("PUT", "/TrackingCategories", { Name: "Studio" });
    await this.#ask("PUT", "/TrackingCategories/Studio/Options", {
      Options: studios.map((Name) => ({ Name })),
    });
    await this.#ask("PUT", "/Items", { Items: [...goods.map(itemOf), trackedLamp] });
  }

  async live(month: Month): Promise<void> {
    await this.#buy(month);
    await this.#sell(month);
    await this.#mistake();
    await this.#pay(month);
  }

  /** Makes documents without postings: orders, quotes and a draft credit note. */
  async plan(): Promise<void> {
    const { Contacts } = await this.#ask("GET", "/Contacts");
    const idOf = (name: string) => ({
      ContactID: Contacts.find(({ Name }) => Name === name)?.ContactID,
    });
    await this.#ask("PUT", "/PurchaseOrders", { PurchaseOrders: demoOrders(idOf) });
    await this.#ask("POST", "/PurchaseOrders/PO-0001", { Status: "BILLED" });
    await this.#ask("PUT", "/Quotes", { Quotes: demoQuotes(idOf) });
    await this.#ask("POST", "/Quotes/QU-0001", { Status: "ACCEPTED" });
    await this.#ask("PUT", "/CreditNotes", draftCredit(idOf, demoTo));
  }

  /** Makes the records that the help refers to, at least one of each kind. */
  async keepRecords(country: Country): Promise<void> {
    const { Accounts } = await this.#ask("GET", "/Accounts");
    const fixed = Accounts.filter(({ Type, Name }) => Type === "FIXED" && !/^Less/.test(Name));
    const cost = fixed.find(({ Code }) => Code === codesOf[country]?.[710]) ?? fixed[0];
    const codeOf = (name: RegExp) => Accounts.find(({ Name }) => name.test(Name))?.Code ?? "";
    const depreciation = Accounts.find(({ Type }) => Type === "DEPRECIATN");
    const expense = codeOf(/^Depreciation/) || (depreciation?.Code ?? "");
    const contra = codeOf(new RegExp(`^(Less Accumulated .* on|Amortissements –) ${cost?.Name}$`));
    const accounts = { cost: cost?.Code ?? "", accumulated: contra || (cost?.Code ?? ""), expense };
    await makeRecords(this.#ask, { country, accounts, to: demoTo });
  }

  #between(low: number, high: number): number {
    return low + Math.floor(this.#chance() * (high - low + 1));
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.#between(0, values.length - 1)] as T;
  }

  /** Books the costs of the month. */
  async #buy(month: Month): Promise<void> {
    const bills = [
      this.#bill(suppliers.landlord, month, 0, [costLine("Studio rent", "469", 1450)]),
      this.#bill(suppliers.power, month, 8, [
        costLine("Electricity for two kilns", "445", this.#between(280, 520)),
      ]),
      this.#bill(suppliers.phone, month, 4, [costLine("Phone and internet", "489", 119)]),
      this.#bill(suppliers.clay, month, 2, [
        costLine("Stoneware clay, pallet", "300", this.#between(380, 760)),
        costLine("Delivery", "425", 65),
      ]),
    ];
    if (this.#lamps < 15) {
      const UnitAmount = this.#between(58, 68);
      const lamps = [{ ItemCode: lamp.code, Quantity: 20, UnitAmount }];
      bills.push(this.#bill(suppliers.lamps, month, 1, lamps));
      this.#lamps += 20;
    }
    if (this.#between(0, 2) === 0) {
      const glazes = [costLine("Glazes", "300", this.#between(90, 260))];
      bills.push(this.#bill(suppliers.glaze, month, 11, glazes));
    }
    if (month.start.endsWith("-03-01")) {
      const accounts = [costLine("Annual accounts", "412", 1650)];
      bills.push(this.#bill(suppliers.accountant, month, 5, accounts));
    }
    const answer = await this.#ask("PUT", "/Invoices", { Invoices: bills });
    this.#bills.push(...answer.Invoices.map(saleOf));
  }

  #bill(Name: string, month: Month, dayOfMonth: number, LineItems: readonly object[]): object {
    this.#billNumber += 1;
    const day = addDays(month.start, dayOfMonth);
    const date = day < month.end ? day : month.end;
    return {
      Type: "ACCPAY",
      InvoiceNumber: `S-${this.#billNumber}`,
      Contact: { Name },
      Date: date,
      DueDate: addDays(date, 20),
      Status: "AUTHORISED",
      LineItems,
    };
  }

  /** Books the sales of the month. December is the busiest. */
  async #sell(month: Month): Promise<void> {
    const count = month.start.slice(5, 7) === "12" ? 14 : this.#between(7, 11);
    const dayCount = dayNumber(month.end) - dayNumber(month.start);
    const dates = Array.from({ length: count }, () =>
      addDays(month.start, this.#between(0, dayCount)),
    ).sort();
    const sold = await this.#ask("PUT", "/Invoices", {
      Invoices: dates.map((date, index) => this.#sale(date, index)),
    });
    const approved = sold.Invoices.filter((invoice) => invoice.Status === "AUTHORISED");
    this.#invoices.push(...approved.map(saleOf));
  }

  #sale(date: string, index: number): object {
    // Toward the end some invoices are still drafts.
    const isUnfinished = date > addDays(demoTo, -20) && index % 4 === 3;
    const withLamp = !isUnfinished && this.#lamps > 0 && this.#between(0, 3) === 0;
    if (withLamp) this.#lamps -= 1;
    return {
      Type: "ACCREC",
      Contact: { Name: this.#pick(customers) },
      Date: date,
      DueDate: addDays(date, 20),
      Reference: this.#between(0, 2) === 0 ? `PO ${this.#between(1000, 9999)}` : undefined,
      Status: isUnfinished ? this.#pick(["DRAFT", "SUBMITTED"]) : "AUTHORISED",
      LineItems: [
        ...this.#lines(this.#between(1, 3)),
        ...(withLamp ? [{ ItemCode: lamp.code, Quantity: 1 }] : []),
      ],
    };
  }

  #lines(count: number): object[] {
    return Array.from({ length: count }, () => ({
      ItemCode: this.#pick(goods)[0],
      Quantity: this.#between(1, 8),
      Tracking: [{ Name: "Studio", Option: this.#pick(studios) }],
    }));
  }

  /** Voids a mistaken invoice now and then. */
  async #mistake(): Promise<void> {
    if (this.#between(0, 3) !== 0) return;
    const mistake = this.#invoices.pop();
    if (mistake === undefined) return;
    await this.#ask("POST", `/Invoices/${mistake.number}`, { Status: "VOIDED" });
  }

  /** Pays most of what is due by the end of the month, at times in part or late. */
  async #pay({ end }: Month): Promise<void> {
    const sales = take(this.#invoices, ({ due }) => due <= end && this.#chance() < 0.85);
    const Payments = [
      ...sales.map((sale) => {
        const halfTotal = Math.round(sale.total * 50) / 100;
        const isPartial = this.#between(0, 9) === 0 && halfTotal > 0;
        return paymentOf(sale, end, isPartial ? halfTotal : sale.total);
      }),
      ...take(this.#bills, ({ due }) => due <= end).map((bill) => paymentOf(bill, end, bill.total)),
    ];
    if (Payments.length > 0) await this.#ask("PUT", "/Payments", { Payments });
  }
}

const studios = ["North Quay", "South Quay"] as const;

function itemOf([Code, Name, UnitPrice]: (typeof goods)[number]): object {
  return { Code, Name, Description: Name, SalesDetails: { UnitPrice, AccountCode: "200" } };
}

const trackedLamp = {
  Code: lamp.code,
  Name: lamp.name,
  Description: lamp.name,
  InventoryAssetAccountCode: "630",
  SalesDetails: { UnitPrice: lamp.price, AccountCode: "200" },
  PurchaseDetails: { UnitPrice: lamp.cost, COGSAccountCode: "310" },
};

function costLine(Description: string, AccountCode: string, UnitAmount: number): object {
  return { Description, AccountCode, UnitAmount, Quantity: 1 };
}

function paymentOf(sale: Sale, monthEnd: string, Amount: number): object {
  return {
    Invoice: { InvoiceNumber: sale.number },
    Account: { Code: "090" },
    Date: sale.due < monthEnd ? sale.due : monthEnd,
    Amount,
  };
}

function saleOf({ InvoiceNumber, DueDateString, Total }: DemoAnswer["Invoices"][number]): Sale {
  return { number: InvoiceNumber, due: DueDateString.slice(0, 10), total: Total };
}

/** Removes the values that satisfy `wanted` from `values`, and returns them. */
function take<T>(values: T[], isWanted: (value: T) => boolean): T[] {
  const matches = values.filter(isWanted);
  values.splice(0, values.length, ...values.filter((value) => !matches.includes(value)));
  return matches;
}

async function sendRequest(
  book: Book,
  method: string,
  path: string,
  body: object | undefined,
  codes: Codes,
): Promise<DemoAnswer> {
  const inChart = (key: string, value: unknown) =>
    key.endsWith("Code") ? (codes[String(value)] ?? value) : value;
  const response = await book.transport({
    method,
    path,
    query: [],
    headers: { accept: "application/json", "content-type": "application/json" },
    ...(body === undefined
      ? {}
      : { body: new TextEncoder().encode(JSON.stringify(body, inChart)) }),
  });
  if (response.status !== 200) {
    const fault = await decodeError(response.status, response.headers, String(response.body));
    if (fault instanceof UnavailableError) throw fault;
    throw new Error(`The sample company could not be made: ${method} ${path}: ${response.body}`);
  }
  return JSON.parse(String(response.body)) as DemoAnswer;
}
