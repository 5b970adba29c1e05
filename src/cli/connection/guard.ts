/** Read-only work: what would change anything is refused before it begins. */

import type { Upgrading } from "../../admin/book.ts";
import { RefusedError } from "../../resources/errors.ts";
import type { Context } from "../context/context.ts";
import { isReadOnly } from "../framework/global-flags.ts";

/**
 * Refuses to go on where nothing may be changed; a dry run changes nothing.
 *
 * @throws RefusedError `ReadOnly`
 */
export function refuseReadOnly(ctx: Context): void {
  const reason = ctx.flags.dryRun ? undefined : readOnlyReason(ctx);
  if (reason !== undefined) throw new RefusedError("ReadOnly", `Nothing may be changed: ${reason}`);
}

/** Why nothing may be changed, as the end of a sentence; undefined where something may. */
export function readOnlyReason({ flags, env, target }: Context): string | undefined {
  if (flags.readOnly) {
    return `${isReadOnly(env) ? "ACCT_READ_ONLY" : "--read-only"} says so.`;
  }
  // Where that is said in a way of its own, as by `init --demo`, it is no profile.
  const place = flags.demo ? undefined : target();
  const isOpen = place === undefined || place.kind === "demo" || place.readOnly === undefined;
  return isOpen ? undefined : `${place.readOnly} is read-only.`;
}

/** How a command brings up a book of an earlier version: not where it may change nothing. */
export function upgradingOf(ctx: Context): Upgrading {
  const isAllowed = !ctx.flags.dryRun && readOnlyReason(ctx) === undefined;
  return { isAllowed, tell: ctx.out.say };
}
