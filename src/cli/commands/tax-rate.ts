/** `acct tax-rate`: tax rates and their components. */

import { NotFoundError, UsageError } from "../../resources/errors.ts";
import type { Input, InputOf } from "../../resources/field.ts";
import { type TaxRate, taxRate } from "../../resources/tax-rate.ts";
import { compare } from "../../wire/query/condition.ts";
import type { Child, Context, Flag } from "../context/context.ts";
import { ownFlag } from "../framework/command.ts";
import { fieldsOf } from "../framework/flags.ts";
import { fieldsInOptions, fileFlag, requireFields } from "../framework/input.ts";
import { parsePairs } from "../framework/pairs.ts";
import { listCommand } from "../shared/list-verb.ts";
import { createVerb, deleteCommand, nounOf, showCommand, updateVerb } from "../shared/verbs.ts";

const componentFields = taxRate.fields.TaxComponents.fields;
type Component = InputOf<typeof componentFields>;

const componentFlag: Flag = ownFlag(
  "component",
  "one part of the rate: name, rate in percent, compound, non-recoverable",
  {
    placeholder: "name=...,rate=...",
    repeat: true,
    read: (text) =>
      parsePairs(text, componentFields, {
        flag: "--component",
        aliases: { compound: "IsCompound", "non-recoverable": "IsNonRecoverable" },
      }),
  },
);

function inputOf(flags: { readonly component?: Component[] }): Input<typeof taxRate> {
  const { component: TaxComponents } = flags;
  return { ...fieldsInOptions(taxRate, flags), ...(TaxComponents && { TaxComponents }) };
}

/** Finds a tax rate by tax type, or else by name. */
async function find(ctx: Context, key: string): Promise<TaxRate> {
  const client = await ctx.client();
  try {
    return await client.find(taxRate, key.toUpperCase());
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const condition = compare(taxRate.fields, "Name", "==", key);
    for await (const rate of client.list(taxRate, { where: condition })) return rate;
    throw new NotFoundError(
      "NotFound",
      `There is no tax rate ${key}; acct tax-rate list shows them.`,
    );
  }
}

const noun = nounOf(taxRate, { find });
const fields = fieldsOf(taxRate, { except: ["Status"] });

export const taxRateVerbs: readonly Child[] = [
  listCommand({ resource: taxRate, examples: ["acct tax-rate list --status ACTIVE"] }),
  showCommand(noun),
  createVerb(noun, {
    summary: "make a tax rate",
    fields,
    flags: [componentFlag, fileFlag],
    said: inputOf,
    check: (input) => {
      requireFields(taxRate, input);
      if (input.TaxComponents === undefined || input.TaxComponents.length === 0) {
        throw new UsageError("MissingValue", "A new tax rate needs at least one --component.");
      }
    },
    examples: [
      "acct tax-rate create --name 'Eco levy' --report-tax-type OUTPUT --component 'name=Levy,rate=2.5'",
    ],
  }),
  updateVerb(noun, {
    summary: "change a tax rate",
    fields,
    flags: [{ ...componentFlag, help: `${componentFlag.help}; instead of all it has` }],
    said: inputOf,
    // The service deletes components that are not sent, so the existing ones are sent again.
    sent: async (_, { Name, TaxComponents = [] }, input) => ({ Name, TaxComponents, ...input }),
    notes: ["What is not given stays as it is."],
    examples: ["acct tax-rate update TAX001 --component 'name=Levy,rate=3'"],
  }),
  deleteCommand(noun, {
    example: "TAX001",
    change: ({ Name, TaxComponents = [] }) => ({ Name, TaxComponents, Status: "DELETED" }),
  }),
];
