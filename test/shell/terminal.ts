/** A real terminal: tmux runs a program in one, types into it, and reads its screen. */
import { spawnSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import type { Desk } from "./desk.ts";

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** How long a screen may take to show what is waited for; machines are busy. */
const patienceMs = 300_000;
const lookEveryMs = 20;

let count = 0;

export class Terminal {
  readonly #socket = `acct-${process.pid}-${count++}`;
  readonly #env: Readonly<Record<string, string>>;

  constructor(
    desk: Desk,
    command: readonly string[],
    { columns = 100, rows = 50, env }: TerminalOptions = {},
  ) {
    this.#env = { ...desk.env, ...env };
    const size = ["-x", String(columns), "-y", String(rows)];
    this.#tmux("new-session", "-d", ...size, "-c", desk.folder, ...command);
    this.#tmux("set-option", "-g", "status", "off");
  }

  /** Types text as it is. */
  type(text: string): void {
    this.#tmux("send-keys", "-l", "--", text);
  }

  /** Presses keys by their names in tmux: Enter, Tab, Down, C-c. */
  press(...keys: readonly string[]): void {
    this.#tmux("send-keys", ...keys);
  }

  /** Empties the screen at once, so that nothing on it is taken for what comes next. */
  clear(): void {
    this.#tmux("send-keys", "-R");
  }

  /** What is on the screen, lines that were too long for it in one piece again. */
  screen(): string {
    const lines = this.#tmux("capture-pane", "-p", "-J").split("\n");
    return lines
      .map((line) => line.trimEnd())
      .join("\n")
      .trimEnd();
  }

  /**
   * Waits until the screen shows a text.
   *
   * @returns the screen as it then is
   * @throws Error with the screen when it does not come
   */
  async waitFor(shown: string | RegExp): Promise<string> {
    for (let waitedMs = 0; ; waitedMs += lookEveryMs) {
      const screen = this.screen();
      if (typeof shown === "string" ? screen.includes(shown) : shown.test(screen)) return screen;
      if (waitedMs > patienceMs) throw new Error(`No ${String(shown)} on the screen:\n${screen}`);
      await setTimeout(lookEveryMs);
    }
  }

  close(): void {
    spawnSync("tmux", ["-L", this.#socket, "kill-server"]);
  }

  #tmux(...words: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync(
      "tmux",
      ["-u", "-L", this.#socket, "-f", "/dev/null", ...words],
      { env: this.#env, encoding: "utf8" },
    );
    if (status !== 0) throw new Error(`tmux ${words.join(" ")}: ${stderr}`);
    return stdout;
  }
}
