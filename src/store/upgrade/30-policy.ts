/**
 * To version 30: plans that the service keeps, their approvals, policies of apps and people, and the
 * name of the agent in histories and logs.
 */
import type { Kysely } from "kysely";
import type { Tables } from "../schema/index.ts";
import type { StoreDialect } from "../tx/dialect.ts";
import { addColumns, complete } from "./add-columns.ts";

const keptPlan = {
  key: ["org", "id"],
  columns: {
    org: "integer",
    id: "text",
    number: "integer",
    state: "text",
    maker: "text",
    maker_email: "text",
    app: "text",
    app_name: "text",
    agent: "text?",
    digest: "text",
    made_at: "integer",
    amount: "integer",
    needs: "text?",
    applied_at: "integer?",
    applied_app: "text?",
    plan: "text",
    salt: "text?",
  },
  indexes: {
    kept_plan_number: { columns: ["org", "number"], unique: true },
    kept_plan_state: { columns: ["org", "state", "made_at"] },
    kept_plan_applied: { columns: ["org", "applied_at"], where: "applied_at is not null" },
  },
} as const;

const approval = {
  key: ["org", "plan_id", "digest", "email"],
  columns: {
    org: "integer",
    plan_id: "text",
    digest: "text",
    email: "text",
    user: "text",
    at: "integer",
  },
} as const;

const policy = {
  key: ["subject", "tenant"],
  columns: {
    subject: "text",
    tenant: "text",
    name: "text",
    may: "text",
    kinds: "text?",
    per_document: "integer?",
    per_plan: "integer?",
    per_day: "integer?",
    approve_by: "text?",
    until: "text?",
    set_at: "integer",
  },
} as const;

export async function migration(db: Kysely<Tables>, dialect: StoreDialect): Promise<void> {
  await complete(db, dialect, { kept_plan: keptPlan, plan_approval: approval, policy });
  for (const table of ["history", "operation", "audit_entry"]) {
    await addColumns(db, dialect, table, { agent: "text?" });
  }
}
