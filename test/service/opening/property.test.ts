/**
 * Whatever a book begins with: its trial balance of the day is what was given, also where it was
 * given something else before; and when all is settled, both bases agree.
 */
import { expect, test } from "vitest";
import { fc, runs } from "../../support/properties.ts";
import { faultsIn, type Json, reportRows, type World, world } from "../fixture.ts";

const date = "2025-12-31";
const cents = fc.integer({ min: 1, max: 5_000_000 });
const accounts = ["200", "260", "400", "429", "090", "091", "710", "820", "900", "960"] as const;
const codes = { ACCREC: "200", ACCRECCREDIT: "200", ACCPAY: "429", ACCPAYCREDIT: "429" } as const;
const taxes = {
  ACCREC: "OUTPUT2",
  ACCRECCREDIT: "OUTPUT2",
  ACCPAY: "INPUT2",
  ACCPAYCREDIT: "INPUT2",
} as const;
const types = ["ACCREC", "ACCPAY", "ACCRECCREDIT", "ACCPAYCREDIT"] as const;

const document = fc
  .record({
    type: fc.constantFrom(...types),
    number: fc.integer({ min: 1, max: 9 }),
    party: fc.constantFrom("Kowhai Ltd", "Alder Inc"),
    day: fc.constantFrom("2024-02-29", "2025-03-31", "2025-04-01", "2025-12-31"),
    lines: fc.array(fc.record({ cents, isCoded: fc.boolean() }), { minLength: 1, maxLength: 3 }),
    share: fc.integer({ min: 1, max: 1000 }),
    rate: fc.constantFrom(undefined, undefined, 0.5, 0.6153, 83.4),
  })
  .map(({ type, number, party, day, lines, share, rate }) => {
    const total = lines.reduce((sum, line) => sum + line.cents, 0);
    const due = Math.max(1, Math.round((total * share) / 1000));
    return {
      due: rate === undefined ? due : Math.round(due / rate),
      sent: {
        Type: type,
        Number: `${type}-${number}`,
        ContactName: party,
        Date: day,
        AmountDue: due / 100,
        ...(rate === undefined ? {} : { CurrencyCode: "EUR", CurrencyRate: rate }),
        Lines: lines.map((line) => ({
          Amount: line.cents / 100,
          ...(line.isCoded ? { AccountCode: codes[type], TaxType: taxes[type] } : {}),
        })),
      },
    };
  });

const items = ["PEN", "INK"] as const;
const opening = fc
  .record({
    balances: fc.uniqueArray(
      fc.record({ code: fc.constantFrom(...accounts), cents, isDebit: fc.boolean() }),
      { selector: ({ code }) => code, maxLength: accounts.length },
    ),
    documents: fc.uniqueArray(document, {
      selector: ({ sent }) => [sent.Number, sent.ContactName].join(),
      maxLength: 6,
    }),
    stock: fc.uniqueArray(
      fc.record({
        code: fc.constantFrom(...items),
        quantity: fc.integer({ min: 1, max: 9_000_000 }),
        cents,
      }),
      { selector: ({ code }) => code, maxLength: items.length },
    ),
  })
  // A sales invoice bears its number alone.
  .filter(({ documents }) => {
    const own = documents.flatMap(({ sent }) => (sent.Type === "ACCREC" ? sent.Number : []));
    const credits = documents.flatMap(({ sent }) =>
      sent.Type === "ACCRECCREDIT" ? sent.Number : [],
    );
    return new Set(own).size === own.length && new Set(credits).size === credits.length;
  })
  .map(({ balances, documents, stock }) => {
    const sum = (of: readonly string[]) =>
      documents.reduce(
        (all, { due, sent }) => all + (of[0] === sent.Type ? due : of[1] === sent.Type ? -due : 0),
        0,
      );
    const wanted = new Map<string, number>(
      balances.map(({ code, cents, isDebit }) => [code, isDebit ? cents : -cents]),
    );
    wanted.set("610", sum(["ACCREC", "ACCRECCREDIT"]));
    wanted.set("800", -sum(["ACCPAY", "ACCPAYCREDIT"]));
    wanted.set(
      "630",
      stock.reduce((all, each) => all + each.cents, 0),
    );
    return {
      wanted,
      body: {
        Date: date,
        Accounts: [...wanted].map(([AccountCode, amount]) => ({
          AccountCode,
          ...(amount < 0 ? { Credit: -amount / 100 } : { Debit: amount / 100 }),
        })),
        Documents: documents.map(({ sent }) => sent),
        Stock: stock.map(({ code, quantity, cents }) => ({
          ItemCode: code,
          Quantity: quantity / 1000,
          Cost: cents / 100,
        })),
      },
    };
  });

async function trialBalance(given: World, query: Readonly<Record<string, string>>) {
  const rows = await reportRows(given, "TrialBalance", query);
  const balances = Object.entries(rows).flatMap(([name, cells]) => {
    const code = /\((\w+)\)$/.exec(name)?.[1];
    const amount = Math.round((Number(cells.at(-2) || 0) - Number(cells.at(-1) || 0)) * 100);
    return code === undefined || amount === 0 ? [] : [[code, amount] as const];
  });
  return new Map(balances);
}

function expected(wanted: ReadonlyMap<string, number>): Map<string, number> {
  const difference = -[...wanted.values()].reduce((sum, each) => sum + each, 0);
  return new Map([...wanted, ["840", difference] as const].filter(([, amount]) => amount !== 0));
}

const sorted = (balances: ReadonlyMap<string, number>) => [...balances].sort();

/** Pays every document, foreign ones at the rate of their day. */
async function settleAll(given: World): Promise<void> {
  const on = { Account: { Code: "090" }, Date: "2026-02-01" };
  const query = { where: 'Status=="AUTHORISED"' };
  for (const [plural, name, id, open] of [
    ["Invoices", "Invoice", "InvoiceID", "AmountDue"],
    ["CreditNotes", "CreditNote", "CreditNoteID", "RemainingCredit"],
  ] as const) {
    const found = (await given.ok("GET", `/${plural}`, undefined, { query }))[plural];
    for (const each of found as Json[]) {
      if (each[open] === 0) continue;
      const of = { [name]: { [id]: each[id] }, CurrencyRate: each.CurrencyRate };
      await given.ok("PUT", "/Payments", { ...of, ...on, Amount: each[open] });
    }
  }
}

test("for any opening balances, the trial balance of the opening day equals them", {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(opening, opening, async (first, second) => {
      const given = await world();
      await given.ok("PUT", "/Currencies", { Code: "EUR" });
      for (const Code of items) {
        const PurchaseDetails = { COGSAccountCode: "310" };
        await given.ok("PUT", "/Items", {
          Code,
          InventoryAssetAccountCode: "630",
          PurchaseDetails,
        });
      }
      for (const { body, wanted } of [first, second]) {
        await given.ok("POST", "/Extensions/OpeningBalances", body);
        expect(sorted(await trialBalance(given, { date }))).toEqual(sorted(expected(wanted)));
        expect(await faultsIn(given)).toEqual([]);
      }
      await settleAll(given);
      // In the year after, since the bases may recognise a document in different years.
      const later = "2026-04-30";
      const accrual = await trialBalance(given, { date: later });
      const cash = await trialBalance(given, { date: later, paymentsOnly: "true" });
      expect(sorted(cash)).toEqual(sorted(accrual));
      expect(accrual.get("610") ?? 0).toBe(0);
      const year = { fromDate: "2026-01-01", toDate: "2026-02-28" };
      const profit = await reportRows(given, "ProfitAndLoss", year);
      expect(profit["Net Profit"]).toEqual(["0.00"]);
      expect(await faultsIn(given)).toEqual([]);
      await given.book.close();
    }),
    { numRuns: runs(40) },
  );
});
