/** What the acts of one record and of many have in common: permission, and taking back. */
import { planAnswered } from "../../../../client/planning.ts";
import { AuthError, NotFoundError } from "../../../../resources/errors.ts";
import type { Resource } from "../../../../resources/field.ts";
import { operation } from "../../../../resources/operation.ts";
import { readId } from "../../../../resources/scalar.ts";
import { typed } from "../../../frame/forms.ts";
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

/** Takes back the operation that a form names, if it wrote records of a resource. @throws NotFoundError */
export async function takeBackNamed(ctx: BooksContext, { name }: Resource): Promise<void> {
  checkAllowed(ctx, undoPath("{OperationID}"));
  const id = readId(typed(ctx, "operation")) ?? "";
  const { Records = [] } = await ctx.client.find(operation, id);
  if (!Records.some(({ Resource }) => Resource === name))
    throw new NotFoundError("NotFound", "There is no such operation here.");
  await takeBack(ctx, id);
}
