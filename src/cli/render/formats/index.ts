/** The output formats, `-o NAME`, in the order in which help lists them. */

import type { Format } from "../format.ts";
import { csv } from "./csv.ts";
import { id } from "./id.ts";
import { json } from "./json.ts";
import { ndjson } from "./ndjson.ts";
import { table } from "./table.ts";
import { xml } from "./xml.ts";

const known = { table, json, ndjson, xml, csv, id } as const satisfies Record<string, Format>;

export type OutputFormat = keyof typeof known;

export const formats: Readonly<Record<OutputFormat, Format>> = known;

export const outputFormats = Object.keys(known) as readonly OutputFormat[];
