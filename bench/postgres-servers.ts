/** `acct serve` on a database, as users start it, and tokens to ask it with. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { issueToken, registerApp, registryIn } from "../src/service/auth/apps.ts";
import { userFrom } from "../src/service/books/book.ts";
import { postgresStore } from "../src/store/dialects/postgres/postgres.ts";
import { organisations } from "../src/store/records/organisations.ts";
import { acct, root } from "./measure.ts";
import type { Caller } from "./postgres-load.ts";

export interface Server {
  readonly process: ChildProcess;
  /** Where its API begins. */
  readonly url: string;
}

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const each of running) each.kill("SIGKILL");
});

/**
 * Starts the program that was built. One that ends with a fault ends this one too.
 *
 * @param processes  how many answer at its port
 */
export async function serve(database: string, processes: number): Promise<Server> {
  const flags = ["--database", database, "--port", "0", "--no-rate-limit", "--log", "off"];
  flags.push("--processes", String(processes));
  const child = spawn(process.execPath, [acct, "serve", ...flags], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
  });
  running.add(child);
  child.once("exit", (code) => {
    running.delete(child);
    if (code !== 0) process.exit(1);
  });
  const [said] = await once(child.stderr, "data");
  const url = String(said).trim();
  if (!url.startsWith("http:")) {
    process.stderr.write(`${url}\n`);
    process.exit(1);
  }
  child.stderr.pipe(process.stderr, { end: false });
  return { process: child, url };
}

export async function endServer({ process: child }: Server): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** A machine for each of the first organisations of a database, with a token for half an hour. */
export async function callersIn(database: string, count: number): Promise<Caller[]> {
  const store = await postgresStore(database);
  const callers: Caller[] = [];
  for (const { OrganisationID: tenant } of (await organisations(store)).slice(0, count)) {
    const registry = registryIn(store, tenant, Date.now);
    const { app } = await registerApp(registry, { name: `Bench ${randomUUID()}` }, randomUUID());
    const { token } = await issueToken(registry, app.id, userFrom({}));
    callers.push({ tenant, token });
  }
  await store.close();
  return callers;
}
