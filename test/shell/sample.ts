/**
 * A small book for tests of what a person sees while typing: a few customers, goods and prices, and
 * 231 invoices of which the last two are known to the cent. The sample company of `--demo` would do,
 * but it is there to be changed.
 */

import { makeBook } from "../../src/admin/book.ts";
import { createClient } from "../../src/client/client.ts";
import { openEmbedded } from "../../src/client/embedded.ts";

/** The day after the last invoice, at midnight UTC. */
export const sampleDay = "2026-11-15";
export const sampleNow = Date.UTC(2026, 10, 15);

const customers = [
  "Ariki Homewares",
  "Cuba Street Gifts",
  "Fern & Fold",
  "Harakeke Trust",
  "Island Bay Florist",
  "Kauri Hotel",
  "Northland Museum Shop",
  "Kiln & Colour",
  "Pacific Lamp Imports",
];

/** Code, name, price. */
const goods = [
  ["BOWL", "Serving bowl", 64],
  ["CLASS", "Wheel class, evening", 85],
  ["MUG", "Stoneware mug", 28],
  ["PLATE", "Dinner plate", 39.5],
  ["VASE", "Tall vase", 118],
] as const;

const lastNumber = 231;
/** Net amounts of the last two. */
const amounts: Readonly<Record<number, number>> = { 230: 1511, 231: 933 };

function invoiceOf(number: number): object {
  const day = new Date(sampleNow - (lastNumber + 1 - number) * 86_400_000);
  const position = number % 20;
  const name =
    number === 231
      ? "Harakeke Trust"
      : number === 230
        ? "Northland Museum Shop"
        : customers[position % 6];
  return {
    Type: "ACCREC",
    InvoiceNumber: `INV-${String(number).padStart(4, "0")}`,
    Contact: { Name: name },
    Date: day.toISOString().slice(0, 10),
    Status: position === 5 ? "DRAFT" : position === 6 ? "SUBMITTED" : "AUTHORISED",
    LineItems: [
      { Description: "Pots", Quantity: 1, UnitAmount: amounts[number] ?? 100, AccountCode: "200" },
    ],
  };
}

/** Makes the book in the file `path`. */
export async function makeSample(path: string): Promise<void> {
  const clock = () => sampleNow;
  await makeBook(path, { name: "Tern & Tide Pottery", country: "NZ" }, { clock });
  const { transport: handle, close } = await openEmbedded(path, { clock });
  const client = createClient(handle);
  const put = async (resource: string, body: object) => {
    const { status, body: answer } = await client.send({
      method: "PUT",
      path: `/${resource}`,
      query: [],
      headers: { accept: "application/json", "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(body)),
    });
    if (status !== 200) throw new Error(`PUT /${resource}: ${String(answer)}`);
  };
  for (const [Code, Name] of [
    ["090", "Business Account"],
    ["091", "Savings"],
  ]) {
    await put("Accounts", {
      Code,
      Name,
      Type: "BANK",
      BankAccountNumber: `01-0001-0000${Code}-00`,
    });
  }
  await put("Contacts", {
    Contacts: customers.map((Name) => ({
      Name,
      EmailAddress: `accounts@${Name.toLowerCase().replace(/[^a-z]+/g, "-")}.example`,
    })),
  });
  await put("TrackingCategories", { Name: "Studio" });
  for (const Name of ["North Quay", "South Quay"]) {
    await put("TrackingCategories/Studio/Options", { Name });
  }
  await put("Items", {
    Items: [
      ...goods.map(([Code, Name, UnitPrice]) => ({
        Code,
        Name,
        SalesDetails: { UnitPrice, AccountCode: "200" },
      })),
      {
        Code: "LAMP",
        Name: "Table lamp, ceramic base",
        InventoryAssetAccountCode: "630",
        SalesDetails: { UnitPrice: 145, AccountCode: "200" },
        PurchaseDetails: { UnitPrice: 62, COGSAccountCode: "310" },
      },
    ],
  });
  const numbers = Array.from({ length: lastNumber }, (_, at) => at + 1);
  await put("Invoices", {
    Invoices: [
      {
        Type: "ACCPAY",
        InvoiceNumber: "S-1001",
        Contact: { Name: "Pacific Lamp Imports" },
        Date: "2026-01-05",
        Status: "AUTHORISED",
        LineItems: [{ ItemCode: "LAMP", Quantity: 10 }],
      },
      ...numbers.map(invoiceOf),
    ],
  });
  await put("Payments", {
    Invoice: { InvoiceNumber: "INV-0001" },
    Account: { Code: "090" },
    Date: "2026-11-01",
    Amount: 115,
  });
  await close();
}
