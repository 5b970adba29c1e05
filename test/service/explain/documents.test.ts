/** Figures of documents: each rounding step of tax worked out anew, balances of contacts, stock. */
import { describe, expect, test } from "vitest";
import { fc, runs } from "../../support/properties.ts";
import { opened, step, take } from "../business.ts";
import { invoiced, isOnPostgres, isOverPort, type Json, paid, stocked, world } from "../fixture.ts";
import { faultOf } from "./figures.ts";

const explain = async (
  given: Awaited<ReturnType<typeof world>>,
  path: string,
  query: Record<string, string> = {},
): Promise<Json> =>
  (await given.ok("GET", `/Extensions/Explain/${path}`, undefined, { query })).Reports[0];

/** Rows of the parts, as texts. */
const partsOf = ({ Rows }: Json): string[][] =>
  Rows.filter(({ RowType }: Json) => RowType === "Section").flatMap(({ Rows: own }: Json) =>
    own
      .filter(({ RowType }: Json) => RowType === "Row")
      .map(({ Cells }: Json) => Cells.map(({ Value = "" }: Json) => Value)),
  );

describe("the explained tax of a document", () => {
  test("the tax of a document is explained as the sum of its lines, each rounded separately", async () => {
    const given = await world();
    const lines = ["19.99 3", "7.45 1", "0.33 1"].map((line) => {
      const [UnitAmount, Quantity] = line.split(" ").map(Number);
      return { Description: "Clay", UnitAmount, Quantity, AccountCode: "200", TaxType: "OUTPUT2" };
    });
    const made = await invoiced(given, { LineItems: lines });
    const told = await explain(given, `Invoices/${made.InvoiceID}`, { figure: "tax" });
    expect(partsOf(told)).toEqual([
      ["Clay, 15% GST on Income", "line 1", "59.97 x 15 % = 8.9955, rounded", "9.00"],
      ["Clay, 15% GST on Income", "line 2", "7.45 x 15 % = 1.1175, rounded", "1.12"],
      ["Clay, 15% GST on Income", "line 3", "0.33 x 15 % = 0.0495, rounded", "0.05"],
    ]);
    expect(faultOf(told, "10.17")).toBeUndefined();
    const total = await explain(given, `Invoices/${made.InvoiceNumber}`);
    expect(faultOf(total, "77.92")).toBeUndefined();
  });

  test("a tax amount that was entered is explained as entered, with the tax by the rate beside it", async () => {
    const given = await world();
    const LineItems = [
      { Description: "Clay", UnitAmount: 100, Quantity: 1, AccountCode: "200", TaxAmount: 14.9 },
    ];
    const made = await invoiced(given, { LineItems });
    const told = await explain(given, `Invoices/${made.InvoiceID}`, { figure: "tax" });
    expect(partsOf(told)[0]?.[2]).toBe("entered; 100.00 x 15 % = 15.00 would be 15.00");
    expect(faultOf(told, "14.90")).toBeUndefined();
  });

  test("the tax of tax-inclusive amounts is explained as extracted from each line", async () => {
    const given = await world();
    const LineItems = [{ Description: "Clay", UnitAmount: 59.97, Quantity: 1, AccountCode: "200" }];
    const made = await invoiced(given, { LineAmountTypes: "Inclusive", LineItems });
    const told = await explain(given, `Invoices/${made.InvoiceID}`, { figure: "tax" });
    expect(partsOf(told)[0]?.[2]).toBe("59.97 x 15 / 115 = 7.822173…, rounded");
    expect(faultOf(told, "7.82")).toBeUndefined();
  });
});

test("a document in a foreign currency is explained line by line, with a rounding difference", async () => {
  const given = await world();
  await given.ok("PUT", "/Currencies", { Code: "EUR" });
  const line = { Description: "Clay", Quantity: 1, AccountCode: "200", TaxType: "NONE" };
  const LineItems = [1.01, 1.01, 1.01].map((UnitAmount) => ({ ...line, UnitAmount }));
  const made = await invoiced(given, { CurrencyCode: "EUR", CurrencyRate: 0.6153, LineItems });
  const told = await explain(given, `Invoices/${made.InvoiceID}`, { figure: "base" });
  expect(partsOf(told).map((row) => row.slice(2))).toEqual([
    ["EUR 1.01 / 0.615300", "1.64"],
    ["EUR 1.01 / 0.615300", "1.64"],
    ["EUR 1.01 / 0.615300", "1.64"],
  ]);
  expect(faultOf(told, "4.92")).toBeUndefined();
});

test("the amount due is explained as the total less each payment and credit", async () => {
  const given = await world();
  const made = await invoiced(given, { Status: "AUTHORISED" });
  await paid(given, made, { Amount: 50 });
  const told = await explain(given, `Invoices/${made.InvoiceID}`, { figure: "due" });
  const [open] = (await given.ok("GET", `/Invoices/${made.InvoiceID}`)).Invoices;
  expect(partsOf(told).map(([label]) => label)).toEqual(["Total of the document", "Payment"]);
  expect(faultOf(told, open.AmountDue.toFixed(2))).toBeUndefined();
});

test("explaining an unknown document is answered as not found, and an unknown figure is refused", async () => {
  const given = await world();
  expect((await given.ask("GET", "/Extensions/Explain/Invoices/INV-9999")).status).toBe(404);
  const made = await invoiced(given);
  const path = `/Extensions/Explain/Invoices/${made.InvoiceID}`;
  const answer = await given.ask("GET", path, undefined, { query: { figure: "profit" } });
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("figure")]);
});

test("the value of a stock item is explained as the sum of its movements", async () => {
  const given = await world();
  await stocked(given, "LAMP", 10, 4.5);
  const [item] = (await given.ok("GET", "/Items")).Items.filter(
    ({ IsTrackedAsInventory }: Json) => IsTrackedAsInventory,
  );
  for (const figure of ["value", "quantity"]) {
    const told = await explain(given, `Items/${item.Code}`, { figure });
    const value =
      figure === "value" ? item.TotalCostPool.toFixed(2) : item.QuantityOnHand.toFixed(4);
    expect(faultOf(told, value)).toBeUndefined();
    expect(partsOf(told).length).toBeGreaterThan(0);
  }
});

test("every figure of every document and contact is the sum of its explained parts, with tax rounded as explained", {
  timeout: 600_000,
}, async () => {
  let documents = 0;
  let taxes = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 90 }), async (steps) => {
      const given = await world();
      const business = await opened(given);
      for (const [at, each] of steps.entries()) {
        await take(business, each, `2026-0${2 + (at % 4)}-28`);
      }
      const faults: string[] = [];
      for (const [list, id, open] of [
        ["Invoices", "InvoiceID", "AmountDue"],
        ["CreditNotes", "CreditNoteID", "RemainingCredit"],
        ["BankTransactions", "BankTransactionID", undefined],
        ["Prepayments", "PrepaymentID", "RemainingCredit"],
        ["Overpayments", "OverpaymentID", "RemainingCredit"],
      ] as const) {
        for (const each of (await given.ok("GET", `/${list}`))[list]) {
          documents += 1;
          const values: Record<string, number | undefined> = {
            total: each.Total,
            tax: each.TotalTax,
            "sub-total": each.SubTotal,
            due: open && each[open],
            base: undefined,
            paid: each.AmountPaid,
            credited: each.AmountCredited,
          };
          for (const [figure, value] of Object.entries(values)) {
            const told = await explain(given, `${list}/${each[id]}`, { figure });
            const shown = told.Fields.find(({ FieldID }: Json) => FieldID === "Figure").Value;
            const wanted = value === undefined ? shown : value.toFixed(2);
            const fault = faultOf(told, wanted) ?? (figure === "tax" ? taxFault(told) : undefined);
            if (figure === "tax") taxes += partsOf(told).length;
            if (fault !== undefined) {
              faults.push(
                `${list} ${each.Type} ${each.Status} ${figure}: ${fault} ${JSON.stringify(partsOf(told))}`,
              );
            }
          }
        }
      }
      for (const { ContactID, Name } of (await given.ok("GET", "/Contacts")).Contacts) {
        const [{ Balances }] = (await given.ok("GET", `/Contacts/${ContactID}`)).Contacts;
        const owes = Balances?.AccountsReceivable?.Outstanding ?? 0;
        const owed = Balances?.AccountsPayable?.Outstanding ?? 0;
        for (const [figure, value] of [
          ["receivable", owes],
          ["payable", owed],
          ["net", Math.round((owes - owed) * 100) / 100],
        ] as const) {
          for (const all of ["true", "false"]) {
            const told = await explain(given, `Contacts/${ContactID}`, { figure, all });
            const fault = faultOf(told, value.toFixed(2));
            if (fault !== undefined) faults.push(`${Name} ${figure}: ${fault}`);
          }
        }
      }
      expect(faults).toEqual([]);
      await given.book.close();
    }),
    { numRuns: isOverPort || isOnPostgres ? 1 : runs(16), endOnFailure: true },
  );
  expect(documents).toBeGreaterThan(5);
  expect(taxes).toBeGreaterThan(5);
});

/** Works every step of a tax out anew, from the text alone. */
function taxFault(told: Json): string | undefined {
  for (const row of partsOf(told)) {
    const [working = "", amount = ""] = row.slice(-2);
    const match = /^(-?\d+\.\d\d) x ([\d.]+)(?: \/ ([\d.]+)| %) = (-?[\d.]+)(…?)(, rounded)?$/.exec(
      working,
    );
    if (match === null) {
      if (working.startsWith("entered")) continue;
      return `cannot be worked out: ${working}`;
    }
    const [, base = "", rate = "", divisor = "100", exact = "", isEndless] = match;
    const whole = (text: string, digits: number) => {
      const [left = "0", right = ""] = text.replace("-", "").split(".");
      return BigInt(`${left}${right.padEnd(digits, "0")}`);
    };
    const dividend = whole(base, 2) * whole(rate, 4);
    const below = whole(divisor, 4);
    const cents = (2n * dividend + below) / (2n * below);
    const sign = base.startsWith("-") ? -1n : 1n;
    if (sign * cents !== whole(amount, 2) * (amount.startsWith("-") ? -1n : 1n)) {
      return `${working} is ${cents} cents, not ${amount}`;
    }
    const told = whole(exact, 8);
    const truth = (dividend * 1_000_000n) / below;
    if (isEndless ? truth / 100n !== told / 100n : truth !== told)
      return `${exact} is not ${truth}`;
  }
  return undefined;
}
