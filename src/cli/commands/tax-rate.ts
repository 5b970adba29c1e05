/** `acct tax-rate`: tax rates and their components. */

import { NotFoundError, UsageError } from "../../resources/errors.ts";
import type { InputOf } from "../../resources/field.ts";
import { type TaxRate, taxRate } from "../../resources/tax-rate.ts";
import { compare } from "../../wire/query/condition.ts";
import type { Child, Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirmed, sayChanges } from "../framework/confirm.ts";
import { fieldsGiven, fileFlag, inputsOf, requireFields } from "../framework/input.ts";
import { parsePairs } from "../framework/pairs.ts";
import { listCommand } from "../shared/list.ts";
import { nounOf, showCommand, updateFound } from "../shared/verbs.ts";

const componentFields = taxRate.fields.TaxComponents.fields;
type Component = InputOf<typeof componentFields>;

const componentFlag = {
  placeholder: "name=...,rate=...",
  help: "one part of the rate: name, rate in percent, compound, non-recoverable",
  repeat: true,
  read: (text: string): Component =>
    parsePairs(text, componentFields, {
      flag: "--component",
      aliases: { compound: "IsCompound", "non-recoverable": "IsNonRecoverable" },
    }),
} as const;

/** A rate by its type, or by its name where no type is spelt so. */
async function find(ctx: Context, key: string): Promise<TaxRate> {
  const client = await ctx.client();
  try {
    return await client.find(taxRate, key.toUpperCase());
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const where = compare(taxRate.fields, "Name", "==", key);
    for await (const rate of client.list(taxRate, { where })) return rate;
    throw new NotFoundError(
      "NotFound",
      `There is no tax rate ${key}; acct tax-rate list shows them.`,
    );
  }
}

const createCommand = command("create", "make a tax rate")
  .alias("new")
  .fields(taxRate, ["Name", "ReportTaxType", "TaxCategory"])
  .flag("component", componentFlag)
  .flags<{ readonly file?: string | undefined }>([fileFlag])
  .example(
    "acct tax-rate create --name 'Eco levy' --report-tax-type OUTPUT --component 'name=Levy,rate=2.5'",
  )
  .action(async (ctx, options) => {
    const { component } = options;
    const over = {
      ...fieldsGiven(taxRate, options),
      ...(component === undefined ? {} : { TaxComponents: component }),
    };
    const [input = {}] = await inputsOf(ctx, taxRate, options.file, over);
    requireFields(taxRate, input);
    if (input.TaxComponents === undefined || input.TaxComponents.length === 0) {
      throw new UsageError("MissingValue", "A new tax rate needs at least one --component.");
    }
    const client = await ctx.client();
    await ctx.out.record(taxRate, await client.create(taxRate, input));
  });

const updateCommand = command("update", "change a tax rate")
  .alias("edit")
  .key(taxRate)
  .fields(taxRate, ["Name", "ReportTaxType", "TaxCategory"])
  .flag("component", { ...componentFlag, help: `${componentFlag.help}; instead of all it has` })
  .note("What is not given stays as it is.")
  .example("acct tax-rate update TAX001 --component 'name=Levy,rate=3'")
  .action(async (ctx, key, options) => {
    const changed = fieldsGiven(taxRate, options);
    const { component } = options;
    if (Object.keys(changed).length === 0 && component === undefined) {
      throw new UsageError(
        "MissingValue",
        "Nothing to change was given; see --help for what can be.",
      );
    }
    const found = await find(ctx, key);
    // A component that is not sent is deleted, so those it has go along.
    const TaxComponents = component ?? found.TaxComponents ?? [];
    await updateFound(ctx, taxRate, found, { Name: found.Name, ...changed, TaxComponents });
  });

const deleteCommand = command("delete", "delete a tax rate")
  .writes()
  .key(taxRate)
  .note("Asks first; without a terminal to ask on, --yes must be given.")
  .example("acct tax-rate delete TAX001 --yes")
  .action(async (ctx, key) => {
    const found = await find(ctx, key);
    await confirmed(ctx, `Delete the tax rate ${found.Name}?`);
    const client = await ctx.client();
    const { Name, TaxComponents = [] } = found;
    const input = { Name, TaxComponents, Status: "DELETED" } as const;
    const gone = await client.update(taxRate, found.TaxType ?? key, input);
    sayChanges(ctx, taxRate, found, gone);
    await ctx.out.record(taxRate, gone);
  });

export const taxRateVerbs: readonly Child[] = [
  listCommand({ resource: taxRate, examples: ["acct tax-rate list --status ACTIVE"] }),
  showCommand(nounOf(taxRate, { find })),
  createCommand,
  updateCommand,
  deleteCommand,
];
