/** Statements: taken away again with what came with them, and what they tell of balances. */
import { describe, expect, test } from "vitest";
import { faultsIn, type Json, type World, world } from "../fixture.ts";
import { undone } from "../operations/undoing.ts";

const statements = "/Extensions/BankStatements";
const lines = "/Extensions/BankStatementLines";

const line = (day: number, Amount: number, more: Json = {}): Json => ({
  Key: `1c:${day}:${Amount}:${more.Payee ?? ""}:${more.Description ?? ""}`,
  Date: `2026-03-${String(day).padStart(2, "0")}`,
  Amount,
  ...more,
});

async function imported(given: World, StatementLines: readonly Json[], fields: object = {}) {
  const body = {
    BankAccount: { Code: "090" },
    Source: "march.csv",
    Format: "csv",
    StatementLines,
    ...fields,
  };
  return (await given.ok("PUT", statements, body)).BankStatements[0] as Json;
}

const listed = async (given: World): Promise<Json[]> =>
  (await given.ok("GET", lines, undefined, { query: { order: "Date" } })).BankStatementLines;

const shown = async (given: World) =>
  (await listed(given)).map(({ Amount, Payee, Description, BankStatementID }) => ({
    Amount,
    Payee,
    Description,
    BankStatementID,
  }));

const removed = (given: World, { BankStatementID }: Json) =>
  given.ok("DELETE", `${statements}/${BankStatementID}`);

describe("a bank statement that is removed", () => {
  test("removing a statement removes its lines, and undo restores both", async () => {
    const given = await world();
    const made = await imported(
      given,
      [
        line(3, 10, { Payee: "Cafe", References: ["A", "B"], Cells: ["3", "10"], Balance: 110 }),
        line(4, -5),
      ],
      { OpeningBalance: 100, ClosingBalance: 105, FromDate: "2026-03-01", ToDate: "2026-03-04" },
    );
    const before = await listed(given);
    await removed(given, made);
    expect(await listed(given)).toEqual([]);
    await undone(given);
    const bare = (all: readonly Json[]) =>
      all.map(({ BankStatementLineID, BankStatementID, Handle, UpdatedDateUTC, ...rest }) => rest);
    expect(bare(await listed(given))).toEqual(bare(before));
    const [again] = (await given.ok("GET", statements)).BankStatements;
    expect(again).toMatchObject({ OpeningBalance: 100, ClosingBalance: 105, LinesAdded: 2 });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("removing a statement keeps lines that another statement also has", async () => {
    const given = await world();
    const first = await imported(given, [line(3, 10), line(4, -5)]);
    const second = await imported(given, [line(4, -5), line(5, 7)]);
    expect(second).toMatchObject({ LinesAdded: 1, LinesKnown: 1 });
    await removed(given, first);
    expect(await shown(given)).toMatchObject([
      { Amount: -5, BankStatementID: second.BankStatementID },
      { Amount: 7, BankStatementID: second.BankStatementID },
    ]);
    await removed(given, second);
    expect(await listed(given)).toEqual([]);
  });

  test("removing a statement with reconciled lines is refused, with the lines and the remedy in the message", async () => {
    const given = await world();
    const made = await imported(given, [line(3, 10, { Payee: "Cafe" }), line(4, -5)]);
    const [{ BankStatementLineID: id }] = (await listed(given)) as [Json];
    await given.ok("POST", `${lines}/${id}/Match`, { Lines: [{ AccountCode: "200" }] });
    expect(await given.refused("DELETE", `${statements}/${made.BankStatementID}`)).toEqual([
      `1 line of the statement is reconciled: 2026-03-03 10.00 Cafe. Take that back first: acct bank unmatch ${id}`,
    ]);
  });

  test("removing a statement with a line in a locked period is refused", async () => {
    const given = await world();
    const made = await imported(given, [line(3, 10)]);
    await given.ok("POST", "/Organisation/Settings", { PeriodLockDate: "2026-03-31" });
    expect(await given.refused("DELETE", `${statements}/${made.BankStatementID}`)).toEqual([
      "A line of the statement is of 2026-03-03, and the book is locked up to 2026-03-31.",
    ]);
  });
});

describe("a known line that is imported again with more text", () => {
  test("a bank line imported again gets the longer text, logs it in its history, and loses it with that statement", async () => {
    const given = await world();
    await imported(given, [line(3, 10, { Cells: ["3", "10", "Cafe"] })]);
    const more = [line(3, 10, { Payee: "Cafe", Description: "INV-1", Cells: ["Cafe", "10", "3"] })];
    const again = await imported(given, more);
    expect(again).toMatchObject({ LinesAdded: 0, LinesKnown: 1, LinesBettered: 1 });
    const [{ BankStatementLineID: id }] = (await listed(given)) as [Json];
    expect(await shown(given)).toMatchObject([{ Payee: "Cafe", Description: "INV-1" }]);
    const { HistoryRecords } = await given.ok("GET", `${lines}/${id}/History`);
    expect(HistoryRecords[0].Details).toBe("march.csv tells more of it: payee, description.");
    expect(await imported(given, more)).toMatchObject({ LinesKnown: 1, LinesBettered: 0 });
    await undone(given);
    await undone(given);
    expect(await shown(given)).toMatchObject([{ Amount: 10, Payee: undefined }]);
  });

  test("a reconciled bank line that is imported again with more text stays reconciled", async () => {
    const given = await world();
    await imported(given, [line(3, 10, { Cells: ["3", "10", "Cafe"] })]);
    const [{ BankStatementLineID: id }] = (await listed(given)) as [Json];
    const Contact = { Name: "Cafe" };
    await given.ok("POST", `${lines}/${id}/Match`, { Lines: [{ AccountCode: "200" }], Contact });
    await imported(given, [line(3, 10, { Payee: "Cafe", Cells: ["3", "10", "Cafe"] })]);
    expect(await listed(given)).toMatchObject([{ Status: "RECONCILED", Payee: "Cafe" }]);
    expect(await faultsIn(given)).toEqual([]);
  });
});

test.each([
  ["COUNTED", {}],
  ["FILE", { OpeningBalance: 0, ClosingBalance: 10 }],
  ["TYPED", { OpeningBalance: 0, ClosingBalance: 10, BalanceSource: "TYPED" }],
])(
  "the source %s of a statement balance is returned on import, and when the statement is read",
  async (source, fields) => {
    const given = await world();
    const march = { FromDate: "2026-03-01", ToDate: "2026-03-31" };
    const made = await imported(given, [line(3, 10)], { ...march, ...fields });
    const path = `${statements}/${made.BankStatementID}`;
    expect(made.BalanceSource).toBe(source);
    expect((await given.ok("GET", path)).BankStatements[0].BalanceSource).toBe(source);
    const [changed] = (await given.ok("POST", path, { StatementLines: [line(4, 5)] }))
      .BankStatements;
    const [read] = (await given.ok("GET", path)).BankStatements;
    expect(changed.BalanceSource).toBe(read.BalanceSource);
  },
);

test("a statement without balances shows balances computed from the previous statement, if that has one", async () => {
  const given = await world();
  const read = async (id: string) =>
    (await given.ok("GET", `${statements}/${id}`)).BankStatements[0] as Json;
  const april = { FromDate: "2026-04-01", ToDate: "2026-04-30" };
  const silent = await imported(given, [line(30, 5, { Date: "2026-04-02" })], april);
  expect(await read(silent.BankStatementID)).not.toHaveProperty("CountedOpening");
  const march = { FromDate: "2026-03-01", ToDate: "2026-03-31", OpeningBalance: 2 };
  await imported(given, [line(3, 10)], { ...march, ClosingBalance: 12 });
  const shown = await read(silent.BankStatementID);
  expect(shown).toMatchObject({ CountedOpening: 12, CountedClosing: 17, BalanceSource: "COUNTED" });
  expect(shown).not.toHaveProperty("ClosingBalance");
  const [listed] = (await given.ok("GET", statements)).BankStatements;
  expect(listed).not.toHaveProperty("CountedClosing");
});

describe("a closing balance entered by a person", () => {
  const march = { FromDate: "2026-03-01", ToDate: "2026-03-31" };

  test("an entered closing balance equals opening balance plus lines, or is refused with the difference", async () => {
    const given = await world();
    const made = await imported(given, [line(3, 10)], march);
    expect((await given.ok("GET", statements)).BankStatements[0].BalanceSource).toBe("COUNTED");
    const path = `${statements}/${made.BankStatementID}`;
    const typed = { OpeningBalance: 100, ClosingBalance: 120, BalanceSource: "TYPED" };
    expect(await given.refused("POST", path, typed)).toEqual([
      "100.00 before 1 Mar 2026 and lines of 10.00 make 110.00, but the closing balance is 120.00: 10.00 are missing (--allow-gap takes it as it is).",
    ]);
    const [kept] = (await given.ok("POST", path, { ...typed, AllowGap: true })).BankStatements;
    expect(kept).toMatchObject({ Gap: 10, BalanceSource: "TYPED" });
    const [right] = (await given.ok("POST", path, { ...typed, ClosingBalance: 110 }))
      .BankStatements;
    expect(right).toMatchObject({ ClosingBalance: 110, LinesAdded: 1 });
    expect(right.Gap).toBeUndefined();
  });
});

test("a bank line whose key another day of the account already uses is added under a numbered key", async () => {
  const given = await world();
  const one = (day: number) => ({
    Key: "a",
    Date: `2026-03-0${day}`,
    Amount: 1,
    Description: `Line ${day}`,
  });
  for (const day of [1, 2, 3]) await imported(given, [one(day)]);
  expect((await listed(given)).map(({ Description }) => Description)).toEqual(
    [1, 2, 3].map((day) => `Line ${day}`),
  );
});
