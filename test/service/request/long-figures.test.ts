/** Figures at, below and above the digits that their fields keep, over XML and JSON. */
import { describe, expect, test } from "vitest";
import { type Field, type Fields, fieldAt } from "../../../src/resources/field.ts";
import { resources } from "../../../src/resources/index.ts";
import { decodeFields } from "../../../src/wire/decode/decode.ts";
import { contact, faultsIn, reportRows, sharedWorld, world } from "../fixture.ts";
import { undone } from "../operations/undoing.ts";

const formats = ["application/json", "text/xml"] as const;

const elements = (own: Readonly<Record<string, string>>) =>
  Object.entries(own)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join("");
const members = (own: Readonly<Record<string, string>>) =>
  Object.entries(own)
    .map(
      ([name, value]) => `"${name}":${/^-?[\d.]+(?:e-?\d+)?$/.test(value) ? value : `"${value}"`}`,
    )
    .join(",");

/** A record that has the digits as they are written. */
type Body = (format: string, digits: string) => string;

const document =
  (head: Record<string, string>, line: Record<string, string>, of: string): Body =>
  (format, digits) => {
    const isHead = of in head;
    const h = isHead ? { ...head, [of]: digits } : head;
    const l = isHead ? line : { ...line, [of]: digits };
    return format === "text/xml"
      ? `<Invoice>${elements(h)}<Contact><Name>Acme</Name></Contact><LineItems><LineItem>${elements(l)}</LineItem></LineItems></Invoice>`
      : `{${members(h)},"Contact":{"Name":"Acme"},"LineItems":[{${members(l)}}]}`;
  };

const head = { Type: "ACCREC", Date: "2026-03-01", CurrencyCode: "NZD" };
const line = { Description: "x", AccountCode: "200", UnitAmount: "0.0001", Quantity: "1" };

const fields: readonly (readonly [
  field: string,
  body: Body,
  kept: readonly string[],
  refused: readonly (readonly [string, RegExp])[],
])[] = [
  [
    "Quantity",
    document(head, line, "Quantity"),
    ["9999999999999", "999999999.9999", "0.0001", "900719925475", "-9999999999999"],
    [
      ["99999999999999", /Quantity may have at most 13 digits, not 14/],
      ["9999999999999.5", /Quantity may have at most 13 digits, not 14/],
      ["1000000000000000", /Quantity is too large to be kept exactly/],
      ["0.000000000001", /Quantity has more than four decimal places/],
      ["1e-12", /Quantity has more than four decimal places/],
      ["1.00001", /Quantity has more than four decimal places/],
      ["99999999999.99995", /Quantity has more than four decimal places/],
      ["1.00000000000000000001", /Quantity has more than four decimal places/],
    ],
  ],
  [
    "UnitAmount",
    document(head, line, "UnitAmount"),
    ["9999999999.9900", "0.0001"],
    [["0.00001", /UnitAmount has more than four decimal places/]],
  ],
  [
    "DiscountRate",
    document(head, line, "DiscountRate"),
    ["99.9999", "0.0001"],
    [["0.00001", /DiscountRate has more than four decimal places/]],
  ],
  [
    "CurrencyRate",
    document({ ...head, CurrencyCode: "EUR", CurrencyRate: "1" }, line, "CurrencyRate"),
    ["999999999999.999999", "0.000001"],
    [
      ["0.1234567", /CurrencyRate has more than six decimal places/],
      ["123456789012.1234567", /CurrencyRate has more than six decimal places/],
      ["12345678.12345678", /CurrencyRate has more than six decimal places/],
      ["1000000000000", /CurrencyRate is too large to be kept exactly/],
    ],
  ],
];

const shared = sharedWorld(async (given) => {
  await contact(given, { Name: "Acme" });
  await given.ok("PUT", "/Currencies", { Code: "EUR" });
});

/** Without zeros at the end. */
const plain = (digits: string) => (digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits);

describe.each(formats)("numbers in requests as %s", (format) => {
  const query = { unitdp: "4" };
  const headers = { "content-type": format };

  describe.each(fields)("the field %s", (field, body, kept, refused) => {
    test.each(kept)("the number %s is stored and returned with all its digits", async (digits) => {
      const given = await shared();
      const made = await given.ok("PUT", "/Invoices", body(format, digits), { headers, query });
      const one = `/Invoices/${made.Invoices[0].InvoiceID}`;
      const { text } = await given.ask("GET", one, undefined, {
        query,
        headers: { accept: format },
      });
      const [, answered = ""] =
        new RegExp(`"${field}": ?(-?[\\d.]+)|<${field}>(-?[\\d.]+)<`).exec(text)?.filter(Boolean) ??
        [];
      expect(plain(answered)).toBe(plain(digits));
    });

    test.each(refused)(
      "the number %s has too many digits and is refused",
      async (digits, sentence) => {
        const given = await shared();
        const [said] = await given.refused("PUT", "/Invoices", body(format, digits), {
          headers,
          query,
        });
        expect(said).toMatch(sentence);
      },
    );
  });
});

const decimals = { money: 2, unitAmount: 4, quantity: 4, percent: 4, rate: 6 } as const;

/** Fields that take a decimal, by their paths. */
function decimalsOf(own: Fields, at: readonly string[] = []): [string[], Field][] {
  return Object.entries(own).flatMap(([name, field]): [string[], Field][] => {
    const path = [...at, name];
    if (field.readOnly === true || field.kind === "ref") return [];
    if (field.kind === "one" || field.kind === "many") return decimalsOf(field.fields, path);
    return field.kind in decimals ? [[path, field]] : [];
  });
}

test("a number with too many decimals is refused in every field, except unit prices of purchase orders", () => {
  const cut = resources.flatMap(({ name, fields }) =>
    decimalsOf(fields).flatMap(([path, field]) => {
      const digits = `1.${"0".repeat(decimals[field.kind as "money"])}1`;
      const node = path.reduceRight<unknown>((value, each, at) => {
        const isList = fieldAt(fields, path.slice(0, at + 1))?.field.kind === "many";
        return { [each]: isList && at < path.length - 1 ? [value] : value };
      }, digits);
      const { faults } = decodeFields(fields, node, { unitDecimals: 4 });
      return faults.length === 1 ? [] : [`${name}.${path.join(".")}`];
    }),
  );
  expect(cut).toEqual(["PurchaseOrder.LineItems.UnitAmount"]);
});

test.each(["0.30000000000000004", "2.675", "1234567.8900000001"])(
  "the binary floating point number %s is read as the intended decimal",
  async (digits) => {
    const given = await shared();
    const body = document(head, line, "Quantity")("application/json", digits);
    const { Invoices } = await given.ok("PUT", "/Invoices", body);
    expect(Invoices[0].LineItems[0].Quantity).toBe(Math.round(Number(digits) * 1e4) / 1e4);
  },
);

test("a line with a quantity of 13 digits is computed exactly, edited, undone, reported and verified", async () => {
  const given = await world();
  const Contact = { ContactID: (await contact(given)).ContactID };
  await given.ok("PUT", "/Items", { Code: "GRAIN" });
  const query = { unitdp: "4" };
  const long = { ...line, ItemCode: "GRAIN", TaxType: "ZERORATED", Quantity: 9_999_999_999_999 };
  const body = { ...head, Contact, Status: "AUTHORISED", LineItems: [long] };
  const [made] = (await given.ok("PUT", "/Invoices", body, { query })).Invoices;
  expect(made).toMatchObject({ Total: 1_000_000_000, LineItems: [{ LineAmount: 1_000_000_000 }] });
  const path = `/Invoices/${made.InvoiceID}`;
  const LineItems = [{ ...long, DiscountRate: 50 }];
  const [half] = (await given.ok("POST", path, { LineItems }, { query })).Invoices;
  expect(half.Total).toBe(500_000_000);
  await undone(given);
  expect((await given.ok("GET", path)).Invoices[0]).toMatchObject({
    Total: 1_000_000_000,
    LineItems: [{ Quantity: 9_999_999_999_999 }],
  });
  const range = { fromDate: "2026-03-01", toDate: "2026-03-31" };
  expect((await reportRows(given, "Sales", range)).GRAIN?.[0]).toBe("9999999999999");
  const dear = [{ ...long, UnitAmount: 1 }];
  expect(await given.refused("PUT", "/Invoices", { ...body, LineItems: dear })).toEqual([
    "The line amount must not be larger than 9999999999.99",
  ]);
  // A quantity that follows from amount and price may be longer than one that is sent.
  const amount = {
    ...line,
    Quantity: undefined,
    LineAmount: 9_999_999_999.99,
    TaxType: "ZERORATED",
  };
  const followed = { ...body, LineItems: [amount] };
  const [derived] = (await given.ok("PUT", "/Invoices", followed, { query })).Invoices;
  expect(derived.LineItems[0].Quantity).toBe(99_999_999_999_900);
  const [said] = await given.refused(
    "PUT",
    "/Invoices",
    {
      ...body,
      LineItems: [{ ...amount, DiscountRate: 99.9999 }],
    },
    { query },
  );
  expect(said).toContain("too large to be kept exactly");
  expect(await faultsIn(given)).toEqual([]);
});

test("a purchase order with a quantity of 13 digits can be billed in parts", async () => {
  const given = await world();
  const Contact = { ContactID: (await contact(given)).ContactID };
  const Quantity = 9_999_999_999_999;
  const order = {
    ...{ Contact, Date: "2026-03-01", Status: "AUTHORISED" },
    LineItems: [{ ...line, AccountCode: "429", Quantity }],
  };
  const [made] = (await given.ok("PUT", "/PurchaseOrders", order)).PurchaseOrders;
  const path = `/PurchaseOrders/${made.PurchaseOrderID}`;
  const part = { InvoiceNumber: "B-1", Lines: [{ LineNumber: 1, Quantity: Quantity - 1 }] };
  await given.ok("POST", `${path}/Bill`, part);
  const [read] = (await given.ok("GET", path)).PurchaseOrders;
  expect(read.Billings[0].Lines[0].Quantity).toBe(Quantity - 1);
  const more = { InvoiceNumber: "B-2", Lines: [{ LineNumber: 1, Quantity: 2 }] };
  expect(await given.refused("POST", `${path}/Bill`, more)).toEqual([
    "Line 1: 1 is left to bill, not 2.",
  ]);
  const rest = await given.ok("POST", `${path}/Bill`, { InvoiceNumber: "B-2" });
  expect(rest.Invoices[0].LineItems[0].Quantity).toBe(1);
});

test("a purchase of a tracked item is refused if its quantity is larger than a JSON number holds exactly", async () => {
  const given = await world();
  const Contact = { ContactID: (await contact(given)).ContactID };
  const tracked = {
    Code: "SAND",
    InventoryAssetAccountCode: "630",
    PurchaseDetails: { COGSAccountCode: "310" },
  };
  await given.ok("PUT", "/Items", tracked);
  const bill = (Quantity: number) => ({
    ...{ Type: "ACCPAY", InvoiceNumber: "B-1", Contact, Date: "2026-03-01", Status: "AUTHORISED" },
    LineItems: [{ ...line, AccountCode: "630", ItemCode: "SAND", Quantity }],
  });
  const query = { unitdp: "4" };
  const [said] = await given.refused("PUT", "/Invoices", bill(900_719_925_475), { query });
  expect(said).toBe("The quantity of item 'SAND' must not be above 900719925474.0991.");
  await given.ok("PUT", "/Invoices", bill(900_719_925_474), { query });
  const [item] = (await given.ok("GET", "/Items/SAND")).Items;
  expect(item).toMatchObject({ QuantityOnHand: 900_719_925_474, TotalCostPool: 90_071_992.55 });
});
