/**
 * The directory: people, apps, connections, sign-in and keys of a server.
 *
 * Apps were kept by organisation before; they become apps that work for that organisation alone.
 * Their tokens, which counted for half an hour, are forgotten.
 */
import { type Kysely, sql } from "kysely";
import { fold } from "../../wire/fold.ts";
import type { Tables } from "../schema.ts";
import {
  createDirectoryTable,
  createIndex,
  type DirectoryIndexDefinition,
  type DirectoryTableDefinition,
  type Migration,
} from "./tools.ts";

const tables: readonly DirectoryTableDefinition[] = [
  {
    name: "person",
    key: ["id"],
    rows: [1000, 1],
    columns: {
      id: "text",
      email: "text",
      email_key: "text",
      name: "text",
      password_hash: "text?",
      created_at: "integer",
      updated_at: "integer",
    },
  },
  {
    name: "membership",
    key: ["person_id", "tenant"],
    rows: [2000, 2, 1],
    columns: { person_id: "text", tenant: "text", role: "text", created_at: "integer" },
  },
  {
    name: "app",
    key: ["id"],
    rows: [100, 1],
    columns: {
      id: "text",
      name: "text",
      name_key: "text",
      kind: "text",
      secret_hash: "text?",
      tenant: "text?",
      redirect_uris: "text",
      created_at: "integer",
    },
  },
  {
    name: "connection",
    key: ["id"],
    rows: [2000, 1],
    columns: {
      id: "text",
      app_id: "text",
      person_id: "text",
      tenant: "text",
      auth_event_id: "text",
      created_at: "integer",
      updated_at: "integer",
    },
  },
  {
    name: "artefact",
    key: ["kind", "id_hash"],
    rows: [10_000, 2000, 1],
    columns: {
      kind: "text",
      id_hash: "text",
      grant_id: "text?",
      uid_hash: "text?",
      payload: "text",
      expires_at: "integer?",
      consumed_at: "integer?",
    },
  },
  {
    name: "consent",
    key: ["id"],
    rows: [2000, 1],
    columns: {
      id: "text",
      app_id: "text",
      person_id: "text",
      scopes: "text",
      created_at: "integer",
    },
  },
  {
    name: "directory_key",
    key: ["id"],
    rows: [2, 1],
    columns: { id: "text", use: "text", material: "text", created_at: "integer" },
  },
  {
    name: "attempt",
    key: ["subject"],
    rows: [1000, 1],
    columns: { subject: "text", failures: "integer", last_at: "integer" },
  },
];

const indexes: readonly DirectoryIndexDefinition[] = [
  { name: "person_email", on: "person", columns: ["email_key"], unique: true, rows: [1000, 1] },
  { name: "membership_tenant", on: "membership", columns: ["tenant"], rows: [2000, 10] },
  { name: "app_name", on: "app", columns: ["name_key"], unique: true, rows: [100, 1] },
  {
    name: "connection_of",
    on: "connection",
    columns: ["person_id", "app_id", "tenant"],
    unique: true,
    rows: [2000, 4, 2, 1],
  },
  { name: "consent_of", on: "consent", columns: ["person_id", "app_id"], rows: [2000, 4, 2] },
  { name: "connection_tenant", on: "connection", columns: ["tenant"], rows: [2000, 10] },
  { name: "artefact_grant", on: "artefact", columns: ["grant_id"], rows: [10_000, 5] },
  { name: "artefact_uid", on: "artefact", columns: ["kind", "uid_hash"], rows: [10_000, 2000, 1] },
  { name: "artefact_expiry", on: "artefact", columns: ["expires_at"], rows: [10_000, 2] },
];

export const directory: Migration = async (db, dialect) => {
  const apps = await formerApps(db);
  await sql`drop table access_token`.execute(db);
  await sql`drop table app`.execute(db);
  for (const table of tables) await createDirectoryTable(db, dialect, table);
  for (const index of indexes) await createIndex(db, dialect, index);
  await keepApps(db, apps);
};

interface FormerApp {
  readonly id: string;
  readonly name: string;
  readonly secret_hash: string;
  readonly created_at: number;
  readonly tenant: string;
}

async function formerApps(db: Kysely<Tables>): Promise<readonly FormerApp[]> {
  const { rows } = await sql<FormerApp>`
    select a.id, a.name, a.secret_hash, a.created_at, o.id as tenant
    from app a join organisation o on o.org = a.org order by a.org, a.created_at, a.id`.execute(db);
  return rows;
}

/** Of apps of several organisations that had one name, the later ones get a number. */
async function keepApps(db: Kysely<Tables>, apps: readonly FormerApp[]): Promise<void> {
  const taken = new Set<string>();
  for (const { id, name, secret_hash, created_at, tenant } of apps) {
    let own = name;
    for (let count = 2; taken.has(fold(own)); count += 1) own = `${name} (${count})`;
    taken.add(fold(own));
    await sql`insert into app
      (id, name, name_key, kind, secret_hash, tenant, redirect_uris, created_at)
      values (${id}, ${own}, ${fold(own)}, 'machine', ${secret_hash}, ${tenant}, '[]',
        ${created_at})`.execute(db);
  }
}
