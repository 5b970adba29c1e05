/** `acct report statement`: statements of account, as a table, as PDF and by email. */
import { fileName } from "../../platform/file-name.ts";
import { type Contact, contact } from "../../resources/contact.ts";
import { email } from "../../resources/email.ts";
import { UsageError } from "../../resources/errors.ts";
import { presetsOf } from "../../resources/report.ts";
import { counted } from "../../resources/scalar.ts";
import type { Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirm, requireExtension } from "../framework/confirm.ts";
import { mailEach, readAddresses, sayEmailed, type ToMail } from "../shared/email-verb.ts";
import { type PeriodOptions, periodFlags, periodOf } from "../shared/filters.ts";
import { findByOtherNames } from "../shared/find-by-name.ts";
import { layoutFor, withoutUnset } from "./report-command.ts";

const path = "/Extensions/Statements/{ContactID}";
const pathOf = ({ ContactID }: Pick<Contact, "ContactID">) =>
  path.replace("{ContactID}", encodeURIComponent(ContactID));

export const statementCommand = command(
  "statement",
  "what a customer owes, with its ageing; with a period, how that came about",
)
  .alias("statement-of-account", "statements")
  .writes()
  .answers("report")
  .optionalArgument("CONTACT", "customer, by name, number or id", { live: "contact" })
  .field(
    "date",
    { kind: "date" },
    { help: "what is outstanding on this day; today when not given" },
  )
  .flags<PeriodOptions>(() => periodFlags)
  .switch("pdf", "save it as PDF, in this folder unless --output-file says where")
  .switch("force", "write over a file that is there already")
  .switch("email", "send it as PDF")
  .flag("send-to", "instead of its contact and the persons who are included in emails", {
    placeholder: "ADDRESS,...",
    repeat: true,
    read: readAddresses("--send-to"),
  })
  .field("message", email.fields.Message, { help: "instead of the usual words" })
  .switch("all", "with --email: to every customer who owes anything")
  .note(
    "Each currency stands by itself. With --all it asks first, leaves out whoever has no address and " +
      "whoever was sent the same statement before, and says how many; so it is safe to run again.",
  )
  .note("As PDF, also by -o pdf, it is a letter; in any other format it is a report as others are.")
  .note("An extension. Without a mail server it is written to the outbox beside the book.")
  .example("acct report statement 'Cuba Street Gifts'")
  .example("acct report statement 'Cuba Street Gifts' --period last-quarter --pdf")
  .example("acct report statement --all --email --date 2026-03-31 --yes")
  .putsFile(({ pdf = false }, { output }) => pdf || output === "pdf")
  .action(async (ctx, key, options) => {
    const { all = false, email: sends = false, pdf = false, force } = options;
    const isSaved = pdf || ctx.flags.output === "pdf";
    const outputFile = ctx.flags.outputFile ?? (pdf ? undefined : "-");
    if (all === (key !== undefined)) {
      throw new UsageError("MissingValue", "Name a customer, or give --all --email.");
    }
    if ((all && !sends) || (sends && isSaved) || (!sends && (options.sendTo ?? options.message))) {
      throw new UsageError(
        "BadFlags",
        "--all, --send-to and --message are of --email, which saves no file.",
      );
    }
    const days = await daysOf(ctx, options);
    const message = { To: options.sendTo?.flat(), Message: options.message };
    // Where nothing is sent, the statement is read, and the beginning of a name will do.
    const client = findByOtherNames(
      { writes: sends, flags: ctx.flags, out: ctx.out },
      await ctx.client(),
    );
    if (sends) await requireExtension(ctx, "Sending statements", "POST", `${path}/Email`);
    if (all) return sendAll(ctx, days, message);
    const match = await client.find(contact, key ?? "");
    if (sends) return mailEach(ctx, [toMail(ctx, match, days, message)], "sent");
    if (!isSaved) {
      const report = await client.report("Statement", {
        contactID: match.ContactID,
        ...days,
        ...withoutUnset({ ...layoutFor(ctx), ...presetsOf({}) }),
      });
      return ctx.out.report(report);
    }
    await requireExtension(ctx, "Printing statements", "GET", path);
    const { savePrinted } = await import("../shared/save-file.ts");
    const name = fileName(
      `Statement ${match.Name} ${await lastDay(ctx, days)}`,
      match.ContactID,
      "pdf",
    );
    await savePrinted(ctx, name, { outputFile, force }, (onMissing) =>
      client.printedAt(pathOf(match), "statement", { parameters: days, onMissing }),
    );
  });

type Days = Readonly<Record<string, string>>;

const lastDay = async (ctx: Context, { date, toDate }: Days) =>
  date ?? toDate ?? (await ctx.today());

async function daysOf(ctx: Context, options: PeriodOptions & { date?: string | undefined }) {
  const { from, to } = await periodOf(ctx, options);
  if (options.date !== undefined && (from !== undefined || to !== undefined)) {
    throw new UsageError("BadFlags", "A statement is as at --date, or of a period: give one.");
  }
  if (from === undefined && to === undefined) return { date: options.date ?? (await ctx.today()) };
  return withoutUnset({ fromDate: from, toDate: to });
}

interface Words {
  readonly To: string[] | undefined;
  readonly Message: string | undefined;
}

function toMail(ctx: Context, party: Contact, days: Days, { To, Message }: Words): ToMail {
  const emailInput = { ...(To && { To }), ...(Message && { Message }) };
  return {
    name: party.Name,
    async send() {
      const client = await ctx.client();
      const request = { takes: email, input: emailInput, parameters: days };
      const [answer] = await client.act(email, `${pathOf(party)}/Email`, request);
      const name = `the statement of ${party.Name}`;
      return sayEmailed(ctx, name, { Contact: party }, answer, emailInput);
    },
  };
}

/**
 * Emails a statement to every customer with a balance, except those without an address and those to
 * whom the same statement was sent.
 */
async function sendAll(ctx: Context, days: Days, words: Words): Promise<void> {
  const date = await lastDay(ctx, days);
  const wantedContacts: Contact[] = [];
  const leftCounts: Record<"no address" | "sent before" | "archived", number> = {
    "no address": 0,
    "sent before": 0,
    archived: 0,
  };
  for (const debtor of await debtorsOn(ctx, date)) {
    if (debtor.ContactStatus === "ARCHIVED") leftCounts.archived += 1;
    else if (!debtor.EmailAddress) leftCounts["no address"] += 1;
    else if (await wasSent(ctx, debtor, days, date)) leftCounts["sent before"] += 1;
    else wantedContacts.push(debtor);
  }
  const leftOut = Object.entries(leftCounts)
    .filter(([, count]) => count > 0)
    .map(([why, count]) => `${count} ${why}`);
  if (leftOut.length > 0) ctx.out.say(`Left out: ${leftOut.join(", ")}.`);
  if (wantedContacts.length === 0) return ctx.out.say("There is nobody to send a statement to.");
  await confirm(ctx, `Send ${counted(wantedContacts.length, "statement")}?`);
  await mailEach(
    ctx,
    wantedContacts.map((contact) => toMail(ctx, contact, days, words)),
    "sent",
  );
}

/** Returns the customers with a balance due on a day. */
async function debtorsOn(ctx: Context, date: string): Promise<Contact[]> {
  const client = await ctx.client();
  const { Rows = [] } = await client.report("AgedReceivables", { date });
  const ids = Rows.flatMap(({ Rows: own = [] }) => own).flatMap(({ Cells = [] }) => {
    const id = Cells[0]?.Attributes?.find(({ Id }) => Id === "contactID")?.Value;
    return id === undefined || Number(Cells.at(-1)?.Value ?? 0) <= 0 ? [] : [id];
  });
  const contacts: Contact[] = [];
  for (const id of ids) contacts.push(await client.find(contact, id));
  return contacts;
}

/** Whether the statement was sent before, by the note in the history of the contact. */
async function wasSent(ctx: Context, each: Contact, days: Days, date: string): Promise<boolean> {
  const client = await ctx.client();
  const { longDate } = await import("../../ledger/dates/calendar.ts");
  const from = days.fromDate;
  const statementName =
    from === undefined ? `as at ${longDate(date)}` : `${longDate(from)} to ${longDate(date)}`;
  const history = await client.history(contact, each.ContactID);
  return history.some(({ Details = "" }) => Details.startsWith(`Statement ${statementName} `));
}
