/** MT940: files of banks, and what goes wrong in them. */
import { expect, test } from "vitest";
import { checkChunks, only, read, refusal, rows, sample, summary } from "./statements.ts";

/** A statement of March 2026 in EUR with these fields between its balances. */
function file(fields: string, { account = "DE89370400440532013000", number = "7/1" } = {}): string {
  return `:20:REF\r\n:25:${account}\r\n:28C:${number}\r\n:60F:C260301EUR100,00\r\n${fields}\r\n:62F:C260331EUR100,00\r\n-\r\n`;
}

const line = (field61: string, ...fields86: string[]) =>
  only(file([`:61:${field61}`, ...fields86.map((text) => `:86:${text}`)].join("\r\n"))).lines[0]!;

// Counts and sums as a regular expression over `:61:` and Python's decimals have them.
test.each([
  [
    "cmxl/mt940.txt",
    [
      [11, 8730],
      [2, 220_000],
      [3, 1_004_000],
      [11, 8730],
    ],
  ],
  [
    "cmxl/mt940-abnamro.txt",
    [
      [8, -32_144],
      [2, -2449],
    ],
  ],
  ["mt940/citi.txt", [[5, -114_275]]],
  [
    "mt940/raphaelm.sta",
    [
      [6, 10_500_000],
      [2, 4_000_000],
      [1, -5_000_000],
    ],
  ],
  ["mt940/raiffeisen-cmi.sta", [[7, -101_221_350]]],
  [
    "php-mt940/Abn.txt",
    [
      [2, -21_050],
      [1, -102_791],
      [1, -1945],
      [1, 2_511_108],
    ],
  ],
  ["php-mt940/Bunq.txt", [[111, -2667]]],
  [
    "php-mt940/Spk.txt",
    [
      [4, 51_200],
      [4, 29_332],
      [1, 10_000],
      [1, 1000],
    ],
  ],
  ["php-mt940/Zetb.txt", [[8, -374_391]]],
  [
    "php-mt940/Rabo3.txt",
    [
      [4, 38_756],
      [8, 1_804_074],
    ],
  ],
] as const)("the MT940 file %s is read with its statements, lines and sums", (name, expected) => {
  expect(read(sample(name)).map((statement) => [statement.lineCount, statement.sum])).toEqual(
    expected,
  );
});

test.each([
  "mt940/citi.txt",
  "mt940/raphaelm.sta",
  "mt940/february_30.sta",
  "php-mt940/Abn.txt",
  "php-mt940/Bunq.txt",
  "php-mt940/Spk.txt",
  "php-mt940/Zetb.txt",
  "cmxl/mt940-windows-line-breaks.txt",
])("opening balance and lines of the MT940 file %s add up to the closing balance", (name) => {
  for (const { opening, sum, closing } of read(sample(name))) {
    expect(opening!.amount + sum).toBe(closing!.amount);
  }
});

test.each([
  ["DE89370400440532013000", { iban: "DE89370400440532013000" }, "EUR"],
  ["45050050/76198810", { bank: "45050050", number: "76198810" }, "EUR"],
  ["1291.99.348EUR", { number: "1291.99.348" }, "EUR"],
  ["NL10BUNQ2290325473 EUR", { iban: "NL10BUNQ2290325473" }, "EUR"],
  ["NL10BUNQ2290325473EUR", { iban: "NL10BUNQ2290325473" }, "EUR"],
  ["UBRTHUHB/123456789150/EUR", { bank: "UBRTHUHB", number: "123456789150" }, "EUR"],
])(
  "the MT940 account field %s is split into bank, account number and currency",
  (written, account, currency) => {
    expect(only(file("", { account: written }))).toMatchObject({ account, currency });
  },
);

test("the statement number of an MT940 file may be blank, zero, or without a page number", () => {
  const of = (number: string) => {
    const statement = only(file("", { number }));
    return [statement.number, statement.page];
  };
  expect(of("00004/00002")).toEqual(["00004", 2]);
  expect(of(" /1")).toEqual([undefined, 1]);
  expect(of("00000/00")).toEqual([undefined, undefined]);
  expect(of("1810118101")).toEqual(["1810118101", undefined]);
});

test("MT940 balances between two pages are read as intermediate, and available balances are ignored", () => {
  const pages = read(sample("php-mt940/Spk.txt"));
  expect(
    pages.map(({ opening, closing }) => [opening?.isIntermediate, closing?.isIntermediate]),
  ).toEqual([
    [false, true],
    [true, false],
    [false, true],
    [true, false],
  ]);
  expect(only(`${file("")}:64:C260331EUR999,00\r\n:65:C260401EUR999,00`).closing?.amount).toBe(
    10_000,
  );
});

test.each([
  ["260305C1,50NTRF", 150, false],
  ["260305D1,50NTRF", -150, false],
  ["260305CR1,50NTRF", 150, false],
  ["260305DR1,50NTRF", -150, false],
  ["260305RC1,50NTRF", -150, true],
  ["260305RD1,50NTRF", 150, true],
  ["260305RCR1,50NTRF", -150, true],
  ["260305DD1,NTRF", -100, false],
  ["260305C000000000300.00NMSC", 30_000, false],
])(
  "the MT940 line %s takes its sign from its debit or credit mark, whatever letter follows",
  (field, amount, isReturn) => {
    expect(line(field)).toMatchObject({ amount, isReturn });
  },
);

test("expected MT940 lines (marks EC and ED) are counted as pending, and do not become statement lines", () => {
  expect(only(file(":61:260305EC1,50NTRF\r\n:86:soon\r\n:61:260305ED2,NTRF"))).toMatchObject({
    lineCount: 0,
    pending: 2,
  });
});

test.each([
  ["2603050307", "2026-03-07", "2026-03-05"],
  ["2512300102", "2026-01-02", "2025-12-30"],
  ["2601021230", "2025-12-30", "2026-01-02"],
  ["260305    ", "2026-03-05", "2026-03-05"],
  ["2602300302", "2026-03-02", "2026-02-28"],
  ["2603050000", "2026-03-05", "2026-03-05"],
])(
  "the booking day of the MT940 line %s, without a year, falls in the year nearest the value date",
  (dates, date, valueDate) => {
    expect(line(`${dates}C1,00NTRF`)).toMatchObject({ date, valueDate });
  },
);

test("the reference of an MT940 line may be padded, hold a name or an account, or name a tag of the details", () => {
  expect(line("260305D9,N0440121470966      W.P. Jansen", "Text")).toMatchObject({
    references: { customer: "0121470966" },
    party: { name: "W.P. Jansen" },
  });
  expect(line("260305D9,NOVBNL47INGB9999999999\r\nhr paulissen", "Text")).toMatchObject({
    party: { iban: "NL47INGB9999999999", name: "hr paulissen" },
  });
  expect(
    line("260305D9,N102EREF\r\nNL70ABNA0987654321", "/EREF/E-1/BENM//NAME/Acme/REMI/Rent"),
  ).toMatchObject({
    references: { customer: undefined, endToEnd: "E-1" },
    party: { iban: "NL70ABNA0987654321", name: "Acme" },
    text: "Rent",
  });
  expect(line("260305D9,NTRFNONREF//BANK1").references).toEqual({
    customer: undefined,
    transaction: "BANK1",
  });
});

test("the second line of field 61 gives the amount before conversion and the fee", () => {
  expect(line("260305DR5,NTRFREF//B1\r\n/OCMT/USD4,5//CHGS/EUR0,5/")).toMatchObject({
    parts: [
      { kind: "original", amount: -450, currency: "USD" },
      { kind: "charge", amount: -50, currency: "EUR" },
    ],
  });
  expect(only(sample("php-mt940/Hsbc.txt")).lines[0]).toMatchObject({
    currency: "HKD",
    amount: -2_000_000,
    parts: [{ kind: "original", amount: -285_312, currency: "USD" }],
  });
});

test("the German structured form gives name, account, keys and purpose, joined across parts and lines", () => {
  expect(
    line(
      "260305CR50990,05NTRFNONREF",
      "166?00GUTSCHRIFT?100399?20EREF+EndToEndId TFNR 22 004?21 00001MREF+M1 CRED+DE1?22\r\nSVWZ+Strukturierter Verwend?23ungszweck INV-42?30DRESDEFF508?31DE1450880\r\n0500194785000?32Finanzamt Muenchen Abteilun?33g Erhebung",
    ),
  ).toMatchObject({
    type: "166",
    isReturn: false,
    text: "Strukturierter Verwendungszweck INV-42",
    party: {
      name: "Finanzamt Muenchen Abteilung Erhebung",
      iban: "DE14508800500194785000",
      bic: "DRESDEFF508",
    },
    references: { endToEnd: "EndToEndId TFNR 22 004 00001", mandate: "M1", creditor: "DE1" },
  });
});

test("parts 60 to 63 of the German structured form continue the text, and a keyword may be cut between parts", () => {
  const { party, references } = only(sample("mt940/details_60-63.sta")).lines[0]!;
  expect(party?.ultimate).toBe("Finanzamt Muenchen Abteilung Erhebung");
  expect(references.endToEnd).toMatch(/^123\/123\/12345-----L110/);
  expect(line("260305D1,NMSC", "166?20AAAAAAAAAAAAAAAAAAAAAAAAA S?21VWZ+Rent").text).toBe(
    "AAAAAAAAAAAAAAAAAAAAAAAAA Rent",
  );
});

test.each(["108", "109", "159", "181", "899"])(
  "an MT940 line with the German transaction code %s is a returned payment",
  (code) => {
    expect(line("260305C1,NMSC", `${code}?00RETOURE?20SVWZ+Back`).isReturn).toBe(true);
  },
);

test.each(["<", "~", "^", ">"])(
  "the parts of the German structured form may be separated by %s",
  (mark) => {
    const written = `020${mark}00Przelew${mark}20Rent March${mark}32Jan Kowalski${mark}38PL08106000760000777777777777`;
    expect(line("260305D1,NTRF", written)).toMatchObject({
      text: "Rent March",
      party: { name: "Jan Kowalski", iban: "PL08106000760000777777777777" },
    });
  },
);

test("details with Dutch tags such as /IBAN/ are read, and only a known tag ends a value", () => {
  expect(
    line(
      "260305D1,NTRF",
      "/TRTP/SEPA OVERBOEKING/IBAN/NL10BUNQ2290325473/BIC/BUNQNL2A/NAME/A/B Holding/REMI/Inv 1/2026/EREF/NOTPROVIDED/MARF/M1/CSID/C1",
    ),
  ).toMatchObject({
    text: "Inv 1/2026",
    party: { iban: "NL10BUNQ2290325473", bic: "BUNQNL2A", name: "A/B Holding" },
    references: { endToEnd: undefined, mandate: "M1", creditor: "C1" },
  });
  expect(
    line(
      "260305D1,NTRF",
      "/CNTP/NL10BUNQ2290325473/BUNQNL2A/Acme/Utrecht//REMI/USTD//Rent/EREF/E1/",
    ),
  ).toMatchObject({
    text: "Rent",
    party: { iban: "NL10BUNQ2290325473", name: "Acme" },
    references: { endToEnd: "E1" },
  });
  expect(line("260305D1,NTRF", "/RTRN/MS03/REMI/STRD/CUR/RF18539007547034/")).toMatchObject({
    isReturn: true,
    references: { structured: "RF18539007547034" },
  });
  expect(
    line(
      "260305D1,NTRF",
      "SEPA OVERBOEKING   IBAN: NL10BUNQ2290325473  BIC: BUNQNL2A   NAAM: Acme   OMSCHRIJVING: Rent May",
    ),
  ).toMatchObject({
    text: "Rent May",
    party: { iban: "NL10BUNQ2290325473", bic: "BUNQNL2A", name: "Acme" },
  });
});

test("a number broken at the line width is joined, and several detail fields of one line are joined", () => {
  expect(
    only(
      sample("php-mt940/Abn.txt")
        .subarray(0, 430)
        .toString()
        .replace(/:61:0906230624D203[\s\S]*/, ":62F:C090624EUR1,00"),
    ).lines[0]?.text,
  ).toContain("0000000185039955109227317");
  expect(line("260305D1,NTRF", "Terugboeking", "NIET AKKOORD").text).toBe(
    "Terugboeking NIET AKKOORD",
  );
});

test("MT940 details after the closing balance are not added to the last line", () => {
  const text = file(":61:260305D1,NTRF\r\n:86:Rent").replace(
    "\r\n-\r\n",
    "\r\n:86:Closing words\r\n-\r\n",
  );
  expect(rows(only(text))).toEqual([["2026-03-05", -100, undefined, "Rent"]]);
});

test("an MT940 text line that begins with a colon and digits, or with a dash, stays text", () => {
  const cut = sample("cmxl/mt940-with-colon-after-line-break.txt");
  expect(only(`${cut}\n:62F:C131017DEM1,00`).lines[0]?.text).toContain(
    "22-04-2019T03:46:08 Karten",
  );
  expect(line("260305D1,NTRF", "Goods\r\n- 200 pieces\r\n:08 o'clock").text).toBe(
    "Goods - 200 pieces :08 o'clock",
  );
});

test("an MT940 file in the old form, with the text in the name field, is read with name and text", () => {
  expect(read(sample("mt940/raphaelm.sta"))[0]?.lines[0]).toMatchObject({
    party: { name: "Empfänger" },
    text: "Verwendungszweck 1 Verwendungszweck 2",
  });
});

test("SWIFT envelopes, control characters, bank headers and other line ends do not change the MT940 lines read", () => {
  const plain = file(":61:260305D1,NTRF\r\n:86:Rent");
  const [statement] = [only(plain)];
  const wrapped = [
    `{1:F01ASNBNL21XXXX0000000000}{2:O940ASNBNL21XXXXN}{3:}{4:\r\n${plain.replace("-\r\n", "-}{5:}\r\n")}`,
    `\u0001${plain}`,
    `:940:\r\n${plain}`,
    `ABNANL2A\r\n940\r\nABNANL2A\r\n${plain}`,
    plain.replaceAll("\r\n", "\n"),
    plain.replaceAll("\r\n", "\r"),
  ];
  for (const text of wrapped) expect(only(text).lines).toEqual(statement?.lines);
});

test("an MT940 field broken over two lines, and a tag broken after its colon, are joined", () => {
  expect(
    rows(only(file(":61:2603050306CR\r\n30,00N062NONREF\r\n:\r\n86:166?00GUTSCHR?20SVWZ+Test"))),
  ).toEqual([["2026-03-06", 3000, undefined, "Test"]]);
});

test("an MT940 file in ISO 8859-1 is detected, and one in code page 852 is read when that is given", () => {
  expect(only(sample("cmxl/mt940-iso8859-1.txt")).lines[1]?.party?.name).toBe("MÜLLER");
  const bytes = Buffer.from(file(":61:260305D1,NTRF\r\n:86:Op@ata"));
  bytes[bytes.indexOf("@")] = 0x88;
  expect(only(bytes, { encoding: "cp852" }).lines[0]?.text).toBe("Opłata");
});

test.each([
  [
    "of MT942",
    sample("cmxl/mt942.txt"),
    "NotStatement",
    /MT942: an intraday report.*ask the bank for that, as MT940 or CAMT\.053/,
  ],
  ["of MT942 of another bank", sample("mt940/mt942.sta"), "NotStatement", /MT942/],
  [
    "without a closing balance",
    sample("mt940/gv_codes.sta"),
    "Truncated",
    /no closing balance.*line 1/,
  ],
  [
    "with a date that is none",
    sample("cmxl/mt940-headers.txt"),
    "BadDate",
    /"362268" is no date.*line 8/,
  ],
  ["with a line that is none", file(":61:hello"), "BadFile", /"hello" cannot be read.*line 5/],
  ["with a balance that is none", file(":62F:X"), "BadFile", /balance "X" cannot be read/],
  [
    "with a field before its statement",
    `:61:260305D1,N\n${file("")}`,
    "BadFile",
    /before any statement/,
  ],
  ["with details of 100 KB", file(`:86:${"x\r\n".repeat(40_000)}`), "TooMuch", /field is longer/],
] as const)("an MT940 file %s is refused with the reason", (_, bytes, code, sentence) => {
  const error = refusal(bytes);
  expect(error.code).toBe(code);
  expect(error.message).toMatch(sentence);
});

test("the raw source of a statement line is its MT940 fields", () => {
  expect(line("260305D1,NTRF", "Rent", "May").source).toBe(":61:260305D1,NTRF\n:86:Rent\n:86:May");
});

test("an MT940 file read in chunks of any size gives the same lines", () => {
  for (const name of [
    "cmxl/mt940.txt",
    "cmxl/mt940-windows-line-breaks.txt",
    "mt940/raphaelm.sta",
  ]) {
    checkChunks(sample(name));
  }
});

test("a statement summary has the account and both balances", () => {
  expect(summary(only(sample("php-mt940/Bunq.txt")))).toEqual({
    account: "NL10BUNQ2290325473",
    count: 111,
    sum: -2667,
    opening: 3233,
    closing: 566,
  });
});
