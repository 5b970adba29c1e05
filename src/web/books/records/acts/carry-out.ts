/** Carries out the acts of forms on the page of a record. */
import { NotFoundError, RefusedError, UsageError } from "../../../../resources/errors.ts";
import { type FieldValues, idOf } from "../../../../resources/field.ts";
import { readId } from "../../../../resources/scalar.ts";
import { addressWith, withTrailOf } from "../../../frame/breadcrumbs.ts";
import { askPage, typed } from "../../../frame/forms.ts";
import type { PageResponse } from "../../../frame/page-context.ts";
import { messagesOf, notFound } from "../../../frame/router.ts";
import type { RecordList } from "../../catalogue.ts";
import type { BooksContext } from "../../context.ts";
import { showRecord } from "../record.ts";
import type { Act, AtRecord } from "./act.ts";
import { actNamed, addressOf, operationsOf, undoPath } from "./acts.ts";
import { checkAllowed, takeBack } from "./allowed.ts";

export async function actOnRecord(
  ctx: BooksContext,
  list: RecordList,
  id: string,
): Promise<PageResponse> {
  const name = typed(ctx, "do");
  const recordAct = actNamed(name);
  if (recordAct === undefined && name !== "undo") throw notFound();
  const record = (await ctx.client.find(list.resource, id)) as FieldValues;
  const at = { ctx, list, record, key: idOf(list.resource, record) };
  checkAllowed(ctx, recordAct?.permissionPath(at) ?? undoPath("{OperationID}"));
  try {
    if (recordAct === undefined) return await undoneAnswer(at);
    return (await questionOf(recordAct, at)) ?? (await answerDone(recordAct, at));
  } catch (error) {
    const isOfForm =
      error instanceof RefusedError ||
      error instanceof UsageError ||
      error instanceof NotFoundError;
    if (!isOfForm) throw error;
    const page = await showRecord({ ...ctx, faults: messagesOf(error) }, list, id);
    return { ...page, status: 400 };
  }
}

/** The page that asks first; undefined where nothing is asked, or it was answered. */
async function questionOf(recordAct: Act, at: AtRecord): Promise<PageResponse | undefined> {
  const { ctx } = at;
  if (recordAct.question === undefined || typed(ctx, "sure") === "yes") return undefined;
  const { text, button } = await recordAct.question(at);
  const givenFields = [...(ctx.form ?? [])].filter(([name]) => name !== "token" && name !== "via");
  const address = addressOf(at);
  return askPage(ctx, {
    title: `${recordAct.button(at)}?`,
    ...{ text, button, path: address, back: withTrailOf(ctx, address) },
    fields: [...givenFields, ["sure", "yes"]],
  });
}

async function answerDone(recordAct: Act, at: AtRecord): Promise<PageResponse> {
  const operation = crypto.randomUUID();
  return redirectDone(at, await recordAct.carryOut(at, at.ctx.client.within(operation)), operation);
}

/** Takes an operation back that wrote this record. */
async function undoneAnswer(at: AtRecord): Promise<PageResponse> {
  const id = readId(typed(at.ctx, "operation"));
  const own = (await operationsOf(at)).find(({ OperationID }) => OperationID === id);
  if (own === undefined) throw new NotFoundError("NotFound", "There is no such operation here.");
  await takeBack(at.ctx, own.OperationID);
  return redirectDone(at, "undone");
}

function redirectDone(at: AtRecord, doneWord: string, operation?: string): PageResponse {
  const to = addressWith(addressOf(at), [
    ["done", doneWord],
    ["operation", operation],
  ]);
  return { seeOther: `${withTrailOf(at.ctx, to)}#said` };
}
