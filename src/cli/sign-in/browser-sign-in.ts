/**
 * Signs a user in: by a browser with a redirect to this machine, or by copy and paste from another.
 */

import { type LastPage, type Loopback, openLoopback } from "../../client/session/loopback.ts";
import {
  type App,
  type Authority,
  type Begun,
  beginSignIn,
  belongsTo,
  redeem,
  type Tokens,
} from "../../client/session/oauth.ts";
import type { Web } from "../../client/session/web.ts";
import { closeAtBlockEnd } from "../../platform/disposal.ts";
import { AuthError, UsageError } from "../../resources/errors.ts";
import { counted } from "../../resources/scalar.ts";
import { startBrowser } from "../connection/open-browser.ts";
import type { Context } from "../context/context.ts";
import { isTerminal } from "../framework/global-flags.ts";
import type { Service } from "./service-choice.ts";

export interface BrowserOptions {
  readonly noBrowser?: boolean | undefined;
  /** Maximum wait for the user, in seconds. */
  readonly timeout?: number | undefined;
}

/** The parameters of the redirect, and a function that shows the result in the browser. */
interface Came {
  readonly parameters: URLSearchParams;
  readonly show: (page: LastPage) => Promise<void>;
}

const timeoutS = 300;

const doneTitle = "You are signed in";
const failedTitle = "You are not signed in";

/**
 * Runs the sign-in.
 *
 * @throws AuthError when the user or service refused, or the wait timed out
 */
export async function signInByBrowser(
  ctx: Context,
  web: Web,
  authority: Authority,
  service: Service,
  app: App,
  options: BrowserOptions,
): Promise<Tokens> {
  let begunSignIn: Begun | undefined;
  await using loopback = closeAtBlockEnd(
    await openLoopback(
      service.redirectUri,
      (parameters) => begunSignIn !== undefined && belongsTo(begunSignIn, parameters),
    ),
  );
  begunSignIn = await beginSignIn(authority, app.clientId, loopback.redirectUri, service.scopes);
  const came = await waitForReturn(ctx, authority, begunSignIn, loopback, options);
  try {
    const tokens = await redeem(web, authority, app, begunSignIn, came.parameters);
    await came.show({ isDone: true, title: doneTitle, text: "Go back to the terminal." });
    return tokens;
  } catch (error) {
    await came.show({ isDone: false, title: failedTitle, text: (error as Error).message });
    throw error;
  }
}

async function waitForReturn(
  ctx: Context,
  authority: Authority,
  begunSignIn: Begun,
  loopback: Loopback,
  options: BrowserOptions,
): Promise<Came> {
  const { timeout = timeoutS } = options;
  ctx.out.say(`To sign in, open this address:\n\n  ${begunSignIn.address}\n`);
  const doneSignal = new AbortController();
  const inTime = AbortSignal.timeout(timeout * 1000);
  const signal = AbortSignal.any([ctx.interrupted, inTime, doneSignal.signal]);
  try {
    return await Promise.race([
      loopback.returned,
      startOrPaste(ctx, authority, begunSignIn, options, signal),
      whenAborted(signal),
    ]);
  } catch (error) {
    if (!inTime.aborted || ctx.interrupted.aborted) throw error;
    const waited = counted(timeout, "second");
    throw new AuthError("TimedOut", `Nobody signed in within ${waited}; nothing was changed.`);
  } finally {
    doneSignal.abort();
  }
}

/** Starts a browser; where there is none, reads the pasted redirect address. */
async function startOrPaste(
  ctx: Context,
  authority: Authority,
  started: Begun,
  { noBrowser = false, timeout = timeoutS }: BrowserOptions,
  signal: AbortSignal,
): Promise<Came> {
  if (!noBrowser && (await isStarted(ctx, started.address, signal))) return neverSettles();
  if (!ctx.flags.input) {
    const longest = counted(timeout, "second");
    ctx.out.say(`Waiting up to ${longest} for a sign-in at that address; --timeout changes that.`);
  }
  const text = noBrowser || ctx.flags.input ? await paste(ctx, authority, started, signal) : null;
  return text === null ? neverSettles() : { parameters: text, show: async () => undefined };
}

/**
 * Starts the browser.
 *
 * @returns false when no browser could be started, at once or after a while
 */
async function isStarted(ctx: Context, address: string, signal: AbortSignal): Promise<boolean> {
  if (hasScreen(ctx)) {
    try {
      const { failed } = await startBrowser(ctx, address);
      ctx.out.say("A browser was started with it; waiting for you to sign in there…");
      await Promise.race([failed, whenAborted(signal)]);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
    }
  }
  ctx.out.say("No browser could be started here.");
  return false;
}

/** Whether there is a display, since on Linux without one only text browsers would be found. */
function hasScreen({ env }: Context): boolean {
  if (process.platform !== "linux" || env.BROWSER) return true;
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME);
}

/**
 * Reads the redirect address that the user pastes.
 *
 * @returns null when prompting is not possible
 */
async function paste(
  ctx: Context,
  authority: Authority,
  begunSignIn: Begun,
  signal: AbortSignal,
): Promise<URLSearchParams | null> {
  const message = "Paste the address that the browser ended at, or the code in it";
  const read = (text: string) => parametersIn(text, authority, begunSignIn);
  if (ctx.flags.input) {
    const { input } = await import("@inquirer/prompts");
    const validate = (text: string) => typeof read(text) !== "string" || (read(text) as string);
    const text = await input({ message, validate }, { output: process.stderr, signal });
    return read(text) as URLSearchParams;
  }
  if (isTerminal(0)) return null;
  const line = await firstLine(signal);
  if (line === undefined) return null;
  const parameters = read(line);
  if (typeof parameters !== "string") return parameters;
  throw new UsageError("BadValue", parameters);
}

/** Parses the pasted text to redirect parameters, or returns its fault. */
function parametersIn(text: string, authority: Authority, begun: Begun): URLSearchParams | string {
  const pastedText = text.trim();
  const { searchParams } = URL.parse(pastedText) ?? {};
  if (searchParams !== undefined) {
    if (!searchParams.has("code") && !searchParams.has("error")) {
      return "That address holds no code; it is the one after you agreed that is wanted.";
    }
    return belongsTo(begun, searchParams)
      ? searchParams
      : "That is the address of another sign-in.";
  }
  if (!/^[\w.~+/=-]{8,4096}$/.test(pastedText)) return "That is neither an address nor a code.";
  // A code alone is sufficient: it is useless without the PKCE verifier, which stays in this
  // process.
  return new URLSearchParams({ code: pastedText, state: begun.state, iss: authority.issuer });
}

/** Returns the first non-empty line of standard input; undefined when there is none. */
async function firstLine(signal: AbortSignal): Promise<string | undefined> {
  const { createInterface } = await import("node:readline");
  const lines = createInterface({ input: process.stdin, signal });
  try {
    for await (const line of lines) if (line.trim() !== "") return line;
    return undefined;
  } finally {
    lines.close();
    process.stdin.destroy();
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function neverSettles(): Promise<never> {
  return new Promise(() => undefined);
}
