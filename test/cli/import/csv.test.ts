import { parse } from "csv-parse/sync";
import { afterAll, describe, expect, test } from "vitest";
import { formOf, readDelimiter, rowsOf } from "../../../src/cli/import/readers/csv-reader.ts";
import { openSource, type SourceFile } from "../../../src/cli/import/readers/source.ts";
import { RefusedError, UsageError } from "../../../src/resources/errors.ts";
import type { CsvRow } from "../../../src/wire/csv.ts";
import { fc } from "../../support/properties.ts";
import { Desk } from "./desk.ts";

/** A source that gives its bytes a few at a time, so that every row is cut somewhere. */
function sourceOf(content: string | Uint8Array): SourceFile {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return {
    name: "file",
    bytes: bytes.length,
    read: (buffer, position) => {
      const part = bytes.subarray(position, position + buffer.length);
      buffer.set(part);
      return part.length;
    },
    close: () => undefined,
  };
}

function read(content: string | Uint8Array, given = {}): CsvRow[] {
  const source = sourceOf(content);
  return [...rowsOf(source, formOf(source, given))].flat();
}

const cells = (content: string | Uint8Array, given = {}) =>
  read(content, given).map((row) => row.cells);

describe("rows of a CSV file", () => {
  test.each<[what: string, text: string, rows: string[][]]>([
    [
      "plain",
      "a,b\n1,2\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "without a line end at the end",
      "a,b\n1,2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "with the line ends of another system",
      "a,b\r\n1,2\r\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "with the line ends of old",
      "a,b\r1,2\r",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "quoted",
      'a,b\n"1,5","x ""y"" z"\n',
      [
        ["a", "b"],
        ["1,5", 'x "y" z'],
      ],
    ],
    [
      "with a line break in a cell",
      'a,b\n"1\n2",3\n',
      [
        ["a", "b"],
        ["1\n2", "3"],
      ],
    ],
    [
      "with empty cells",
      'a,b,c\n,"",\n',
      [
        ["a", "b", "c"],
        ["", "", ""],
      ],
    ],
    [
      "with quotes that are text",
      'a,b\n12" RULER,5\n',
      [
        ["a", "b"],
        ['12" RULER', "5"],
      ],
    ],
    [
      "with empty lines",
      "a,b\n\n1,2\n\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    ["of one column", "a\n1\n2\n", [["a"], ["1"], ["2"]]],
    [
      "that say how they are separated",
      "sep=;\na;b\n1,5;2\n",
      [
        ["a", "b"],
        ["1,5", "2"],
      ],
    ],
  ])("a CSV file is read into its cells: %s", (_, text, rows) => {
    expect(cells(text)).toEqual(rows);
  });

  test("rows of a CSV file are numbered as in a spreadsheet", () => {
    const rows = read('a,b\n"1\n2",3\n\n4,5\n');
    expect(rows.map(({ row }) => row)).toEqual([1, 2, 4]);
  });

  test.each([
    ["a;b;c\n1,5;2,5;3\n", ";"],
    ["a\tb\n1,5\t2\n", "\t"],
    ["a|b\nx, y|2\n", "|"],
    ["name,remark\nx,a; b; c\ny,d; e; f\n", ","],
    ['"a;b",c\n"1;2",3\n', ","],
    ["only\none column, with a comma\n", ","],
  ])("the delimiter of the CSV text %j is detected as %j", (text, delimiter) => {
    expect(formOf(sourceOf(text), {}).delimiter).toBe(delimiter);
  });

  test.each<[encoding: string, bytes: Uint8Array, given: object]>([
    ["UTF-8 with a mark", Buffer.from("\ufeffa,b\n£,é\n"), {}],
    ["UTF-16 with a mark", Buffer.from("\ufeffa,b\n£,é\n", "utf16le"), {}],
    ["windows-1252", Buffer.from("a,b\n£,é\n", "latin1"), { encoding: "windows-1252" }],
  ])("a CSV file in %s is read", (_, bytes, given) => {
    expect(cells(bytes, given)).toEqual([
      ["a", "b"],
      ["£", "é"],
    ]);
  });

  test("a CSV file that is not UTF-8, without a given encoding, is refused", () => {
    expect(() => read(Buffer.from("a,b\n£,é\n", "latin1"))).toThrow(
      expect.objectContaining({
        code: "BadEncoding",
        message: expect.stringContaining("windows-1252"),
      }),
    );
    expect(() => read("a,b\n", { encoding: "klingon" })).toThrow(UsageError);
  });

  test("a CSV row with text after a closing quote is refused, and the other rows are read", () => {
    const rows = read('a,b\n"x" y,1\n2,3\n');
    expect(rows[1]?.fault).toMatch(/closing quote of cell 1/);
    expect(rows[2]).toEqual({ row: 3, cells: ["2", "3"] });
  });

  test("a CSV file with a quote that is never closed is refused", () => {
    expect(() => read('a,b\n1,2\n"3,4\n5,6\n')).toThrow(
      expect.objectContaining({ code: "BadFile", message: expect.stringContaining("row 3") }),
    );
    expect(() => read(`a,b\n1,2\n"${"x\n".repeat(600_000)}`)).toThrow(RefusedError);
  });

  test("quoted CSV cells are read back unchanged, whatever chunks the file is read in", () => {
    const unit = fc.constantFrom("a", "é", "😀", ",", ";", '"', "\n", "\r\n", " ", "'");
    const cell = fc.string({ unit });
    const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1 });
    fc.assert(
      fc.property(table, fc.constantFrom(",", ";", "\t"), (rows, delimiter) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const text = rows.map((row) => row.map(quoted).join(delimiter)).join("\n");
        expect(cells(text, { delimiter })).toEqual(rows);
        expect(cells(text, { delimiter })).toEqual(parse(text, { delimiter }));
      }),
    );
  });

  test("a CSV file longer than a chunk is read whole", () => {
    const rows = Array.from({ length: 40_000 }, (_, at) => [
      `row ${at}`,
      at % 7 === 0 ? "a,\nb" : "é",
    ]);
    const text = rows.map((row) =>
      row.map((each) => (/[,\n]/.test(each) ? `"${each}"` : each)).join(","),
    );
    expect(cells(text.join("\n"))).toEqual(rows);
  });
});

test.each([
  ["comma", ","],
  ["Semicolon", ";"],
  ["\\t", "\t"],
  ["~", "~"],
])("the flag --delimiter %s is read as %j", (text, delimiter) => {
  expect(readDelimiter(text)).toBe(delimiter);
});

test.each(["", "ab", '"', "x", "\n"])("the flag --delimiter %j is refused", (text) => {
  expect(() => readDelimiter(text)).toThrow(expect.objectContaining({ code: "BadDelimiter" }));
});

describe("an import source", () => {
  const desk = new Desk();
  afterAll(() => desk.close());
  const none = () => {
    throw new Error("standard input was not asked for");
  };

  test("an import of a file that grows meanwhile reads the rows that it had at the start", async () => {
    const path = desk.file("grows.csv", "a\n1\n");
    const source = await openSource(path, none);
    desk.file("grows.csv", "a\n1\n2\n");
    expect([...rowsOf(source, formOf(source, {}))].flat()).toHaveLength(2);
    source.close();
  });

  test("an import can read its rows from standard input twice", async () => {
    const source = await openSource("-", async function* () {
      yield Buffer.from("a,b\n1");
      yield Buffer.from(",2\n");
    });
    const twice = () => [...rowsOf(source, formOf(source, {}))].flat().map((row) => row.cells);
    expect(twice()).toEqual([
      ["a", "b"],
      ["1", "2"],
    ]);
    expect(twice()).toEqual([
      ["a", "b"],
      ["1", "2"],
    ]);
    source.close();
  });

  test("an import of a missing file, or of a folder, is refused", async () => {
    await expect(openSource(desk.path("none.csv"), none)).rejects.toThrow(/There is no file/);
    await expect(openSource(desk.folder, none)).rejects.toThrow(/is a folder/);
  });
});
