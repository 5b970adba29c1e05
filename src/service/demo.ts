/**
 * The sample company: two years in the life of a small pottery and shop.
 *
 * It is made through the service itself, request by request, by a clock and a chance that always
 * run the same way; so every copy of it is the same to the byte, and it exercises what it shows.
 */
import { addDays, addMonths, dayNumber, endOfMonth } from "../ledger/calendar.ts";
import { type Book, type BookOptions, createBook } from "./book.ts";
import { idsFrom } from "./ids.ts";

/** The first day of business, and the day on which the sample stands still. */
export const demoFrom = "2024-12-01";
export const demoTo = "2026-11-15";

const dayMs = 86_400_000;
/** Office hours in New Zealand, so that the day there is the day meant. */
const morningMs = -2 * 3_600_000;

/** Numbers from 0 to 1, the same for the same seed. @source mulberry32 (T. Ettinger) */
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

/** Code, name, sales price; the last is what the shop buys in and keeps in stock. */
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

/** Makes the sample company in the file `path`, which must not exist. */
export async function createDemoBook(path: string, options: BookOptions = {}): Promise<Book> {
  const chance = chanceFrom(20_241_201);
  const between = (low: number, high: number) => low + Math.floor(chance() * (high - low + 1));
  const pick = <T>(values: readonly T[]): T => values[between(0, values.length - 1)] as T;
  let day = demoFrom;
  let tickMs = 0;
  const clock = () => dayNumber(day) * dayMs + morningMs + tickMs++;
  const book = await createBook(
    path,
    { name: "Tern & Tide Pottery", country: "NZ", demo: true },
    {
      ...options,
      clock,
      newId: idsFrom(clock, (bytes) => {
        for (let index = 0; index < bytes.length; index += 1) bytes[index] = between(0, 255);
      }),
      user: "Aroha Sample",
      email: "aroha@tern-and-tide.example",
    },
  );
  const ask = (method: string, resource: string, body: object) =>
    request(book, method, resource, body);

  await ask("PUT", "/Contacts", {
    Contacts: [...customers, ...Object.values(suppliers)].map((Name, index) => ({
      Name,
      ContactNumber: `C${String(index + 1).padStart(3, "0")}`,
      EmailAddress: `accounts@${Name.toLowerCase().replace(/[^a-z]+/g, "-")}.example`,
    })),
  });
  await ask("PUT", "/TrackingCategories", { Name: "Studio" });
  for (const Name of ["North Quay", "South Quay"]) {
    await ask("PUT", "/TrackingCategories/Studio/Options", { Name });
  }
  await ask("PUT", "/Items", {
    Items: [
      ...goods.map(([Code, Name, UnitPrice]) => ({
        Code,
        Name,
        Description: Name,
        SalesDetails: { UnitPrice, AccountCode: "200" },
      })),
      {
        Code: lamp.code,
        Name: lamp.name,
        Description: lamp.name,
        InventoryAssetAccountCode: "630",
        SalesDetails: { UnitPrice: lamp.price, AccountCode: "200" },
        PurchaseDetails: { UnitPrice: lamp.cost, COGSAccountCode: "310" },
      },
    ],
  });

  const open: Sale[] = [];
  const bills: Sale[] = [];
  let lamps = 0;
  let billNumber = 1000;

  const lines = (count: number) =>
    Array.from({ length: count }, () => {
      const [code] = pick(goods);
      return {
        ItemCode: code as string,
        Quantity: between(1, 8),
        Tracking: [{ Name: "Studio", Option: pick(["North Quay", "South Quay"]) }],
      };
    });

  for (let month = demoFrom; month <= demoTo; month = addMonths(month, 1)) {
    const monthEnd = endOfMonth(month) < demoTo ? endOfMonth(month) : demoTo;
    const days = dayNumber(monthEnd) - dayNumber(month);
    const dates = (count: number) =>
      Array.from({ length: count }, () => addDays(month, between(0, days))).sort();

    // What the month costs.
    const bill = (name: string, date: string, entries: readonly object[]) => {
      billNumber += 1;
      return {
        Type: "ACCPAY",
        InvoiceNumber: `S-${billNumber}`,
        Contact: { Name: name },
        Date: date,
        DueDate: addDays(date, 20),
        Status: "AUTHORISED",
        LineItems: entries,
      };
    };
    const cost = (Description: string, AccountCode: string, UnitAmount: number) => ({
      Description,
      AccountCode,
      UnitAmount,
      Quantity: 1,
    });
    const boughtLamps = lamps < 15 ? 20 : 0;
    lamps += boughtLamps;
    day = monthEnd;
    const made = await ask("PUT", "/Invoices", {
      Invoices: [
        bill(suppliers.landlord, month, [cost("Studio rent", "469", 1450)]),
        bill(suppliers.power, addDays(month, Math.min(8, days)), [
          cost("Electricity for two kilns", "445", between(280, 520)),
        ]),
        bill(suppliers.phone, addDays(month, Math.min(4, days)), [
          cost("Phone and internet", "489", 119),
        ]),
        bill(suppliers.clay, addDays(month, Math.min(2, days)), [
          cost("Stoneware clay, pallet", "300", between(380, 760)),
          cost("Delivery", "425", 65),
        ]),
        ...(boughtLamps > 0
          ? [
              bill(suppliers.lamps, addDays(month, Math.min(1, days)), [
                { ItemCode: lamp.code, Quantity: boughtLamps, UnitAmount: between(58, 68) },
              ]),
            ]
          : []),
        ...(between(0, 2) === 0
          ? [
              bill(suppliers.glaze, addDays(month, Math.min(11, days)), [
                cost("Glazes", "300", between(90, 260)),
              ]),
            ]
          : []),
        ...(month.endsWith("-03-01")
          ? [bill(suppliers.accountant, addDays(month, 5), [cost("Annual accounts", "412", 1650)])]
          : []),
      ],
    });
    bills.push(...made.Invoices.map(saleOf));

    // What it sells. December is the busiest.
    const count = month.slice(5, 7) === "12" ? 14 : between(7, 11);
    const sold = await ask("PUT", "/Invoices", {
      Invoices: dates(count).map((date, index) => {
        const withLamp = lamps > 0 && between(0, 3) === 0;
        if (withLamp) lamps -= 1;
        const late = date > addDays(demoTo, -20) && index % 4 === 3;
        return {
          Type: "ACCREC",
          Contact: { Name: pick(customers) },
          Date: date,
          DueDate: addDays(date, 20),
          Reference: between(0, 2) === 0 ? `PO ${between(1000, 9999)}` : undefined,
          // Toward the end some are still being written.
          Status: late ? pick(["DRAFT", "SUBMITTED"]) : "AUTHORISED",
          LineItems: [
            ...lines(between(1, 3)),
            ...(withLamp && !late ? [{ ItemCode: lamp.code, Quantity: 1 }] : []),
          ],
        };
      }),
    });
    open.push(...sold.Invoices.filter((each) => each.Status === "AUTHORISED").map(saleOf));

    // One of them was a mistake, now and then.
    if (between(0, 3) === 0) {
      const mistake = open.pop();
      if (mistake !== undefined)
        await ask("POST", `/Invoices/${mistake.number}`, { Status: "VOIDED" });
    }

    // What is paid by the end of the month: most of what is due, in part or late at times.
    const payments: object[] = [];
    const pay = (sale: Sale, code: string, part: number) =>
      payments.push({
        Invoice: { InvoiceNumber: sale.number },
        Account: { Code: code },
        Date: sale.due < monthEnd ? sale.due : monthEnd,
        Amount: part,
      });
    for (const sale of take(open, (each) => each.due <= monthEnd && chance() < 0.85)) {
      const half = Math.round(sale.total * 50) / 100;
      if (between(0, 9) === 0 && half > 0) {
        pay(sale, "090", half);
        continue;
      }
      pay(sale, "090", sale.total);
    }
    for (const sale of take(bills, (each) => each.due <= monthEnd)) pay(sale, "090", sale.total);
    if (payments.length > 0) await ask("PUT", "/Payments", { Payments: payments });
  }
  return book;
}

interface Answer {
  readonly Invoices: readonly {
    InvoiceNumber: string;
    Status: string;
    Total: number;
    DueDateString: string;
  }[];
}

function saleOf({ InvoiceNumber, DueDateString, Total }: Answer["Invoices"][number]): Sale {
  return { number: InvoiceNumber, due: DueDateString.slice(0, 10), total: Total };
}

/** Removes from `values` those that `wanted` picks, and returns them. */
function take<T>(values: T[], wanted: (value: T) => boolean): T[] {
  const taken = values.filter(wanted);
  values.splice(0, values.length, ...values.filter((value) => !taken.includes(value)));
  return taken;
}

async function request(book: Book, method: string, path: string, body: object): Promise<Answer> {
  const response = await book.handle({
    method,
    path,
    query: [],
    headers: { accept: "application/json", "content-type": "application/json" },
    body: new TextEncoder().encode(JSON.stringify(body)),
  });
  if (response.status !== 200) {
    throw new Error(`The sample company could not be made: ${method} ${path}: ${response.body}`);
  }
  return JSON.parse(String(response.body)) as Answer;
}
