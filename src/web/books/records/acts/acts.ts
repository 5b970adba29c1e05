/** The acts of records on their pages: buttons with their forms, and what was done last. */
import { html, Markup } from "../../../../output/markup.ts";
import { RefusedError } from "../../../../resources/errors.ts";
import { pathOf } from "../../../../resources/field.ts";
import { type Operation, operation } from "../../../../resources/operation.ts";
import { readId } from "../../../../resources/scalar.ts";
import { alert, type Content } from "../../../frame/components.ts";
import { fileForm, form, hidden, submit, typed } from "../../../frame/forms.ts";
import type { BooksContext } from "../../context.ts";
import { ignoreForbidden } from "../../ledger/postings.ts";
import { type Act, type AtRecord, type DoneName, isOffered } from "./act.ts";
import { approve } from "./approve.ts";
import { mails } from "./email-acts.ts";
import { attach, note } from "./notes.ts";
import { revoke } from "./online.ts";
import { pay, restOf } from "./pay.ts";

const acts: readonly Act[] = [approve, pay, ...mails, attach, note];

export const actNamed = (name: string): Act | undefined =>
  [...acts, revoke].find((recordAct) => recordAct.name === name);

/** Address of the page of a record, below the base. */
export const addressOf = ({ list, key }: Pick<AtRecord, "list" | "key">): string =>
  `${list.path}/${encodeURIComponent(key)}`;

/** Buttons of a record, with the links beside them; a form opens below its button. */
export async function actsOf(at: AtRecord, links: readonly Content[]): Promise<Content> {
  const offered = acts.filter((recordAct) => isOffered(recordAct, at));
  if (offered.length === 0 && links.length === 0) return "";
  const shownActs = await Promise.all(offered.map((recordAct) => actMarkup(recordAct, at)));
  return html`<div class="acts bar-of-acts">${links}${shownActs}</div>
`;
}

async function actMarkup(recordAct: Act, at: AtRecord): Promise<Content> {
  const { name, button, fields, hasFiles } = recordAct;
  const isRefused = at.ctx.faults.length > 0 && typed(at.ctx, "do") === name;
  // What was filled in stands in its own form alone.
  const own = isRefused ? at : { ...at, ctx: { ...at.ctx, form: undefined } };
  const path = addressOf(at);
  const which = hidden([["do", name]]);
  if (fields === undefined) return form(at.ctx, path, which, submit(button(at)));
  const make = hasFiles === true ? fileForm : form;
  return html`<details class="deed" name="deed"${isRefused ? new Markup(" open") : ""}><summary class="act other">${button(at)}</summary>
${isRefused ? at.ctx.faults.map(alert) : ""}${make(at.ctx, path, which, await fields(own), submit(button(at)))}</details>
`;
}

/** Faults of acts whose form is not on the page, shown above it. */
export function otherFaults(at: AtRecord): Content {
  const recordAct = actNamed(typed(at.ctx, "do"));
  const isShown = recordAct?.fields !== undefined && isOffered(recordAct, at);
  return isShown ? "" : html`${at.ctx.faults.map(alert)}`;
}

// --- what was done -----------------------------------------------------------------------------

export const undoPath = (key: string): string => `${pathOf(operation)}/${key}/Undo`;

const words: Readonly<Record<DoneName, string>> = {
  approved: "Approved.",
  paid: "It is recorded.",
  attached: "Attached.",
  noted: "The note is in the history.",
  sent: "Sent.",
  outbox: "Written to the outbox, not sent: there is no mail server; ACCT_SMTP_URL names one.",
  revoked: "The online link leads nowhere any more; there is another one below.",
  undone: "It is taken back.",
};

/** Acts that an operation can take back; a mail is gone, and history keeps its notes. */
const undoableWords: ReadonlySet<string> = new Set<DoneName>(["approved", "paid", "attached"]);

/** Message about the act before, with a button that takes it back. */
export async function saidOf(at: AtRecord): Promise<Content> {
  const { ctx } = at;
  const doneWord = ctx.query.get("done") ?? "";
  if (!Object.hasOwn(words, doneWord) || ctx.faults.length > 0) return "";
  const restPart = doneWord === "paid" ? restOf(at) : "";
  const undo = undoableWords.has(doneWord) ? await undoForm(at) : "";
  return statusMessage(html`${words[doneWord as DoneName]} ${restPart}`, undo);
}

/** Message about an act, to which the page scrolls. @param undo  form that takes it back */
export const statusMessage = (words: Content, undo: Content = ""): Markup =>
  html`<div class="said" role="status" id="said" tabindex="-1"><span>${words}</span>${undo}</div>
`;

/** Form that takes back an operation, for readers who may. @param path  of the form */
export function undoButton(
  ctx: BooksContext,
  path: string,
  id = readId(ctx.query.get("operation") ?? ""),
): Content {
  if (id === undefined || !ctx.allows("POST", undoPath("{OperationID}"))) return "";
  const fields = hidden([
    ["do", "undo"],
    ["operation", id],
  ]);
  return form(ctx, path, fields, submit("Undo", "undo", ""));
}

/** Form that takes the operation of the address back, if that wrote this record. */
async function undoForm(at: AtRecord): Promise<Content> {
  const { ctx, key } = at;
  const id = readId(ctx.query.get("operation") ?? "");
  const ownOperation = (await operationsOf(at)).find(({ OperationID }) => OperationID === id);
  if (ownOperation === undefined || ownOperation.UndoneBy !== undefined) return "";
  return undoButton(ctx, addressOf({ list: at.list, key }), id);
}

/** Operations that wrote a record; none of a service without a log. */
export async function operationsOf({ ctx, key }: AtRecord): Promise<readonly Operation[]> {
  try {
    const operationFound = await ctx.client.at(operation, pathOf(operation), { record: key });
    return operationFound;
  } catch (error) {
    if (error instanceof RefusedError) return [];
    return ignoreForbidden(error) ?? [];
  }
}
