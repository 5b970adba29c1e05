/** Files are recognised by what is in them, in any character set, packed or not. */

import { describe, expect, test } from "vitest";
import { collect } from "../../src/bank-files/bank-statement.ts";
import {
  filesIn,
  formatNames,
  formats,
  readBankFile,
  recognise,
} from "../../src/bank-files/index.ts";
import { RefusedError } from "../../src/resources/errors.ts";
import { only, refusal, sample } from "./statements.ts";
import { zipOf } from "./zip-file.ts";

test.each([
  ["ofx", "ofxparse/checking.ofx"],
  ["ofx", "ofxparse/suncorp.ofx"],
  ["ofx", "ofxparse/empty_balance.ofx"],
  ["ofx", "ofxparse/ofx-v102-empty-tags.ofx"],
  ["camt", "camt/camt053.v8.xml"],
  ["camt", "camt_parser/valid_example.xml"],
  ["mt940", "cmxl/mt940.txt"],
  ["mt940", "php-mt940/Zetb.txt"],
  ["mt940", "php-mt940/Rabo.txt"],
  ["mt940", "php-mt940/Abn.txt"],
  ["qif", "qif2json/normalTransactions.qif"],
  ["qif", "qif2json/utf8.qif"],
])("the format %s of the bank file %s is recognised", (format, name) => {
  expect(recognise(sample(name).toString("latin1").replace("ï»¿", "\ufeff").slice(0, 8192))).toBe(
    format,
  );
});

test("the known bank formats have titles, and text in columns is recognised as CSV", () => {
  expect(formatNames.map((name) => formats[name].title)).toEqual([
    "OFX",
    "CAMT.053",
    "MT940",
    "QIF",
    "CSV",
  ]);
  expect(recognise("Date,Amount\n")).toBe("csv");
});

test.each([
  ["empty", ""],
  ["plain prose", "Dear customer"],
  ["a web page", "<html><body>Your session, it has expired</body></html>"],
  ["JSON", '[{"date":"2026-03-16","amount":475.00,"description":"CAFE"}]'],
  ["a PDF", "%PDF-1.7, and more"],
  ["binary", "\0\x01\x02,\0"],
])("a bank file that is %s is recognised as no known format", (_, text) => {
  expect(refusal(text).message).toMatch(/no statement in a known format/);
});

/** Bytes of the signs that windows-1252 has and ISO 8859-1 lacks. */
const cp1252 = new Map(
  [..."€Œ’“”–Šœž Ž".replace(" ", "")].map((sign, at) => [
    sign,
    [0x80, 0x8c, 0x92, 0x93, 0x94, 0x96, 0x8a, 0x9c, 0x9e, 0x8e][at] as number,
  ]),
);

describe("character sets of bank files", () => {
  const file = "Date;Memo;Amount\n2026-01-05;Straße Łódź ¤;1,00\n";
  const memo = (bytes: Uint8Array, encoding?: string) => only(bytes, { encoding }).lines[0]?.text;

  test("a bank file in UTF-16 is read with and without a byte order mark", () => {
    expect(memo(Buffer.from(`\ufeff${file}`, "utf16le"))).toBe("Straße Łódź ¤");
    expect(memo(Buffer.from(file, "utf16le"))).toBe("Straße Łódź ¤");
    expect(memo(Buffer.from(file, "utf16le").swap16())).toBe("Straße Łódź ¤");
  });

  test("a bank file that begins in UTF-8 and continues in another encoding is refused", () => {
    const bytes = Buffer.concat([
      Buffer.from(file),
      Buffer.from("2026-01-06;Stra\xdfe;1,00\n", "latin1"),
    ]);
    expect(refusal(bytes).code).toBe("BadEncoding");
  });

  test("the encoding declared in a bank file is used only where its bytes are not valid UTF-8", () => {
    const xml = (encoding: string) =>
      `<?xml version="1.0" encoding="${encoding}"?><?OFX OFXHEADER="200"?><OFX><BANKTRANLIST><STMTTRN><DTPOSTED>20260105<TRNAMT>1<MEMO>@</STMTTRN></BANKTRANLIST></OFX>`;
    const bytes = Buffer.from(xml("ISO-8859-2"));
    bytes[bytes.indexOf("@")] = 0xa3;
    expect(memo(bytes)).toBe("Ł");
    expect(memo(Buffer.from(xml("ISO-8859-2").replace("@", "Ł")))).toBe("Ł");
    const euro = Buffer.from(xml("US-ASCII"));
    euro[euro.indexOf("@")] = 0x80;
    expect(memo(euro)).toBe("€");
  });

  test.each([
    [
      "of Polish words in windows-1250",
      "Spo\xb3ka",
      ['"Spo³ka" is read in windows-1252; in windows-1250 it is "Społka". --encoding settles it.'],
    ],
    ["of German words, which both encodings have", "Stra\xdfe", []],
    ["of ASCII", "Strasse", []],
  ])(
    "a bank file %s without a declared encoding tells a word that may be another",
    (_, word, warnings) => {
      const bytes = Buffer.from(file.replace("Straße Łódź ¤", word), "latin1");
      expect(only(bytes).warnings).toEqual(warnings);
      expect(only(bytes, { encoding: "windows-1250" }).warnings).toEqual([]);
    },
  );

  test.each([
    ["Japanese in Shift_JIS", "shift_jis", "お取り扱い内容", "82a88ee682e888b582a293e09765"],
    ["Chinese in GBK", "gb18030", "交易日期", "bdbbd2d7c8d5c6da"],
    ["Korean in EUC-KR", "euc-kr", "거래일자", "b0c5b7a1c0cfc0da"],
    ["Russian in windows-1251", "windows-1251", "Дата", "c4e0f2e0"],
    ["German of DOS", "cp852", "Käse", "4b847365"],
    ["German of a Macintosh", "macintosh", "Müller", "4d9f6c6c6572"],
  ])(
    "a bank file of %s without a declared encoding is refused with the encoding",
    (_, name, word, hex) => {
      const [before = "", after = ""] = file.split("Straße Łódź ¤");
      const bytes = Buffer.concat([
        Buffer.from(before),
        Buffer.from(hex, "hex"),
        Buffer.from(after),
      ]);
      const { code, message } = refusal(bytes);
      expect(code).toBe("BadEncoding");
      expect(message).toContain(`${name} ("${word}")`);
      expect(memo(bytes, name)).toBe(word);
    },
  );

  test.each([
    "Göteborg ÅÄÖ",
    "Œuvre d’été",
    "Škoda Žižkov",
    "l’œil “vu” – 5 €",
    "COMPRA AÇÃO",
    "L’Haÿ",
  ])("a bank file of %s in windows-1252 without a declared encoding is read", (word) => {
    const bytes = Buffer.from(
      [...file.replace("Straße Łódź ¤", word)].map(
        (sign) => cp1252.get(sign) ?? sign.charCodeAt(0),
      ),
    );
    expect(memo(bytes)).toBe(word);
  });

  test("an unknown encoding name given for a bank file is refused", () => {
    expect(refusal(Buffer.from(file), { encoding: "utf-99" }).message).toBe(
      'There is no encoding "utf-99".',
    );
  });
});

describe("ZIP archives of bank files", () => {
  const ofx = sample("ofxparse/suncorp.ofx").toString();
  const unpack = (bytes: Uint8Array) => filesIn(() => [bytes]);
  const sums = (bytes: Uint8Array) =>
    unpack(bytes).map(({ name, open }) => [name, collect(readBankFile(open))[0]?.sum]);
  const failure = (bytes: Uint8Array): RefusedError => {
    try {
      sums(bytes);
    } catch (error) {
      if (error instanceof RefusedError) return error;
      throw error;
    }
    throw new Error("the archive was read");
  };

  test("the bank files in a ZIP archive are read, and files added by the operating system are skipped", () => {
    const files = {
      "a.ofx": ofx,
      "__MACOSX/a.ofx": "x",
      ".DS_Store": "x",
      "b/c.csv": "Date,Text,Amount\n2026-01-05,Rent,1.00\n",
    };
    for (const method of [0, 8])
      expect(sums(zipOf(files, { method }))).toEqual([
        ["a.ofx", -1685],
        ["b/c.csv", 100],
      ]);
  });

  test.each([
    ["Excel", zipOf({ "[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>" })],
    ["Excel", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])],
  ])("a spreadsheet of %s given as a bank file is refused as a spreadsheet", (kind, bytes) => {
    expect(() => unpack(bytes)).toThrow(
      `It is a spreadsheet (${kind}); save it as CSV and give that.`,
    );
  });

  test("a bank file that is not a ZIP archive is returned unchanged", () => {
    expect(sums(Buffer.from(ofx))).toEqual([[undefined, -1685]]);
    expect(sums(Buffer.from("Posted date,Text,Amount\n2026-01-05,Rent,1.00\n"))).toEqual([
      [undefined, 100],
    ]);
  });

  test.each([
    [
      "a file that unpacks to more than it says",
      zipOf({ a: "0".repeat(5_000_000) }, { lie: 1000 }),
      "TooMuch",
      /unpacks to more/,
    ],
    [
      "a file of gigabytes",
      zipOf({ a: "0".repeat(1000) }, { lie: 2_000_000_000 }),
      "TooMuch",
      /unpacks to more/,
    ],
    [
      "a file that is shorter than it says",
      zipOf({ a: "Date,Amount" }, { lie: 100 }),
      "BadFile",
      /was cut off/,
    ],
    ["a file unlike its checksum", zipOf({ a: ofx }, { crc: 1 }), "BadFile", /is damaged/],
    ["a password", zipOf({ a: ofx }, { flags: 1 }), "BadFile", /password/],
    ["another packing", zipOf({ a: ofx }, { method: 12 }), "BadFile", /unusual way/],
    ["no file", zipOf({ "a/": "" }), "BadFile", /no file/],
    ["no end", zipOf({ a: ofx }).subarray(0, 200), "BadFile", /was cut off/],
    [
      "a ZIP in it",
      zipOf({ a: zipOf({ b: ofx }).toString("latin1") }),
      "BadFile",
      /no statement in a known format/,
    ],
  ] as const)("a ZIP archive of bank files with %s is refused", (_, bytes, code, sentence) => {
    const error = failure(bytes);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(sentence);
  });
});
