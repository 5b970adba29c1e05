/** `acct report`: tax returns, published reports, and 1099 reports. */

import { formatRange, longDate } from "../../ledger/dates/calendar.ts";
import { box1099 } from "../../resources/box-1099.ts";
import { amountText } from "../../resources/common.ts";
import { readDecimal, writeDecimal } from "../../resources/decimal.ts";
import { RefusedError, UsageError } from "../../resources/errors.ts";
import type { Input } from "../../resources/field.ts";
import {
  type Cleared,
  type ReturnType,
  returnTypes,
  taxReport,
  taxReturns,
} from "../../resources/tax-report.ts";
import type { Report } from "../../wire/report.ts";
import { homeAt } from "../connection/load-letterhead.ts";
import type { Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirm } from "../framework/confirm.ts";
import { rowsOfContacts } from "../render/report/tax-report.ts";
import { type PeriodOptions, periodFlags, periodOf } from "../shared/filters.ts";
import { parseValue } from "../values/value.ts";
import { layoutFor, withoutUnset } from "./report-command.ts";

type TaxField = NonNullable<Input<typeof taxReport>["Fields"]>[number];

function entryOf(text: string): TaxField {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError("BadValue", `--field takes BOX=AMOUNT, not "${text}".`);
  const amount = parseValue({ kind: "money" }, text.slice(at + 1), { name: "--field" });
  return { FieldID: text.slice(0, at).trim(), Value: writeDecimal(amount, 2) };
}

const returnCommand = (type: ReturnType) => {
  const { command: name, summary, entry, ...more } = taxReturns[type];
  const builder = command(name, summary)
    .writes()
    .answers("report")
    .optionalArgument("RETURN", "with --withdraw or --mark-sent: which, as acct report list has it")
    .flags<PeriodOptions>(periodFlags)
    .flag("field", `what the books do not know, such as ${entry}`, {
      placeholder: "BOX=AMOUNT",
      repeat: true,
      read: entryOf,
    })
    .switch("detail", "the documents behind each box")
    .switch("publish", "keep it; asks first, with the amount to pay")
    .switch(
      "own-days",
      "with --publish: days that are no period of the organisation's returns too",
      { also: ["any-period"] },
    )
    .switch("withdraw", "take the last published return back, which was not sent to the tax office")
    .flag("reason", "with --withdraw: why, which is kept", { placeholder: "TEXT" })
    .field(
      "mark-sent",
      { kind: "date" },
      { help: "when the last published return, or RETURN, was sent; it is not withdrawn then" },
    )
    .note("The period that is due when nothing is said. What is published never changes.")
    .note("What a return that is withdrawn had is in the next one; it stays in acct report list.")
    .example(`acct report ${name} --period last-quarter`)
    .example(`acct report ${name} --period last-quarter --detail -o csv`)
    .example(`acct report ${name} --field ${entry} --publish --yes`);
  if ("cleared" in more) {
    return builder
      .switch("journal", "the manual journal that clears the tax account by a published return")
      .example(`acct report ${name} --journal`)
      .action((ctx, key, { journal, ...options }) => {
        if (journal !== true) return makeReturn(ctx, type, key, options);
        if (Object.keys(options).length === 0) return proposeJournal(ctx, type, more.cleared, key);
        throw new UsageError(
          "BadFlags",
          "--journal is of what is published, and has no other flag.",
        );
      });
  }
  if (!("simpler" in more))
    return builder.action((ctx, ...argumentsGiven) => makeReturn(ctx, type, ...argumentsGiven));
  return builder
    .switch("simpler", more.simpler)
    .action((ctx, ...commandInput) => makeReturn(ctx, type, ...commandInput));
};

export const returnCommands = returnTypes.map(returnCommand);

interface ReturnDays {
  readonly FromDate: string;
  readonly ToDate: string;
}

interface ReturnOptions extends PeriodOptions {
  readonly publish?: boolean | undefined;
  readonly ownDays?: boolean | undefined;
  readonly markSent?: string | undefined;
  readonly withdraw?: boolean | undefined;
  readonly reason?: string | undefined;
  readonly field?: TaxField[] | undefined;
  readonly simpler?: boolean | undefined;
  readonly detail?: boolean | undefined;
}

async function makeReturn(
  ctx: Context,
  ReportType: ReturnType,
  returnKey: string | undefined,
  { publish, ownDays, withdraw, reason, markSent, ...options }: ReturnOptions,
): Promise<void> {
  const deeds = [publish, withdraw, markSent].filter((text) => text !== undefined);
  const isOfOne = returnKey !== undefined && withdraw !== true && markSent === undefined;
  if ((ownDays && !publish) || (reason !== undefined && !withdraw) || deeds.length > 1 || isOfOne) {
    throw new UsageError(
      "BadFlags",
      "--own-days is of --publish, --reason of --withdraw, RETURN of --withdraw and --mark-sent, and a return is published, withdrawn or marked.",
    );
  }
  if (withdraw === true) {
    const reasonText = reason === undefined ? await askReason(ctx) : requireReason(reason);
    return withdrawLast(ctx, ReportType, returnKey, reasonText);
  }
  if (markSent !== undefined) {
    const { days, last } = await publishedOne(ctx, ReportType, returnKey);
    const client = await ctx.client();
    await client.create(taxReport, { ReportType, ...days, Sent: markSent });
    return ctx.flags.dryRun ? undefined : showReturn(ctx, last);
  }
  const { field: Fields, simpler, detail } = options;
  await checkBoxes(ReportType, Fields ?? []);
  const { from, to } = await periodOf(ctx, options);
  const client = await ctx.client();
  const parameters = {
    ...withoutUnset({ fromDate: from, toDate: to }),
    ...(simpler === true && { simpler: "true" }),
    ...(detail === true && { detail: "true" }),
    ...Object.fromEntries((Fields ?? []).map(({ FieldID, Value }) => [FieldID, Value])),
  };
  if (publish === true) {
    if (detail === true) {
      throw new UsageError("BadFlags", "What is published has no --detail; look at it before.");
    }
    const draft = await client.report(ReportType, parameters);
    const days = daysOf(draft);
    const dueSentence = dueIn(ReportType, draft, (await homeAt(ctx, client)).currency);
    if (days.ToDate >= (await ctx.today())) {
      const endDay = longDate(days.ToDate);
      ctx.out.say(`It runs until ${endDay}: what is booked later goes into the next return.`);
    }
    await confirm(ctx, `Publish ${nameOf(ReportType)} ${spanOf(days)}: ${dueSentence}?`);
    const input = {
      ...{ ReportType, FromDate: from ?? days.FromDate, ToDate: to ?? days.ToDate },
      ...(Fields && { Fields }),
      ...(simpler === true && { Simpler: true }),
    };
    const newReturn = await publishOwn(ctx, input, ownDays === true);
    if (!ctx.flags.dryRun) {
      const { ReportID: id, Handle = id } = newReturn;
      ctx.out.say(`Published ${nameOf(ReportType)} ${spanOf(days)} as ${Handle}.`);
      return showReturn(ctx, newReturn.ReportID ?? "");
    }
  }
  await showReturn(ctx, ReportType, parameters);
}

/**
 * Checks typed boxes of a tax return.
 *
 * @throws UsageError for an unknown box, or one that is computed from the books
 */
async function checkBoxes(type: ReturnType, entries: readonly TaxField[]): Promise<void> {
  if (entries.length === 0) return;
  const { entriesOf } = await import("../../ledger/reports/tax/returns/form.ts");
  const { returnForms } = await import("../../ledger/reports/tax/returns/index.ts");
  const known = entriesOf(returnForms[type]);
  const isKnown = (id: string) => known.some((text) => text.toLowerCase() === id.toLowerCase());
  const wrongEntry = entries.find(({ FieldID = "" }) => !isKnown(FieldID));
  if (wrongEntry === undefined) return;
  const { title } = taxReturns[type];
  throw new UsageError(
    "BadValue",
    `Of the ${title} only ${known.join(", ")} can be given, not ${wrongEntry.FieldID}.`,
  );
}

/** Returns the days that a tax return covers. */
function daysOf({ Attributes = [] }: Report) {
  const attribute = (name: string) => Attributes.find((each) => each.Name === name)?.Value ?? "";
  return { FromDate: attribute("fromDate"), ToDate: attribute("dateTo") };
}

/**
 * Requires a reason.
 *
 * @throws UsageError where it is empty
 */
function requireReason(reason: string): string {
  if (reason.trim() !== "") return reason.trim();
  throw new UsageError("MissingValue", "Say why it is withdrawn: --reason TEXT.");
}

async function askReason(ctx: Context): Promise<string> {
  if (!ctx.flags.input) return requireReason("");
  const { terminalQuestions } = await import("../framework/questions.ts");
  const ask = await terminalQuestions(ctx);
  return ask.text({ message: "Why is it withdrawn?", read: requireReason });
}

const nameOf = (type: ReturnType) => taxReturns[type].title.replace(/ Return$/, "");
const spanOf = ({ FromDate: from, ToDate: to }: ReturnDays) => formatRange({ from, to });

/** Returns what a draft comes to: `to pay 515.64`, or `to be refunded 12.00`. */
function dueIn(type: ReturnType, { Fields = [] }: Report, currency: string | undefined): string {
  const amount = (box: string) =>
    readDecimal(String(Fields.find(({ FieldID }) => FieldID === box)?.Value ?? "0"), 2) ?? 0;
  const amountDue = Number(amount(taxReturns[type].due));
  // The British form has no sign.
  const isRefund = amountDue < 0 || (type === "VATReturn" && amount("4") > amount("3"));
  return `${isRefund ? "to be refunded" : "to pay"} ${amountText(Math.abs(amountDue), currency)}`;
}

/** Publishes a return; other days than the organisation's periods are asked about on a terminal. */
async function publishOwn(ctx: Context, input: Input<typeof taxReport>, isOwnDays: boolean) {
  const client = await ctx.client();
  if (isOwnDays) return client.create(taxReport, input);
  try {
    const { ReportType, FromDate, ToDate, ...more } = input;
    return await client.create(taxReport, {
      ...{ ReportType, FromDate, ToDate, OnlyPeriod: true },
      ...more,
    });
  } catch (error) {
    const message = error instanceof RefusedError ? error.message : "";
    const [, fault] = /^(.* is not a period of this organisation \(.*\))\./.exec(message) ?? [];
    if (fault === undefined || !ctx.flags.input || ctx.flags.yes) throw error;
    await confirm(ctx, `${fault}. Publish it all the same?`);
    return client.create(taxReport, input);
  }
}

/** Returns the last published return of a type, or the one of a number or an id, with its days. */
async function publishedOne(ctx: Context, ReportType: ReturnType, returnKey: string | undefined) {
  const client = await ctx.client();
  const { title } = taxReturns[ReportType];
  const all = await client.at(taxReport, "/Reports");
  const published = all.filter((each) => each.ReportType === ReportType && !isWithdrawn(each));
  const isNamed = (value: object) =>
    Object.values(value).some((value) => String(value).toUpperCase() === returnKey?.toUpperCase());
  const lastReturn = returnKey === undefined ? published[0] : published.find(isNamed);
  if (lastReturn?.ReportID === undefined) {
    const what = returnKey === undefined ? `No ${title}` : `No ${title} ${returnKey}`;
    throw new RefusedError("NotPublished", `${what} is published; acct report list shows them.`);
  }
  return { days: daysOf(await client.report(lastReturn.ReportID)), last: lastReturn.ReportID };
}

/** Shows the manual journal that clears the tax account by a published return, and how it is made. */
async function proposeJournal(
  ctx: Context,
  type: ReturnType,
  cleared: Cleared,
  returnKey: string | undefined,
): Promise<void> {
  const { clearingLines, journalReport } = await import("../render/report/clearing-journal.ts");
  const client = await ctx.client();
  const { days, last } = await publishedOne(ctx, type, returnKey);
  const published = await client.report(last);
  const span = { fromDate: days.FromDate, toDate: days.ToDate };
  const lines = clearingLines(published, await client.report("TaxReconciliation", span), cleared);
  await ctx.out.report(journalReport(published, lines));
  const flags = lines.map(
    ({ account, side, amount }) => `--line account=${account},${side}=${amount}`,
  );
  const start = `acct manual-journal create --narration CA3 --date ${days.ToDate}`;
  ctx.out.say(`It is booked by ${start} ${flags.join(" ")}`);
}

/** Withdraws the last published return of a type. */
async function withdrawLast(
  ctx: Context,
  ReportType: ReturnType,
  returnKey: string | undefined,
  reason: string,
): Promise<void> {
  const client = await ctx.client();
  const { days, last } = await publishedOne(ctx, ReportType, returnKey);
  await confirm(
    ctx,
    `Withdraw ${nameOf(ReportType)} ${spanOf(days)}, which was not sent to the tax office? Its figures are in the next one.`,
  );
  await client.create(taxReport, { ReportType, ...days, Withdraw: reason });
  if (!ctx.flags.dryRun) await showReturn(ctx, last);
}

/** The list marks a withdrawn return in its name. */
const isWithdrawn = ({ ReportName = "" }: { readonly ReportName?: string | undefined }) =>
  ReportName.includes(", withdrawn: ");

async function showReturn(ctx: Context, name: string, parameters: Record<string, string> = {}) {
  const report = await (await ctx.client()).report(name, {
    ...parameters,
    ...withoutUnset({ described: "true", ...layoutFor(ctx) }),
  });
  await ctx.out.report(report);
}

export const listPublished = command("list", "tax returns that were published")
  .alias("ls")
  .answers(taxReport)
  .example("acct report list -o id")
  .action(async (ctx) => {
    const client = await ctx.client();
    await ctx.out.records(taxReport, await client.at(taxReport, "/Reports"));
  });

export const showPublished = command("show", "a tax return as it was published")
  .answers("report")
  .argument("RETURN", "handle or id, as acct report list has it")
  .example("acct report show R-1")
  .action((ctx, id) => showReturn(ctx, id));

// --- 1099 ------------------------------------------------------------------------------------

export const tenNinetyNine = command("1099", "what a US organisation paid to whom in a year")
  .answers("report")
  .field(
    "year",
    { kind: "integer", min: 1990, max: 9998 },
    { help: "the one before this when not given" },
  )
  .note("Which account stands in which box is said with acct report 1099-boxes.")
  .note(
    "Left out are amounts below the threshold of their box and year, payments by card and PayPal, " +
      "and documents in a foreign currency. Payees without a tax number are counted at the foot.",
  )
  .example("acct report 1099 --year 2025")
  .action(async (ctx, { year }) => {
    const yearQuery = withoutUnset({ reportYear: year === undefined ? undefined : String(year) });
    const reports = await (await ctx.client()).reports("TenNinetyNine", {
      ...yearQuery,
      described: "true",
    });
    await ctx.out.report(rowsOfContacts(reports));
  });

/** Path of the 1099 boxes of accounts in the API. */
const formPath = "/Reports/TenNinetyNine";

export const tenNinetyNineBoxes = command("1099-boxes", "which account stands in which 1099 box")
  .writes()
  .answers(box1099)
  .flag("map", "put an account into a box, such as 612=NEC:1", {
    placeholder: "ACCOUNT=FORM:BOX",
    repeat: true,
    read: boxOf,
  })
  .flag("unmap", "take an account out of its box", {
    placeholder: "ACCOUNT",
    repeat: true,
    live: "account",
    refers: "account",
  })
  .example("acct report 1099-boxes --map 612=NEC:1 --map 660=MISC:1")
  .action(async (ctx, { map = [], unmap = [] }) => {
    const client = await ctx.client();
    const inputs = [
      ...map,
      ...unmap.map((AccountCode) => ({ AccountCode, Form: "NONE" as const })),
    ];
    if (inputs.length > 0) await client.writeMany("PUT", box1099, inputs, { under: formPath });
    await ctx.out.records(box1099, await client.at(box1099, `${formPath}/Boxes`));
  });

function boxOf(text: string): Input<typeof box1099> {
  const match = /^(.+)=(NEC|MISC):?(\d{1,2})$/i.exec(text.trim());
  if (match === null) {
    const example = "an account, a form and a box, such as 612=NEC:1";
    throw new UsageError("BadValue", `--map takes ${example}, not "${text}".`);
  }
  const [, AccountCode = "", form = "", box] = match;
  return { AccountCode, Form: form.toUpperCase() as "NEC" | "MISC", Box: Number(box) };
}
