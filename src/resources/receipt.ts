/**
 * A receipt for an expense that a person paid for the business. It posts nothing; the expense
 * claim that it is part of does, and sets its status.
 */
import { attachments } from "./attachment.ts";
import { hasAttachments, lineAmountTypes } from "./common.ts";
import { documentContact, totals } from "./document.ts";
import { choice, date, id, ref, resource, shortId, text, timestamp, usualAccess } from "./field.ts";
import { lineItems } from "./line-item.ts";
import { user } from "./user.ts";

export const receiptStatuses = ["DRAFT", "SUBMITTED", "AUTHORISED", "DECLINED", "VOIDED"] as const;
export type ReceiptStatus = (typeof receiptStatuses)[number];

export const receipt = resource(
  "Receipt",
  () => ({
    ReceiptID: id({ always: true }),
    ReceiptNumber: text({ readOnly: true, filter: true, help: "counted for each user" }),
    Date: date({ required: true, filter: true }),
    Contact: documentContact,
    User: ref("User", ["UserID"], user.fields, { required: true, filter: true }),
    LineItems: { ...lineItems, always: true },
    ExpenseClaim: ref(
      "ExpenseClaim",
      ["ExpenseClaimID"],
      { ExpenseClaimID: id(), Handle: shortId("EC") },
      { readOnly: true, extension: true, filter: true, help: "that it is part of" },
    ),
    Reference: text({ max: 255, filter: true }),
    LineAmountTypes: choice(lineAmountTypes, { default: "Inclusive", always: true }),
    ...totals,
    Status: choice(receiptStatuses, { default: "DRAFT", always: true, filter: true }),
    UpdatedDateUTC: timestamp({ readOnly: true, always: true }),
    HasAttachments: hasAttachments,
    Attachments: attachments,
    Url: text({ max: 2048, help: "link to a source document" }),
  }),
  {
    plural: "Receipts",
    id: "ReceiptID",
    ...usualAccess,
    collection: ["GET", "PUT"],
    unitdp: true,
    attachments: true,
    columns: ["ReceiptNumber", "User.EmailAddress", "Contact.Name", "Date", "Status", "Total"],
    listOrder: "Date DESC",
    document: {
      type: "RECEIPT",
      side: "purchases",
      number: "ReceiptNumber",
      unique: { type: "RECEIPT", freedBy: [], perUser: true },
    },
    noun: "receipt",
    summary: "receipts of what users have spent",
  },
);
