/** `acct schema`: JSON Schemas of records. */
import type { Resource } from "../../resources/field.ts";
import { resources } from "../../resources/index.ts";
import { invoice } from "../../resources/invoice.ts";
import { taxReport } from "../../resources/tax-report.ts";
import { plainSchema } from "../../wire/plain-schema.ts";
import { command, wordOf } from "../framework/command.ts";

/** Resources by noun of the command line; reports are not resources. */
const byNoun: ReadonlyMap<string, Resource> = new Map([
  ...resources.filter((each) => each !== taxReport).map((each) => [wordOf(each), each] as const),
  ["bill", invoice],
]);

export const schemaCommand = command("schema", "JSON Schema of a record")
  .answers("value")
  .argument("NOUN", "what the record is of, such as invoice", { values: [...byNoun.keys()].sort() })
  .switch("input", "as --file takes one, instead of as -o json and ndjson print one")
  .note("Draft 2020-12. A list is an array of them as json, and one a line as ndjson.")
  .example("acct schema invoice")
  .example("acct schema contact --input")
  .action(async (ctx, noun, { input = false }) => {
    const schema = plainSchema(byNoun.get(noun) as Resource, input ? "taken" : "printed");
    await ctx.out.value(schema, JSON.stringify(schema, null, 2));
  });
