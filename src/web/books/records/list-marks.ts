/** Records of a list that are marked to be approved together: their boxes, and what came of it. */
import { html, Markup } from "../../../output/markup.ts";
import { idOf } from "../../../resources/field.ts";
import { counted } from "../../../resources/scalar.ts";
import { alert, type Content } from "../../frame/components.ts";
import { form, hidden, submit } from "../../frame/forms.ts";
import type { RecordList } from "../catalogue.ts";
import type { BooksContext } from "../context.ts";
import { currencyOf, money } from "../shown-values.ts";
import { statusMessage, undoButton } from "./acts/acts.ts";
import { hasApproval, isUnapproved } from "./acts/approve.ts";

/** What was done to the records that were marked, where some of them were refused. */
export interface MarkedOutcome {
  readonly done: number;
  readonly operation: string;
  /** Messages of refusals by id. */
  readonly refused: ReadonlyMap<string, readonly string[]>;
}

interface Marks {
  /** The first cell of a record, with its box and its refusal. */
  readonly markCell: (record: object, cell: Content) => Content;
  /** Form that acts on what is marked. */
  readonly form: Content;
}

const formId = "marked";

/** Boxes for the records of a page that can be approved by its reader. */
export function marksOf(
  ctx: BooksContext,
  { resource, asked, noun }: RecordList,
  rows: readonly object[],
  outcome: MarkedOutcome | undefined,
): Marks {
  const mayApprove = hasApproval({ resource }) && ctx.allows("POST", asked);
  const rowsToApprove = new Set(mayApprove ? rows.filter(isUnapproved) : []);
  const withBox = (record: object, cell: Content): Content => {
    const id = idOf(resource, record);
    const messages = outcome?.refused.get(id) ?? [];
    const { Total = 0 } = record as { readonly Total?: number };
    const number = (record as Record<string, string>)[resource.document?.number ?? ""] ?? noun;
    const amount = html`${currencyOf(ctx, record)} ${money(ctx, Total as never, currencyOf(ctx, record))}`;
    const box = html`<input type="checkbox" class="mark" name="id" value="${id}" form="${formId}" data-amount="${Total}" aria-label="Mark ${number}, ${amount}"> `;
    return html`${rowsToApprove.has(record) ? box : ""}${cell}${messages.map(alert)}`;
  };
  if (rowsToApprove.size === 0) return { markCell: withBox, form: "" };
  const { text } = form(
    ctx,
    ctx.here,
    hidden([["do", "approve"]]),
    submit("Approve what is marked"),
  );
  return { markCell: withBox, form: new Markup(text.replace("<form ", `<form id="${formId}" `)) };
}

/** Message about what was approved, or taken back, with a button that takes it back. */
export function markedNotice(
  ctx: BooksContext,
  { path }: RecordList,
  outcome: MarkedOutcome | undefined,
): Content {
  const { query } = ctx;
  const done = outcome?.done ?? Number(query.get("count") ?? 0);
  const refused = outcome?.refused.size ?? 0;
  if (outcome === undefined && query.get("done") !== "approved") {
    return query.get("done") === "undone" ? statusMessage("It is taken back.") : "";
  }
  const words = `${counted(done, "record")} approved${refused === 0 ? "" : `, ${refused} refused, as their rows say`}.`;
  return statusMessage(words, done > 0 ? undoButton(ctx, path, outcome?.operation) : "");
}
