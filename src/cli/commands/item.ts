/** `acct item`: things bought and sold. */

import { UsageError } from "../../resources/errors.ts";
import { type ItemInput, item } from "../../resources/item.ts";
import type { Child, Context } from "../context/context.ts";
import { type CommandBuilder, command, type Flags } from "../framework/command.ts";
import { fieldsOf } from "../framework/flags.ts";
import { fieldsInOptions, fileFlag, inputsOf, requireFields } from "../framework/input.ts";
import { createRecords } from "../shared/bulk-results.ts";
import { listCommand } from "../shared/list-verb.ts";
import {
  deleteCommand,
  historyCommand,
  importVerb,
  noteCommand,
  nounOf,
  showCommand,
  updateFound,
} from "../shared/verbs.ts";

const own = fieldsOf(item);

type Own = Flags<typeof item, (typeof own)[number]>;
type ItemPrices = NonNullable<ItemInput["SalesDetails"]>;

/** What an item sells and is bought for, each a flag of its own. */
interface DetailOptions {
  readonly unitPrice?: ItemPrices["UnitPrice"];
  readonly salesAccount?: ItemPrices["AccountCode"];
  readonly salesTax?: ItemPrices["TaxType"];
  readonly purchasePrice?: ItemPrices["UnitPrice"];
  readonly purchaseAccount?: ItemPrices["AccountCode"];
  readonly purchaseTax?: ItemPrices["TaxType"];
  readonly cogsAccount?: ItemPrices["COGSAccountCode"];
}

type ItemOptions = Own & DetailOptions & { readonly file?: string | undefined };

function withFlags<A extends readonly unknown[]>(
  builder: CommandBuilder<A, Record<never, never>>,
): CommandBuilder<A, ItemOptions> {
  const { UnitPrice, TaxType, AccountCode } = item.fields.SalesDetails.fields;
  return builder
    .fields(item, own)
    .field("unit-price", UnitPrice, { help: "what it sells for" })
    .field("sales-account", AccountCode, {
      refers: "account",
      help: "where sales of it are booked",
    })
    .field("sales-tax", TaxType, { refers: "tax-rate", help: "tax rate of its sales" })
    .field("purchase-price", UnitPrice, { help: "what it is bought for" })
    .field("purchase-account", AccountCode, {
      refers: "account",
      help: "where purchases are booked; untracked items",
    })
    .field("purchase-tax", TaxType, { refers: "tax-rate", help: "tax rate of its purchases" })
    .field("cogs-account", AccountCode, {
      refers: "account",
      help: "cost of goods sold; tracked items",
    })
    .flags<{ readonly file?: string | undefined }>([fileFlag]);
}

/** The flags as the two objects inside an item; an object of which nothing was given is left out. */
function inputOf(options: ItemOptions): ItemInput {
  const SalesDetails = given({
    UnitPrice: options.unitPrice,
    AccountCode: options.salesAccount,
    TaxType: options.salesTax,
  });
  const PurchaseDetails = given({
    UnitPrice: options.purchasePrice,
    AccountCode: options.purchaseAccount,
    TaxType: options.purchaseTax,
    COGSAccountCode: options.cogsAccount,
  });
  return { ...fieldsInOptions(item, options), ...given({ SalesDetails, PurchaseDetails }) };
}

function given<T extends object>(values: T): T | undefined {
  const held = Object.entries(values).filter(([, value]) => value !== undefined);
  return held.length === 0 ? undefined : (Object.fromEntries(held) as T);
}

const createCommand = withFlags(command("create", "make an item").alias("new"))
  .note(
    "With an inventory account and a cost account the item is tracked: quantity and value on hand.",
  )
  .example(
    "acct item create --code TILE --name 'Glazed tile' --unit-price 49.90 --sales-account 200",
  )
  .example("acct item create --code SHADE --inventory-asset-account-code 630 --cogs-account 310")
  .action(async (ctx: Context, options) => {
    const inputs = await inputsOf(ctx, item, options.file, inputOf(options));
    for (const input of inputs) requireFields(item, input);
    await createRecords(ctx, item, inputs);
  });

const updateCommand = withFlags(command("update", "change an item").alias("edit").key(item))
  .note("What is not given stays as it is.")
  .example("acct item update MUG --unit-price 54.90")
  .action(async (ctx, key, options) => {
    const [input = {}, ...others] = await inputsOf(ctx, item, options.file, inputOf(options));
    if (others.length > 0 || Object.keys(input).length === 0) {
      throw new UsageError("MissingValue", "An update takes flags, or a file with one record.");
    }
    const client = await ctx.client();
    const found = await client.find(item, key);
    // Details are replaced whole by the service, so what is not given is sent as it was.
    const details = {
      ...(input.SalesDetails && { SalesDetails: { ...found.SalesDetails, ...input.SalesDetails } }),
      ...(input.PurchaseDetails && {
        PurchaseDetails: { ...found.PurchaseDetails, ...input.PurchaseDetails },
      }),
    };
    await updateFound(ctx, item, found, { Code: found.Code, ...input, ...details });
  });

export const itemVerbs: readonly Child[] = [
  listCommand({ resource: item, examples: ["acct item list --code MUG,LAMP"] }),
  showCommand(nounOf(item)),
  createCommand,
  updateCommand,
  deleteCommand(nounOf(item)),
  historyCommand(nounOf(item)),
  noteCommand(nounOf(item)),
  importVerb("item"),
];
