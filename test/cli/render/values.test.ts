/** Commands that print a value that is no record, in every output format. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { readXlsx } from "hucre";
import { beforeAll, describe, expect, test } from "vitest";
import { describedValue } from "../../../src/cli/render/described.ts";
import { formats, outputFormats } from "../../../src/cli/render/formats/index.ts";
import { readPdf } from "../../service/pdf/pdf-text.ts";
import { isEveryCase } from "../../support/properties.ts";
import { newDesk } from "../real.ts";
import { walk, wholeTree } from "../tree.ts";

const desk = newDesk();
const file = (name: string) => join(desk.home, name);

beforeAll(async () => {
  expect((await desk.acct("init --name 'Heron Ltd' --country NZ --no-input")).code).toBe(0);
  writeFileSync(file("contacts.csv"), "Name\nMoa Coffee\n");
  expect((await desk.acct(`export folder ${file("books")}`)).code).toBe(0);
});

/** A line of each command that declares a value, each with a text of it that every format has. */
const lines: Readonly<Record<string, readonly [line: string, text: string]>> = {
  "book info": ["book info", "Heron Ltd"],
  "book verify": ["book verify", "control accounts"],
  "book seal": ["book seal", "Heron Ltd"],
  "book copy": ["book copy BOOK HOME/COPY.acct", "Heron Ltd"],
  "book upgrade": ["book upgrade", "a.acct"],
  doctor: ["doctor", "ok"],
  init: ["init --name Moa --country NZ --book HOME/COPY-new.acct", "COPY-new.acct"],
  serve: ["serve --print-config --port 5077", "5077"],
  "dev-cert": ["dev-cert", "NODE_EXTRA_CA_CERTS"],
  schema: ["schema contact", "contact"],
  "auth status": ["auth status", "ACCT_TOKEN"],
  "invoice url": [
    "invoice url INV-0042 --demo --public-url https://books.example",
    "https://books.example",
  ],
  "quote url": [
    "quote url QU-0001 --demo --public-url https://books.example",
    "https://books.example",
  ],
  "credit-note url": [
    "credit-note url CN-0002 --demo --public-url https://books.example",
    "https://books.example",
  ],
  "import folder": ["import folder HOME/books --yes", "accounts"],
  "import contacts": ["import contacts HOME/contacts.csv --yes", "contacts"],
  "invoice list": ["invoice list --count --demo", "Count"],
};

const declared = [...walk(await wholeTree())].flatMap(({ path, node }) =>
  node.kind === "command" && node.answer === "value" ? [path.join(" ")] : [],
);

test("each command that prints a single value has a test", () => {
  const imports = /^(?:import (?!folder|contacts)\S+|\S+ import)$/;
  // Their values are tested where a cluster is, and where two services are compared.
  const elsewhere = ["database distribute", "compare"];
  const others = declared.filter((each) => !elsewhere.includes(each) && !imports.test(each));
  expect(others.filter((each) => !(each in lines))).toEqual([]);
});

const inFiles = outputFormats.filter((format) => !formats[format].isTextual);

describe.each(Object.values(lines).map((it, at) => [...it, at] as const))(
  "the value printed by acct %s",
  (line, text, at) => {
    // Every format in the long run, one after another in the short one.
    test.each(inFiles.filter((_, place) => isEveryCase || place === at % inFiles.length))(
      "the value is written to a file in the format %s",
      async (format) => {
        const path = file(`${line.replaceAll(/\W+/g, "-")}.${format}`);
        const own = line.replace("BOOK", file("a.acct")).replaceAll("HOME", desk.home);
        const ended = await desk.acct(
          `${own.replace("COPY", `copy-${format}`)} --no-input -o ${format} --output-file ${path}`,
          { env: { ACCT_FONTS: "none", ...(line === "auth status" && { ACCT_TOKEN: "x" }) } },
        );
        expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
        const shown = await textsIn[format as keyof typeof textsIn](readFileSync(path));
        expect(shown).toContain(text.replace("COPY", `copy-${format}`));
      },
    );
  },
);

/** Reads a file as programs do, and gives its texts. */
const textsIn = {
  json: async (bytes: Buffer) => JSON.stringify(JSON.parse(String(bytes))),
  ndjson: async (bytes: Buffer) => JSON.stringify(JSON.parse(String(bytes))),
  xml: async (bytes: Buffer) => {
    expect(XMLValidator.validate(String(bytes))).toBe(true);
    return JSON.stringify(new XMLParser().parse(bytes));
  },
  csv: async (bytes: Buffer) => JSON.stringify(parse(bytes)),
  xlsx: async (bytes: Buffer) => {
    const { sheets } = await readXlsx(bytes);
    return JSON.stringify(sheets.map(({ rows }) => rows));
  },
  html: async (bytes: Buffer) => String(bytes),
  pdf: async (bytes: Buffer) => JSON.stringify(readPdf(bytes)),
} as const;

describe("the description of a printed value", () => {
  test("a described list takes the kind of its elements, and the kind text where they differ", () => {
    const { resource, records } = describedValue([
      { a: 1, "b c": [{ d: true }], e: null, f: 1 },
      { a: 2, "b c": [], f: "x", $g: { h: 1.5 }, i: ["y", 2] },
    ]);
    expect(Object.entries(resource.fields).map(([name, { kind }]) => `${name} ${kind}`)).toEqual([
      ...["a integer", "bc many", "f text", "g one", "i texts"],
    ]);
    expect(resource.columns).toEqual(["a", "bc.d", "f", "g.h", "i"]);
    expect(records).toEqual([
      { a: 1, bc: [{ d: true }], f: "1" },
      { a: 2, bc: [], f: "x", g: { h: "1.5" }, i: ["y", "2"] },
    ]);
  });
});
