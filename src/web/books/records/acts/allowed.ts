/** What the acts of one record and of many have in common: permission, and taking back. */
import { planAnswered } from "../../../../client/planning.ts";
import { AuthError } from "../../../../resources/errors.ts";
import type { BooksContext } from "../../context.ts";
import { undoPath } from "./acts.ts";

/** @throws AuthError 403 for what the role forbids, or a book that is read only */
export function checkAllowed({ allows }: BooksContext, path: string): void {
  if (allows("POST", path)) return;
  throw new AuthError("Forbidden", "You may look at this, and not change it.", 403);
}

/** Takes an operation back, as an operation of its own. @throws RefusedError */
export async function takeBack({ client }: BooksContext, operation: string): Promise<void> {
  const { send } = client.within(crypto.randomUUID());
  await planAnswered(send, undoPath(operation), {
    ...{ body: { PlanID: crypto.randomUUID() }, query: [["apply", "true"]], isOffered: true },
  });
}
