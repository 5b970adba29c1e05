/** The verbs of invoices and bills. */
import type { Client } from "../../client/client.ts";
import { allOf, compare, isGuid } from "../../client/condition.ts";
import { NotFoundError, RefusedError, UsageError } from "../../resources/errors.ts";
import {
  type Invoice,
  type InvoiceInput,
  type InvoiceStatus,
  invoice,
} from "../../resources/invoice.ts";
import { confirmed, forEachRecord, nameOfRecord, sayChanges, showResults } from "../change.ts";
import { type Child, type Command, command, type Group, group, type Live } from "../command.ts";
import type { Context } from "../context.ts";
import { type ContactKey, contactId } from "../filters.ts";
import { fieldsGiven, fileFlag, inputsOf, requireFields } from "../input.ts";
import { listCommand } from "../list.ts";
import { type LineItemInput, lineKeys, parseLine } from "../values/lines.ts";
import {
  historyCommand,
  importVerb,
  noteCommand,
  pdfCommand,
  showCommand,
  updateFound,
} from "../verbs.ts";

export type DocumentType = "ACCREC" | "ACCPAY";

interface Kind {
  readonly type: DocumentType;
  readonly noun: Live & ("invoice" | "bill");
  readonly aliases: readonly string[];
  readonly summary: string;
}

/** Declares `acct invoice` or `acct bill`. */
export function documentNoun(kind: Kind): Group {
  const { noun, aliases, summary } = kind;
  return group(noun, summary, verbsOf(kind), { aliases });
}

function verbsOf(kind: Kind): Child[] {
  const { type, noun } = kind;
  const number = type === "ACCREC" ? "INV-0042" : "B-1017";
  const same = { live: noun, find: (ctx: Context, key: string) => findDocument(ctx, type, key) };
  const verbs: Child[] = [
    listCommand({
      resource: invoice,
      summary: `list ${kind.summary}`,
      omit: type === "ACCREC" ? ["Type"] : ["Type", "Reference"],
      only: compare(invoice.fields, "Type", "==", type),
      examples: [
        `acct ${noun} list --status AUTHORISED --due-date ..today`,
        `acct ${noun} list --contact "Acme" --period last-quarter -o csv`,
      ],
    }),
    showCommand(invoice, { ...same, example: `acct ${noun} show ${number} -o json` }),
    pdfCommand(invoice, { ...same, example: `acct ${noun} pdf ${number}` }),
    createCommand(kind),
    updateCommand(kind),
    transitionCommand(kind, "submit", "SUBMITTED", `submit ${noun}s for approval`),
    transitionCommand(kind, "approve", "AUTHORISED", `approve ${noun}s: from now on they are owed`),
    transitionCommand(kind, "void", "VOIDED", `void approved ${noun}s without payments`),
    transitionCommand(kind, "delete", "DELETED", `delete ${noun}s that were not approved`),
  ];
  if (type === "ACCREC") verbs.push(emailCommand, urlCommand, openCommand);
  return [...verbs, historyCommand(invoice, same), noteCommand(invoice, same), importVerb(noun)];
}

/** Fields of a document as a whole that can be given by flags. */
const common = [
  "Contact",
  "Date",
  "DueDate",
  "Status",
  "LineAmountTypes",
  "InvoiceNumber",
  "CurrencyCode",
  "CurrencyRate",
  "BrandingThemeID",
  "Url",
] as const;

const lineFlag = {
  placeholder: "KEY=VALUE,...",
  help: `one line: ${lineKeys.filter((key) => !key.endsWith("-id")).join(", ")}`,
  repeat: true,
  read: (text: string): LineItemInput => parseLine(text),
} as const;

const lineExample = "--line 'description=Consulting,quantity=10,unit-amount=150,account=200'";

// --- create ----------------------------------------------------------------------------------

export type CreateOptions = Omit<InvoiceInput, "LineItems"> & {
  readonly line?: LineItemInput[] | undefined;
  readonly file?: string | undefined;
  readonly interactive?: boolean | undefined;
};

function createCommand(kind: Kind): Command {
  const { noun, type } = kind;
  return command("create", `make ${type === "ACCREC" ? "an invoice" : "a bill"}`)
    .alias("new")
    .fields(invoice, common, {
      Contact: { help: "who it is for, by name, number or id" },
      Status: { values: ["DRAFT", "SUBMITTED", "AUTHORISED"] },
    })
    .fields(
      invoice,
      type === "ACCREC"
        ? ["Reference", "SentToContact", "ExpectedPaymentDate"]
        : ["PlannedPaymentDate"],
    )
    .flag("line", lineFlag)
    .flags<{ readonly file?: string }>([fileFlag])
    .switch("interactive", "ask for everything, also when flags are given", { short: "i" })
    .note("On a terminal and without flags it asks for everything.")
    .example(`acct ${noun} create --contact "Acme" --due-date +20d ${lineExample}`)
    .example(`acct ${noun} create --file ${noun}.json --status AUTHORISED`)
    .action((ctx, options) => createDocument(ctx, type, options as CreateOptions));
}

/** Makes one document from flags, or those of a file, and shows what was made. */
export async function createDocument(
  ctx: Context,
  type: DocumentType,
  options: CreateOptions,
): Promise<void> {
  const isBare = Object.keys(options).length === 0;
  if (options.interactive === true || (isBare && ctx.flags.input)) {
    if (!ctx.flags.input) {
      throw new UsageError("NoTerminal", "--interactive needs a terminal to ask on.");
    }
    const { invoiceWizard } = await import("../prompts/wizard.ts");
    return invoiceWizard(ctx, type);
  }
  const { line, file } = options;
  const over: InvoiceInput = {
    ...fieldsGiven(invoice, options),
    Type: type,
    ...(line === undefined ? {} : { LineItems: line }),
  };
  const inputs = await inputsOf(ctx, invoice, file, over);
  const noun = type === "ACCREC" ? "invoice" : "bill";
  for (const input of inputs) {
    requireFields({ ...invoice, noun }, input);
    if (input.LineItems === undefined || input.LineItems.length === 0) {
      throw new UsageError("MissingValue", `A new ${noun} needs at least one --line.`);
    }
  }
  const client = await ctx.client();
  const resolved = await Promise.all(inputs.map((input) => withContact(client, input)));
  const [only, ...others] = resolved;
  if (only !== undefined && others.length === 0) {
    return ctx.out.record(invoice, await client.create(invoice, only));
  }
  await showResults(ctx, invoice, await client.writeMany("PUT", invoice, resolved));
}

/** A document whose contact is named by id, because a name alone the service takes as exact text. */
async function withContact<T extends InvoiceInput>(client: Client, input: T): Promise<T> {
  if (input.Contact === undefined) return input;
  const { ContactID, ContactNumber, Name } = input.Contact;
  const key: ContactKey = ContactID ? { ContactID } : { Name: Name ?? ContactNumber ?? "" };
  return { ...input, Contact: { ContactID: await contactId(client, key) } };
}

// --- update ----------------------------------------------------------------------------------

type UpdateOptions = CreateOptions & { readonly addLine?: LineItemInput[] | undefined };

function updateCommand(kind: Kind): Command {
  const { noun, type } = kind;
  const number = type === "ACCREC" ? "INV-0042" : "B-1017";
  return command("update", `change ${type === "ACCREC" ? "an invoice" : "a bill"}`)
    .alias("edit")
    .key(invoice, noun)
    .fields(invoice, common, { Contact: { help: "who it is for, by name, number or id" } })
    .fields(
      invoice,
      type === "ACCREC"
        ? ["Reference", "SentToContact", "ExpectedPaymentDate"]
        : ["PlannedPaymentDate"],
    )
    .flag("line", { ...lineFlag, help: "instead of all its lines; see create" })
    .flag("add-line", { ...lineFlag, help: "besides the lines it has; see create" })
    .flags<{ readonly file?: string }>([fileFlag])
    .note("What is not given stays as it is.")
    .example(`acct ${noun} update ${number} --due-date +14d`)
    .example(`acct ${noun} update ${number} --add-line 'item=WIDGET,quantity=2' --dry-run`)
    .action((ctx, key, options) => updateDocument(ctx, type, key, options as UpdateOptions));
}

async function updateDocument(
  ctx: Context,
  type: DocumentType,
  key: string,
  options: UpdateOptions,
): Promise<void> {
  const { line, addLine, file } = options;
  const over: InvoiceInput = fieldsGiven(invoice, options);
  const [input = {}, ...others] = await inputsOf(ctx, invoice, file, over);
  if (others.length > 0) throw new UsageError("BadFile", "An update takes a file with one record.");
  const client = await ctx.client();
  const found = await findDocument(ctx, type, key);
  const kept = line ?? input.LineItems ?? (addLine && found.LineItems);
  const LineItems = addLine === undefined ? kept : [...(kept ?? []), ...addLine];
  const changed = { ...input, ...(LineItems === undefined ? {} : { LineItems }) };
  if (Object.keys(changed).length === 0) {
    throw new UsageError(
      "MissingValue",
      "Nothing to change was given; see --help for what can be.",
    );
  }
  await updateFound(ctx, invoice, found, await withContact(client, changed));
}

// --- through its life ------------------------------------------------------------------------

function transitionCommand(
  { type, noun }: Kind,
  verb: "submit" | "approve" | "void" | "delete",
  Status: InvoiceStatus,
  summary: string,
): Command {
  const asks = verb === "void" || verb === "delete";
  const number = type === "ACCREC" ? "INV-0042" : "B-1017";
  const declared = command(verb, summary).keys(invoice, noun);
  if (asks) declared.note("Asks first; without a terminal to ask on, --yes must be given.");
  return declared
    .example(`acct ${noun} ${verb} ${number}${asks ? " --yes" : ""}`)
    .action(async (ctx, keys) => {
      const client = await ctx.client();
      const found = new Map<string, Invoice>();
      for (const key of keys) found.set(key, await findDocument(ctx, type, key));
      if (asks) {
        const names = [...found.values()].map((each) => describe(each));
        await confirmed(ctx, `${verb === "void" ? "Void" : "Delete"} ${names.join(", ")}?`);
      }
      await forEachRecord(ctx, invoice, keys, async (key) => {
        const before = found.get(key) as Invoice;
        const after = await client.update(invoice, before.InvoiceID, { Status });
        sayChanges(ctx, invoice, before, after);
        return after;
      });
    });
}

/** Enough of a document for a person to recognise it before it goes. */
function describe(document: Invoice): string {
  const { Contact, Status } = document;
  const whose = Contact?.Name === undefined ? "" : ` of ${Contact.Name}`;
  return `${nameOfRecord(invoice, document)}${whose} (${Status})`;
}

// --- to the customer -------------------------------------------------------------------------

const emailCommand = command("email", "email an invoice to its contact")
  .key(invoice, "invoice")
  .note("It goes to the contact's address and to the persons who are included in emails.")
  .example("acct invoice email INV-0042")
  .action(async (ctx, key) => {
    const client = await ctx.client();
    const found = await findDocument(ctx, "ACCREC", key);
    await client.emailInvoice(found.InvoiceID);
    const to = found.Contact?.EmailAddress ?? found.Contact?.Name ?? "its contact";
    const done = ctx.flags.dryRun ? "Would email" : "Emailed";
    ctx.out.say(`${done} ${nameOfRecord(invoice, found)} to ${to}.`);
  });

const urlCommand = command("url", "print the address of an invoice online")
  .key(invoice, "invoice")
  .action(async (ctx, key) => {
    const url = await onlineUrl(ctx, key);
    await ctx.out.value({ OnlineInvoiceUrl: url }, url);
  });

const openCommand = command("open", "open an invoice in the browser")
  .key(invoice, "invoice")
  .action(async (ctx, key) => {
    const { openInBrowser } = await import("../browser.ts");
    await openInBrowser(ctx, await onlineUrl(ctx, key));
  });

async function onlineUrl(ctx: Context, key: string): Promise<string> {
  const client = await ctx.client();
  const { InvoiceID } = await findDocument(ctx, "ACCREC", key);
  return client.onlineInvoiceUrl(InvoiceID);
}

// --- finding ---------------------------------------------------------------------------------

const goneStatuses: readonly InvoiceStatus[] = ["DELETED", "VOIDED"];

/**
 * The invoice or bill that a person means by a number or an id.
 *
 * Bills carry their supplier's numbers, so two may bear the same one, and so may an invoice and a
 * bill. What is deleted or voided is found only when nothing else bears the number.
 *
 * @param type  undefined for either
 * @throws NotFoundError, and RefusedError `Ambiguous`
 */
export async function findDocument(
  ctx: Context,
  type: DocumentType | undefined,
  key: string,
): Promise<Invoice> {
  const client = await ctx.client();
  if (isGuid(key)) return ofType(await client.find(invoice, key), type, key);
  const where = allOf([
    type && compare(invoice.fields, "Type", "==", type),
    compare(invoice.fields, "InvoiceNumber", "==", key),
  ]);
  const found: Invoice[] = [];
  for await (const each of client.list(invoice, { where, limit: 100 })) found.push(each);
  const live = found.filter(({ Status }) => !goneStatuses.includes(Status));
  const fits = live.length > 0 ? live : found;
  const [only, ...others] = fits;
  // Found by other ways than the number, or by its number as the other type: said in so many words.
  if (only === undefined) return ofType(await client.find(invoice, key), type, key);
  if (others.length > 0) {
    const each = fits.map(
      ({ Type, InvoiceID, Contact }) => `${InvoiceID} (${Type}, ${Contact?.Name})`,
    );
    throw new RefusedError(
      "Ambiguous",
      `${fits.length} documents bear the number ${key}; name one by its id: ${each.join(", ")}.`,
    );
  }
  return client.find(invoice, only.InvoiceID);
}

function ofType(found: Invoice, type: DocumentType | undefined, key: string): Invoice {
  if (type === undefined || found.Type === type) return found;
  const [noun, other] = type === "ACCREC" ? ["invoice", "bill"] : ["bill", "invoice"];
  throw new NotFoundError(
    "NotFound",
    `There is no ${noun} ${key}; it is ${other === "bill" ? "a bill" : "an invoice"}: use acct ${other}.`,
  );
}
