/** Tables of webhooks. */
import type { TableDefinition } from "../define.ts";

export const webhookTables = {
  // A subscription to events.
  webhook: {
    key: ["org", "id"],
    chain: { without: ["last_sequence", "leased_by", "leased_until", "expires_at"] },
    rows: [10, 10, 1],
    columns: {
      id: "text",
      name: "text",
      url: "text",
      // With commas: `INVOICE,CONTACT`.
      categories: "text",
      app_id: "text?",
      signing_key: "text",
      status: "text",
      // Why it is not in use.
      reason: "text?",
      created_at: "integer",
      // Of the last event that was put into a delivery; 0 before the first.
      last_sequence: "integer",
      // The process that delivers, and until when nobody else may.
      leased_by: "text?",
      leased_until: "integer?",
      // Of a listener, which expires without requests.
      expires_at: "integer?",
      // With commas: `http,private`; null for https to public addresses alone.
      allowed: "text?",
    },
  },
  // An event that no delivery holds yet.
  event: {
    key: ["org", "webhook_id", "number", "resource_id"],
    chain: "passing",
    clustered: true,
    rows: [1000, 1000, 100, 1, 1],
    columns: {
      webhook_id: "text",
      // In the order of delivery.
      number: "integer",
      resource_id: "text",
      category: "text",
      type: "text",
      at: "integer",
      // JSON.
      data: "text?",
    },
  },
  // Events under way to a subscriber, or there.
  delivery: {
    key: ["org", "webhook_id", "first_sequence"],
    chain: "passing",
    rows: [100_000, 100_000, 10_000, 1],
    columns: {
      webhook_id: "text",
      first_sequence: "integer",
      last_sequence: "integer",
      id: "text",
      // The bytes that are sent, the same at each try.
      body: "text",
      status: "text",
      tries: "integer",
      created_at: "integer",
      first_tried_at: "integer?",
      tried_at: "integer?",
      next_try_at: "integer?",
      // Status of the last answer; null where none came.
      answered: "integer?",
      reason: "text?",
    },
    indexes: {
      delivery_waiting: {
        columns: ["org", "webhook_id", "first_sequence"],
        where: "status = 'WAITING'",
        rows: [10, 10, 2, 1],
      },
      delivery_by_id: { columns: ["org", "id"], rows: [100_000, 100_000, 1] },
      // The log of all of them, and what of it is old.
      delivery_by_age: { columns: ["org", "created_at", "id"], rows: [100_000, 100_000, 10, 1] },
    },
  },
} as const satisfies Record<string, TableDefinition>;
