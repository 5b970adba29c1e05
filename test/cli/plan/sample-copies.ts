/** Command lines on copies of the sample company, run in the process with a clock of their own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { makeDemo } from "../../../src/admin/book.ts";
import { open } from "../../../src/cli/connection/open.ts";
import { run } from "../../../src/cli/main.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { plannedFiles } from "./lines.ts";

export const home = mkdtempSync(join(tmpdir(), "acct-plan-"));
export const sample = join(home, "sample.acct");
afterAll(() => rmSync(home, { recursive: true }));
beforeAll(async () => {
  await makeDemo(sample);
  for (const [name, text] of Object.entries(plannedFiles)) writeFileSync(join(home, name), text);
});

let ticks = 0;
const noon = Date.UTC(2026, 10, 16, 12);

export async function acct(
  book: string,
  line: string,
  names: Readonly<Record<string, string>> = {},
) {
  const known: Readonly<Record<string, string>> = { HOME: home, ...names };
  const told = line.replace(/\$([A-Z]+)/g, (_, name: string) => known[name] ?? "?");
  const words = (told.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? []).map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double),
  );
  const stdout = memorySink();
  const stderr = memorySink();
  const code = await run(words, {
    env: { HOME: home, ACCT_BOOK: book, ACCT_USER: "Ana Reid", ACCT_EMAIL: "ana@heron.example" },
    stdout,
    stderr,
    clock: () => noon + 100 * ticks++,
    open,
  });
  return { told, code, stdout: stdout.text, stderr: stderr.text };
}

export async function done(book: string, line: string, names?: Readonly<Record<string, string>>) {
  const { told, code, stdout, stderr } = await acct(book, line, names);
  // Lines that are left to a person end with 7.
  if (code !== 0 && code !== 7) throw new Error(`${told} ended with ${code}: ${stderr}`);
  return stdout;
}

/** Runs lines, and keeps what those print that have a name. */
export async function prepared(book: string, lines: readonly string[]) {
  const names: Record<string, string> = {};
  for (const each of lines) {
    const [, key, words = each] = /^([A-Z]+)=(.*)$/.exec(each) ?? [];
    const printed = await done(book, words, names);
    if (key !== undefined) names[key] = printed.trim().split("\n")[0] ?? "";
  }
  return names;
}
