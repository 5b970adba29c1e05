/**
 * `acct export saft|fec|datev|gobd`: exports the ledger of a period as an audit file for a tax
 * office or an adviser.
 *
 * Uses only endpoints that every service of this API has. Data that the format requires and the
 * book lacks are reported before a byte is written.
 */

import { accountMapColumns, accountMapOf } from "../../audit-files/account-map.ts";
import {
  type AuditExport,
  type AuditFormat,
  type AuditOptions,
  auditExport,
} from "../../audit-files/audit-export.ts";
import type { DateRange } from "../../ledger/dates/calendar.ts";
import { version } from "../../platform/version.ts";
import { NotFoundError, UsageError } from "../../resources/errors.ts";
import { organisation } from "../../resources/organisation.ts";
import { counted } from "../../resources/scalar.ts";
import { embeddedBounds, remoteBounds } from "../../wire/query/lookup-bounds.ts";
import type { Context } from "../context/context.ts";
import { isTerminal } from "../framework/global-flags.ts";
import type { TableFile } from "../import/readers/row-sheet.ts";
import { writeTo } from "../render/sinks/file-sink.ts";
import { type PeriodOptions, periodOf } from "../shared/filters.ts";
import { announceExport } from "./audit-export.ts";

/** Options of an audit format, with its account map given by file name. */
type AuditFileOptions<Options> = Omit<Options, "accountMap"> &
  PeriodOptions & {
    readonly accountMap?: string | undefined;
    /** Output path, `-` for standard output; the format's usual file name when not given. */
    readonly outputFile?: string | undefined;
  };

/**
 * Exports an audit file.
 *
 * @throws UsageError for a period with an open end, or data that the book lacks
 */
export async function exportAudit<F extends AuditFormat>(
  ctx: Context,
  format: F,
  { accountMap: path, ...options }: AuditFileOptions<AuditOptions[F]>,
): Promise<void> {
  const period = await wholePeriod(ctx, options);
  await announceExport(ctx, `the ledger from ${period.from} to ${period.to} as ${format}`);
  const source = await ctx.client();
  const [own] = await source.at(organisation, "/Organisation");
  if (own === undefined) {
    throw new NotFoundError("NotFound", "The service names no organisation.");
  }
  const bounds = ctx.target().kind === "remote" ? remoteBounds : embeddedBounds;
  const bookFacts = { source, bounds, organisation: own, period, now: ctx.clock(), version };
  const accountMap =
    path === undefined
      ? undefined
      : await readAccountMap({ path, tell: (sentence) => ctx.out.say(sentence) });
  const made = await auditExport(format, bookFacts, { ...options, accountMap } as AuditOptions[F]);
  try {
    await write(ctx, made, options.outputFile ?? made.name);
  } finally {
    made.remove();
  }
}

/**
 * Reads an account map.
 *
 * @throws UsageError `NoFile`; RefusedError `BadFile`
 */
async function readAccountMap(file: TableFile) {
  const { readTable } = await import("../import/readers/row-sheet.ts");
  return accountMapOf(file.path, await readTable(file, accountMapColumns, []));
}

/**
 * Returns a period with both ends.
 *
 * @throws UsageError `NoPeriod`
 */
async function wholePeriod(ctx: Context, options: PeriodOptions): Promise<DateRange> {
  const { from, to } = await periodOf(ctx, options);
  if (from !== undefined && to !== undefined) return { from, to };
  throw new UsageError(
    "NoPeriod",
    "Say which days the file is to cover: --period 2026, --period last-fy, or --from and --to.",
  );
}

async function write(ctx: Context, made: AuditExport, path: string): Promise<void> {
  const what = `${counted(made.entryCount, "journal")} with ${counted(made.lineCount, "posting")}`;
  if (ctx.flags.dryRun) {
    ctx.out.say(`${path} would be written: ${what}.`);
    return;
  }
  const isStandard = path === "-";
  if (isStandard && made.isBinary && isTerminal(1)) {
    throw new UsageError(
      "BinaryToTerminal",
      "An archive is not for a terminal to show: send it to a file or a program, or leave out the -.",
    );
  }
  await writeTo(ctx, path, async (sink) => {
    for await (const bytes of made.bytes()) await sink.write(bytes);
  });
  for (const note of made.notes()) ctx.out.say(note);
  if (!isStandard) {
    ctx.out.say(`Wrote ${what}.`);
    await ctx.out.value({ FileName: path }, path);
  }
}
