/** CSV as banks give it: columns, dates, marks and signs that the file does not tell. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { SettledReading } from "../../src/bank-files/bank-statement.ts";
import { isOtherCurrency } from "../../src/bank-files/bank-values.ts";
import { writeDecimal } from "../../src/resources/decimal.ts";
import { fc } from "../support/properties.ts";
import { checkChunks, only, read, refusal, rows } from "./statements.ts";

/** Of files that have neither text nor other party. */
const bare = { columns: { text: "" } };
const amountsOf = (text: string, options = {}) =>
  only(text, { ...bare, ...options }).lines.map(({ amount }) => amount);
const datesOf = (text: string, options = {}) =>
  only(text, { ...bare, ...options }).lines.map(({ date }) => date);

test.each([
  ["comma", "Date,Description,Amount\n2026-01-05,Rent,-12.50\n"],
  ["semicolon", "Buchungstag;Verwendungszweck;Betrag\n05.01.2026;Rent;-12,50\n"],
  ["tab", "Datum\tOmschrijving\tBedrag (EUR)\n2026-01-05\tRent\t-12,50\n"],
  ["sep line", "sep=;\nDate;Memo;Amount\n2026-01-05;Rent;-12.50\n"],
  ["two amounts", "Date,Details,Money Out,Money In\n2026-01-05,Rent,12.50,\n"],
  ["negative debits", "Date,Details,Debit,Credit\n2026-01-05,Rent,-12.50,\n"],
  ["a flag", "Datum;Mededelingen;Af Bij;Bedrag\n20260105;Rent;Af;12,50\n"],
  ["quotes and a mark", '\ufeff"Date","Description","Amount"\r\n"2026-01-05","Rent","-12.50"\r\n'],
])("a CSV file with %s as delimiter is recognised by its heading", (_, text) => {
  expect(rows(only(text, { dateOrder: "dmy" }))).toEqual([
    ["2026-01-05", -1250, undefined, "Rent"],
  ]);
});

test("columns are chosen by heading or number; several columns may make up the text", () => {
  const text = "When,What,More,Sum\n2026-01-05,Rent,March,1.00\n";
  expect(rows(only(text, { columns: { date: "when", amount: "SUM", text: "What|More" } }))).toEqual(
    [["2026-01-05", 100, undefined, "Rent March"]],
  );
  expect(
    rows(
      only("2026-01-05,Rent,1.00\n2026-01-06,Fee,2.00", {
        columns: { date: "1", text: "2", amount: "3" },
      }),
    ),
  ).toEqual([
    ["2026-01-05", 100, undefined, "Rent"],
    ["2026-01-06", 200, undefined, "Fee"],
  ]);
});

test("a preamble, totals and a section of pending lines do not become statement lines", () => {
  const text = `Account statement;;
IBAN;DE89370400440532013000;

Date;Description;Amount
Pending;;
2026-01-08;Hotel;-99,00
Booked;;
2026-01-07;Rent;-12,50
2026-01-05;Sale;20,00
;Total;7,50
`;
  const statement = only(text);
  expect(rows(statement).map(([date]) => date)).toEqual(["2026-01-07", "2026-01-05"]);
  expect(statement).toMatchObject({
    pending: 1,
    sum: 750,
    warnings: [
      "Row 10 is a sum, 7.50, and no line.",
      "1 pending row of -99.00 is left out; it comes again when it is booked.",
    ],
  });
});

test("CSV rows whose status is pending are counted, and do not become statement lines", () => {
  const text =
    "Date,Amount,Status\n2026-01-05,1.00,COMPLETED\n2026-01-06,2.00,PENDING\n2026-01-07,3.00,REVERTED\n";
  const statement = only(text, bare);
  expect(statement).toMatchObject({ lineCount: 1, pending: 2 });
  expect(statement.reading?.leftOut).toEqual([
    expect.objectContaining({ row: 3, reason: "pending", date: "2026-01-06", amount: 200 }),
    expect.objectContaining({ row: 4, reason: "not booked", date: "2026-01-07", amount: 300 }),
  ]);
});

test.each([
  ["12,50-", -1250],
  ["(19.47)", -1947],
  ["1'000.00", 100_000],
  ["1\u00a0000,00", 100_000],
  ["€ 5,00", 500],
  ["-€5.00", -500],
  ["5,00 €", 500],
  ["EUR 1.234,56", 123_456],
  ["−5.00", -500],
  ["475,-", 47_500],
  ["-1.475,--", -147_500],
  ["475,–", 47_500],
  ["1.234.567,8", 123_456_780],
])("the CSV amount %s is read", (written, cents) => {
  expect(amountsOf(`Date;Amount\n2026-01-05;${written}\n`)).toEqual([cents]);
});

test("an ambiguous amount such as 1.000 is read with the decimal mark that another amount shows, or refused", () => {
  expect(amountsOf("Date;Amount\n2026-01-05;1.000\n2026-01-06;12,50\n")).toEqual([100_000, 1250]);
  expect(refusal("Date;Amount\n2026-01-05;1.000\n").code).toBe("Ambiguous");
  expect(amountsOf("Date;Amount\n2026-01-05;1.000\n", { decimal: "comma" })).toEqual([100_000]);
});

test.each([
  ["D", "C", [-100, 200]],
  ["DBIT", "CRDT", [-100, 200]],
  ["S", "H", [-100, 200]],
  ["-", "+", [-100, 200]],
  ["OUT", "IN", [-100, 200]],
  ["Debet", "Credit", [-100, 200]],
])(
  "in a column of debit and credit marks, %s makes the amount negative and %s positive",
  (minus, plus, amounts) => {
    expect(
      amountsOf(`Date,Amount,Debit/Credit\n2026-01-05,1.00,${minus}\n2026-01-06,2.00,${plus}\n`),
    ).toEqual(amounts);
  },
);

test("the running balances decide the sign, the direction and the order of dates", () => {
  const reversed =
    "Date,Amount,Balance\n2026-01-05,10.00,90.00\n2026-01-06,5.00,85.00\n2026-01-07,-20.00,105.00\n";
  expect(only(reversed, bare)).toMatchObject({
    sum: 500,
    opening: { amount: 10_000 },
    closing: { amount: 10_500, date: "2026-01-07" },
  });
  const newestFirst =
    "Date,Amount,Balance\n04/01/2026,5.00,25.00\n03/01/2026,10.00,20.00\n02/02/2026,10.00,10.00\n";
  expect(only(newestFirst, bare)).toMatchObject({
    opening: { amount: 0 },
    closing: { amount: 2500, date: "2026-04-01" },
  });
});

test("a credit card file is read with its signs reversed where the mapping says so", () => {
  expect(amountsOf("Date,Amount\n2026-01-05,10.00\n", { isReversed: true })).toEqual([-1000]);
});

test("a missing row is detected by the running balance", () => {
  const text =
    "Date,Amount,Balance\n2026-01-05,10.00,10.00\n2026-01-06,5.00,15.00\n2026-01-08,1.00,26.00\n2026-01-09,1.00,27.00\n";
  const { code, message } = refusal(text, bare);
  expect([code, message]).toEqual([
    "Balance",
    "Row 4: 15.00 and 1.00 make 16.00, but the balance is 26.00: 10.00 are missing. --allow-gap or --map balance= settles it.",
  ]);
  expect(only(text, { ...bare, allowGap: true, isReversed: false })).toMatchObject({
    lineCount: 4,
    opening: { amount: 0 },
    closing: { amount: 2700 },
  });
  expect(amountsOf(text, { columns: { text: "", balance: "" }, isReversed: false })).toHaveLength(
    4,
  );
});

test("sign, row order and decimal mark of a CSV file are detected from its running balances", () => {
  const amounts = fc.array(
    fc.integer({ min: -99_999, max: 99_999 }).filter((each) => each !== 0),
    { minLength: 4, maxLength: 20 },
  );
  const form = fc.record({
    isReversed: fc.boolean(),
    isNewestFirst: fc.boolean(),
    comma: fc.boolean(),
  });
  fc.assert(
    fc.property(
      amounts,
      fc.integer({ min: -9999, max: 9999 }),
      form,
      (cents, opening, { isReversed, isNewestFirst, comma }) => {
        // Equal amounts are the same in both directions.
        fc.pre(new Set(cents.map(Math.abs)).size > 2);
        let balance = opening;
        const lines = cents.map((amount, at) => {
          balance += amount;
          const written = [isReversed ? -amount : amount, balance].map((each) =>
            writeDecimal(each, 2),
          );
          return [`2026-03-${String(at + 1).padStart(2, "0")}`, ...written].join(";");
        });
        if (isNewestFirst) lines.reverse();
        const text = `Date;Amount;Balance\n${lines.join("\n")}\n`;
        const statement = only(comma ? text.replaceAll(".", ",") : text, bare);
        expect(statement.opening?.amount).toBe(opening);
        expect(statement.closing?.amount).toBe(balance);
        expect(statement.sum).toBe(balance - opening);
      },
    ),
    { numRuns: 60 },
  );
});

test("dates and references that a spreadsheet changed are restored, and ids in powers of ten are dropped", () => {
  expect(datesOf("Date,Amount\n46000,1.00\n")).toEqual(["2025-12-09"]);
  expect(
    only('Date,Amount,Reference\n2026-01-05,1.00,"=""00123"""\n').lines[0]?.references.customer,
  ).toBe("00123");
  expect(only("Date,Amount,ID\n2026-01-05,1.00,1.23E+15\n", bare).lines[0]?.id).toBeUndefined();
});

test("a transaction id is used only where it is unique in the file", () => {
  const ids = (...written: string[]) =>
    only(
      `Date,Amount,Transaction ID\n${written.map((id) => `2026-01-05,1.00,${id}`).join("\n")}`,
      bare,
    ).lines.map(({ id }) => id);
  expect(ids("a", "b")).toEqual(["a", "b"]);
  const two = "Date,Amount,Transaction ID\n2026-01-05,1.00,a\n2026-01-05,2.00,a\n";
  expect(only(two, bare).lines.map(({ id }) => id)).toEqual([undefined, undefined]);
});

test("booking and value date, other party, currency and type are read from their columns", () => {
  const text =
    "Buchungstag;Valuta;Auftraggeber/Empfänger;IBAN Zahlungsbeteiligter;Buchungstext;Verwendungszweck;Betrag;Währung\n05.01.2026;07.01.2026;Acme;DE89370400440532013000;Lastschrift;Rent;-1,00;EUR\n06.01.2026;28.01.2026;;;;;-1,00;USD\n";
  const statement = only(text);
  expect(statement.lines[0]).toMatchObject({
    date: "2026-01-05",
    valueDate: "2026-01-07",
    party: { name: "Acme", iban: "DE89370400440532013000" },
    type: "Lastschrift",
    text: "Rent",
    currency: "EUR",
  });
  expect(statement.lines[1]?.currency).toBe("USD");
  expect(statement.currency).toBeUndefined();
});

test.each([
  [
    "without a heading that is known",
    "a,b,c\n1,2,3\n",
    {},
    "NotStatement",
    /--map date=1 --map amount=3 tells them \(columns: 1 "a", 2 "b", 3 "c"\)/,
  ],
  [
    "without a column that was named",
    "Date,Amount\n2026-01-05,1\n",
    { columns: { date: "Day", amount: "Amount" } },
    "NotStatement",
    /all the columns that were named/,
  ],
  [
    "with a role that does not exist",
    "Date,Amount\n2026-01-05,1\n",
    { columns: { colour: "Date" } },
    "BadFile",
    /is none of date/,
  ],
  [
    "with a day that does not exist",
    "Date,Amount\n2026-02-30,1.00\n2026-02-28,1.00\n",
    {},
    "BadDate",
    /"2026-02-30".*row 2/,
  ],
  [
    "with dates in no one order",
    "Date,Amount\n28/02/2026,1.00\n02/28/2026,1.00\n",
    {},
    "BadDate",
    /such as "28\/02\/2026" \(row 2\) and "02\/28\/2026" \(row 3\), are in no one order/,
  ],
  ...["Mar 16", "16 Mar", "16/03", "16. März"].map(
    (day) =>
      [
        `with days such as ${day}`,
        `Date,Details,Amount\n${day},Cafe,1.00\n${day},Tea,2.00\n`,
        {},
        "BadDate",
        /^".*" has no year; days need one. \(row 2\)$/,
      ] as const,
  ),
  [
    "with days that are 180 years apart",
    "Date,Details,Amount\n2026-03-16,Cafe,1.00\n2206-03-16,Tea,2.00\n",
    {},
    "BadDate",
    /^Lines of 2026-03-16 and 2206-03-16 are more than 25 years apart/,
  ],
  [
    "with days of two digits that are 27 years apart",
    "Date,Details,Amount\n16/03/26,Cafe,1.00\n17/03/99,Tea,2.00\n",
    {},
    "BadDate",
    /^Lines of 1999-03-17 and 2026-03-16 are more than 25 years apart: a day is wrong/,
  ],
  [
    "with an amount that is none",
    "Date,Amount\n2026-01-05,x\n2026-01-06,1.00\n",
    {},
    "BadAmount",
    /"x" is no amount.*row 2/,
  ],
  [
    "with an amount in powers of ten",
    "Date,Amount\n2026-01-05,1.23E+15\n2026-01-06,1.00\n",
    {},
    "BadAmount",
    /no amount/,
  ],
  [
    "with a quote that is never closed",
    'Date,Amount,Memo\n2026-01-05,1.00,"Rent\n2026-01-06,1.00,Fee\n',
    {},
    "BadFile",
    /never closed/,
  ],
] as const)("a CSV file %s is refused with the reason", (_, text, options, code, sentence) => {
  const error = refusal(text, options);
  expect(error.code).toBe(code);
  expect(error.message).toMatch(sentence);
});

test("a CSV file read in chunks of any size gives the same lines", () => {
  checkChunks(
    Buffer.from(
      'Date;Memo;Amount;Balance\r\n2026-01-05;"Café; €5";1,00;1,00\r\n2026-01-06;ü;2,00;3,00\r\n',
    ),
  );
});

test("the account holder's name in the column of the other party marks a transfer", () => {
  const accountOf = () => ({ names: ["Clay & Kiln"] });
  const transfer = "Date,Payee,Details,Amount\n2026-01-05,CLAY & KILN,FROM SAVINGS,500.00\n";
  expect(rows(only(transfer, { accountOf }))).toEqual([
    ["2026-01-05", 50_000, "CLAY & KILN", "FROM SAVINGS"],
  ]);
  const vague = "Date,Name,Details,Amount\n2026-01-05,CLAY & KILN,FROM SAVINGS,500.00\n";
  expect(rows(only(vague, { accountOf }))).toEqual([
    ["2026-01-05", 50_000, undefined, "FROM SAVINGS"],
  ]);
});

test("balance rows among the lines are the balances of the statement, or are reported as not following", () => {
  const file = (closing: string) =>
    `Date,Description,Amount\n2026-03-01,Opening balance,500.00\n2026-03-16,Cafe,475.00\n2026-03-17,Timber,-57.50\n2026-03-31,Closing balance,${closing}\n`;
  const { opening, closing, lines } = only(file("917.50"));
  expect([opening?.amount, closing?.amount, lines.length]).toEqual([50_000, 91_750, 2]);
  expect(refusal(file("900.00")).code).toBe("Balance");
  expect(only(file("900.00"), { allowGap: true }).lines).toHaveLength(2);
});

const amountsAndEnds = (text: string) => {
  const { opening, closing, lines } = only(text);
  return [opening?.amount, lines.map(({ amount }) => amount), closing?.amount];
};

test.each(
  `Opening balance|Anfangssaldo|Saldovortrag|Alter Kontostand|Kontostand am 01.03.2026|SOLDE INITIAL|Ancien solde|Solde au 1er mars 2026
Saldo inicial|Saldo de apertura|Saldo iniziale|Beginsaldo|Vorig saldo|Ingående saldo|Inngående saldo|Primo saldo|Startsaldo
Alkusaldo|Saldo początkowe|Počáteční zůstatek|Nyitó egyenleg|Balance b/f|B/F|Balance brought forward|Balance at 1 March 2026|Saldo|S A L D O`.split(
    /[|\n]/,
  ),
)("a first row named %s tells the opening balance, and is no line", (name) => {
  expect(
    amountsAndEnds(
      `Date;Details;Amount\n01/03/2026;${name};500,00\n16/03/2026;Cafe;475,00\n17/03/2026;Wood;-57,50\n`,
    ),
  ).toEqual([50_000, [47_500, -5750], undefined]);
});

test.each(
  `Closing balance|Current balance|Schlusssaldo|Endsaldo|Neuer Kontostand|Nouveau solde|Solde de clôture|Saldo final|Saldo finale
Eindsaldo|Utgående saldo|Slutsaldo|Loppusaldo|Saldo końcowe|Konečný zůstatek|Záró egyenleg|Balance c/f|C/F|Ultimo saldo|Saldo`.split(
    /[|\n]/,
  ),
)("a last row named %s tells the closing balance, and is no line", (name) => {
  expect(
    amountsAndEnds(
      `Date;Details;Amount\n16/03/2026;Cafe;475,00\n17/03/2026;Wood;-57,50\n31/03/2026;${name};917,50\n31/03/2026;Available balance;900,00\n`,
    ),
  ).toEqual([undefined, [47_500, -5750], 91_750]);
});

test.each([
  ["Ledger Balance : 917.50 as of 20260331", 91_750],
  ["Ledger Balance : 1,917.50 as of 20260331", 191_750],
  ["Closing balance: -1,201,917.50", -120_191_750],
  ["Kontostand: 917,50 vom 31.03.2026", 91_750],
  ["Closing balance: 917.50,31/03/2026", 91_750],
  ["Closing balance: 917,31/03/2026", 91_700],
  ["Closing balance: 917,100 mars 2026", undefined],
  ["Closing balance: 917,12", 91_700],
  ["Closing balance: 0,917", 0],
  ["Kontostand: 1.917,50 vom 31.03.2026", 191_750],
])("the row %s above the lines tells a closing balance of %i cents", (row, cents) => {
  const file = `${row}\nDate,Description,Amount\n2026-03-16,Cafe,475.00\n2026-03-17,Timber,-57.50\n`;
  expect(only(file).closing?.amount).toBe(cents);
});

test.each([
  ["Kontostand: 1.234,56;31.03.2026", 123_456],
  ["Kontostand: 1;234", 100],
])(
  "the row %s above lines parted by semicolons tells a closing balance of %i cents",
  (row, cents) => {
    const file = `${row}\nDatum;Text;Betrag\n16.03.2026;Cafe;475,00\n17.03.2026;Holz;-57,50\n`;
    expect(only(file).closing?.amount).toBe(cents);
  },
);

test("a balance without a word of opening or closing is that of the end at which its day stands", () => {
  const rows = ["01/03/2026;Saldo;500,00", "16/03/2026;A;-5,00", "31/03/2026;Saldo;495,00"];
  for (const each of [rows, rows.toReversed()])
    expect(amountsAndEnds(`Date;Details;Amount\n${each.join("\n")}\n`)).toEqual([
      50_000,
      [-500],
      49_500,
    ]);
});

test.each(["Total", "Grand total", "Sum", "Summe", "Net movement", "Totaal", "Somme", "Totale"])(
  "a dated last row %s that is the sum of the others is no line, and is named",
  (name) => {
    const { lines, warnings } = only(
      `Date,Details,Amount\n2026-03-16,Cafe,475.00\n2026-03-17,Wood,-57.50\n2026-03-31,${name},417.50\n`,
    );
    expect([lines.length, warnings]).toEqual([2, ["Row 4 is a sum, 417.50, and no line."]]);
  },
);

test("in a file without headings, a last row without words and most cells is a balance, and is named", () => {
  const { lines, warnings, closing } = only(
    "17/03/2026;-57,50;Debit;;PRLV EDF;0;Divers\n16/03/2026;475,00;Virement;;VIR PORT;0;Divers\n31/03/2026;917,50;;;00123 012345X;;\n",
    { decimal: "comma" },
  );
  expect([lines.length, closing?.amount, warnings]).toEqual([
    2,
    91_750,
    ["Row 3 tells a balance, 917.50, and no amount."],
  ]);
});

test("a dated row of the totals of money out and in is no line, and refused where it is no sum", () => {
  const file = (out: string) =>
    `Date,Details,Debit,Credit\n2026-03-16,Cafe,,475.00\n2026-03-17,Wood,57.50,\n2026-03-31,Total,${out},475.00\n`;
  expect(amountsOf(file("57.50"))).toEqual([47_500, -5750]);
  expect(refusal(file("57.51")).message).toBe(
    "Row 4 has amounts of money out and money in that are no sum of the lines.",
  );
});

test("a last row without such a word that is the sum of the others is asked about", () => {
  const text =
    "Date,Details,Amount\n2026-03-16,Cafe,475.00\n2026-03-17,Wood,-57.50\n2026-03-31,Whole,417.50\n";
  expect(refusal(text).message).toBe(
    "Row 4, 417.50, is the sum of all other rows; where it is a line all the same, --allow-gap settles it.",
  );
  expect(only(text, { allowGap: true }).lines).toHaveLength(3);
  for (const amount of ["-40.00", "417.50"]) {
    const fuel = text.replace("Whole", "TOTAL fuel").replace("417.50", amount);
    expect(only(fuel, { allowGap: true }).lines).toHaveLength(3);
  }
});

test.each([
  ["Segno", "D", "A"],
  ["Signo", "D", "H"],
  ["Type", "Utbetaling", "Innbetaling"],
  ["Buchungsart", "Zahlungsausgang", "Zahlungseingang"],
  ["Typ", "Wypłata", "Wpłata"],
  ["Tipo", "Despesa", "Receita"],
])(
  "words of direction in a column %s, %s and %s, are the signs of its amounts",
  (heading, out, into) => {
    const text = `Date;Details;Amount;${heading}\n16/03/2026;Cafe;475,00;${into}\n17/03/2026;Wood;57,50;${out}\n`;
    expect(amountsOf(text)).toEqual([47_500, -5750]);
  },
);

test.each([
  ["Soort", "Betaling", "Ontvangst"],
  ["Type", "Payment", "Refund"],
  ["Type", "Purchase", "Refund"],
  ["Unknown", "Xyz", "Zyx"],
])(
  "two lines without signs that a column %s parts by the words %s and %s are asked about",
  (heading, out, into) => {
    const text = `Date;Details;Amount;${heading}\n16/03/2026;Cafe;475,00;${into}\n17/03/2026;Wood;57,50;${out}\n`;
    expect(refusal(text).message).toContain("--reversed or --no-reversed settles it.");
    expect(amountsOf(text, { isReversed: false })).toEqual([47_500, 5750]);
  },
);

test.each([
  "Pending transactions",
  "Scheduled",
  "Upcoming payments",
  "Vorgemerkte Umsätze",
  "À venir",
])("rows of a second table with the title %s are left out as pending", (title) => {
  const table = "Date,Details,Amount\n";
  const { statements, lines, warnings } = [
    `${table}2026-03-16,Cafe,475.00\n\n${title},,\n${table}2026-03-18,Rent,-9.00\n`,
    `${table}2026-03-16,Cafe,475.00\n\n${title},,\n${table.replace("Details", "Memo")}2026-03-18,Rent,-9.00\n`,
  ]
    .map((text) => read(text))
    .map((all) => ({
      statements: all.length,
      lines: all.flatMap((each) => each.lines.map(({ amount }) => amount)),
      warnings: all.flatMap((each) => each.warnings),
    }))
    .reduce((first, second) => {
      expect(second).toEqual(first);
      return second;
    });
  expect([statements, lines]).toEqual([1, [47_500]]);
  expect(warnings).toEqual([
    "1 pending row of -9.00 is left out; it comes again when it is booked.",
  ]);
});

test.each([
  "Amount (cents)",
  "Amount in minor units",
  "Betrag in TEUR",
  "Betrag (T€)",
  "Belopp i öre",
  "Amount (000s)",
  "Amount '000",
])(
  "amounts under the heading %s are refused, as they are not in the unit of the currency",
  (heading) => {
    const text = `Date,Details,${heading}\n2026-03-16,Cafe,47500\n2026-03-17,Wood,-5750\n`;
    expect(refusal(text).message).toContain(`"${heading}" is not in whole units`);
  },
);

test.each([
  ["Net,VAT,Gross", [47_500, -5750]],
  ["Netto,MwSt,Brutto", [47_500, -5750]],
  ["Net,GST,Amount", [47_500, -5750]],
  ["Amount,Tax,Other", [40_000, -5000]],
])("of the amounts %s the one with tax moves the account", (headings, amounts) => {
  const text = `Date,Details,${headings}\n2026-03-16,Cafe,400.00,75.00,475.00\n2026-03-17,Wood,-50.00,-7.50,-57.50\n`;
  expect(amountsOf(text)).toEqual(amounts);
});

test("net amounts beside a tax are asked about where no column has their sum", () => {
  const text = "Date,Details,Net,VAT\n2026-03-16,Cafe,400.00,75.00\n2026-03-17,Wood,-50.00,-7.50\n";
  expect(refusal(text).message).toBe(
    "Amounts of column 3, Net, are without tax. --map amount=3 settles it.",
  );
  expect(amountsOf(text, { columns: { amount: "Net" } })).toEqual([40_000, -5000]);
});

test("money out with both signs is asked about, and what has the other sign came back", () => {
  const text =
    "Date,Description,Debit,Credit\n2026-03-05,A,-1.00,\n2026-03-06,B,,2.00\n2026-03-08,D,5.00,\n";
  expect(refusal(text).message).toBe(
    "Row 4 has 5.00 in Debit, row 2 -1.00: money out is below zero, or what is below zero came back. --reversed or --no-reversed settles it.",
  );
  expect(amountsOf(text, { isReversed: true })).toEqual([-100, 200, 500]);
  expect(amountsOf(text, { isReversed: false })).toEqual([100, 200, -500]);
});

test("two rows that are alike, with one id of the bank, are one line or two by an answer", () => {
  const row = "2026-03-16,Cafe,475.00,A1\n";
  const text = `Date,Details,Amount,Transaction ID\n${row}${row}2026-03-17,Wood,-57.50,A2\n`;
  expect(refusal(text).message).toBe(
    "Rows 2 and 3 are alike, with the id A1: one line, or two. --map id=4 or --map id= settles it.",
  );
  expect(only(text, { columns: { id: "4" } }).lines).toHaveLength(2);
  expect(only(text, { columns: { id: "" } }).lines).toHaveLength(3);
});

test.each(["1.475", "1,475", "12.000", "-57.510"])(
  "amounts such as %s alone are thousands or have three decimals, and are asked about",
  (written) => {
    const text = `Date;Details;Amount\n2026-03-16;Cafe;${written}\n2026-03-17;Wood;${written}\n`;
    expect(refusal(text).message).toContain("--decimal point or --decimal comma settles it.");
  },
);

test("amounts with different decimal marks are refused, naming both rows", () => {
  const text = 'Date,Details,Amount\n2026-03-16,Cafe,"1.475,00"\n2026-03-17,Wood,-57.50\n';
  expect(refusal(text).message).toBe(
    '"1.475,00" of row 2 and "-57.50" of row 3 have different decimal marks.',
  );
});

test.each([
  "Transaction amount,Billing amount,Transaction currency,Billing currency",
  "Amount,Billing amount,Currency,Billing currency",
  "Original amount,Amount,Original currency,Currency",
])(
  "of two pairs of amount and currency, %s, the one in the account's currency is booked",
  (headings) => {
    const text = `Date,Details,${headings}\n2026-03-17,Wood,-63.00,-57.50,USD,EUR\n2026-03-18,Tea,-2.00,-2.00,EUR,EUR\n`;
    const { lines } = only(text, { accountOf: () => ({ currency: "EUR" }) });
    expect(lines.map(({ amount, currency }) => [amount, currency])).toEqual([
      [-5750, "EUR"],
      [-200, "EUR"],
    ]);
  },
);

test.each([
  ["Cancelled", "Yes", "No"],
  ["Storniert", "ja", "nein"],
  ["Annulé", "oui", "non"],
  ["Pending", "true", "false"],
  ["Declined", "x", ""],
])("rows whose column %s says %s are left out, and those with %s are lines", (heading, yes, no) => {
  const text = `Date,Details,Amount,${heading}\n2026-03-16,Cafe,475.00,${no}\n2026-03-17,Wood,-57.50,${yes}\n`;
  const { lines, reading } = only(text);
  expect(lines.map(({ amount, text }) => [amount, text])).toEqual([[47_500, "Cafe"]]);
  expect(reading?.leftOut.map(({ row }) => row)).toEqual([3]);
});

test("rows below the lines that are none of the statement are named", () => {
  const text =
    "Date,Details,Amount\n2026-03-16,Cafe,475.00\nTotal transactions: 1\nGenerated 2026-04-01,,\n";
  const { lines, warnings } = only(text);
  expect([lines.length, warnings]).toEqual([
    1,
    ['No lines: "Total transactions: 1", "Generated 2026-04-01".'],
  ]);
});

test("running balances of one day in an unknown order give no opening and closing balance", () => {
  const day =
    "Date,Description,Amount,Balance\n2026-03-16,Cafe,475.00,975.00\n2026-03-16,Tea,-5.00,\n";
  const { opening, closing } = only(day);
  expect([opening, closing]).toEqual([undefined, undefined]);
});

test("running balances that follow against the order of days do not reverse the signs", () => {
  const rows = ["2026-04-19,A,-350.00,2345.56", "2026-04-17,B,1290.00,1055.56"];
  const file = (body: readonly string[]) => `Date,Description,Amount,Balance\n${body.join("\n")}\n`;
  // Each balance is that before its line.
  const { opening, closing, lines } = only(file(rows));
  expect([opening?.amount, closing?.amount]).toEqual([105_556, 199_556]);
  expect(lines.map(({ amount }) => amount)).toEqual([-35_000, 129_000]);
  const [first = "", second = ""] = rows;
  expect(refusal(file([first, second.replace("1055.56", "1055.57")])).code).toBe("Balance");
});

test("a column mapping saved for the headings of a file is used again, with the day on which it was saved", () => {
  const headings = Array.from({ length: 9 }, (_, at) => `Column of the bank ${at}`).join(",");
  const file = `${headings},Day,Sum\n1,2,3,4,5,6,7,8,9,08/07/2026,475.00\n`;
  const { reading } = only(file, {
    columns: { date: "Day", amount: "Sum", text: "1" },
    dateOrder: "dmy",
  });
  expect(reading?.headingKey.length).toBeLessThanOrEqual(64);
  const settled = {
    [String(reading?.headingKey)]: { ...reading?.settled, on: "2026-04-02" } as SettledReading,
  };
  const again = only(file, { accountOf: () => ({ settled }) });
  expect(again.warnings).toContain("Columns and signs as on 2 Apr 2026.");
  expect(again.lines.map(({ date }) => date)).toEqual(["2026-07-08"]);
});

test("money held back and given free is no line of a CSV file, but moves its balances", () => {
  const text = [
    "Date,Type,Status,Payee,Amount,Balance",
    "2026-03-15,Payment,Completed,Moa,100.00,100.00",
    "2026-03-16,Account Hold for Open Authorization,Pending,Card,-10.00,90.00",
    "2026-03-17,Payment,Completed,Tui,-10.00,80.00",
    "2026-03-17,Reversal of General Account Hold,Completed,Card,10.00,90.00",
    "2026-03-18,Account Hold for Open Authorization,Pending,Card,-25.00,65.00",
  ].join("\n");
  const { lines, opening, closing, warnings } = only(text);
  expect(lines.map(({ amount }) => amount)).toEqual([10000, -1000]);
  expect([opening?.amount, closing?.amount]).toEqual([0, 9000]);
  expect(warnings).toEqual([
    "3 held rows of -25.00 are left out: they hold money back or give it free, and move none.",
  ]);
});

test("balances that count pending rows are followed through them, and no pending row is a line", () => {
  const text = [
    "Date,Type,Status,Payee,Amount,Balance",
    "2019-10-01,Payment,Completed,Moa,-6.99,-6.99",
    "2019-10-01,Bank deposit,Pending,,6.99,0.00",
    "2019-10-02,Payment,Completed,Tui,-7.00,-7.00",
    "2019-10-02,Bank deposit,Pending,,7.00,0.00",
  ].join("\n");
  const { lines, closing, warnings } = only(text);
  expect(lines.map(({ amount }) => amount)).toEqual([-699, -700]);
  expect(closing?.amount).toBe(-1399);
  expect(warnings).toEqual([
    "2 pending rows of 13.99 are left out; they come again when they are booked.",
  ]);
});

test("long numbers of documents in a column of a CSV file are no amounts", () => {
  const text =
    "Date,Text,Document,Amount\n2026-01-05,Tea,224885000256620,-3.00\n2026-01-06,Milk,2,4.00\n";
  expect(only(text).lines.map(({ amount }) => amount)).toEqual([-300, 400]);
});

test("amounts with the sign of another currency are refused in a CSV file without headings", () => {
  const text =
    "07 Nov 2013,Credit,,£500.00,£500.00\n09 Dec 2013,Visa,£20.00,,£480.00\n10 Dec 2013,Card,£80.00,,£400.00\n";
  const found = refusal(text, { accountOf: () => ({ currency: "USD" }) });
  expect(found.message).toMatch(/^"£[0-9.]+" is not in USD\. \(row \d\)$/);
});

test.each([
  [
    "Date,Description,Withdrawals,Deposits\n2026-03-05,A,1.00,0.00\n2026-03-06,B,0.00,2.00\n2026-03-07,C,3.00,4.00\n",
    "Row 4 has amounts in both Withdrawals, 3.00, and Deposits, 4.00: write it as two rows.",
  ],
])(
  "columns of money out and in that contradict each other are refused by their row",
  (text, said) => {
    expect(refusal(text).message).toBe(said);
  },
);

test("a row of an opening balance that repeats it as an amount is no line", () => {
  const text =
    "Date,Description,Amount,Balance\n2026-03-01,Opening balance,1000.00,1000.00\n2026-03-05,A,-25.10,974.90\n2026-03-17,B,500.00,1474.90\n";
  const { lines, opening, closing } = only(text);
  expect(lines.map(({ amount }) => amount)).toEqual([-2510, 50000]);
  expect([opening?.amount, closing?.amount]).toEqual([100000, 147490]);
});

test("balances above and below the lines of a CSV file are its opening and closing balance", () => {
  const file = readFileSync(new URL("csv/forms/deutsche-bank.csv", import.meta.url));
  const { opening, closing, sum } = only(file);
  expect([opening?.amount, sum, closing?.amount]).toEqual([50000, 41750, 91750]);
});

test("lines of two accounts make two statements, also where one has a single line", () => {
  const text =
    "Account Number,Date,Description,Amount,Balance\n12-3456-00,2026-03-05,A,-1.00,99.00\n12-3456-01,2026-03-05,S,-5.00,495.00\n12-3456-00,2026-03-06,B,-2.00,97.00\n";
  const statements = read(text).map(({ account, lines, opening, closing }) => [
    account.number,
    lines.map(({ amount }) => amount),
    opening?.amount,
    closing?.amount,
  ]);
  expect(statements).toEqual([
    ["12-3456-00", [-100, -200], 10000, 9700],
    ["12-3456-01", [-500], 50000, 49500],
  ]);
});

test.each([
  [
    "NZD",
    ["$5", "NZ$5", "NZD 5", "5 NZD", "NZD$5", "NZ$5 NZD"],
    ["US$5", "A$5", "AU$5", "CA$5", "HK$5", "S$5", "USD$5", "$5 USD", "5 kr", "R$5", "€5", "5 Kč"],
  ],
  ["USD", ["$5", "US$5", "$5 USD"], ["A$5", "NZ$5", "£5"]],
  ["SEK", ["5 kr", "5 kr."], ["$5", "5 Kč", "5 zł"]],
  ["BRL", ["R$5", "$5"], ["US$5"]],
  ["CHF", ["Fr. 5", "SFr. 5"], ["$5", "Rs 5"]],
])("an amount in %s is told from one in another currency by its sign", (currency, own, others) => {
  expect(own.filter((text) => isOtherCurrency(text, currency))).toEqual([]);
  expect(others.filter((text) => !isOtherCurrency(text, currency))).toEqual([]);
});

test.each(["Amount ($)", "Amount $", "Amount (£)"])(
  "a CSV file with the heading %s is refused for an account in euro",
  (heading) => {
    const text = `Date,Description,${heading}\n2026-03-16,Tea,-1.00\n2026-03-17,Milk,2.00\n`;
    const found = refusal(text, { accountOf: () => ({ currency: "EUR" }) });
    expect(found.message).toBe(`"${heading}" is not in EUR.`);
  },
);

test.each([
  ["a day before 1900", "1111/11/11,Tea,1.00", "BadDate", '"1111/11/11" is no date. (row 2)'],
  [
    "a day that no calendar has",
    "31/02/2026,Tea,1.00",
    "BadDate",
    '"31/02/2026" is no date. (row 2)',
  ],
  [
    "an amount that is none",
    "16/03/2026,Tea,12x.34",
    "BadAmount",
    '"12x.34" is no amount. (row 2)',
  ],
])("a CSV file of one row with %s is refused with that reason", (_, row, code, message) => {
  const found = refusal(`Date,Description,Amount\n${row}\n`);
  expect([found.code, found.message]).toEqual([code, message]);
});

test("a CSV file that has only pending rows gives no lines, and a warning with their sum", () => {
  const { lines, warnings } = only(
    "Date,Description,Amount,Status\n2026-03-16,Tea,-12.00,Pending\n",
  );
  expect([lines, warnings]).toEqual([
    [],
    ["1 pending row of -12.00 is left out; it comes again when it is booked."],
  ]);
});

test.each([
  ["16032026", {}],
  ["########", {}],
  ["########", { columns: { date: "1", amount: "3" } }],
  ["1773619200", { columns: { date: "1", amount: "3" } }],
])("days such as %s, by heading or named by a user, are refused by the row", (day, options) => {
  const { code, message } = refusal(`Date,Details,Amount\n${day},CAFE,475.00\n`, options);
  expect(code).toBe("BadDate");
  expect(message).toContain(`"${day}" is no date; it must be written such as 31/03/2026`);
});
