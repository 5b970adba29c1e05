/**
 * `acct export saft|fec|datev|gobd`: the ledger of a period in the form that a tax office or an
 * adviser reads.
 *
 * Everything is asked of the endpoints that every service of this API has. What a format needs and
 * the book does not know is named before a byte is written.
 */
import type { Client } from "../../../client/client.ts";
import { NotFoundError, UsageError } from "../../../resources/errors.ts";
import { type Organisation, organisation } from "../../../resources/organisation.ts";
import { counted } from "../../../resources/scalar.ts";
import { embeddedBounds, remoteBounds } from "../../../wire/query/lookup-bounds.ts";
import type { Context } from "../../context/context.ts";
import { isTerminal } from "../../framework/global-flags.ts";
import { version } from "../../framework/version.ts";
import { written } from "../../render/sinks/file.ts";
import { JoiningSink } from "../../render/sinks/sink.ts";
import { type PeriodOptions, periodOf } from "../../shared/filters.ts";
import type { Period } from "../../values/dates.ts";
import { announceExport } from "../announce.ts";
import type { AuditFile, PreparedFile } from "./audit-file.ts";
import { EncodingSink } from "./charset.ts";
import type { DatevOptions } from "./datev/datev.ts";
import type { FecOptions } from "./fec.ts";
import type { GobdOptions } from "./gobd/gobd.ts";
import { type Ledger, readLedger } from "./ledger/ledger.ts";
import { Master } from "./ledger/master.ts";
import type { SaftOptions } from "./saft/saft.ts";

/** What each format is asked with. */
export interface AuditOptions {
  readonly saft: SaftOptions;
  readonly fec: FecOptions;
  readonly datev: DatevOptions;
  readonly gobd: GobdOptions;
}

export type AuditFormat = keyof AuditOptions;

interface Facts {
  readonly ctx: Context;
  readonly client: Client;
  readonly organisation: Organisation;
  readonly period: Period;
  readonly master: Master;
}

/** One of them is loaded at a time. */
const formats: {
  readonly [F in AuditFormat]: (facts: Facts, options: AuditOptions[F]) => Promise<AuditFile>;
} = {
  saft: async ({ ctx, ...facts }, options) =>
    (await import("./saft/saft.ts")).saft({ ...facts, today: ctx.today(), version }, options),
  fec: async ({ organisation: own, period }, options) =>
    (await import("./fec.ts")).fec(own, period, options),
  datev: async ({ ctx, master, ...facts }, options) => {
    const taxes = await master.taxRates();
    const rates = new Map(
      taxes.map(({ TaxType, EffectiveRate }) => [TaxType ?? "", EffectiveRate]),
    );
    const { datev } = await import("./datev/datev.ts");
    return datev({ ...facts, now: ctx.clock(), rates }, options);
  },
  gobd: async ({ ctx, ...facts }, options) =>
    (await import("./gobd/gobd.ts")).gobd({ ...facts, now: ctx.clock(), version }, options),
};

export interface AuditExport extends PeriodOptions {
  /** The usual name in this folder when not given, `-` for standard output. */
  readonly outputFile?: string | undefined;
}

/** @throws UsageError for a period with an open end and for what the book lacks */
export async function exportAudit<F extends AuditFormat>(
  ctx: Context,
  format: F,
  options: AuditOptions[F] & AuditExport,
): Promise<void> {
  const period = await wholePeriod(ctx, options);
  await announceExport(ctx, `the ledger from ${period.from} to ${period.to} as ${format}`);
  const client = await ctx.client();
  const [own] = await client.at(organisation, "/Organisation");
  if (own === undefined) {
    throw new NotFoundError("NotFound", "The service names no organisation.");
  }
  const master = new Master(client, period);
  const file = await formats[format]({ ctx, client, organisation: own, period, master }, options);
  const bounds = ctx.target().kind === "remote" ? remoteBounds : embeddedBounds;
  const ledger = await readLedger({ client, bounds, organisation: own, period });
  try {
    await write(ctx, file, ledger, options.outputFile ?? file.name);
  } finally {
    ledger.remove();
  }
}

/** @throws UsageError `NoPeriod` */
async function wholePeriod(ctx: Context, options: PeriodOptions): Promise<Period> {
  const { from, to } = await periodOf(ctx, options);
  if (from !== undefined && to !== undefined) return { from, to };
  throw new UsageError(
    "NoPeriod",
    "Say which days the file is to cover: --period 2026, --period last-fy, or --from and --to.",
  );
}

async function write(ctx: Context, file: AuditFile, ledger: Ledger, path: string): Promise<void> {
  const prepared = file.prepare(ledger);
  const what = `${counted(ledger.entryCount, "journal")} with ${counted(ledger.lineCount, "posting")}`;
  if (ctx.flags.dryRun) {
    ctx.out.say(`${path} would be written: ${what}.`);
    return;
  }
  const isStandard = path === "-";
  if (isStandard && "bytes" in prepared && isTerminal(1)) {
    throw new UsageError(
      "BinaryToTerminal",
      "An archive is not for a terminal to show: send it to a file or a program, or leave out the -.",
    );
  }
  const replaced = await writeTo(ctx, path, file, prepared);
  if (replaced !== "") {
    ctx.out.say(
      `${file.charset} has no ${[...replaced].join(" ")}: the plain letter or a question mark stands for each.`,
    );
  }
  for (const note of prepared.notes?.() ?? []) ctx.out.say(note);
  if (!isStandard) {
    ctx.out.say(`Wrote ${what}.`);
    await ctx.out.value({ FileName: path }, path);
  }
}

/** @returns characters that the charset does not have */
async function writeTo(
  ctx: Context,
  path: string,
  { charset }: AuditFile,
  prepared: PreparedFile,
): Promise<string> {
  let replaced = "";
  await written(ctx, path, async (sink) => {
    if ("bytes" in prepared) {
      for await (const bytes of prepared.bytes()) await sink.write(bytes);
      return;
    }
    const encoding = new EncodingSink(sink, charset);
    const joining = new JoiningSink(encoding);
    for await (const text of prepared.text()) await joining.write(text);
    await joining.flush();
    replaced = encoding.replaced;
  });
  return replaced;
}
