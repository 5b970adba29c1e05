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
    if (server.exitCode === null && server.kill("SIGQUIT")) await ended;
  };
  return {
    url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`,
    programs,
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
