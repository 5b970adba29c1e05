/** Who is told of events, the events that wait to be told, and what was sent. */
import {
  addColumns,
  createIndex,
  createTable,
  type IndexDefinition,
  type Migration,
  type TableDefinition,
} from "./tools.ts";

const tables: readonly TableDefinition[] = [
  {
    name: "webhook",
    key: ["org", "id"],
    rows: [10, 10, 1],
    columns: {
      id: "text",
      name: "text",
      url: "text",
      categories: "text",
      app_id: "text?",
      signing_key: "text",
      status: "text",
      reason: "text?",
      created_at: "integer",
      last_sequence: "integer",
      leased_by: "text?",
      leased_until: "integer?",
      expires_at: "integer?",
    },
  },
  {
    name: "event",
    key: ["org", "webhook_id", "number", "resource_id"],
    clustered: true,
    rows: [1000, 1000, 100, 1, 1],
    columns: {
      webhook_id: "text",
      number: "integer",
      resource_id: "text",
      category: "text",
      type: "text",
      at: "integer",
      data: "text?",
    },
  },
  {
    name: "delivery",
    key: ["org", "webhook_id", "first_sequence"],
    rows: [100_000, 100_000, 10_000, 1],
    columns: {
      webhook_id: "text",
      first_sequence: "integer",
      last_sequence: "integer",
      id: "text",
      body: "text",
      status: "text",
      tries: "integer",
      created_at: "integer",
      first_tried_at: "integer?",
      tried_at: "integer?",
      next_try_at: "integer?",
      answered: "integer?",
      reason: "text?",
    },
  },
];

const indexes: readonly IndexDefinition[] = [
  {
    name: "delivery_waiting",
    on: "delivery",
    columns: ["org", "webhook_id", "first_sequence"],
    where: "status = 'WAITING'",
    rows: [10, 10, 2, 1],
  },
  { name: "delivery_by_id", on: "delivery", columns: ["org", "id"], rows: [100_000, 100_000, 1] },
  // The log of all of them, and what of it is old.
  {
    name: "delivery_by_age",
    on: "delivery",
    columns: ["org", "created_at", "id"],
    rows: [100_000, 100_000, 10, 1],
  },
];

export const webhooks: Migration = async (db, dialect) => {
  for (const table of tables) await createTable(db, dialect, table);
  for (const index of indexes) await createIndex(db, dialect, index);
  // Read with the organisation, so that a write to which nobody listens asks nothing more.
  await addColumns(db, dialect, "organisation", { event_categories: "text?" });
};
