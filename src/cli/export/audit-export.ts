/** Announces exports to the audit log of the book or service. */
import { AuthError, UnavailableError } from "../../resources/errors.ts";
import type { Context } from "../context/context.ts";

/**
 * Records an export in the audit log before it reads data. Where the log cannot be written, or the
 * sign-in has no permission for it, the user is told, and the export continues.
 *
 * @param exportName  such as `invoices as csv`
 */
export async function announceExport(ctx: Context, exportName: string): Promise<void> {
  if (ctx.flags.dryRun) return;
  try {
    await (await ctx.client()).announceExport(exportName);
  } catch (error) {
    if (!(error instanceof AuthError || error instanceof UnavailableError)) throw error;
    ctx.out.say(`This is not in the audit log. ${error.message}`);
  }
}
