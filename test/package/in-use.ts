/** The installed program in the hands of a person who makes a first invoice. */
import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "vitest";

export interface Person {
  /** An empty folder of the person. */
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly encoding: "utf8";
  readonly uid?: number;
  readonly gid?: number;
}

/** Makes a book, an invoice, its PDF, a spreadsheet, looks the book over, and serves an app. */
export async function useProgram(program: string, as: Person): Promise<void> {
  const run = (...words: string[]): SpawnSyncReturns<string> => spawnSync(program, words, as);
  const printed = (...words: string[]) => {
    const { status, stdout, stderr } = run(...words);
    expect(status, `${words.join(" ")}: ${stderr}`).toBe(0);
    expect(stderr, "nothing of Node or of a library").not.toMatch(/warning/i);
    return stdout;
  };
  printed("init", "--name", "Quay", "--country", "NZ");
  printed("contact", "create", "--name", "Moa");
  const line = "description=Mugs,quantity=2,unit-amount=10,account-code=200";
  printed("invoice", "create", "--contact", "Moa", "--line", line, "--status", "AUTHORISED");
  expect(printed("invoice", "list", "-o", "json", "--jq", ".[0].Total").trim()).toBe("23.00");
  printed("invoice", "pdf", "INV-0001", "--output-file", "invoice.pdf");
  expect(readFileSync(join(as.cwd, "invoice.pdf"), "latin1").slice(0, 5)).toBe("%PDF-");
  printed("invoice", "list", "-o", "xlsx", "--output-file", "invoices.xlsx");
  expect(readFileSync(join(as.cwd, "invoices.xlsx"), "latin1").slice(0, 2)).toBe("PK");
  printed("book", "verify");
  printed("app", "add", "Till", "--kind", "machine");
  const status = await statusServed(program, as, () => printed("app", "token", "Till").trim());
  expect(status).toBe(200);
}

/** Serves the book, asks it for invoices as an app, ends it, and returns the status of the answer. */
async function statusServed(program: string, as: Person, token: () => string): Promise<number> {
  const server = spawn(program, ["serve", "--port", "0"], {
    ...as,
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    for await (const line of createInterface({ input: server.stderr })) {
      const [base] = /http:\/\/\S+/.exec(line) ?? [];
      if (base === undefined) continue;
      const { status } = await fetch(`${base}/Organisation`, {
        headers: { authorization: `Bearer ${token()}`, accept: "application/json" },
      });
      return status;
    }
    throw new Error("the server ended before it said where it is");
  } finally {
    server.kill("SIGTERM");
  }
}
