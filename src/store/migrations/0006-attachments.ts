/** Files on records, their bytes in pieces of their own. */
import { createIndex, createTable, type Migration } from "./tools.ts";

export const attachments: Migration = async (db, dialect) => {
  await createTable(db, dialect, {
    name: "attachment",
    key: ["org", "id"],
    rows: [10_000, 10_000, 1],
    columns: {
      id: "text",
      resource: "text",
      record_id: "text",
      name: "text",
      mime_type: "text",
      size: "integer",
      sha256: "text",
      content_id: "text",
      include_online: "integer",
    },
  });
  // The files of one record, and one of them by its name.
  await createIndex(db, dialect, {
    name: "attachment_by_record",
    on: "attachment",
    columns: ["org", "record_id", "name"],
    unique: true,
    rows: [10_000, 10_000, 2, 1],
  });
  // Not kept in the order of its key: a row is many pages long.
  await createTable(db, dialect, {
    name: "attachment_chunk",
    key: ["org", "content_id", "ord"],
    rows: [100_000, 100_000, 10, 1],
    columns: { content_id: "text", ord: "integer", bytes: "bytes" },
  });
};
