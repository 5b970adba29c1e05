/** QIF: files of programs and banks, and what goes wrong in them. */
import { describe, expect, test } from "vitest";
import { checkChunks, only, read, refusal, rows, sample } from "./statements.ts";

const file = (...records: string[]) =>
  `!Type:Bank\n${records.map((each) => `${each}\n^\n`).join("")}`;
const dated = (...dates: string[]) => file(...dates.map((date) => `D${date}\nT1.00`));
const datesOf = (text: string, options = {}) => only(text, options).lines.map(({ date }) => date);

test("QIF records have date, amount, payee, memo, number and the splits that make up the amount", () => {
  const statement = only(sample("qif2json/normalTransactions.qif"), { dateOrder: "mdy" });
  expect(rows(statement)).toEqual([
    ["1994-06-01", -100_000, "Bank Of Mortgage", ""],
    ["1994-06-02", 7500, "Deposit", ""],
    ["1994-06-03", -1000, "JoBob Biggs", "J.B. gets bucks"],
  ]);
  expect(statement.lines[0]).toMatchObject({
    references: { cheque: "1005" },
    parts: [
      { kind: "split", amount: -25_364, text: "[linda]" },
      { kind: "split", amount: -74_636, text: "Mort Int" },
    ],
  });
  expect(statement.lines[2]?.parts).toEqual([{ kind: "split", amount: -1000, text: "Entertain" }]);
});

test("QIF files in UTF-8 and in windows-1252 are read with the right characters", () => {
  expect(rows(only(sample("qif2json/utf8.qif")))).toEqual([
    ["2010-03-03", -37_900, "SOME £$™€ CHARACTERS", ""],
  ]);
  expect(only(sample("qif2json/windows-1252.qif")).lines[0]?.party?.name).toMatch(
    /^SOME £\$™€ CHARACTERS$/,
  );
});

test.each([
  ["28.02'2009", "2009-02-28"],
  ["28/ 2'26", "2026-02-28"],
  ["28/2/26", "2026-02-28"],
  ["28/ 2'94", "1994-02-28"],
  ["2/28' 0", "2000-02-28"],
  ["2026-02-28", "2026-02-28"],
  ["28 Feb 2026", "2026-02-28"],
])("the QIF date %s is read", (written, date) => {
  expect(datesOf(dated(written))).toEqual([date]);
});

test("one date with a part over 12 decides the date order of the whole QIF file", () => {
  expect(datesOf(dated("01/02/26", "03/02/26", "28/02/26"))).toEqual([
    "2026-02-01",
    "2026-02-03",
    "2026-02-28",
  ]);
  expect(datesOf(dated("02/01/26", "02/03/26", "02/28/26"))).toEqual([
    "2026-02-01",
    "2026-02-03",
    "2026-02-28",
  ]);
});

test("if no part is over 12, the date order in which the days only rise or only fall is taken", () => {
  // As months first: 2 January, 2 March, 3 January.
  expect(datesOf(dated("01/02/2026", "03/02/2026", "01/03/2026"))).toEqual([
    "2026-02-01",
    "2026-02-03",
    "2026-03-01",
  ]);
  expect(datesOf(dated("03/01/2026", "02/03/2026", "02/01/2026"))).toEqual([
    "2026-03-01",
    "2026-02-03",
    "2026-02-01",
  ]);
});

test("dates with dots are read day first; with a two-digit year the order must follow from other dates or a flag", () => {
  expect(datesOf(dated("05.01.2026"))).toEqual(["2026-01-05"]);
  expect(datesOf(dated("26/01/31"), { dateOrder: "ymd" })).toEqual(["2026-01-31"]);
  expect(datesOf(dated("99/01/31", "09/02/28"))).toEqual(["1999-01-31", "2009-02-28"]);
});

test("an undecided date order is refused with a question, and the given order is used", () => {
  const error = refusal(dated("01/02/2026", "02/03/2026"));
  expect(error.code).toBe("Ambiguous");
  expect(error.message).toBe(
    'Dates of the file such as "01/02/2026" are in one of several orders. --date-order dmy or --date-order mdy settles it.',
  );
  expect(datesOf(dated("01/02/2026", "02/03/2026"), { dateOrder: "mdy" })).toEqual([
    "2026-01-02",
    "2026-02-03",
  ]);
  expect(refusal(dated("28/02/2026"), { dateOrder: "mdy" }).code).toBe("BadDate");
});

test("one amount with a clear decimal mark decides the decimal mark of the whole QIF file", () => {
  const amounts = (...written: string[]) =>
    only(file(...written.map((amount) => `D2026-01-05\nT${amount}`))).lines.map(
      ({ amount }) => amount,
    );
  expect(amounts("1,000", "12.50")).toEqual([100_000, 1250]);
  expect(amounts("1.000", "12,50")).toEqual([100_000, 1250]);
  expect(amounts("1,234,567.89")).toEqual([123_456_789]);
  expect(() => amounts("1,000")).toThrow(/decimal mark/);
});

test("a QIF record with amounts in fields T and U takes T, and takes U where T is missing", () => {
  const of = (fields: string) => only(file(`D2026-01-05\n${fields}`)).lines[0]?.amount;
  expect(of("U5.00\nT5.00")).toBe(500);
  expect(of("U5.00")).toBe(500);
});

test("a QIF opening balance record, which names its own account, does not become a statement line", () => {
  const statement = only(
    file("D2026-01-01\nT500.00\nPOpening Balance\nL[Cheque]", "D2026-01-05\nT1.00"),
  );
  expect(statement).toMatchObject({ lineCount: 1, sum: 100 });
});

test("QIF account records name the account of the records that follow; investments and lists are skipped", () => {
  const text = `!Account\nNCheque\nTBank\n^\n!Type:Bank\nD2026-01-05\nT1.00\n^\n!Type:Invst\nD2026-01-06\nNBuy\nT9.00\n^\n!Account\nNVisa\nTCCard\n^\n!Type:CCard\nD2026-01-07\nT-2.00\n^\n!Type:Cat\nNFood\n^\n`;
  expect(read(text).map(({ account, sum }) => [account, sum])).toEqual([
    [{ name: "Cheque", type: "bank" }, 100],
    [{ name: "Visa", type: "ccard" }, -200],
  ]);
});

test.each([
  ["of investments", sample("qif2json/investments.qif"), "NotStatement", /no lines of an account/],
  ["of memorised payments", sample("qif2json/memorizedList.qif"), "NotStatement", /memorised/],
  [
    "whose parts make another amount",
    file("D2026-01-05\nT5.00\nSFood\n$4.00"),
    "BadFile",
    /parts of a record.*line 2/,
  ],
  ["with a record without a date", file("T5.00"), "BadDate", /no date.*line 2/],
  ["with a day that does not exist", file("D31/02/2026\nT5.00"), "BadDate", /in no one order/],
  [
    "with an amount that is none",
    file("D2026-01-05\nTfive"),
    "BadAmount",
    /"five" is no amount.*line 2/,
  ],
  [
    "with a record of 20,000 lines",
    file(`D2026-01-05\n${"AX\n".repeat(20_000)}T1`),
    "TooMuch",
    /more than 10000/,
  ],
] as const)("a QIF file %s is refused with the reason", (_, bytes, code, sentence) => {
  const error = refusal(bytes);
  expect(error.code).toBe(code);
  expect(error.message).toMatch(sentence);
});

test.each([
  ["CCard", {}],
  ["Bank", { isCard: true }],
])(
  "a QIF file of type %s whose amounts are all positive is asked about for a card",
  (type, facts) => {
    const text = `!Type:${type}\nD2026-03-16\nT57.50\nPTimber\nSTools\n$57.50\n^\n`;
    const accountOf = () => facts;
    expect(refusal(text, { accountOf }).message).toContain(
      "--reversed or --no-reversed settles it.",
    );
    const [line] = only(text, { accountOf, isReversed: true }).lines;
    expect([line?.amount, line?.parts[0]?.amount]).toEqual([-5750, -5750]);
    expect(only(text, { accountOf, isReversed: false }).sum).toBe(5750);
    expect(only(`${text}D2026-03-17\nT-1.00\n^\n`, { accountOf }).sum).toBe(5650);
  },
);

test("a QIF file read in chunks of any size gives the same lines", () => {
  checkChunks(sample("qif2json/normalTransactions.qif"), { dateOrder: "mdy" });
  checkChunks(sample("qif2json/windows-1252.qif"));
});

describe("an ambiguous date order in a QIF file", () => {
  const open = file("D08/07/2026\nT1,234", "D09/07/2026\nT5,678");
  const account = { currency: "AUD", country: "AU", isOwnCurrency: true };
  const readBy = (facts: object) => only(open, { accountOf: () => ({ ...account, ...facts }) });

  test("an ambiguous date order and decimal mark are read as the account's country writes them, with a warning", () => {
    const { lines, warnings } = readBy({});
    expect(lines.map(({ date, amount }) => [date, amount])).toEqual([
      ["2026-07-08", 123_400],
      ["2026-07-09", 567_800],
    ]);
    expect(warnings).toEqual([
      "Days are read day first, as in AU: 08/07/2026 is 8 July 2026; --date-order mdy reads them otherwise.",
      "The decimal mark is the point, as in AU: 1,234 is 1234.00; --decimal comma reads it otherwise.",
    ]);
  });

  test("an ambiguous date order and decimal mark are read as settled for the account before", () => {
    const { lines } = readBy({ settled: { qif: { dateOrder: "mdy", decimal: "point" } } });
    expect(lines.map(({ date }) => date)).toEqual(["2026-08-07", "2026-09-07"]);
  });

  test.each([
    ["in another currency", { isOwnCurrency: false }],
    ["in Canada", { country: "CA" }],
  ])("an ambiguous date order is refused with a question for an account %s", (_, facts) => {
    expect(() => readBy(facts)).toThrow(/--date-order dmy or --date-order mdy settles it/);
  });

  test("a date with a part over 12 decides the date order, against the usual order of the country", () => {
    const evident = file("D08/13/2026\nT1.00", "D08/07/2026\nT1.00");
    const [, second] = only(evident, { accountOf: () => account }).lines;
    expect(second?.date).toBe("2026-08-07");
  });
});
