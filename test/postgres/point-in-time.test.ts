/**
 * A server that is put back to a moment by a base backup and its archived log, as docs/backups.md
 * describes it: what was written by then is there, nothing of later is, and seals say so.
 */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import {
  type Book,
  createBook,
  headOf,
  openBook,
  verifyBook,
} from "../../src/service/books/book.ts";
import { serverUser, startCluster } from "./cluster.ts";

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
  const { status } = await book.handle({
    method: "PUT",
    path: "/Contacts",
    query: [],
    headers: { accept: "application/json", "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ Name: name })),
  });
  expect(status).toBe(200);
}

async function namesIn(book: Book): Promise<readonly string[]> {
  const { body } = await book.handle({
    method: "GET",
    path: "/Contacts",
    query: [["order", "Name"]],
    headers: { accept: "application/json" },
  });
  return JSON.parse(String(body)).Contacts.map(({ Name }: { Name: string }) => Name);
}

test("a server goes back to a moment between two writes, and a seal of before proves it", async () => {
  const backup = mkdtempSync(join(tmpdir(), "acct-pitr-"));
  onTestFinished(() => rmSync(backup, { recursive: true, force: true }));
  const person = serverUser();
  const [wal, base] = [join(backup, "wal"), join(backup, "base")];
  mkdirSync(wal);
  if (person !== undefined)
    for (const each of [backup, wal]) chownSync(each, person.uid, person.gid);

  const first = await startCluster({
    durable: true,
    settings: [
      "archive_mode=on",
      `archive_command=test ! -f ${wal}/%f && cp %p ${wal}/%f`,
      "archive_timeout=60",
    ],
  });
  let isStopped = false;
  onTestFinished(() => (isStopped ? undefined : first.stop()));
  const book = await createBook(first.url, { name: "Quay", country: "NZ" });
  await add(book, "Ana");
  execFileSync(
    join(first.programs, "pg_basebackup"),
    [`--dbname=${first.url}`, `--pgdata=${base}`, "--checkpoint=fast", "--wal-method=none"],
    { ...person, cwd: backup, stdio: ["ignore", "ignore", "pipe"] },
  );
  await add(book, "Bo");
  const before = await headOf(book);
  const [moment = ""] = await asked(first.url, "select clock_timestamp()::text");
  await add(book, "Cy");
  const after = await headOf(book);
  await book.close();
  const [segment = ""] = await asked(first.url, "select pg_walfile_name(pg_switch_wal())");
  const archived = () =>
    asked(
      first.url,
      `select coalesce(max(last_archived_wal), '') >= '${segment}' from pg_stat_archiver`,
    );
  await expect.poll(archived, { timeout: 30_000 }).toEqual(["true"]);
  await first.stop();
  isStopped = true;

  const restored = await startCluster({
    durable: true,
    make(data) {
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
  });
  onTestFinished(() => restored.stop());
  const again = await openBook(`${restored.url}#Quay`);
  onTestFinished(() => again.close());
  expect(await namesIn(again)).toEqual(["Ana", "Bo"]);
  expect(await headOf(again)).toEqual(before);
  expect((await verifyBook(again, before)).faults).toEqual([]);
  expect((await verifyBook(again, after)).faults).toEqual([
    expect.stringMatching(
      /The chain ends with link \d+, but \d+ were sealed: what was written last/,
    ),
  ]);
  // It is a server like any other from now on.
  await add(again, "Di");
  expect((await verifyBook(again, before)).faults).toEqual([]);
}, 120_000);
