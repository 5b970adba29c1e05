/** Exports a folder with all files that `acct import` accepts. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { asDiskError } from "../../platform/disk.ts";
import { checkFolder, makeFolder } from "../../platform/folder.ts";
import { NotFoundError, UsageError } from "../../resources/errors.ts";
import { resources } from "../../resources/index.ts";
import { pluralOf } from "../../resources/scalar.ts";
import type { Context } from "../context/context.ts";
import { openingFile } from "../import/options.ts";
import { writeTo } from "../render/sinks/file-sink.ts";
import { exportOpening } from "./export-opening.ts";
import { exportRecords } from "./export-records.ts";
import { type ExportedName, exported, isNowhere } from "./exported.ts";

/** Reads all data of a file without writing it, for a dry run. */
const unwritten: typeof writeTo = (_ctx, _path, write) => write({ write: async () => undefined });

/**
 * Exports all importable records, one file per kind.
 *
 * @throws UsageError where the folder is not empty; DiskError
 */
export async function exportFolder(ctx: Context, folder: string): Promise<void> {
  newFolder(ctx, folder);
  const to = ctx.flags.dryRun ? unwritten : writeTo;
  for (const name of Object.keys(exported) as ExportedName[]) {
    const outputFile = join(folder, `${name}.csv`);
    await skipIfMissing(ctx, () =>
      exportRecords(ctx, exported[name], { called: name, format: "csv", outputFile }, to),
    );
  }
  await skipIfMissing(ctx, () => exportOpening(ctx, join(folder, openingFile), to));
  const leftResources = resources.filter(isNowhere);
  const nounsText = leftResources.map(({ noun }) => pluralOf(noun)).join(", ");
  ctx.out.say(`Left out, since no import takes them: ${nounsText}.`);
}

/**
 * Makes a folder, or checks in a dry run that it could be made.
 *
 * @throws UsageError where the folder is not empty; DiskError
 */
export function newFolder({ flags }: Context, folder: string): void {
  try {
    if (flags.dryRun) checkFolder(folder);
    else makeFolder(folder);
    if (existsSync(folder) && readdirSync(folder).length > 0) {
      throw new UsageError("BadValue", `${folder} holds files already; name a new folder.`);
    }
  } catch (error) {
    throw asDiskError(folder, error);
  }
}

/** Reports records that the service does not have, instead of failing. */
async function skipIfMissing(ctx: Context, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    ctx.out.say(error.message);
  }
}
