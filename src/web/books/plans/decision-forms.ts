/** What a person may decide on a plan: forms on its page. */
import { html } from "../../../output/markup.ts";
import { pathOf } from "../../../resources/field.ts";
import { type Plan, plan } from "../../../resources/plan.ts";
import { alert, type Content } from "../../frame/components.ts";
import { form, hidden, submit, textField } from "../../frame/forms.ts";
import type { BooksContext } from "../context.ts";
import { statusMessage } from "../records/acts/acts.ts";

export const plansPath = "/plans";
/** API path of the plans. */
export const plansAsked = pathOf(plan);

interface Decision {
  readonly name: string;
  readonly button: string;
  /** Last segment of its API path. */
  readonly action: "Approve" | "Apply" | "Withdraw";
  /** What the page says once it is done. */
  readonly done: string;
  readonly isOpen: (kept: Plan) => boolean;
  readonly fields?: (ctx: BooksContext, kept: Plan) => Content;
}

const waitsForPerson = ({ State, Needs, ApproveBy }: Plan) =>
  State === "WAITING" && (Needs !== undefined || ApproveBy !== undefined);
const isOpen = ({ State }: Plan) => State === "WAITING" || State === "APPROVED";

export const decisions: readonly Decision[] = [
  {
    name: "approve",
    button: "Approve",
    action: "Approve",
    done: "Approved. It is not applied yet.",
    isOpen: waitsForPerson,
    // In a book without a server nobody else could approve, so that its owner has to look.
    fields: (ctx, kept) =>
      ctx.person === undefined
        ? textField(ctx, { name: "amount", label: `Its amount, ${amountOf(kept)}` })
        : "",
  },
  {
    name: "apply",
    button: "Apply",
    action: "Apply",
    done: "Applied.",
    isOpen: (kept) => isOpen(kept) && !waitsForPerson(kept),
  },
  {
    name: "refuse",
    button: "Refuse",
    action: "Withdraw",
    done: "Refused.",
    isOpen,
    fields: (ctx) => textField(ctx, { name: "reason", label: "Why", isOptional: true, max: 500 }),
  },
];

export const amountOf = ({ Amount }: Plan) => (Number(Amount ?? 0) / 100).toFixed(2);
export const addressOf = ({ Number: number }: Plan) => `${plansPath}/${number}`;
export const askedPath = ({ action }: Decision, key = "{PlanID}") =>
  `${plansAsked}/${key}/${action}`;

/** Forms of the decisions that are open to the reader, and faults of the one before. */
export function decisionsOn(ctx: BooksContext, kept: Plan): Content {
  const offered = decisions.filter(
    (decision) => decision.isOpen(kept) && ctx.allows("POST", askedPath(decision)),
  );
  const forms = offered.map((decision) => {
    const which = hidden([
      ["do", decision.name],
      // What was shown is decided on, and nothing that replaced it since.
      ["digest", kept.Digest ?? ""],
    ]);
    const fields = decision.fields?.(ctx, kept) ?? "";
    const decisionForm = form(ctx, addressOf(kept), which, fields, submit(decision.button));
    if (fields === "") return decisionForm;
    return html`<details class="deed" name="deed"><summary class="act other">${decision.button}</summary>
${decisionForm}</details>
`;
  });
  return html`${ctx.faults.map(alert)}${forms.length === 0 ? "" : html`<div class="acts bar-of-acts">${forms}</div>`}`;
}

/** Message about the decision before. */
export function saidOfDecision({ query, faults }: BooksContext): Content {
  const decision = decisions.find(({ name }) => name === query.get("done"));
  return decision === undefined || faults.length > 0 ? "" : statusMessage(decision.done);
}
