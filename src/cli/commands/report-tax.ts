/** `acct report`: tax returns, published ones, and 1099 reports. */
import { box1099 } from "../../resources/box-1099.ts";
import { writeDecimal } from "../../resources/decimal.ts";
import { UsageError } from "../../resources/errors.ts";
import type { Input } from "../../resources/field.ts";
import { type ReturnType, returnTypes, taxReport, taxReturns } from "../../resources/tax-report.ts";
import { command } from "../framework/command.ts";
import type { Context } from "../framework/context.ts";
import { rowsOfContacts } from "../render/tax-report.ts";
import { parseValue } from "../values/value.ts";
import { given } from "./report-command.ts";
import { type PeriodOptions, periodFlags, periodOf } from "./shared/filters.ts";

type Entry = NonNullable<Input<typeof taxReport>["Fields"]>[number];

function entryOf(text: string): Entry {
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
    .flag("field", {
      placeholder: "BOX=AMOUNT",
      help: `what the books do not know, such as ${entry}`,
      repeat: true,
      read: entryOf,
    })
    .switch("detail", "the documents behind each box")
    .switch("publish", "keep it; what is published never changes")
    .note("The current month when nothing is said; what is to be published needs its days.")
    .example(`acct report ${name} --period last-quarter`)
    .example(`acct report ${name} --period last-quarter --detail -o csv`)
    .example(`acct report ${name} --from 2026-01-01 --to 2026-03-31 --field ${entry} --publish`);
  if (!("simpler" in more)) return builder.action((ctx, options) => makeReturn(ctx, type, options));
  return builder
    .switch("simpler", more.simpler)
    .action((ctx, options) => makeReturn(ctx, type, options));
};

export const returnCommands = returnTypes.map(returnCommand);

interface ReturnOptions extends PeriodOptions {
  readonly publish?: boolean | undefined;
  readonly field?: Entry[] | undefined;
  readonly simpler?: boolean | undefined;
  readonly detail?: boolean | undefined;
}

async function makeReturn(
  ctx: Context,
  ReportType: ReturnType,
  { publish, field: Fields, simpler, detail, ...options }: ReturnOptions,
): Promise<void> {
  const { from, to } = await periodOf(ctx, options);
  const client = await ctx.client();
  if (publish === true) {
    if (detail === true) {
      throw new UsageError("BadFlags", "What is published has no --detail; look at it before.");
    }
    if (from === undefined || to === undefined) {
      throw new UsageError(
        "MissingValue",
        "Say which days it covers: --from and --to, or --period.",
      );
    }
    const made = await client.create(taxReport, {
      ...{ ReportType, FromDate: from, ToDate: to },
      ...(Fields && { Fields }),
      ...(simpler === true && { Simpler: true }),
    });
    if (!ctx.flags.dryRun) {
      ctx.out.say(`Published ${ReportType} ${made.ReportID}.`);
      return showReturn(ctx, made.ReportID ?? "");
    }
  }
  const entered = (Fields ?? []).map(({ FieldID, Value }) => [FieldID, Value]);
  await showReturn(ctx, ReportType, {
    ...given({ fromDate: from, toDate: to }),
    ...(simpler === true && { simpler: "true" }),
    ...(detail === true && { detail: "true" }),
    ...Object.fromEntries(entered),
  });
}

async function showReturn(ctx: Context, name: string, parameters: Record<string, string> = {}) {
  const report = await (await ctx.client()).report(name, { ...parameters, described: "true" });
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
  .example("acct report show 7c1e0b2a-5d7e-4f1c-9a51-3f0f6f1f2a10")
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
      "documents in a foreign currency and contacts without a tax number.",
  )
  .example("acct report 1099 --year 2025")
  .action(async (ctx, { year }) => {
    const asked = given({ reportYear: year === undefined ? undefined : String(year) });
    const reports = await (await ctx.client()).reports("TenNinetyNine", asked);
    await ctx.out.report(rowsOfContacts(reports));
  });

/** Where the boxes of accounts stand in the API. */
const under = "/Reports/TenNinetyNine";

export const tenNinetyNineBoxes = command("1099-boxes", "which account stands in which 1099 box")
  .writes()
  .answers(box1099)
  .flag("map", {
    placeholder: "ACCOUNT=FORM:BOX",
    help: "put an account into a box, such as 612=NEC:1",
    repeat: true,
    read: boxOf,
  })
  .flag("unmap", {
    placeholder: "ACCOUNT",
    help: "take an account out of its box",
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
