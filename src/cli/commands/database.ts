/** `acct database`: administration of a whole database. */
import { distribute } from "../../admin/serve-book.ts";
import { databaseAddress, withoutPassword } from "../../platform/book-address.ts";
import { SchemaError, UsageError } from "../../resources/errors.ts";
import { counted } from "../../resources/scalar.ts";
import type { Child, Context } from "../context/context.ts";
import { command } from "../framework/command.ts";

/** Maximum number of shards, far above the number of nodes that anybody has. */
const shardsMax = 1024;

interface DistributeOptions {
  readonly shards?: number | undefined;
  readonly check?: boolean | undefined;
}

const distributeCommand = command(
  "distribute",
  "spread the tables over the nodes of a Citus cluster, by organisation",
)
  .alters()
  .flag("shards", "parts of each table, the first time: 64 when not given", {
    placeholder: "NUMBER",
    read: readShards,
  })
  .switch("check", "say what is left to do, and do nothing: exit 5 where there is something")
  .note(
    "An organisation lies on one node with all it has; people, apps and sessions stay on the " +
      "coordinator. Tables are distributed one after the other, while nobody else uses the database. " +
      "A command that was cut off is run again, and goes on where it ended.",
  )
  .example("acct database distribute --database postgres://acct@coordinator/books --check")
  .answers("value")
  .action(async (ctx, { shards, check = false }: DistributeOptions) => {
    const path = databaseOf(ctx);
    const isDone = !check && !ctx.flags.dryRun;
    let partCount = 0;
    const tables = await distribute(path, {
      shards,
      dryRun: !isDone,
      begin: (tablesLeft, count) => {
        partCount = count;
        if (isDone && tablesLeft.length > 0) ctx.out.say(`Distributes ${tablesLeft.join(", ")}.`);
      },
      done: (table) => ctx.out.say(`Distributed ${table}.`),
    });
    const tablesText = counted(tables.length, "table");
    const text = isDone
      ? `${tablesText} distributed`
      : [...tables, `${tablesText} would be distributed`].join("\n");
    const database = withoutPassword(path);
    await ctx.out.value(
      { database, shards: partCount, tables },
      `${text}, over ${counted(partCount, "shard")}.`,
    );
    if (check && tables.length > 0) {
      throw new SchemaError("NotDistributed", `${tablesText} of ${database} lie on no worker.`);
    }
  });

/** @throws UsageError for another place than a whole database */
function databaseOf(ctx: Context): string {
  const target = ctx.target();
  const address = target.kind === "book" ? databaseAddress(target.path) : undefined;
  if (address !== undefined && ctx.flags.tenant === undefined) return address.url;
  const message = "acct database distribute is about a whole database, which --database names.";
  throw new UsageError("BadFlags", message);
}

/** @throws UsageError `BadValue` */
function readShards(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= shardsMax) return number;
  const message = `--shards takes a number from 1 to ${shardsMax}, not "${text}".`;
  throw new UsageError("BadValue", message);
}

export const databaseVerbs: readonly Child[] = [distributeCommand];
