/** `acct tracking`: tracking categories and their options. */

import { recordPath } from "../../client/client.ts";
import { NotFoundError } from "../../resources/errors.ts";
import {
  type TrackingCategory,
  type TrackingOption,
  trackingCategory,
  trackingOption,
} from "../../resources/tracking-category.ts";
import type { Child, Context } from "../context/context.ts";
import { command, group } from "../framework/command.ts";
import { confirm } from "../framework/confirm.ts";
import { fieldsOf } from "../framework/flags.ts";
import { listCommand } from "../shared/list-verb.ts";
import { deleteCommand, nounOf, showCommand, updateVerb } from "../shared/verbs.ts";
import { didYouMean } from "../values/suggest.ts";

const noun = nounOf(trackingCategory);

const createCommand = command("create", "make a tracking category")
  .alias("new")
  .fields(trackingCategory, fieldsOf(trackingCategory, { except: ["Status"] }), {
    Name: { required: true },
  })
  .flag("option", "an option of it", { placeholder: "NAME", repeat: true })
  .example("acct tracking create --name Region --option North --option South")
  .action(async (ctx, { Name, option = [] }) => {
    const client = await ctx.client();
    const newCategory = await client.create(trackingCategory, { Name });
    const options = await addOptions(ctx, newCategory, option);
    await ctx.out.record(trackingCategory, { ...newCategory, Options: options });
  });

const addCommand = command("add", "add options to a tracking category")
  .writes()
  .key(trackingCategory)
  .answers(trackingOption)
  .argument("OPTION", "its name")
  .example("acct tracking option add Studio East")
  .action(async (ctx, key, name) => {
    const client = await ctx.client();
    const category = await client.find(trackingCategory, key);
    await ctx.out.records(trackingOption, await addOptions(ctx, category, [name]));
  });

const removeCommand = command("remove", "take an option out of use; used ones are archived")
  .writes()
  .alias("delete")
  .key(trackingCategory)
  .answers(trackingOption)
  .argument("OPTION", "its name or id")
  .note("Asks first; without a terminal to ask on, --yes must be given.")
  .example("acct tracking option remove Studio 'South Quay' --yes")
  .action(async (ctx, key, name) => {
    const client = await ctx.client();
    const category = await client.find(trackingCategory, key);
    const option = optionNamed(category, name);
    await confirm(ctx, `Remove the option ${option.Name} of ${category.Name}?`);
    const under = recordPath(trackingCategory, category.TrackingCategoryID);
    const removedOption = await client.remove(trackingOption, option.TrackingOptionID, { under });
    if (removedOption === undefined) {
      ctx.out.say(`${option.Name} ${ctx.flags.dryRun ? "would be removed" : "is removed"}.`);
    } else {
      await ctx.out.record(trackingOption, { ...option, ...removedOption });
    }
  });

async function addOptions(
  ctx: Context,
  category: TrackingCategory,
  names: readonly string[],
): Promise<TrackingOption[]> {
  const client = await ctx.client();
  const under = recordPath(trackingCategory, category.TrackingCategoryID);
  const made: TrackingOption[] = [];
  for (const Name of names) made.push(await client.create(trackingOption, { Name }, { under }));
  return made;
}

/**
 * Finds an option of a category by id, or by name in any letter case.
 *
 * @throws NotFoundError
 */
function optionNamed(category: TrackingCategory, key: string): TrackingOption {
  const options = (category.Options ?? []) as TrackingOption[];
  const wanted = key.toLowerCase();
  const option = options.find(
    ({ Name, TrackingOptionID }) => Name.toLowerCase() === wanted || TrackingOptionID === wanted,
  );
  if (option !== undefined) return option;
  const names = options.map(({ Name }) => Name);
  const suggestion = didYouMean(key, names);
  const has = names.length === 0 ? " It has none." : ` It has ${names.join(", ")}.`;
  throw new NotFoundError("NotFound", `${category.Name} has no option ${key}.${suggestion || has}`);
}

export const trackingVerbs: readonly Child[] = [
  listCommand({
    resource: trackingCategory,
    examples: ["acct tracking list --status ARCHIVED"],
    // Archived categories are excluded unless the query includes them.
    query: (query, { Status }) =>
      Status === undefined
        ? query
        : { ...query, parameters: { ...query.parameters, includeArchived: "true" } },
  }),
  showCommand(noun),
  createCommand,
  updateVerb(noun, {
    summary: "rename a tracking category, or archive it",
    fields: fieldsOf(trackingCategory),
    options: { Status: { values: ["ACTIVE", "ARCHIVED"] } },
    examples: ["acct tracking update Studio --name Workshop"],
  }),
  deleteCommand(noun),
  group("option", "options of a tracking category", [addCommand, removeCommand], {
    aliases: ["options"],
  }),
];
