/**
 * Doubtful statement lines, which may be duplicates of lines in the book: reported to scripts,
 * asked of the user on a terminal.
 */

import { type Doubt, doubtText, settleDoubts, textOf } from "../../bank-import/settle-doubts.ts";
import type { Client } from "../../client/client.ts";
import type { BankStatement } from "../../resources/bank-statement.ts";
import { counted } from "../../resources/scalar.ts";
import type { Context } from "../context/context.ts";
import type { Questions } from "../framework/questions.ts";
import { safeLine } from "../render/safe.ts";

/**
 * Formats the question about a possible duplicate: `Row 9, 17 Mar 2026, -57.50, TIMBER: is it
 * 1c5d2a60-…, YARD NELSON?`
 */
export function doubtSentence(doubt: Doubt): string {
  const { row, other } = doubt;
  const place = row === undefined ? "" : `Row ${row}, `;
  return safeLine(
    `${place}${doubtText(doubt, doubt.line)}: is it ${other.BankStatementLineID}, ${textOf(other)}?`,
  );
}

/** Asks for each doubtful line whether it is the line of the book, and sends the answers. */
export async function askDoubts(
  { ctx, client, ask }: { readonly ctx: Context; readonly client: Client; readonly ask: Questions },
  doubts: readonly Doubt[],
): Promise<Map<string, BankStatement>> {
  ctx.out.say(
    `${counted(doubts.length, "line")} may be in the book already: the day and the amount are equal, and nothing else says so.`,
  );
  return settleDoubts(client, doubts, (doubt) => askAboutDoubt({ ctx, ask }, doubt));
}

async function askAboutDoubt(
  { ctx, ask }: { readonly ctx: Context; readonly ask: Questions },
  doubt: Doubt,
): Promise<"skip" | "add"> {
  ctx.out.say("");
  ctx.out.say(`In the file   ${safeLine(doubtText(doubt, doubt.line))}`);
  ctx.out.say(`In the book   ${safeLine(doubtText(doubt, doubt.other))}`);
  return ask.choose<"skip" | "add">({
    message: "Are they the same?",
    choices: [
      { name: "The same: it is known", value: "skip" },
      { name: "Two: add the one of the file", value: "add" },
    ],
  });
}
