/** `acct completion`: completion scripts for shells, and the queries of those scripts. */

import type { Child } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { type Shell, shells } from "./shells.ts";

const labels = {
  bash: "bash",
  zsh: "zsh",
  fish: "fish",
  powershell: "PowerShell",
} as const satisfies Record<Shell, string>;

const examples = {
  bash: "source <(acct completion bash)",
  zsh: "source <(acct completion zsh)",
  fish: "acct completion fish | source",
  powershell: "acct completion powershell | Out-String | Invoke-Expression",
} as const satisfies Record<Shell, string>;

function printCommand(shell: Shell) {
  return command(shell, `print the completions for ${labels[shell]}`)
    .example(examples[shell])
    .action(async (ctx) => {
      const { readScript } = await import("./install.ts");
      await ctx.out.bytes(readScript(shell));
    });
}

const installCommand = command("install", "put the completions where your shell looks for them")
  .optionalArgument("SHELL", "the shell; that of $SHELL when not given", { values: shells })
  .note("Done again it changes nothing, except that the completions are those of this version.")
  .example("acct completion install")
  .action(async ({ env, out }, shell) => {
    const { install, shellOf } = await import("./install.ts");
    const wantedShell = shells.find((value) => value === shell?.toLowerCase()) ?? shellOf(env);
    const { path, changed, remark } = install(wantedShell, env);
    out.say(
      changed
        ? `Completions for ${labels[wantedShell]} are at ${path}; a new shell has them.`
        : `Completions for ${labels[wantedShell]} were already at ${path}.`,
    );
    if (remark !== undefined) out.say(remark);
  });

/** The hidden command that the scripts run on Tab; help does not list it. */
const answerCommand = command("_answer", "what may stand at the end of a line, for the scripts")
  .argument("SHELL", "the shell that asks", { values: shells })
  .arguments("WORDS", "the line; for all shells but bash its words", {
    optional: true,
    mayBeEmpty: true,
  })
  .action(async (ctx, shell, words) => {
    const { answer } = await import("./complete-line.ts");
    await ctx.out.bytes(await answer(ctx, shell as Shell, words));
  });

export const completionVerbs: readonly Child[] = [
  ...shells.map(printCommand),
  installCommand,
  answerCommand,
];
