/** A person's machine: the built program, settings of its own, a browser that does as it is told. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileMade } from "../support/file-made.ts";
import type { Authority } from "./authority.ts";

const bin = join(import.meta.dirname, "..", "..", "bin", "acct.js");

export interface Ran {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly done: Promise<Ran>;
  /** Waits until stderr shows a text, and returns all of stderr. */
  waitFor(shown: RegExp): Promise<string>;
}

export class Machine {
  readonly home = mkdtempSync(join(tmpdir(), "acct-signed-in-"));
  readonly env: Record<string, string>;

  constructor() {
    const browser = join(this.home, "browser");
    const page = join(this.home, "page.html");
    // Follows where it is sent, and keeps the page that it ends at.
    const script = `const file = require("node:fs").readFileSync(new URL(process.argv[2]), "utf8");
      const leads = /url=([^"]+)"/.exec(file)[1].replace(/&#(\\d+);/g, (_, code) => String.fromCharCode(code));
      const answer = await fetch(leads);
      require("node:fs").writeFileSync(${JSON.stringify(`${page}.part`)}, await answer.text());
      require("node:fs").renameSync(${JSON.stringify(`${page}.part`)}, ${JSON.stringify(page)});`;
    writeFileSync(
      browser,
      `#!/bin/sh\nexec "${process.execPath}" --input-type=commonjs -e '(async () => {${script}})()' browser "$1"\n`,
    );
    chmodSync(browser, 0o755);
    this.env = {
      HOME: this.home,
      PATH: process.env.PATH ?? "",
      TZ: "UTC",
      NO_COLOR: "1",
      BROWSER: browser,
    };
  }

  start(words: readonly string[], more: Readonly<Record<string, string>> = {}): Running {
    const child = spawn(process.execPath, [bin, ...words], {
      env: { ...this.env, ...more },
      stdio: ["pipe", "pipe", "pipe"],
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const done = once(child, "close").then(([code, signal]) => ({
      code: (code ?? signal) as number | string,
      stdout,
      stderr,
    }));
    const waitFor = async (shown: RegExp) => {
      while (!shown.test(stderr)) {
        const ended = await Promise.race([once(child.stderr, "data").then(() => false), done]);
        if (ended !== false && !shown.test(stderr)) throw new Error(`It ended with: ${stderr}`);
      }
      return stderr;
    };
    return { child, done, waitFor };
  }

  /** Runs to its end, with nothing on standard input. */
  async run(words: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ran> {
    const { child, done } = this.start(words, more);
    child.stdin?.end();
    return done;
  }

  /** The words that sign in to a service. */
  static loginWords({ baseUrl }: Authority, ...more: string[]): string[] {
    return ["auth", "login", "--base-url", baseUrl, "--client-id", "till", ...more];
  }

  /** Signs in to the first organisation, unless more is said. */
  async login(authority: Authority, ...more: string[]): Promise<Ran> {
    const words = more.length === 0 ? ["--organisation", "quay street BIKES"] : more;
    const ran = await this.run(Machine.loginWords(authority, ...words));
    if (ran.code !== 0) throw new Error(`Signing in ended with ${ran.code}: ${ran.stderr}`);
    return ran;
  }

  // biome-ignore lint/suspicious/noExplicitAny: as a test looks at it
  config(): any {
    return JSON.parse(readFileSync(join(this.home, ".config/acct/config.json"), "utf8"));
  }

  /** The page that the browser ended at, when it has. */
  async page(): Promise<string> {
    const page = join(this.home, "page.html");
    await fileMade(page);
    return readFileSync(page, "utf8");
  }

  /** The files of the sign-ins, by their whole paths. */
  signIns(): string[] {
    const folder = join(this.home, ".config/acct/sign-ins");
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => join(folder, name));
  }

  /** The one sign-in there is. */
  signIn(): SignInFile {
    return JSON.parse(readFileSync(this.signIns()[0] ?? "", "utf8"));
  }

  /** Changes the one sign-in there is, as time or another process would. */
  change(change: (signIn: SignInFile) => object): void {
    const [file = ""] = this.signIns();
    writeFileSync(file, JSON.stringify(change(this.signIn())));
  }

  /** As if half an hour had gone by. */
  expire(): void {
    this.change((signIn) => ({ ...signIn, expiresAt: Date.now() - 1000 }));
  }

  clear(): void {
    rmSync(this.home, { recursive: true, force: true, maxRetries: 20 });
  }
}

export interface SignInFile {
  readonly expiresAt: number;
  readonly renewingSince?: number;
  readonly endedAt?: number;
  readonly scopes: readonly string[];
  readonly secrets: {
    readonly accessToken: string;
    readonly refreshToken?: string;
    readonly clientSecret?: string;
  };
}
