/** Prompts for yes or no and for a new password, on the terminal of stderr. */

import { UsageError } from "../../resources/errors.ts";
import type { Ask, Context, GlobalFlags } from "../context/context.ts";
import { wrapWords } from "../render/wrap-words.ts";
import { readBytes } from "./input.ts";

export function createAsk(flags: Pick<GlobalFlags, "yes" | "input">, signal: AbortSignal): Ask {
  return {
    async confirm(question, options) {
      if (flags.yes) return true;
      if (!flags.input) {
        throw new UsageError(
          "NeedsConfirmation",
          `${question} Give ${options.flag}: nobody can be asked here.`,
        );
      }
      const { confirm } = await import("@inquirer/prompts");
      // The mark before the question and the keys behind it take their own columns.
      const message = wrapWords(
        question,
        process.stderr.columns && process.stderr.columns - 8,
        "  ",
      );
      return confirm(
        { message, default: options.default ?? false },
        { output: process.stderr, signal },
      );
    },
  };
}

/**
 * Reads a password from standard input without the final line break, or prompts for it twice
 * without echo.
 *
 * @throws UsageError `MissingValue` where prompts are not possible
 */
export async function passwordOf(ctx: Context, isFromStdin: boolean): Promise<string> {
  if (isFromStdin) {
    const text = Buffer.from(await readBytes(ctx, "-"))
      .toString("utf8")
      .replace(/\r?\n$/, "");
    if (text !== "") return text;
    throw new UsageError("MissingValue", "Standard input holds no password.");
  }
  if (!ctx.flags.input) {
    throw new UsageError(
      "MissingValue",
      "The password is missing: pipe it in with --password-stdin.",
    );
  }
  const { password } = await import("@inquirer/prompts");
  const terminal = { output: process.stderr, signal: ctx.interrupted };
  const typedText = await password(
    {
      message: "Password (it is not shown)",
      mask: false,
      validate: (text) => text !== "" || "Give a password.",
    },
    terminal,
  );
  await password(
    {
      message: "The same again",
      mask: false,
      validate: (text) => text === typedText || "This is another one.",
    },
    terminal,
  );
  return typedText;
}
