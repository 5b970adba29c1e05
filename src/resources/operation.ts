/**
 * An operation: the changes made to the books by one command, import or request. The service keeps
 * a log of operations, and each can be undone where that is permitted.
 */
import { choice, id, integer, many, resource, type Shape, text, timestamp } from "./field.ts";

const ro = { readOnly: true } as const;

/**
 * Change of a record by an operation; a touched record has only new history, or derived changes.
 */
export const operationChanges = ["CREATED", "CHANGED", "VOIDED", "REMOVED", "TOUCHED"] as const;

/** Last digits of an OperationID by which the operations of one run of a command differ. */
export const runDigits = 4;

export const operation = resource(
  "Operation",
  {
    OperationID: id({ ...ro, always: true }),
    Number: integer({ ...ro, always: true, filter: true, help: "by which people know it" }),
    AtUTC: timestamp({ ...ro, always: true, filter: true }),
    User: text({ ...ro, always: true, filter: true, help: "the person" }),
    App: text({ ...ro, always: true, filter: true, help: "the program, by its client id" }),
    Command: text({
      ...ro,
      verbatim: true,
      filter: true,
      help: "the command line, without secrets",
    }),
    Method: text({ ...ro, always: true, help: "of its first request" }),
    Path: text({ ...ro, always: true, verbatim: true, help: "of its first request" }),
    Undoes: id({ ...ro, help: "the operation that it takes back" }),
    UndoneBy: id({ ...ro, computed: true, help: "the operation that took it back" }),
    Requests: integer({ ...ro, computed: true, help: "how many it has" }),
    Action: text({ ...ro, computed: true, help: "the command line, or method and path" }),
    Summary: text({ ...ro, computed: true, help: "what it did, in words" }),
    Records: many(
      "Record",
      {
        Resource: text({ ...ro, always: true }),
        RecordID: text({ ...ro, always: true }),
        Name: text({ ...ro, help: "by which people know it" }),
        Change: choice(operationChanges, { ...ro, always: true }),
        Before: text({
          ...ro,
          verbatim: true,
          help: "fields that were changed, as they were, as JSON",
        }),
      },
      { ...ro, computed: true, help: "of one operation: the records that it wrote" },
    ),
  },
  {
    plural: "Operations",
    extension: true,
    id: "OperationID",
    collection: ["GET"],
    record: ["GET"],
    batchMax: 1,
    paged: "asked",
    where: true,
    order: true,
    changedAt: "AtUTC",
    parameters: [{ name: "IDs", field: "OperationID" }],
    columns: ["Number", "AtUTC", "User", "Action", "Summary"],
    listOrder: "Number DESC",
    noun: "operation",
    example: "116",
    summary: "what was done to the books, by whom and when",
  },
);

export type Operation = Shape<typeof operation>;
export type LoggedRecord = NonNullable<Operation["Records"]>[number];
