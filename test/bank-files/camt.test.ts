/** CAMT.053: files of banks in several versions, and what goes wrong in them. */
import { expect, test } from "vitest";
import { checkChunks, only, read, refusal, sample, summary } from "./statements.ts";

interface Wanted {
  readonly version?: string;
  readonly balances?: string;
  readonly head?: string;
}

const balance = (kind: string, amount: string, date = "2026-01-31", more = "") =>
  `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry>${more}</Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${date}</Dt></Dt></Bal>`;

/** A statement in EUR with these entries. */
function file(entries: string, { version = "08", balances = "", head = "" }: Wanted = {}): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt>
<GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>S1</Id>${head}<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>
${balances}${entries}</Stmt></BkToCstmrStmt></Document>`;
}

/** An entry of 5 January: direction, amount, and what follows its dates. */
function entry(
  direction: "CRDT" | "DBIT",
  amount: string,
  more = "",
  status = "<Cd>BOOK</Cd>",
): string {
  return `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts>${status}</Sts><BookgDt><Dt>2026-01-05</Dt></BookgDt><ValDt><Dt>2026-01-06</Dt></ValDt>${more}</Ntry>`;
}

const details = (...payments: string[]) =>
  `<NtryDtls>${payments.map((payment) => `<TxDtls>${payment}</TxDtls>`).join("")}</NtryDtls>`;
const line = (entry: string) => only(file(entry)).lines[0]!;

const nl = "NL26VAYB8060476890";
const de = "DE14740618130000033626";

// Sums and balances as the Python standard library's parser and decimals have them.
test.each([
  ["camt/camt053.v2.all-balance-types.xml", "CH2801234000123456789", 1, 885, 101, 404],
  ["camt/camt053.v2.five.decimals.xml", nl, 1, 885, 1815, 2705],
  ["camt/camt053.v2.minimal.xml", nl, 1, 885, 1815, undefined],
  ["camt/camt053.v2.minimal.ultimate.xml", nl, 1, 885, 1815, undefined],
  ["camt/camt053.v2.with-party-ids.xml", nl, 1, 885, 1815, undefined],
  ["camt/camt053.v2.with-account-name.xml", "CH2801234000123456789", 1, 885, undefined, undefined],
  ["camt/camt053.v3.xml", nl, 1, 885, 1815, undefined],
  ["camt/camt053.v4.xml", nl, 1, 885, 1815, undefined],
  ["camt/camt053.v8.xml", nl, 1, 885, 1815, undefined],
  ["camt/camt53.only-Dt-with-DtTm.xml", "GB33BUKB20201555555555", 0, 0, 544209, undefined],
  ["camt_parser/valid_example.xml", de, 5, -1000, 3306, 2306],
  ["camt_parser/valid_example_v4.xml", "CH0309000000250090342", 32, 53761, 32215216, 32268977],
  ["camt_parser/valid_example_v8.xml", "CH1111111111111111111", 3, 54228, 8272195, 8451525],
  ["camt_parser/valid_example_with_batch.xml", "NL18INGB00012345678", 3, 293426, 732980, 2303820],
  ["camt_parser/valid_example_with_datetime.xml", "11111111", 1, 19586, undefined, 60680],
  ["camt_parser/valid_example_with_debit.xml", de, 5, -1000, -3306, 2306],
  [
    "camt_parser/valid_example_with_instdamt.xml",
    "CH9788761065025111111",
    1,
    450000,
    10000,
    450000,
  ],
  ["camt_parser/valid_example_with_other_id.xml", "ABCDE1234", 0, 0, undefined, undefined],
] as const)(
  "the CAMT file %s is read with its account, lines, sum and balances",
  (name, account, count, sum, opening, closing) => {
    expect(summary(only(sample(name)))).toEqual({
      account,
      count,
      sum,
      ...(opening === undefined ? {} : { opening }),
      ...(closing === undefined ? {} : { closing }),
    });
  },
);

test("a CAMT file of several statements is read as several statements, each with its balances", () => {
  expect(read(sample("camt/camt053.v2.multi.statement.xml")).map(summary)).toEqual([
    { account: nl, count: 1, sum: 885, opening: 1815, closing: 2700 },
    { account: nl, count: 1, sum: -700, opening: 2700, closing: 2000 },
  ]);
});

test("a batch of payment slips in a Swiss CAMT statement becomes a line for each slip, with its reference", () => {
  const { lines } = only(sample("camt_parser/valid_example_v4.xml"));
  const batches = lines.filter(({ batch }) => batch !== undefined);
  expect(batches.map(({ batch }) => batch?.count)).toEqual([
    ...Array.from({ length: 10 }, () => 10),
    ...Array.from({ length: 8 }, () => 8),
    3,
    3,
    3,
    2,
    2,
  ]);
  expect(batches.slice(0, 10).reduce((total, { amount }) => total + amount, 0)).toBe(100_000);
});

test.each(["02", "04", "06", "08", "12"])(
  "a CAMT.053 statement of version %s is read without a warning",
  (version) => {
    expect(only(file(entry("CRDT", "1.00"), { version })).warnings).toEqual([]);
  },
);

test.each(["13", "14"])(
  "a CAMT.053 statement of the newer version %s is read with a warning",
  (version) => {
    const statement = only(file(entry("CRDT", "1.00"), { version }));
    expect(statement.lineCount).toBe(1);
    expect(statement.warnings).toEqual([
      `The file is in version ${version} of CAMT.053, which is newer than those known here.`,
    ]);
  },
);

test("CAMT elements with a namespace prefix are read like elements without one", () => {
  const prefixed = file(entry("DBIT", "2.50", details("<RmtInf><Ustrd>Rent</Ustrd></RmtInf>")))
    .replace("xmlns=", "xmlns:n=")
    .replaceAll(/<(\/?)(?=[A-Z])/g, "<$1n:");
  expect(only(prefixed).lines[0]).toMatchObject({ amount: -250, text: "Rent" });
});

test("the opening balance is OPBD, else PRCD, else the first ITBD; available balances are ignored", () => {
  const opening = (balances: string) => only(file("", { balances })).opening?.amount;
  expect(opening(balance("PRCD", "1.00") + balance("OPBD", "2.00"))).toBe(200);
  expect(opening(balance("CLAV", "9.00") + balance("PRCD", "1.00") + balance("ITBD", "3.00"))).toBe(
    100,
  );
  expect(opening(balance("OPAV", "9.00") + balance("ITBD", "3.00") + balance("ITBD", "4.00"))).toBe(
    300,
  );
  expect(
    opening(balance("OPAV", "9.00") + balance("FWAV", "9.00") + balance("XPCD", "9.00")),
  ).toBeUndefined();
});

test("the closing balance is CLBD, else the last ITBD, the balance of the last page", () => {
  const closing = (balances: string) => only(file("", { balances })).closing;
  expect(closing(balance("ITBD", "1.00") + balance("CLBD", "2.00"))).toMatchObject({
    amount: 200,
    isIntermediate: false,
  });
  expect(closing(balance("OPBD", "1.00") + balance("ITBD", "3.00"))).toMatchObject({
    amount: 300,
    isIntermediate: true,
  });
  expect(closing(balance("ITBD", "3.00"))).toBeUndefined();
});

test("a reversal takes its sign from the credit or debit mark, and its debtor and creditor are swapped", () => {
  const parties =
    "<RltdPties><Dbtr><Pty><Nm>Payer</Nm></Pty></Dbtr><Cdtr><Pty><Nm>Payee</Nm></Pty></Cdtr></RltdPties>";
  expect(line(entry("DBIT", "5.00", details(parties)))).toMatchObject({
    amount: -500,
    isReturn: false,
    party: { name: "Payee" },
  });
  expect(line(entry("DBIT", "5.00", `<RvslInd>true</RvslInd>${details(parties)}`))).toMatchObject({
    amount: -500,
    isReturn: true,
    party: { name: "Payer" },
  });
  expect(
    line(entry("CRDT", "5.00", details(`<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>${parties}`))),
  ).toMatchObject({
    amount: 500,
    isReturn: true,
    party: { name: "Payee" },
  });
});

test.each(["PDNG", "INFO", "FUTR"])(
  "CAMT entries with status %s are counted as pending, and do not become statement lines",
  (status) => {
    const entries =
      entry("CRDT", "1.00", "", status) +
      entry("CRDT", "1.00", "", `<Cd>${status}</Cd>`) +
      entry("CRDT", "2.00");
    expect(only(file(entries))).toMatchObject({ lineCount: 1, sum: 200, pending: 2 });
  },
);

test("the date of an entry is its booking date, else its value date, else that of the closing balance", () => {
  const of = (dates: string) =>
    only(
      file(
        `<Ntry><Amt Ccy="EUR">1</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>${dates}</Ntry>`,
        {
          balances: balance("CLBD", "1.00", "2026-01-30"),
        },
      ),
    ).lines[0]?.date;
  expect(of("<BookgDt><DtTm>2026-01-05T23:59:00-11:00</DtTm></BookgDt>")).toBe("2026-01-05");
  expect(of("<ValDt><Dt>2026-01-06</Dt></ValDt>")).toBe("2026-01-06");
  expect(of("")).toBe("2026-01-30");
});

test("placeholder references such as NOTPROVIDED are dropped; the bank's id is no entry reference", () => {
  const read = line(
    entry(
      "CRDT",
      "1.00",
      `<NtryRef>CH2130808001234567890</NtryRef>${details("<Refs><AcctSvcrRef>0000</AcctSvcrRef><EndToEndId>NOTPROVIDED</EndToEndId><MndtId>M-1</MndtId><TxId>T1</TxId></Refs>")}`,
    ),
  );
  expect(read.id).toBeUndefined();
  expect(read.references).toMatchObject({ endToEnd: undefined, mandate: "M-1", transaction: "T1" });
});

test("remittance lines and structured references are joined to one text, without a space after a full line", () => {
  const full = "x".repeat(139);
  const info = `<RmtInf><Ustrd>${full}4</Ustrd><Ustrd>2 for</Ustrd><Ustrd>May</Ustrd><Strd><RfrdDocInf><Nb>INV-7</Nb></RfrdDocInf><CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf></Strd></RmtInf><AddtlTxInf>A &amp; B</AddtlTxInf>`;
  const read = line(entry("CRDT", "1.00", `${details(info)}<AddtlNtryInf>Transfer</AddtlNtryInf>`));
  expect(read.text).toBe(`${full}42 for May RF18539007547034 INV-7 A & B Transfer`);
  expect(read.references).toMatchObject({ structured: "RF18539007547034", document: "INV-7" });
});

test("a batch entry is split into a line for each payment where the payments add up to the entry", () => {
  const old = (amount: string) =>
    `<Refs><EndToEndId>E${amount}</EndToEndId></Refs><AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls>`;
  const recent = (amount: string) =>
    `<Refs><EndToEndId>E${amount}</EndToEndId></Refs><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd>`;
  for (const payment of [old, recent]) {
    const { lines } = only(
      file(
        entry(
          "DBIT",
          "30.00",
          `<AcctSvcrRef>B1</AcctSvcrRef>${details(payment("10.00"), payment("20.00"))}`,
        ),
      ),
    );
    expect(
      lines.map(({ amount, id, batch, references }) => [amount, id, batch, references.endToEnd]),
    ).toEqual([
      [-1000, "B1", { id: "B1", amount: -3000, place: 1, count: 2 }, "E10.00"],
      [-2000, "B1", { id: "B1", amount: -3000, place: 2, count: 2 }, "E20.00"],
    ]);
  }
});

test.each([
  ["sum to another amount", `<Amt Ccy="EUR">10.00</Amt>`],
  ["are in another currency", `<Amt Ccy="USD">15.00</Amt>`],
  ["have no amounts", ""],
])("a batch whose payments %s stays one statement line with parts", (_, amount) => {
  const { lines } = only(
    file(entry("CRDT", "30.00", details(amount, `<Amt Ccy="EUR">15.00</Amt>`))),
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    amount: 3000,
    parts: [{ kind: "detail" }, { kind: "detail", amount: 1500 }],
  });
});

test("charges of an entry are read as parts of the statement line, in version 02 and in later versions", () => {
  const payment = `<Amt Ccy="EUR">1500.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>`;
  for (const charges of [
    `<Chrgs><Amt Ccy="EUR">26.00</Amt></Chrgs>`,
    `<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">26.00</TtlChrgsAndTaxAmt><Rcrd><Amt Ccy="EUR">26.00</Amt><CdtDbtInd>DBIT</CdtDbtInd></Rcrd></Chrgs>`,
  ]) {
    expect(line(entry("DBIT", "1526.00", details(payment + charges)))).toMatchObject({
      amount: -152_600,
      parts: [
        { kind: "detail", amount: -150_000 },
        { kind: "charge", amount: -2600, currency: "EUR" },
      ],
    });
  }
});

test("a converted payment has the booked amount of its entry, and the original amount as a part", () => {
  const amounts = `<AmtDtls><InstdAmt><Amt Ccy="USD">110.00</Amt></InstdAmt><TxAmt><Amt Ccy="EUR">100.00</Amt></TxAmt></AmtDtls>`;
  expect(line(entry("DBIT", "100.00", details(amounts)))).toMatchObject({
    amount: -10_000,
    currency: "EUR",
    parts: [{ kind: "original", amount: -11_000, currency: "USD" }],
  });
});

test("page numbers are read from the statement, in version 02 from the message header; a duplicate is marked", () => {
  const pages = "<PgNb>2</PgNb><LastPgInd>false</LastPgInd>";
  const own = only(
    file("", {
      head: `<StmtPgntn>${pages}</StmtPgntn><ElctrncSeqNb>7</ElctrncSeqNb><CpyDplctInd>DUPL</CpyDplctInd>`,
    }),
  );
  expect(own).toMatchObject({ number: "7", page: 2, isLastPage: false, isRepeat: true });
  const inMessage = file("", { version: "02" }).replace(
    "</GrpHdr>",
    `<MsgPgntn>${pages}</MsgPgntn></GrpHdr>`,
  );
  expect(only(inMessage)).toMatchObject({ page: 2, isLastPage: false, isRepeat: false });
});

test("a statement whose number of entries differs from the declared one is read with a warning", () => {
  expect(only(sample("camt_parser/valid_example_with_batch.xml")).warnings).toEqual([
    "The statement says that it has 35 entries, and has 3.",
  ]);
});

test.each([
  [
    "of CAMT.052",
    sample("camt/camt052.v8.xml"),
    "NotStatement",
    /CAMT\.052: an intraday report.*ask the bank for that, as CAMT\.053 or MT940/,
  ],
  ["of CAMT.052, version 02", sample("camt_parser/052.xml"), "NotStatement", /CAMT\.052/],
  ["of CAMT.054", sample("camt/camt054.v8.xml"), "NotStatement", /CAMT\.054: details of entries/],
  ["of CAMT.054, version 02", sample("camt/camt054.v2.xml"), "NotStatement", /CAMT\.054/],
  ["without a statement", sample("camt/camt053.v2.wrong.xml"), "NotStatement", /no statement/],
  [
    "with entities of its own",
    file("").replace(
      "<Document",
      `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<Document`,
    ),
    "Entities",
    /document type or entities/,
  ],
  [
    "with an entry that has no end",
    file(`${entry("CRDT", "1.00")}<Ntry><Amt>`),
    "Truncated",
    /before an entry does/,
  ],
  [
    "with an entry of 2 MB",
    file(`<Ntry><A>${"x".repeat(2_000_000)}</A></Ntry>`),
    "TooMuch",
    /longer than/,
  ],
  ["with an entry in a comment", file(`<!-- ${entry("CRDT", "1.00")} -->`), "BadFile", /comment/],
  [
    "with an entry in an entry",
    file(`<Ntry>${entry("CRDT", "1.00")}</Ntry>`),
    "BadFile",
    /begins before/,
  ],
  [
    "nested without end",
    file(`<Ntry>${"<a>".repeat(3000)}${"</a>".repeat(3000)}</Ntry>`),
    "TooMuch",
    /nest deeper/,
  ],
  [
    "with neither credit nor debit",
    file(entry("CRDT", "1.00").replace("CRDT", "BOTH")),
    "BadFile",
    /neither/,
  ],
  ["with parts of a cent", file(entry("CRDT", "1.005")), "BadAmount", /parts of a cent/],
  [
    "with a day that does not exist",
    file(entry("CRDT", "1").replace("01-05", "02-30")),
    "BadDate",
    /no date/,
  ],
] as const)("a CAMT file %s is refused with the reason", (_, bytes, code, sentence) => {
  const error = refusal(bytes);
  expect(error.code).toBe(code);
  expect(error.message).toMatch(sentence);
});

test("a CAMT file that is cut off anywhere before its end is refused", () => {
  const text = file(entry("CRDT", "1.00") + entry("DBIT", "2.00"));
  for (let end = text.indexOf("<Acct>"); end < text.length - 1; end += 3) {
    expect(refusal(text.slice(0, end)).code).toBe("Truncated");
  }
});

test("a CAMT file read in chunks of any size gives the same lines", () => {
  checkChunks(sample("camt_parser/valid_example.xml"));
  checkChunks(sample("camt/camt053.v2.multi.statement.xml"));
});
