/**
 * An operation: the changes made to the books by one command, import or request. The service keeps
 * a log of operations, and each can be undone where that is permitted.
 */
import {
  choice,
  id,
  integer,
  many,
  readOnly,
  resource,
  type Shape,
  text,
  timestamp,
} from "./field.ts";

/**
 * Change of a record by an operation; a touched record has only new history, or derived changes.
 */
export const operationChanges = ["CREATED", "CHANGED", "VOIDED", "REMOVED", "TOUCHED"] as const;

/** Last digits of an OperationID by which the operations of one run of a command differ. */
export const runDigits = 4;

export const operation = resource(
  "Operation",
  () => ({
    OperationID: id({ ...readOnly, always: true }),
    Number: integer({ ...readOnly, always: true, filter: true, help: "by which people know it" }),
    AtUTC: timestamp({ ...readOnly, always: true, filter: true }),
    User: text({ ...readOnly, always: true, filter: true, help: "the person" }),
    App: text({ ...readOnly, always: true, filter: true, help: "the program, by its client id" }),
    Agent: text({ ...readOnly, filter: true, help: "what the agent calls itself: its own word" }),
    Command: text({
      ...readOnly,
      verbatim: true,
      filter: true,
      help: "the command line, without secrets",
    }),
    Method: text({ ...readOnly, always: true, help: "of its first request" }),
    Path: text({ ...readOnly, always: true, verbatim: true, help: "of its first request" }),
    Undoes: id({ ...readOnly, help: "the operation that it takes back" }),
    UndoneBy: id({ ...readOnly, computed: true, help: "the operation that took it back" }),
    Requests: integer({ ...readOnly, computed: true, help: "how many it has" }),
    Action: text({ ...readOnly, computed: true, help: "the command line, or method and path" }),
    Summary: text({ ...readOnly, computed: true, help: "what it did, in words" }),
    Records: many(
      "Record",
      {
        Resource: text({ ...readOnly, always: true }),
        RecordID: text({ ...readOnly, always: true }),
        Name: text({ ...readOnly, help: "by which people know it" }),
        Change: choice(operationChanges, { ...readOnly, always: true }),
        Before: text({
          ...readOnly,
          verbatim: true,
          help: "fields that were changed, as they were, as JSON",
        }),
      },
      { ...readOnly, computed: true, help: "of one operation: the records that it wrote" },
    ),
  }),
  {
    plural: "Operations",
    extension: true,
    id: "OperationID",
    collection: ["GET"],
    record: ["GET"],
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
