/** `acct contact-group`: contacts under a name of their own. */

import { recordPath } from "../../client/client.ts";
import { contact } from "../../resources/contact.ts";
import { contactGroup } from "../../resources/contact-group.ts";
import { counted } from "../../resources/scalar.ts";
import type { Child } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirmed, sayChanges } from "../framework/confirm.ts";
import { listCommand } from "../shared/list.ts";
import { nounOf, showCommand, updateFound } from "../shared/verbs.ts";

const named = { Name: { required: true } } as const;

const createCommand = command("create", "make a contact group")
  .alias("new")
  .fields(contactGroup, ["Name"], named)
  .example("acct contact-group create --name Restaurants")
  .action(async (ctx, { Name }) => {
    const client = await ctx.client();
    await ctx.out.record(contactGroup, await client.create(contactGroup, { Name }));
  });

const updateCommand = command("update", "rename a contact group")
  .alias("edit")
  .key(contactGroup)
  .fields(contactGroup, ["Name"], named)
  .example("acct contact-group update Wholesalers --name Shops")
  .action(async (ctx, key, { Name }) => {
    const client = await ctx.client();
    await updateFound(ctx, contactGroup, await client.find(contactGroup, key), { Name });
  });

const deleteCommand = command("delete", "delete a contact group; its contacts stay")
  .writes()
  .key(contactGroup)
  .note("Asks first; without a terminal to ask on, --yes must be given.")
  .example("acct contact-group delete Wholesalers --yes")
  .action(async (ctx, key) => {
    const client = await ctx.client();
    const found = await client.find(contactGroup, key);
    await confirmed(ctx, `Delete the contact group ${found.Name}?`);
    const change = { Status: "DELETED" } as const;
    const gone = await client.update(contactGroup, found.ContactGroupID, change);
    sayChanges(ctx, contactGroup, found, gone);
    await ctx.out.record(contactGroup, gone);
  });

const addCommand = command("add", "add contacts to a group")
  .writes()
  .key(contactGroup)
  .keys(contact)
  .example('acct contact-group add Wholesalers "Dune Cafe" "Kauri Hotel"')
  .action(async (ctx, key, contactKeys) => {
    const client = await ctx.client();
    const { Name, ContactGroupID } = await client.find(contactGroup, key);
    const inputs: { ContactID: string }[] = [];
    for (const each of contactKeys) {
      const { ContactID } = await client.find(contact, each);
      inputs.push({ ContactID });
    }
    const under = recordPath(contactGroup, ContactGroupID);
    await client.writeMany("PUT", contact, inputs, { under });
    const verb = ctx.flags.dryRun ? "would be" : inputs.length === 1 ? "is" : "are";
    const what = counted(inputs.length, "contact");
    ctx.out.say(`${what} ${verb} in ${Name}.`);
  });

const removeCommand = command("remove", "take contacts out of a group")
  .writes()
  .key(contactGroup)
  .keys(contact)
  .example('acct contact-group remove Wholesalers "Kauri Hotel"')
  .action(async (ctx, key, contactKeys) => {
    const client = await ctx.client();
    const { Name, ContactGroupID } = await client.find(contactGroup, key);
    const under = recordPath(contactGroup, ContactGroupID);
    for (const each of contactKeys) {
      const found = await client.find(contact, each);
      await client.remove(contact, found.ContactID, { under });
      const verb = ctx.flags.dryRun ? "would be taken" : "is";
      ctx.out.say(`${found.Name} ${verb} out of ${Name}.`);
    }
  });

export const contactGroupVerbs: readonly Child[] = [
  listCommand({ resource: contactGroup, examples: ["acct contact-group list"] }),
  showCommand(nounOf(contactGroup)),
  createCommand,
  updateCommand,
  deleteCommand,
  addCommand,
  removeCommand,
];
