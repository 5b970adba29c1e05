/**
 * The command tree in the words of each shell.
 *
 * What a script does with it is written by hand in `completions/`; the part between the marks is
 * written from here, by the test that fails when it is stale.
 */
import { type Entry, type Row, type Tree, written } from "./tree.ts";

export const shells = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof shells)[number];

/** Files of `completions/`; zsh finds its own by this name. */
export const scriptNames = {
  bash: "acct.bash",
  zsh: "_acct",
  fish: "acct.fish",
  powershell: "acct.ps1",
} as const satisfies Record<Shell, string>;

const tables = {
  bash: bashTable,
  zsh: zshTable,
  fish: fishTable,
  powershell: powershellTable,
} satisfies Record<Shell, (tree: Tree) => string>;

const region = /(?<=^# >>> table.*\n)[\s\S]*?(?=^# <<< table)/m;

/** The script with its table replaced by that of the tree. @throws Error when it has no place for one */
export function withTable(script: string, shell: Shell, tree: Tree): string {
  if (!region.test(script)) throw new Error(`The script for ${shell} has no place for its table`);
  return script.replace(region, () => tables[shell](tree));
}

/** How entries are read, said at the head of each table. */
const legend = `# An entry is a word, others that mean the same after |, and after = what it takes: DRAFT|PAID is one
# of these, contact a contact of the book, file a file; a comma before it allows several, capitals
# name a list, nothing is free text.
`;

// --- bash ------------------------------------------------------------------------------------

/** Bash shows no texts, so its entries are words in a string. */
function bashTable({ rows, globals, lists }: Tree): string {
  const cases = rows.filter(hasContent).map((row) => {
    const lines = parts(row).map(([name, list]) => `    ${name}='${wrapped(list.map(word), 6)}'\n`);
    return `  ${row.paths.map(posixQuoted).join(" | ")})\n${lines.join("")}    ;;\n`;
  });
  return `${legend}_acct_table() { # $1 a command: sets what may follow it
  verbs='' flags='' args=''
  case $1 in
${cases.join("")}  esac
}

_acct_list() { # $1 the name of a list: prints its values
  case $1 in
${listCases(lists, "  ")}  esac
}

_acct_globals='${wrapped(globals.map(word), 2)}'
`;
}

// --- zsh -------------------------------------------------------------------------------------

function zshTable({ rows, globals, lists }: Tree): string {
  const entries = (list: readonly (Entry | string)[], indent: string) =>
    list.map((entry) => `${indent}${posixQuoted(withText(entry))}\n`).join("");
  const cases = rows.filter(hasContent).map((row) => {
    const lines = parts(row).map(
      ([name, list]) => `      ${name}=(\n${entries(list, "        ")}      )\n`,
    );
    return `    (${row.paths.map(posixQuoted).join(" | ")})\n${lines.join("")}      ;;\n`;
  });
  return `${legend}_acct_table() { # $1 a command: sets what may follow it
  verbs=() flags=() args=()
  case $1 in
${cases.join("")}  esac
}

_acct_list() { # $1 the name of a list: prints its values
  case $1 in
${listCases(lists, "    ", "(")}  esac
}

typeset -ga _acct_globals=(
${entries(globals, "  ")})
`;
}

// --- fish ------------------------------------------------------------------------------------

function fishTable({ rows, globals, lists }: Tree): string {
  const entries = (list: readonly (Entry | string)[], indent: string) =>
    list.map((entry) => ` \\\n${indent}${fishQuoted(withText(entry))}`).join("");
  const cases = rows.filter(hasContent).map((row) => {
    const lines = parts(row).map(
      ([name, list]) => `            set ${name}${entries(list, "                ")}\n`,
    );
    return `        case ${row.paths.map(fishQuoted).join(" ")}\n${lines.join("")}`;
  });
  const listed = [...lists].map(
    ([name, values]) =>
      `        case ${name}\n            string match -ra '\\S+' -- '${wrapped(values, 16)}'\n`,
  );
  return `${legend}function __acct_table --no-scope-shadowing --description 'Sets what may follow the command $at'
    set verbs
    set flags
    set args
    switch "$at"
${cases.join("")}    end
end

function __acct_list --description 'Prints the values of a list'
    switch $argv[1]
${listed.join("")}    end
end

set -g __acct_globals${entries(globals, "    ")}
`;
}

// --- PowerShell ------------------------------------------------------------------------------

function powershellTable({ rows, globals, lists }: Tree): string {
  const entries = (list: readonly (Entry | string)[], indent: string) =>
    list.map((entry) => `${indent}${powershellQuoted(withText(entry))}\n`).join("");
  const cases = rows.filter(hasContent).map((row) => {
    const lines = parts(row).map(
      ([name, list]) =>
        `                ${name} = @(\n${entries(list, "                    ")}                )\n`,
    );
    const paths = row.paths.map(powershellQuoted).join(", ");
    return `        { $_ -cin ${paths} } {\n            return @{\n${lines.join("")}            }\n        }\n`;
  });
  const listed = [...lists].map(
    ([name, values]) => `        ${name} { '${wrapped(values, 12)}' }\n`,
  );
  return `${legend}function Get-AcctRow([string] $command) {
    switch ($command) {
${cases.join("")}    }
    @{}
}

function Get-AcctList([string] $name) {
    switch ($name) {
${listed.join("")}    }
}

$acctGlobals = @(
${entries(globals, "    ")})
`;
}

// --- what they share -------------------------------------------------------------------------

function hasContent({ verbs, flags, args }: Row): boolean {
  return verbs.length + flags.length + args.length > 0;
}

/** The parts of a row that have something in them, by the names they have in every script. */
function parts({ verbs, flags, args }: Row) {
  const all = [["verbs", verbs] as const, ["flags", flags] as const, ["args", args] as const];
  return all.filter(([, list]) => list.length > 0);
}

function word(entry: Entry | string): string {
  return typeof entry === "string" ? entry : written(entry);
}

/** The word and, after a space, what to say of it. */
function withText(entry: Entry | string): string {
  return typeof entry === "string" ? entry : `${written(entry)} ${entry.text}`.trimEnd();
}

function listCases(lists: Tree["lists"], indent: string, open = ""): string {
  return [...lists]
    .map(([name, values]) => `${indent}${open}${name}) echo '${wrapped(values, 4)}' ;;\n`)
    .join("");
}

function posixQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

function powershellQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

const columns = 100;

/**
 * Words with spaces between them, in lines of readable length.
 *
 * @param indent  spaces before every line but the first
 * @throws Error when one would not stay in one piece, or means something to the shell
 */
function wrapped(words: readonly string[], indent: number): string {
  const bad = words.find((each) => !/^[\w.,:=/|-]+$/.test(each));
  if (bad !== undefined) throw new Error(`"${bad}" cannot stand in a list of words`);
  const whole = words.join(" ");
  if (indent + whole.length + 12 <= columns) return whole;
  const lines = [""];
  for (const each of words) {
    const line = lines.at(-1) ?? "";
    const longer = line === "" ? each : `${line} ${each}`;
    if (indent + longer.length > columns) lines.push(each);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line) => `\n${" ".repeat(indent)}${line}`).join("");
}
