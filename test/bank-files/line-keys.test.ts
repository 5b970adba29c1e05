/** Lines of statements are known again: by the bank's id, else by what they tell, as a multiset. */
import { describe, expect, test } from "vitest";
import type { FormatName, StatementLine } from "../../src/bank-files/bank-statement.ts";
import {
  type BookLine,
  type ComparedLine,
  type ComparedStatement,
  compareLines,
} from "../../src/bank-files/comparison.ts";
import { keyLengthMax, LineKeys } from "../../src/bank-files/line-keys.ts";
import type { Cents } from "../../src/ledger/money.ts";
import { fc } from "../support/properties.ts";
import { only, sample } from "./statements.ts";

const account = { iban: "DE89370400440532013000" };

function line(given: Partial<StatementLine> = {}): StatementLine {
  return {
    date: "2026-01-05",
    amount: -1250 as Cents,
    currency: "EUR",
    isReturn: false,
    references: {},
    text: "Rent",
    parts: [],
    source: "",
    ...given,
  };
}

type Kept = ComparedLine & BookLine;

/** Lines as they are compared, of one file. */
function kept(
  format: FormatName,
  lines: readonly StatementLine[],
  statement: ComparedStatement = {},
): Kept[] {
  const keys = new LineKeys();
  const own = { format, ...statement };
  return lines.map((each) => ({
    key: keys.next(format, account, each),
    date: each.date,
    amount: each.amount,
    id: each.id,
    words: `${each.party?.name ?? ""} ${each.text}`,
    cells: each.cells,
    balance: each.balance,
    statement: own,
  }));
}

function add(book: readonly Kept[], file: readonly Kept[]) {
  const found = compareLines(book, file, file[0]?.statement ?? {});
  return { ...found, knownCount: found.known.length };
}
const keyOf = (format: FormatName, given: Partial<StatementLine>) =>
  kept(format, [line(given)])[0]?.key;

test("an OFX line is identified by id, date and amount: its text may change, and two lines may share an id", () => {
  expect(keyOf("ofx", { id: "1", text: "Rent" })).toBe(
    keyOf("ofx", { id: "1", text: "RENT MARCH" }),
  );
  expect(keyOf("ofx", { id: "1" })).not.toBe(keyOf("ofx", { id: "1", amount: -1 as Cents }));
  expect(keyOf("ofx", { id: "1" })).not.toBe(keyOf("ofx", { id: "1", date: "2026-01-06" }));
  expect(keyOf("ofx", { text: "Rent" })).not.toBe(keyOf("ofx", { text: "Fee" }));
});

test("an MT940 line is identified by its content, letter case and blanks aside", () => {
  expect(keyOf("mt940", { text: "Rent March" })).toBe(keyOf("mt940", { text: "RENT  MAR CH" }));
  for (const other of [
    { text: "Rent April" },
    { amount: -1251 as Cents },
    { date: "2026-01-06" },
    { currency: "USD" },
    { references: { endToEnd: "E1" } },
    { party: { name: "Acme" } },
  ]) {
    expect(keyOf("mt940", { text: "Rent March", ...other })).not.toBe(
      keyOf("mt940", { text: "Rent March" }),
    );
  }
});

test("the key of a statement line begins with its version and is short, however long the text", () => {
  const key = keyOf("mt940", { text: "x".repeat(10_000) }) ?? "";
  expect(key).toMatch(/^1c:/);
  expect(key.length).toBeLessThanOrEqual(keyLengthMax);
});

test("the line keys of one account are unique, also for equal lines, and begin again for another account", () => {
  const keys = new LineKeys();
  const first = [1, 2, 3].map(() => keys.next("qif", account, line()));
  expect(new Set(first).size).toBe(3);
  expect(keys.next("qif", { iban: "NL10BUNQ2290325473" }, line())).toBe(first[0]);
});

test("of n equal lines in a file, n - m are added to a book that has m of them, whatever the order", () => {
  const day = fc.integer({ min: 1, max: 4 }).map((each) => `2026-01-0${each}`);
  const some = fc.array(fc.record({ date: day, amount: fc.constantFrom(100, -100, 250) }), {
    maxLength: 12,
  });
  const lines = (of: readonly { date: string; amount: number }[]) =>
    kept(
      "mt940",
      of.map(({ date, amount }) => line({ date, amount: amount as Cents })),
    );
  const count = (of: readonly ComparedLine[], { date, amount }: { date: string; amount: number }) =>
    of.filter((each) => each.date === date && each.amount === amount).length;
  fc.assert(
    fc.property(some, some, (before, after) => {
      const [book, file] = [lines(before), lines(after)];
      const { added } = add(book, file);
      for (const each of after) {
        expect(count(added, each)).toBe(Math.max(0, count(file, each) - count(book, each)));
      }
      expect(add([...book, ...added], file).added).toEqual([]);
      expect(new Set([...book, ...added].map(({ key }) => key)).size).toBe(
        book.length + added.length,
      );
    }),
    { numRuns: 200 },
  );
});

test("a statement line that differs by one day or one cent from an existing line is added", () => {
  const book = kept("mt940", [line()]);
  const near = kept("mt940", [line({ date: "2026-01-06" }), line({ amount: -1251 as Cents })]);
  expect(add(book, near).added).toEqual(near);
});

test("statement lines dated before the last line of the book are added where they are missing", () => {
  const book = kept("mt940", [line({ date: "2026-01-31" })]);
  const late = kept("mt940", [line({ date: "2026-01-02" })]);
  expect(add(book, late).added).toEqual(late);
});

test("a line whose id the bank reuses for another line is added with a warning", () => {
  const book = kept("ofx", [line({ id: "7" })]);
  const result = add(book, kept("ofx", [line({ id: "7", amount: -300 as Cents })]));
  expect(result.added).toHaveLength(1);
  expect(result.sentences).toEqual([
    "The bank's id 7 of 2026-01-05 stands for another line in the book.",
  ]);
});

test("the same lines in another file format, or under new ids, are not added again; later days are added", () => {
  const days = [
    line({ id: "1" }),
    line({ id: "2", amount: 500 as Cents }),
    line({ id: "3", date: "2026-01-06" }),
  ];
  const book = kept("ofx", days);
  const later = line({ date: "2026-01-09" });
  const other = add(book, kept("mt940", [...days, later]));
  expect(other.added.map(({ date }) => date)).toEqual(["2026-01-09"]);
  expect(other.knownCount).toBe(3);
  expect(other.doubts).toEqual([]);
  const renumbered = days.map((each) => ({ ...each, id: `new-${each.id}` }));
  expect(add(book, kept("ofx", renumbered)).added).toEqual([]);
});

test("a line of the same day and amount under another id of the same bank is in doubt", () => {
  const book = kept("ofx", [line({ id: "1" })]);
  const { added, doubts } = add(book, kept("ofx", [line({ id: "2" })]));
  expect([added.length, doubts.length]).toEqual([0, 1]);
});

describe("statement lines of the same day and amount", () => {
  const ofx = (text: string) => kept("ofx", [line({ id: "1", text })]);
  const csv = (text: string, more: Partial<StatementLine> = {}) =>
    kept("csv", [line({ text, ...more })]);
  const told = (book: readonly Kept[], file: readonly Kept[]) => {
    const { added, known, doubts } = add(book, file);
    return { added: added.length, known: known.length, doubts: doubts.length };
  };

  test.each([
    ["shares a word of its text", "TIMBER YARD", "POS TIMBER YARD NELSON", "known"],
    ["lacks a text", "", "TIMBER YARD", "known"],
    ["has another text", "YARD NELSON", "TIMBER", "doubts"],
    ["shares a word of banks alone", "CARD TIMBER", "CARD COFFEE", "doubts"],
  ])(
    'a line of another file format that %s ("%s" in the book, "%s" in the file) counts as %s',
    (_, book, file, as) => {
      expect(told(ofx(book), csv(file))).toEqual({ added: 0, known: 0, doubts: 0, [as]: 1 });
    },
  );

  test("a line of the same day, amount, format and columns with another text is in doubt", () => {
    expect(told(csv("TIMBER"), csv("TIMBER YARD"))).toEqual({ added: 0, known: 0, doubts: 1 });
  });

  test("a CSV row with one column more, or with its columns in another order, is recognised as already imported", () => {
    const cells = ["05/01/2026", "-12.50", "Rent"];
    const book = csv("", { cells });
    for (const other of [[...cells, "900.00"], cells.toReversed()]) {
      expect(told(book, csv("Rent", { cells: other }))).toMatchObject({ known: 1 });
    }
    expect(told(book, csv("x", { cells: ["05/01/2026", "-12.50", "x"] }))).toMatchObject({
      doubts: 1,
    });
  });

  test("a CSV row read before with another date order or sign is recognised as already imported, with a warning", () => {
    const cells = ["05/01/2026", "12.50", "Rent"];
    const book = csv("Rent", { cells });
    for (const other of [{ amount: 1250 as Cents }, { date: "2026-05-01" }]) {
      const found = add(book, csv("Rent", { cells, ...other }));
      expect([found.added.length, found.knownCount]).toEqual([0, 1]);
      expect(found.sentences[0]).toMatch(/^1 line is in the book with another day or amount/);
    }
  });

  test("a CSV row that has no date of its own is not taken for an equal row of another day", () => {
    const cells = ["", "-3.00", "Coffee"];
    const book = csv("Coffee", { cells, date: "2026-02-03" });
    expect(told(book, csv("Coffee", { cells, date: "2026-03-02" }))).toMatchObject({ added: 1 });
  });

  test("equal lines on both sides of a boundary between two statements are both new", () => {
    const days = { from: "2026-01-05", to: "2026-01-05" } as const;
    const [first, second] = [
      { ...days, opening: 10000 as Cents, closing: 8750 as Cents },
      { ...days, opening: 8750 as Cents, closing: 7500 as Cents },
    ];
    const of = (statement: ComparedStatement) => kept("mt940", [line()], statement);
    expect(told(of(first), of(second))).toEqual({ added: 1, known: 0, doubts: 0 });
    expect(told(of(second), of(first))).toEqual({ added: 1, known: 0, doubts: 0 });
    expect(told(of(first), of(first))).toMatchObject({ known: 1 });
  });

  test.each<[string, number[], number[]]>([
    ["the opening balance of a longer one that it lies within", [1250, -1250, -300], [-1250]],
    ["the closing balance of a longer one that it lies within", [-300, -1250, 1250], [-1250]],
  ])("a statement that meets %s is not taken for adjacent", (_, longer, shorter) => {
    const days = ["2026-01-04", "2026-01-05", "2026-01-06"] as const;
    const balance = (count: number) =>
      (10000 + longer.slice(0, count).reduce((sum, each) => sum + each, 0)) as Cents;
    const at = longer.indexOf(shorter[0] ?? 0);
    const of = (from: number, to: number, isOneDay: boolean) => {
      const dayAt = (place: number) => (isOneDay ? days[1] : days[place]);
      const lines = longer
        .slice(from, to)
        .map((amount, place) => line({ amount: amount as Cents, date: dayAt(from + place) ?? "" }));
      return kept("mt940", lines, {
        ...{ from: dayAt(from), to: dayAt(to - 1) },
        ...{ opening: balance(from), closing: balance(to) },
      });
    };
    for (const isOneDay of [true, false]) {
      const [long, short] = [of(0, 3, isOneDay), of(at, at + 1, isOneDay)];
      expect(told(long, short)).toEqual({ added: 0, known: 1, doubts: 0 });
      expect(told(short, long)).toEqual({ added: 2, known: 1, doubts: 0 });
    }
  });

  test("matching balances do not decide about lines in doubt that sum to zero", () => {
    const both = [line({ amount: 1250 as Cents, text: "In" }), line()];
    const at = { opening: 500 as Cents, closing: 500 as Cents };
    expect(told(kept("mt940", both, at), kept("mt940", both, at))).toMatchObject({ known: 2 });
  });

  test("a line equal to an imported one but with another running balance is in doubt", () => {
    const [book, file] = [
      csv("Rent", { balance: 1 as Cents }),
      csv("Rent", { balance: 2 as Cents }),
    ];
    expect(told(book, file)).toEqual({ added: 0, known: 0, doubts: 1 });
  });
});

test("a batch is recognised as already imported by its id, whether or not it was split into its payments", () => {
  const whole = line({ id: "B1", amount: -3000 as Cents });
  const parts = [1, 2].map((place) =>
    line({
      id: `P${place}`,
      amount: (-1000 * place) as Cents,
      batch: { id: "B1", amount: -3000 as Cents, place, count: 2 },
    }),
  );
  const [unsplit, split] = [kept("camt", [whole]), kept("camt", parts)];
  expect(new Set(split.map(({ key }) => key)).size).toBe(2);
  expect(add(unsplit, split).added).toEqual([]);
  expect(add(split, unsplit).added).toEqual([]);
  expect(add(split, split).added).toEqual([]);
});

describe("payments of a batch and one line of their sum in another format", () => {
  const sum = { opening: 50_000 as Cents, closing: 53_000 as Cents };
  const amounts = (...all: number[]) =>
    all.map((amount, at) =>
      line({
        id: `P${at}`,
        amount: amount as Cents,
        text: `Payer ${at}`,
        batch: { id: "B1", amount: 3000 as Cents, place: at + 1, count: all.length },
      }),
    );
  const whole = line({ amount: 3000 as Cents, text: "Sammelgutschrift" });
  const told = (book: readonly Kept[], file: readonly Kept[]) => {
    const { added, knownCount, doubts } = add(book, file);
    return [added.length, knownCount, doubts.length];
  };

  test.each([[[1000, 2000]], [[500, 1500, 1000]], [[4000, -1000]]])(
    "of %s are known where both statements have the same balances, else in doubt, never added",
    (parts) => {
      for (const format of ["csv", "mt940", "qif"] as const) {
        const [split, one] = [kept("camt", amounts(...parts)), kept(format, [whole])];
        expect(told(split, one)).toEqual([0, 0, 1]);
        expect(told(one, split)).toEqual([0, 0, parts.length]);
        const [same, other] = [kept("camt", amounts(...parts), sum), kept(format, [whole], sum)];
        expect(told(same, other)).toEqual([0, parts.length, 0]);
        expect(told(other, same)).toEqual([0, parts.length, 0]);
      }
    },
  );

  test("are added where their sum is of another day or amount", () => {
    const split = kept("camt", amounts(1000, 2000));
    for (const other of [{ date: "2026-01-06" }, { amount: 3001 as Cents }])
      expect(told(split, kept("csv", [{ ...whole, ...other }]))).toEqual([1, 0, 0]);
  });
});

test("bank files imported a second time add no lines", () => {
  for (const name of [
    "php-mt940/Bunq.txt",
    "camt_parser/valid_example_v4.xml",
    "ofx-js/credit-card.qfx",
  ]) {
    const statement = only(sample(name));
    const file = kept(statement.format, statement.lines);
    expect(new Set(file.map(({ key }) => key)).size).toBe(statement.lineCount);
    expect(add([], file).added).toHaveLength(statement.lineCount);
    expect(add(file, kept(statement.format, statement.lines))).toMatchObject({
      added: [],
      knownCount: statement.lineCount,
      doubts: [],
      sentences: [],
    });
  }
});
