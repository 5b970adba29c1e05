/**
 * Months of a French company: whatever it sells and buys, and however late, each published CA3 has
 * the lines that its documents have by hand, and the FEC has the movements of every account.
 */
import { expect, test } from "vitest";
import { textOf } from "../../../../src/wire/body.ts";
import { readFec } from "../../../cli/export/audit.ts";
import { fc, runs } from "../../../support/properties.ts";
import { contact, type Json, reportRows, type World, world } from "../../fixture.ts";
import { basis, boxes, document } from "./returns.ts";

/** A kind of document: its account and tax type, and what it adds to lines, of the net and the tax. */
interface Traded {
  readonly side: "sale" | "bill" | "credit";
  readonly account: string;
  readonly taxType: string;
  /** Tenths of a percent. */
  readonly rate: number;
  readonly net: readonly string[];
  readonly tax: readonly string[];
  /** Whether it counts when it is paid. */
  readonly isPaid?: true;
}

const rateLines = [
  ["20", 200, "08", "I1"],
  ["10", 100, "9B", "I2"],
  ["55", 55, "09", "I4"],
  ["21", 21, "T6", "I5"],
] as const;

const kinds: readonly Traded[] = [
  ...rateLines.flatMap(([suffix, rate, line, importLine]): Traded[] => {
    const reversed = (taxType: string, base: string, on: string, more: readonly string[] = []) => ({
      ...({ side: "bill", account: "607000", taxType: `${taxType}${suffix}`, rate } as const),
      ...{ net: [base, on], tax: [`${on}T`, "20", ...more] },
    });
    const goods = { account: "707000", taxType: `OUTPUT${suffix}`, rate, net: ["A1", line] };
    return [
      { side: "sale", ...goods, tax: [`${line}T`] },
      { side: "credit", ...goods, tax: [`${line}T`] },
      { side: "bill", account: "606400", taxType: `INPUT${suffix}`, rate, net: [], tax: ["20"] },
      reversed("ECACQUISITIONS", "B2", line, ["17"]),
      reversed("REVERSESERVICES", "A3", line),
      reversed("IMPORT", "A4", importLine, ["24"]),
    ];
  }),
  ...rateLines.slice(0, 2).flatMap(([suffix, rate, line]): Traded[] => [
    {
      ...{ side: "sale", account: "706000", taxType: `OUTPUT${suffix}S`, rate, isPaid: true },
      ...{ net: ["A1", line], tax: [`${line}T`] },
    },
    {
      ...{ side: "bill", account: "622600", taxType: `INPUT${suffix}S`, rate, isPaid: true },
      ...{ net: [], tax: ["20"] },
    },
  ]),
  { side: "bill", account: "218300", taxType: "CAPEX20", rate: 200, net: [], tax: ["19"] },
  { side: "bill", account: "606140", taxType: "FUEL20", rate: 160, net: [], tax: ["20"] },
  { side: "bill", account: "606400", taxType: "INPUTBLOCKED20", rate: 200, net: [], tax: [] },
  { side: "sale", account: "707300", taxType: "EXPORT", rate: 0, net: ["E1"], tax: [] },
  { side: "sale", account: "707200", taxType: "ECOUTPUT", rate: 0, net: ["F2"], tax: [] },
  { side: "sale", account: "706200", taxType: "ECOUTPUTSERVICES", rate: 0, net: ["E2"], tax: [] },
];

const months = 4;

const trade = fc.record({
  kind: fc.constantFrom(...kinds),
  /** Cents; of what counts when paid, halves are whole tax. */
  amount: fc.integer({ min: 1_00, max: 900_00 }),
  month: fc.integer({ min: 0, max: months - 1 }),
  /** Months until each half is paid. */
  paid: fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })),
  /** Whether it is entered after the return of its month was published. */
  isLate: fc.boolean(),
});
type Trade = typeof trade extends fc.Arbitrary<infer T> ? T : never;

const amountOf = ({ kind, amount }: Trade) =>
  kind.isPaid ? Math.ceil(amount / 20_00) * 20_00 : amount;
const enteredIn = ({ month, isLate }: Trade) => (isLate ? Math.min(month + 1, months - 1) : month);
const dayOf = (month: number, day: number) =>
  `2026-${String(month + 1).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

/** The lines of a return by hand, in whole euros; zeros are left out. */
function byHand(trades: readonly Trade[], month: number, brought: number): Record<string, number> {
  const [nets, taxes] = [new Map<string, number>(), new Map<string, number>()];
  const groups = new Map<string, { net: number; tax: number; kind: Traded }>();
  for (const each of trades) {
    const { kind, paid } = each;
    const halves = kind.isPaid
      ? paid.filter((after) => each.month + after === month && month >= enteredIn(each)).length
      : enteredIn(each) === month
        ? 2
        : 0;
    const net = ((amountOf(each) * halves) / 2) * (kind.side === "credit" ? -1 : 1);
    const tax = Math.sign(net) * Math.round((Math.abs(net) * kind.rate) / 1000);
    for (const [of, ids, amount] of [
      [nets, kind.net, net],
      [taxes, kind.tax, tax],
    ] as const) {
      for (const id of ids) of.set(id, (of.get(id) ?? 0) + amount);
    }
    const key = kind.net.join(" ");
    const group = groups.get(key) ?? { net: 0, tax: 0, kind };
    groups.set(key, { net: group.net + net, tax: group.tax + tax, kind });
  }
  // Sales at a rate that are below zero leave their lines for B5 and 21.
  for (const { net, tax, kind } of groups.values()) {
    if (net >= 0) continue;
    for (const id of kind.net) nets.set(id, (nets.get(id) ?? 0) - net);
    taxes.set(kind.tax[0] ?? "", (taxes.get(kind.tax[0] ?? "") ?? 0) - tax);
    nets.set("B5", (nets.get("B5") ?? 0) - net);
    taxes.set("21", (taxes.get("21") ?? 0) - tax);
  }
  const lines = Object.fromEntries(
    [...nets, ...taxes].map(([id, cents]) => [id, Math.floor((cents + 50) / 100)]),
  );
  const sumOf = (...ids: string[]) => ids.reduce((sum, id) => sum + (lines[id] ?? 0), 0);
  const gross = sumOf("08T", "9BT", "09T", "T6T", "I1T", "I2T", "I4T", "I5T");
  const deducted = sumOf("19", "20", "21") + brought;
  const due = Math.max(gross - deducted, 0);
  const credit = Math.max(deducted - gross, 0);
  const totals = { 16: gross, 22: brought, 23: deducted, 25: credit, 27: credit };
  const all = { ...lines, ...totals, "23-22": deducted - brought, TD: due, 28: due, 32: due };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== 0));
}

async function enter(given: World, party: Json, each: Trade): Promise<Json> {
  const { kind, month } = each;
  const { account, taxType } = kind;
  const dates = { Date: dayOf(month, 5), DueDate: "2026-12-31" };
  const amount = amountOf(each) / 100;
  if (kind.side !== "credit") {
    const type = kind.side === "bill" ? { Type: "ACCPAY" } : {};
    return document(given, party, { ...dates, ...type }, [[account, amount, taxType]]);
  }
  const Contact = { ContactID: party.ContactID };
  const line = { Description: "x", Quantity: 1, UnitAmount: amount };
  const LineItems = [{ ...line, AccountCode: account, TaxType: taxType }];
  const note = { Type: "ACCRECCREDIT", Contact, ...dates, Status: "AUTHORISED", LineItems };
  return (await given.ok("PUT", "/CreditNotes", note)).CreditNotes[0];
}

async function fecOf(given: World) {
  const query = Object.entries({
    fromDate: "2026-01-01",
    toDate: "2026-12-31",
    siren: "732829320",
  });
  const asked = { method: "GET", path: "/Extensions/AuditFiles/fec", query, headers: {} };
  const { body } = await given.book.transport(asked);
  return readFec(await textOf(body));
}

test("each return of a French company has the lines of its documents, whatever they are and however late", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(trade, { minLength: 40, maxLength: 40 }), async (trades) => {
      const given = await world("FR");
      await basis(given, "CASH");
      const party = await contact(given, { Name: "Wien GmbH", TaxNumber: "ATU12345678" });
      const made = new Map<Trade, Json>();
      let brought = 0;
      for (let month = 0; month < months; month += 1) {
        for (const each of trades.filter((one) => enteredIn(one) === month))
          made.set(each, await enter(given, party, each));
        for (const [each, { InvoiceID, Total }] of made) {
          if (!each.kind.isPaid) continue;
          for (const after of each.paid) {
            if (each.month + after !== month) continue;
            await given.ok("PUT", "/Payments", {
              ...{ Invoice: { InvoiceID }, Account: { Code: "512100" } },
              ...{ Date: dayOf(month, 20), Amount: Total / 2 },
            });
          }
        }
        const [from, to] = [dayOf(month, 1), dayOf(month, [31, 28, 31, 30][month] ?? 30)];
        const sent = { ReportType: "CA3", FromDate: from, ToDate: to };
        const { Reports } = await given.ok("PUT", "/Reports", sent);
        const { Number: _number, Basis: _basis, Period: _period, ...found } = boxes(Reports[0]);
        const filled = Object.entries(found).flatMap(([id, value]) =>
          Number(value) === 0 || / /.test(id) ? [] : [[id, Number(value)]],
        );
        const expected = byHand(trades, month, brought);
        expect(Object.fromEntries(filled), from).toEqual(expected);
        brought = expected[27] ?? 0;
      }
      const { rows, faults } = await fecOf(given);
      expect(faults).toEqual([]);
      const query = { date: "2026-12-31" };
      const trial = await reportRows(given, "TrialBalance", query);
      const cents = (text = "") => Math.round(Number(text.replace(",", ".") || 0) * 100);
      const debitOf = (code: string) =>
        rows
          .filter(({ CompteNum = "" }) => CompteNum.startsWith(code))
          .reduce((sum, { Debit, Credit }) => sum + cents(Debit) - cents(Credit), 0);
      for (const [name, figures] of Object.entries(trial)) {
        const [, code = ""] = /\((\d{6})\)$/.exec(name) ?? [];
        if (code === "" || code.startsWith("445")) continue;
        expect([name, debitOf(code)]).toEqual([name, cents(figures[2]) - cents(figures[3])]);
      }
    }),
    { numRuns: runs(40) },
  );
});
