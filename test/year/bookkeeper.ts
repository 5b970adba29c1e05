/** Who keeps the books: runs command lines in this process, on the day on which it is. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "../../src/cli/connection/open.ts";
import { run } from "../../src/cli/main.ts";
import { memorySink } from "../../src/cli/render/sinks/sink.ts";
import { asDeclared } from "../cli/line.ts";

export type Words = readonly string[];

/** Words of a command line: blanks divide what is written, and nothing of what is inserted. */
export function cli(text: TemplateStringsArray, ...inserted: readonly string[]): Words {
  const words: string[] = [];
  let word = "";
  for (const [place, part] of text.entries()) {
    const pieces = part.split(/\s+/);
    word += pieces[0];
    for (const piece of pieces.slice(1)) {
      if (word !== "") words.push(word);
      word = piece;
    }
    word += inserted[place] ?? "";
  }
  if (word !== "") words.push(word);
  return words;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Env = Readonly<Record<string, string>>;

export class Bookkeeper {
  readonly home = mkdtempSync(join(tmpdir(), "acct-year-"));
  readonly book = join(this.home, "year.acct");
  /** Where the books are, beside the usual. */
  readonly #place: Env;
  #now = 0;

  /** @param place  variables that lead to the books; a file of its own when not given */
  constructor(place?: Env) {
    this.#place = place ?? { ACCT_BOOK: this.book };
  }

  get env(): Env {
    return {
      HOME: this.home,
      ACCT_USER: "Ana Reid",
      ACCT_EMAIL: "ana@heron.example",
      ...this.#place,
    };
  }

  /** It is noon of a day, or what it is for everybody else. */
  on(date: string | "today"): this {
    this.#now = date === "today" ? Date.now() : Date.parse(`${date}T12:00:00Z`);
    return this;
  }

  file(name: string, text: string): string {
    const path = join(this.home, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  async run(words: Words, env: Env = {}): Promise<Ran> {
    const [stdout, stderr] = [memorySink(), memorySink()];
    const clock = () => {
      this.#now += 1;
      return this.#now;
    };
    const writes = asDeclared(words.join(" "));
    const world = { env: { ...this.env, ...env }, stdout, stderr, clock, open, writes };
    const code = await run([...words, "--no-input"], world);
    // Which organisation was changed is said where that is served.
    const said = stderr.text.replace(/^Changed .*, at http\S+\.\n/m, "");
    return { code, stdout: stdout.text, stderr: said };
  }

  /** What is printed by a command that must succeed. */
  async ok(words: Words, env: Env = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(words, env);
    if (code !== 0) throw new Error(`acct ${words.join(" ")} ended with ${code}: ${stderr}`);
    return stdout;
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers are read as a stranger's program would.
  async json(words: Words): Promise<any> {
    return JSON.parse(await this.ok([...words, "-o", "json"]));
  }

  clear(): void {
    rmSync(this.home, { recursive: true, force: true, maxRetries: 20 });
  }
}
