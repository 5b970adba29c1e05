/** Tables of webhooks. */
import { index, type TableDefinition } from "../define.ts";

export const webhookTables = {
  // A webhook subscription, or a listener.
  webhook: {
    key: ["org", "id"],
    chain: { without: ["last_sequence", "leased_by", "leased_until", "expires_at"] },
    rows: [10, 10, 1],
    columns: {
      id: "text",
      name: "text",
      url: "text",
      // Categories separated by commas: `INVOICE,CONTACT`.
      categories: "text",
      app_id: "text?",
      signing_key: "text",
      status: "text",
      // Reason why the subscription is not in use.
      reason: "text?",
      created_at: "integer",
      // Number of the last event put into a delivery; 0 before the first.
      last_sequence: "integer",
      // The process that holds the delivery lease, and the end of the lease.
      leased_by: "text?",
      leased_until: "integer?",
      // Expiry of a listener, extended by each request.
      expires_at: "integer?",
      // Permitted targets separated by commas: `http,private`; null for public https addresses
      // only.
      allowed: "text?",
    },
  },
  // An event that is not yet in a delivery.
  event: {
    key: ["org", "webhook_id", "number", "resource_id"],
    chain: "passing",
    clustered: true,
    rows: [1000, 1000, 100, 1, 1],
    columns: {
      webhook_id: "text",
      // Sequence number, the order of delivery.
      number: "integer",
      resource_id: "text",
      category: "text",
      type: "text",
      at: "integer",
      // Event data as JSON.
      data: "text?",
    },
  },
  // A delivery of events to a subscriber, waiting or done.
  delivery: {
    key: ["org", "webhook_id", "first_sequence"],
    chain: "passing",
    rows: [100_000, 100_000, 10_000, 1],
    columns: {
      webhook_id: "text",
      first_sequence: "integer",
      last_sequence: "integer",
      id: "text",
      // The request body, the same at each try.
      body: "text",
      status: "text",
      tries: "integer",
      created_at: "integer",
      first_tried_at: "integer?",
      tried_at: "integer?",
      next_try_at: "integer?",
      // HTTP status of the last response; null when none came.
      answered: "integer?",
      reason: "text?",
    },
    indexes: {
      delivery_waiting: index(["webhook_id", "first_sequence"], [10, 2, 1], "status = 'WAITING'"),
      delivery_by_id: index(["id"], [100_000, 1]),
      // For the log of deliveries, and for deleting old ones.
      delivery_by_age: index(["created_at", "id"], [100_000, 10, 1]),
    },
  },
} as const satisfies Record<string, TableDefinition>;
