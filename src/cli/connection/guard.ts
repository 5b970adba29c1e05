/** Read-only work: what would change anything is refused before it begins. */
import { RefusedError } from "../../resources/errors.ts";
import type { Context } from "../framework/context.ts";
import { isReadOnly } from "../framework/global-flags.ts";

/**
 * Refuses to go on where nothing may be changed; a dry run changes nothing.
 *
 * @throws RefusedError `ReadOnly`
 */
export function refuseReadOnly({ flags, env, target }: Context): void {
  if (flags.dryRun) return;
  if (flags.readOnly) {
    const word = isReadOnly(env) ? "ACCT_READ_ONLY" : "--read-only";
    throw new RefusedError("ReadOnly", `Nothing may be changed: ${word} says so.`);
  }
  // Where that is said in a way of its own, as by `init --demo`, it is no profile.
  const place = flags.demo ? undefined : target();
  if (place !== undefined && place.kind !== "demo" && place.readOnly !== undefined) {
    throw new RefusedError("ReadOnly", `Nothing may be changed: ${place.readOnly} is read-only.`);
  }
}
