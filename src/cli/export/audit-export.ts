/** Exports in the audit log of the book or the service. */
import { AuthError, UnavailableError } from "../../resources/errors.ts";
import type { Context } from "../context/context.ts";

/**
 * Enters an export in the audit log, before anything is read. Where the log cannot be written, or is
 * out of reach for this sign-in, that is said, and the export goes on.
 *
 * @param what  such as `invoices as csv`
 */
export async function announceExport(ctx: Context, what: string): Promise<void> {
  if (ctx.flags.dryRun) return;
  try {
    await (await ctx.client()).announceExport(what);
  } catch (error) {
    if (!(error instanceof AuthError || error instanceof UnavailableError)) throw error;
    ctx.out.say(`This is not in the audit log. ${error.message}`);
  }
}
