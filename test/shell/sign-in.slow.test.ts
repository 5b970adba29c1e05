/** Signing in on a real terminal, in the built program. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Authority } from "../cli/authority.ts";
import { newMeeting } from "../cli/meeting.ts";
import { Machine } from "../cli/signed-in.ts";
import { type Desk, isInstalled, openDesk } from "./desk.ts";
import { Terminal } from "./terminal.ts";

const hasTmux = isInstalled("tmux", "signing in on a real terminal");

let authority: Authority;
let machine: Machine;
let desk: Desk;

beforeEach(async () => {
  const met = await newMeeting();
  ({ authority, machine } = met);
  desk = await openDesk();
  return async () => {
    await met.close();
    desk.clear();
  };
});

/** A shell on the machine, into which a sign-in was typed. */
async function typed(...more: readonly string[]): Promise<Terminal> {
  const env = { ...machine.env, PATH: desk.env.PATH ?? "", PS1: "$ ", ENV: "", ACCT_BOOK: "" };
  const terminal = new Terminal(desk, ["sh", "-i"], { env, columns: 120 });
  onTestFinished(() => terminal.close());
  await terminal.waitFor(/^\$$/m);
  terminal.type(["acct", ...Machine.loginWords(authority, ...more)].join(" "));
  terminal.press("Enter");
  return terminal;
}

const shownAddress = /http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+nonce=[\w-]{43}/;

describe.skipIf(!hasTmux)("acct auth login on a terminal", { timeout: 600_000 }, () => {
  test("acct auth login asks for the organisation, and filters the list by the typed name", async () => {
    const terminal = await typed();
    await terminal.waitFor("Which organisation?");
    terminal.type("cafe");
    await terminal.waitFor(/❯ Harbour Cafe/);
    terminal.press("Enter");
    const screen = await terminal.waitFor("The tokens are kept in");
    expect(screen).toContain("Signed in to Harbour Cafe as ann@quay.example.");
    expect(Object.keys(machine.config().profiles)).toEqual(["harbour-cafe"]);
  });

  test("acct auth login accepts a pasted redirect address, and reports a wrong one", async () => {
    const terminal = await typed("--no-browser", "--organisation", "'harbour cafe'");
    const screen = await terminal.waitFor("Paste the address");
    terminal.type("http://127.0.0.1:1/callback?code=theirs&state=theirs");
    terminal.press("Enter");
    await terminal.waitFor("That is the address of another sign-in.");
    const address = shownAddress.exec(screen)?.[0] ?? "";
    const { headers } = await fetch(address, { redirect: "manual" });
    terminal.press("C-u");
    terminal.type(headers.get("location") ?? "");
    terminal.press("Enter");
    await terminal.waitFor("Signed in to Harbour Cafe");
  });

  test("acct auth login continues without a pasted address once the browser has returned", async () => {
    const terminal = await typed("--no-browser", "--organisation", "'harbour cafe'");
    const screen = await terminal.waitFor("Paste the address");
    const page = await fetch(shownAddress.exec(screen)?.[0] ?? "");
    expect(await page.text()).toContain("You are signed in");
    await terminal.waitFor("Signed in to Harbour Cafe");
    await terminal.waitFor(/^\$$/m);
  });

  test("acct auth login never shows a typed secret", async () => {
    const terminal = await typed("--client-credentials", "--organisation", "'harbour cafe'");
    await terminal.waitFor("Secret of the app");
    terminal.type("s3cr3t-of-the-app");
    terminal.press("Enter");
    const screen = await terminal.waitFor("Signed in to Harbour Cafe as the app.");
    expect(screen).not.toContain("s3cr3t");
    expect(machine.signIn().secrets.clientSecret).toBe("s3cr3t-of-the-app");
  });

  test("Ctrl-C at any question of acct auth login leaves no profile behind", async () => {
    const terminal = await typed("--no-browser");
    await terminal.waitFor("Paste the address");
    terminal.press("C-c");
    await terminal.waitFor(/^\$$/m);
    terminal.type('echo "exit $?"');
    terminal.press("Enter");
    await terminal.waitFor("exit 130");
    expect(readdirSync(join(machine.home))).not.toContain(".config");
  });
});
