/** A batch payment: several invoices or bills paid in one bank transaction. */

import { account } from "./account.ts";
import { exampleHandles } from "./examples.ts";
import {
  boolean,
  choice,
  date,
  type Input,
  id,
  many,
  money,
  readOnly,
  ref,
  resource,
  type Shape,
  shortId,
  text,
  timestamp,
  usualAccess,
} from "./field.ts";
import { invoice } from "./invoice.ts";

const alwaysSent = { readOnly: true, always: true } as const;

/** Types of batches: bills paid, or invoices received. */
const batchTypes = ["PAYBATCH", "RECBATCH"] as const;

const BatchPaymentID = id({ always: true });
const Handle = shortId("BP");
const Account = ref("Account", ["AccountID", "Code"], account.fields, {
  required: true,
  filter: true,
  help: "bank account, or one with payments enabled",
});
const day = date({ always: true, filter: true, help: "today when not given" });
const Type = choice(batchTypes, { ...alwaysSent, filter: true });
const Status = choice(["AUTHORISED", "DELETED"], {
  default: "AUTHORISED",
  always: true,
  filter: true,
});
const TotalAmount = money({ ...alwaysSent, filter: true });
const UpdatedDateUTC = timestamp({ ...alwaysSent, twin: "UpdatedDateUTCString" });
const IsReconciled = boolean(alwaysSent);

/** Summary of its batch that a payment contains. */
export const batchPaymentHead = {
  Account,
  BatchPaymentID,
  Handle,
  Date: day,
  Type,
  Status,
  TotalAmount,
  UpdatedDateUTC,
  IsReconciled,
} as const;

export const batchPayment = resource(
  "BatchPayment",
  () => ({
    BatchPaymentID,
    Handle,
    Account,
    Date: day,
    Reference: text({ max: 255, filter: true }),
    Particulars: text({ max: 12, help: "New Zealand only" }),
    Code: text({ max: 12, help: "New Zealand only" }),
    Details: text({ max: 24, help: "for the bank, whose file takes 18 of it; not in New Zealand" }),
    Narrative: text({ max: 18, help: "for the statement line; United Kingdom only" }),
    Payments: many(
      "Payment",
      {
        PaymentID: id(readOnly),
        Invoice: ref("Invoice", ["InvoiceID", "InvoiceNumber"], invoice.fields),
        Amount: money({ currency: "other", required: true }),
        BankAccountNumber: text({ max: 255 }),
        Particulars: text({ max: 12 }),
        Code: text({ max: 12 }),
        Reference: text({ max: 12 }),
        Details: text({ max: 255 }),
      },
      { always: true, computed: true, max: 500 },
    ),
    Type,
    Status,
    TotalAmount,
    IsReconciled,
    UpdatedDateUTC,
  }),
  {
    plural: "BatchPayments",
    id: "BatchPaymentID",
    ...usualAccess,
    batchMax: 50,
    sums: ["TotalAmount"],
    columns: [
      "Handle",
      "BatchPaymentID",
      "Date",
      "Type",
      "Account.Code",
      "TotalAmount",
      "Reference",
      "Status",
    ],
    listOrder: "Date DESC, UpdatedDateUTC DESC",
    alike: { fields: ["Account", "Date", "Reference", "Payments"] },
    noun: "batch payment",
    example: exampleHandles.batchPayment,
    summary: "invoices or bills paid together",
  },
);

export type BatchPayment = Shape<typeof batchPayment>;
export type BatchPaymentInput = Input<typeof batchPayment>;
