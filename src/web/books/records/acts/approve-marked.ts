/** Approves the records that are marked in a list, or takes that back. */
import { NotFoundError, RefusedError } from "../../../../resources/errors.ts";
import { readId } from "../../../../resources/scalar.ts";
import { addressWith, withTrailOf } from "../../../frame/breadcrumbs.ts";
import { typed } from "../../../frame/forms.ts";
import type { PageResponse } from "../../../frame/page-context.ts";
import { messagesOf, notFound } from "../../../frame/router.ts";
import type { RecordList } from "../../catalogue.ts";
import type { BooksContext } from "../../context.ts";
import { showList } from "../list.ts";
import { checkAllowed, takeBackNamed } from "./allowed.ts";
import { approved, hasApproval } from "./approve.ts";

/** Maximum number of records that one form acts on: those of a page. */
const markedMax = 100;

export async function actOnList(ctx: BooksContext, list: RecordList): Promise<PageResponse> {
  const name = typed(ctx, "do");
  if (name === "undo") return undoMarked(ctx, list);
  if (name !== "approve" || !hasApproval(list)) throw notFound();
  checkAllowed(ctx, list.asked);
  const ids = (ctx.form?.getAll("id") ?? []).flatMap((id) => readId(id) ?? []);
  const id = crypto.randomUUID();
  const client = ctx.client.within(id);
  const refusals = new Map<string, readonly string[]>();
  const wantedIds = ids.slice(0, markedMax);
  for (const text of wantedIds) {
    try {
      await approved(client, list, text);
    } catch (error) {
      if (!(error instanceof RefusedError || error instanceof NotFoundError)) throw error;
      refusals.set(text, messagesOf(error));
    }
  }
  const done = wantedIds.length - refusals.size;
  if (refusals.size > 0) return showList(ctx, list, { done, operation: id, refused: refusals });
  return redirectBack(ctx, [
    ["done", done === 0 ? undefined : "approved"],
    ["count", String(done)],
    ["operation", id],
  ]);
}

async function undoMarked(ctx: BooksContext, list: RecordList): Promise<PageResponse> {
  await takeBackNamed(ctx, list.resource);
  return redirectBack(ctx, [["done", "undone"]]);
}

/** Parameters of the message before. */
const messageNames: ReadonlySet<string> = new Set(["done", "count", "operation"]);

function redirectBack(
  ctx: BooksContext,
  message: readonly (readonly [string, string | undefined])[],
): PageResponse {
  const [path = "", search] = ctx.here.split("?", 2);
  const query = [...new URLSearchParams(search)].filter(([name]) => !messageNames.has(name));
  return { seeOther: `${withTrailOf(ctx, addressWith(path, [...query, ...message]))}#said` };
}
