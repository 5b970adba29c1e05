/** Executes a decision on a plan. */
import { AuthError, RefusedError } from "../../../resources/errors.ts";
import { type Plan, plan } from "../../../resources/plan.ts";
import { addressWith, withTrailOf } from "../../frame/breadcrumbs.ts";
import { askPage, typed } from "../../frame/forms.ts";
import type { PageResponse } from "../../frame/page-context.ts";
import { messagesOf, notFound } from "../../frame/router.ts";
import type { BooksContext } from "../context.ts";
import { checkAllowed } from "../records/acts/allowed.ts";
import { addressOf, amountOf, askedPath, decisions } from "./decision-forms.ts";
import { planAt, showPlan } from "./plan-pages.ts";

/** Executes the decision that a form of the page submits. */
export async function decide(ctx: BooksContext, key = ""): Promise<PageResponse> {
  const decision = decisions.find(({ name }) => name === typed(ctx, "do"));
  if (decision === undefined) throw notFound();
  checkAllowed(ctx, askedPath(decision));
  const keptPlan = await planAt(ctx, key);
  const digest = typed(ctx, "digest");
  try {
    if (decision.name === "approve" && ctx.person === undefined) checkAmount(ctx, keptPlan);
    if (decision.name === "apply" && typed(ctx, "sure") !== "yes")
      return question(ctx, keptPlan, digest);
    const reason = typed(ctx, "reason");
    const path = askedPath(decision, encodeURIComponent(key));
    await ctx.client.act(plan, path, { parameters: { digest, reason } });
  } catch (error) {
    if (!(error instanceof RefusedError || error instanceof AuthError)) throw error;
    return { ...(await showPlan({ ...ctx, faults: messagesOf(error) }, key)), status: 400 };
  }
  const to = addressWith(addressOf(keptPlan), [["done", decision.name]]);
  return { seeOther: `${withTrailOf(ctx, to)}#said` };
}

function checkAmount(ctx: BooksContext, kept: Plan): void {
  if (typed(ctx, "amount") === amountOf(kept)) return;
  const message = `Another amount was typed than ${amountOf(kept)}: nothing was approved.`;
  throw new RefusedError("Plan", message);
}

const question = (ctx: BooksContext, kept: Plan, digest: string) =>
  askPage(ctx, {
    title: `Apply plan ${kept.Number}?`,
    text: `It ${kept.Summary}.`,
    button: "Apply",
    path: addressOf(kept),
    back: withTrailOf(ctx, addressOf(kept)),
    fields: [
      ["do", "apply"],
      ["digest", digest],
      ["sure", "yes"],
    ],
  });
