/** A pager, fed through its standard input. Loaded only for text longer than the screen. */
import { type ChildProcess, spawn } from "node:child_process";
import { ClosedPipeError } from "./sink.ts";

export interface PagerSink {
  /**
   * Writes text.
   *
   * @throws ClosedPipeError when the user has quit the pager
   */
  write(text: string): Promise<void>;
  /** Ends the input, and waits until the user quits the pager. */
  end(): Promise<void>;
}

/**
 * Starts the pager. While it runs, it handles Ctrl-C.
 *
 * @param command  `$PAGER`; undefined for less
 * @returns undefined when there is no such program
 */
export async function startPager(command: string | undefined): Promise<PagerSink | undefined> {
  const child = spawnPager(command);
  const { promise: started, resolve } = Promise.withResolvers<boolean>();
  child.once("spawn", () => resolve(true));
  child.once("error", () => resolve(false));
  if (!(await started)) return undefined;

  const ignore = () => undefined;
  process.on("SIGINT", ignore);
  const pagerLeft = new Promise<void>((resolve) => {
    child.once("close", () => {
      process.removeListener("SIGINT", ignore);
      resolve();
    });
  });
  // Failed writes are reported to their callbacks; an unhandled error event would exit the program.
  child.stdin?.on("error", ignore);

  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        const rejectGone = () => pagerLeft.then(() => reject(new ClosedPipeError()));
        if (!child.stdin?.writable) void rejectGone();
        else child.stdin.write(text, (error) => (error ? void rejectGone() : resolve()));
      }),
    end: async () => {
      child.stdin?.end();
      await pagerLeft;
    },
  };
}

function spawnPager(command: string | undefined): ChildProcess {
  // -F quits when everything fits, -R shows colours, -X keeps the text on the screen.
  const env = { LESS: "FRX", LV: "-c", ...process.env };
  const stdio: ["pipe", "inherit", "inherit"] = ["pipe", "inherit", "inherit"];
  if (command === undefined) return spawn("less", ["-FRX"], { stdio, env });
  // Without a shell a missing program is noticed before any output is lost.
  if (/[^\w./+=:@%, -]/.test(command)) return spawn(command, { stdio, env, shell: true });
  const [program = "less", ...given] = command.trim().split(/\s+/);
  return spawn(program, given, { stdio, env });
}
