/** `acct organisation`: whose books these are, and what may be done in them. */
import { NotFoundError } from "../../resources/errors.ts";
import { boolean, choice, percent, resource, text } from "../../resources/field.ts";
import { type Organisation, organisation } from "../../resources/organisation.ts";
import { command, group } from "../command.ts";
import type { Context } from "../context.ts";

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
  .action(async (ctx) => ctx.out.record(organisation, await own(ctx)));

const actionsCommand = command("actions", "list what may be done in it").action(async (ctx) => {
  const client = await ctx.client();
  await ctx.out.records(action, await client.at(action, "/Organisation/Actions"));
});

const cisCommand = command("cis", "show its settings of the construction industry scheme")
  .note("United Kingdom only.")
  .action(async (ctx) => {
    const { OrganisationID } = await own(ctx);
    const client = await ctx.client();
    const settings = await client.at(cisSetting, `/Organisation/${OrganisationID}/CISSettings`);
    await ctx.out.records(cisSetting, settings);
  });

export const organisationNoun = group(
  "organisation",
  organisation.summary,
  [showCommand, actionsCommand, cisCommand],
  { aliases: ["organisations", "organization", "org"] },
);
