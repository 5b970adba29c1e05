/**
 * PostgreSQL under Patroni to throw away: three servers, etcd and HAProxy, each at an address of its own on
 * this machine, configured by the files that the documentation shows.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { vi } from "vitest";
import { findPostgres, serverUser } from "./cluster.ts";

const shown = join(import.meta.dirname, "../../docs/deploy/patroni");
const names = ["pg1", "pg2", "pg3"] as const;
type Name = (typeof names)[number];

/** As Patroni tells it of a server. */
interface Member {
  readonly name: Name;
  readonly role: string;
  readonly state: string;
}

const patience = { timeout: 300_000, interval: 200 };

/** Time to live of the lock of a primary, in milliseconds. */
export const lockMs = 1000 * Number(/^ +ttl: (\d+)/m.exec(fileShown("patroni.yml"))?.[1]);

function fileShown(name: string): string {
  return readFileSync(join(shown, name), "utf8");
}

export class Patroni {
  readonly #folder = mkdtempSync(join(tmpdir(), "acct-patroni-"));
  readonly #person = serverUser();
  /** Of the loopback network, whose addresses are all on this machine. */
  readonly #network = `127.${20 + (process.pid % 200)}.0.`;
  readonly #servers = new Map<Name, ChildProcess>();
  readonly #others: ChildProcess[] = [];

  /** Starts everything, and waits until a commit is kept by two servers. */
  static async start(): Promise<Patroni> {
    const patroni = new Patroni();
    process.once("exit", () => patroni.#end());
    await patroni.#start();
    return patroni;
  }

  async #start(): Promise<void> {
    if (this.#person !== undefined) {
      chownSync(this.#folder, this.#person.uid, this.#person.gid);
    }
    const [own, peers] = [2379, 2380].map((port) => `http://${this.#network}31:${port}`);
    this.#others.push(
      this.#run("etcd", [
        ...[
          "--enable-v2",
          "--data-dir",
          join(this.#folder, "etcd"),
          "--initial-cluster",
          `default=${peers}`,
        ],
        ...[`--listen-client-urls=${own}`, `--advertise-client-urls=${own}`],
        ...[`--listen-peer-urls=${peers}`, `--initial-advertise-peer-urls=${peers}`],
      ]),
    );
    for (const name of names) this.launch(name);
    const balancer = join(this.#folder, "haproxy.cfg");
    writeFileSync(balancer, fileShown("haproxy.cfg").replaceAll("10.0.0.", this.#network));
    this.#others.push(this.#run("haproxy", ["-db", "-f", balancer]));
    await this.settled();
  }

  /** The database `postgres` of whatever server is the primary. */
  get url(): string {
    return `postgres://postgres:known@${this.#network}11:5432/postgres`;
  }

  /** Starts a server, which joins the others. */
  launch(name: Name): void {
    const at = `10.0.0.2${names.indexOf(name) + 1}`;
    const data = join(this.#folder, name);
    // Each has a home for its socket and its file of passwords, which have the same names.
    const home = join(this.#folder, `${name}-home`);
    mkdirSync(home, { recursive: true });
    if (this.#person !== undefined) chownSync(home, this.#person.uid, this.#person.gid);
    const settings = fileShown("patroni.yml")
      .replaceAll("10.0.0.21", at)
      .replaceAll("name: pg1", `name: ${name}`)
      .replace(/data_dir: .*/, `data_dir: ${data}`)
      .replace(/bin_dir: .*/, `bin_dir: ${findPostgres()}`)
      .replaceAll("10.0.0.0/24", `${this.#network}0/24`)
      .replaceAll("10.0.0.", this.#network)
      .concat(`  parameters:\n    unix_socket_directories: ${home}\n`);
    const path = this.#settingsOf(name);
    writeFileSync(path, settings);
    this.#servers.set(name, this.#run("patroni", [path], home));
  }

  #settingsOf(name: Name): string {
    return join(this.#folder, `${name}.yml`);
  }

  #run(program: string, words: readonly string[], home = this.#folder): ChildProcess {
    const log = openSync(join(this.#folder, `${program}.log`), "a");
    return spawn(program, words, {
      ...this.#person,
      cwd: this.#folder,
      stdio: ["ignore", log, log],
      env: {
        PATH: process.env.PATH,
        HOME: home,
        PATRONI_SUPERUSER_PASSWORD: "known",
        PATRONI_REPLICATION_PASSWORD: "known",
      },
    });
  }

  /** The servers as one of them that answers sees them. */
  async #members(): Promise<readonly Member[]> {
    const asked = names.map(async (_, at) => {
      const url = `http://${this.#network}2${at + 1}:8008/cluster`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
      return ((await answer.json()) as { members: readonly Member[] }).members;
    });
    return await Promise.any(asked).catch(() => []);
  }

  /** Waits until all servers are there, one the primary and another with all that it has. */
  async settled(): Promise<void> {
    await vi.waitUntil(async () => {
      const members = await this.#members();
      const roles = members.map(({ role, state }) => `${role} ${state}`).sort();
      return `${roles}` === "leader running,replica running,sync_standby running";
    }, patience);
  }

  /** The server that has a role. */
  async serverOf(role: "leader" | "sync_standby"): Promise<Name> {
    return await vi.waitUntil(
      async () => (await this.#members()).find((each) => each.role === role)?.name,
      patience,
    );
  }

  /** Waits until another server than this is the primary. */
  async replaced(name: Name): Promise<void> {
    await vi.waitUntil(async () => (await this.serverOf("leader")) !== name, patience);
  }

  /** Ends a server as a power cut does. */
  kill(name: Name): void {
    this.signal(name, "SIGKILL");
  }

  /** Sends a signal to all processes of a server at once. */
  signal(name: Name, signal: NodeJS.Signals): void {
    for (const pid of this.#processesOf(name)) {
      try {
        process.kill(pid, signal);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    }
  }

  #processesOf(name: Name): readonly number[] {
    const listed = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" });
    const pairs = listed
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/\s+/).map(Number));
    const found = [this.#servers.get(name)?.pid ?? 0];
    try {
      // The server is a process apart from Patroni, so that it outlives it.
      const file = join(this.#folder, name, "postmaster.pid");
      found.push(Number(readFileSync(file, "utf8").split("\n", 1)[0]));
    } catch {
      // It does not run.
    }
    for (const parent of found) {
      for (const [pid = 0, of] of pairs) if (of === parent && !found.includes(pid)) found.push(pid);
    }
    return found;
  }

  /** Hands the part of the primary over, as an administrator does. */
  async switchOver(from: Name, to: Name): Promise<void> {
    const words = ["switchover", "acct", "--leader", from, "--candidate", to, "--force"];
    await promisify(execFile)("patronictl", ["-c", this.#settingsOf(from), ...words]);
  }

  /** Ends everything, and removes all of it. */
  async stop(): Promise<void> {
    this.#end();
    await Promise.all(
      this.#others.map((each) => each.exitCode ?? each.signalCode ?? once(each, "exit")),
    );
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20 });
  }

  #end(): void {
    for (const name of names) this.kill(name);
    for (const each of this.#others) each.kill("SIGKILL");
  }
}
