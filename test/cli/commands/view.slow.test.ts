/** `acct view` as it is run: the address, the browser, Ctrl-C, read-only work, and a service elsewhere. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { fileMade } from "../../support/file-made.ts";
import { openedPage } from "../../support/signs-in.ts";
import { textOf } from "../../web/browsing.ts";
import { type Office, openOffice, signInAt } from "../office.ts";
import { Machine, type Running } from "../signed-in.ts";

/** Of a program that may have ended, or be of somebody else. */
function readable(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

/** Waits until the command says that it can be ended, and gives the address it has printed. */
async function addressOf(running: Running): Promise<string> {
  let stdout = "";
  running.child.stdout?.on("data", (text: string) => {
    stdout += text;
  });
  await running.waitFor(/Ctrl-C ends it\.\n/);
  return stdout.trim();
}

/** Exchanges the key of an address for a cookie, and asks for pages with it. */
async function enter(url: string) {
  const answer = await fetch(url, { redirect: "manual" });
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const { origin } = new URL(url);
  return async (path: string) => {
    const page = await fetch(`${origin}${path}`, { headers: { cookie } });
    return { status: page.status, html: await page.text() };
  };
}

describe("acct view", { timeout: 600_000 }, () => {
  let office: Office;

  beforeAll(async () => {
    office = await openOffice();
  });
  afterAll(() => office.close());

  async function viewed(...words: string[]): Promise<{ url: string; running: Running }> {
    const running = office.machine.start(["view", "--no-open", "--book", office.book, ...words]);
    onTestFinished(async () => {
      running.child.kill("SIGKILL");
      await running.done;
    });
    return { url: await addressOf(running), running };
  }

  test("acct view prints a local address, and ends on Ctrl-C", async () => {
    const { url, running } = await viewed();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?key=[\w-]{43}$/);
    const see = await enter(url);
    expect(textOf((await see("/invoices")).html)).toContain("INV-0001");
    running.child.kill("SIGINT");
    expect(await running.done).toMatchObject({ code: 130 });
    await expect(see("/invoices")).rejects.toThrow();
  });

  test("acct view prints the address as JSON with -o json, on the port of --port", async () => {
    const { url } = await viewed("-o", "json", "--port", "0");
    expect(JSON.parse(url)).toEqual({ Url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\//) });
  });

  test("acct view shows the changes that other commands make meanwhile", async () => {
    const see = await enter((await viewed()).url);
    expect((await see("/contacts?q=Tui")).html).not.toContain("Tui Traders");
    await office.ok(["contact", "create", "--name", "Tui Traders"]);
    expect((await see("/contacts?q=Tui")).html).toContain("Tui Traders");
  });

  test("the key of acct view is in no process argument or environment while the browser starts", async () => {
    const machine = new Machine();
    onTestFinished(() => machine.clear());
    const seen = join(machine.home, "seen");
    const go = join(machine.home, "go");
    const script = `#!/bin/sh\nprintf %s "$1" >'${seen}.part'; mv '${seen}.part' '${seen}'\nread -r _ <'${go}'\n`;
    writeFileSync(join(machine.home, "slow"), script, { mode: 0o755 });
    execFileSync("mkfifo", [go]);
    const running = machine.start(["view", "--book", office.book], {
      BROWSER: join(machine.home, "slow"),
      ACCT_TOKEN: "a-token-of-the-person",
    });
    onTestFinished(async () => {
      writeFileSync(go, "\n");
      running.child.kill("SIGKILL");
      await running.done;
    });
    await fileMade(seen);
    const file = readFileSync(seen, "utf8");
    expect(statSync(new URL(file)).mode & 0o777).toBe(0o600);
    const url = openedPage(file);
    const key = new URL(url).searchParams.get("key") ?? "";
    expect(key).toHaveLength(43);
    for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      for (const part of ["cmdline", "environ"]) {
        const text = readable(`/proc/${id}/${part}`);
        expect([id, part, text.includes(key)]).toEqual([id, part, false]);
      }
    }
    // It is good once.
    const see = await enter(url);
    expect((await see("/invoices")).status).toBe(200);
    expect((await fetch(url, { redirect: "manual" })).status).toBe(403);
  });

  test("acct view opens a browser with the address", async () => {
    const machine = new Machine();
    onTestFinished(() => machine.clear());
    const running = machine.start(["view", "--book", office.book]);
    onTestFinished(async () => {
      running.child.kill("SIGKILL");
      await running.done;
    });
    expect(await addressOf(running)).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    // This browser keeps no cookies: it spends the key, and sees that it needs one.
    expect(textOf(await machine.page())).toContain("The books are not open here");
  });

  test("acct view in read-only mode offers no form that changes the book", async () => {
    const file = join(office.machine.home, "line.csv");
    const { writeFileSync } = await import("node:fs");
    writeFileSync(file, "Date,Amount,Payee,Description\n2026-03-01,138.00,Moa Coffee,INV-0001\n");
    await office.ok([
      "account",
      "create",
      "--code",
      "095",
      "--name",
      "Till",
      "--type",
      "BANK",
      "--bank-account-number",
      "12-3456-7890123-00",
    ]);
    await office.ok(["bank", "import", file, "--account", "095"]);
    const open = await enter((await viewed()).url);
    expect((await open("/bank/095/reconcile")).html).toContain('<button class="act');
    const closed = await enter((await viewed("--read-only")).url);
    const { status, html } = await closed("/bank/095/reconcile");
    expect(status).toBe(200);
    expect(html).toContain("INV-0001");
    expect(html).not.toContain('method="post"');
  });

  test("acct view shows the book of the service that the user is signed in to", async () => {
    const machine = new Machine();
    onTestFinished(() => machine.clear());
    await signInAt(office, machine);
    const running = machine.start(["view", "--no-open"]);
    onTestFinished(async () => {
      running.child.kill("SIGKILL");
      await running.done;
    });
    const see = await enter(await addressOf(running));
    for (const path of ["/", "/invoices", "/reports/balance-sheet", "/accounts/200"]) {
      const { status, html } = await see(path);
      expect(status, textOf(html)).toBe(200);
    }
    expect((await see("/invoices")).html).toContain("INV-0001");
  });

  test("acct view that cannot start is refused with the reason", async () => {
    const run = (...words: string[]) => office.machine.run(["view", "--no-open", ...words]);
    expect(await run("--book", join(office.machine.home, "none.acct"), "--no-input")).toMatchObject(
      {
        code: 2,
      },
    );
    expect(await run("--book", office.book, "--port", "many")).toMatchObject({
      code: 2,
      stderr: 'acct: --port takes a number from 0 to 65535, not "many".\n',
    });
    const { running, url } = await viewed();
    const { port } = new URL(url);
    const taken = await run("--book", office.book, "--port", port);
    expect(taken.stderr).toContain("another program has it; choose another with --port");
    expect(running.child.exitCode).toBeNull();
    expect(readFileSync(office.book).length).toBeGreaterThan(0);
  });
});
