/**
 * A server that is put back to a moment by a backup and its archived log, as docs/backups.md describes
 * it: what was written by then is there, nothing of later is, and seals say so.
 */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { open } from "../../src/cli/connection/open.ts";
import { run } from "../../src/cli/main.ts";
import { memorySink } from "../../src/cli/render/sinks/sink.ts";
import { type Book, createBook, openBook, verifyBook } from "../../src/service/books/book.ts";
import { isInstalled } from "../shell/desk.ts";
import { type Cluster, type Person, serverUser, startCluster } from "./cluster.ts";

async function asked(url: string, text: string): Promise<readonly string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query({ text, rowMode: "array" });
    return rows.map((row: unknown[]) => String(row[0]));
  } finally {
    await client.end();
  }
}

async function add(book: Book, name: string): Promise<void> {
  const { status } = await book.transport({
    method: "PUT",
    path: "/Contacts",
    query: [],
    headers: { accept: "application/json", "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ Name: name })),
  });
  expect(status).toBe(200);
}

async function namesIn(book: Book): Promise<readonly string[]> {
  const { body } = await book.transport({
    method: "GET",
    path: "/Contacts",
    query: [["order", "Name"]],
    headers: { accept: "application/json" },
  });
  return JSON.parse(String(body)).Contacts.map(({ Name }: { Name: string }) => Name);
}

/** A command line on the book Quay of a server. */
async function acct(url: string, ...words: readonly string[]) {
  const [stdout, stderr] = [memorySink(), memorySink()];
  const world = { env: { HOME: tmpdir() }, stdout, stderr, clock: Date.now, open };
  const code = await run([...words, "--database", url, "--tenant", "Quay"], world);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** What a way of backing up a server needs, in a folder that its user may write to. */
interface Place {
  readonly folder: string;
  readonly person: Person;
}

interface Way {
  /** Of the server, from its beginning. */
  readonly settings: readonly string[];
  /** A whole backup. */
  backUp(server: Cluster): Promise<void>;
  /** What changed since, where that is something else. */
  backUpAgain?(server: Cluster): Promise<void>;
  /** Makes the data of a server that goes back to a moment when it is started. */
  restore(data: string, moment: string): void;
}

function withBaseBackup({ folder, person }: Place): Way {
  const [wal, base] = [join(folder, "wal"), join(folder, "base")];
  mkdirSync(wal);
  if (person !== undefined) chownSync(wal, person.uid, person.gid);
  return {
    settings: [
      "archive_mode=on",
      `archive_command=test ! -f ${wal}/%f && cp %p ${wal}/%f`,
      "archive_timeout=60",
    ],
    async backUp({ url, programs }) {
      execFileSync(
        join(programs, "pg_basebackup"),
        [`--dbname=${url}`, `--pgdata=${base}`, "--checkpoint=fast", "--wal-method=none"],
        { ...person, cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
      );
    },
    restore(data, moment) {
      cpSync(base, data, { recursive: true });
      const lines = [
        `restore_command = 'cp ${wal}/%f %p'`,
        `recovery_target_time = '${moment}'`,
        "recovery_target_action = 'promote'",
      ];
      appendFileSync(join(data, "postgresql.auto.conf"), `${lines.join("\n")}\n`);
      writeFileSync(join(data, "recovery.signal"), "");
      if (person !== undefined) {
        execFileSync("chown", ["-R", `${person.uid}:${person.gid}`, data]);
      }
      execFileSync("chmod", ["700", data]);
    },
  };
}

/** By the lines of the document, with the folders and the moment of the test. */
function withPgBackRest({ folder, person }: Place): Way {
  const page = readFileSync(new URL("../../docs/backups.md", import.meta.url), "utf8");
  const section = page.slice(page.indexOf("### With pgBackRest"));
  const [file, settings, first, again, back] = [...section.matchAll(/^```\w+\n(.*?)^```$/gms)].map(
    ([, text = ""]) => text,
  );
  const config = join(folder, "pgbackrest.conf");
  const real = { "/backup/pgbackrest": join(folder, "repository") };
  vi.stubEnv("PGBACKREST_CONFIG", config);
  for (const place of ["log", "lock", "spool"]) {
    vi.stubEnv(`PGBACKREST_${place.toUpperCase()}_PATH`, join(folder, place));
  }
  onTestFinished(() => void vi.unstubAllEnvs());
  const replaced = (text = "", swaps: Readonly<Record<string, string>> = {}) =>
    Object.entries({ ...real, ...swaps }).reduce((all, [a, b]) => all.replaceAll(a, b), text);
  /** Those that are neither for a server nor for `acct`. */
  const commands = (text: string) => {
    const lines = text.split("\n").filter((line) => /^(pgbackrest|mkdir) /.test(line));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      execFileSync("sh", ["-c", line], {
        ...person,
        cwd: folder,
        stdio: ["ignore", "pipe", "pipe"],
      });
    }
  };
  const socket = async ({ url }: Cluster) => {
    const [data = "", sockets = ""] = [
      ...(await asked(url, "show data_directory")),
      ...(await asked(url, "show unix_socket_directories")),
    ];
    vi.stubEnv("PGHOST", sockets);
    return data;
  };
  return {
    settings: (settings ?? "")
      .split("\n")
      .filter((line) => line.includes(" = "))
      .map((line) => line.replace(/^(\w+) = '?(.*?)'?$/, "$1=$2")),
    async backUp(server) {
      const data = await socket(server);
      writeFileSync(config, replaced(file, { "/var/lib/postgresql/15/main": data }));
      commands(replaced(first));
    },
    async backUpAgain() {
      commands(replaced(again));
    },
    restore(data, moment) {
      const swaps = { "/var/lib/postgresql/restored": data, "2026-03-05 14:30:00+13": moment };
      commands(replaced(back, swaps));
    },
  };
}

const hasPgBackRest = isInstalled("pgbackrest", "a server put back to a moment by pgBackRest");

describe.each([
  ["pg_basebackup", withBaseBackup],
  ...(hasPgBackRest ? [["pgBackRest", withPgBackRest] as const] : []),
] as const)("a point-in-time restore by %s", (_, wayIn) => {
  test("a server is restored to a moment between two writes, and an earlier seal proves the restored book", async () => {
    const folder = mkdtempSync(join(tmpdir(), "acct-pitr-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const person = serverUser();
    if (person !== undefined) chownSync(folder, person.uid, person.gid);
    const way = wayIn({ folder, person });
    const first = await startCluster({ durable: true, settings: way.settings });
    let isStopped = false;
    onTestFinished(() => (isStopped ? undefined : first.stop()));
    const book = await createBook(first.url, { name: "Quay", country: "NZ" });
    await add(book, "Ana");
    await way.backUp(first);
    await add(book, "Bo");
    await way.backUpAgain?.(first);
    await add(book, "Cy");
    const sealed = async (name: string) => {
      const seal = join(folder, name);
      writeFileSync(seal, (await acct(first.url, "book", "seal")).stdout);
      return seal;
    };
    const before = await sealed("before.seal");
    const [moment = ""] = await asked(first.url, "select clock_timestamp()::text");
    await add(book, "Di");
    const after = await sealed("after.seal");
    await book.close();
    const [segment = ""] = await asked(first.url, "select pg_walfile_name(pg_switch_wal())");
    const archived = () =>
      asked(
        first.url,
        `select coalesce(max(last_archived_wal), '') >= '${segment}' from pg_stat_archiver`,
      );
    await expect.poll(archived, { timeout: 600_000 }).toEqual(["true"]);
    await first.stop();
    isStopped = true;

    const restored = await startCluster({
      durable: true,
      make: (data) => way.restore(data, moment),
    });
    onTestFinished(() => restored.stop());
    const again = await openBook(`${restored.url}#Quay`);
    onTestFinished(() => again.close());
    expect(await namesIn(again)).toEqual(["Ana", "Bo", "Cy"]);
    const since = (seal: string) => acct(restored.url, "book", "verify", "--since", seal);
    expect(await since(before)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/What was sealed on .* stands as it was\.\n/),
    });
    expect(await since(after)).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(
        /The chain ends with link \d+, but \d+ were sealed: what was written last/,
      ),
    });
    // It is a server like any other from now on.
    await add(again, "Di");
    expect((await verifyBook(again)).faults).toEqual([]);
    expect((await since(before)).code).toBe(0);
  });
});
