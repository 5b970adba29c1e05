/** History of a record: changes with user and time, and notes. Append-only. */
import { resource, type Shape, text, timestamp } from "./field.ts";

export const historyRecord = resource(
  "HistoryRecord",
  () => ({
    Changes: text({ readOnly: true }),
    DateUTC: timestamp({ readOnly: true, always: true, twin: "DateUTCString" }),
    User: text({ readOnly: true }),
    Agent: text({ readOnly: true, help: "what the agent that did it calls itself" }),
    Details: text({ max: 2500, min: 1, required: true, verbatim: true }),
  }),
  {
    plural: "HistoryRecords",
    id: "DateUTC",
    collection: ["GET", "PUT"],
    batchMax: 100,
    columns: ["DateUTC", "User", "Changes", "Details"],
    noun: "history",
    summary: "what was done to a record",
  },
);

export type HistoryRecord = Shape<typeof historyRecord>;
