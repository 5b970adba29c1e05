/**
 * A served book with people in it: the built program on a port, an app to sign in with, and a proxy
 * before its token endpoint, which counts requests and injects faults.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import { Browser } from "../service/auth/served.ts";
import { Machine, type Ran, type SignInFile } from "./signed-in.ts";

export const person = { email: "ana@heron.example", password: "correct horse battery" };
export const organisation = "Heron Street Framing";
/** Of two offices, by name. */
export const organisations = ["Blue Kiln Pottery", "Quay Street Bikes & Sons"];

const bin = join(import.meta.dirname, "..", "..", "bin", "acct.js");

export interface Office {
  readonly baseUrl: string;
  readonly origin: string;
  /** The machine on which the book lies. */
  readonly machine: Machine;
  /** Its file, or the folder of several. */
  readonly book: string;
  readonly clientId: string;
  /** What the service has said on stderr so far. */
  said(): string;
  /** Runs a command on what is served itself, and gives what it prints. */
  ok(words: readonly string[], stdin?: string): Promise<string>;
  close(): Promise<void>;
}

/** Opens a book with one invoice, one person and one app, and serves it. @param flags  of `serve` */
export async function openOffice(...flags: string[]): Promise<Office> {
  const machine = new Machine();
  const book = join(machine.home, "heron.acct");
  const where = ["--book", book];
  const ok = okOn(machine, where);
  await ok(["init", "--name", organisation, "--country", "NZ"]);
  await ok(["contact", "create", "--name", "Moa Coffee"]);
  const line = ["--line", "description=Frame,unit-amount=120,account=200"];
  await ok(["invoice", "create", "--contact", "Moa Coffee", "--status", "AUTHORISED", ...line]);
  await ok([...employed, "--password-stdin"], `${person.password}\n`);
  return opened(machine, book, where, ok, flags);
}

/** Opens a folder with the books of two organisations, for both of which the person works. */
export async function openTwoOffices(): Promise<Office> {
  const machine = new Machine();
  const folder = join(machine.home, "books");
  const where = ["--data", folder];
  const ok = okOn(machine, where);
  for (const name of organisations) {
    await ok(["init", "--name", name, "--country", "NZ"]);
    await ok(["contact", "create", "--name", `Friend of ${name}`, "--tenant", name]);
  }
  const [first = "", second = ""] = organisations;
  const password = `${person.password}\n`;
  await ok([...employed, "--password-stdin", "--tenant", first], password);
  await ok([...employed, "--tenant", second]);
  return opened(machine, folder, where, ok);
}

const employed = ["user", "add", person.email, "--role", "adviser", "--name", "Ana Reid"];

/** Runs commands on what is served, each of which must succeed. */
function okOn(machine: Machine, where: readonly string[]): Office["ok"] {
  return async (words, stdin = "") => {
    const { child, done } = machine.start([...words, ...where]);
    child.stdin?.end(stdin);
    const { code, stdout, stderr } = await done;
    if (code !== 0) throw new Error(`acct ${words.join(" ")} ended with ${code}: ${stderr}`);
    return stdout;
  };
}

/** Adds the app, and serves what is there. */
async function opened(
  machine: Machine,
  book: string,
  where: readonly string[],
  ok: Office["ok"],
  flags: readonly string[] = [],
): Promise<Office> {
  const kind = ["--kind", "pkce", "--redirect-uri", "http://127.0.0.1/callback"];
  const { ClientID } = JSON.parse(await ok(["app", "add", "Desk", ...kind, "-o", "json"]));
  const served = await serve(machine, [...where, ...flags]);
  return {
    ...served,
    machine,
    book,
    clientId: ClientID,
    ok,
    close: async () => {
      served.process.kill("SIGKILL");
      await once(served.process, "exit");
      machine.clear();
    },
  };
}

async function serve(machine: Machine, flags: readonly string[]) {
  const words = [bin, "serve", "--port", "0", "--no-rate-limit", ...flags];
  const process_: ChildProcess = spawn(process.execPath, words, {
    env: machine.env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  process_.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const address = /http:\/\/127\.0\.0\.1:\d+/;
  while (!address.test(said)) {
    await Promise.race([once(process_.stderr as never, "data"), once(process_, "exit")]);
    if ((process_.exitCode ?? process_.signalCode) !== null)
      throw new Error(`acct serve ended: ${said}`);
  }
  const origin = address.exec(said)?.[0] ?? "";
  return { process: process_, origin, baseUrl: `${origin}/api.xro/2.0`, said: () => said };
}

/** Where people sign in. */
export type Door = Pick<Office, "baseUrl" | "clientId" | "origin">;

/** Signs in at a machine as the person would in a browser without script. */
export async function signInAt(office: Office, machine: Machine, as = person): Promise<Ran> {
  const ran = await tryToSignInAs(as, office, machine);
  expect(ran).toMatchObject({ code: 0 });
  return ran;
}

/** The same, with flags for which it may fail once the service has agreed. */
export const tryToSignIn = (office: Door, machine: Machine, ...flags: string[]): Promise<Ran> =>
  tryToSignInAs(person, office, machine, ...flags);

async function tryToSignInAs(
  { email, password }: typeof person,
  { baseUrl, clientId, origin }: Door,
  machine: Machine,
  ...flags: string[]
): Promise<Ran> {
  const where = ["--base-url", baseUrl, "--client-id", clientId, ...flags];
  const running = machine.start(["auth", "login", "--no-browser", ...where]);
  const said = await running.waitFor(/code_challenge=\S+\n/);
  const browser = new Browser(origin);
  const page = await browser.open(/http:\S+code_challenge=\S+/.exec(said)?.[0] ?? "");
  const consent = await browser.signIn(page, email, password);
  const end = await browser.allow(consent);
  expect(await (await fetch(end.url)).text()).toContain("You are signed in");
  return running.done;
}

/** A fault that the proxy puts in place of an answer. */
export type Trick = "cut" | "500" | (() => Promise<void>);

/** A proxy before the token endpoint of an office, for machines with its address. */
export class TokenProxy {
  readonly #server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    this.asked.push(form.get("refresh_token") ?? "");
    const answer = await fetch(`${this.#origin}/connect/token`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: String(form),
    });
    const body = await answer.text();
    this.statuses.push(answer.status);
    const trick = this.tricks.shift();
    if (typeof trick === "function") await trick();
    if (trick === "cut") response.destroy();
    else if (trick === "500") response.writeHead(500).end();
    else response.writeHead(answer.status, { "content-type": "application/json" }).end(body);
  });
  readonly #origin: string;
  /** Refresh tokens that were sent, in order, and the statuses that the service answered with. */
  readonly asked: string[] = [];
  readonly statuses: number[] = [];
  /** For the next answers. */
  readonly tricks: Trick[] = [];

  constructor({ origin }: Office) {
    this.#origin = origin;
  }

  /** Opens it, and leads a signed-in machine through it. */
  async before(machine: Machine): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const { port } = this.#server.address() as AddressInfo;
    const tokenEndpoint = `http://127.0.0.1:${port}/connect/token`;
    machine.change((signIn: SignInFile) => ({ ...signIn, tokenEndpoint }));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
