/**
 * A PostgreSQL server to throw away, from the programs that are installed.
 *
 * It lies in a folder of its own, listens on a socket in it and on no port, and lets in everybody who
 * can reach that. The server refuses to run as root, so root runs it as the user `postgres`.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Client } from "pg";

/** Where distributions put the programs of the server, which are seldom on the path. */
const usualPlaces = [
  "/usr/lib/postgresql/*/bin",
  "/usr/pgsql-*/bin",
  "/usr/local/pgsql/bin",
  "/usr/local/opt/postgresql*/bin",
  "/opt/homebrew/opt/postgresql*/bin",
];

/** The folder of the newest `initdb` and `postgres`; undefined where there are none. */
export function findPostgres(): string | undefined {
  const onPath = (process.env.PATH ?? "").split(delimiter);
  const versionOf = (folder: string) => Number(/(\d+)/.exec(folder)?.[1] ?? 0);
  const usual = globSync(usualPlaces).sort((a, b) => versionOf(b) - versionOf(a));
  return [...usual, ...onPath].find((folder) =>
    ["initdb", "postgres"].every((program) => existsSync(join(folder, program))),
  );
}

export interface Cluster {
  /** `postgres://…` of the database `postgres`. */
  readonly url: string;
  /** The folder of its programs, such as pgbench. */
  readonly programs: string;
  /** The folder of its socket, which stands for its host. */
  readonly folder: string;
  /** Ends the server as a power cut does. */
  end(): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
  /** Ends the server as a power cut does, and starts it again. */
  restart(): Promise<void>;
  /** Ends the server, and removes all it held. */
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** Whether a commit waits for the disk: not where the books are thrown away anyway. */
  readonly durable?: boolean;
  /** Of the server, `archive_mode=on`. */
  readonly settings?: readonly string[];
  /** Makes the folder of its data, as the user that runs the server; a new one when not given. */
  readonly make?: (data: string, person: Person) => void;
}

/** @throws Error where PostgreSQL is not installed, or does not start */
export async function startCluster({
  durable = false,
  settings = [],
  make,
}: ClusterOptions = {}): Promise<Cluster> {
  const programs = findPostgres();
  if (programs === undefined) throw new Error("PostgreSQL is not installed.");
  const folder = mkdtempSync(join(tmpdir(), "acct-pg-"));
  const person = serverUser();
  if (person !== undefined) chownSync(folder, person.uid, person.gid);
  const data = join(folder, "data");
  if (make !== undefined) make(data, person);
  else {
    const made = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"];
    execFileSync(join(programs, "initdb"), [...made, "--no-sync"], {
      ...person,
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  const run = { data, folder, person, durable, settings };
  const start = () => startServer(join(programs, "postgres"), run);
  let server = await start();
  const atExit = () => {
    server.kill("SIGQUIT");
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  };
  process.once("exit", atExit);
  const end = async () => {
    const ended = once(server, "exit");
    if ((server.exitCode ?? server.signalCode) === null && server.kill("SIGQUIT")) await ended;
  };
  return {
    url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`,
    programs,
    folder,
    end,
    async start() {
      server = await start();
    },
    async restart() {
      await end();
      server = await start();
    },
    async stop() {
      process.off("exit", atExit);
      await end();
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** A Citus cluster, whose nodes reach each other by their sockets. */
export interface Spread extends Cluster {
  readonly workers: readonly Cluster[];
  /** Makes a database on all nodes. @returns its address */
  database(name: string): Promise<string>;
  /** Starts one more worker for a database, on which nothing lies yet. */
  add(name: string): Promise<Cluster>;
}

/** Whether Citus is installed for the newest PostgreSQL. */
export function hasCitus(): boolean {
  const programs = findPostgres();
  if (programs === undefined || !existsSync(join(programs, "pg_config"))) return false;
  const told = execFileSync(join(programs, "pg_config"), ["--sharedir"], { encoding: "utf8" });
  return existsSync(join(told.trim(), "extension", "citus.control"));
}

/** Starts a coordinator with two workers. */
export async function startSpread(): Promise<Spread> {
  const settings = ["shared_preload_libraries=citus", "wal_level=logical"];
  const locks = ["max_locks_per_transaction=256", "max_prepared_transactions=200"];
  const started = async () => {
    const node = await startCluster({ durable: true, settings: [...settings, ...locks] });
    // By which a coordinator connects to itself.
    await ask(node, "postgres", `alter system set citus.local_hostname = '${node.folder}'`);
    await ask(node, "postgres", "select pg_reload_conf()");
    return node;
  };
  const coordinator = await started();
  const workers = [await started(), await started()];
  const addTo = async (name: string, worker: Cluster) => {
    await ask(worker, "postgres", `create database ${name} template template0`);
    await ask(worker, name, "create extension citus");
    await ask(coordinator, name, `select citus_add_node('${worker.folder}', 5432)`);
  };
  return {
    ...coordinator,
    workers,
    async database(name) {
      await ask(coordinator, "postgres", `create database ${name} template template0`);
      await ask(coordinator, name, "create extension citus");
      for (const worker of workers) await addTo(name, worker);
      return addressOn(coordinator, name);
    },
    async add(name) {
      const worker = await started();
      workers.push(worker);
      await addTo(name, worker);
      return worker;
    },
    async stop() {
      for (const each of [coordinator, ...workers]) await each.stop();
    },
  };
}

function addressOn({ url }: Cluster, database: string): string {
  const address = new URL(url);
  address.pathname = database;
  return address.href;
}

async function ask(cluster: Cluster, database: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: addressOn(cluster, database) });
  await client.connect();
  await client.query(statement);
  await client.end();
}

export type Person = { readonly uid: number; readonly gid: number } | undefined;

/** Who runs the server: whoever runs this, unless that is root. */
export function serverUser(): Person {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) =>
    Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }).trim());
  return { uid: idOf("-u"), gid: idOf("-g") };
}

interface Run {
  readonly data: string;
  readonly folder: string;
  readonly person: Person;
  readonly durable: boolean;
  readonly settings: readonly string[];
}

async function startServer(program: string, run: Run): Promise<ChildProcess> {
  const quick = ["fsync=off", "full_page_writes=off", "synchronous_commit=off"];
  const settings = [
    "listen_addresses=",
    `unix_socket_directories=${run.folder}`,
    "max_connections=200",
    "shared_buffers=256MB",
    "jit=off",
    ...(run.durable ? [] : quick),
    ...run.settings,
  ];
  const words = ["-D", run.data, ...settings.flatMap((setting) => ["-c", setting])];
  const server = spawn(program, words, {
    ...run.person,
    cwd: run.folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  await new Promise<void>((resolve, reject) => {
    server.once("exit", (code) => reject(new Error(`PostgreSQL ended with ${code}: ${said}`)));
    server.once("error", reject);
    server.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("ready to accept connections")) resolve();
    });
  });
  server.removeAllListeners("exit");
  server.stderr?.removeAllListeners("data").resume();
  return server;
}
