/** Writes text to a terminal: printed when it fits the screen, otherwise paged. */
import type { PagerSink } from "./pager.ts";
import type { Sink } from "./sink.ts";

export interface ScreenOptions {
  readonly stdout: Sink;
  /** Terminal height in lines; undefined never starts a pager. */
  readonly height: number | undefined;
  /** Pager command, `$PAGER`; undefined for less, empty or `cat` for none. */
  readonly pager: string | undefined;
  /** Starts the pager; tests pass their own. */
  readonly open?: (command: string | undefined) => Promise<PagerSink | undefined>;
}

/**
 * Buffers lines until they exceed the screen, and only then loads and starts the pager. Where it
 * cannot be started everything is printed: a missing `less` must not lose the answer.
 */
export class Screen {
  readonly #options: ScreenOptions;
  #held: string[] = [];
  #lines = 0;
  #pager: PagerSink | undefined;
  #printing: boolean;

  constructor(options: ScreenOptions) {
    this.#options = options;
    this.#printing = options.height === undefined || !wantsPager(options.pager);
  }

  /**
   * Writes text.
   *
   * @throws ClosedPipeError when the user has quit the pager
   */
  async write(piece: string | Uint8Array): Promise<void> {
    const text = String(piece);
    if (this.#pager) return this.#pager.write(text);
    if (this.#printing) return this.#options.stdout.write(text);
    this.#held.push(text);
    this.#lines += text.split("\n").length - 1;
    // One line of the screen is left for the shell prompt.
    if (this.#lines < (this.#options.height ?? 0)) return;
    const { open = openPager, pager, stdout } = this.#options;
    this.#pager = await open(pager);
    this.#printing = !this.#pager;
    await (this.#pager ?? stdout).write(this.#taken());
  }

  /** Prints buffered lines, or waits until the user quits the pager. */
  async end(): Promise<void> {
    const text = this.#taken();
    if (text !== "") await this.#options.stdout.write(text);
    await this.#pager?.end();
  }

  #taken(): string {
    const text = this.#held.join("");
    this.#held = [];
    return text;
  }
}

function wantsPager(command: string | undefined): boolean {
  return command === undefined || !["", "cat"].includes(command.trim());
}

async function openPager(command: string | undefined): Promise<PagerSink | undefined> {
  const { startPager } = await import("./pager.ts");
  return startPager(command);
}
