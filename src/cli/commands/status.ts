/** `acct status`, and `acct` alone on a terminal: a summary of the company on one page. */
import { overview, overviewPath } from "../../resources/overview.ts";
import { command } from "../framework/command.ts";
import { requireExtension } from "../framework/confirm.ts";
import { overviewLines } from "../render/status.ts";

export const statusCommand = command("status", "the state of the company on one page")
  .answers(overview)
  .note(
    "Cash by bank account with twelve months of month ends, what is owed to us and by us by how long " +
      "it is overdue, what is due this week, documents that wait, lines to reconcile, tax, locks. " +
      "Each line names the command that shows more. acct alone on a terminal shows the same.",
  )
  .note(
    "Amounts are in the currency of the books. The tax is what the tax summary says of the next return " +
      "so far. An extension.",
  )
  .example("acct status")
  .example("acct status -o json --jq .Receivables.Overdue")
  .action(async (ctx) => {
    await requireExtension(ctx, "The state of a company on one page", "GET", overviewPath);
    const client = await ctx.client();
    const [answer] = await client.at(overview, overviewPath);
    if (answer === undefined) throw new Error("There is no overview in the answer.");
    const { output, columns } = ctx.flags;
    if (output !== "table" || columns !== undefined) return ctx.out.record(overview, answer);
    await ctx.out.page((view) => overviewLines(answer, view));
  });
