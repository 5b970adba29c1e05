/** Yes or no, asked on the terminal that stderr is. */
import { UsageError } from "../../resources/errors.ts";
import type { Ask, GlobalFlags } from "../framework/context.ts";

export function createAsk(flags: Pick<GlobalFlags, "yes" | "input">, signal: AbortSignal): Ask {
  return {
    async confirm(question, options) {
      if (flags.yes) return true;
      if (!flags.input) {
        throw new UsageError(
          "NeedsConfirmation",
          `${question} Nobody is here to say so: give ${options.flag} to go ahead.`,
        );
      }
      const { confirm } = await import("@inquirer/prompts");
      return confirm(
        { message: question, default: options.default ?? false },
        { output: process.stderr, signal },
      );
    },
  };
}
