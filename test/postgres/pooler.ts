/** A PgBouncer to throw away, before a server to throw away. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, serverUser } from "./cluster.ts";

export const hasPooler = spawnSync("pgbouncer", ["--version"]).status === 0;

export interface Pooler {
  /** `postgres://…` of the database `postgres` through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a pooler with ten connections to the server, each given for a transaction. */
export async function startPooler(cluster: Cluster): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), "acct-pooler-"));
  const person = serverUser();
  const server = new URL(cluster.url).searchParams.get("host");
  const settings = join(folder, "pgbouncer.ini");
  writeFileSync(
    settings,
    `[databases]
* = host=${server} user=postgres
[pgbouncer]
listen_addr =
unix_socket_dir = ${folder}
auth_type = any
pool_mode = transaction
default_pool_size = 10
max_client_conn = 400
`,
  );
  for (const path of person === undefined ? [] : [folder, settings]) {
    chownSync(path, person?.uid ?? 0, person?.gid ?? 0);
  }
  const pooler = spawn("pgbouncer", [settings], { ...person, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  await new Promise<void>((resolve, reject) => {
    pooler.once("error", reject);
    pooler.once("exit", (code) => reject(new Error(`PgBouncer ended with ${code}: ${said}`)));
    pooler.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("process up")) resolve();
    });
  });
  pooler.removeAllListeners("exit");
  return {
    url: `postgres://postgres@localhost:6432/postgres?host=${encodeURIComponent(folder)}`,
    async stop() {
      const ended = once(pooler, "exit");
      pooler.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}
