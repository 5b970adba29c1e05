/** An order of three payments, one payee twice, in the form of each country. */
import type { OrderedPayment, PaymentOrder } from "../../src/payment-files/index.ts";
import type { Cents } from "../../src/resources/decimal.ts";

export const payment = (fields: Partial<OrderedPayment>): OrderedPayment => ({
  id: "p1",
  name: "Moa Coffee",
  account: "",
  amount: 10000 as Cents,
  advice: {},
  text: "S-1",
  ...fields,
});

export const order = (
  payments: readonly OrderedPayment[],
  fields: Partial<PaymentOrder>,
): PaymentOrder => ({
  id: "batch1",
  createdAt: "2026-03-09T09:30:00Z",
  today: "2026-03-09",
  day: "2026-03-10",
  currency: "NZD",
  country: "NZ",
  payer: { name: "Heron Ltd", account: "12-3140-0171323-50" },
  payments,
  total: payments.reduce((sum, { amount }) => sum + amount, 0) as Cents,
  advice: {},
  ...fields,
});

const moa = { amount: 123450 as Cents };
const mueller = { id: "p2", name: "Müller & Söhne GmbH", amount: 5 as Cents, text: "S-2" };
const last = { id: "p3", text: "INV-2026-000000003" };

export const australian = order(
  [
    payment({ ...moa, account: "032-001 123456" }),
    payment({ ...mueller, account: "083004 99-887-766", text: "000-S-2" }),
    payment({ ...last, account: "032-001 123456" }),
  ],
  {
    currency: "AUD",
    country: "AU",
    payer: { name: "Heron Pty Ltd", account: "062-000 1234567" },
    userNumber: "301500",
    advice: { reference: "March bills" },
  },
);

export const newZealand = order(
  [
    payment({ ...moa, account: "01-902-0068389-00", advice: { particulars: "COFFEE" } }),
    payment({ ...mueller, account: "08-6523-1954512-001", advice: { code: "M-1" } }),
    payment({ ...last, account: "26 2600 0320871 032" }),
  ],
  { advice: { code: "RENT", reference: "MARCH" } },
);

export const european = order(
  [
    payment({ ...moa, account: "fr14 2004 1010 0505 0001 3M02 606" }),
    payment({
      ...mueller,
      account: "CH93 0076 2011 6238 5295 7",
      address: { town: "Bern", country: "CH" },
      creditorReference: { kind: "RF", reference: "RF18539007547034" },
    }),
    payment({
      ...last,
      account: "FR1420041010050500013M02606",
      text: "Invoice INV-2026-000000003, thanks",
    }),
  ],
  {
    currency: "EUR",
    country: "GLOBAL",
    payer: {
      name: "Heron GmbH",
      account: "DE89 3704 0044 0532 0130 00",
      address: { town: "Köln", country: "DE" },
    },
  },
);

export const ofAnyLetters: PaymentOrder = {
  ...newZealand,
  payments: newZealand.payments.map((each, at) => ({
    ...each,
    account: ["01-0902-0068389-00", "08-6523-1954512-001", "26-2600-0320871-032"][at] ?? "",
    name: at === 1 ? "Müller & Söhne, 株式会社" : each.name,
  })),
};
