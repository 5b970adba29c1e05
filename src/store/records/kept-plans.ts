/** Plans that the service keeps until a person decides on them, and their approvals. */
import { sql } from "kysely";
import type { PlanState } from "../../resources/plan.ts";
import type { Insertion } from "../connection/connection.ts";
import { deleteRows, insertRows, ownRows, updateRows } from "../operations/bulk.ts";
import { newSalt } from "../schema/salt.ts";
import type { Tx } from "../tx/tx.ts";

export interface KeptPlan {
  /** The PlanID, a GUID. */
  readonly id: string;
  /** Sequence number, by which people name the plan. */
  readonly number: number;
  readonly state: PlanState;
  readonly maker: string;
  /** Folded email address of the maker. */
  readonly maker_email: string;
  /** Client id. */
  readonly app: string;
  readonly app_name: string;
  /** What the agent calls itself. */
  readonly agent: string | null;
  /** Digest of all signed contents. */
  readonly digest: string;
  /** Milliseconds since 1970 UTC. */
  readonly made_at: number;
  /** Gross, in the base currency. */
  readonly amount: number;
  /** Why it needs the approval of a person; null where it needs none. */
  readonly needs: string | null;
  readonly applied_at: number | null;
  readonly applied_app: string | null;
  /** The signed plan as JSON. */
  readonly plan: string;
}

const columns = [
  ...["id", "number", "state", "maker", "maker_email", "app", "app_name", "agent"],
  ...["digest", "made_at", "amount", "needs", "applied_at", "applied_app", "plan"],
] as const;

const insertion: Insertion = { table: "kept_plan", columns: ["org", ...columns, "salt"] };

/**
 * Keeps a plan, in place of a waiting one with its id by the same maker and app.
 * @returns its number; undefined where there is another plan with its id
 */
export async function keepPlan(
  tx: Tx,
  newPlan: Omit<KeptPlan, "number">,
): Promise<number | undefined> {
  const { id, maker_email, app, digest, made_at, amount, needs, plan } = newPlan;
  const existingPlan = await findKeptPlan(tx, id);
  if (existingPlan !== undefined) {
    const isSameMaker = existingPlan.app === app && existingPlan.maker_email === maker_email;
    if (!isSameMaker || existingPlan.state !== "WAITING") return undefined;
    const anew = { digest, made_at, amount, needs, plan, salt: newSalt() };
    await updateRows(tx, "kept_plan", anew, sql`id = ${id}`);
    return existingPlan.number;
  }
  const { rows } = await sql<{ last: number | null }>`
    select max(number) as last from kept_plan where org = ${tx.org}`.execute(tx.db);
  const number = Number(rows[0]?.last ?? 0) + 1;
  const row = { ...newPlan, number };
  const values = columns.map((name) => row[name as keyof KeptPlan]);
  await insertRows(tx, insertion, [[tx.org, ...values, newSalt()]]);
  return number;
}

export interface PlanQuery {
  readonly state: PlanState | undefined;
  /** Open plans made before are outdated, in milliseconds since 1970 UTC. */
  readonly outdatedBefore: number;
  /** Part of the name of the person, app or agent. */
  readonly maker: string;
  /** Whose plans alone: client id of the app, and folded email address. */
  readonly own: { readonly app: string; readonly email: string } | undefined;
}

/** A page of the kept plans, the latest first, and how many there are. */
export async function keptPlans(
  tx: Tx,
  query: PlanQuery,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly records: KeptPlan[]; readonly count: number }> {
  const condition = conditionOf(tx, query);
  const { rows } = await sql<Parameters<typeof keptFrom>[0]>`select * from kept_plan
    where ${condition} order by number desc limit ${limit} offset ${offset}`.execute(tx.db);
  const { rows: counted } = await sql<{ count: number }>`
    select count(*) as count from kept_plan where ${condition}`.execute(tx.db);
  return { records: rows.map(keptFrom), count: Number(counted[0]?.count ?? 0) };
}

function conditionOf({ org, dialect }: Tx, { state, outdatedBefore, maker, own }: PlanQuery) {
  const conditions = [sql`org = ${org}`];
  const isOutdated = sql`(state in ('WAITING', 'APPROVED') and made_at < ${outdatedBefore})`;
  if (state === "OUTDATED") conditions.push(sql`(state = ${state} or ${isOutdated})`);
  else if (state !== undefined) conditions.push(sql`state = ${state} and not ${isOutdated}`);
  if (maker !== "") {
    const names = sql`maker || ' ' || app_name || ' ' || coalesce(agent, '')`;
    conditions.push(dialect.contains(dialect.fold(names), maker));
  }
  if (own !== undefined) conditions.push(sql`app = ${own.app} and maker_email = ${own.email}`);
  return sql.join(conditions, sql` and `);
}

/** A kept plan by its PlanID or its number. */
export async function findKeptPlan(tx: Tx, key: string): Promise<KeptPlan | undefined> {
  const query = ownRows(tx, "kept_plan").selectAll();
  const isNumber = /^\d{1,15}$/.test(key);
  const found = isNumber ? query.where("number", "=", Number(key)) : query.where("id", "=", key);
  const row = await found.executeTakeFirst();
  return row && keptFrom(row);
}

const keptFrom = (row: { state: string } & Omit<KeptPlan, "state">): KeptPlan => ({
  ...row,
  state: row.state as PlanState,
  number: Number(row.number),
  made_at: Number(row.made_at),
  amount: Number(row.amount),
});

/** Changes what became of a plan. */
export async function changePlan(
  tx: Tx,
  id: string,
  changes: Partial<Pick<KeptPlan, "state" | "applied_at" | "applied_app" | "plan">>,
): Promise<void> {
  await updateRows(tx, "kept_plan", changes, sql`id = ${id}`);
}

/** Removes the plans that hold a text, such as the id of a contact that is erased. */
export async function forgetPlans(tx: Tx, text: string): Promise<void> {
  await deleteRows(tx, "kept_plan", tx.dialect.contains(sql`plan`, text));
}

/** Gross amount of what an app applied since a moment without the approval of a person. */
export async function loadAppliedAmount(tx: Tx, app: string, since: number): Promise<number> {
  const { rows } = await sql<{ amount: number | null }>`select sum(amount) as amount from kept_plan
    where org = ${tx.org} and applied_at >= ${since} and applied_app = ${app} and needs is null`.execute(
    tx.db,
  );
  return Number(rows[0]?.amount ?? 0);
}

export interface PlanApproval {
  readonly plan_id: string;
  readonly digest: string;
  /** Folded email address of the person. */
  readonly email: string;
  readonly user: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

const approving: Insertion = {
  table: "plan_approval",
  columns: ["org", "plan_id", "digest", "email", "user", "at"],
};

export async function addApproval(tx: Tx, newApproval: PlanApproval): Promise<void> {
  const { plan_id, digest, email, user, at } = newApproval;
  await insertRows(tx, approving, [[tx.org, plan_id, digest, email, user, at]]);
}

/** The approvals of a plan with a digest, the first first. */
export async function loadApprovals(tx: Tx, plan: string, digest: string): Promise<PlanApproval[]> {
  const query = ownRows(tx, "plan_approval").selectAll();
  return query.where("plan_id", "=", plan).where("digest", "=", digest).orderBy("at").execute();
}
