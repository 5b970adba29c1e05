/** `acct view`: shows the book in a browser on this machine. */
import { closeAtBlockEnd } from "../../platform/disposal.ts";
import { UsageError } from "../../resources/errors.ts";
import { readOnlyReason } from "../connection/guard.ts";
import { startBrowser } from "../connection/open-browser.ts";
import type { Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { readPort } from "../values/port.ts";

export const viewCommand = command("view", "the books in your browser")
  .answers("nothing")
  .switch("no-open", "print the address, and start no browser")
  .switch("no-browser", "the same")
  .flag("port", "on which port of this machine; any free one when not given", {
    placeholder: "N",
    read: readPort("port"),
  })
  .note(
    "Every page is read from the book as it is at that moment: an overview, lists with filters, " +
      "reports whose figures lead to their postings and on to their documents, and the lines of " +
      "bank statements beside what they may be. Documents are approved, paid, emailed and given files " +
      "and notes, and bank lines reconciled; all else is changed at the terminal.",
  )
  .note(
    "The address is of this machine alone, and bears a key that is good once: whoever opens it " +
      "first sees the books until Ctrl-C ends the command. The browser gets it by a file that you alone " +
      "can read, and which is gone after a minute; it is printed where no browser is started.",
  )
  .note("acct serve --pages shows the same pages to people who sign in.")
  .example("acct view")
  .example("acct view --no-open --port 8080")
  .action(view);

interface ViewOptions {
  readonly noBrowser?: boolean | undefined;
  readonly noOpen?: boolean | undefined;
  readonly port?: number | undefined;
}

/**
 * Serves the pages until Ctrl-C.
 *
 * @throws InterruptedError on Ctrl-C
 */
async function view(
  ctx: Context,
  { noBrowser = false, noOpen = noBrowser, port = 0 }: ViewOptions,
): Promise<void> {
  if (ctx.flags.dryRun) {
    throw new UsageError("BadFlags", "acct view knows no --dry-run; leave it out.");
  }
  const { open } = await import("../connection/open.ts");
  const { openView } = await import("../../web/local.ts");
  await using client = closeAtBlockEnd((await open({ ...ctx, writes: true })).client);
  await using localPages = closeAtBlockEnd(
    await openView({
      client,
      clock: ctx.clock,
      port,
      mayWrite: readOnlyReason(ctx) === undefined,
      report: (error) => ctx.out.say(`A page failed: ${String(error)}`),
    }),
  );
  const url = !noOpen && (await isShown(ctx, localPages.url)) ? localPages.origin : localPages.url;
  await ctx.out.value({ Url: url }, url);
  ctx.out.say("Ctrl-C ends it.");
  await untilAborted(ctx.interrupted);
  ctx.interrupted.throwIfAborted();
}

/** Starts a browser; false where there is none, so that the user opens the printed address. */
async function isShown(ctx: Context, url: string): Promise<boolean> {
  try {
    await startBrowser(ctx, url);
    return true;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    ctx.out.say("No browser could be started: open the address yourself.");
    return false;
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}
