/** The completion scripts in the real shells, asked as by a person who presses Tab. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { literalPattern } from "../../src/platform/literal-pattern.ts";
import { completions, type Desk, isInstalled, openDesk } from "./desk.ts";
import { Terminal } from "./terminal.ts";

const hasBash = isInstalled("bash", "completions in bash");
const hasZsh = isInstalled("zsh", "completions in zsh");
const hasFish = isInstalled("fish", "completions in fish");
const hasPowershell = isInstalled("pwsh", "completions in PowerShell");
const hasTmux = isInstalled("tmux", "what Tab does in bash and zsh on a real terminal");

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  desk.json("contact", "create", "--name", 'Smith: "Bits" & Bob\'s');
  desk.json("contact", "create", "--name", "Café Ünï, the 2nd");
  writeFileSync(join(desk.folder, "invoices of may.csv"), "");
});
afterAll(() => desk.clear());

/** A line, and all that may become of its last word. */
const candidates: readonly (readonly [line: string, words: readonly string[]])[] = [
  ["acct inv", ["invoice"]],
  ["acct -o json acc", ["account"]],
  ["acct --output j", ["json"]],
  ["acct invoices l", ["list"]],
  ["acct --book x bill app", ["approve"]],
  ["acct tracking opt", ["option"]],
  ["acct tracking option ", ["add", "remove"]],
  ["acct invoice list --cur", ["--currency-code"]],
  ["acct invoice list --no-c", ["--no-color"]],
  ["acct invoice create --no-s", ["--no-sent-to-contact"]],
  ["acct invoice list --status dr", ["DRAFT"]],
  ["acct invoice list --status DRAFT,pa", ["DRAFT,PAID"]],
  ["acct invoice create --line-amount-types ", ["Exclusive", "Inclusive", "NoTax"]],
  ["acct invoice create --currency-code NZ", ["NZD"]],
  ["acct invoice create --date tom", ["tomorrow"]],
  ["acct api P", ["POST", "PUT"]],
  ["acct api GET P", []],
  ["acct invoice list --reference ", []],
  ["acct report pl --period last-q", ["last-quarter"]],
  ["acct invoice show INV-023", ["INV-0230", "INV-0231"]],
  ["acct invoice void INV-0231 INV-0222 INV-0230", ["INV-0230"]],
  ["acct invoice note INV-0231 I", []],
  ["acct payment apply INV-0001 --account 09", ["090", "091"]],
  ["acct item show m", ["MUG"]],
  ["acct contact show ka", ["Kauri Hotel"]],
  ["acct contact show café", ["Café Ünï, the 2nd"]],
  ["acct history list --on inv", ["invoice:"]],
  ["acct invoice create --line item=mu", ["item=MUG"]],
  ["acct invoice create --line item=MUG,qu", ["item=MUG,quantity="]],
  ["acct invoice create --line item=MUG,account=26", ["item=MUG,account=260"]],
];

/** A line, and what it becomes by Tab in bash, and in zsh where that quotes otherwise. */
const insertions: readonly (readonly [typed: string, inBash: string, inZsh?: string])[] = [
  ["acct invo", "acct invoice"],
  ["acct invoice list --stat", "acct invoice list --status"],
  ["acct invoice list --status=DRAFT,pa", "acct invoice list --status=DRAFT,PAID"],
  ["acct invoice list --contact fern", "acct invoice list --contact Fern\\ \\&\\ Fold"],
  ["acct invoice list --contact Fern\\ ", "acct invoice list --contact Fern\\ \\&\\ Fold"],
  ["acct invoice list --contact=fern", "acct invoice list --contact=Fern\\ \\&\\ Fold"],
  ['acct invoice list --contact "fern', 'acct invoice list --contact "Fern & Fold"'],
  [
    "acct invoice list --contact='kil",
    "acct invoice list --contact='Kiln & Colour'",
    "acct invoice list --contact=Kiln\\ \\&\\ Colour",
  ],
  ["acct contact show smi", `acct contact show Smith:\\ \\"Bits\\"\\ \\&\\ Bob\\'s`],
  ["acct contact show Smith:", `acct contact show Smith:\\ \\"Bits\\"\\ \\&\\ Bob\\'s`],
  ['acct contact show "Smith:', `acct contact show "Smith: \\"Bits\\" & Bob's"`],
  ["acct history list --on invoice:INV-0231", "acct history list --on invoice:INV-0231"],
  ["acct history list --on=item:m", "acct history list --on=item:MUG"],
  [
    "acct invoice create --line item=MUG,account=26",
    "acct invoice create --line item=MUG,account=260",
  ],
  ["acct invoice import inv", "acct invoice import invoices\\ of\\ may.csv"],
  ["acct invoice create --file=inv", "acct invoice create --file=invoices\\ of\\ may.csv"],
];

/** A shell at its prompt. */
async function prompt(command: readonly string[], env: Readonly<Record<string, string>>) {
  const terminal = new Terminal(desk, command, { env });
  onTestFinished(() => terminal.close());
  await terminal.waitFor(/^\$$/m);
  return terminal;
}

/** Types a line, presses Tab, and waits for what must come of it. */
async function tab(terminal: Terminal, typed: string, shown: string | RegExp): Promise<string> {
  terminal.press("C-u", "C-l");
  await terminal.waitFor(/^\$$/);
  terminal.type(typed);
  await terminal.waitFor(`$ ${typed.trimEnd()}`);
  terminal.press("Tab");
  return terminal.waitFor(shown);
}

const whole = (line: string) => new RegExp(`^\\$ ${literalPattern(line)}$`, "m");

describe.skipIf(!hasBash)("completion in bash", () => {
  /** What bash itself does before it asks: it splits the line at spaces, = and : outside quotes. */
  const driver = `
    source "$1"
    complete -p acct
    while IFS= read -r COMP_LINE; do
      COMP_WORDS=() word='' quote='' COMP_POINT=\${#COMP_LINE}
      for ((i = 0; i < COMP_POINT; i++)); do
        letter=\${COMP_LINE:i:1}
        case $quote$letter in
        ' ') [[ -n $word ]] && COMP_WORDS+=("$word"); word='' ;;
        [=:]) [[ -n $word ]] && COMP_WORDS+=("$word"); COMP_WORDS+=("$letter"); word='' ;;
        *) word+=$letter ;;
        esac
      done
      [[ $COMP_LINE == *[=:] ]] || COMP_WORDS+=("$word")
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      COMPREPLY=()
      _acct acct
      kept=\${COMP_LINE##* } kept=\${kept%"$word"}
      for reply in "\${COMPREPLY[@]}"; do eval "printf '%s\\\\t' \\"\\$kept\\"$reply"; done
      echo
    done`;

  test("in bash, every tested command line is completed with the expected words", () => {
    const lines = candidates.map(([line]) => line);
    writeFileSync(join(desk.folder, "lines"), `${lines.join("\n")}\n`);
    const script = join(completions, "acct.bash");
    const { stdout, stderr } = desk.run(
      "bash",
      "--norc",
      "-c",
      `set -- "${script}"; exec <lines; ${driver}`,
    );
    expect(stderr).toBe("");
    const [declared, ...answers] = stdout.split("\n");
    expect(declared).toBe("complete -F _acct acct");
    const found = answers.slice(0, -1).map((answer, at) => {
      return [lines[at], answer.split("\t").slice(0, -1).sort()];
    });
    expect(found).toEqual(candidates);
  });

  test.skipIf(!hasTmux)(
    "in bash, the Tab key completes words quoted so that the shell can run them",
    { timeout: 600_000 },
    async () => {
      const terminal = await prompt(["bash", "--norc", "--noprofile", "-i"], { PS1: "$ " });
      terminal.type(`source ${join(completions, "acct.bash")}; bind 'set bell-style none'`);
      terminal.press("Enter");
      for (const [typed, becomes] of insertions) await tab(terminal, typed, whole(becomes));
    },
  );

  test("the bash completion script loads in POSIX mode and with strict settings", () => {
    const script = join(completions, "acct.bash");
    for (const flags of ["--posix", "-eu"]) {
      const ran = desk.run("bash", "--norc", flags, "-c", `source "${script}"`);
      expect(ran).toEqual({ code: 0, stdout: "", stderr: "" });
    }
  });
});

describe.skipIf(!hasZsh || !hasTmux)("completion in zsh", () => {
  async function zsh(): Promise<Terminal> {
    const terminal = await prompt(["zsh", "-f", "-i"], { PS1: "$ " });
    terminal.type(
      `fpath=(${completions} $fpath); autoload -U compinit; compinit -D -u; LISTMAX=999`,
    );
    terminal.press("Enter");
    return terminal;
  }

  test("in zsh, the Tab key completes words quoted so that the shell can run them", {
    timeout: 600_000,
  }, async () => {
    const terminal = await zsh();
    for (const [typed, inBash, inZsh] of insertions) {
      await tab(terminal, typed, whole(inZsh ?? inBash));
    }
  });

  test("in zsh, every tested command line is completed with the expected words", {
    timeout: 600_000,
  }, async () => {
    const terminal = await zsh();
    for (const [line, words] of candidates) {
      const [only, ...others] = words;
      if (only === undefined) continue;
      const last = line.slice(line.lastIndexOf(" ") + 1);
      const quoted = only.replace(/[ ,]/g, "\\$&").replace(/\\,(?! )/g, ",");
      if (others.length === 0) {
        await tab(terminal, line, `$ ${line.slice(0, -last.length)}`);
        await terminal.waitFor(new RegExp(`${literalPattern(quoted)}|${literalPattern(only)}`));
      } else {
        await tab(terminal, line, new RegExp(words.map((word) => `${word}\\b[^]*`).join("")));
      }
    }
  });

  test("in zsh, completed words are shown with descriptions", { timeout: 600_000 }, async () => {
    const terminal = await zsh();
    await tab(terminal, "acct ", /^invoice +-- sales invoices$/m);
    await tab(terminal, "acct invoice ", /^void +-- void approved invoices/m);
    await tab(terminal, "acct invoice list --", /^--dry-run +-- check, show/m);
    await tab(terminal, "acct invoice show INV-023", /^INV-0231 +-- Harakeke Trust, NZD 1072\.95/m);
  });

  test("the zsh completion script can be sourced instead of installed", {
    timeout: 600_000,
  }, async () => {
    const terminal = await prompt(["zsh", "-f", "-i"], { PS1: "$ " });
    terminal.type("autoload -U compinit; compinit -D -u; source <(acct completion zsh)");
    terminal.press("Enter");
    await tab(terminal, "acct invoice list --stat", whole("acct invoice list --status"));
  });

  test("acct completion install puts the completion script where zsh looks for it", {
    timeout: 600_000,
  }, async () => {
    const { stderr } = desk.run("acct", "completion", "install", "zsh");
    const line = /Add this line to (.+):\n {2}(.+)\n/.exec(stderr);
    writeFileSync(line?.[1] ?? "", `PS1='$ '\n${line?.[2]} -D -u\n`);
    const terminal = await prompt(["zsh", "-i"], {});
    await tab(terminal, "acct invoice list --stat", whole("acct invoice list --status"));
  });
});

describe.skipIf(!hasFish)("completion in fish", () => {
  /** What fish offers for a line, each with its description. */
  function offered(...lines: readonly string[]): string[][] {
    const script = lines
      .map((line) => `complete -C '${line.replace(/[\\']/g, "\\$&")}'; echo`)
      .join("; echo -n; ");
    const { stdout, stderr } = desk.run(
      "fish",
      "--no-config",
      "-c",
      `source ${join(completions, "acct.fish")}; ${script}`,
    );
    expect(stderr).toBe("");
    return stdout
      .split(/^\n/m)
      .slice(0, lines.length)
      .map((answer) => answer.split("\n").slice(0, -1));
  }

  test("in fish, every tested command line is completed with the expected words", () => {
    const answers = offered(...candidates.map(([line]) => line));
    const found = candidates.map(([line], at) => [
      line,
      (answers[at] ?? []).map((answer) => answer.split("\t")[0]).sort(),
    ]);
    expect(found).toEqual(candidates);
  });

  test.each([
    ["acct invoice list --status=DRAFT,pa", "--status=DRAFT,PAID"],
    ["acct invoice list --contact=fern", "--contact=Fern & Fold"],
    ['acct invoice list --contact "fern', "Fern & Fold"],
    ["acct invoice list --contact Fern\\ ", "Fern & Fold"],
    ["acct contact show smi", 'Smith: "Bits" & Bob\'s'],
    ["acct contact show Smith:", 'Smith: "Bits" & Bob\'s'],
    ["acct history list --on=item:m", "--on=item:MUG"],
    ["acct invoice import inv", "invoices of may.csv"],
    ["acct invoice create --file=inv", "--file=invoices of may.csv"],
  ])('fish completes the command line "%s" with "%s"', (line, word) => {
    expect(offered(line).map((answer) => answer.map((each) => each.split("\t")[0]))).toEqual([
      [word],
    ]);
  });

  test("in fish, completed words are shown with descriptions", () => {
    const [nouns = [], flags = [], numbers = []] = offered(
      "acct ",
      "acct invoice list --d",
      "acct invoice show INV-023",
    );
    expect(nouns).toContain("invoice\tsales invoices");
    expect(flags).toContain("--dry-run\tcheck, show what would change, change nothing");
    expect(numbers).toContain("INV-0231\tHarakeke Trust, NZD 1072.95, AUTHORISED");
  });

  test("acct completion install puts the completion script where fish looks for it", () => {
    expect(desk.run("acct", "completion", "install", "fish").code).toBe(0);
    const { stdout } = desk.run("fish", "-c", "complete -C 'acct invoice list --stat'");
    expect(stdout.trim()).toBe("--status");
  });
});

describe.skipIf(!hasPowershell)("completion in PowerShell", () => {
  test("in PowerShell, every tested command line is completed with the expected words", () => {
    const ask = candidates.map(([line]) => {
      const text = `'${line.replaceAll("'", "''")}'`;
      return `(TabExpansion2 ${text} ${line.length}).CompletionMatches.ListItemText -join "\`t"`;
    });
    const script = join(completions, "acct.ps1");
    const { stdout } = desk.run(
      "pwsh",
      "-NoProfile",
      "-Command",
      `. '${script}'; ${ask.join("; ")}`,
    );
    const found = stdout
      .split(/\r?\n/)
      .slice(0, candidates.length)
      .map((answer, at) => [candidates[at]?.[0], answer === "" ? [] : answer.split("\t").sort()]);
    expect(found).toEqual(candidates);
  });
});
