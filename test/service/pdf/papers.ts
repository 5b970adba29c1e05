/** Documents to print, as a read shows them. */
import type { Cents, Percent, Quantity, Rate, UnitAmount } from "../../../src/resources/decimal.ts";
import type { Invoice } from "../../../src/resources/invoice.ts";
import type { LineItem } from "../../../src/resources/line-item.ts";
import type { Organisation } from "../../../src/resources/organisation.ts";
import type { TaxRate } from "../../../src/resources/tax-rate.ts";
import type { Theme } from "../../../src/service/send/print.ts";

export const heron = {
  Name: "Heron Lane Ltd",
  LegalName: "Heron Lane Limited",
  CountryCode: "NZ",
  BaseCurrency: "NZD",
  SalesTaxBasis: "PAYMENTS",
  TaxNumber: "123-456-789",
  RegistrationNumber: "9876543",
  Addresses: [
    {
      AddressType: "STREET",
      AddressLine1: "4 Heron Lane",
      City: "Wellington",
      PostalCode: "6011",
      Country: "New Zealand",
    },
  ],
  Phones: [
    {
      PhoneType: "DEFAULT",
      PhoneCountryCode: "64",
      PhoneAreaCode: "4",
      PhoneNumber: "555 0142",
    },
  ],
  ExternalLinks: [{ LinkType: "Website", Url: "heron.example" }],
} as Organisation;

/** A branding theme as it is at first. */
export const theme: Theme = {
  color: undefined,
  logo: undefined,
  bankDetails: undefined,
  paymentAdvice: undefined,
  terms: undefined,
  services: [],
};

const rate = (TaxType: string, Name: string, percent: number): TaxRate =>
  ({
    TaxType,
    Name,
    EffectiveRate: percent * 10_000,
    TaxComponents: [{ Name: "GST", Rate: percent * 10_000 }],
  }) as TaxRate;

export const rates: ReadonlyMap<string, TaxRate> = new Map(
  [
    rate("OUTPUT2", "15% GST on Income", 15),
    rate("ZERORATED", "Zero Rated", 0),
    rate("OUTPUT", "12.5% GST on Income", 12.5),
    rate("INPUT2", "15% GST on Expenses", 15),
  ].map((each) => [each.TaxType ?? "", each]),
);

/** A completed line; the unit price in cents, the discount in percent. */
export function line(
  Description: string,
  quantity: number,
  cents: number,
  {
    tax = "OUTPUT2",
    discount,
    ItemCode,
  }: { tax?: string; discount?: number; ItemCode?: string } = {},
): LineItem {
  const gross = quantity * cents;
  const LineAmount = Math.round(gross * (1 - (discount ?? 0) / 100));
  const percent = rates.get(tax)?.EffectiveRate ?? 0;
  return {
    Description,
    Quantity: (quantity * 10_000) as Quantity,
    UnitAmount: (cents * 100) as UnitAmount,
    TaxType: tax,
    LineAmount: LineAmount as Cents,
    TaxAmount: Math.round((LineAmount * percent) / 1_000_000) as Cents,
    ...(discount === undefined ? {} : { DiscountRate: (discount * 10_000) as Percent }),
    ...(ItemCode === undefined ? {} : { ItemCode }),
  };
}

export function document(LineItems: readonly LineItem[], fields: Partial<Invoice> = {}): Invoice {
  const sum = (field: "LineAmount" | "TaxAmount") =>
    LineItems.reduce((all, each) => all + (each[field] ?? 0), 0);
  const gross = LineItems.reduce(
    (all, each) => all + (Number(each.Quantity ?? 0) * (each.UnitAmount ?? 0)) / 1_000_000,
    0,
  );
  const Total = (sum("LineAmount") + sum("TaxAmount")) as Cents;
  return {
    Type: "ACCREC",
    InvoiceID: "00000000-0000-7000-8000-000000000001",
    InvoiceNumber: "INV-0042",
    Status: "AUTHORISED",
    Contact: {
      Name: "Quay Street Bikes",
      FirstName: "Ann",
      LastName: "Quay",
      Addresses: [
        {
          AddressType: "POBOX",
          AddressLine1: "PO Box 17",
          City: "Auckland",
          PostalCode: "1010",
          Country: "New Zealand",
        },
      ],
    },
    Date: "2026-03-01",
    DueDate: "2026-03-20",
    LineAmountTypes: "Exclusive",
    LineItems,
    SubTotal: sum("LineAmount") as Cents,
    TotalTax: sum("TaxAmount") as Cents,
    Total,
    TotalDiscount: (gross - sum("LineAmount")) as Cents,
    AmountDue: Total,
    AmountPaid: 0 as Cents,
    AmountCredited: 0 as Cents,
    CurrencyCode: "NZD",
    CurrencyRate: 1_000_000 as Rate,
    UpdatedDateUTC: Date.UTC(2026, 2, 1, 12),
    ...fields,
  } as Invoice;
}

const many = Array.from({ length: 60 }, (_, index) =>
  line(
    `Part ${index + 1} of the works, as agreed in the schedule`,
    (index % 7) + 1,
    1995 + 310 * index,
  ),
);
const long =
  "Restoration of the harbour wall, including survey, removal of loose stone, new mortar to the " +
  "original recipe, and making good. ";

/** By the name of the golden file. */
export const papers: Readonly<Record<string, Invoice>> = {
  "one-line": document([line("Work on the website, March", 1, 10_000)], { Reference: "PO 7741" }),
  "three-rates": document(
    [
      line("Consulting", 10, 15_000, { discount: 10 }),
      line("Exported glaze, 20 kg", 4, 8_950, { tax: "ZERORATED" }),
      line("Service from an old contract", 1, 200_000, { tax: "OUTPUT", discount: 12.5 }),
      { Description: "Delivered to the workshop on 28 February." } as LineItem,
    ],
    {
      CurrencyCode: "USD",
      CurrencyRate: 612_345 as Rate,
      Payments: [{ PaymentID: "1", Date: "2026-03-12", Amount: 100_000 as Cents }],
      CreditNotes: [
        { CreditNoteNumber: "CN-0003", Date: "2026-03-13", AppliedAmount: 5_000 as Cents },
      ],
      AmountDue: 337_050 as Cents,
    } as Partial<Invoice>,
  ),
  bill: document(
    [
      line("Clay, white, 20 kg", 12, 4_210, { tax: "INPUT2", ItemCode: "CLAY-W20" }),
      line("Glaze, celadon", 2, 8_000, { tax: "INPUT2", ItemCode: "GLZ-07" }),
    ],
    { Type: "ACCPAY", InvoiceNumber: "B-1017", PlannedPaymentDate: "2026-03-18" },
  ),
  "sixty-lines": document(many, { Status: "DRAFT" }),
  "long-names": document(
    [
      line(long.repeat(9), 1, 1_234_567_890),
      line(
        "\u0160koda, \u0395\u03bb\u03bb\u03ac\u03b4\u03b1, \u0412\u043b\u0430\u0434\u0438\u043c\u0438\u0440, \u65e5\u672c \u{1f469}\u200d\u{1f3ed}",
        3,
        100,
      ),
      line(
        "Donaudampfschifffahrtsgesellschaftskapit\u00e4nspatentverl\u00e4ngerungsantragsformularausgabestelle",
        1,
        1,
      ),
    ],
    {
      InvoiceNumber: `NORTH/${"0123456789-".repeat(5)}`,
      Reference: "The whole of the works under the agreement of 12 January 2026",
      Status: "VOIDED",
      LineAmountTypes: "Exclusive",
      Contact: {
        Name: "The Honourable Company of Restorers, Masons and Stonecutters of the Harbours of the Hauraki Gulf Incorporated",
        Addresses: [
          {
            AddressType: "STREET",
            AttentionTo: "The Secretary of the Committee for the Preservation of the Western Wall",
            AddressLine1: "Level 14, The Old Customs House and Harbour Board Building",
            AddressLine2: "1 Quay Street",
            City: "Auckland",
            PostalCode: "1010",
          },
        ],
      },
    },
  ),
  inclusive: document([line("Mug", 3, 2_800)], {
    LineAmountTypes: "Inclusive",
    SubTotal: 7_304 as Cents,
    TotalTax: 1_096 as Cents,
    Total: 8_400 as Cents,
    AmountDue: 0 as Cents,
    Status: "PAID",
    Payments: [{ PaymentID: "1", Date: "2026-03-12", Amount: 8_400 as Cents }],
  } as Partial<Invoice>),
};
