/** Tables of plans that the service keeps, and of their approvals. */
import { index, type TableDefinition, uniqueIndex } from "../define.ts";

export const planTables = {
  // A plan that waits for a person, or what became of it.
  kept_plan: {
    key: ["org", "id"],
    chain: "each",
    rows: [10_000, 10_000, 1],
    columns: {
      id: "text",
      // Sequence number: 1, 2, 3, …, by which people name the plan.
      number: "integer",
      // `WAITING`, `APPROVED`, `APPLIED`, `WITHDRAWN` or `OUTDATED`.
      state: "text",
      // Name and folded email address of the person who made it.
      maker: "text",
      maker_email: "text",
      // Client id and name of the app, and what the agent calls itself.
      app: "text",
      app_name: "text",
      agent: "text?",
      digest: "text",
      made_at: "integer",
      // Gross amount in the base currency.
      amount: "integer",
      // Why it needs the approval of a person, in words; null where it needs none.
      needs: "text?",
      // When and by which app it was applied, without approval where `needs` is null.
      applied_at: "integer?",
      applied_app: "text?",
      // The signed plan as JSON.
      plan: "text",
      // Random salt, as of contacts: a plan may contain personal data.
      salt: "text?",
    },
    indexes: {
      kept_plan_number: uniqueIndex(["number"], [10_000, 1]),
      kept_plan_state: index(["state", "made_at"], [10_000, 2_000, 1]),
      kept_plan_applied: index(["applied_at"], [10_000, 1], "applied_at is not null"),
    },
  },
  // Append-only: an approval of a plan by a person who was signed in.
  plan_approval: {
    key: ["org", "plan_id", "digest", "email"],
    chain: "each",
    rows: [10_000, 10_000, 1, 1, 1],
    columns: {
      plan_id: "text",
      // Digest of all signed contents of the plan.
      digest: "text",
      // Folded email address of the person, and the name.
      email: "text",
      user: "text",
      at: "integer",
    },
  },
} as const satisfies Record<string, TableDefinition>;
