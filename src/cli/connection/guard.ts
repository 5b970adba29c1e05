/** Read-only mode: refuses changes before they begin. */

import type { Upgrading } from "../../admin/book.ts";
import { RefusedError } from "../../resources/errors.ts";
import type { Context } from "../context/context.ts";
import { isReadOnly } from "../framework/global-flags.ts";

/**
 * Refuses to continue in read-only mode, except in a dry run.
 *
 * @throws RefusedError `ReadOnly`
 */
export function refuseReadOnly(ctx: Context): void {
  const reason = ctx.flags.dryRun ? undefined : readOnlyReason(ctx);
  if (reason !== undefined) throw new RefusedError("ReadOnly", `Nothing may be changed: ${reason}`);
}

/**
 * Returns the reason for read-only mode, as the end of a sentence; undefined where changes are
 * allowed.
 */
export function readOnlyReason({ flags, env, target }: Context): string | undefined {
  if (flags.readOnly) {
    return `${isReadOnly(env) ? "ACCT_READ_ONLY" : "--read-only"} says so.`;
  }
  // A command that names its place in its own way, such as `init --demo`, has no profile.
  const place = flags.demo ? undefined : target();
  const isOpen = place === undefined || place.kind === "demo" || place.readOnly === undefined;
  return isOpen ? undefined : `${place.readOnly} is read-only.`;
}

/**
 * Returns whether a command may migrate a book of an earlier version: not in a dry run or read-only
 * mode.
 */
export function upgradingOf(ctx: Context): Upgrading {
  const isAllowed = !ctx.flags.dryRun && readOnlyReason(ctx) === undefined;
  return { isAllowed, say: ctx.out.say };
}
