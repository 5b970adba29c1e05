/** Papers in the accountant's layout foot to the trial balance, on books made at random. */
import { describe, expect, test } from "vitest";
import { opened, simulate } from "../business.ts";
import { contact, type Json, sale, sharedWorld, type World, world } from "../fixture.ts";

const cents = (text = "") => Math.round(Number(text || "0") * 100);

const ask = async (given: World, name: string, query: Record<string, string>): Promise<Json> =>
  (await given.ok("GET", `/Reports/${name}`, undefined, { query })).Reports[0];

const layout = { layout: "accountant" };

interface Line {
  readonly account: string | undefined;
  readonly section: string;
  readonly name: string;
  readonly type: string;
  readonly texts: readonly string[];
}

function linesOf({ Rows }: Json): Line[] {
  return Rows.flatMap(({ Title = "", Rows: own = [] }: Json) =>
    own.map(({ Cells, RowType }: Json) => ({
      account: Cells[0].Attributes?.find(({ Id }: Json) => /^(account|partOf)$/.test(Id))?.Value,
      section: Title,
      type: RowType,
      texts: Cells.map(({ Value = "" }: Json) => Value),
      name: Cells[0].Value ?? "",
    })),
  );
}

/** Sums of accounts, by id. */
function byAccount(lines: readonly Line[], amountOf: (texts: readonly string[]) => number) {
  const sums: Record<string, number> = {};
  for (const { account, texts } of lines) {
    if (account !== undefined) sums[account] = (sums[account] ?? 0) + amountOf(texts);
  }
  return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0));
}

const balances = async (given: World, date: string, more: Record<string, string> = {}) =>
  byAccount(
    linesOf(await ask(given, "TrialBalance", { date, ...more })),
    (texts) => cents(texts[3]) - cents(texts[4]),
  );

describe.each([3, 8, 21])("a book of the seed %i", (seed) => {
  const shared = sharedWorld(async (given) => {
    const business = await opened(given);
    await simulate(business, { from: "2026-02-10", to: "2026-05-31", count: 90, seed });
  });

  test.each(["2026-02-28", "2026-03-31", "2026-04-17", "2026-05-31", "2027-03-31", "2027-05-31"])(
    "the trial balance of %s has opening, movement and closing that agree with the balances",
    async (date) => {
      const given = await shared();
      for (const paymentsOnly of ["false", "true"]) {
        const lines = linesOf(await ask(given, "TrialBalance", { date, paymentsOnly, ...layout }));
        for (const { texts } of lines) {
          const [, , opening, debit, credit, dr, cr] = texts;
          expect(cents(opening) + cents(debit) - cents(credit), texts.join(" | ")).toBe(
            cents(dr) - cents(cr),
          );
        }
        const total = lines.find(({ type }) => type === "SummaryRow")?.texts ?? [];
        expect(cents(total[2])).toBe(0);
        expect([total[3], total[5], total[7]]).toEqual([total[4], total[6], total[8]]);
        expect(byAccount(lines, (texts) => cents(texts[5]) - cents(texts[6]))).toEqual(
          await balances(given, date, { paymentsOnly }),
        );
        const before = `${Number(date.slice(0, 4)) - 1}${date.slice(4)}`;
        expect(byAccount(lines, (texts) => cents(texts[7]) - cents(texts[8]))).toEqual(
          await balances(given, before, { paymentsOnly }),
        );
      }
    },
  );

  test.each(["2026-03-31", "2026-05-31", "2027-05-31"])(
    "the balance sheet of %s has the net assets of the trial balance, and offsets nothing",
    async (date) => {
      const given = await shared();
      const query = { date, exactDate: "true" };
      const lines = linesOf(await ask(given, "BalanceSheet", { ...query, ...layout }));
      const plain = linesOf(await ask(given, "BalanceSheet", query));
      for (const name of ["Net Assets", "Total Equity"]) {
        const row = (from: Line[]) => from.find((each) => each.name === name)?.texts;
        expect(row(lines)).toEqual(row(plain));
      }
      const names = new Map<string, number>();
      for (const { name, texts, section } of lines) {
        if (section === "Bank") expect(cents(texts[1]), name).toBeGreaterThanOrEqual(0);
        names.set(name, cents(texts[1]));
      }
      const aged = linesOf(await ask(given, "AgedReceivables", { date }));
      const owed = aged
        .filter(({ type }) => type === "Row")
        .map(({ texts }) => cents(texts.at(-1)))
        .filter((amount) => amount < 0)
        .reduce((sum, amount) => sum - amount, 0);
      expect(names.get("Customers in credit") ?? 0).toBe(owed);
    },
  );

  test.each([
    ["2026-02-01", "2026-02-28"],
    ["2026-03-01", "2026-05-31"],
    ["2026-04-01", "2027-03-31"],
  ])(
    "the cash flow of %s to %s comes to the change of the banks, both ways",
    async (fromDate, toDate) => {
      const given = await shared();
      const days = { fromDate, toDate, periods: "1" };
      const figuresOf = async (more: Record<string, string>) =>
        linesOf(await ask(given, "CashFlow", { ...days, ...more }));
      const plain = await figuresOf({});
      const operating = (lines: Line[]) =>
        lines.filter(({ section }) => section === "Operating Activities");
      for (const more of [layout, { ...layout, indirect: "true" }]) {
        const lines = await figuresOf(more);
        const [rows, total] = [operating(lines).slice(0, -1), operating(lines).at(-1)];
        for (const column of [1, 2]) {
          const sum = rows.reduce((all, { texts }) => all + cents(texts[column]), 0);
          expect(cents(total?.texts[column]), JSON.stringify(rows)).toBe(sum);
        }
        expect(total?.texts).toEqual(operating(plain).at(-1)?.texts);
        expect(lines.find(({ name }) => name === "Difference")?.texts.slice(1)).toEqual([
          "0.00",
          "0.00",
        ]);
      }
    },
  );
});

test("an overdrawn bank, a customer in credit and a supplier in debit stand on their own side", async () => {
  const given = await world();
  const [one, two] = [await contact(given, { Name: "Moa" }), await contact(given, { Name: "Kea" })];
  const document = (party: Json, Type: string, amount: number, code: string) =>
    given.ok(
      "PUT",
      "/Invoices",
      sale(party, {
        ...{ Type, Status: "AUTHORISED", Date: "2026-02-01", DueDate: "2026-02-20" },
        LineAmountTypes: "NoTax",
        LineItems: [
          { Description: "x", Quantity: 1, UnitAmount: amount, AccountCode: code, TaxType: "NONE" },
        ],
      }),
    );
  const credit = (party: Json, Type: string, amount: number, code: string) =>
    given.ok("PUT", "/CreditNotes", {
      ...{
        Type,
        Status: "AUTHORISED",
        Date: "2026-02-01",
        Contact: { ContactID: party.ContactID },
      },
      LineAmountTypes: "NoTax",
      LineItems: [
        { Description: "x", Quantity: 1, UnitAmount: amount, AccountCode: code, TaxType: "NONE" },
      ],
    });
  await document(one, "ACCREC", 100, "200");
  await credit(two, "ACCRECCREDIT", 30, "200");
  await document(two, "ACCPAY", 80, "429");
  await credit(one, "ACCPAYCREDIT", 25, "429");
  await given.ok("PUT", "/BankTransactions", {
    ...{
      Type: "SPEND",
      Contact: { ContactID: two.ContactID },
      Date: "2026-02-03",
      BankAccount: { Code: "090" },
    },
    LineAmountTypes: "NoTax",
    LineItems: [
      { Description: "x", Quantity: 1, UnitAmount: 40, AccountCode: "429", TaxType: "NONE" },
    ],
  });
  const query = { date: "2026-02-28", exactDate: "true", ...layout };
  const lines = linesOf(await ask(given, "BalanceSheet", query));
  expect(
    lines
      .filter(({ section, type }) => section !== "Equity" && (type !== "Row" || section !== ""))
      .map(({ section, texts }) => [section, texts[0], texts[1]].join(" | ")),
  ).toEqual([
    "Current Assets | Accounts Receivable | 100.00",
    "Current Assets | Suppliers in debit | 25.00",
    "Current Assets | Total Current Assets | 125.00",
    " | Total Assets | 125.00",
    expect.stringMatching(/^Current Liabilities \| .*, overdrawn \| 40.00$/),
    "Current Liabilities | Customers in credit | 30.00",
    "Current Liabilities | Accounts Payable | 80.00",
    "Current Liabilities | Total Current Liabilities | 150.00",
    " | Total Liabilities | 150.00",
  ]);
});
