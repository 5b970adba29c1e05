/** `acct report`: tax returns, published reports, and 1099 reports. */

import { box1099 } from "../../resources/box-1099.ts";
import { writeDecimal } from "../../resources/decimal.ts";
import { RefusedError, UsageError } from "../../resources/errors.ts";
import { exampleIds } from "../../resources/examples.ts";
import type { Input } from "../../resources/field.ts";
import { type ReturnType, returnTypes, taxReport, taxReturns } from "../../resources/tax-report.ts";
import type { Report } from "../../wire/report.ts";
import type { Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirmed } from "../framework/confirm.ts";
import { rowsOfContacts } from "../render/tax-report.ts";
import { type PeriodOptions, periodFlags, periodOf } from "../shared/filters.ts";
import { parseValue } from "../values/value.ts";
import { given, layoutFor } from "./report-command.ts";

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
    .flags<PeriodOptions>(periodFlags)
    .flag("field", `what the books do not know, such as ${entry}`, {
      placeholder: "BOX=AMOUNT",
      repeat: true,
      read: entryOf,
    })
    .switch("detail", "the documents behind each box")
    .switch("publish", "keep it; asks first, with the amount to pay")
    .switch(
      "any-period",
      "with --publish: days that are no period of the organisation's returns too",
    )
    .switch("withdraw", "take the last published return back, which was not sent to the tax office")
    .flag("reason", "with --withdraw: why, which is kept", { placeholder: "TEXT" })
    .note("The period that is due when nothing is said. What is published never changes.")
    .note("What a return that is withdrawn had is in the next one; it stays in acct report list.")
    .example(`acct report ${name} --period last-quarter`)
    .example(`acct report ${name} --period last-quarter --detail -o csv`)
    .example(`acct report ${name} --field ${entry} --publish --yes`);
  if (!("simpler" in more)) return builder.action((ctx, options) => makeReturn(ctx, type, options));
  return builder
    .switch("simpler", more.simpler)
    .action((ctx, options) => makeReturn(ctx, type, options));
};

export const returnCommands = returnTypes.map(returnCommand);

interface ReturnOptions extends PeriodOptions {
  readonly publish?: boolean | undefined;
  readonly anyPeriod?: boolean | undefined;
  readonly withdraw?: boolean | undefined;
  readonly reason?: string | undefined;
  readonly field?: TaxField[] | undefined;
  readonly simpler?: boolean | undefined;
  readonly detail?: boolean | undefined;
}

async function makeReturn(
  ctx: Context,
  ReportType: ReturnType,
  { publish, anyPeriod, withdraw, reason, ...options }: ReturnOptions,
): Promise<void> {
  if ((anyPeriod && !publish) || (reason !== undefined && !withdraw) || (withdraw && publish)) {
    throw new UsageError(
      "BadFlags",
      "--any-period is of --publish, --reason of --withdraw, and a return is published or withdrawn.",
    );
  }
  if (withdraw === true) {
    return withdrawLast(
      ctx,
      ReportType,
      reason === undefined ? await askReason(ctx) : said(reason),
    );
  }
  const { field: Fields, simpler, detail } = options;
  await checkBoxes(ReportType, Fields ?? []);
  const { from, to } = await periodOf(ctx, options);
  const client = await ctx.client();
  const asked = {
    ...given({ fromDate: from, toDate: to }),
    ...(simpler === true && { simpler: "true" }),
    ...(detail === true && { detail: "true" }),
    ...Object.fromEntries((Fields ?? []).map(({ FieldID, Value }) => [FieldID, Value])),
  };
  if (publish === true) {
    if (detail === true) {
      throw new UsageError("BadFlags", "What is published has no --detail; look at it before.");
    }
    const draft = await client.report(ReportType, asked);
    const days = daysOf(draft);
    const { due, title } = taxReturns[ReportType];
    const box = draft.Fields?.find(({ FieldID }) => FieldID === due);
    const sum = `box ${due}, ${box?.Description ?? ""}: ${box?.Value ?? ""}`;
    await confirmed(ctx, `Publish the ${title} of ${draft.ReportDate}, ${sum}?`);
    const made = await client.create(taxReport, {
      ...{ ReportType, FromDate: from ?? days.FromDate, ToDate: to ?? days.ToDate },
      ...(anyPeriod !== true && { OnlyPeriod: true }),
      ...(Fields && { Fields }),
      ...(simpler === true && { Simpler: true }),
    });
    if (!ctx.flags.dryRun) {
      ctx.out.say(`Published ${ReportType} ${made.ReportID}.`);
      return showReturn(ctx, made.ReportID ?? "");
    }
  }
  await showReturn(ctx, ReportType, asked);
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
  const isKnown = (id: string) => known.some((each) => each.toLowerCase() === id.toLowerCase());
  const wrong = entries.find(({ FieldID = "" }) => !isKnown(FieldID));
  if (wrong === undefined) return;
  const { title } = taxReturns[type];
  throw new UsageError(
    "BadValue",
    `Of the ${title} only ${known.join(", ")} can be given, not ${wrong.FieldID}.`,
  );
}

/** Returns the days that a tax return covers. */
function daysOf({ Attributes = [] }: Report) {
  const named = (name: string) => Attributes.find((each) => each.Name === name)?.Value ?? "";
  return { FromDate: named("fromDate"), ToDate: named("dateTo") };
}

/**
 * Requires a reason.
 *
 * @throws UsageError where it is empty
 */
function said(reason: string): string {
  if (reason.trim() !== "") return reason.trim();
  throw new UsageError("MissingValue", "Say why it is withdrawn: --reason TEXT.");
}

async function askReason(ctx: Context): Promise<string> {
  if (!ctx.flags.input) return said("");
  const { terminalQuestions } = await import("../framework/questions.ts");
  const ask = await terminalQuestions(ctx);
  return ask.text({ message: "Why is it withdrawn?", read: said });
}

/** Withdraws the last published return of a type. */
async function withdrawLast(ctx: Context, ReportType: ReturnType, reason: string): Promise<void> {
  const client = await ctx.client();
  const { title } = taxReturns[ReportType];
  const published = await client.at(taxReport, "/Reports");
  const last = published.find((each) => each.ReportType === ReportType && !isWithdrawn(each));
  if (last?.ReportID === undefined) {
    throw new RefusedError("NotPublished", `No ${title} is published that could be withdrawn.`);
  }
  const days = daysOf(await client.report(last.ReportID));
  await confirmed(
    ctx,
    `Withdraw the ${title} of ${last.ReportDate}, which was not sent to the tax office? Its figures are in the next one.`,
  );
  await client.create(taxReport, { ReportType, ...days, Withdraw: reason });
  if (!ctx.flags.dryRun) await showReturn(ctx, last.ReportID);
}

/** The list marks a withdrawn return in its name. */
const isWithdrawn = ({ ReportName = "" }: { readonly ReportName?: string | undefined }) =>
  ReportName.includes(", withdrawn: ");

async function showReturn(ctx: Context, name: string, parameters: Record<string, string> = {}) {
  const report = await (await ctx.client()).report(name, {
    ...parameters,
    ...given({ described: "true", ...layoutFor(ctx) }),
  });
  await ctx.out.report(report);
}

export const listPublished = command("list", "tax returns that were published")
  .alias("ls")
  .answers(taxReport)
  .example("acct report list -o id")
  .action(async (ctx) => {
    await ctx.out.records(taxReport, await (await ctx.client()).at(taxReport, "/Reports"));
  });

export const showPublished = command("show", "a tax return as it was published")
  .answers("report")
  .argument("ID", "its id, as acct report list has it")
  .example(`acct report show ${exampleIds.publishedReport}`)
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
    const asked = given({ reportYear: year === undefined ? undefined : String(year) });
    const reports = await (await ctx.client()).reports("TenNinetyNine", {
      ...asked,
      described: "true",
    });
    await ctx.out.report(rowsOfContacts(reports));
  });

/** Path of the 1099 boxes of accounts in the API. */
const under = "/Reports/TenNinetyNine";

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
  })
  .example("acct report 1099-boxes --map 612=NEC:1 --map 660=MISC:1")
  .action(async (ctx, { map = [], unmap = [] }) => {
    const client = await ctx.client();
    const inputs = [
      ...map,
      ...unmap.map((AccountCode) => ({ AccountCode, Form: "NONE" as const })),
    ];
    if (inputs.length > 0) await client.writeMany("PUT", box1099, inputs, { under });
    await ctx.out.records(box1099, await client.at(box1099, `${under}/Boxes`));
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
