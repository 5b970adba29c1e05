/**
 * An expense claim: receipts of one person, which the organisation owes from its approval and pays
 * back. The receipts that are in no claim are what the person may still claim.
 */
import { attachments } from "./attachment.ts";
import { hasAttachments, lineAmountTypes } from "./common.ts";
import { documentContact, documentPayments, total } from "./document.ts";
import {
  choice,
  date,
  id,
  many,
  ref,
  resource,
  type Shape,
  shortId,
  text,
  timestamp,
  usualAccess,
} from "./field.ts";
import { lineItems } from "./line-item.ts";
import { user } from "./user.ts";

const computed = { readOnly: true, extension: true } as const;

export const expenseClaim = resource(
  "ExpenseClaim",
  () => ({
    ExpenseClaimID: id({ always: true }),
    Handle: shortId("EC"),
    User: ref("User", ["UserID"], user.fields, {
      required: true,
      filter: true,
      help: "who has spent it: a user, or an employee by the EmployeeID",
    }),
    Receipts: many(
      "Receipt",
      {
        ReceiptID: id({ always: true }),
        ReceiptNumber: text({ readOnly: true }),
        Date: date({ readOnly: true }),
        Reference: text({ readOnly: true }),
        Total: total,
      },
      { always: true, max: 200, columns: ["ReceiptNumber", "Date", "Reference", "Total"] },
    ),
    Status: choice(["SUBMITTED", "AUTHORISED", "PAID", "VOIDED", "DELETED"], {
      default: "SUBMITTED",
      always: true,
      filter: true,
    }),
    ReportingDate: date({
      always: true,
      filter: true,
      help: "on which it is posted; today when not given",
    }),
    PaymentDueDate: date({ filter: true, help: "by which it is to be paid" }),
    Contact: {
      ...documentContact,
      required: false,
      always: true,
      extension: true,
      help: "who is paid; the contact of the person's name, made once, when not given",
    },
    LineAmountTypes: choice(lineAmountTypes, { ...computed, default: "Inclusive", always: true }),
    LineItems: { ...lineItems, ...computed, always: true },
    SubTotal: { ...total, extension: true },
    TotalTax: { ...total, extension: true },
    Total: { ...total, filter: true },
    AmountDue: { ...total, filter: true },
    AmountPaid: total,
    FullyPaidOnDate: date(computed),
    Payments: documentPayments,
    UpdatedDateUTC: timestamp({ readOnly: true, always: true }),
    HasAttachments: hasAttachments,
    Attachments: attachments,
  }),
  {
    plural: "ExpenseClaims",
    id: "ExpenseClaimID",
    ...usualAccess,
    batchMax: 50,
    attachments: true,
    columns: ["Handle", "Contact.Name", "ReportingDate", "Status", "Total", "AmountDue"],
    listOrder: "ReportingDate DESC",
    document: { type: "EXPCLAIM", side: "purchases", open: "AmountDue", paidAs: "ExpenseClaim" },
    noun: "expense claim",
    example: "EC-1",
    summary: "what people have spent for the organisation, and get back",
  },
);

export type ExpenseClaim = Shape<typeof expenseClaim>;
