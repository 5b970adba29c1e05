/** A folder with a book and files in it, and command lines run there. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeBook } from "../../../src/admin/book.ts";
import { open } from "../../../src/cli/connection/open.ts";
import type { Context } from "../../../src/cli/context/context.ts";
import type { Target } from "../../../src/cli/context/target.ts";
import { importFile, type Tuning } from "../../../src/cli/import/import-file.ts";
import type { ImportNoun, ImportOptions } from "../../../src/cli/import/options.ts";
import { run } from "../../../src/cli/main.ts";
import { createOut } from "../../../src/cli/render/out.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { type Client, createClient } from "../../../src/client/client.ts";
import { openEmbedded } from "../../../src/client/embedded.ts";
import type { Transport } from "../../../src/wire/http.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The account that `-o json` gives of an import. */
export interface ImportAccount {
  readonly rows: Readonly<Record<string, number>>;
  readonly invoices: Readonly<Record<string, number>>;
  readonly bills: Readonly<Record<string, number>>;
  readonly payments: Readonly<Record<string, number>>;
  readonly contacts: Readonly<Record<string, number>>;
  readonly items: Readonly<Record<string, number>>;
  readonly amounts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly unused: readonly string[];
  readonly notes: readonly string[];
  readonly columns: Readonly<Record<string, string>>;
  readonly refused: readonly { row: number; record?: string; reason: string }[];
  readonly rejected?: string;
}

/** 5 March 2026, noon. */
const noon = Date.UTC(2026, 2, 5, 12);

export class Desk {
  readonly folder = mkdtempSync(join(tmpdir(), "acct-import-test-"));
  readonly #before = process.cwd();
  #seconds = 0;

  /** A UK book called `book.acct`. */
  static async open(): Promise<Desk> {
    const desk = new Desk();
    process.chdir(desk.folder);
    await makeBook(desk.path("book.acct"), { name: "Shop", country: "GB" });
    return desk;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Writes a file, and returns where it is. */
  file(name: string, content: string | Uint8Array): string {
    writeFileSync(this.path(name), content);
    return this.path(name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }

  async acct(...words: string[]): Promise<Ran> {
    const stdout = memorySink();
    const stderr = memorySink();
    const env = { HOME: this.folder, ACCT_BOOK: this.path("book.acct") };
    const clock = () => noon + 1000 * this.#seconds++;
    const code = await run(words, { env, stdout, stderr, clock, open });
    return { code, stdout: stdout.text, stderr: stderr.text };
  }

  /** Imports with `--yes` and gives the account of it. */
  async import(noun: string, file: string, ...flags: string[]): Promise<Ran & ImportAccount> {
    const ran = await this.acct("import", noun, file, "--yes", "-o", "json", ...flags);
    const account = ran.stdout === "" ? {} : JSON.parse(ran.stdout);
    return { ...ran, ...account };
  }

  /** Records of the book, as `-o json` shows them. */
  async list<T>(...words: string[]): Promise<T[]> {
    const { stdout } = await this.acct(...words, "-o", "json");
    return JSON.parse(stdout) as T[];
  }

  /**
   * Imports with bounds of its own: what takes a large file otherwise, in a small one.
   *
   * @param client  instead of the book's, to see what is asked or to answer otherwise
   */
  async tuned(
    noun: ImportNoun,
    file: string,
    options: ImportOptions,
    tuning: Tuning,
    client?: Client,
    target: Target = { kind: "book", path: this.path("book.acct"), isDefault: false },
  ): Promise<ImportAccount & { readonly error: unknown; readonly stderr: string }> {
    const stdout = memorySink();
    const stderr = memorySink();
    const format = { format: "json", color: false, width: undefined } as const;
    const opened = client ?? (await this.client());
    const context = {
      flags: { output: "json", dryRun: false, yes: true, input: false },
      target: () => target,
      client: async () => opened,
      // A service without trials, since sending is what is looked at.
      open: async () => ({ ...opened, offers: async () => false, close: async () => undefined }),
      out: createOut({ ...format, stdout, stderr }),
      ask: { confirm: async () => true },
      clock: () => noon,
      today: () => "2026-03-05",
      env: {},
      interrupted: new AbortController().signal,
    } as unknown as Context;
    let error: unknown;
    try {
      await importFile(context, noun, file, options, tuning);
    } catch (thrown) {
      error = thrown;
    } finally {
      if (client === undefined) await opened.close();
    }
    const account = stdout.text === "" ? {} : JSON.parse(stdout.text);
    return { ...account, error, stderr: stderr.text };
  }

  /** A client of the book; the caller closes it. */
  async client(around: (transport: Transport) => Transport = (transport) => transport) {
    const connection = await openEmbedded(this.path("book.acct"));
    return createClient(around(connection.transport), { close: () => connection.close() });
  }

  close(): void {
    process.chdir(this.#before);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20 });
  }
}
