/** `acct mcp`: serves the book to an agent on this machine. */
import { version } from "../../platform/version.ts";
import { choice } from "../../resources/field.ts";
import type { Child, Command, Context } from "../context/context.ts";
import { command, declaredBy, findChild } from "../framework/command.ts";
import { safeText } from "../render/safe.ts";

export const mcpCommand = command("mcp", "the books for agents, by the Model Context Protocol")
  .answers("nothing")
  .note(
    "Started by the program that runs the agent, with which it speaks on standard input and output. " +
      "The global flags name the book or service. Its tools find, show, list, report and explain; what " +
      "would change the books becomes a plan, which a person approves: see acct plan.",
  )
  .field("aliases", choice(["xero-mcp-server"]), {
    help: "tools by the names and arguments of another server",
  })
  .example("acct mcp --book office.acct")
  .example("acct mcp --profile office")
  .action(async (ctx, { aliases }) => {
    const { serveOnStdio } = await import("../../mcp/stdio.ts");
    await serveOnStdio(programOf(ctx), ctx.interrupted, aliases !== undefined);
  });

/** Returns the command line as the tools use it, one line at a time. */
export function programOf({ root, line }: Pick<Context, "root" | "line">) {
  let previousLine: Promise<unknown> = Promise.resolve();
  return {
    version,
    nouns: root.children,
    verbs: (noun: readonly string[]) => verbsOf(root.children, noun),
    run: (words: readonly string[], agent?: string) => {
      const endedLine = previousLine.then(() => line(words, { ACCT_AGENT: agent }));
      previousLine = endedLine.catch(() => undefined);
      return endedLine;
    },
    safeText,
  };
}

async function verbsOf(
  children: readonly Child[],
  [first = "", ...rest]: readonly string[],
): Promise<readonly Command[]> {
  const child = findChild(children, first);
  const childCommand = child && (await declaredBy(child));
  if (childCommand?.kind !== "group") return [];
  if (rest.length > 0) return verbsOf(childCommand.children, rest);
  const verbs = await Promise.all(childCommand.children.map(declaredBy));
  return verbs.filter((verb) => verb.kind === "command");
}
