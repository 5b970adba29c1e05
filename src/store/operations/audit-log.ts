/**
 * The audit log of administrative acts. Append-only.
 *
 * An entry is written in the transaction of its act: administrative functions take an `Audited`
 * transaction, which only `recordAct` makes. Entries of an organisation are in its book, those of a
 * server in the store of its directory, under the organisation 0; the hash chain of either covers
 * them.
 */
import { sql } from "kysely";
import {
  type AuditEntry,
  type AuditKind,
  type AuditLog,
  type AuditRoad,
  auditKinds,
  type KindsIn,
} from "../../resources/audit-entry.ts";
import { fold } from "../../wire/fold.ts";
import { serverKey, type Tx } from "../tx/tx.ts";
import { insertNew } from "./bulk.ts";

/** The actor of an act: person, app and network address. */
export interface Actor {
  /** Display name of the person, or of the app when it acts on behalf of nobody. */
  readonly user: string | undefined;
  readonly email: string | undefined;
  readonly app?: { readonly id: string; readonly name: string } | undefined;
  readonly through: AuditRoad;
  /** IP address. */
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
  /** What the agent that acts calls itself. */
  readonly agent?: string | undefined;
}

/** Changed values of an act, never a secret; undefined for a missing value. */
export interface AuditChange {
  readonly name: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

interface AnyAct {
  readonly kind: AuditKind;
  readonly by: Actor;
  /** Time of the act, milliseconds since 1970 UTC. */
  readonly at: number;
  /** The subject of the act, by name and id. */
  readonly subject?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly changes?: readonly AuditChange[] | undefined;
  /** For the server log: OrganisationIDs of the organisations that the act concerns. */
  readonly tenants?: readonly string[] | undefined;
}

/** An act to be recorded in the log of an organisation or of a server. */
export interface Act<L extends AuditLog> extends AnyAct {
  readonly kind: KindsIn<L>;
}

declare const audited: unique symbol;
/** A transaction in which an audit entry was recorded, as administrative functions require. */
export type Audited<T> = T & { readonly [audited]: true };

/** Maximum characters of a text that a caller supplied. */
const textMax = 1000;
const shortened = (text: string | undefined) => text?.slice(0, textMax).toWellFormed() ?? null;

/**
 * Records an act of an organisation in its audit log.
 * @returns the transaction, in which the act may be done
 */
export async function recordAct(tx: Tx, auditAct: Act<"ORGANISATION">): Promise<Audited<Tx>> {
  await append(tx, auditAct);
  return tx as Audited<Tx>;
}

/**
 * Appends an entry to the log of an organisation or a server. The latter is locked by
 * `directory/directory.ts`.
 */
export async function append(tx: Tx, auditAct: AnyAct): Promise<void> {
  const { by, at, kind, subject, subjectId, tenants = [], changes = [] } = auditAct;
  const writtenChanges = changes
    .filter(({ before, after }) => before !== after)
    .map(({ name, before, after }) => ({
      Name: name,
      ...(before === undefined ? {} : { Before: shortened(before) }),
      ...(after === undefined ? {} : { After: shortened(after) }),
    }));
  await insertNew(tx, "audit_entry", [
    {
      number: (await lastNumber(tx)) + 1,
      at,
      kind,
      user_name: shortened(by.user),
      email_address: shortened(by.email),
      app_id: by.app?.id,
      app_name: shortened(by.app?.name),
      through: by.through,
      address: shortened(by.address),
      request_id: by.requestId,
      subject: shortened(subject),
      subject_id: subjectId,
      tenants: tenants.length === 0 ? null : tenants.join(" "),
      changes: writtenChanges.length === 0 ? null : JSON.stringify(writtenChanges),
      agent: by.agent ?? tx.lock?.agent,
    },
  ]);
}

async function lastNumber({ db, org }: Tx): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select number from audit_entry where org = ${org} order by number desc limit 1`.execute(db);
  return Number(rows[0]?.number ?? 0);
}

// --- reading -----------------------------------------------------------------------------------

export interface AuditQuery {
  /** Start of the time range in milliseconds since 1970 UTC, included; the end is excluded. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Filter: part of a name or address of the actor or the subject, in any letter case. */
  readonly person?: string | undefined;
  readonly kinds?: readonly AuditKind[] | undefined;
  /** Filter: part of the name of the app, or of what the agent calls itself. */
  readonly app?: string | undefined;
  /**
   * For the server log: entries that concern an organisation, optionally also those that concern
   * none.
   */
  readonly concerning?: { readonly tenant: string; readonly orNone: boolean } | undefined;
}

/** The entries of one log, newest first, and their total number. */
export async function auditEntries(
  tx: Tx,
  query: AuditQuery,
  limit: number,
): Promise<{ readonly entries: AuditEntry[]; readonly count: number }> {
  const condition = conditionOf(tx, query);
  const { rows } = await sql<AuditRow>`select * from audit_entry where ${condition}
    order by at desc, number desc limit ${limit}`.execute(tx.db);
  const { rows: counted } = await sql<{ count: number }>`
    select count(*) as count from audit_entry where ${condition}`.execute(tx.db);
  return { entries: rows.map(entryFrom), count: Number(counted[0]?.count ?? 0) };
}

/**
 * The entry with a number.
 * @param number  as in the entry's id, after the letter
 */
export async function auditEntryNumbered(
  tx: Tx,
  number: number,
  { concerning }: Pick<AuditQuery, "concerning">,
): Promise<AuditEntry | undefined> {
  const { rows } = await sql<AuditRow>`select * from audit_entry
    where ${conditionOf(tx, { concerning })} and number = ${number}`.execute(tx.db);
  return rows[0] && entryFrom(rows[0]);
}

function conditionOf({ org, dialect }: Tx, query: AuditQuery) {
  const { since, until, person, kinds, app, concerning } = query;
  const conditions = [sql`org = ${org}`];
  if (since !== undefined) conditions.push(sql`at >= ${since}`);
  if (until !== undefined) conditions.push(sql`at < ${until}`);
  if (kinds !== undefined) conditions.push(sql`kind in (${sql.join(kinds)})`);
  const holds = (columns: readonly string[], text: string) =>
    sql.join(
      columns.map((column) =>
        dialect.contains(dialect.fold(sql`coalesce(${sql.id(column)}, '')`), fold(text)),
      ),
      sql` or `,
    );
  if (person !== undefined) {
    conditions.push(sql`(${holds(["user_name", "email_address", "subject"], person)})`);
  }
  if (app !== undefined) conditions.push(sql`(${holds(["app_name", "agent"], app)})`);
  if (concerning !== undefined) {
    const its = dialect.contains(sql`coalesce(tenants, '')`, concerning.tenant);
    conditions.push(concerning.orNone ? sql`(tenants is null or ${its})` : its);
  }
  return sql.join(conditions, sql` and `);
}

interface AuditRow {
  readonly org: number;
  readonly number: number;
  readonly at: number;
  readonly kind: AuditKind;
  readonly user_name: string | null;
  readonly email_address: string | null;
  readonly app_id: string | null;
  readonly app_name: string | null;
  readonly through: AuditRoad;
  readonly address: string | null;
  readonly request_id: string | null;
  readonly subject: string | null;
  readonly subject_id: string | null;
  readonly changes: string | null;
  readonly agent: string | null;
}

const letters = { ORGANISATION: "O", SERVER: "S" } as const satisfies Record<AuditLog, string>;

/** The log and number in an entry's id, `O42`; undefined for any other text. */
export function auditIdOf(text: string): { log: AuditLog; number: number } | undefined {
  const [, letter = "", digits] = /^([OS])-?(\d{1,15})$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  return {
    log: letter.toUpperCase() === letters.SERVER ? "SERVER" : "ORGANISATION",
    number: Number(digits),
  };
}

function entryFrom(row: AuditRow): AuditEntry {
  const Log = Number(row.org) === serverKey ? "SERVER" : "ORGANISATION";
  const Changes: NonNullable<AuditEntry["Changes"]> = JSON.parse(row.changes ?? "[]");
  return {
    AuditEntryID: `${letters[Log]}${row.number}`,
    DateUTC: Number(row.at),
    Kind: row.kind,
    Log,
    User: row.user_name ?? undefined,
    EmailAddress: row.email_address ?? undefined,
    AppName: row.app_name ?? undefined,
    AppID: row.app_id ?? undefined,
    Agent: row.agent ?? undefined,
    Through: row.through,
    Address: row.address ?? undefined,
    RequestID: row.request_id ?? undefined,
    Subject: row.subject ?? undefined,
    SubjectID: row.subject_id ?? undefined,
    Act: actOf(row, Changes),
    Changes,
  };
}

/**
 * The sentence for an entry: `gave another role to ann@quay.example: Role standard → read-only`.
 */
function actOf(
  { kind, subject }: Pick<AuditRow, "kind" | "subject">,
  changes: NonNullable<AuditEntry["Changes"]>,
): string {
  const words = auditKinds[kind]?.words ?? kind;
  const actText = subject === null ? words.replace(/,? for$| of$| to$/, "") : `${words} ${subject}`;
  const changedFields = changes.map(({ Name, Before, After }) => {
    if (Before === undefined) return `${Name} ${After ?? "nothing"}`;
    return `${Name} ${Before} → ${After ?? "nothing"}`;
  });
  return changedFields.length === 0 ? actText : `${actText}: ${changedFields.join("; ")}`;
}
