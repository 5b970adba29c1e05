/** Ends an import: shows the summary, and saves and reports the refused rows. */

import { basename } from "node:path";
import { type Detail, RefusedError } from "../../../resources/errors.ts";
import { counted } from "../../../resources/scalar.ts";
import type { Context } from "../../context/context.ts";
import { PartlyDoneError } from "../../render/error.ts";
import { formats } from "../../render/formats/index.ts";
import type { Refusals } from "./refused-rows.ts";
import { mayHoldRejected, type RejectedOptions, writeRejected } from "./rejected.ts";
import { type ImportSummary, summaryJson } from "./summary.ts";

/** Maximum count of refused rows in an error. */
const detailsMax = 1_000;
const detailsShownMax = 20;

/**
 * Shows the summary, and fails if rows were refused.
 *
 * @throws PartlyDoneError when some records are in the book, RefusedError when none is
 */
export async function finish(
  ctx: Context,
  summary: ImportSummary,
  textOf: (summary: ImportSummary) => string,
): Promise<void> {
  await ctx.out.value(summaryJson(summary), textOf(summary));
  const { refusals, counts, importer, rejected } = summary;
  if (refusals.count === 0) return;
  const { rows, records } = counts;
  const { several, one } = importer;
  const refused = `${counted(refusals.count, "row")} ${refusals.count === 1 ? "is" : "are"} refused`;
  const where = ` ${rejected === undefined ? "-o json lists" : `${rejected} holds`} each of them.`;
  const hint =
    rows.left > 0
      ? ` ${counted(records.left, one, several)} without fault ${records.left === 1 ? "was" : "were"} not sent; --on-error skip leaves out what is bad.`
      : "";
  const changedCount = records.imported + records.updated;
  const details = detailsOf(refusals, !formats[ctx.flags.output].isJson);
  if (changedCount === 0 && (records.existing === 0 || rows.left > 0)) {
    const message = `${refused}, and nothing was imported.${where}${hint}`;
    throw new RefusedError("RowsRefused", message, details);
  }
  const would = ctx.flags.dryRun ? "would be " : "";
  throw new PartlyDoneError(
    `${counted(changedCount, one, several)} ${would}imported, and ${refused}.${where}${hint}`,
    details,
  );
}

function detailsOf(refusals: Refusals, isForPeople: boolean): Detail[] {
  if (isForPeople && refusals.count > detailsShownMax) return [];
  const details: Detail[] = [];
  for (const { row, record, reason } of refusals.inOrder()) {
    if (details.length === detailsMax) break;
    const name = record === "" ? `row ${row}` : `row ${row}, ${record}`;
    details.push({ record: name, message: `${name}: ${reason}` });
  }
  return details;
}

/** Returns the first file name that is free, or has earlier rejected rows. */
function usualPath(name: string): string {
  for (let at = 1; ; at += 1) {
    const path = `${name}.rejected${at === 1 ? "" : `-${at}`}.csv`;
    if (mayHoldRejected(path)) return path;
  }
}

/**
 * Saves the refused rows, if any, to a file in the current folder; in a dry run only when a path is
 * given.
 *
 * @param wantedPath  path of the file, if given
 * @returns its path
 */
export function keepRejected(
  ctx: Context,
  file: string,
  wantedPath: string | undefined,
  rejected: Omit<RejectedOptions, "path">,
): string | undefined {
  if (rejected.refusals.count === 0) return undefined;
  if (ctx.flags.dryRun && wantedPath === undefined) return undefined;
  const path = wantedPath ?? usualPath(file === "-" ? "stdin" : basename(file));
  try {
    const aside = writeRejected({ ...rejected, path });
    if (aside !== undefined) ctx.out.say(`The ${path} of before is kept as ${aside}.`);
    return path;
  } catch (error) {
    // The import is done; only the file of refused rows could not be written.
    ctx.out.say(`The refused rows could not be written: ${(error as Error).message}.`);
    return undefined;
  }
}
