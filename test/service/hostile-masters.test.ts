/** Bodies that mean nothing, on records that nothing is posted to: refused, and never a failure. */
import { expect, test } from "vitest";
import { world } from "./fixture.ts";

const values = [
  null,
  [],
  {},
  "",
  "x",
  -1,
  1e300,
  "99999999999999999999",
  [null],
  [[]],
  [{}],
  { a: { b: 1 } },
  "\u0000",
  "ﬀ".repeat(500),
  true,
];

/** Every body that has one of the values at one of its places. */
function bodies(shape: Record<string, unknown>): unknown[] {
  const names = Object.keys(shape);
  return names.flatMap((name) => [
    ...values.map((value) => ({ ...shape, [name]: value })),
    ...deeper(shape[name]).map((value) => ({ ...shape, [name]: value })),
  ]);
}

function deeper(value: unknown): unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap((each) => deeper(each).map((inner) => [inner]));
  }
  return typeof value === "object" && value !== null
    ? bodies(value as Record<string, unknown>)
    : [];
}

const id = "00000000-0000-7000-8000-000000000001";

test.each<[string, string, Record<string, unknown>]>([
  ["PUT", "/ContactGroups", { Name: "A", Status: "ACTIVE", ContactGroupID: id }],
  ["PUT", "/ContactGroups/{group}/Contacts", { Contacts: [{ ContactID: id }] }],
  ["PUT", "/Currencies", { Code: "EUR" }],
  ["PUT", "/Currencies/USD/Rates", { Rates: [{ Date: "2026-03-01", Rate: 1 }] }],
  [
    "PUT",
    "/PaymentServices",
    { PaymentServiceName: "A", PaymentServiceUrl: "https://a.example", PayNowText: "b" },
  ],
  [
    "POST",
    "/BrandingThemes/{theme}/PaymentServices",
    { PaymentServices: [{ PaymentServiceID: id }] },
  ],
  [
    "POST",
    "/Budgets",
    {
      Type: "OVERALL",
      Description: "A",
      Tracking: [{ Name: "A", Option: "B", TrackingCategoryID: id, TrackingOptionID: id }],
      BudgetLines: [
        {
          AccountCode: "200",
          AccountID: id,
          BudgetBalances: [{ Period: "2026-01", Amount: 1, Notes: "n" }],
        },
      ],
    },
  ],
  ["POST", "/Contacts/{contact}/CISSettings", { CISEnabled: true, Rate: 20 }],
  [
    "POST",
    "/Setup",
    {
      ConversionDate: { Month: 1, Year: 2026 },
      ConversionBalances: [
        {
          AccountCode: "200",
          Balance: 1,
          BalanceDetails: [{ Balance: 1, CurrencyCode: "EUR", CurrencyRate: 1 }],
        },
      ],
      Accounts: [
        { Code: "201", Name: "A", Type: "REVENUE", TaxType: "OUTPUT2", CurrencyCode: "EUR" },
      ],
    },
  ],
])(
  "hostile bodies sent by %s %s are answered without an internal error",
  async (method, template, shape) => {
    const given = await world("GB");
    await given.ok("PUT", "/Currencies", { Code: "USD" });
    const { Contacts } = await given.ok("PUT", "/Contacts", { Name: "Ada" });
    const { ContactGroups } = await given.ok("PUT", "/ContactGroups", { Name: "Group" });
    const { BrandingThemes } = await given.ok("GET", "/BrandingThemes");
    const path = template
      .replace("{group}", ContactGroups[0].ContactGroupID)
      .replace("{theme}", BrandingThemes[0].BrandingThemeID)
      .replace("{contact}", Contacts[0].ContactID);
    for (const body of bodies(shape)) {
      const answer = await given.ask(method, path, body);
      expect([200, 400, 404], `${JSON.stringify(body)}: ${answer.text}`).toContain(answer.status);
    }
    expect(given.bugs).toEqual([]);
  },
);

const today = "2026-03-01";
const line = { Description: "Mugs\nred", Quantity: 1, UnitAmount: 10, AccountCode: "200" };
const dated = { Contact: { ContactNumber: "C1" }, Date: today, LineItems: [line] };

test.each<[string, string, (text: string) => unknown]>([
  ["Accounts", "Name", (Name) => ({ Code: "991", Name, Type: "REVENUE" })],
  ["Accounts", "Code", (Code) => ({ Code, Name: "Kiln", Type: "REVENUE" })],
  ["Items", "Code", (Code) => ({ Code })],
  ["Items", "Name", (Name) => ({ Code: "MUG", Name })],
  ["Contacts", "Name", (Name) => ({ Name })],
  ["Contacts", "ContactNumber", (ContactNumber) => ({ Name: "Bob", ContactNumber })],
  ["ContactGroups", "Name", (Name) => ({ Name })],
  [
    "TaxRates",
    "Name",
    (Name) => ({ Name, ReportTaxType: "OUTPUT", TaxComponents: [{ Name: "VAT", Rate: 5 }] }),
  ],
  ["TrackingCategories", "Name", (Name) => ({ Name })],
  [
    "Invoices",
    "InvoiceNumber",
    (InvoiceNumber) => ({ ...dated, Type: "ACCPAY", DueDate: today, InvoiceNumber }),
  ],
  [
    "CreditNotes",
    "CreditNoteNumber",
    (n) => ({ ...dated, Type: "ACCRECCREDIT", CreditNoteNumber: n }),
  ],
  ["Quotes", "QuoteNumber", (QuoteNumber) => ({ ...dated, QuoteNumber })],
  ["PurchaseOrders", "PurchaseOrderNumber", (n) => ({ ...dated, PurchaseOrderNumber: n })],
])("in %s, the field %s is refused with line breaks or tabs", async (plural, name, made) => {
  const given = await world("GB");
  await given.ok("PUT", "/Contacts", { Name: "Ada", ContactNumber: "C1" });
  for (const end of ["\n", "\r\n", "\t", "\u0085", "\u2028", "\u2029"]) {
    const [said] = await given.refused("PUT", `/${plural}`, made(`B${end}1`));
    expect(said).toContain(`${name} must be one line without tabs or control characters`);
  }
  await given.ok("PUT", `/${plural}`, made("B 1"));
});
