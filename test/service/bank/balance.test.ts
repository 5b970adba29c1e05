/** The balance of the bank, from statements that tell one and from those that do not. */
import { expect, test } from "vitest";
import { type Json, type World, world } from "../fixture.ts";

async function imported(
  given: World,
  fields: object,
  ...lines: readonly (readonly [string, number])[]
) {
  return given.ok("PUT", "/Extensions/BankStatements", {
    BankAccount: { Code: "090" },
    ...fields,
    StatementLines: lines.map(([day, Amount]) => ({ Key: `${day} ${Amount}`, Date: day, Amount })),
  });
}

/** What the bank reconciliation says of the bank, and how far the book is from it. */
async function atBank(given: World, date: string): Promise<string[]> {
  const query = { accountID: "090", date };
  const answer = await given.ok("GET", "/Reports/BankReconciliation", undefined, { query });
  const rows: Json[] = answer.Reports[0].Rows.flatMap(({ Rows = [] }: Json) => Rows);
  const of = (name: string) => rows.find(({ Cells }) => Cells[0].Value === name).Cells[2].Value;
  return [of("Balance of the bank"), of("Difference")];
}

test("the bank balance starts from the account's opening balance, less uncleared transactions", async () => {
  const given = await world();
  await given.ok("PUT", "/Contacts", { Name: "Courier" });
  const cheque = {
    Type: "SPEND",
    Contact: { Name: "Courier" },
    BankAccount: { Code: "090" },
    Date: "2026-02-26",
    LineItems: [{ Description: "Cheque", UnitAmount: 40, AccountCode: "425", TaxType: "NONE" }],
  };
  await given.ok("PUT", "/BankTransactions", cheque);
  await given.ok("PUT", "/Extensions/OpeningBalances", {
    Date: "2026-02-28",
    Accounts: [
      { AccountCode: "090", Debit: 1000 },
      { AccountCode: "970", Credit: 1000 },
    ],
  });
  expect(await atBank(given, "2026-02-28")).toEqual(["1040.00", "not known"]);
  await imported(given, {}, ["2026-03-03", -40], ["2026-03-09", 5]);
  expect(await atBank(given, "2026-03-31")).toEqual(["1005.00", "not known"]);
});

test("the bank balance before the first statement with a balance is computed back from that statement", async () => {
  const given = await world();
  const april = { FromDate: "2026-04-01", ToDate: "2026-04-30" };
  await imported(given, { ...april, ClosingBalance: 130 }, ["2026-04-10", 20], ["2026-04-20", 10]);
  expect((await atBank(given, "2026-04-15"))[0]).toBe("120.00");
  expect((await atBank(given, "2026-03-31"))[0]).toBe("100.00");
  await imported(given, { ...april, OpeningBalance: 90 });
  expect((await atBank(given, "2026-03-31"))[0]).toBe("90.00");
  expect((await atBank(given, "2026-04-30"))[0]).toBe("130.00");
});

test("a statement without balances is included in the running bank balance, so no line is reported missing", async () => {
  const given = await world();
  await imported(given, { FromDate: "2026-03-01", ToDate: "2026-03-31", ClosingBalance: 100 });
  await imported(given, { FromDate: "2026-04-02", ToDate: "2026-04-20" }, ["2026-04-02", 7]);
  const may = { FromDate: "2026-05-01", ToDate: "2026-05-31" };
  const follows = await imported(given, { ...may, OpeningBalance: 107 });
  expect(JSON.stringify(follows)).not.toContain("Warning");
  expect(JSON.stringify(await imported(given, { ...may, OpeningBalance: 100 }))).toContain(
    "The statement begins at 100.00, but on 2 Apr 2026 the account had 107.00: lines between are missing.",
  );
});
