/** The VAT return of France, form CA3: its lines worked out by hand. */
import { describe, expect, test } from "vitest";
import { contact, type Json, type World, world } from "../../fixture.ts";
import { basis, boxes, document } from "./returns.ts";

type Basis = "CASH" | "ACCRUALS";
/** A document: what it is, its amount and tax type, and its account where it is not the usual one. */
type Traded = readonly [
  what: "sale" | "bill" | "credit",
  amount: number,
  tax: string,
  account?: string,
];

const day = "2026-03-05";

/** A book with documents of a day, and the documents. */
async function traded(given: World, documents: readonly Traded[], date = day): Promise<Json[]> {
  const party = await contact(given, { TaxNumber: "DE123456789" });
  const made: Json[] = [];
  for (const [what, amount, taxType, account] of documents) {
    const usual = taxType.endsWith("S") ? ["622600", "706000"] : ["606400", "707000"];
    const code = account ?? (what === "bill" ? usual[0] : usual[1]) ?? "";
    const fields = { Date: date, DueDate: "2026-12-31" };
    if (what !== "credit") {
      const type = what === "bill" ? { Type: "ACCPAY" } : {};
      made.push(await document(given, party, { ...fields, ...type }, [[code, amount, taxType]]));
      continue;
    }
    const LineItems = [
      { Description: "x", Quantity: 1, UnitAmount: amount, AccountCode: code, TaxType: taxType },
    ];
    const Contact = { ContactID: party.ContactID };
    const note = { Type: "ACCRECCREDIT", Contact, Date: date, Status: "AUTHORISED", LineItems };
    made.push((await given.ok("PUT", "/CreditNotes", note)).CreditNotes[0]);
  }
  return made;
}

async function pay(given: World, { InvoiceID }: Json, on: string, Amount: number): Promise<void> {
  const Invoice = { InvoiceID };
  await given.ok("PUT", "/Payments", { Invoice, Account: { Code: "512100" }, Date: on, Amount });
}

const daysOf = (month: string) => {
  const [year, number] = month.split("-").map(Number) as [number, number];
  const toDate = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
  return { fromDate: `${month}-01`, toDate };
};

/** The lines of a month that are not zero, without those of the head and the program's subtotal. */
async function filled(given: World, month: string, entered: Record<string, string> = {}) {
  const query = { ...daysOf(month), ...entered };
  const report = (await given.ok("GET", "/Reports/CA3", undefined, { query })).Reports[0];
  const { Number: _number, Basis: _basis, Period: _period, "23-22": _own, ...all } = boxes(report);
  const values = Object.entries(all).filter(([, value]) => Number(value) !== 0);
  return Object.fromEntries(values.map(([id, value]) => [id, Number(value)]));
}

/** Lines from words: `A1 1000, 08T 200`. */
const said = (text: string) =>
  Object.fromEntries(
    text.split(", ").map((each) => {
      const [id = "", value = ""] = each.split(" ");
      return [id, Number(value)];
    }),
  );

async function french(on: Basis = "CASH"): Promise<World> {
  const given = await world("FR");
  await basis(given, on);
  return given;
}

test.each<[string, readonly Traded[], string]>([
  [
    "a sale and a bill of goods at 20 %",
    [
      ["sale", 1000, "OUTPUT20"],
      ["bill", 400, "INPUT20"],
    ],
    "A1 1000, 08 1000, 08T 200, 16 200, 20 80, 23 80, TD 120, 28 120, 32 120",
  ],
  [
    "each line to the nearest euro, .50 up, and sums of rounded lines",
    [
      ["sale", 333.33, "OUTPUT20"],
      ["sale", 149.5, "OUTPUT55"],
      ["sale", 80.5, "OUTPUT10"],
      ["bill", 99.99, "INPUT20"],
    ],
    "A1 563, 08 333, 08T 67, 09 150, 09T 8, 9B 81, 9BT 8, 16 83, 20 20, 23 20, TD 63, 28 63, 32 63",
  ],
  [
    "goods bought in the EU",
    [["bill", 1500, "ECACQUISITIONS20"]],
    "B2 1500, 08 1500, 08T 300, 16 300, 17 300, 20 300, 23 300",
  ],
  [
    "services of a business outside France",
    [["bill", 850.4, "REVERSESERVICES20"]],
    "A3 850, 08 850, 08T 170, 16 170, 20 170, 23 170",
  ],
  [
    "imports, whose tax the importer owes and deducts",
    [["bill", 3200, "IMPORT20"]],
    "A4 3200, I1 3200, I1T 640, 16 640, 20 640, 23 640, 24 640",
  ],
  [
    "sales abroad without tax",
    [
      ["sale", 700, "EXPORT"],
      ["sale", 1900.3, "ECOUTPUT"],
      ["sale", 500, "ECOUTPUTSERVICES"],
    ],
    "E1 700, F2 1900, E2 500",
  ],
  [
    "credit notes above the sales of a rate as a correction, and their tax as a deduction",
    [
      ["credit", 500, "OUTPUT20"],
      ["sale", 200, "OUTPUT10"],
    ],
    "A1 200, B5 500, 9B 200, 9BT 20, 16 20, 21 100, 23 100, 25 80, 27 80",
  ],
  [
    "fuel with four fifths of its tax, and no tax that is not reclaimed",
    [
      ["bill", 100, "FUEL20"],
      ["bill", 100, "INPUTBLOCKED20"],
    ],
    "20 16, 23 16, 25 16, 27 16",
  ],
])("the return CA3 shows %s", async (_what, documents, expected) => {
  const given = await french();
  await traded(given, documents);
  expect(await filled(given, "2026-03")).toEqual(said(expected));
});

test("a subcontractor's bill in building is taxed by its customer, whose own service counts when paid", async () => {
  const given = await french();
  const [, invoice] = await traded(given, [
    ["bill", 5000, "DRCHARGESUPPLY20"],
    ["sale", 12_000, "OUTPUT10S"],
  ]);
  await pay(given, invoice, "2026-03-20", 13_200);
  expect(await filled(given, "2026-03")).toEqual(
    said(
      "A1 12000, A2 5000, 08 5000, 08T 1000, 9B 12000, 9BT 1200, 16 2200, 20 1000, 23 1000, TD 1200, 28 1200, 32 1200",
    ),
  );
});

test("a credit carried over is entered in the first return", async () => {
  const given = await french();
  await traded(given, [
    ["bill", 10_000, "CAPEX20", "218300"],
    ["sale", 4000, "OUTPUT20"],
  ]);
  expect(await filled(given, "2026-03", { 22: "350" })).toEqual(
    said("A1 4000, 08 4000, 08T 800, 16 800, 19 2000, 22 350, 23 2350, 25 1550, 27 1550"),
  );
});

test.each([
  ["26", "81", "27, Credit to carry over (25 - 26), would be -1.00"],
  ["X5", "1", "28, VAT to pay (TD - X5), would be -1.00"],
  ["21", "-5", "21, Other tax to deduct, would be -5.00"],
])("an amount of %s that makes a line less than zero is refused", async (box, amount, told) => {
  const given = await french();
  await traded(given, [["bill", 400, "INPUT20"]]);
  const query = { ...daysOf("2026-03"), [box]: amount };
  const refused = await given.ask("GET", "/Reports/CA3", undefined, { query });
  expect(refused.text).toContain(`is below zero, and ${told}: give less.`);
});

describe("services", () => {
  test.each<[Basis, string, string]>([
    ["CASH", "", "A1 1000, 08 1000, 08T 200, 16 200, TD 200, 28 200, 32 200"],
    ["ACCRUALS", "A1 2000, 08 2000, 08T 400, 16 400, TD 400, 28 400, 32 400", ""],
  ])("that are sold count on the basis %s", async (on, january, february) => {
    const given = await french(on);
    const [invoice] = await traded(given, [["sale", 2000, "OUTPUT20S"]], "2026-01-20");
    await pay(given, invoice, "2026-02-10", 1200);
    expect(await filled(given, "2026-01")).toEqual(january === "" ? {} : said(january));
    expect(await filled(given, "2026-02")).toEqual(february === "" ? {} : said(february));
  });

  test.each<[Basis]>([["CASH"], ["ACCRUALS"]])(
    "that are bought are deducted when paid on the basis %s, and the credit is carried over",
    async (on) => {
      const given = await french(on);
      const [service] = await traded(
        given,
        [
          ["bill", 600, "INPUT20S"],
          ["bill", 300, "INPUT20"],
        ],
        "2026-01-15",
      );
      await pay(given, service, "2026-03-10", 720);
      expect(await filled(given, "2026-01")).toEqual(said("20 60, 23 60, 25 60, 27 60"));
      for (const month of ["2026-01", "2026-02"]) {
        const { fromDate: FromDate, toDate: ToDate } = daysOf(month);
        await given.ok("PUT", "/Reports", { ReportType: "CA3", FromDate, ToDate });
      }
      expect(await filled(given, "2026-03")).toEqual(said("20 120, 22 60, 23 180, 25 180, 27 180"));
    },
  );
});
