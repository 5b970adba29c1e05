/** Documents of the sample company without postings: orders, quotes and a draft credit note. */
import { addDays } from "../../ledger/dates/calendar.ts";

/** Returns the reference to a contact in a request. */
type IdOf = (name: string) => object;

/** Purchase orders: a billed one, an approved one and a draft. */
export function demoOrders(idOf: IdOf): object[] {
  return [
    {
      Contact: idOf("Kiln & Colour"),
      Date: "2026-09-21",
      DeliveryDate: "2026-10-02",
      Status: "AUTHORISED",
      LineItems: [line("Celadon glaze, litre", 8, 23.125, "300")],
    },
    {
      Contact: idOf("Pacific Lamp Imports"),
      Date: "2026-11-09",
      DeliveryDate: "2026-12-01",
      ExpectedArrivalDate: "2026-11-30",
      Status: "AUTHORISED",
      SentToContact: true,
      AttentionTo: "Aroha Sample",
      DeliveryAddress: "Unit 3, 18 Wharf Street\nPort Chalmers 9023",
      DeliveryInstructions: "The door beside the kiln shed.",
      LineItems: [
        { ItemCode: "LAMP", Quantity: 20, UnitAmount: 61.5, DiscountRate: 5 },
        line("Lamp shades, linen", 20, 18, "300"),
        line("Freight", 1, 95, "425"),
      ],
    },
    {
      Contact: idOf("Canterbury Clay Supplies"),
      Date: "2026-11-13",
      LineItems: [line("Stoneware clay, pallet", 2, 540, "300")],
    },
  ];
}

/** Quotes: an accepted one and two sent ones. */
export function demoQuotes(idOf: IdOf): object[] {
  const sale = (name: string, date: string, fields: object) => ({
    Contact: idOf(name),
    Date: date,
    ExpiryDate: addDays(date, 30),
    ...fields,
  });
  return [
    sale("Kauri Hotel", "2026-10-19", {
      Status: "SENT",
      Title: "Plates for the dining room",
      Terms: "Half in advance, half on delivery.",
      LineItems: [{ ItemCode: "PLATE", Quantity: 60, DiscountRate: 10 }],
    }),
    sale("Old Post Office Cafe", "2026-11-03", {
      Status: "SENT",
      LineItems: [
        { ItemCode: "MUG", Quantity: 24 },
        { ItemCode: "BOWL", Quantity: 12 },
        { ItemCode: "PLATE", Quantity: 24 },
      ],
    }),
    sale("Fern & Fold", "2026-11-14", {
      Status: "SENT",
      LineItems: [
        { ItemCode: "VASE", Quantity: 3 },
        { Description: "Glazed to match the sample that was left with us" },
      ],
    }),
  ];
}

/** Credit note in draft, since an approved one would post. */
export function draftCredit(idOf: IdOf, date: string): object {
  return {
    Type: "ACCRECCREDIT",
    Contact: idOf("Bayside Gallery"),
    Date: date,
    LineItems: [line("Vase, chipped on the way", 1, 118, "200")],
  };
}

function line(Description: string, Quantity: number, UnitAmount: number, AccountCode: string) {
  return { Description, Quantity, UnitAmount, AccountCode };
}
