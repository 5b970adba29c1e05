/** Lines that come again: under their keys, under others, split into the payments of a batch or not. */
import { describe, expect, test } from "vitest";
import { type Json, type World, world } from "../fixture.ts";

const statements = "/Extensions/BankStatements";
const lines = "/Extensions/BankStatementLines";

interface Line {
  readonly Key: string;
  readonly Date: string;
  readonly Amount: number;
  readonly BankReference?: string;
}

/** Sends a statement. @returns what was added, known and said of it */
async function imported(given: World, StatementLines: readonly Line[], fields: object = {}) {
  const body = { BankAccount: { Code: "090" }, StatementLines, ...fields };
  const answer = await given.ok("PUT", statements, body);
  return told(answer.BankStatements[0]);
}

const told = ({ BankStatementID, LinesAdded, LinesKnown, Doubts = [], Warnings = [] }: Json) => ({
  id: String(BankStatementID),
  added: LinesAdded,
  known: LinesKnown,
  doubts: Doubts.length,
  said: Warnings.map(({ Message }: Json) => Message),
});

const count = async (given: World) =>
  (await given.ok("GET", lines)).BankStatementLines.length as number;

const line = (
  kind: "i" | "c",
  id: string,
  day: number,
  Amount: number,
  more: object = {},
): Line => ({
  Key: `1${kind}:${id}`,
  Date: `2026-03-${String(day).padStart(2, "0")}`,
  Amount,
  ...more,
});
const march = (kind: "i" | "c", mark: string) => [
  line(kind, `${mark}1`, 3, 10),
  line(kind, `${mark}2`, 3, -4),
  line(kind, `${mark}3`, 5, 10),
];

describe("importing bank lines of days that the book already has", () => {
  test.each([
    ["in another format", "c"],
    ["under new ids of the bank", "i"],
  ] as const)(
    "bank lines imported again %s are not added, and lines of later days are",
    async (_, kind) => {
      const given = await world();
      await imported(given, march("i", "a"));
      const again = await imported(given, [...march(kind, "b"), line(kind, "b4", 9, 7)]);
      expect(again).toMatchObject({ added: 1, known: 3, doubts: 0, said: [] });
      expect(await count(given)).toBe(4);
    },
  );

  test("in a statement imported again with one changed amount, only the changed line is added", async () => {
    const given = await world();
    await imported(given, march("i", "a"));
    const [first, second, third] = march("c", "b") as [Line, Line, Line];
    const again = await imported(given, [first, second, { ...third, Amount: 11 }]);
    expect(again).toMatchObject({ added: 1, known: 2, said: [] });
  });

  test("bank lines of a single day imported again under other ids of the bank need a decision: add or skip", async () => {
    const given = await world();
    const half = (mark: string) => [1, 2, 3].map((at) => line("i", `${mark}${at}`, 3, 5));
    await imported(given, half("a"));
    expect(await imported(given, half("b"))).toMatchObject({ added: 0, known: 0, doubts: 3 });
    const add = { OnDuplicate: "add" };
    expect(await imported(given, half("b"), add)).toMatchObject({ added: 3, doubts: 0 });
    const skip = { OnDuplicate: "skip" };
    expect(await imported(given, half("c"), skip)).toMatchObject({ added: 0, known: 3 });
  });

  test("equal lines in a later part of the same statement are added as new", async () => {
    const given = await world();
    const { id } = await imported(given, march("i", "a"));
    const more = await given.ok("POST", statements, {
      BankStatementID: id,
      StatementLines: march("i", "b"),
    });
    expect(told(more.BankStatements[0])).toMatchObject({ added: 6, known: 0, said: [] });
    const again = await given.ok("POST", `${statements}/${id}`, {
      StatementLines: march("i", "b"),
    });
    expect(told(again.BankStatements[0])).toMatchObject({ added: 6, known: 3, said: [] });
  });
});

test("a bank line whose bank id belongs to another line in the book is added, with a warning", async () => {
  const given = await world();
  await imported(given, [line("i", "a", 3, 10, { BankReference: "77" })]);
  const again = await imported(given, [line("i", "b", 4, 10, { BankReference: "77" })]);
  expect(again).toMatchObject({ added: 1, known: 0 });
  expect(again.said).toEqual([
    "The bank's id 77 of 2026-03-04 stands for another line in the book.",
  ]);
});

test.each([
  ["whole, then split", false],
  ["split, then whole", true],
])("a batch payment imported %s is recognised as a known bank line", async (_, isSplitFirst) => {
  const given = await world();
  const whole = [line("i", "a", 3, 30)];
  const split = [line("i", "a/1", 3, 10), line("i", "a/2", 3, 20)];
  await imported(given, isSplitFirst ? split : whole);
  expect(await imported(given, isSplitFirst ? whole : split)).toMatchObject({ added: 0 });
});

describe("import of the statement after the last one", () => {
  const whole = (FromDate: string, ToDate: string, place: string, fields: object = {}) => ({
    FromDate,
    ToDate,
    Number: place,
    ...fields,
  });

  test("a statement that leaves out days and money after the last statement is imported with warnings", async () => {
    const given = await world();
    const { said } = await imported(
      given,
      [],
      whole("2026-03-01", "2026-03-31", "3", { OpeningBalance: 0, ClosingBalance: 100 }),
    );
    expect(said).toEqual([]);
    const next = whole("2026-04-05", "2026-04-30", "5", { OpeningBalance: 90 });
    expect((await imported(given, [], next)).said).toEqual([
      "The statement begins at 90.00, but on 31 Mar 2026 the account had 100.00: lines between are missing.",
      "The statement has the number 5, the last one 3.",
      "Nothing is there from 2026-04-01 to 2026-04-04.",
    ]);
  });

  test("a statement that opens with the last closing balance is imported without warning, whatever its number", async () => {
    const given = await world();
    const balances = { OpeningBalance: 0, ClosingBalance: 100 };
    await imported(given, [], whole("2026-03-01", "2026-03-31", "3", balances));
    const next = whole("2026-04-05", "2026-04-30", "7", { OpeningBalance: 100 });
    expect((await imported(given, [], next)).said).toEqual([]);
  });
});

test("of two imported bank lines that may equal the same line of the book, none is added without a decision", async () => {
  const given = await world();
  await imported(given, [line("c", "a", 3, -5, { Payee: "NELSON" })]);
  const two = ["TIMBER", "GRAVEL"].map((Payee) => line("i", Payee, 3, -5, { Payee }));
  expect(await imported(given, two)).toMatchObject({ added: 0, doubts: 2 });
  const skip = { OnDuplicate: "skip" };
  expect(await imported(given, two, skip)).toMatchObject({ added: 1, known: 1, doubts: 0 });
  expect(await count(given)).toBe(2);
});

test("a bank line that has half of its words with one of the book, the goods alone, needs a decision", async () => {
  const given = await world();
  const coffee = (key: string, Payee: string, Description: string) =>
    line("c", key, 11, -12.5, { Payee, Description });
  await imported(given, [coffee("a", "GRAVEL", "TRANSFER COFFEE")]);
  const other = [coffee("b", "HARBOUR", "VISA PURCHASE COFFEE")];
  expect(await imported(given, other, { Format: "mt940" })).toMatchObject({ added: 0, doubts: 1 });
  const same = [coffee("c", "GRAVEL", "POS COFFEE")];
  expect(await imported(given, same, { Format: "mt940" })).toMatchObject({ known: 1, doubts: 0 });
});
