/** What the construction industry scheme withholds, taken apart: of documents, of contacts, of reports. */
import { expect, test } from "vitest";
import type { Percent } from "../../../src/ledger/money.ts";
import { documentFigures } from "../../../src/resources/explained-figures.ts";
import { changeBook } from "../../../src/service/books/book.ts";
import { fc, runs } from "../../support/properties.ts";
import {
  contact,
  isOnPostgres,
  isOverPort,
  type Json,
  paid,
  sale,
  type World,
  world,
} from "../fixture.ts";
import { faultOf, faultsOfReport } from "./figures.ts";

async function builders(rate: number): Promise<{ given: World; roofer: Json }> {
  const given = await world("GB");
  const cis = { contractor: true, subContractor: true, rate: (rate * 10_000) as Percent };
  await changeBook(given.book, { cis });
  const roofer = await contact(given, { Name: "Dale Roofing" });
  await given.ok("POST", `/Contacts/${roofer.ContactID}/CISSettings`, { Rate: rate });
  return { given, roofer };
}

const explain = async (given: World, path: string, query: Record<string, string>): Promise<Json> =>
  (await given.ok("GET", `/Extensions/Explain/${path}`, undefined, { query })).Reports[0];
const figureIn = ({ Fields }: Json) =>
  Fields.find(({ FieldID }: Json) => FieldID === "Figure").Value as string;

/** Labour and materials of bills, and labour of sales. */
const accounts = { ACCPAY: ["322", "323"], ACCREC: ["211", "200"] } as const;
const line = fc.record({ which: fc.nat(1), cents: fc.integer({ min: 1, max: 900_000 }) });
const drawn = fc.record({
  type: fc.constantFrom("ACCPAY", "ACCREC"),
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  types: fc.constantFrom("Exclusive", "Inclusive", "NoTax"),
  part: fc.constantFrom(0, 33, 100),
});

/** One that has a deduction whatever is drawn. */
const certain = { type: "ACCPAY", lines: [{ which: 0, cents: 22_033 }], types: "NoTax", part: 33 };

const isElsewhere = isOverPort || isOnPostgres;

test("every figure of random documents with a CIS deduction is the sum of its explained parts", {
  timeout: 600_000,
}, async () => {
  let withheld = 0;
  const every = fc.asyncProperty(
    fc.array(drawn, { minLength: 1, maxLength: 6 }),
    fc.constantFrom(20, 30),
    async (documents, rate) => {
      const { given, roofer } = await builders(rate);
      for (const [at, { type, lines, types, part }] of [certain, ...documents].entries()) {
        const LineItems = lines.map(({ which, cents }) => ({
          ...{ Description: "Roof", Quantity: 1, UnitAmount: cents / 100 },
          AccountCode: accounts[type as "ACCPAY"][which],
        }));
        const answer = await given.ask(
          "PUT",
          "/Invoices",
          sale(roofer, {
            ...{ Type: type, Status: "AUTHORISED", LineAmountTypes: types, LineItems },
            ...(type === "ACCPAY" ? { InvoiceNumber: `B-${at}` } : {}),
          }),
        );
        if (answer.status !== 200) continue;
        const [made] = answer.json.Invoices;
        const Amount = Math.round(made.AmountDue * part) / 100;
        if (Amount > 0) await paid(given, made, { Amount });
        for (const figure of documentFigures) {
          for (const all of ["true", "false"]) {
            const told = await explain(given, `Invoices/${made.InvoiceID}`, { figure, all });
            expect([figure, all, faultOf(told, figureIn(told))]).toEqual([figure, all, undefined]);
            if (figure === "withheld" && (made.CISDeduction ?? 0) > 0) {
              expect(figureIn(told)).toBe(made.CISDeduction.toFixed(2));
              withheld += 1;
            }
          }
        }
      }
      for (const figure of ["receivable", "payable", "net"]) {
        const told = await explain(given, `Contacts/${roofer.ContactID}`, { figure, all: "true" });
        expect([figure, faultOf(told, figureIn(told))]).toEqual([figure, undefined]);
      }
      for (const name of ["AgedReceivables", "AgedPayables", "TrialBalance"] as const) {
        expect((await faultsOfReport(given, name, { date: "2026-03-31" })).faults).toEqual([]);
      }
      const one = { contactID: roofer.ContactID, date: "2026-03-31" };
      for (const name of ["AgedPayablesByContact", "AgedReceivablesByContact"] as const) {
        expect((await faultsOfReport(given, name, one)).faults).toEqual([]);
      }
      await given.book.close();
    },
  );
  await fc.assert(every, { numRuns: isElsewhere ? 3 : runs(48) });
  expect(withheld).toBeGreaterThan(0);
});

test("a CIS deduction is explained by its labour, rate and rounding, or as entered", async () => {
  const { given, roofer } = await builders(30);
  const LineItems = [{ Description: "Roof", Quantity: 1, UnitAmount: 100.33, AccountCode: "322" }];
  const own = { Type: "ACCPAY", Status: "AUTHORISED", LineAmountTypes: "NoTax", LineItems };
  const workingOf = async (fields: object) => {
    const made = (await given.ok("PUT", "/Invoices", sale(roofer, { ...own, ...fields })))
      .Invoices[0];
    const told = await explain(given, `Invoices/${made.InvoiceID}`, { figure: "withheld" });
    const [row] = told.Rows[1].Rows;
    return row.Cells.map(({ Value }: Json) => Value);
  };
  expect(await workingOf({ InvoiceNumber: "B-1" })).toEqual([
    ...["Deduction", "100.33 of labour x 30 % = 30.099, rounded", "30.10"],
  ]);
  expect(await workingOf({ InvoiceNumber: "B-2", CISDeduction: 12.5 })).toEqual([
    ...["Deduction", "entered", "12.50"],
  ]);
});
