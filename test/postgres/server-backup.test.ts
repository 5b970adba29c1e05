/** Backups of a database that is served. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, inject } from "vitest";
import { copiedServers } from "../cli/server-copies.ts";
import { databaseOn, onServer } from "./setup.ts";

const home = mkdtempSync(join(tmpdir(), "acct-server-"));
const { server } = inject("postgres");
const made: string[] = [];

async function database(): Promise<readonly string[]> {
  const name = `acct_copied_${process.pid}_${made.length}`;
  made.push(name);
  await onServer(server, `create database ${name} encoding 'UTF8' template template0`);
  return ["--database", databaseOn(server, name)];
}

let where: readonly string[] = [];
beforeAll(async () => {
  where = await database();
});
afterAll(async () => {
  await onServer(server, ...made.map((name) => `drop database ${name} with (force)`));
  rmSync(home, { recursive: true, force: true });
});

copiedServers(() => ({ where, elsewhere: database, kills: 4 }), home);
