/** OFX 1 and 2, QFX: files of banks, and what goes wrong in them. */
import { expect, test } from "vitest";
import { checkChunks, only, read, refusal, rows, sample, summary } from "./statements.ts";

const header = "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n";

/** A file of one account whose list holds `transactions`. */
function file(transactions: string, after = "", currency = "EUR"): string {
  return `${header}<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>${currency}<BANKACCTFROM><BANKID>1<ACCTID>42<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20260101<DTEND>20260131${transactions}</BANKTRANLIST>${after}</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
}

function transaction(elements: string): string {
  return `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>20260105<TRNAMT>-12.50<FITID>a1${elements}</STMTTRN>`;
}

const line = (elements: string, currency?: string) =>
  only(file(transaction(elements), "", currency)).lines[0]!;
const amountOf = (amount: string) =>
  only(file(`<STMTTRN><DTPOSTED>20260105<TRNAMT>${amount}<FITID>1</STMTTRN>`)).lines[0]?.amount;

test.each([
  ["ofxparse/anzcc.ofx", "1234123412341234", 1, -550],
  ["ofxparse/checking.ofx", "1452687~7", 3, 1 - 3451 - 2500],
  ["ofxparse/suncorp.ofx", "123456789", 1, -1685],
  ["ofxparse/ofx-v102-empty-tags.ofx", "12345678", 1, 1234],
  ["ofxparse/bank_medium.ofx", "12300 000012345678", 3, -660 - 31667 - 2200],
  ["ofxparse/empty_balance.ofx", "192639749", 1, 12000],
  ["ofx-js/credit-card.qfx", "4510000000003333", 5, -688 + 20208 - 7037 - 2638 - 1797],
  ["ofx-js/example-xml.qfx", "XXXXXXXXXX", 1, 84],
] as const)(
  "the OFX file %s is read with its account, lines and sum",
  (name, account, count, sum) => {
    expect(summary(only(sample(name)))).toMatchObject({ account, count, sum });
  },
);

test("OFX lines of a checking account are read with date, amount, other party and text", () => {
  expect(rows(only(sample("ofxparse/checking.ofx")))).toEqual([
    [
      "2011-03-31",
      1,
      "DIVIDEND EARNED FOR PERIOD OF 03",
      "DIVIDEND EARNED FOR PERIOD OF 03/01/2011 THROUGH 03/31/2011 ANNUAL PERCENTAGE YIELD EARNED IS 0.05%",
    ],
    [
      "2011-04-05",
      -3451,
      "AUTOMATIC WITHDRAWAL, ELECTRIC BILL",
      "AUTOMATIC WITHDRAWAL, ELECTRIC BILL WEB(S )",
    ],
    [
      "2011-04-07",
      -2500,
      "RETURNED CHECK FEE, CHECK # 319",
      "RETURNED CHECK FEE, CHECK # 319 FOR $45.33 ON 04/07/11",
    ],
  ]);
});

test("an OFX file of several accounts gives a statement for each account", () => {
  const statements = read(sample("ofxparse/multiple_accounts.ofx"));
  expect(
    statements.map(({ account, currency, otherBalance }) => [
      account.number,
      currency,
      otherBalance?.amount,
    ]),
  ).toEqual([
    ["9100", "USD", 11100],
    ["9200", "USD", 22200],
  ]);
});

test("empty OFX elements, closed or not, are read as empty, and a CDATA section as text", () => {
  const empty = only(sample("ofxparse/ofx-v102-empty-tags.ofx")).lines[0]!;
  expect(empty).toMatchObject({
    id: undefined,
    currency: "AUD",
    party: undefined,
    text: "CBA:Transfer",
  });
  expect(line("<NAME>Shop<MEMO><CHECKNUM>7")).toMatchObject({
    party: { name: "Shop" },
    text: "",
    references: { cheque: "7" },
  });
  expect(only(sample("ofxparse/suncorp.ofx")).lines[0]?.text).toBe(
    "EFTPOS WDL HANDYWAY ALDI STORE GEELONG WEST VICAU",
  );
});

test("a bare, an escaped and a doubly escaped ampersand in OFX text are decoded", () => {
  expect(line("<NAME>T&T<MEMO>A &amp; B &amp;lt; C &#228;").party?.name).toBe("T&T");
  expect(line("<MEMO>A &amp; B &amp;lt; C &#228;").text).toBe("A & B < C ä");
});

test("an OFX file on one line, in lower case, or with blanks in its header is read", () => {
  const text = file(transaction("<NAME>Shop"));
  const oneLine = `OFXHEADER: 100 DATA: OFXSGML VERSION: 102 ${text.slice(header.length)}`;
  expect(only(oneLine).lines[0]?.party?.name).toBe("Shop");
  expect(only(text.slice(header.length).toLowerCase()).lines[0]?.party?.name).toBe("shop");
});

test("an OFX list of transactions outside a statement is read as a statement without an account", () => {
  const statement = only(`<OFX><BANKTRANLIST>${transaction("")}</BANKTRANLIST></OFX>`);
  expect(summary(statement)).toEqual({ account: undefined, count: 1, sum: -1250 });
});

test.each([
  ["10.000,50", 1_000_050],
  ["1 025,53", 102_553],
  ["+5", 500],
  ["null", 0],
  ["18.150", 1815],
  ["-00000000001500.0000", -150_000],
  ["-.5", -50],
])("the OFX amount %s is read", (written, cents) => {
  expect(amountOf(written)).toBe(cents);
});

test.each([
  ["$12O", "BadAmount"],
  ["115.8331", "BadAmount"],
  ["1,000", "Ambiguous"],
  ["", "BadAmount"],
  ["99999999999999999999", "Overflow"],
])("the OFX amount %s is refused", (written, code) => {
  expect(() => amountOf(written)).toThrow(expect.objectContaining({ code }));
});

test.each([
  "20260105",
  "20260105235959",
  "20260105120000.000[-5:EST]",
  "20260105010000[+12:NZT]",
  "20260105120000[-:EST]",
  "20260105093914:014",
])("an OFX line dated %s is of 5 January, whatever its time zone", (date) => {
  expect(
    only(file(`<STMTTRN><DTPOSTED>${date}<TRNAMT>1.00<FITID>1</STMTTRN>`)).lines[0]?.date,
  ).toBe("2026-01-05");
});

test("an OFX file with a missing or impossible date is refused, and the message names the transaction", () => {
  expect(refusal(sample("ofxparse/date_missing.ofx")).message).toBe(
    "A line has no date. (transaction 1)",
  );
  expect(refusal(file(`<STMTTRN><DTPOSTED>20260231<TRNAMT>1.00</STMTTRN>`)).message).toBe(
    '"20260231" is no date. (transaction 1)',
  );
  expect(refusal(sample("ofxparse/decimal_error.ofx")).code).toBe("BadDate");
});

test("the ledger balance is the closing balance only when dated on the last day of the list", () => {
  const balance = (date: string) =>
    only(
      file(
        "",
        `<LEDGERBAL><BALAMT>-5.00<DTASOF>${date}</LEDGERBAL><AVAILBAL><BALAMT>9.00<DTASOF>${date}</AVAILBAL>`,
      ),
    );
  expect(balance("20260131235900").closing).toEqual({
    date: "2026-01-31",
    amount: -500,
    isIntermediate: false,
  });
  expect(balance("20260202")).toMatchObject({ otherBalance: { amount: -500 } });
  expect(balance("20260202").closing).toBeUndefined();
  expect(only(sample("ofxparse/empty_balance.ofx")).otherBalance).toBeUndefined();
});

test("CURRENCY gives the currency of the amount, ORIGCURRENCY the one before conversion", () => {
  expect(line("<CURRENCY><CURRATE>1.1<CURSYM>USD</CURRENCY>")).toMatchObject({
    currency: "USD",
    parts: [],
  });
  expect(line("<ORIGCURRENCY><CURRATE>0.5<CURSYM>USD</ORIGCURRENCY>")).toMatchObject({
    currency: "EUR",
    amount: -1250,
    parts: [{ kind: "original", amount: -2500, currency: "USD" }],
  });
});

test("an OFX correction of a line that the file does not have withdraws it, and a REPLACE names it", () => {
  const statement = only(
    file(
      transaction("<CORRECTFITID>x7<CORRECTACTION>DELETE") +
        transaction("<CORRECTFITID>x8<CORRECTACTION>REPLACE"),
    ),
  );
  expect(statement.withdrawn).toEqual(["x7", "x8"]);
  expect(statement.lines.map(({ replaces }) => replaces)).toEqual(["x8"]);
});

const numbered = (id: string, amount: string, more = "") =>
  `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>20260105<TRNAMT>${amount}<FITID>${id}${more}</STMTTRN>`;

test.each([
  ["REPLACE", [-7550, -300]],
  ["DELETE", [-300]],
])(
  "an OFX correction of type %s leaves out the line of the file that it corrects",
  (action, amounts) => {
    const correction = numbered("b2", "-75.50", `<CORRECTFITID>b1<CORRECTACTION>${action}`);
    const lines = [numbered("b1", "-57.50"), correction, numbered("b3", "-3.00")];
    for (const order of [lines, lines.toReversed()]) {
      const statement = only(file(order.join("")));
      const read = statement.lines.map(({ amount }) => amount as number);
      expect(read.sort((a, b) => a - b)).toEqual(amounts);
      expect(statement.withdrawn).toEqual([]);
      expect(statement.warnings).toEqual([
        "The transaction b1 is corrected in the file, and left out.",
      ]);
    }
  },
);

test("an OFX transaction that comes twice in a list is one line, and differing ones with one id are two", () => {
  const one = numbered("b1", "-4.50");
  const twice = only(file(one + one));
  expect([twice.lines.length, twice.warnings]).toEqual([
    1,
    ["The transaction b1 comes twice in the file; it is taken once. --allow-gap takes both."],
  ]);
  expect(only(file(one + one), { allowGap: true }).lines).toHaveLength(2);
  expect(only(file(one + one + numbered("b1", "-4.51"))).lines).toHaveLength(3);
});

test.each([
  ["DEBIT", "57.50", -5750],
  ["CREDIT", "-57.50", 5750],
])("an OFX %s of %s is asked about: the type or the sign is right", (type, amount, byType) => {
  const text = file(numbered("b1", amount).replace("OTHER", type));
  expect(refusal(text).message).toContain(
    "the type is right, or the sign. --reversed or --no-reversed settles it.",
  );
  expect(only(text, { isReversed: true }).sum).toBe(byType);
  expect(only(text, { isReversed: false }).sum).toBe(-byType);
});

test("pending transactions are counted, and do not become lines", () => {
  const pending =
    "<BANKTRANLISTP><DTASOF>20260131<STMTTRNP><TRNTYPE>HOLD<DTTRAN>20260130<TRNAMT>-3.00<NAME>Hotel</STMTTRNP></BANKTRANLISTP>";
  expect(only(file(transaction(""), pending))).toMatchObject({ lineCount: 1, pending: 1 });
});

test("payee name, payee account and memo are read apart from equal elements of unknown aggregates", () => {
  const read = line(
    "<PAYEE><NAME>Acme<CITY>Bern</PAYEE><BANKACCTTO><BANKID>9<ACCTID>DE89370400440532013000</BANKACCTTO><X.Y><MEMO>not this</X.Y><MEMO>this",
  );
  expect(read.party).toEqual({ name: "Acme", iban: "DE89370400440532013000" });
  expect(read.text).toBe("this");
});

test("an OFX file in windows-1252, UTF-8 or UTF-16 is read right, whatever its header says", () => {
  const text = file(transaction("<NAME>Café €5"));
  expect(only(text).lines[0]?.party?.name).toBe("Café €5");
  const bytes = Buffer.from(text.replace("€", "\x80"), "latin1");
  expect(only(bytes).lines[0]?.party?.name).toBe("Café €5");
  const wide = Buffer.from(`\ufeff${text}`, "utf16le");
  expect(only(wide).lines[0]?.party?.name).toBe("Café €5");
});

test("an OFX file that is cut off anywhere before its end is refused", () => {
  const text = file(transaction("<NAME>Shop") + transaction(""));
  const start = text.indexOf("<STMTTRN>");
  for (let end = start; end < text.length - 1; end += 1) {
    expect(["Truncated", "BadFile"]).toContain(refusal(text.slice(0, end)).code);
  }
});

test.each([
  [
    "of an investment account",
    sample("ofxparse/fidelity-savings.ofx"),
    "NotStatement",
    /investment/,
  ],
  [
    "with the bank's error",
    sample("ofxparse/signon_fail.ofx"),
    "NotStatement",
    /an error: Your request could/,
  ],
  [
    "with a document type",
    `<?OFX OFXHEADER="200"?><!DOCTYPE x [<!ENTITY a "b">]><OFX></OFX>`,
    "Entities",
    /document type/,
  ],
  [
    "with a transaction in a transaction",
    file("<STMTTRN><TRNAMT>1<STMTTRN><TRNAMT>2</STMTTRN>"),
    "BadFile",
    /begins before/,
  ],
  [
    "whose transaction never ends",
    file(`<STMTTRN><MEMO>${"x".repeat(1_100_000)}`),
    "TooMuch",
    /longer than/,
  ],
  ["nested without end", `<OFX>${"<A>".repeat(100)}</A></OFX>`, "TooMuch", /nest deeper/],
  ["masked throughout", sample("ofx-js/example2.ofx"), "BadDate", /is no date/],
] as const)("an OFX file %s is refused with the reason", (_, bytes, code, sentence) => {
  const error = refusal(bytes);
  expect(error.code).toBe(code);
  expect(error.message).toMatch(sentence);
});

test("the raw source of an OFX line is its text in the file", () => {
  expect(line("<NAME>Shop").source).toBe(transaction("<NAME>Shop"));
});

test("an OFX file read in chunks of any size gives the same lines", () => {
  checkChunks(sample("ofxparse/suncorp.ofx"));
  checkChunks(Buffer.from(file(transaction("<NAME>Café €5") + transaction("<MEMO>ü"))));
  checkChunks(Buffer.from(file(transaction("<NAME>Café") + transaction("<MEMO>ü")), "latin1"));
});
