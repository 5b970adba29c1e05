/** The format of a file decides which reader gives its rows. */
import { expect, test } from "vitest";
import { openReader, type SourceFormat } from "../../../src/cli/import/readers/reader.ts";
import type { SourceFile } from "../../../src/cli/import/readers/source.ts";

function sourceOf(text: string): SourceFile {
  const bytes = Buffer.from(text);
  return {
    name: "sales",
    bytes: bytes.length,
    read: (buffer, position) => bytes.copy(buffer, 0, position),
    close: () => undefined,
  };
}

/** Files of one JSON array of rows. */
const jsonRows: SourceFormat = {
  recognises(source) {
    const first = new Uint8Array(1);
    source.read(first, 0);
    return first[0] === "[".charCodeAt(0);
  },
  open(source) {
    const bytes = Buffer.alloc(source.bytes);
    source.read(bytes, 0);
    const rows = JSON.parse(bytes.toString()) as string[][];
    return {
      description: "JSON",
      rejectedForm: { delimiter: ",", encoding: "utf-8" },
      rows: () => [rows.map((cells, at) => ({ row: at + 1, cells }))],
    };
  },
};

const cellsOf = (text: string, among?: readonly SourceFormat[]) =>
  [...openReader(sourceOf(text), {}, among).rows()].flat().map(({ cells }) => cells);

test("an import file is read by the first format that recognises it", () => {
  const text = '[["Code","Name"],["A","Anvil"]]';
  expect(cellsOf(text, [jsonRows])).toEqual([
    ["Code", "Name"],
    ["A", "Anvil"],
  ]);
});

test("an import file that no other format recognises is read as CSV, and its delimiter is reported", () => {
  expect(cellsOf("Code;Name\nA;Anvil\n", [jsonRows])).toEqual([
    ["Code", "Name"],
    ["A", "Anvil"],
  ]);
  expect(openReader(sourceOf("Code;Name\nA;Anvil\n"), {}).description).toBe(
    "semicolon-separated utf-8",
  );
});
