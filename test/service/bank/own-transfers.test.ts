/** Own transfers: both sides are decided, in whatever order accounts and files come. */
import { expect, test } from "vitest";
import { fc, runs } from "../../support/properties.ts";
import { faultsIn, type Json, type World, world } from "../fixture.ts";

const lines = "/Extensions/BankStatementLines";

interface Moved {
  readonly day: number;
  readonly amount: number;
  /** Days later on the other account. */
  readonly later: number;
}

const dayOf = (day: number) => `2026-03-${String(day).padStart(2, "0")}`;

async function imported(given: World, code: string, moved: readonly Moved[]): Promise<void> {
  const isFar = code === "091";
  await given.ok("PUT", "/Extensions/BankStatements", {
    BankAccount: { Code: code },
    StatementLines: moved.map(({ day, amount, later }, place) => ({
      Key: `1:${code}:${place}`,
      Date: dayOf(isFar ? day + later : day),
      Amount: isFar ? amount : -amount,
      Description: isFar ? "FROM CURRENT" : "TO SAVINGS",
    })),
  });
}

const reconciled = (given: World, account: string) =>
  given.ok("POST", `${lines}/Reconcile`, undefined, { query: { account } });

async function begun(ruled: readonly string[]): Promise<World> {
  const given = await world();
  for (const code of ruled) {
    const other = code === "090" ? "091" : "090";
    await given.ok("PUT", "/Extensions/BankRules", {
      Name: `Own ${code}`,
      Conditions: [
        { Field: "text", Test: "contains", Value: code === "090" ? "SAVINGS" : "CURRENT" },
      ],
      TransferAccount: { Code: other },
    });
  }
  return given;
}

/** What a person sees in the end, whatever came first. */
async function outcome(given: World) {
  const found: Json[] = (await given.ok("GET", lines, undefined, { query: { order: "Date" } }))
    .BankStatementLines;
  const transfers: Json[] = (await given.ok("GET", "/BankTransfers")).BankTransfers;
  expect(await faultsIn(given)).toEqual([]);
  return {
    lines: found.map((line) => `${line.Date} ${line.Amount} ${line.Status}`).sort(),
    transfers: transfers.length,
  };
}

const ruledOn = fc.constantFrom([], ["090"], ["091"], ["090", "091"]);
const moves = fc.array(
  fc.record({
    day: fc.integer({ min: 1, max: 20 }),
    amount: fc.constantFrom(100, 500),
    later: fc.integer({ min: 0, max: 2 }),
  }),
  { minLength: 1, maxLength: 4 },
);

test("a transfer made by a bank rule on one account is matched with the bank line on the other account", async () => {
  const given = await begun(["090"]);
  const moved = [{ day: 10, amount: 500, later: 0 }];
  await imported(given, "090", moved);
  await reconciled(given, "090");
  await imported(given, "091", moved);
  expect((await reconciled(given, "091")).BankStatementLines).toMatchObject([
    { Amount: 500, Status: "RECONCILED", Matches: [{ Kind: "BankTransfer", Made: false }] },
  ]);
});

test("a bank line whose payee is a clear contact is not matched with a transfer of the same amount", async () => {
  const given = await begun(["090"]);
  await given.ok("PUT", "/Contacts", { Name: "Kowhai Design" });
  await imported(given, "090", [{ day: 10, amount: 500, later: 0 }]);
  await reconciled(given, "090");
  await given.ok("PUT", "/Extensions/BankStatements", {
    BankAccount: { Code: "091" },
    StatementLines: [{ Key: "1:x", Date: dayOf(10), Amount: 500, Payee: "KOWHAI DESIGN" }],
  });
  expect((await reconciled(given, "091")).BankStatementLines).toEqual([]);
});

test("transfers are matched the same whichever bank account is reconciled first, with any bank rules", async () => {
  await fc.assert(
    fc.asyncProperty(ruledOn, moves, async (ruled, moved) => {
      const results = [];
      for (const order of [
        ["090", "091"],
        ["091", "090"],
      ] as const) {
        const given = await begun(ruled);
        for (const code of order) await imported(given, code, moved);
        for (const code of order) await reconciled(given, code);
        results.push(await outcome(given));
      }
      expect(results[1]).toEqual(results[0]);
    }),
    { numRuns: runs(48) },
  );
});

test("transfers are matched the same whichever bank file is imported first, with any bank rules", async () => {
  await fc.assert(
    fc.asyncProperty(ruledOn, moves, async (ruled, moved) => {
      const results = [];
      for (const order of [
        ["090", "091"],
        ["091", "090"],
      ] as const) {
        const given = await begun(ruled);
        for (const code of order) {
          await imported(given, code, moved);
          await reconciled(given, code);
        }
        results.push(await outcome(given));
      }
      expect(results[1]).toEqual(results[0]);
    }),
    { numRuns: runs(48) },
  );
});
