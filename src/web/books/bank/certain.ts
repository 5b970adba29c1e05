/** Part of the reconciling page that lists what is certain, each with its match, before it is booked. */
import { html, type Markup } from "../../../output/markup.ts";
import type { BankSuggestion } from "../../../resources/bank-match.ts";
import { addressWith, linkBeside, trailFields } from "../../frame/breadcrumbs.ts";
import { type Content, isolated, table } from "../../frame/components.ts";
import { day } from "../shown-values.ts";
import { inBank, type LineAt, type LineContext } from "./line-context.ts";
import { inputOf, matchParts, namedIn } from "./offers.ts";

/** Lines that are accepted at once. */
const acceptedMax = 200;

export const certainIn = (suggestions: readonly BankSuggestion[]): BankSuggestion | undefined =>
  suggestions.find(({ IsCertain }) => IsCertain);

/** Fingerprint of a match: what is booked is what was listed. */
export function fingerprintOf(suggestion: BankSuggestion): string {
  const { hash } = process.getBuiltinModule("node:crypto");
  return hash("sha256", JSON.stringify(inputOf(suggestion))).slice(0, 12);
}

export async function certainPart(
  context: LineContext,
  lines: readonly LineAt[],
  messages: readonly string[],
): Promise<Markup> {
  const { ctx, path } = context;
  const shownLines = lines.slice(0, acceptedMax);
  const recordNames = await namedIn(ctx, shownLines);
  const rows = shownLines.flatMap((at): Content[][] => {
    const { line, suggestions } = at;
    const suggestion = certainIn(suggestions);
    if (suggestion === undefined) return [];
    const id = line.BankStatementLineID;
    const payee = line.Payee ?? line.Description ?? "";
    const parts = matchParts(context, at, recordNames, inputOf(suggestion));
    return [
      [
        html`<input type="checkbox" id="take-${id}" name="take" value="${id}:${fingerprintOf(suggestion)}" checked>`,
        html`<label for="take-${id}">${day(line.Date)}</label>`,
        isolated(payee),
        html`${inBank(context, line.Amount)} ${line.Amount < 0 ? "out" : "in"}`,
        html`${parts.map((content, index) => html`${index === 0 ? "" : " + "}${content}`)}`,
        isolated(suggestion.Evidence ?? ""),
      ],
    ];
  });
  const hidden = [["token", ctx.formToken], ["do", "accept"], ...trailFields(ctx)] as const;
  const back = linkBeside(ctx, path);
  return html`${messages.length === 0 ? "" : html`<div class="wrong" role="alert">${messages.map((each) => html`<p>${each}</p>`)}</div>`}
<form method="post" action="${ctx.base}${addressWith(path, [["accept", "certain"]])}">${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${table({
  caption: "Lines that are certain",
  columns: [
    { heading: html`<span class="unseen">Take</span>` },
    { heading: "Date" },
    { heading: "Payee" },
    { heading: "Amount", figures: true },
    { heading: "Is" },
    { heading: "Because" },
  ],
  rows,
})}
<div class="acts"><button class="act">${rows.length === 1 ? "Reconcile this line" : `Reconcile these ${rows.length}`}</button><a class="act other" href="${back}">Leave them</a></div>
</form>`;
}
