/** Shows an address in the person's browser. */
import { spawn } from "node:child_process";
import { UsageError } from "../../resources/errors.ts";
import type { Context } from "../framework/context.ts";

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens an address, and says so. @throws UsageError `NoBrowser`, which holds the address */
export async function openInBrowser(ctx: Context, url: string): Promise<void> {
  await startBrowser(ctx, url);
  ctx.out.say(`Opened ${url}`);
}

/**
 * Starts a browser with an address.
 *
 * @returns what is told when it was started in vain: some programs look for a browser only then
 * @throws UsageError `NoBrowser`, which holds the address
 */
export async function startBrowser(
  ctx: Pick<Context, "env">,
  url: string,
): Promise<{ readonly failed: Promise<void> }> {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new UsageError("NoBrowser", `The service gave ${url}, which is no address of a page.`);
  }
  const chosen = ctx.env.BROWSER?.split(" ").filter((word) => word !== "");
  const [program = "xdg-open", ...words] = chosen?.length
    ? chosen
    : (openers[process.platform] ?? ["xdg-open"]);
  const child = spawn(program, [...words, parsed.href], { stdio: "ignore", detached: true });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.once("spawn", resolve);
  child.once("error", (cause) => {
    const message = `Cannot start a browser (${program}); open ${url} yourself.`;
    reject(new UsageError("NoBrowser", message, [], { cause }));
  });
  await promise;
  const failed = new Promise<void>((tell) => {
    child.once("exit", (code) => {
      if (code !== 0 && code !== null) tell();
    });
  });
  child.unref();
  return { failed };
}
