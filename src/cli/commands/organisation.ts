/** `acct organisation`: whose books these are, and what may be done in them. */

import { type BookSettings, change } from "../../client/embedded.ts";
import type { Percent } from "../../resources/decimal.ts";
import { NotFoundError } from "../../resources/errors.ts";
import { boolean, choice, percent, resource, text } from "../../resources/field.ts";
import { type Organisation, organisation } from "../../resources/organisation.ts";
import { bookPath } from "../book-path.ts";
import { command, group } from "../command.ts";
import type { Context } from "../context.ts";
import { readField } from "../flags.ts";

const listOnly = { collection: ["GET"], record: [], batchMax: 1 } as const;

const action = resource(
  "Action",
  { Name: text({ always: true }), Status: choice(["ALLOWED", "NOT-ALLOWED"], { always: true }) },
  {
    ...listOnly,
    plural: "Actions",
    id: "Name",
    columns: ["Name", "Status"],
    noun: "action",
    summary: "what the connected user may do",
  },
);

const cisSetting = resource(
  "CISSetting",
  { CISContractorEnabled: boolean(), CISSubContractorEnabled: boolean(), Rate: percent() },
  {
    ...listOnly,
    plural: "CISSettings",
    id: "CISContractorEnabled",
    columns: ["CISContractorEnabled", "CISSubContractorEnabled", "Rate"],
    noun: "setting",
    summary: "settings of the construction industry scheme",
  },
);

async function own(ctx: Context): Promise<Organisation> {
  const client = await ctx.client();
  const [found] = await client.at(organisation, "/Organisation");
  if (found === undefined)
    throw new NotFoundError("NotFound", "The service names no organisation.");
  return found;
}

const showCommand = command("show", "show the organisation")
  .alias("view", "get", "list")
  .answers(organisation)
  .example("acct organisation show")
  .action(async (ctx) => ctx.out.record(organisation, await own(ctx)));

const actionsCommand = command("actions", "list what may be done in it")
  .answers(action)
  .example("acct organisation actions")
  .action(async (ctx) => {
    const client = await ctx.client();
    await ctx.out.records(action, await client.at(action, "/Organisation/Actions"));
  });

const cisCommand = command("cis", "show or set how it takes part in the construction scheme")
  .answers(cisSetting)
  .note("United Kingdom only. What is given is set, in the book file itself; the rest stays.")
  .field("contractor", { kind: "boolean" }, { help: "it deducts from what it pays subcontractors" })
  .field(
    "subcontractor",
    { kind: "boolean" },
    { help: "its customers deduct from what they pay it" },
  )
  .flag("rate", {
    placeholder: "0|20|30|none",
    help: "percent that is deducted from its own sales",
    read: (text, reading): Percent | null =>
      text.toLowerCase() === "none"
        ? null
        : (readField({ kind: "percent" }, text, "--rate", reading) as Percent),
  })
  .example("acct organisation cis")
  .example("acct organisation cis --subcontractor --rate 20")
  .action(async (ctx, { contractor, subcontractor, rate }) => {
    const isChange = [contractor, subcontractor, rate].some((each) => each !== undefined);
    if (isChange) await setCis(ctx, { contractor, subContractor: subcontractor, rate });
    const { OrganisationID } = await own(ctx);
    const client = await ctx.client();
    const settings = await client.at(cisSetting, `/Organisation/${OrganisationID}/CISSettings`);
    await ctx.out.records(cisSetting, settings);
  });

async function setCis(ctx: Context, cis: NonNullable<BookSettings["cis"]>): Promise<void> {
  const path = await bookPath(ctx, "Setting the construction industry scheme");
  if (ctx.flags.dryRun) ctx.out.say("The settings would change; they are still these.");
  else await change(path, { cis });
}

export const organisationNoun = group(
  "organisation",
  organisation.summary,
  [showCommand, actionsCommand, cisCommand],
  { aliases: ["organisations", "organization", "org"] },
);
