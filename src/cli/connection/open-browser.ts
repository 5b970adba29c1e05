/**
 * Opens an address in the user's browser.
 *
 * Program arguments can be read by other users, and addresses contain keys: the browser is given a
 * temporary redirect file that only its owner can read.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { escapeHtml } from "../../output/markup.ts";
import { UsageError } from "../../resources/errors.ts";
import type { Context } from "../context/context.ts";

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Lifetime of the redirect file, in milliseconds. */
const keptMs = 60_000;

/**
 * Opens an address, and reports it.
 *
 * @throws UsageError `NoBrowser`, whose message contains the address
 */
export async function openInBrowser(ctx: Context, url: string): Promise<void> {
  await startBrowser(ctx, url);
  ctx.out.say(`Opened ${url}`);
}

/**
 * Starts a browser with an address.
 *
 * @returns a message for a late failure: some launchers look for a browser only after they started
 * @throws UsageError `NoBrowser`, whose message contains the address
 */
export async function startBrowser(
  ctx: Pick<Context, "env">,
  url: string,
  { deleteAfterMs = keptMs } = {},
): Promise<{ readonly failed: Promise<void> }> {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new UsageError("NoBrowser", `The service gave ${url}, which is no address of a page.`);
  }
  const browserWords = ctx.env.BROWSER?.split(" ").filter((word) => word !== "");
  const [program = "xdg-open", ...words] = browserWords?.length
    ? browserWords
    : (openers[process.platform] ?? ["xdg-open"]);
  const file = redirectFile(parsed.href, deleteAfterMs);
  const child = spawn(program, [...words, file], {
    stdio: "ignore",
    detached: true,
    env: foreignVariables(process.env),
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.once("spawn", resolve);
  child.once("error", (cause) => {
    const message = `Cannot start a browser (${program}); open ${url} yourself.`;
    reject(new UsageError("NoBrowser", message, [], { cause }));
  });
  await promise;
  const failed = new Promise<void>((whenFailed) => {
    child.once("exit", (code) => {
      if (code !== 0 && code !== null) whenFailed();
    });
  });
  child.unref();
  return { failed };
}

/** Writes a redirect file, which a separate process deletes later, and returns its address. */
function redirectFile(url: string, deleteAfterMs: number): string {
  const folder = mkdtempSync(join(tmpdir(), "acct-open-"));
  const file = join(folder, "open.html");
  const to = escapeHtml(url);
  writeFileSync(
    file,
    `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">` +
      `<meta http-equiv="refresh" content="0;url=${to}"><title>acct</title><a href="${to}">Open</a>\n`,
    { mode: 0o600, flag: "wx" },
  );
  const script = "setTimeout(fs.rmSync, process.argv[2], process.argv[1], { recursive: true })";
  // A single executable cannot run a script of Node.
  const [program, ...words] =
    process.platform === "win32"
      ? [process.execPath, "--input-type=commonjs", "--eval", script, folder, String(deleteAfterMs)]
      : ["sh", "-c", 'sleep "$0"; rm -r "$1"', String(deleteAfterMs / 1000), folder];
  const options = { stdio: "ignore", detached: true, env: foreignVariables(process.env) } as const;
  spawn(program as string, words, options).unref();
  return pathToFileURL(file).href;
}

/** Returns the environment without the program's own variables, such as tokens. */
function foreignVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("ACCT_")));
}
