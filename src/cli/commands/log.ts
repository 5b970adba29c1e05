/** `acct log`: the operations on the book, with principal and time. */
import type { Client } from "../../client/client.ts";
import { NotFoundError } from "../../resources/errors.ts";
import { pathOf } from "../../resources/field.ts";
import { type Operation, operation } from "../../resources/operation.ts";
import { readId } from "../../resources/scalar.ts";
import { allOf, compare } from "../../wire/query/condition.ts";
import type { Child, Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { fieldFlag } from "../framework/flags.ts";
import { momentFlags } from "../shared/filters.ts";
import { listCommand } from "../shared/list-verb.ts";
import { recordNamed } from "../shared/record-ref.ts";

/** The id of a record, which may be of a record that is gone. */
const recordId = async (ctx: Context, text: string) =>
  readId(text) ?? (await recordNamed(ctx, text)).id;

const list = listCommand({
  resource: operation,
  summary: "list what was done, the latest first",
  rename: { AtUTC: "at" },
  omit: ["Number", "Agent"],
  flags: [
    ...momentFlags,
    {
      ...fieldFlag("agent", { kind: "text" }, { help: "" }),
      key: "agent",
      placeholder: "NAME",
      help: "beginning of what the agent calls itself",
    },
    {
      ...fieldFlag("record", { kind: "text" }, { help: "only what wrote this record" }),
      key: "record",
      placeholder: "RECORD",
      live: "record",
      help: "only what wrote this record: INV-0042, a name, NOUN:KEY or an id",
    },
  ],
  parameters: async (ctx, { record }): Promise<Record<string, string>> =>
    record === undefined ? {} : { record: await recordId(ctx, String(record)) },
  query: (query, { since, until, agent }) => ({
    ...query,
    where: allOf([
      query.where,
      agent === undefined ? agent : `Agent.StartsWith(${JSON.stringify(agent)})`,
      since === undefined ? since : compare(operation.fields, "AtUTC", ">=", Number(since)),
      until === undefined ? until : compare(operation.fields, "AtUTC", "<", Number(until)),
    ]),
  }),
  examples: [
    "acct log",
    "acct log --from 2026-03-01",
    "acct log --record INV-0204",
    "acct log --user Ana --limit 20",
    "acct log --agent helper",
  ],
});

const show = command("show", "show one operation in full")
  .alias("view", "get")
  .optionalArgument("OPERATION", "its number or id; the last one when not given")
  .answers(operation)
  .note("Every record that it wrote, and of those that it changed what they were before.")
  .example("acct log show")
  .example("acct log show 17")
  .example("acct log show 17 -o json")
  .action(async (ctx, key) => ctx.out.record(operation, await operationNamed(ctx, key)));

/**
 * Finds an operation.
 *
 * @param key  number or id; the last operation when not given
 * @throws NotFoundError
 */
async function operationNamed(ctx: Context, key: string | undefined): Promise<Operation> {
  const client = await ctx.client();
  if (key === undefined) return lastOperation(client);
  const [match] = await client.at(operation, `${pathOf(operation)}/${encodeURIComponent(key)}`);
  if (match === undefined) throw new NotFoundError("NotFound", `There is no operation ${key}.`);
  return match;
}

async function lastOperation(client: Client): Promise<Operation> {
  for await (const { Number: last } of client.list(operation, { limit: 1 })) {
    const [found] = await client.at(operation, `${pathOf(operation)}/${last}`);
    if (found !== undefined) return found;
  }
  throw new NotFoundError("NotFound", "Nothing was done to the books yet.");
}

export const logVerbs: readonly Child[] = [list, show];
