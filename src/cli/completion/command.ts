/** `acct completion`: scripts for shells, and what they ask for while somebody types. */
import { command } from "../framework/command.ts";
import type { Child, Command } from "../framework/context.ts";
import { install, readScript, shellOf } from "./install.ts";
import { type Shell, shells } from "./tables.ts";

const labels = {
  bash: "bash",
  zsh: "zsh",
  fish: "fish",
  powershell: "PowerShell",
} as const satisfies Record<Shell, string>;

function printCommand(shell: Shell) {
  return command(shell, `print the completions for ${labels[shell]}`)
    .example(
      shell === "powershell"
        ? "acct completion powershell | Out-String | Invoke-Expression"
        : shell === "fish"
          ? "acct completion fish | source"
          : `source <(acct completion ${shell})`,
    )
    .action(async (ctx) => ctx.out.bytes(readScript(shell)));
}

const installCommand = command("install", "put the completions where your shell looks for them")
  .optionalArgument("SHELL", "the shell; that of $SHELL when not given", { values: shells })
  .note("Done again it changes nothing, except that the completions are those of this version.")
  .example("acct completion install")
  .action(async ({ env, out }, shell) => {
    const wanted = shells.find((known) => known === shell?.toLowerCase()) ?? shellOf(env);
    const { path, changed, remark } = install(wanted, env);
    out.say(
      changed
        ? `Completions for ${labels[wanted]} are at ${path}; a new shell has them.`
        : `Completions for ${labels[wanted]} were already at ${path}.`,
    );
    if (remark !== undefined) out.say(remark);
  });

/** Asked by the scripts when somebody presses Tab; nobody types it. */
const valuesCommand: Command = {
  kind: "command",
  name: "_values",
  aliases: [],
  summary: "values that a word may take, for the scripts",
  notes: [],
  args: [
    { name: "KIND", help: "what the word is", optional: false, repeat: false },
    { name: "START", help: "the word so far", optional: false, repeat: false },
    { name: "WORDS", help: "all words of the line", optional: true, repeat: true },
  ],
  flags: [],
  examples: [],
  writes: false,
  run: async (ctx, [kind, start, words]) => {
    const { answerValues } = await import("./values.ts");
    const asked = { kind: kind as string, start: start as string, words: words as string[] };
    await ctx.out.bytes(await answerValues(ctx, asked));
  },
};

export const completionVerbs: readonly Child[] = [
  ...shells.map(printCommand),
  installCommand,
  valuesCommand,
];
