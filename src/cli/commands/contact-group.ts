/** `acct contact-group`: named groups of contacts. */

import { recordPath } from "../../client/client.ts";
import { type Contact, contact } from "../../resources/contact.ts";
import { contactGroup } from "../../resources/contact-group.ts";
import { counted } from "../../resources/scalar.ts";
import type { Child } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { fieldsOf } from "../framework/flags.ts";
import { listCommand } from "../shared/list-verb.ts";
import { createVerb, deleteCommand, nounOf, showCommand, updateVerb } from "../shared/verbs.ts";

const noun = nounOf(contactGroup);
const fields = fieldsOf(contactGroup, { except: ["Status"] });
const options = { Name: { required: true } } as const;

const addCommand = command("add", "add contacts to a group")
  .writes()
  .key(contactGroup)
  .keys(contact)
  .example('acct contact-group add Wholesalers "Dune Cafe" "Kauri Hotel"')
  .action(async (ctx, key, contactKeys) => {
    const client = await ctx.client();
    const { Name, ContactGroupID } = await client.find(contactGroup, key);
    const inputs: { ContactID: string }[] = [];
    for (const contactKey of contactKeys) {
      const { ContactID } = await client.find(contact, contactKey);
      inputs.push({ ContactID });
    }
    const groupPath = recordPath(contactGroup, ContactGroupID);
    await client.writeMany("PUT", contact, inputs, { under: groupPath });
    const verb = ctx.flags.dryRun ? "would be" : inputs.length === 1 ? "is" : "are";
    const countText = counted(inputs.length, "contact");
    ctx.out.say(`${countText} ${verb} in ${Name}.`);
  });

const removeCommand = command("remove", "take contacts out of a group")
  .writes()
  .key(contactGroup)
  .keys(contact)
  .example('acct contact-group remove Wholesalers "Kauri Hotel"')
  .action(async (ctx, key, contactKeys) => {
    const client = await ctx.client();
    const { Name, ContactGroupID } = await client.find(contactGroup, key);
    const groupPath = recordPath(contactGroup, ContactGroupID);
    const members: Contact[] = [];
    for (const contactKey of contactKeys) members.push(await client.find(contact, contactKey));
    for (const member of members) {
      await client.remove(contact, member.ContactID, { under: groupPath });
      const verb = ctx.flags.dryRun ? "would be taken" : "is";
      ctx.out.say(`${member.Name} ${verb} out of ${Name}.`);
    }
  });

export const contactGroupVerbs: readonly Child[] = [
  listCommand({ resource: contactGroup, examples: ["acct contact-group list"] }),
  showCommand(noun),
  createVerb(noun, {
    summary: "make a contact group",
    fields,
    options,
    examples: ["acct contact-group create --name Restaurants"],
  }),
  updateVerb(noun, {
    summary: "rename a contact group",
    fields,
    options,
    examples: ["acct contact-group update Wholesalers --name Shops"],
  }),
  deleteCommand(noun, {
    summary: "delete a contact group; its contacts stay",
    change: () => ({ Status: "DELETED" }),
  }),
  addCommand,
  removeCommand,
];
