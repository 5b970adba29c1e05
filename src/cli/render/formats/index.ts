/** Output formats of `-o NAME`, in the order of help. */

import { plainValue } from "../../../wire/plain.ts";
import type { Formatter } from "../formatter.ts";
import { safeLine } from "../safe.ts";
import { csv } from "./csv.ts";
import { json, ndjson } from "./json.ts";
import { html, pdf, xlsx } from "./paper.ts";
import { table } from "./table.ts";
import { xml } from "./xml.ts";

/** The format `id`: ids alone, one per line, as input for other commands. */
const id: Formatter = {
  holds: "ids",
  isTextual: true,

  record: (writer, resource, record) => id.records(writer, resource, [record]),

  records(writer, resource, records) {
    const field = resource.fields[resource.id];
    return writer.answer(async (sink) => {
      for await (const record of records) {
        const value = (record as Readonly<Record<string, unknown>>)[resource.id];
        await sink.write(`${field ? safeLine(plainValue(field, value)) : ""}\n`);
      }
    });
  },
};

const formatters = {
  table,
  json,
  ndjson,
  xml,
  csv,
  xlsx,
  html,
  pdf,
  id,
} as const satisfies Record<string, Formatter>;

export type OutputFormat = keyof typeof formatters;

export const formats: Readonly<Record<OutputFormat, Formatter>> = formatters;

export const outputFormats = Object.keys(formatters) as readonly OutputFormat[];

/** Returns the format for a file name extension. */
export function formatOfFile(path: string): OutputFormat | undefined {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase();
  return extension === "htm" ? "html" : outputFormats.find((format) => format === extension);
}
