/** Files of banks that are broken, of somebody else, or made to do harm: each is refused whole. */
import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { sample } from "../../bank-files/statements.ts";
import { zipOf } from "../../bank-files/zip-file.ts";
import { newDesk } from "../real.ts";

const { acct, home } = newDesk();

beforeAll(async () => {
  await acct("init --name Heron --country NZ --no-input");
  await acct("account create --code 090 --name Cheque --type BANK --bank-account-number 12-3456-1");
});

const account = "<BANKACCTFROM><BANKID>12<ACCTID>3456-1<ACCTTYPE>CHECKING</BANKACCTFROM>";
const ofx = `OFXHEADER:100
<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>NZD${account}<BANKTRANLIST><DTSTART>20260301<DTEND>20260331
<STMTTRN><TRNTYPE>OTHER<DTPOSTED>20260305<TRNAMT>10.00<FITID>1<NAME>Moa</STMTTRN>
<STMTTRN><TRNTYPE>OTHER<DTPOSTED>20260306<TRNAMT>20.00<FITID>2<NAME>Tui</STMTTRN>
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
`;
const mt940 = `:20:MARCH
:25:3456-1
:28C:1/1
:60F:C260301NZD0,00
:61:2603050305C10,00NTRFNONREF
:86:Moa
:62F:C260331NZD10,00
`;
const qif = "!Type:Bank\nD15/03/2026\nT10.00\nPMoa\n^\nD16/03/2026\nT20.00\nPTui\n^\n";
const csv = "Date,Amount,Payee,Balance\n2026-03-15,10.00,Moa,10.00\n2026-03-16,20.00,Tui,30.00\n";
const entry =
  '<Ntry><Amt Ccy="NZD">10.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>' +
  "<BookgDt><Dt>2026-03-05</Dt></BookgDt></Ntry>";
const camt = (body = entry, before = "") =>
  `<?xml version="1.0" encoding="UTF-8"?>${before}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">` +
  "<BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><Othr><Id>3456-1</Id></Othr></Id><Ccy>NZD</Ccy></Acct>" +
  `${body}</Stmt></BkToCstmrStmt></Document>`;
const laughs = `<!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from(
  { length: 9 },
  (_, at) => `<!ENTITY lol${at + 1} "${`&lol${at || ""};`.repeat(10)}">`,
).join("")}]>`;
const external = '<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/passwd">]>';
const cut = (text: string, after: string) => text.slice(0, text.indexOf(after) + after.length);

const refusals: Readonly<Record<string, readonly (readonly [string, string | Buffer, RegExp])[]>> =
  {
    "that is cut off": [
      ["OFX behind a line", cut(ofx, "Moa</STMTTRN>"), /cut off|ends/],
      ["OFX in a line", cut(ofx, "<NAME>Tu"), /cut off|ends/],
      ["CAMT behind an entry", cut(camt(), "</Ntry>"), /cut off|ends/],
      ["CAMT in an entry", cut(camt(), "<CdtDbtInd>CR"), /cut off|ends/],
      ["MT940 before its closing balance", cut(mt940, ":86:Moa\n"), /cut off|ends|balance/],
      ["MT940 in a line", cut(mt940, ":61:260305"), /cut off|ends|line/],
      ["QIF in a date", cut(qif, "D16/0"), /cut off|ends|date|day/],
      ["CSV in a row", cut(csv, "2026-03-16,20"), /ends within a row/],
      ["CSV in a quoted cell", `${csv}2026-03-17,1.00,"Moa`, /quot|cut off/i],
      ["ZIP", zipOf({ "a.ofx": ofx }).subarray(0, -30), /cut off/],
    ],
    "in another encoding than it says or can be": [
      [
        "UTF-8 and latin-1 in one file",
        Buffer.concat([
          Buffer.from(`${csv}2026-03-17,0.00,Straße,30.00\n`),
          Buffer.from("2026-03-18,0.00,Stra\xdfe,30.00\n", "latin1"),
        ]),
        /mixes UTF-8/,
      ],
      [
        "XML in an encoding of no name",
        Buffer.from(camt().replace("UTF-8", "x-nowhere").replace("BOOK", "BOOK\xdf"), "latin1"),
        /no encoding "x-nowhere"/,
      ],
      [
        "UTF-16 with a mark and half a character",
        Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(ofx, "utf16le").subarray(0, -1)]),
        /not written in utf-16le/,
      ],
      [
        "bytes of no text",
        Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256)),
        /no statement in a known format/,
      ],
    ],
    "of XML that is made to grow or to read elsewhere": [
      [
        "entities within entities",
        camt(entry.replace("CRDT", "CRDT&lol9;"), laughs),
        /document type/,
      ],
      ["an entity of a file", camt(entry.replace("CRDT", "&file;"), external), /document type/],
      ["a DOCTYPE alone", camt(entry, "<!DOCTYPE Document>"), /document type/],
      [
        "a DOCTYPE in OFX",
        `<?xml version="1.0"?>${external}<?OFX OFXHEADER="200"?>${ofx.slice(ofx.indexOf("<OFX>"))}`,
        /document type/,
      ],
      [
        "a DOCTYPE in UTF-16",
        Buffer.from(`\ufeff${camt(entry, laughs)}`, "utf16le"),
        /document type/,
      ],
      [
        "an entry of megabytes",
        camt(entry.replace("CRDT", `CRDT${" ".repeat(3_000_000)}`)),
        /longer than/,
      ],
      [
        "elements within elements",
        camt(`<Ntry>${"<a>".repeat(100_000)}`),
        /ends before an entry does/,
      ],
    ],
    "in an archive that is made to burst": [
      ["more than it says", zipOf({ a: "0".repeat(5_000_000) }, { lie: 1000 }), /unpacks to more/],
      ["gigabytes", zipOf({ a: "0".repeat(1000) }, { lie: 2_000_000_000 }), /unpacks to more/],
      [
        "many files that make gigabytes",
        zipOf(
          Object.fromEntries(
            Array.from({ length: 9 }, (_, at) => [`${at}.csv`, "0".repeat(400_000)]),
          ),
          { lie: 400_000_000 },
        ),
        /unpacks to more/,
      ],
      ["zeros", zipOf({ "a.csv": "\0".repeat(50_000_000) }), /unpacks to more/],
      ["an archive in it", zipOf({ a: zipOf({ b: ofx }).toString("latin1") }), /no statement/],
      ["a password", zipOf({ a: ofx }, { flags: 1 }), /password/],
      [
        "one good file and a broken one",
        zipOf({ "a.ofx": ofx, "b.ofx": cut(ofx, "Moa</STMTTRN>") }),
        /cut off|ends/,
      ],
    ],
    "of somebody else": [
      ["another account", ofx.replace("3456-1", "9999-2"), /is of the account/],
      [
        "another account among its statements",
        ofx
          .replace(
            "</BANKMSGSRSV1>",
            ofx
              .slice(ofx.indexOf("<STMTTRNRS>"), ofx.indexOf("</BANKMSGSRSV1>"))
              .replace("3456-1", "9999-2"),
          )
          .concat("</BANKMSGSRSV1></OFX>"),
        /is of the account|./,
      ],
      ["another currency", ofx.replace("NZD", "USD"), /is in USD, but 090 Cheque is in NZD/],
      ["another currency in an entry", camt(entry.replace('"NZD"', '"EUR"')), /EUR/],
      ["a list of the day", sample("camt/camt052.v8.xml"), /intraday report/],
      [
        "investments",
        ofx.replaceAll("STMTRS>", "INVSTMTRS>").replaceAll("BANKMSGSRSV1", "INVSTMTMSGSRSV1"),
        /investment account/,
      ],
    ],
    "that makes no sense": [
      [
        "a day that does not exist",
        ofx.replace("20260306", "20260231"),
        /20260231|2026-02-31|date|day/,
      ],
      ["an amount of words", csv.replace("20.00", "twenty"), /twenty/],
      [
        "an amount beyond what can be kept",
        ofx.replace("20.00", "9".repeat(30)),
        /too large to be kept exactly/,
      ],
      ["fractions of a cent", ofx.replace("20.00", "20.005"), /20\.005/],
      ["nothing in it", "", /no statement/],
      ["JSON", '{"amount": 1}', /no statement/],
      [
        "a page of the web",
        "<!DOCTYPE html><html><body>Sign in to your bank</body></html>",
        /no statement/,
      ],
      ["a PDF", "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", /no statement|./],
    ],
  };

let count = 0;

const kept = async () => [
  (await acct("bank lines 090 --count")).stdout,
  (await acct("bank statement list -o id")).stdout,
];

/** Imports a file of which the book has nothing afterwards. */
async function refused(path: string) {
  const before = await kept();
  const answer = await acct(`bank import ${path} --account 090`);
  expect([answer.stderr, ...(await kept())]).toEqual([answer.stderr, ...before]);
  return answer;
}

describe.each(Object.entries(refusals))("a bank file %s", (_, files) => {
  test.each(files)(
    "a hostile bank file is refused with one sentence, and nothing is imported: %s",
    async (_what, content, sentence) => {
      const path = join(home, `hostile-${count++}`);
      writeFileSync(path, content);
      const { code, stdout, stderr } = await refused(path);
      expect(stderr).toMatch(/^acct: \/.*hostile-\d+: [A-Z"][^\n]{10,400}(?:\.|\))\n$/);
      expect(stderr).toMatch(sentence);
      expect([2, 5]).toContain(code);
      expect(stdout).toBe("");
    },
  );
});

describe("a bank file of a gigabyte", () => {
  test.each([
    ["zeros", ""],
    ["OFX that goes on with zeros", cut(ofx, "<STMTTRN>")],
    ["CAMT that goes on with zeros", cut(camt(), "<Ntry>")],
    ["MT940 that goes on with zeros", cut(mt940, ":86:Moa")],
    ["QIF that goes on with zeros", cut(qif, "PTui")],
    ["CSV that goes on with zeros", csv],
    ["ZIP that goes on with zeros", "PK\x03\x04"],
  ])(
    "a bank file of a gigabyte (%s) is refused before it is read to its end",
    async (_, beginning) => {
      const path = join(home, "gigabyte");
      const descriptor = openSync(path, "w");
      writeSync(descriptor, beginning);
      ftruncateSync(descriptor, 1024 ** 3); // sparse: it takes no space
      closeSync(descriptor);
      const { code, stderr } = await refused(path);
      expect(code).toBe(2);
      expect(stderr).toContain("gigabyte has more than 512 MiB: it is not read.");
    },
  );
});
