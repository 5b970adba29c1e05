/** `acct contact`: customers and suppliers. */

import { recordPath } from "../../client/client.ts";
import { phoneFields } from "../../resources/common.ts";
import { type Contact, type ContactInput, contact } from "../../resources/contact.ts";
import { type Erasure, erasure } from "../../resources/erasure.ts";
import { NotFoundError, UsageError } from "../../resources/errors.ts";
import { boolean, pathOf, percent, resource } from "../../resources/field.ts";
import { counted } from "../../resources/scalar.ts";
import type { Child, Context } from "../context/context.ts";
import { command, flagLikeField, ownFlag } from "../framework/command.ts";
import {
  confirm,
  confirmArchive,
  contactDoubt,
  requireExtension,
  sayChanges,
} from "../framework/confirm.ts";
import { fieldsOf } from "../framework/flags.ts";
import { fieldsInOptions, fileFlag } from "../framework/input.ts";
import { parsePairs } from "../framework/pairs.ts";
import {
  type Address,
  readAddress,
  type TermOptions,
  termFlags,
  termsIn,
} from "../framework/party.ts";
import { forEachRecord, recordsOf } from "../shared/bulk-results.ts";
import { listCommand } from "../shared/list-verb.ts";
import {
  createVerb,
  historyCommand,
  importVerb,
  noteCommand,
  nounOf,
  showCommand,
  updateVerb,
} from "../shared/verbs.ts";

const fields = fieldsOf(contact, {
  except: ["ContactStatus", "SalesDefaultLineAmountType", "PurchasesDefaultLineAmountType"],
});

type ContactPerson = NonNullable<ContactInput["ContactPersons"]>[number];

interface MoreOptions extends TermOptions {
  readonly phone?: string | undefined;
  readonly mobile?: string | undefined;
  readonly address?: Address | undefined;
  readonly postalAddress?: Address | undefined;
  readonly person?: ContactPerson[] | undefined;
}

const personFields = contact.fields.ContactPersons.fields;
const readPerson = (text: string): ContactPerson =>
  parsePairs(text, personFields, {
    flag: "--person",
    aliases: { email: "EmailAddress", include: "IncludeInEmails" },
  });

const { PhoneNumber } = phoneFields;
const addressForm = "street=...,city=...";
const flags = [
  flagLikeField("phone", PhoneNumber, { help: "its telephone" }),
  flagLikeField("mobile", PhoneNumber, { help: "its mobile telephone" }),
  ownFlag("address", "where it is: street, line2, city, region, postcode, country", {
    placeholder: addressForm,
    read: readAddress("--address"),
  }),
  ownFlag("postal-address", "where its post goes", {
    placeholder: addressForm,
    read: readAddress("--postal-address"),
  }),
  ownFlag("person", "somebody there: first-name, last-name, email, include-in-emails", {
    placeholder: "first-name=...,email=...",
    repeat: true,
    read: readPerson,
  }),
  ...termFlags,
  fileFlag,
];

function inputFrom(options: MoreOptions): ContactInput {
  const { phone, mobile, address, postalAddress, person } = options;
  const Phones = [
    ...(phone === undefined ? [] : [{ PhoneType: "DEFAULT" as const, PhoneNumber: phone }]),
    ...(mobile === undefined ? [] : [{ PhoneType: "MOBILE" as const, PhoneNumber: mobile }]),
  ];
  const Addresses = [
    ...(address === undefined ? [] : [{ AddressType: "STREET" as const, ...address }]),
    ...(postalAddress === undefined ? [] : [{ AddressType: "POBOX" as const, ...postalAddress }]),
  ];
  return {
    ...fieldsInOptions(contact, options),
    ...(Phones.length === 0 ? {} : { Phones }),
    ...(Addresses.length === 0 ? {} : { Addresses }),
    ...(person === undefined ? {} : { ContactPersons: person }),
    ...termsIn(options),
  };
}

const archiveCommand = command("archive", "put contacts out of use; their records stay")
  .writes()
  .keys(contact)
  .note(
    "Asks first where a contact has open documents; without a terminal to ask on, --yes says it.",
  )
  .example('acct contact archive "Dune Cafe"')
  .action(async (ctx, keys) => {
    const client = await ctx.client();
    const contactByKey = await recordsOf(contact, keys, (key) => client.find(contact, key));
    const doubts = [...contactByKey.values()].map((contact) => contactDoubt(ctx, contact));
    await confirmArchive(ctx, await Promise.all(doubts));
    await forEachRecord(ctx, contact, contactByKey, async (contactBefore, at) => {
      const contactAfter = await (await at.client()).update(contact, contactBefore.ContactID, {
        ContactStatus: "ARCHIVED",
      });
      sayChanges(at, contact, contactBefore, contactAfter);
      return contactAfter;
    });
  });

const restoreCommand = command("restore", "take archived contacts back into use")
  .writes()
  .alias("unarchive")
  .keys(contact)
  .note("Needs acct's own service: by the public API, what is archived stays so.")
  .example('acct contact restore "Harbour Lights Cafe"')
  .action(async (ctx, keys) => {
    const path = "/Contacts/{ContactID}/Restore";
    await requireExtension(ctx, "Restoring a contact", "POST", path);
    const client = await ctx.client();
    const contactByKey = await recordsOf(contact, keys, (key) => client.find(contact, key));
    await forEachRecord(ctx, contact, contactByKey, async (contactBefore, at) => {
      const after = await (await at.client()).perform(contact, contactBefore.ContactID, "Restore");
      sayChanges(at, contact, contactBefore, after);
      return after;
    });
  });

const fates = ["remove", "keep"] as const;

interface EraseOptions {
  readonly files?: (typeof fates)[number] | undefined;
}

const eraseCommand = command("erase", "erase a person: what is known of a contact")
  .writes()
  .keys(contact)
  .answers(erasure)
  .field(
    "files",
    { kind: "choice", values: fates },
    { help: "what becomes of the files on the contact; asked for where there are any" },
  )
  .note(
    "Documents keep their amounts, numbers and days. Name, addresses and tax number stay as long as " +
      "invoices have to be kept with them, which is said; with open documents nothing is erased.",
  )
  .note("Asks first; without a terminal to ask on, --yes must be given. It cannot be taken back.")
  .example('acct contact erase "Harbour Lights Cafe" --dry-run')
  .example('acct contact erase "Harbour Lights Cafe" --files remove --yes')
  .action(async (ctx, keys, options: EraseOptions) => {
    // All are checked before the first is erased.
    const contactsFound: Erasable[] = [];
    for (const key of keys) contactsFound.push(await erasableNamed(ctx, key));
    const erased: Erasure[] = [];
    for (const erasable of contactsFound) erased.push(...(await erase(ctx, erasable, options)));
    await ctx.out.records(erasure, erased);
  });

/** A contact, and what erasing it removes. */
interface Erasable {
  readonly person: Contact;
  readonly record: Erasure;
}

const erasurePath = ({ ContactID }: Contact) => `${pathOf(erasure)}/${ContactID}`;

/** Finds a contact that may be erased. @throws RefusedError where it is needed */
async function erasableNamed(ctx: Context, key: string): Promise<Erasable> {
  const client = await ctx.client();
  const person = await client.find(contact, key);
  await requireExtension(ctx, "Erasing a contact", "POST", `${pathOf(erasure)}/{ContactID}`);
  const [record] = await client.at(erasure, erasurePath(person));
  if (record === undefined) throw new NotFoundError("NotFound", `There is no contact ${key}.`);
  return { person, record };
}

async function erase(
  ctx: Context,
  { person, record }: Erasable,
  options: EraseOptions,
): Promise<Erasure[]> {
  const client = await ctx.client();
  const { Name } = person;
  for (const line of linesOf(record)) ctx.out.say(line);
  const mayRemoveFiles = await decideFiles(ctx, record, options);
  await confirm(
    ctx,
    `Erase ${Name}? Documents keep their amounts, numbers and days; it cannot be taken back.`,
  );
  const erasureResult = await client.act(erasure, erasurePath(person), {
    ...(mayRemoveFiles ? { parameters: { files: "true" } } : {}),
  });
  if (ctx.flags.dryRun) return erasureResult;
  const { forgetTraces, tracesLeft } = await import("../connection/traces.ts");
  forgetTraces(ctx.env, person);
  const target = ctx.target();
  const traces = tracesLeft(["."], person, target.kind === "book" ? target.path : undefined);
  if (traces.length > 0) ctx.out.say(`Look yourself at what stays in ${traces.join(", ")}.`);
  return erasureResult;
}

/** Describes which data of a contact are erased and which are kept, in sentences. */
function linesOf({ Erased = [], Kept = [], KeptUntil, ...found }: Erasure): string[] {
  const { KeptBecause, HistoryTexts, Operations, Payments, Emails, Mentions = [] } = found;
  const otherParts = [
    ...(HistoryTexts > 0 ? [`${counted(HistoryTexts, "text")} in histories`] : []),
    ...(Operations > 0 ? [`${counted(Operations, "entry", "entries")} of the log`] : []),
    ...(Payments > 0 ? [`the bank details of ${counted(Payments, "payment")}`] : []),
    ...(Emails > 0 ? [`${counted(Emails, "message")} in the outbox`] : []),
  ];
  const allErased = [...Erased, ...otherParts];
  return [
    allErased.length === 0 ? "Nothing is left to be erased." : `Erases ${allErased.join(", ")}.`,
    ...(KeptUntil === undefined
      ? []
      : [
          `Keeps ${Kept.join(", ")} until ${KeptUntil}: ${KeptBecause}. Erase it again after that day.`,
        ]),
    ...(Mentions.length === 0 ? [] : [`Look yourself at what stays in ${Mentions.join(", ")}.`]),
  ];
}

/**
 * Returns what happens to attachments of an erased contact.
 *
 * @throws UsageError where there are attachments, and no flag decides
 */
async function decideFiles(
  ctx: Context,
  { Files = [] }: Erasure,
  { files }: EraseOptions,
): Promise<boolean> {
  if (Files.length === 0 || files !== undefined) return files === "remove";
  const named = Files.join(", ");
  if (ctx.flags.yes || !ctx.flags.input) {
    const message = `There are files on the contact: ${named}. Say what becomes of them: --files remove, or --files keep.`;
    throw new UsageError("MissingValue", message);
  }
  return ctx.ask.confirm(`Remove the files on it as well: ${named}?`, { flag: "--files remove" });
}

const cisSetting = resource(
  "CISSetting",
  { CISEnabled: boolean(), Rate: percent() },
  {
    plural: "CISSettings",
    id: "CISEnabled",
    collection: ["GET"],
    columns: ["CISEnabled", "Rate"],
    noun: "setting",
    summary: "settings of the construction industry scheme",
  },
);

const cisCommand = command("cis", "show or set whether tax is deducted from a contact")
  .writes()
  .key(contact)
  .answers(cisSetting)
  .field("enabled", { kind: "boolean" }, { help: "the construction scheme applies to it" })
  .field("rate", { kind: "percent" }, { help: "percent that is deducted: 0, 20 or 30" })
  .note("United Kingdom only.")
  .example("acct contact cis 'Coastline Freight' --rate 20")
  .action(async (ctx, key, { enabled, rate }) => {
    const client = await ctx.client();
    const { ContactID } = await client.find(contact, key);
    const contactAddress = recordPath(contact, ContactID);
    if (enabled === undefined && rate === undefined) {
      const settings = await client.at(cisSetting, `${contactAddress}/CISSettings`);
      return ctx.out.records(cisSetting, settings);
    }
    const input = {
      CISEnabled: enabled ?? true,
      ...(rate === undefined ? {} : { Rate: rate }),
    };
    const results = await client.writeMany("POST", cisSetting, [input], { under: contactAddress });
    await ctx.out.records(
      cisSetting,
      results.map(({ record }) => record),
    );
  });

const noun = nounOf(contact);

export const contactVerbs: readonly Child[] = [
  listCommand({
    resource: contact,
    rename: { ContactStatus: "status" },
    examples: ["acct contact list --search kiln", "acct contact list --status ARCHIVED"],
    // Archived contacts are excluded unless the query includes them.
    query: (query, { ContactStatus }) =>
      ContactStatus === undefined
        ? query
        : { ...query, parameters: { ...query.parameters, includeArchived: "true" } },
  }),
  showCommand(noun),
  createVerb(noun, {
    summary: "make a contact",
    fields,
    flags,
    said: inputFrom,
    asks: async () => (await import("../prompts/wizards/contact.ts")).contactWizard,
    examples: [
      'acct contact create --name "Blue Kiln Pottery" --email-address kiln@example.com',
      "acct contact create --name Acme --address 'street=1 Quay St,city=Hull' --phone 5550199",
    ],
  }),
  updateVerb(noun, {
    summary: "change a contact",
    fields,
    flags,
    said: inputFrom,
    notes: ["What is not given stays as it is; persons replace those that were there."],
    examples: ['acct contact update "Dune Cafe" --mobile 5550142'],
  }),
  archiveCommand,
  restoreCommand,
  eraseCommand,
  cisCommand,
  historyCommand(noun),
  noteCommand(noun),
  importVerb("contact"),
];
