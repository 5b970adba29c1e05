/** Command lines in this process, on the book itself or over the port of a server. */
import { copyFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { open } from "../../src/cli/connection/open.ts";
import { run } from "../../src/cli/main.ts";
import { memorySink } from "../../src/cli/render/sinks/sink.ts";
import { clearLeftovers } from "../../src/platform/part-file.ts";
import { verifyAt } from "../../src/service/books/book.ts";
import { textOf } from "../../src/wire/body.ts";
import type { Database } from "./databases.ts";
import { runProgram } from "./processes.ts";
import type { Simulation } from "./simulation.ts";
import type { CommandKind, Step } from "./steps.ts";

export interface CommandLine {
  readonly words: readonly string[];
  /** Where what it makes is found: once when it succeeded, at most once when it failed. */
  readonly makes?: readonly { readonly path: string; readonly where: string }[];
  /** A file that must be a whole book, and may only be missing when it failed. */
  readonly book?: string;
}

/** What a command line succeeds or fails with; anything else is a bug. */
const exitCodes = new Set([0, 4, 5, 6, 7]);

/** What only the program itself should see. */
const inner = /Unexpected|report it|SQLITE|\bE[A-Z]{3,}|disk I\/O/;

/** @param name  that no other command line of the run is given */
export function commandLine(
  kind: CommandKind,
  name: string,
  { folder, place, scratch }: Database,
): CommandLine | undefined {
  const backup = folder && join(folder, "a.backup");
  // Of this book alone: others are kept in the same folder for what is no book.
  const seal = join(scratch, `${place.replaceAll(/\W+/g, "-").slice(-60)}.seal`);
  const line = "description=Work,quantity=3,unit-amount=12.5,account=200";
  const named = { path: "/Contacts", where: `Name=="${name}"` };
  const numbered = (number: string) => ({ path: "/Invoices", where: `InvoiceNumber=="${number}"` });
  switch (kind) {
    case "contact":
      return { words: ["contact", "create", "--name", name], makes: [named] };
    case "invoice": {
      const head = ["--contact", "Contact 1", "--invoice-number", name, "--status", "AUTHORISED"];
      return { words: ["invoice", "create", ...head, "--line", line], makes: [numbered(name)] };
    }
    case "import": {
      const numbers = Array.from({ length: 20 }, (_, at) => `${name}/${at}`);
      const rows = numbers.map((number) => `${name},${number},2026-01-05,Work,2,8.37`);
      const head = "ContactName,InvoiceNumber,Date,Description,Quantity,UnitAmount";
      const file = join(scratch, "rows.csv");
      writeFileSync(file, `${[head, ...rows].join("\n")}\n`);
      const flags = ["--set", "AccountCode=200", "--status", "AUTHORISED", "--create-contacts"];
      return {
        words: ["import", "invoices", file, ...flags, "--yes"],
        makes: [named, ...numbers.map(numbered)],
      };
    }
    case "init": {
      if (folder === undefined) return undefined;
      const book = join(folder, `${name}.copy.acct`);
      return { words: ["init", "--name", "Quay", "--country", "NZ", "--book", book], book };
    }
    case "backup":
      return backup === undefined
        ? undefined
        : { words: ["book", "backup", backup, "--force"], book: backup };
    case "copy": {
      if (folder === undefined) return undefined;
      const book = join(folder, `${name}.copy.acct`);
      return { words: ["book", "copy", place, book], book };
    }
    case "restore": {
      if (folder === undefined || backup === undefined || !existsSync(backup)) return undefined;
      const book = join(folder, `${name}.copy.acct`);
      return { words: ["book", "restore", backup, "--yes", "--book", book], book };
    }
    case "seal":
      return { words: ["book", "seal", "--output-file", seal] };
    case "verify":
      return { words: ["book", "verify", ...(existsSync(seal) ? ["--since", seal] : [])] };
  }
}

async function runHere(
  { clock, database }: Simulation,
  words: readonly string[],
  where: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly said: string }> {
  const [stdout, stderr] = [memorySink(), memorySink()];
  const code = await run(words, {
    env: { HOME: database.scratch, USER: "ann", TZ: "UTC", ...where },
    stdout,
    stderr,
    clock: clock.read,
    open: (ctx) => open(ctx, { sleep: async () => undefined }),
  });
  return { code, said: stderr.text };
}

/** Runs a command line, and says what it left that it should not have. */
export async function runCommand(
  simulation: Simulation,
  { command, which }: Extract<Step, { does: "command" }>,
  name: string,
): Promise<void> {
  const { database, clock } = simulation;
  const failed = database.disk?.get("failed");
  const line = commandLine(command, name, database);
  if (line === undefined) return;
  const server =
    line.makes !== undefined && which % 2 === 0 ? await simulation.server(0) : undefined;
  const wasThere = line.book !== undefined && existsSync(line.book);
  const here: Record<string, string> = {
    [database.folder === undefined ? "ACCT_DATABASE" : "ACCT_BOOK"]: database.place,
  };
  const there = server && { ACCT_BASE_URL: server.baseUrl, ACCT_TOKEN: simulation.token };
  const runIn = async (where: Readonly<Record<string, string>>, isTroubled: () => boolean) => {
    const { code, said } = simulation.isOfPrograms
      ? await runProgram(database, line.words, where)
      : await runHere(simulation, line.words, where);
    clock.now += 1;
    const ended = { code, said, wasThere, isTroubled: isTroubled() };
    // The book is looked at as it is found when there is room again, and another program has begun.
    database.disk?.set({});
    if (code === null) clearLeftovers(database.place);
    await judge(simulation, line, ended);
    return code;
  };
  const isTroubled = () => server !== undefined || database.disk?.get("failed") !== failed;
  const code = await runIn(there ?? here, isTroubled);
  // An import goes on where it stopped.
  if (command === "import" && code !== 0) await runIn(here, () => false);
}

interface Ended {
  readonly code: number | null;
  readonly said: string;
  /** Whether anything was in its way that may have kept it from succeeding. */
  readonly isTroubled: boolean;
  /** Whether the file that it makes was there before. */
  readonly wasThere: boolean;
}

export async function judge(
  simulation: Pick<Simulation, "acknowledged" | "checker" | "faults" | "database">,
  { words, makes = [], book }: CommandLine,
  { code, said, isTroubled, wasThere }: Ended,
): Promise<void> {
  const { acknowledged, checker, database, faults } = simulation;
  const name = `acct ${words.slice(0, 2).join(" ")}`;
  const isKilled = code === null;
  if (!isKilled && (!exitCodes.has(code) || (code !== 0 && !isTroubled))) {
    faults.push(`${name} ended with ${code}: ${said}`);
  }
  acknowledged.adopts = true;
  for (const { path, where } of makes) {
    const query = [["where", where] as const, ["page", "1"] as const];
    const headers = { accept: "application/json" };
    const { body } = await checker.transport({ method: "GET", path, query, headers });
    const count = JSON.parse(await textOf(body))[path.slice(1)].length;
    if (count > 1 || (code === 0 && count !== 1)) {
      faults.push(`${name} ended with ${code}, and ${where} is there ${count} times.`);
    }
  }
  if (code === 6 && (!/^acct: .*\.$/m.test(said) || inner.test(said))) {
    faults.push(`${name} says what nobody can make use of: ${said}`);
  }
  if (book === undefined) return;
  if (!existsSync(book)) {
    if (code === 0) faults.push(`${name} succeeded, and ${book} is not there.`);
    return;
  }
  if (code !== 0 && !wasThere) faults.push(`${name} failed, and ${book} is there.`);
  // A copy is looked at: a backup is read, and never worked on.
  const copy = join(database.scratch, "looked-at.acct");
  copyFileSync(book, copy);
  const { faults: found } = await verifyAt(copy);
  faults.push(...found.map((each) => `${name} made a book in which ${each}`));
  for (const path of book.endsWith(".backup") ? [copy] : [copy, book]) {
    for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
  }
}
