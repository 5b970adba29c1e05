/** The output formats, `-o NAME`, in the order in which help lists them. */

import type { Format } from "../format.ts";
import { csv } from "./csv.ts";
import { html } from "./html.ts";
import { id } from "./id.ts";
import { json } from "./json.ts";
import { ndjson } from "./ndjson.ts";
import { pdf } from "./pdf.ts";
import { table } from "./table.ts";
import { xlsx } from "./xlsx.ts";
import { xml } from "./xml.ts";

const known = {
  table,
  json,
  ndjson,
  xml,
  csv,
  xlsx,
  html,
  pdf,
  id,
} as const satisfies Record<string, Format>;

export type OutputFormat = keyof typeof known;

export const formats: Readonly<Record<OutputFormat, Format>> = known;

export const outputFormats = Object.keys(known) as readonly OutputFormat[];

/** The format that a file is in, by the ending of its name. */
export function formatOfFile(path: string): OutputFormat | undefined {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase();
  return ending === "htm" ? "html" : outputFormats.find((format) => format === ending);
}
