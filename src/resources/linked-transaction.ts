/**
 * A billable expense: links the line of a bill to the line of the invoice that charges it to a
 * customer.
 */
import { exampleHandles } from "./examples.ts";
import {
  choice,
  type Input,
  id,
  readOnly,
  resource,
  type Shape,
  shortId,
  timestamp,
} from "./field.ts";

export const linkedTransactionStatuses = [
  "DRAFT",
  "APPROVED",
  "ONDRAFT",
  "BILLED",
  "VOIDED",
] as const;
export type LinkedTransactionStatus = (typeof linkedTransactionStatuses)[number];

export const linkedTransaction = resource(
  "LinkedTransaction",
  () => ({
    LinkedTransactionID: id({ always: true }),
    Handle: shortId("LT"),
    SourceTransactionID: id({ required: true, filter: true, help: "the bill or spent money" }),
    SourceLineItemID: id({ required: true, help: "its line" }),
    ContactID: id({ filter: true, help: "who is to pay it back" }),
    TargetTransactionID: id({ filter: true, help: "the invoice that bills it" }),
    TargetLineItemID: id({ help: "its line" }),
    Status: choice(linkedTransactionStatuses, { ...readOnly, computed: true, filter: true }),
    Type: choice(["BILLABLEEXPENSE"], { ...readOnly, always: true, default: "BILLABLEEXPENSE" }),
    SourceTransactionTypeCode: choice(["ACCPAY", "SPEND"], { ...readOnly, always: true }),
    UpdatedDateUTC: timestamp({ ...readOnly, always: true }),
  }),
  {
    plural: "LinkedTransactions",
    id: "LinkedTransactionID",
    collection: ["GET", "PUT"],
    record: ["GET", "POST", "DELETE"],
    paged: "asked",
    parameters: [
      { name: "LinkedTransactionID", field: "LinkedTransactionID" },
      { name: "SourceTransactionID", field: "SourceTransactionID" },
      { name: "ContactID", field: "ContactID" },
      { name: "TargetTransactionID", field: "TargetTransactionID" },
      { name: "Status", field: "Status" },
    ],
    columns: [
      "Handle",
      "LinkedTransactionID",
      "Status",
      "SourceTransactionTypeCode",
      "SourceTransactionID",
      "ContactID",
      "TargetTransactionID",
    ],
    noun: "linked transaction",
    example: exampleHandles.linkedTransaction,
    summary: "expenses that customers pay back",
  },
);

export type LinkedTransaction = Shape<typeof linkedTransaction>;
export type LinkedTransactionInput = Input<typeof linkedTransaction>;
